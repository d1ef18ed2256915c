//! Laws of few terms. Columns that are multiples of each other are found by their direction. Laws of three and four terms are
//! found by weighted sums: each column is reduced to one number, and a law is where two sums of these numbers are equal.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use rustc_hash::FxHashSet;

use super::cost;
use super::form::{Atom, CallId, Product};
use super::grammar;
use super::law::Law;
use super::ring::{Quotient, Ring};
use super::table::Table;
use super::tuning::{FACTORS, MOST_MEETING};
use super::vocabulary::Constant;
use crate::ratio::Ratio;

/// Bounds on the search for laws.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most factors of a product of calls.
    pub degree: usize,
    /// The most products. The time grows with the square of those that are no multiples of others.
    pub products: usize,
    /// The most products of which all pairs are formed; the cheapest ones are taken.
    pub paired: usize,
}

impl Default for Limits {
    /// Degree 2 suffices for the laws of textbooks: sin, cos and tan at 16 arguments have 1,200 products. The pairs of 400
    /// columns have 480,000 sums, which are sorted in a tenth of a second.
    fn default() -> Limits {
        Limits { degree: 2, products: 1_500, paired: 400 }
    }
}

/// The laws that were found.
pub(super) struct FewTermLaws {
    pub(super) laws: Vec<Law>,
    /// A column of each group of columns that are multiples of each other.
    pub(super) representatives: Vec<usize>,
}

/// Finds the laws of up to four terms that the columns of a table obey.
pub(super) fn search<R: Ring>(table: &mut Table<R>, limits: Limits) -> FewTermLaws {
    let mut laws = FxHashSet::default();
    let sums = Sums::new(table, 0);
    let other = Sums::new(table, 1);
    let representatives = multiples(table, &sums, &other, &mut laws);
    shifted_multiples(table, [&sums, &other], &representatives, &mut laws);
    let mut paired = representatives.clone();
    paired.sort_by_cached_key(|&column| cost::of_term(&table.products[column], Ratio::ONE, &table.calls));
    paired.truncate(limits.paired);
    pairs(table, &sums, &paired, &mut laws);
    let mut laws: Vec<Law> = laws.into_iter().collect();
    laws.sort_by_cached_key(|law| {
        // A function that is symmetric has every law twice. If the law of symmetry comes first, the second of the two follows
        // from the first.
        (
            !law.is_symmetry(&table.calls),
            law.cost,
            law.form.terms().len(),
            law.disorder(&table.calls),
            law.form.clone(),
        )
    });
    FewTermLaws { laws, representatives }
}

/// The calls at special arguments, such as `f(x + pi)`, of which a law says what each is alone: a multiple of a product of
/// other calls, or a sum of two calls.
pub(super) fn sums_of_others<R: Ring>(table: &mut Table<R>) -> FxHashSet<CallId> {
    let named = table.constants.len();
    let mut laws = FxHashSet::default();
    let sums = [0, 1].map(|stream| Sums::new(table, stream));
    let mut single = multiples(table, &sums[0], &sums[1], &mut laws);
    single.retain(|column| table.products[*column].len() < 2);
    shifted_multiples(table, [&sums[0], &sums[1]], &single, &mut laws);
    pairs(table, &sums[0], &single, &mut laws);
    let is_special = |product: &Product| {
        product.iter().any(|atom| matches!(atom, Atom::Call(id) if grammar::is_special(table.calls.get(*id))))
    };
    let has_number = |law: &Law| {
        let mut atoms = law.form.terms().iter().flat_map(|(product, _)| product);
        atoms.any(|atom| matches!(atom, Atom::Constant(number) if usize::from(*number) >= named))
    };
    let of_law = |law: &Law| {
        if has_number(law) {
            return None;
        }
        let mut special =
            law.form.terms().iter().map(|(product, _)| product).filter(|product| is_special(product));
        match (special.next().map(|product| &product[..]), special.next()) {
            (Some([Atom::Call(id)]), None) => Some(*id),
            _ => None,
        }
    };
    let found = laws.iter().filter_map(of_law).collect();
    table.constants.truncate(named);
    found
}

