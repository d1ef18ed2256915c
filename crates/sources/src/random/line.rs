//! Draws numbers from a whole domain: several ranges, exceptions, special and favoured values.

use dodona_target::{Distribution, Domain, NumberRange, Sampling, Scalar};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::span::Span;
use super::special;
use crate::seed::{index, up_to};
use crate::set::{Grid, Set};

/// The numbers of one type that a domain allows, prepared for drawing.
#[derive(Clone, Debug)]
pub(crate) struct Line<S: Span> {
    /// The numbers that may be drawn, apart from NaN and the favoured values.
    pub(crate) set: Set,
    spans: Vec<S>,
    /// Whether every number of the spans is in the set.
    whole: bool,
    /// Lists of special and of favoured values; each list is drawn from equally often.
    lists: Vec<Vec<S::Item>>,
    distribution: Distribution,
    rate: Rate,
}

/// A share of the rows, stored as a bound on 32 random bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate(u64);

impl Rate {
    /// The share of favoured and special values, unless the manifest gives another.
    const DEFAULT: f64 = 0.125;

    pub(crate) fn of(sampling: &Sampling) -> Rate {
        let rate = sampling.favour_rate.unwrap_or(Rate::DEFAULT);
        Rate((rate.clamp(0.0, 1.0) * (1u64 << 32) as f64) as u64)
    }

    /// Whether a row with these random bits belongs to the share. Only the low 32 bits are used.
    #[inline]
    pub(crate) fn takes(self, bits: u64) -> bool {
        (bits & 0xffff_ffff) < self.0
    }
}

/// How many times a draw is repeated that gave an excepted value, before a member of the set is drawn by its place.
const REPEATS: usize = 8;

impl<S: Span> Line<S> {
    /// A line over a set that draws from each of the given ranges equally often. Ranges without a member in the set
    /// are ignored; if none is left, the ranges of the set are used.
    ///
    /// # Panics
    /// When the set is empty.
    pub(crate) fn new(set: Set, ranges: &[(i128, i128)], distribution: Distribution, rate: Rate) -> Self {
        let held = |&range: &(i128, i128)| {
            let held = set.within(range);
            Some((held.pieces().first()?.0, held.pieces().last()?.1))
        };
        let mut hulls: Vec<(i128, i128)> = ranges.iter().filter_map(held).collect();
        if hulls.is_empty() {
            hulls = set.pieces().to_vec();
        }
        assert!(!hulls.is_empty(), "a line over the empty set");
        let whole = hulls.iter().all(|&(low, high)| set.within((low, high)).pieces() == [(low, high)]);
        let spans = hulls.iter().map(|&(low, high)| S::new(set.grid, low, high)).collect();
        Line { set, spans, whole, lists: Vec::new(), distribution, rate }
    }

    /// The numbers of a parameter: the sampled range within the domain, or else the whole domain. Favoured values are
    /// not added. `None` if the domain is empty.
    pub(crate) fn of(scalar: Scalar, domain: &Domain, sampling: &Sampling) -> Option<Self> {
        Self::of_set(scalar, Set::of_domain(scalar, domain), domain, sampling)
    }

    /// [`Line::of`] for a set that is smaller than the domain.
    pub(crate) fn of_set(scalar: Scalar, set: Set, domain: &Domain, sampling: &Sampling) -> Option<Self> {
        if set.is_empty() {
            return None;
        }
        let sampled = sampling.range.and_then(|r| Set::range(scalar, r)).map(|r| set.within(r));
        let set = sampled.filter(|s| !s.is_empty()).unwrap_or(set);
        let declared = |r: &NumberRange| Set::range(scalar, *r);
        let ranges: Vec<_> = match domain.numbers.ranges.as_slice() {
            [] => vec![Grid::limits(scalar)],
            ranges => ranges.iter().filter_map(declared).collect(),
        };
        let mut line = Line::new(set, &ranges, sampling.distribution, Rate::of(sampling));
        for list in special::lists(scalar, &line.set) {
            line.favour(list.into_iter().map(|i| S::at(line.set.grid, i)).collect());
        }
        Some(line)
    }

    /// Adds a list of favoured values; the caller must have checked that they are in the domain.
    pub(crate) fn favour(&mut self, values: Vec<S::Item>) {
        if !values.is_empty() {
            self.lists.push(values);
        }
    }

    /// Adds values to the list of corner values, which is the first list.
    pub(crate) fn add_corners(&mut self, values: &[S::Item]) {
        if let Some(corners) = self.lists.first_mut() {
            corners.extend_from_slice(values);
        }
    }

