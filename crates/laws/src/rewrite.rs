//! Rewrites products of calls to cheaper ones by the laws that are listed.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::form::{Atom, Call, CallId, Calls, Form, Product};
use super::grammar;
use super::tuning::{LONGEST, MOST_STEPS, MOST_TERMS};
use crate::ratio::Ratio;

/// Rules: what a product is equal to.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    /// The right side of a rule has only products that are smaller than its left side, so that rewriting ends.
    rules: FxHashMap<Product, Form>,
    /// The most factors on a left side.
    longest: usize,
}

impl Rules {
    /// How many rules there are.
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// Makes a rule of a form that is zero: its greatest product is equal to the negative of the rest. The form 0 makes no
    /// rule.
    pub(super) fn add(&mut self, form: &Form) {
        let Some((greatest, coefficient)) = form.terms().first() else { return };
        // Without a call, the form would say that an expression of variables is zero for all numbers.
        if greatest.is_empty() {
            return;
        }
        let rest = Form::of(form.terms()[1..].to_vec());
        let factor = coefficient.inverse().map(Ratio::negated);
        if let Some(rest) = rest.and_then(|rest| rest.scaled(factor?)) {
            self.longest = self.longest.max(greatest.len());
            self.rules.insert(greatest.clone(), rest);
        }
    }

    /// The rule that the square of a constant is an integer: of the square root of 2 it is 2.
    pub(super) fn add_square_of_constant(&mut self, constant: u8, square: i128) {
        let constant = Atom::Constant(constant);
        self.longest = self.longest.max(2);
        self.rules.insert(smallvec::smallvec![constant, constant], Form::number(Ratio::whole(square)));
    }

    /// The rule that the square of an absolute value is the square.
    pub(super) fn add_square(&mut self, variable: u8) {
        let (absolute, square) = (Atom::Absolute(variable), Form::atom(Atom::Variable(variable)));
        self.longest = self.longest.max(2);
        self.rules
            .extend(square.times(&square).map(|square| (smallvec::smallvec![absolute, absolute], square)));
    }

    /// The rule that the square of a parity is 1.
    pub(super) fn add_square_of_parity(&mut self, variable: u8) {
        let parity = Atom::Parity(variable);
        self.longest = self.longest.max(2);
        self.rules.insert(smallvec::smallvec![parity, parity], Form::number(Ratio::ONE));
    }

    /// The form rewritten until no rule applies. `None` where that takes too many steps, or where a coefficient does not fit
    /// into 128 bits.
    pub(super) fn normal(&self, form: &Form, calls: &Calls) -> Option<Form> {
        let mut open: Vec<(Product, Ratio)> = form.terms().to_vec();
        let mut done: Vec<(Product, Ratio)> = Vec::new();
        let mut steps = 0;
        while let Some((product, coefficient)) = open.pop() {
            let Some(equal) = self.step(&product, calls) else {
                done.push((product, coefficient));
                continue;
            };
            steps += 1;
            if steps > MOST_STEPS {
                return None;
            }
            open.extend(equal.scaled(coefficient)?.terms().iter().cloned());
            if open.len() > MOST_TERMS {
                open = Form::of(open)?.terms().to_vec();
                if open.len() > MOST_TERMS {
                    return None;
                }
            }
        }
        Form::of(done)
    }

    /// What a product is equal to by one rule; `None` where none applies.
    fn step(&self, product: &Product, calls: &Calls) -> Option<Form> {
        for place in 0..product.len() {
            if let Some(equal) = self.rules.get(&product[place..=place]) {
                return without(product, &[place]).times(equal);
            }
            if let Some(cheaper) = self.cheaper_arguments(product[place], calls) {
                return without(product, &[place]).times(&Form::atom(Atom::Call(cheaper)));
            }
        }
        self.longer(product, 0, &mut SmallVec::new())
    }

    /// What a product is equal to by a rule for two or three of its factors: the factors at `places`, and further ones from
    /// place `from` on.
    fn longer(&self, product: &Product, from: usize, places: &mut SmallVec<[usize; 4]>) -> Option<Form> {
        if places.len() >= 2 {
            let part: Product = places.iter().map(|&place| product[place]).collect();
            if let Some(equal) = self.rules.get(&part) {
                return without(product, places).times(equal);
            }
        }
        if places.len() >= self.longest.min(LONGEST) {
            return None;
        }
        for place in from..product.len() {
            places.push(place);
            let found = self.longer(product, place + 1, places);
            places.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Replaces each rule whose left side another rule rewrites. What is left of it is a rule for a cheaper product.
    fn reduce(&mut self, calls: &Calls) {
        let mut lefts: Vec<Product> = self.rules.keys().filter(|left| left.len() >= 2).cloned().collect();
        lefts.sort_unstable();
        for left in lefts {
            let Some(right) = self.rules.remove(&left) else { continue };
            let is_reducible = self.step(&left, calls).is_some();
            let zero = right
                .scaled(Ratio::whole(-1))
                .and_then(|right| right.plus(&Form::of(vec![(left.clone(), Ratio::ONE)])?));
            match zero.and_then(|zero| self.normal(&zero, calls)) {
                Some(zero) if is_reducible => self.add(&zero),
                _ => {
                    self.rules.insert(left, right);
                }
            }
        }
    }

    /// Makes further rules: where two rules have a common factor on the left, the product of both can be rewritten in two ways,
    /// and the results are equal. From `tan * cos -> sin` and `cos^2 -> 1 - sin^2` follows `tan * sin^2 -> tan - sin * cos`.
    /// Only rules for two factors are combined, so that this ends.
    pub(super) fn complete(&mut self, calls: &Calls) {
        self.reduce(calls);
        let mut pairs: Vec<Product> = self.rules.keys().filter(|left| left.len() == 2).cloned().collect();
        pairs.sort_unstable();
        for (place, a) in pairs.iter().enumerate() {
            for b in &pairs[..place] {
                let Some(common) = a.iter().find(|atom| b.contains(atom)) else { continue };
                let rest =
                    |of: &Product| without(of, &[of.iter().position(|atom| atom == common).unwrap_or(0)]);
                let (Some(of_a), Some(of_b)) = (self.rules.get(a), self.rules.get(b)) else { continue };
                let sides =
                    (of_a.times(&rest(b)), of_b.times(&rest(a)).and_then(|b| b.scaled(Ratio::whole(-1))));
                let (Some(left), Some(right)) = sides else { continue };
                let normal = left.plus(&right).and_then(|difference| self.normal(&difference, calls));
                if let Some(difference) =
                    normal.filter(|d| d.terms().first().is_some_and(|(p, _)| p.len() <= LONGEST))
                {
                    self.add(&difference);
                }
            }
        }
    }

    /// The call with its arguments rewritten, where that is a cheaper call.
    fn cheaper_arguments(&self, atom: Atom, calls: &Calls) -> Option<CallId> {
        let Atom::Call(id) = atom else { return None };
        let call = calls.get(id);
        grammar::inner(call).next()?;
        let arguments = call.arguments.iter().map(|argument| self.normal(argument, calls));
        let cheaper = Call { function: call.function, arguments: arguments.collect::<Option<_>>()? };
        calls.find(&cheaper).filter(|found| *found < id)
    }
}

/// A product without the factors at some places.
fn without(product: &Product, places: &[usize]) -> Form {
    let rest = product.iter().enumerate().filter(|(place, _)| !places.contains(place)).map(|(_, atom)| *atom);
    Form::of(vec![(rest.collect(), Ratio::ONE)]).unwrap_or_default()
}