/// The calls that are multiples of a product without calls, such as `gcd(x, x)`, which is `x`. They are not used as factors,
/// because the product with `x` is there already.
pub(super) fn multiples_of_plain<R: Ring>(table: &mut Table<R>) -> FxHashSet<CallId> {
    let named = table.constants.len();
    let mut laws = FxHashSet::default();
    let sums = [0, 1].map(|stream| Sums::new(table, stream));
    multiples(table, &sums[0], &sums[1], &mut laws);
    table.constants.truncate(named);
    let of_law = |law: &Law| match law.form.terms().first().map(|(product, _)| &product[..]) {
        Some([Atom::Call(id)]) if law.has_one_call() => Some(*id),
        _ => None,
    };
    laws.iter().filter_map(of_law).collect()
}

/// A number as a fraction times a known constant (pi/2). A number that is not of this form becomes a new constant.
pub(super) fn known_or_new<R: Ring>(table: &mut Table<R>, value: R::Element) -> Option<(Product, Ratio)> {
    let (zero, one) = (table.ring.fraction(Ratio::ZERO)?, table.ring.fraction(Ratio::ONE)?);
    if table.ring.is_near(value, zero, 1.0) {
        return Some((Product::new(), Ratio::ZERO));
    }
    let quotient = table.ring.quotient(value, one)?;
    coefficient(table, quotient)
}

/// A weighted sum of the rows of each column, with the same weights for each. If columns add up to zero, so do their weighted
/// sums.
struct Sums<R: Ring> {
    values: Vec<R::Element>,
    /// The sum of the weights.
    total: R::Element,
    /// A bound on the rounding error of each sum, as a multiple of the tolerance.
    magnitudes: Vec<f64>,
}

impl<R: Ring> Sums<R> {
    fn new(table: &Table<R>, stream: u64) -> Sums<R> {
        let weights = weights(table, stream);
        let ring = &table.ring;
        let zero = ring.fraction(Ratio::ZERO).unwrap_or_else(|| unreachable!("every ring has a zero"));
        let sum = |column: &Vec<R::Element>| {
            column.iter().zip(&weights).fold((zero, 0.0), |(sum, magnitude), (value, weight)| {
                let part = ring.times(*value, *weight);
                (ring.plus(sum, part), magnitude + ring.magnitude(part))
            })
        };
        let (values, magnitudes) = table.columns.iter().map(sum).unzip();
        let total = weights.iter().fold(zero, |all, weight| ring.plus(all, *weight));
        Sums { values, total, magnitudes }
    }
}

fn weights<R: Ring>(table: &Table<R>, stream: u64) -> Vec<R::Element> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(stream);
    (0..table.rows()).map(|_| table.ring.weight(random.next_u64())).collect()
}

/// Groups columns that are multiples of each other, and returns the cheapest of each group.
fn multiples<R: Ring>(
    table: &mut Table<R>,
    sums: &Sums<R>,
    other: &Sums<R>,
    laws: &mut FxHashSet<Law>,
) -> Vec<usize> {
    let ring = &table.ring;
    let mut representatives = Vec::new();
    let mut directed = Vec::new();
    for column in 0..table.columns.len() {
        if is_zero(table, column) {
            laws.extend(Law::new(vec![(table.products[column].clone(), Ratio::ONE)], &table.calls));
        } else if let Some(direction) = ring.direction(sums.values[column], other.values[column]) {
            directed.push((direction, column));
        } else {
            representatives.push(column);
        }
    }
    directed.sort_by(|a, b| ring.order(a.0, b.0).then(a.1.cmp(&b.1)));
    let mut found = Vec::new();
    for group in groups(ring, &directed) {
        let mut members: Vec<usize> = group.iter().map(|(_, column)| *column).collect();
        members.sort_unstable();
        let mut kept: Vec<usize> = Vec::new();
        for column in members {
            let quotient = |of: usize| Some((of, ring.quotient(sums.values[column], sums.values[of])?));
            let is_multiple = |(of, quotient): &(usize, Quotient)| is_multiple(table, column, *of, *quotient);
            match kept.iter().copied().filter_map(quotient).find(is_multiple) {
                Some((of, quotient)) => found.push((column, of, quotient)),
                None => kept.push(column),
            }
        }
        representatives.extend(kept);
    }
    for (column, of, quotient) in found {
        if is_dense(table, &[column, of], &[quotient]) {
            continue;
        }
        let terms = [(table.products[column].clone(), Ratio::ONE)];
        laws.extend(
            multiple(table, of, quotient)
                .and_then(|other| Law::new(terms.into_iter().chain([other]).collect(), &table.calls)),
        );
    }
    representatives.sort_unstable();
    representatives
}

