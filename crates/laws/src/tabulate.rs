//! Makes the columns of products out of recorded executions, and finds the laws that they obey.
//!
//! Functions at special arguments count only if they are simple sums of others. Columns of smooth functions are nearly dependent, and
//! products of such calls would make the rank doubtful.

use fixedbitset::FixedBitSet;

use super::cost;
use super::form::{Atom, CallId, Calls, Form, Product, product};
use super::grammar;
use super::ring::Ring;
use super::sparse::{self, Limits};
use super::table::{Recorded, Table};
use super::tuning::{LEAST_SHARE, MOST_ROWS};
use super::vocabulary::{Numbers, Vocabulary};
use crate::ratio::Ratio;

impl<R: Ring> Table<R> {
    /// The columns of recorded executions, and the laws that they obey.
    pub fn new(
        ring: R,
        vocabulary: &Vocabulary,
        calls: Calls,
        recorded: &Recorded<R::Input>,
        limits: Limits,
    ) -> Table<R> {
        let (rows, mut kept) = shared_rows(&ring, recorded);
        let mut table = Table {
            ring,
            constants: vocabulary.constants.clone(),
            products: Vec::new(),
            columns: Vec::new(),
            returning: kept.clone(),
            calls,
            facts: Vec::new(),
            candidates: Vec::new(),
            rank: 0,
        };
        if rows.is_empty() {
            return table;
        }
        table.take_facts(&mut kept, recorded, &rows);
        if R::SPECIAL_CALLS_ARE_SUMS {
            table.fill(vocabulary, recorded, &rows, &kept, limits);
            let used = sparse::sums_of_others(&mut table);
            table.calls.iter().filter(|(_, call)| grammar::is_special(call)).for_each(|(id, _)| {
                kept.set(id.index(), kept.contains(id.index()) && used.contains(&id));
            });
        }
        table.fill(vocabulary, recorded, &rows, &kept, Limits { degree: 1, ..limits });
        let plain = sparse::multiples_of_plain(&mut table);
        let is_factor = |product: &Product| {
            product.len() < 2
                || !product.iter().any(|atom| matches!(atom, Atom::Call(id) if plain.contains(id)))
        };
        table.fill(vocabulary, recorded, &rows, &kept, limits);
        let (products, columns) = (std::mem::take(&mut table.products), std::mem::take(&mut table.columns));
        (table.products, table.columns) =
            products.into_iter().zip(columns).filter(|(product, _)| is_factor(product)).unzip();
        let found = sparse::search(&mut table, limits);
        table.candidates = found.laws;
        let independent: Vec<&[R::Element]> =
            found.representatives.iter().map(|&column| table.columns[column].as_slice()).collect();
        table.rank = table.ring.rank(&independent);
        table
    }

    /// Makes the columns of all products of the calls that are kept.
    fn fill(
        &mut self,
        vocabulary: &Vocabulary,
        recorded: &Recorded<R::Input>,
        rows: &[usize],
        kept: &FixedBitSet,
        limits: Limits,
    ) {
        // Where the calls return: a function may refuse negative numbers.
        let is_negative =
            |variable: &Vec<R::Input>| rows.iter().any(|&row| self.ring.is_negative(variable[row]));
        let negative: Vec<bool> = recorded.variables.iter().map(is_negative).collect();
        self.products = products(vocabulary, &self.calls, kept, &negative, limits);
        self.columns = self.products.iter().map(|product| self.column(product, recorded, rows)).collect();
    }

    /// Turns results of calls with constant arguments into facts. They are not columns.
    fn take_facts(&mut self, kept: &mut FixedBitSet, recorded: &Recorded<R::Input>, rows: &[usize]) {
        let constant: Vec<CallId> = self
            .calls
            .iter()
            .filter(|(_, call)| call.arguments.iter().all(|a| a.variables(&self.calls) == 0))
            .map(|(id, _)| id)
            .collect();
        for id in constant {
            let output = rows.first().and_then(|&row| recorded.calls[id.index()][row]);
            let output =
                output.filter(|_| kept.contains(id.index())).and_then(|output| self.ring.element(output));
            kept.set(id.index(), false);
            if let Some((constants, factor)) = output.and_then(|output| sparse::known_or_new(self, output)) {
                let call = (Product::from_slice(&[Atom::Call(id)]), Ratio::ONE);
                self.facts.extend(Form::of(vec![call, (constants, factor.negated())]));
            }
        }
    }

