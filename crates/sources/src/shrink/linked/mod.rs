//! Shrinks values that are linked to each other, so that none of them can become simpler by itself.
//!
//! Only the link is unknown. The links that are tried are those that conditions of code usually express: equal values,
//! a constant difference, sum, multiple or ratio, equal lengths, a count of elements.

mod cuts;
mod links;
mod moves;
mod slots;

use std::vec::IntoIter;

use dodona_target::{Domain, Type, Value};

use cuts::{Cut, Removed};
use links::Link;
use moves::Keeps;
use slots::{Slot, Unit, Units};

/// The numbers and characters that are moved together are chosen among so many that are not the simplest. Each two of them
/// are tried, with ten links and about a hundred candidates for each link.
const MOST_SLOTS: usize = 64;

/// The bound on the total number of elements in the values of all candidates.
///
/// It trades a smaller counterexample for time: these candidates take two seconds at about 100 ns each, and more only if
/// calls are slow, which the fuel bounds. Ten linked numbers need a hundredth of it. If fifty elements of a sequence matter and
/// none are linked, the search ends here.
const MOST_ELEMENTS: u64 = 1 << 24;

/// Proposes changes of several values at once: equal values become another one together; two or more numbers move by the
/// same amount, towards zero, in opposite directions, by a multiple of each other, or by the same factor; sequences and
/// texts lose elements at the same places, a number beside them loses as much, and a row loses two elements at once.
///
/// Every candidate is in the domains. Of the values that change, the first becomes [`simpler`](super::simpler), so
/// repeatedly taking candidates must end, also in alternation with [`Shrinker`](super::Shrinker).
///
/// ```
/// use dodona_sources::shrink::Linked;
/// use dodona_target::{Domain, Scalar, Type, Value};
///
/// let (ty, domain) = (Type::Scalar(Scalar::I32), Domain::default());
/// let mut linked = Linked::new(vec![(ty, &domain); 2]);
/// linked.restart(vec![Value::Int(1_000_037), Value::Int(1_000_000)]);
/// while let Some(candidate) = linked.candidate() {
///     let value = |i: usize| candidate.value(i).unwrap_or(&linked.values()[i]);
///     if matches!((value(0), value(1)), (Value::Int(p), Value::Int(q)) if p - q == 37 && *p > 100) {
///         linked.take(candidate);
///     }
/// }
/// assert_eq!(linked.values(), [Value::Int(101), Value::Int(64)]);
/// ```
#[derive(Clone, Debug)]
pub struct Linked<'d> {
    parameters: Vec<(Type, &'d Domain)>,
    units: Vec<Units>,
    values: Vec<Value>,
    slots: Vec<Slot>,
    links: Vec<Link>,
    /// The index of the link whose choices are tried.
    at: usize,
    choices: IntoIter<Choice>,
    /// The total number of elements in the values of all candidates so far.
    spent: u64,
    /// The bound on `spent`.
    most: u64,
    is_cut: bool,
}

/// A change of some values.
#[derive(Clone, Debug)]
pub struct LinkedCandidate {
    changes: Vec<(usize, Value)>,
    link: usize,
}

impl LinkedCandidate {
    /// The new value with this index; `None` if it stays as it is.
    pub fn value(&self, index: usize) -> Option<&Value> {
        self.changes.iter().find(|(i, _)| *i == index).map(|(_, value)| value)
    }
}

#[derive(Clone, Copy, Debug)]
enum Choice {
    Remove(Removed),
    Become(Unit),
}