/// The groups of neighbours, in the order of their directions, whose directions may be equal.
fn groups<'a, R: Ring>(ring: &R, sorted: &'a [(R::Element, usize)]) -> Vec<&'a [(R::Element, usize)]> {
    // A direction is a quotient of two sums and has the errors of both, which matter where a sum is small. So the tolerance is
    // multiplied by a thousand here; the columns of one group are compared row by row afterwards.
    let is_near = |a: &(R::Element, usize), b: &(R::Element, usize)| {
        ring.is_near(a.0, b.0, 1e3 * (ring.magnitude(a.0) + ring.magnitude(b.0)))
    };
    sorted.chunk_by(is_near).collect()
}

/// Whether a law would have a product of calls and a number that was solved for. Such a law is a consequence of another law at
/// a number: `sin(x + 1)` is `0.54… * sin(x) + 0.84… * cos(x)`.
fn is_dense<R: Ring>(table: &Table<R>, columns: &[usize], factors: &[Quotient]) -> bool {
    let has_number = factors.iter().any(|factor| matches!(factor, Quotient::Float(_)));
    has_number && columns.iter().any(|column| table.products[*column].len() > 1)
}

fn is_zero<R: Ring>(table: &Table<R>, column: usize) -> bool {
    let zero = table.ring.fraction(Ratio::ZERO);
    table.columns[column].iter().all(|value| zero.is_some_and(|zero| table.ring.is_near(*value, zero, 0.0)))
}

fn is_multiple<R: Ring>(table: &Table<R>, column: usize, of: usize, quotient: Quotient) -> bool {
    let ring = &table.ring;
    element(ring, quotient).is_some_and(|factor| {
        let is_near = |(a, b): (&R::Element, &R::Element)| {
            let b = ring.times(*b, factor);
            ring.is_near(*a, b, 10.0 * (ring.magnitude(*a) + ring.magnitude(b)))
        };
        table.columns[column].iter().zip(&table.columns[of]).all(is_near)
    })
}

fn element<R: Ring>(ring: &R, quotient: Quotient) -> Option<R::Element> {
    match quotient {
        Quotient::Fraction(n, d) => Ratio::new(n, d).and_then(|fraction| ring.fraction(fraction)),
        Quotient::Float(value) => ring.constant(value),
    }
}

/// The negative of a multiple of a product, as a term of a law.
fn multiple<R: Ring>(table: &mut Table<R>, of: usize, quotient: Quotient) -> Option<(Product, Ratio)> {
    let (constants, factor) = coefficient(table, quotient)?;
    Some((super::form::product(&table.products[of], &constants), factor.negated()))
}

/// A coefficient as a product of constants and a fraction. A number that is neither a fraction nor a fraction times a known
/// constant becomes a new constant.
fn coefficient<R: Ring>(table: &mut Table<R>, quotient: Quotient) -> Option<(Product, Ratio)> {
    let value = match quotient {
        Quotient::Fraction(n, d) => return Some((Product::new(), Ratio::new(n, d)?)),
        Quotient::Float(value) => value,
    };
    for (number, constant) in table.constants.iter().enumerate() {
        if let Some(Quotient::Fraction(n, d)) = table
            .ring
            .constant(constant.value)
            .and_then(|constant| table.ring.quotient(table.ring.constant(value)?, constant))
        {
            return Some((Product::from_slice(&[Atom::Constant(number as u8)]), Ratio::new(n, d)?));
        }
    }
    let number = u8::try_from(table.constants.len()).ok()?;
    table.constants.push(Constant { name: format!("{:?}", value.abs()), value: value.abs() });
    let sign = if value < 0.0 { -1 } else { 1 };
    Some((Product::from_slice(&[Atom::Constant(number)]), Ratio::whole(sign)))
}