    /// The values of a product.
    fn column(&self, product: &Product, recorded: &Recorded<R::Input>, rows: &[usize]) -> Vec<R::Element> {
        let one = self.ring.fraction(Ratio::ONE);
        let value = |row: usize| {
            product.iter().try_fold(one?, |value, atom| {
                let factor = match atom {
                    Atom::Constant(constant) => {
                        self.ring.constant(self.constants[usize::from(*constant)].value)
                    }
                    Atom::Variable(v) => self.ring.element(recorded.variables[usize::from(*v)][row]),
                    Atom::Absolute(v) => self.ring.absolute(recorded.variables[usize::from(*v)][row]),
                    Atom::Parity(v) => self.ring.parity(recorded.variables[usize::from(*v)][row]),
                    Atom::Call(id) => {
                        recorded.calls[id.index()][row].and_then(|output| self.ring.element(output))
                    }
                };
                Some(self.ring.times(value, factor?))
            })
        };
        rows.iter().filter_map(|&row| value(row)).collect()
    }
}

/// The rows on which many calls return, and these calls.
fn shared_rows<R: Ring>(ring: &R, recorded: &Recorded<R::Input>) -> (Vec<usize>, FixedBitSet) {
    let count = recorded.variables.first().map_or(0, Vec::len);
    let defined = |column: &Vec<Option<R::Input>>| -> FixedBitSet {
        let is_defined = |row: &usize| column[*row].is_some_and(|output| ring.element(output).is_some());
        let mut rows = FixedBitSet::with_capacity(count);
        (0..count).filter(is_defined).for_each(|row| rows.insert(row));
        rows
    };
    let defined: Vec<FixedBitSet> = recorded.calls.iter().map(defined).collect();
    let mut order: Vec<usize> = (0..defined.len()).collect();
    order.sort_by_key(|&call| std::cmp::Reverse(defined[call].count_ones(..)));
    let mut rows = FixedBitSet::with_capacity(count);
    let is_number = |row: &usize| recorded.variables.iter().all(|x| ring.element(x[*row]).is_some());
    (0..count).filter(is_number).for_each(|row| rows.insert(row));
    let mut kept = FixedBitSet::with_capacity(defined.len());
    for call in order {
        if rows.intersection_count(&defined[call]) * LEAST_SHARE >= count {
            rows.intersect_with(&defined[call]);
            kept.insert(call);
        }
    }
    (rows.ones().take(MOST_ROWS).collect(), kept)
}

/// Whether the parity of variables is among the columns: for sequences of integers, which alternate around other sequences in
/// Cassini's identity. Laws of textbooks of functions with more parameters have none.
fn has_parities(vocabulary: &Vocabulary) -> bool {
    vocabulary.numbers == Numbers::Integers
        && vocabulary.functions.iter().all(|function| function.parameters.len() == 1)
}

/// The products of calls that are kept and of variables, with up to `limits.degree` factors: the cheapest `limits.products` of
/// them.
fn products(
    vocabulary: &Vocabulary,
    calls: &Calls,
    kept: &FixedBitSet,
    negative: &[bool],
    limits: Limits,
) -> Vec<Product> {
    let of_calls = calls.iter().filter(|(id, call)| {
        kept.contains(id.index()) && grammar::inner(call).all(|inner| kept.contains(inner.index()))
    });
    let calls_kept = of_calls.map(|(id, _)| Atom::Call(id));
    // The absolute value of a variable that is never negative is the variable.
    let variables = (0..vocabulary.variables.len() as u8)
        .flat_map(|v| [Atom::Variable(v), Atom::Absolute(v), Atom::Parity(v)])
        .filter(|atom| match atom {
            Atom::Absolute(v) => negative[usize::from(*v)],
            Atom::Parity(v) => has_parities(vocabulary) && !negative[usize::from(*v)],
            _ => true,
        });
    let is_square = |product: &Product| match product[..] {
        [Atom::Absolute(a), Atom::Absolute(b)] | [Atom::Parity(a), Atom::Parity(b)] => a == b,
        _ => false,
    };
    let atoms: Vec<Atom> = variables.chain(calls_kept).collect();
    let single: Vec<Product> = atoms.iter().map(|atom| Product::from_slice(&[*atom])).collect();
    let mut all = vec![Product::new()];
    all.extend(single.clone());
    let mut last = single.clone();
    for _ in 1..limits.degree {
        let longer = |shorter: &Product| {
            let greatest = shorter[0];
            let factors = atoms.iter().filter(move |atom| **atom >= greatest);
            let longer = factors.map(|atom| product(shorter, &Product::from_slice(&[*atom])));
            longer.filter(|product| !is_square(product)).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
    }
    let cost = |product: &Product| cost::of_term(product, Ratio::ONE, calls);
    all.sort_by_cached_key(|product| (product.len() > 1, cost(product), product.clone()));
    all.truncate(limits.products);
    // If columns are multiples of each other, the first of them stands for all. It should be the cheapest.
    all.sort_by_cached_key(|product| (!product.is_empty(), cost(product), product.clone()));
    all
}
