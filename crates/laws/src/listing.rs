//! The laws that are listed, and which other laws follow from them.
//!
//! Whether a law follows is decided by rewriting. Each listed law, at all arguments of the grammar, rewrites expensive products to
//! cheaper ones, with critical pairs of two factors. The alternative, to test whether the instances span the law, leaves three times as
//! many laws, because consequences pass through higher degrees.
//!
//! A rule is made only if all calls of the instance return: calls that do not return may cancel each other in it. If a law says that a
//! call is a quotient (`cos * tan == sin`), the denominator is multiplied out first.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::form::{Atom, Calls, Form, Product};
use super::grammar;
use super::law::Law;
use super::rewrite::Rules;
use super::ring::{Prime, Ring};
use super::table::Table;
use super::tuning::{MOST_INSTANCES, MOST_NOTED};
use crate::ratio::Ratio;

/// The laws that are listed. In each law the variables are replaced by all arguments of the grammar, and each instance is a
/// rule that rewrites an expensive product to cheaper ones.
#[derive(Clone)]
pub struct Listing<'t> {
    calls: &'t Calls,
    returning: &'t FixedBitSet,
    instances: Vec<Form>,
    variables: usize,
    rules: Rules,
    /// Products of two calls that are equal to a simpler form: `cos(x) * tan(x)` is `sin(x)`.
    quotients: Vec<Quotient>,
}

/// What the product of two calls is equal to.
#[derive(Clone)]
struct Quotient {
    /// The greater of the two calls.
    call: Atom,
    /// The other call.
    by: Atom,
    product: Form,
}

/// Whether a form is a variable, its negative or a number. Only these replace variables when special cases are looked for: at a
/// sum, an instance may be simpler to read than the law.
fn is_renaming(form: &Form) -> bool {
    match form.terms() {
        [] => true,
        [(product, coefficient)] => {
            let is_sign = coefficient.numerator().abs() == 1 && coefficient.denominator() == 1;
            product.is_empty() || product.len() == 1 && is_sign
        }
        _ => false,
    }
}

/// How many of the laws that the columns obey follow from the listed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// How many independent laws the columns obey: the dimension of their null space.
    pub independent: usize,
    /// How many of these follow from the listed laws.
    pub explained: usize,
}