/// Laws `a == c * b + d` with any numbers c and d. They are found where two columns, each without the value of its first row,
/// are multiples of each other.
fn shifted_multiples<R: Ring>(
    table: &mut Table<R>,
    sums: [&Sums<R>; 2],
    representatives: &[usize],
    laws: &mut FxHashSet<Law>,
) {
    let Some(minus) = table.ring.fraction(Ratio::whole(-1)) else { return };
    let shifted = |stream: usize, column: usize| {
        let first = table.ring.times(table.columns[column][0], minus);
        table.ring.plus(sums[stream].values[column], table.ring.times(first, sums[stream].total))
    };
    let of = |&column: &usize| {
        let [first, second] = [0, 1].map(|stream| shifted(stream, column));
        // A constant has no direction.
        let is_constant = table.products[column].is_empty();
        table.ring.direction(first, second).filter(|_| !is_constant).map(|direction| (direction, column))
    };
    let mut directed: Vec<(R::Element, usize)> = representatives.iter().filter_map(of).collect();
    directed.sort_by(|a, b| table.ring.order(a.0, b.0).then(a.1.cmp(&b.1)));
    let mut found = Vec::new();
    for group in groups(&table.ring, &directed) {
        let mut members: Vec<usize> = group.iter().map(|(_, column)| *column).collect();
        members.sort_unstable();
        let of = members.remove(0);
        for column in members {
            let factor = table.ring.quotient(shifted(0, column), shifted(0, of));
            if let Some((factor, constant)) =
                factor.and_then(|factor| Some((factor, shift(table, column, of, factor)?)))
            {
                found.push((column, of, factor, constant));
            }
        }
    }
    for (column, of, factor, constant) in found {
        if is_dense(table, &[column, of], &[factor, constant]) {
            continue;
        }
        let own = (table.products[column].clone(), Ratio::ONE);
        let terms = [Some(own), multiple(table, of, factor), multiple(table, 0, constant)];
        let terms = terms.into_iter().collect::<Option<Vec<_>>>();
        laws.extend(terms.and_then(|terms| Law::new(terms, &table.calls)));
    }
}

/// The constant `d` in `column == factor * of + d`, if it is the same number on every row.
fn shift<R: Ring>(table: &Table<R>, column: usize, of: usize, factor: Quotient) -> Option<Quotient> {
    let ring = &table.ring;
    let (minus, one) = (ring.fraction(Ratio::whole(-1))?, ring.fraction(Ratio::ONE)?);
    let negative = ring.times(minus, element(ring, factor)?);
    let rest = ring.plus(table.columns[column][0], ring.times(table.columns[of][0], negative));
    let constant = ring.quotient(rest, one)?;
    sums_to(table, &[(column, one), (of, negative)], rest).then_some(constant)
}

/// Whether a weighted sum of columns is the same number on every row.
fn sums_to<R: Ring>(table: &Table<R>, terms: &[(usize, R::Element)], number: R::Element) -> bool {
    let ring = &table.ring;
    let Some(zero) = ring.fraction(Ratio::ZERO) else { return false };
    (0..table.rows()).all(|row| {
        let parts = terms.iter().map(|(column, factor)| ring.times(table.columns[*column][row], *factor));
        let (sum, magnitudes) =
            parts.fold((zero, 0.0), |(sum, all), part| (ring.plus(sum, part), all + ring.magnitude(part)));
        // The factors were solved for, from sums that have errors of their own.
        ring.is_near(sum, number, 10.0 * (magnitudes + ring.magnitude(number)))
    })
}

/// One column, or the sum of two columns, represented by its weighted sum.
#[derive(Clone, Copy)]
struct Entry<E> {
    /// The absolute value of the weighted sum.
    value: E,
    magnitude: f64,
    first: u32,
    /// The second column, and the number of its factor; for one column alone `None`, and the number of its own factor.
    second: Option<u32>,
    factor: u8,
}

