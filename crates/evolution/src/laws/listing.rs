//! The laws that are listed, and what follows from them.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::form::{Atom, Calls, Form, Product};
use super::grammar;
use super::law::Law;
use super::rewrite::Rules;
use super::ring::{Prime, Ring};
use super::table::Table;
use crate::ratio::Ratio;

/// The most instances of a law that become rules: three variables with thirty arguments each are 27,000.
const MOST_INSTANCES: usize = 40_000;

/// The most instances of a law that only follows. Squares of cosine and sine have thirty; with more, noting took longer than all else.
const MOST_NOTED: usize = 1_000;

/// Laws that are listed. Each of them, with its variables replaced by all arguments of the grammar, says what dear products are equal to.
#[derive(Clone)]
pub struct Listing<'t> {
    calls: &'t Calls,
    returning: &'t FixedBitSet,
    instances: Vec<Form>,
    variables: usize,
    rules: Rules,
    /// Products of two calls that are simpler forms: `cos(x) * tan(x)` is `sin(x)`.
    quotients: Vec<Quotient>,
}

/// What the product of two calls is.
#[derive(Clone)]
struct Quotient {
    /// The greater call.
    call: Atom,
    /// What it is multiplied with.
    by: Atom,
    product: Form,
}

/// Whether a form is a variable, its negative or a number: instances at sums may be simpler to read than the law.
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

/// How much of what the columns obey the listed laws say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// How many independent laws the columns obey: the dimension of their null space.
    pub independent: usize,
    /// How many of these follow from the listed laws.
    pub explained: usize,
}

impl<'t> Listing<'t> {
    /// No law, over the calls of a table.
    pub fn new<R: Ring>(table: &'t Table<R>, variables: usize) -> Listing<'t> {
        let calls = &table.calls;
        let mut rules = Rules::default();
        table.facts().iter().for_each(|fact| rules.add(fact));
        for v in 0..variables as u8 {
            rules.add_square(v);
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

    /// The laws that are no instances of another law: `ln(x^2) == 2*ln(x)` is one of `ln(x*y) == ln(x) + ln(y)`. What calls at numbers are, such as
    /// `gcd(x, 1) == 1`, and that arguments may be exchanged, is known meanwhile. The listing has to be one without laws.
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
        // A dearer law that only says the same of other arguments is none of its own either.
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
                // A renaming of the variables is no special case, and laws that come first are cheaper.
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

    /// The form times what its calls are quotients by: where it is zero, the form is zero wherever these are not. `None` where it has no quotients.
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

    /// Whether a law follows from those that are listed; if it is one of calls at variables alone, it is remembered with all its instances. What it says of
    /// other arguments need not follow by instances of the laws that are listed.
    pub fn follows_and_is_noted(&mut self, law: &Law) -> bool {
        let follows = self.follows(law);
        // Of laws that differ in the names of the variables, the first.
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

    /// Visits what a law says of all these arguments, as far as its calls are known to return there.
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
        // One by one, for calls that do not return may cancel each other: `ln(2*x) == ln(x) + ln(2)` says nothing of 0.
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

    /// Makes a rule of a form that is zero, if that does not follow yet.
    fn add_form(&mut self, form: &Form) {
        if let Some(rest) = self.rules.normal(form, self.calls) {
            self.rules.add(&rest);
        }
    }

    /// Remembers what the product of two calls is, where that is one product.
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

    /// The products of a table that are not what the listed laws say: none, if the laws hold on its rows.
    pub fn contradictions<R: Ring>(&self, table: &Table<R>) -> Vec<Form> {
        let of = |product: &Product| {
            let form = Form::of(vec![(product.clone(), Ratio::ONE)])?;
            let normal = self.rules.normal(&form, self.calls)?;
            let zero = form.plus(&normal.scaled(Ratio::whole(-1))?)?;
            (!table.is_zero(&zero)).then_some(zero)
        };
        table.products.iter().filter_map(of).collect()
    }

    /// How much of what the columns of a table obey follows from the listed laws: two products are the same for them if their normal forms are.
    pub fn explained<R: Ring>(&self, table: &Table<R>) -> Explained {
        let normal = |product: &Product| {
            let form = Form::of(vec![(product.clone(), Ratio::ONE)]).unwrap_or_default();
            self.rules.normal(&form, self.calls).unwrap_or(form)
        };
        let forms: Vec<Form> = table.products.iter().map(normal).collect();
        // A product that no rule rewrites is independent of all others that are not rewritten; what is left of a form beside such products decides.
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