impl<'d> Linked<'d> {
    /// For values of these types and domains. There are no candidates before [`Linked::restart`].
    pub fn new(parameters: Vec<(Type, &'d Domain)>) -> Linked<'d> {
        let units = parameters.iter().map(|(ty, domain)| Units::new(*ty, domain)).collect();
        Linked {
            parameters,
            units,
            values: Vec::new(),
            slots: Vec::new(),
            links: Vec::new(),
            at: 0,
            choices: Vec::new().into_iter(),
            spent: 0,
            most: MOST_ELEMENTS,
            is_cut: false,
        }
    }

    /// Tries all changes of these values, one for each parameter.
    pub fn restart(&mut self, values: Vec<Value>) {
        self.values = values;
        self.slots = self.find_slots();
        self.links = links::links(&self.values, &self.slots);
        self.at = 0;
        self.choices = self.choices(0).into_iter();
    }

    /// The values so far.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Whether a bound left out candidates: there may be simpler values.
    pub fn met_its_bound(&self) -> bool {
        self.is_cut
    }

    /// The next candidate; `None` if all have been tried, or their bound is met.
    pub fn candidate(&mut self) -> Option<LinkedCandidate> {
        loop {
            let Some(choice) = self.choices.next() else {
                self.at += 1;
                if self.at >= self.links.len() {
                    return None;
                }
                self.choices = self.choices(self.at).into_iter();
                continue;
            };
            if self.spent >= self.most {
                self.is_cut = true;
                return None;
            }
            let Some(changes) = self.changes(&self.links[self.at], choice) else { continue };
            self.spent +=
                changes.iter().map(|(i, _)| slots::length(&self.values[*i]).unwrap_or(1) as u64).sum::<u64>();
            if self.is_simpler(&changes) {
                return Some(LinkedCandidate { changes, link: self.at });
            }
        }
    }

    /// Makes a candidate the new values: the last candidate, or an earlier one of the same values. Its kind of change is
    /// tried next.
    pub fn take(&mut self, candidate: LinkedCandidate) {
        for (i, value) in candidate.changes {
            self.values[i] = value;
        }
        if matches!(self.links[candidate.link], Link::Cut(_)) {
            let values = std::mem::take(&mut self.values);
            return self.restart(values);
        }
        let units: Vec<Vec<Unit>> = self.values.iter().map(slots::units).collect();
        for slot in &mut self.slots {
            slot.unit = units[slot.variable][slot.at.unwrap_or(0)];
        }
        self.at = candidate.link;
        self.choices = self.choices(self.at).into_iter();
    }

    /// The numbers and characters that are not the simplest.
    fn find_slots(&mut self) -> Vec<Slot> {
        let mut found = Vec::new();
        for (variable, value) in self.values.iter().enumerate() {
            let is_scalar = slots::is_scalar(value);
            for (at, unit) in slots::units(value).into_iter().enumerate() {
                if self.units[variable].simpler(unit).is_empty() {
                    continue;
                }
                if found.len() == MOST_SLOTS {
                    self.is_cut = true;
                    return found;
                }
                found.push(Slot { variable, at: (!is_scalar).then_some(at), unit });
            }
        }
        found
    }

    /// What is tried of a link.
    fn choices(&self, link: usize) -> Vec<Choice> {
        match self.links.get(link) {
            None => Vec::new(),
            Some(Link::Cut(cut)) => {
                let row = cut.rows[0];
                let length = slots::length(&self.values[row]).unwrap_or(0);
                let least = self.parameters[row].1.length.map_or(0, |(low, _)| low as usize);
                cut.removals(length, least).into_iter().map(Choice::Remove).collect()
            }
            Some(Link::Move { lead, followers, keeps }) => {
                let slot = self.slots[*lead];
                let integer = |i: &usize| match self.slots[*i].unit {
                    Unit::Int(x) => Some(x),
                    _ => None,
                };
                let units = match (slot.unit, keeps) {
                    (Unit::Int(x), Keeps::Ratio) => {
                        let multiples = moves::multiples(x, followers.iter().filter_map(integer));
                        multiples.into_iter().map(Unit::Int).collect()
                    }
                    _ => self.units[slot.variable].simpler(slot.unit),
                };
                units.into_iter().map(Choice::Become).collect()
            }
        }
    }

    /// The new values, by index and in order; `None` if the choice does not apply.
    fn changes(&self, link: &Link, choice: Choice) -> Option<Vec<(usize, Value)>> {
        match (link, choice) {
            (Link::Cut(cut), Choice::Remove(removed)) => self.removed(cut, removed),
            (Link::Move { lead, followers, keeps }, Choice::Become(new)) => {
                let old = self.slots[*lead].unit;
                let follow = |i: &usize| {
                    let Slot { variable, unit, .. } = self.slots[*i];
                    Some((*i, self.units[variable].rounded(moves::follow(*keeps, unit, (old, new))?)))
                };
                let moved: Option<Vec<(usize, Unit)>> = followers.iter().map(follow).collect();
                let mut moved = moved?;
                moved.push((*lead, new));
                self.replaced(&moved)
            }
            _ => None,
        }
    }

    fn removed(&self, cut: &Cut, removed: Removed) -> Option<Vec<(usize, Value)>> {
        let mut changes = Vec::new();
        let mut count = 0;
        for (nth, &row) in cut.rows.iter().enumerate() {
            let length = slots::length(&self.values[row])?;
            let indices = removed.indices(length, cut.mirrored && nth > 0)?;
            count = indices.len();
            changes.push((row, slots::without(&self.values[row], &indices)?));
        }
        let by = (count / cut.per) as i128;
        let less = |i: &usize| match self.slots[*i].unit {
            Unit::Int(x) => Some((*i, Unit::Int(x - by))),
            _ => None,
        };
        let counts: Option<Vec<(usize, Unit)>> = cut.counts.iter().map(less).collect();
        changes.extend(self.replaced(&counts?)?);
        changes.sort_by_key(|(i, _)| *i);
        Some(changes)
    }

    /// The values in which some slots have new units.
    fn replaced(&self, moved: &[(usize, Unit)]) -> Option<Vec<(usize, Value)>> {
        let of = |i: usize| {
            let here = moved.iter().filter(|(slot, _)| self.slots[*slot].variable == i);
            here.map(|(slot, unit)| (self.slots[*slot].at, *unit)).collect::<Vec<_>>()
        };
        let changed = (0..self.values.len()).map(|i| (i, of(i))).filter(|(_, units)| !units.is_empty());
        changed.map(|(i, units)| Some((i, slots::replaced(&self.values[i], &units)?))).collect()
    }

    /// Whether the new values are in their domains, and the first of those that differ is simpler.
    fn is_simpler(&self, changes: &[(usize, Value)]) -> bool {
        let differs = |(i, value): &&(usize, Value)| *value != self.values[*i];
        let inside = |(i, value): &(usize, Value)| {
            let (ty, domain) = self.parameters[*i];
            domain.contains(ty, value)
        };
        let first = changes.iter().find(differs);
        first.is_some_and(|(i, value)| super::simpler(value, &self.values[*i])) && changes.iter().all(inside)
    }
}

#[cfg(test)]
mod tests;
