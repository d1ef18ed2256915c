//! Draws sequences.

use std::collections::HashSet;

use dodona_target::{Domain, Predicate, Ragged, Sampling, Scalar};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::line::{Line, Rate};
use super::span::{Integers, Span};
use super::{EmptyDomain, lengths};
use crate::seed::index;
use crate::set::{Grid, Set};

/// The sequences of one element type that a domain allows, prepared for drawing.
#[derive(Clone, Debug)]
pub(crate) struct Sequences<S: Span> {
    pub(crate) elements: Line<S>,
    lengths: Line<Integers>,
    length: (u64, u64),
    sorted: bool,
    distinct: bool,
    favoured: Vec<Vec<S::Item>>,
    shapes: Vec<Shape>,
    rate: Rate,
}

/// A form of sequence on which functions often fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// The shortest allowed sequence: empty if the domain allows it.
    Shortest,
    /// One element.
    One,
    /// All elements equal.
    Equal,
    /// In increasing order.
    Sorted,
    /// In decreasing order.
    Reversed,
    /// A few different elements, each repeated many times.
    Duplicates,
    /// Only special values.
    Special,
    /// Some special values among ordinary ones.
    Sprinkled,
    /// One of the favoured sequences.
    Favoured,
}

impl Shape {
    fn available(length: (u64, u64), favoured: bool) -> Vec<Shape> {
        use Shape::*;
        let mut shapes = vec![Equal, Sorted, Reversed, Duplicates, Special, Sprinkled];
        if length.0 < length.1 {
            shapes.push(Shortest);
        }
        if length.0 <= 1 && 1 <= length.1 {
            shapes.push(One);
        }
        if favoured {
            // As often as all other forms together, as for favoured numbers.
            shapes.extend(vec![Favoured; shapes.len()]);
        }
        shapes
    }
}

impl<S: Span> Sequences<S> {
    pub(crate) fn new(scalar: Scalar, domain: &Domain, sampling: &Sampling) -> Result<Self, EmptyDomain> {
        let has = |p| domain.predicates.contains(&p);
        let set = Set::of_elements(scalar, domain);
        let distinct = has(Predicate::Distinct);
        let most = match (set.is_empty(), distinct) {
            (true, _) => 0,
            (false, true) => set.count(),
            (false, false) => u128::MAX,
        };
        let length = lengths::range(domain, sampling, most)?;
        let (elements, length) = Self::elements(scalar, set, domain, sampling, length, distinct);
        Ok(Sequences {
            elements,
            lengths: lengths::line(length),
            length,
            sorted: has(Predicate::Sorted),
            distinct,
            favoured: Vec::new(),
            shapes: Shape::available(length, false),
            rate: Rate::of(sampling),
        })
    }

    /// The elements, and the lengths that they allow. The elements come from the sampled range if it has enough
    /// distinct members for the shortest sequence, otherwise from the domain.
    fn elements(
        scalar: Scalar,
        set: Set,
        domain: &Domain,
        sampling: &Sampling,
        (low, high): (u64, u64),
        distinct: bool,
    ) -> (Line<S>, (u64, u64)) {
        let Some(line) = Line::of_set(scalar, set.clone(), domain, sampling) else {
            // The domain contains only the empty sequence, so elements are never drawn.
            let any = Set::of_type(scalar);
            return (Line::new(any, &[], sampling.distribution, Rate::of(sampling)), (0, 0));
        };
        let members = line.set.count();
        if !distinct || members >= high.into() {
            return (line, (low, high));
        }
        if members >= low.into() {
            return (line, (low, members as u64));
        }
        let domain_alone = Sampling { range: None, ..sampling.clone() };
        (Line::of_set(scalar, set, domain, &domain_alone).unwrap_or(line), (low, high))
    }

    /// Adds favoured sequences; the caller must have checked that they are in the domain.
    pub(crate) fn favour(&mut self, favoured: Vec<Vec<S::Item>>) {
        self.shapes = Shape::available(self.length, !favoured.is_empty());
        self.favoured = favoured;
    }