impl<'t> Listing<'t> {
    /// A listing without laws, over the calls of a table.
    pub fn new<R: Ring>(table: &'t Table<R>, variables: usize) -> Listing<'t> {
        let calls = &table.calls;
        let mut rules = Rules::default();
        table.facts().iter().for_each(|fact| rules.add(fact));
        for v in 0..variables as u8 {
            rules.add_square(v);
            rules.add_square_of_parity(v);
        }
        for (number, constant) in table.constants.iter().enumerate() {
            let square = constant.value * constant.value;
            let is_root = constant.name.starts_with("sqrt");
            if let (true, Ok(number)) = (is_root, u8::try_from(number)) {
                rules.add_square_of_constant(number, square.round() as i128);
            }
        }
        let instances = grammar::instances(calls);
        Listing { calls, returning: &table.returning, instances, variables, rules, quotients: Vec::new() }
    }

    /// The laws that are not special cases of another law: `ln(x^2) == 2*ln(x)` is a special case of
    /// `ln(x*y) == ln(x) + ln(y)`. Laws that say what one call is, such as `gcd(x, 1) == 1`, and laws of symmetry count as
    /// known when two laws are compared. Call this on a listing that has no laws yet.
    pub fn without_special_cases<'l>(&self, laws: &[&'l Law]) -> Vec<&'l Law> {
        let mut known = self.clone();
        let is_known = |law: &&&Law| law.has_one_call() || law.is_symmetry(self.calls);
        laws.iter().filter(is_known).for_each(|law| known.add(law));
        let known_form = |law: &&Law| {
            let normal = if is_known(&law) {
                Some(law.form.clone())
            } else {
                known.rules.normal(&law.form, self.calls)
            };
            Law::new(normal?.terms().to_vec(), self.calls)
        };
        let forms: Vec<Option<Law>> = laws.iter().map(known_form).collect();
        let mut is_special = vec![false; laws.len()];
        let renamings: Vec<Form> = self.instances.iter().filter(|form| is_renaming(form)).cloned().collect();
        // A more expensive law that is an instance of a cheaper one is a special case of it too.
        for (number, law) in laws.iter().enumerate() {
            self.each_instance(law, &self.instances, &mut |instance| {
                let instance = Law::new(instance.terms().to_vec(), self.calls);
                for (dearer, other) in laws.iter().enumerate().skip(number + 1) {
                    is_special[dearer] |= instance.as_ref() == Some(*other);
                }
            });
        }
        for (number, law) in laws.iter().enumerate() {
            if is_special[number] {
                continue;
            }
            self.each_instance(law, &renamings, &mut |instance| {
                let normal =
                    if is_known(&law) { Some(instance) } else { known.rules.normal(&instance, self.calls) };
                let instance = normal.and_then(|normal| Law::new(normal.terms().to_vec(), self.calls));
                // Only laws that come earlier can be special cases here: a law that comes later and is an instance of this one
                // only has other names for the variables.
                for other in 0..number {
                    is_special[other] |= instance.is_some() && instance == forms[other];
                }
            });
        }
        laws.iter().zip(is_special).filter(|(_, special)| !special).map(|(law, _)| *law).collect()
    }

    /// Whether a law follows from those that are listed.
    pub fn follows(&self, law: &Law) -> bool {
        let is_zero = |form: &Form| self.rules.normal(form, self.calls).is_some_and(|rest| rest.is_zero());
        is_zero(&law.form) || self.without_quotients(&law.form).is_some_and(|form| is_zero(&form))
    }

    /// The form without calls that are quotients. From the law `cos(x) * tan(x) == sin(x)`, `tan(x)` is a quotient: the form is
    /// multiplied by `cos(x)` and `cos(x) * tan(x)` is replaced by `sin(x)`. Where the result is zero, the form is zero
    /// wherever `cos(x)` is not. `None` where the form has no quotients.
    fn without_quotients(&self, form: &Form) -> Option<Form> {
        let mut form = form.clone();
        let mut is_changed = false;
        for Quotient { call, by, product } in self.quotients.iter().rev() {
            let power = |product: &Product| product.iter().filter(|atom| *atom == call).count();
            let most = form.terms().iter().map(|(product, _)| power(product)).max().unwrap_or(0);
            if most == 0 {
                continue;
            }
            let mut sum = Form::default();
            for (factors, coefficient) in form.terms() {
                let rest: Product = factors.iter().filter(|atom| *atom != call).copied().collect();
                let mut term = Form::of(vec![(rest, *coefficient)])?;
                for turn in 0..most {
                    let factor = if turn < power(factors) { product.clone() } else { Form::atom(*by) };
                    term = term.times(&factor)?;
                }
                sum = sum.plus(&term)?;
            }
            form = sum;
            is_changed = true;
        }
        is_changed.then_some(form)
    }

    /// Whether a law follows from those that are listed. A law that follows and has only variables as arguments is remembered
    /// with all its instances, because an instance at other arguments need not follow from the instances of the listed laws.
    pub fn follows_and_is_noted(&mut self, law: &Law) -> bool {
        let follows = self.follows(law);
        // If two laws differ only in the names of their variables, the first is kept.
        let used = law.form.variables(self.calls);
        let is_first = (used + 1).is_power_of_two();
        let is_small = self.instances.len().pow(used.count_ones()) <= MOST_NOTED;
        if follows && law.is_plain(self.calls) && is_first && is_small && !law.has_one_call() {
            self.add(law);
        }
        follows
    }

    /// Lists a law.
    pub fn add(&mut self, law: &Law) {
        self.add_form(&law.form);
        let mut instances = Vec::new();
        self.each_instance(law, &self.instances, &mut |instance| instances.push(instance));
        for instance in instances {
            self.add_quotient(&instance);
            self.add_form(&instance);
        }
        self.rules.complete(self.calls);
    }

    /// Visits the instances of a law at all combinations of these arguments, leaving out those with a call that is not known to
    /// return there.
    fn each_instance(&self, law: &Law, arguments: &[Form], visit: &mut dyn FnMut(Form)) {
        let used = law.form.variables(self.calls);
        let mut by: Vec<Form> = (0..self.variables as u8).map(|v| Form::atom(Atom::Variable(v))).collect();
        let used: Vec<usize> = (0..self.variables).filter(|v| used >> v & 1 == 1).collect();
        let count = arguments.len().pow(used.len() as u32).min(MOST_INSTANCES);
        let mut calls: Vec<Atom> =
            law.form.terms().iter().flat_map(|(product, _)| product).copied().collect();
        calls.retain(|atom| matches!(atom, Atom::Call(_)));
        calls.sort_unstable();
        calls.dedup();
        // Each call is looked at by itself, because two calls that do not return may cancel each other: in
        // `ln(2*x) == ln(x) + ln(2)` they do at 0, where the law says nothing.
        let returns = |by: &[Form]| {
            calls.iter().all(|call| {
                match Form::atom(*call).substitute(by, self.calls).and_then(|form| form.as_atom()) {
                    Some(Atom::Call(id)) => self.returning.contains(id.index()),
                    _ => false,
                }
            })
        };
        for number in 0..count {
            let mut rest = number;
            for &variable in &used {
                by[variable] = arguments[rest % arguments.len()].clone();
                rest /= arguments.len();
            }
            if returns(&by) {
                law.form.substitute(&by, self.calls).into_iter().for_each(&mut *visit);
            }
        }
    }

    /// Makes a rule of a form that is zero, unless that follows already.
    fn add_form(&mut self, form: &Form) {
        if let Some(rest) = self.rules.normal(form, self.calls) {
            self.rules.add(&rest);
        }
    }

    /// Remembers a law that says what a product of two calls is, if it is equal to one other product.
    fn add_quotient(&mut self, form: &Form) {
        let [(greatest, coefficient), rest] = form.terms() else { return };
        let rest = std::slice::from_ref(rest);
        let [call @ Atom::Call(_), by @ Atom::Call(_)] = greatest[..] else { return };
        let is_free = rest.iter().all(|(product, _)| !product.contains(&call) && !product.contains(&by));
        let product = Form::of(rest.to_vec()).zip(coefficient.inverse().map(Ratio::negated));
        if let (true, true, Some(product)) =
            (call != by, is_free, product.and_then(|(rest, factor)| rest.scaled(factor)))
        {
            self.quotients.push(Quotient { call, by, product });
        }
    }

    /// How many rules the listed laws make.
    pub fn rules(&self) -> usize {
        self.rules.len()
    }

    /// The products of a table whose columns differ from their normal forms under the listed laws. There are none if the laws
    /// hold on the table's rows.
    pub fn contradictions<R: Ring>(&self, table: &Table<R>) -> Vec<Form> {
        let of = |product: &Product| {
            let form = Form::of(vec![(product.clone(), Ratio::ONE)])?;
            let normal = self.rules.normal(&form, self.calls)?;
            let zero = form.plus(&normal.scaled(Ratio::whole(-1))?)?;
            (!table.is_zero(&zero)).then_some(zero)
        };
        table.products.iter().filter_map(of).collect()
    }

    /// How many of the laws that the columns of a table obey follow from the listed laws. The listed laws say that two products
    /// are equal if their normal forms are.
    pub fn explained<R: Ring>(&self, table: &Table<R>) -> Explained {
        let normal = |product: &Product| {
            let form = Form::of(vec![(product.clone(), Ratio::ONE)]).unwrap_or_default();
            self.rules.normal(&form, self.calls).unwrap_or(form)
        };
        let forms: Vec<Form> = table.products.iter().map(normal).collect();
        // A product without a rule counts as independent. For the other products, the rank is that of what their normal forms
        // have besides such products.
        let is_own =
            |(product, form): (&Product, &Form)| matches!(form.terms(), [(only, _)] if only == product);
        let own: Vec<bool> = table.products.iter().zip(&forms).map(is_own).collect();
        let kept: FxHashMap<&Product, ()> = table
            .products
            .iter()
            .zip(&own)
            .filter(|(_, own)| **own)
            .map(|(product, _)| (product, ()))
            .collect();
        let mut places: FxHashMap<&Product, usize> = FxHashMap::default();
        let mut rest = Vec::new();
        for form in forms.iter().zip(&own).filter(|(_, own)| !**own).map(|(form, _)| form) {
            let mut row = Vec::new();
            for (product, coefficient) in
                form.terms().iter().filter(|(product, _)| !kept.contains_key(product))
            {
                let next = places.len();
                row.push((*places.entry(product).or_insert(next), Prime.fraction(*coefficient).unwrap_or(0)));
            }
            if !row.is_empty() {
                rest.push(row);
            }
        }
        let dense = rest.into_iter().map(|row| {
            let mut values = vec![0; places.len()];
            row.into_iter().for_each(|(place, value)| values[place] = value);
            values
        });
        let dense: Vec<Vec<u64>> = dense.collect();
        let independent_forms = kept.len() + Prime.rank(&dense.iter().map(Vec::as_slice).collect::<Vec<_>>());
        Explained {
            independent: table.products.len() - table.rank(),
            explained: table.products.len() - independent_forms.min(table.products.len()),
        }
    }
}
