//! Polynomials with exact coefficients over variables, constants and calls: arguments of calls, and laws.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::ratio::Ratio;

/// What a product has as factors. Rewriting replaces greater atoms by smaller ones: calls are greater than all other atoms, and
/// a call that costs more has a greater number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// A constant that is no fraction, by its number in the vocabulary: pi.
    Constant(u8),
    /// A variable, by its number in the vocabulary.
    Variable(u8),
    /// The absolute value of a variable.
    Absolute(u8),
    /// 1 where a variable is even and -1 where it is odd: the power (-1)^n, which integers alone have.
    Parity(u8),
    /// A call, by its number.
    Call(CallId),
}

/// The number of a call in its [`Calls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(u32);

impl CallId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A product of atoms, the greatest first. Products compare as monomials do in the lexicographic order: the greatest atom decides, then its power.
pub(super) type Product = SmallVec<[Atom; 4]>;

/// A polynomial: products with coefficients other than 0, the greatest product first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(Vec<(Product, Ratio)>);

/// A function applied to arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// The number of the function in the vocabulary.
    pub function: usize,
    /// One for each parameter.
    pub arguments: Vec<Form>,
}

/// All calls that laws are made of.
#[derive(Clone, Debug, Default)]
pub struct Calls(IndexSet<Call, FxBuildHasher>);

impl Calls {
    /// The number of a call, which is added where it is new.
    pub(super) fn insert(&mut self, call: Call) -> CallId {
        CallId(self.0.insert_full(call).0 as u32)
    }

    /// The number of a call; `None` where it is not among them.
    pub(super) fn find(&self, call: &Call) -> Option<CallId> {
        self.0.get_index_of(call).map(|index| CallId(index as u32))
    }