    /// Draws rows and passes each to `push`.
    pub(crate) fn rows(&self, rng: &mut Xoshiro256PlusPlus, rows: usize, mut push: impl FnMut(&[S::Item])) {
        let mut row = Vec::new();
        for _ in 0..rows {
            row.clear();
            let bits = rng.next_u64();
            match self.rate.takes(bits) {
                true => self.special(rng, &mut row),
                false => {
                    let length = self.length(rng);
                    self.elements.plain(rng, length, &mut row);
                    self.repair(rng, &mut row);
                }
            }
            push(&row);
        }
    }

    fn length(&self, rng: &mut Xoshiro256PlusPlus) -> usize {
        match self.length {
            (low, high) if low == high => low as usize,
            _ => self.lengths.draw(rng) as usize,
        }
    }

    /// Draws a column of sequences.
    pub(crate) fn ragged(&self, rng: &mut Xoshiro256PlusPlus, rows: usize) -> Ragged<S::Item> {
        let mut out = Ragged::with_capacity(rows, rows * (self.length.0 as usize).min(64));
        self.rows(rng, rows, |row| out.push(row));
        out
    }

    fn special(&self, rng: &mut Xoshiro256PlusPlus, row: &mut Vec<S::Item>) {
        let shape = self.shapes[index(rng, self.shapes.len())];
        if shape == Shape::Favoured {
            return row.extend_from_slice(&self.favoured[index(rng, self.favoured.len())]);
        }
        let length = match shape {
            Shape::Shortest => self.length.0 as usize,
            Shape::One => 1,
            _ => self.length(rng),
        };
        self.content(rng, shape, length, row);
        self.repair(rng, row);
        match shape {
            Shape::Sorted => self.sort(row),
            Shape::Reversed if !self.sorted => {
                self.sort(row);
                row.reverse();
            }
            _ => {}
        }
    }

    fn content(&self, rng: &mut Xoshiro256PlusPlus, shape: Shape, length: usize, row: &mut Vec<S::Item>) {
        let either = |rng: &mut Xoshiro256PlusPlus, quarters: u64| match rng.next_u64() >> 62 < quarters {
            true => self.elements.special(rng),
            false => self.elements.draw(rng),
        };
        match shape {
            Shape::Equal => {
                let item = either(rng, 2);
                row.extend(std::iter::repeat_n(item, length));
            }
            Shape::Duplicates => {
                let few: Vec<_> = (0..1 + length / 4).map(|_| either(rng, 1)).collect();
                row.extend((0..length).map(|_| few[index(rng, few.len())]));
            }
            Shape::Special => row.extend((0..length).map(|_| self.elements.special(rng))),
            Shape::Sprinkled => row.extend((0..length).map(|_| either(rng, 1))),
            Shape::One | Shape::Shortest => row.extend((0..length).map(|_| either(rng, 2))),
            _ => self.elements.plain(rng, length, row),
        }
    }

    /// Changes a row so that it satisfies the domain's predicates.
    fn repair(&self, rng: &mut Xoshiro256PlusPlus, row: &mut [S::Item]) {
        if self.distinct {
            self.make_distinct(rng, row);
        }
        if self.sorted {
            self.sort(row);
        }
    }

    fn sort(&self, row: &mut [S::Item]) {
        // Sorting is stable and by member number, so that the result does not depend on the sort's implementation and
        // NaN comes last.
        row.sort_by_key(|&item| S::index(self.elements.set.grid, item));
    }

    /// Replaces each repeated element by another draw, or, after several draws, by an unused member of the set.
    fn make_distinct(&self, rng: &mut Xoshiro256PlusPlus, row: &mut [S::Item]) {
        const DRAWS: usize = 4;
        let grid = self.elements.set.grid;
        let mut used = HashSet::with_capacity(row.len());
        for item in row.iter_mut() {
            let mut draws = 0;
            while !used.insert(S::index(grid, *item)) {
                *item = match draws < DRAWS {
                    true => self.elements.draw(rng),
                    false => self.unused(rng, &used),
                };
                draws += 1;
            }
        }
    }

    fn unused(&self, rng: &mut Xoshiro256PlusPlus, used: &HashSet<i128>) -> S::Item {
        let set = &self.elements.set;
        let start = u128::from(self.elements.place(rng));
        let mut places = (start..set.count()).chain(0..start).map(|place| set.nth(place));
        let free = places.find(|number| !used.contains(number));
        S::at(set.grid, free.unwrap_or(Grid::NAN))
    }
}