/// Laws of three and four terms: the sum of two columns is equal to a column, or to the sum of two others.
fn pairs<R: Ring>(table: &Table<R>, sums: &Sums<R>, columns: &[usize], laws: &mut FxHashSet<Law>) {
    let ring = &table.ring;
    let factors: Vec<(u8, R::Element, f64)> = FACTORS
        .iter()
        .enumerate()
        .filter_map(|(number, (n, d))| {
            let element = ring.fraction(Ratio::new(*n, *d)?)?;
            Some((number as u8, element, *n as f64 / *d as f64))
        })
        .collect();
    let mut entries = Vec::with_capacity(columns.len() * columns.len() * factors.len() / 2);
    for (place, &first) in columns.iter().enumerate() {
        let (value, magnitude) = (sums.values[first], sums.magnitudes[first]);
        for (number, factor, size) in &factors {
            if *size > 0.0 {
                let value = ring.without_sign(ring.times(value, *factor));
                let magnitude = magnitude * size;
                entries.push(Entry { value, magnitude, first: first as u32, second: None, factor: *number });
            }
            for &second in &columns[..place] {
                let sum = ring.plus(value, ring.times(sums.values[second], *factor));
                entries.push(Entry {
                    value: ring.without_sign(sum),
                    magnitude: magnitude + sums.magnitudes[second] * size.abs(),
                    first: first as u32,
                    second: Some(second as u32),
                    factor: *number,
                });
            }
        }
    }
    entries.sort_unstable_by(|a, b| ring.order(a.value, b.value));
    meet(table, &entries, laws);
}

/// Tries pairs of sums that have the same value as laws. The cheapest are compared with each other, each of the rest only with
/// the cheapest one.
fn meet<R: Ring>(table: &Table<R>, entries: &[Entry<R::Element>], laws: &mut FxHashSet<Law>) {
    let is_near = |a: &Entry<R::Element>, b: &Entry<R::Element>| {
        table.ring.is_near(a.value, b.value, a.magnitude + b.magnitude)
    };
    let costs: Vec<u32> =
        table.products.iter().map(|product| cost::of_term(product, Ratio::ONE, &table.calls)).collect();
    let cost = |entry: &Entry<R::Element>| {
        let second = entry.second.map_or(0, |second| costs[second as usize]);
        (
            costs[entry.first as usize] + second + u32::from(entry.factor > 1),
            entry.first,
            entry.second,
            entry.factor,
        )
    };
    for group in entries.chunk_by(is_near).filter(|group| group.len() > 1) {
        let mut group: Vec<Entry<R::Element>> = group.to_vec();
        group.sort_by_key(cost);
        for (place, first) in group.iter().enumerate() {
            for second in &group[..if place < MOST_MEETING { place } else { 1 }] {
                for sign in [-1, 1] {
                    laws.extend(law_of(table, first, second, sign));
                }
            }
        }
    }
}

/// The law that a sum is equal to another one or to its negative, if it holds on every row.
fn law_of<R: Ring>(
    table: &Table<R>,
    a: &Entry<R::Element>,
    b: &Entry<R::Element>,
    sign: i128,
) -> Option<Law> {
    let mut terms = Vec::with_capacity(4);
    for (entry, sign) in [(a, 1), (b, sign)] {
        let (n, d) = FACTORS[usize::from(entry.factor)];
        let (sign, factor) = (Ratio::whole(sign), Ratio::new(n * sign, d)?);
        match entry.second {
            None => terms.push((entry.first as usize, factor)),
            Some(second) => terms.extend([(entry.first as usize, sign), (second as usize, factor)]),
        }
    }
    let mut columns: Vec<usize> = terms.iter().map(|(column, _)| *column).collect();
    columns.sort_unstable();
    columns.dedup();
    // If a column occurs twice, there is a shorter law, which is found by itself.
    if columns.len() != terms.len() || columns.len() < 3 || !holds(table, &terms) {
        return None;
    }
    Law::new(
        terms.into_iter().map(|(column, factor)| (table.products[column].clone(), factor)).collect(),
        &table.calls,
    )
}

/// Whether terms sum to zero on every row.
fn holds<R: Ring>(table: &Table<R>, terms: &[(usize, Ratio)]) -> bool {
    let ring = &table.ring;
    let Some(zero) = ring.fraction(Ratio::ZERO) else { return false };
    let Some(factors) = terms.iter().map(|(_, f)| ring.fraction(*f)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    (0..table.rows()).all(|row| {
        let parts =
            terms.iter().zip(&factors).map(|((column, _), f)| ring.times(table.columns[*column][row], *f));
        let (sum, magnitudes) =
            parts.fold((zero, 0.0), |(sum, all), part| (ring.plus(sum, part), all + ring.magnitude(part)));
        ring.is_near(sum, zero, magnitudes)
    })
}