    /// The call of a number.
    pub fn get(&self, id: CallId) -> &Call {
        &self.0[id.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All calls in the order of their numbers. Arguments contain calls with smaller numbers only.
    pub fn iter(&self) -> impl Iterator<Item = (CallId, &Call)> {
        self.0.iter().enumerate().map(|(index, call)| (CallId(index as u32), call))
    }
}

impl Form {
    /// The sum of products with coefficients. `None` where a coefficient does not fit into 128 bits; this is so for every
    /// function here that computes.
    pub(super) fn of(mut terms: Vec<(Product, Ratio)>) -> Option<Form> {
        terms.sort_unstable_by(|a, b| b.0.cmp(&a.0));
        let mut sum: Vec<(Product, Ratio)> = Vec::with_capacity(terms.len());
        for (product, coefficient) in terms {
            match sum.last_mut() {
                Some(last) if last.0 == product => last.1 = last.1.plus(coefficient)?,
                _ => sum.push((product, coefficient)),
            }
        }
        sum.retain(|(_, coefficient)| !coefficient.is_zero());
        Some(Form(sum))
    }

    /// A fraction alone.
    pub(super) fn number(value: Ratio) -> Form {
        Form(if value.is_zero() { Vec::new() } else { vec![(Product::new(), value)] })
    }

    /// An atom alone.
    pub(super) fn atom(atom: Atom) -> Form {
        Form(vec![(smallvec::smallvec![atom], Ratio::ONE)])
    }

    /// Products with their coefficients, the greatest first.
    pub(super) fn terms(&self) -> &[(Product, Ratio)] {
        &self.0
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The atom, if the form is one atom with the coefficient 1 and nothing else.
    pub(super) fn as_atom(&self) -> Option<Atom> {
        match &self.0[..] {
            [(product, Ratio::ONE)] if product.len() == 1 => Some(product[0]),
            _ => None,
        }
    }

    pub(super) fn plus(&self, other: &Form) -> Option<Form> {
        Form::of(self.0.iter().chain(&other.0).cloned().collect())
    }

    pub(super) fn scaled(&self, by: Ratio) -> Option<Form> {
        let term =
            |(product, coefficient): &(Product, Ratio)| Some((product.clone(), coefficient.times(by)?));
        Some(Form(self.0.iter().map(term).collect::<Option<_>>()?).without_zeros())
    }

    fn without_zeros(mut self) -> Form {
        self.0.retain(|(_, coefficient)| !coefficient.is_zero());
        self
    }

    pub(super) fn times(&self, other: &Form) -> Option<Form> {
        let mut terms = Vec::with_capacity(self.0.len() * other.0.len());
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                terms.push((product(a, b), x.times(*y)?));
            }
        }
        Form::of(terms)
    }

    /// The same form with another form in place of each variable. `None` where a call becomes one that is not among `calls`, or
    /// where the absolute value or the parity of the new form is not a product of those of variables.
    pub(super) fn substitute(&self, by: &[Form], calls: &Calls) -> Option<Form> {
        let mut sum = Vec::new();
        for (product, coefficient) in &self.0 {
            let mut value = Form::number(*coefficient);
            for atom in product {
                value = value.times(&replaced(*atom, by, calls)?)?;
            }
            sum.extend(value.0);
        }
        Form::of(sum)
    }

    /// Two factors, neither of them a number, whose product is the form; `None` where no factor is an atom, or the sum or the difference of two atoms. Of integers
    /// a product is 0 only where a factor is.
    pub(super) fn factors(&self) -> Option<(Form, Form)> {
        let mut atoms: Vec<Atom> = self.0.iter().flat_map(|(product, _)| product.iter().copied()).collect();
        atoms.sort_unstable_by(|a, b| b.cmp(a));
        atoms.dedup();
        let is_open = |quotient: &Form| quotient.0.iter().any(|(product, _)| !product.is_empty());
        for (place, &first) in atoms.iter().enumerate() {
            let with_others = atoms[place + 1..].iter().flat_map(|&other| {
                [Ratio::ONE, Ratio::ONE.negated()].map(|sign| Form(vec![(smallvec::smallvec![other], sign)]))
            });
            for root in std::iter::once(Form::default()).chain(with_others) {
                let Some(quotient) = self.divided(first, &root).filter(is_open) else { continue };
                let factor = Form::atom(first).plus(&root.scaled(Ratio::ONE.negated())?)?;
                return Some((factor, quotient));
            }
        }
        None
    }

    /// The form divided by `atom - root`, where `root` does not contain the atom; `None` where it does not divide the form. This is Horner's scheme: each coefficient of
    /// the quotient is the next coefficient of the form plus the root times the one before.
    fn divided(&self, atom: Atom, root: &Form) -> Option<Form> {
        let power = |product: &Product| product.iter().filter(|other| **other == atom).count();
        let degree = self.0.iter().map(|(product, _)| power(product)).max()?;
        let mut quotient = Form::default();
        let mut last = Form::default();
        for exponent in (0..=degree).rev() {
            let of_power =
                self.0.iter().filter(|(product, _)| power(product) == exponent).map(|(product, c)| {
                    (product.iter().copied().filter(|other| *other != atom).collect::<Product>(), *c)
                });
            last = Form::of(of_power.collect())?.plus(&last.times(root)?)?;
            if exponent > 0 {
                let raised = Product::from_elem(atom, exponent - 1);
                quotient = quotient.plus(&last.times(&Form(vec![(raised, Ratio::ONE)]))?)?;
            }
        }
        last.is_zero().then_some(quotient)
    }

    /// The value with floats, given the value of each atom.
    pub fn float(&self, value: impl Fn(Atom) -> Option<f64>) -> Option<f64> {
        let term = |(product, coefficient): &(Product, Ratio)| {
            product.iter().try_fold(coefficient.value(), |all, atom| Some(all * value(*atom)?))
        };
        self.0.iter().try_fold(0.0, |sum, part| Some(sum + term(part)?))
    }

    /// The value with integers, given the value of each atom. `None` where a coefficient is not an integer, or where the value
    /// does not fit into 128 bits.
    pub fn integer(&self, value: impl Fn(Atom) -> Option<i128>) -> Option<i128> {
        let term = |(product, coefficient): &(Product, Ratio)| {
            product.iter().try_fold(coefficient.integer()?, |all, atom| all.checked_mul(value(*atom)?))
        };
        self.0.iter().try_fold(0_i128, |sum, part| sum.checked_add(term(part)?))
    }

    /// Which variables occur, inside calls and outside of them: bit `i` is set for variable `i`.
    pub(super) fn variables(&self, calls: &Calls) -> u32 {
        let of_atom = |atom: &Atom| match atom {
            Atom::Constant(_) => 0,
            Atom::Variable(v) | Atom::Absolute(v) | Atom::Parity(v) => 1 << v,
            Atom::Call(id) => calls.get(*id).arguments.iter().fold(0, |all, a| all | a.variables(calls)),
        };
        self.0.iter().flat_map(|(product, _)| product).fold(0, |all, atom| all | of_atom(atom))
    }
}

/// The product of two products.
pub(super) fn product(a: &Product, b: &Product) -> Product {
    let mut both: Product = a.iter().chain(b).copied().collect();
    both.sort_unstable_by(|a, b| b.cmp(a));
    both
}

fn replaced(atom: Atom, by: &[Form], calls: &Calls) -> Option<Form> {
    match atom {
        Atom::Constant(_) => Some(Form::atom(atom)),
        Atom::Variable(v) => Some(by[usize::from(v)].clone()),
        Atom::Absolute(v) => absolute(&by[usize::from(v)]),
        Atom::Parity(v) => parity(&by[usize::from(v)]),
        Atom::Call(id) => {
            let call = calls.get(id);
            let arguments = call.arguments.iter().map(|argument| argument.substitute(by, calls));
            let call = Call { function: call.function, arguments: arguments.collect::<Option<_>>()? };
            calls.find(&call).map(|id| Form::atom(Atom::Call(id)))
        }
    }
}

/// The absolute value of a form that is one product of numbers, variables and constants. (The constants are positive.)
fn absolute(form: &Form) -> Option<Form> {
    let [(factors, coefficient)] = form.terms() else { return form.is_zero().then(Form::default) };
    let factor = |atom: &Atom| match atom {
        Atom::Variable(v) | Atom::Absolute(v) => Some(Atom::Absolute(*v)),
        Atom::Constant(_) => Some(*atom),
        Atom::Parity(_) | Atom::Call(_) => None,
    };
    let mut factors = factors.iter().map(factor).collect::<Option<Product>>()?;
    factors.sort_unstable_by(|a, b| b.cmp(a));
    let size = if coefficient.numerator() < 0 { coefficient.negated() } else { *coefficient };
    Some(Form(vec![(factors, size)]))
}

/// The parity of a sum of integer multiples of variables: `(-1)^(x + 3*y + 1)` is `-(-1)^x * (-1)^y`.
fn parity(form: &Form) -> Option<Form> {
    let mut sign = Ratio::ONE;
    let mut factors = Product::new();
    for (product, coefficient) in form.terms() {
        match (coefficient.integer()? % 2 == 0, &product[..]) {
            (true, _) => {}
            (false, []) => sign = sign.negated(),
            (false, [Atom::Variable(v)]) => factors.push(Atom::Parity(*v)),
            (false, _) => return None,
        }
    }
    factors.sort_unstable_by(|a, b| b.cmp(a));
    Some(Form(vec![(factors, sign)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Form {
        Form::atom(Atom::Variable(0))
    }

    fn y() -> Form {
        Form::atom(Atom::Variable(1))
    }

    #[test]
    fn sums_and_products_have_one_form() {
        let sum = x().plus(&y()).expect("a sum");
        let square = sum.times(&sum).expect("a product");
        let two = Ratio::whole(2);
        let parts = [x().times(&x()), x().times(&y()).and_then(|xy| xy.scaled(two)), y().times(&y())];
        let expanded = parts.into_iter().try_fold(Form::default(), |all, part| all.plus(&part?));
        assert_eq!(Some(square), expanded);
        assert!(sum.plus(&sum.scaled(Ratio::whole(-1)).expect("its negative")).expect("a sum").is_zero());
    }

    #[test]
    fn a_greater_call_decides_the_order_of_products() {
        let mut calls = Calls::default();
        let [small, large] =
            [x(), y()].map(|a| Atom::Call(calls.insert(Call { function: 0, arguments: vec![a] })));
        let of = |atoms: &[Atom]| {
            atoms.iter().fold(Product::new(), |all, a| product(&all, &Product::from_slice(&[*a])))
        };
        assert!(of(&[large]) > of(&[small, small, small]));
        assert!(of(&[small, large]) > of(&[large]));
        assert!(of(&[large, large]) > of(&[small, large]));
    }

    #[test]
    fn the_parity_of_a_sum_is_the_product_of_the_parities() {
        let calls = Calls::default();
        let of_x = Form::atom(Atom::Parity(0));
        let number = |n| Form::number(Ratio::whole(n));
        // (-1)^(x + 3*y + 1) is -(-1)^x * (-1)^y, and even multiples do not matter.
        let three = y().scaled(Ratio::whole(3)).and_then(|y| y.plus(&number(1))).and_then(|y| y.plus(&x()));
        let both = Product::from_slice(&[Atom::Parity(1), Atom::Parity(0)]);
        let expected = Form::of(vec![(both, Ratio::whole(-1))]);
        assert_eq!(of_x.substitute(&[three.expect("a sum"), y()], &calls), expected);
        let twice = x().scaled(Ratio::whole(2)).expect("a multiple");
        assert_eq!(of_x.substitute(&[twice, y()], &calls), Some(number(1)));
        // Of a product or a half it is no product of parities.
        assert_eq!(of_x.substitute(&[x().times(&y()).expect("a product"), y()], &calls), None);
        let half = x().scaled(Ratio::new(1, 2).expect("a half")).expect("a multiple");
        assert_eq!(of_x.substitute(&[half, y()], &calls), None);
    }

    #[test]
    fn a_product_has_its_factors() {
        let minus =
            |a: &Form, b: &Form| a.plus(&b.scaled(Ratio::whole(-1)).expect("a multiple")).expect("a sum");
        let (p, q) = (Form::atom(Atom::Absolute(0)), Form::atom(Atom::Absolute(1)));
        let product = |a: &Form, b: &Form| a.times(b).expect("a product");
        for (a, b) in [
            (minus(&p, &x()), minus(&q, &p)),
            (minus(&x(), &y()), x().plus(&y()).expect("a sum")),
            (p.clone(), minus(&q, &x())),
            (minus(&p, &q), minus(&minus(&p, &x()), &Form::number(Ratio::whole(3)))),
        ] {
            let all = product(&a, &b);
            let (first, second) = all.factors().unwrap_or_else(|| panic!("{all:?}"));
            assert_eq!(product(&first, &second), all);
            assert!(
                first == a || second == a || first.scaled(Ratio::whole(-1)) == Some(a.clone()),
                "{first:?}"
            );
        }
        let sum_of_squares = product(&x(), &x()).plus(&product(&y(), &y())).expect("a sum");
        assert_eq!(sum_of_squares.factors(), None);
        assert_eq!(minus(&x(), &y()).factors(), None, "the other factor would be a number");
    }

    #[test]
    fn variables_are_replaced_inside_calls_too() {
        let mut calls = Calls::default();
        let plain = calls.insert(Call { function: 0, arguments: vec![x()] });
        let negated = x().scaled(Ratio::whole(-1)).expect("its negative");
        let turned = calls.insert(Call { function: 0, arguments: vec![negated.clone()] });
        let law = Form::atom(Atom::Call(plain)).times(&Form::atom(Atom::Absolute(0))).expect("a product");
        let instance = law.substitute(&[negated, y()], &calls).expect("the call is there");
        let expected =
            Form::atom(Atom::Call(turned)).times(&Form::atom(Atom::Absolute(0))).expect("a product");
        assert_eq!(instance, expected, "the absolute value of a negative is that of the number");
        assert_eq!(law.substitute(&[y(), x()], &calls), None, "no call of y is there");
        assert_eq!(law.variables(&calls), 1);
    }
}