    /// Draws one number according to the distribution.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> S::Item {
        match self.distribution {
            Distribution::Uniform => self.repeat(rng, |span, rng| span.uniform(rng)),
            Distribution::Logarithmic => self.repeat(rng, |span, rng| span.logarithmic(rng)),
            Distribution::Mixed => {
                let bits = rng.next_u64();
                self.mixed(rng, bits)
            }
        }
    }

    /// Draws one number from the mixed distribution; the highest of the random `bits` chooses between uniform and
    /// logarithmic.
    #[inline]
    fn mixed(&self, rng: &mut Xoshiro256PlusPlus, bits: u64) -> S::Item {
        match bits >> 63 {
            0 => self.repeat(rng, |span, rng| span.uniform(rng)),
            _ => self.repeat(rng, |span, rng| span.logarithmic(rng)),
        }
    }

    #[inline]
    fn repeat(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        one: impl Fn(&S, &mut Xoshiro256PlusPlus) -> S::Item,
    ) -> S::Item {
        match self.only_span() {
            Some(span) => one(span, rng),
            None => self.repeat_among(rng, one),
        }
    }

    fn repeat_among(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        one: impl Fn(&S, &mut Xoshiro256PlusPlus) -> S::Item,
    ) -> S::Item {
        let span = &self.spans[index(rng, self.spans.len())];
        for _ in 0..REPEATS {
            let item = one(span, rng);
            if self.whole || self.set.contains(S::index(self.set.grid, item)) {
                return item;
            }
        }
        self.member(rng)
    }

    /// Draws any member of the set, by its place.
    pub(crate) fn member(&self, rng: &mut Xoshiro256PlusPlus) -> S::Item {
        S::at(self.set.grid, self.set.nth(self.place(rng).into()))
    }

    /// A random place in the set.
    pub(crate) fn place(&self, rng: &mut Xoshiro256PlusPlus) -> u64 {
        up_to(rng, u64::try_from(self.set.count() - 1).unwrap_or(u64::MAX))
    }

    /// Draws a special or favoured number.
    pub(crate) fn special(&self, rng: &mut Xoshiro256PlusPlus) -> S::Item {
        if self.lists.is_empty() {
            return self.draw(rng);
        }
        let list = &self.lists[index(rng, self.lists.len())];
        list[index(rng, list.len())]
    }

    /// Appends numbers drawn by the distribution alone, such as the elements of one sequence. With the mixed
    /// distribution a quarter of the calls draw all numbers uniformly, a quarter draw all by magnitude, and half
    /// choose anew for each number.
    pub(crate) fn plain(&self, rng: &mut Xoshiro256PlusPlus, rows: usize, out: &mut Vec<S::Item>) {
        let distribution = match (self.distribution, rng.next_u64() >> 62) {
            (Distribution::Mixed, 0) => Distribution::Uniform,
            (Distribution::Mixed, 1) => Distribution::Logarithmic,
            (distribution, _) => distribution,
        };
        let Some(span) = self.only_span() else {
            return match distribution {
                Distribution::Uniform => {
                    out.extend((0..rows).map(|_| self.repeat_among(rng, |span, rng| span.uniform(rng))));
                }
                Distribution::Logarithmic => {
                    out.extend((0..rows).map(|_| self.repeat_among(rng, |span, rng| span.logarithmic(rng))));
                }
                Distribution::Mixed => out.extend((0..rows).map(|_| {
                    let bits = rng.next_u64();
                    self.mixed(rng, bits)
                })),
            };
        };
        // A generator of its own and a loop over room that is there: the compiler keeps the generator in registers.
        let mut own = rng.clone();
        let start = out.len();
        out.resize(start + rows, S::Item::default());
        let room = &mut out[start..];
        match distribution {
            Distribution::Uniform => room.iter_mut().for_each(|item| *item = span.uniform(&mut own)),
            Distribution::Logarithmic => room.iter_mut().for_each(|item| *item = span.logarithmic(&mut own)),
            Distribution::Mixed => room.iter_mut().for_each(|item| {
                let bits = own.next_u64();
                *item = span.either(&mut own, bits);
            }),
        }
        *rng = own;
    }

    /// Appends numbers; a share of them, given by the favour rate, is special or favoured.
    pub(crate) fn fill(&self, rng: &mut Xoshiro256PlusPlus, rows: usize, out: &mut Vec<S::Item>) {
        out.extend((0..rows).map(|_| {
            let bits = rng.next_u64();
            match self.distribution {
                _ if self.rate.takes(bits) => self.special(rng),
                Distribution::Mixed => self.mixed(rng, bits),
                _ => self.draw(rng),
            }
        }));
    }

    /// The only range, if every number of it may be drawn.
    fn only_span(&self) -> Option<&S> {
        match self.spans.as_slice() {
            [span] if self.whole => Some(span),
            _ => None,
        }
    }
}
