//! Selects few metamorphic groups that reach a degree of adequacy, which the study of k-MR coverage names as future work, and builds random
//! suites as the study does (section IV-E).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use dodona_target::{greatest, splitmix64};

use crate::adequacy::association::{Associations, Requirements};

/// Metamorphic groups, each given by a source input and a relation.
pub type Suite = Vec<(usize, usize)>;

/// Groups that were selected.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The groups, in the order in which they were selected.
    pub groups: Suite,
    /// The degree that they reach.
    pub degree: f64,
    /// A lower bound: no suite of fewer groups reaches the degree that was asked for. If the selection does not reach that degree, the
    /// bound is for the degree that it does reach.
    pub least: usize,
}

/// The state of a selection.
struct State<'a> {
    requirements: &'a Requirements,
    associations: &'a Associations,
    k: usize,
    /// How many different relations each requirement has reached.
    best: Vec<u16>,
    /// How many different relations were taken for each source input.
    taken: Vec<u16>,
    /// How many different relations each source input has, at most k.
    different: Vec<u16>,
    reached: u64,
    groups: Suite,
    /// How often each relation was taken.
    used: Vec<u32>,
    /// The forms that were taken for each source input.
    forms: Vec<Vec<u32>>,
    /// How many groups of each source input were taken before this selection.
    before: &'a [u32],
}

/// How many groups of each source input, and of each relation, were taken before a selection.
struct Before {
    sources: Vec<u32>,
    relations: Vec<u32>,
}

impl Before {
    /// Nothing was taken.
    fn nothing(associations: &Associations) -> Before {
        Before { sources: vec![0; associations.sources()], relations: vec![0; associations.relations()] }
    }

    fn add(&mut self, (source, relation): (usize, usize)) {
        self.sources[source] += 1;
        self.relations[relation] += 1;
    }
}

/// How a relation is chosen if several are equally good.
enum Choice<'d> {
    /// The relation that was taken least often so far, the first one between equals. Of two suites of the same size, the one with more
    /// different relations says more.
    LeastUsed,
    /// At random.
    Drawn(&'d mut dyn FnMut(usize) -> usize),
}

impl<'a> State<'a> {
    fn new(
        requirements: &'a Requirements,
        associations: &'a Associations,
        k: usize,
        before: &'a Before,
    ) -> State<'a> {
        let most = |source| associations.different(source).min(k) as u16;
        State {
            requirements,
            associations,
            k,
            best: vec![0; requirements.names.len()],
            taken: vec![0; associations.sources()],
            different: (0..associations.sources()).map(most).collect(),
            reached: 0,
            groups: Suite::new(),
            used: before.relations.clone(),
            forms: vec![Vec::new(); associations.sources()],
            before: &before.sources,
        }
    }

    fn whole(&self) -> u64 {
        (self.k * self.best.len()) as u64
    }

    fn degree(&self) -> f64 {
        if self.whole() == 0 { 1.0 } else { self.reached as f64 / self.whole() as f64 }
    }

    /// How much the sum of all requirements grows if a source input gets so many different relations.
    fn gain(&self, source: usize, relations: u16) -> u64 {
        let gained = |requirement| u64::from(relations.saturating_sub(self.best[requirement]));
        self.requirements.satisfied[source].ones().map(gained).sum()
    }

    /// The number of relations for a source input that gains most per added group; `None` if no number gains anything.
    fn best_step(&self, source: usize) -> Option<Step> {
        let taken = self.taken[source];
        let step = |relations: u16| Step {
            source,
            relations,
            gain: self.gain(source, relations),
            groups: u64::from(relations - taken),
            before: self.before[source],
        };
        (taken + 1..=self.different[source]).map(step).filter(|step| step.gain > 0).max()
    }

    /// Takes relations of further forms for a source input, until it has `relations` of them.
    fn take(&mut self, source: usize, relations: u16, choice: &mut Choice<'_>) {
        let mut forms: Vec<(u32, Vec<usize>)> = Vec::new();
        for relation in self.associations.of_source(source) {
            let form = self.associations.form(relation);
            match forms.last_mut() {
                Some((last, relations)) if *last == form => relations.push(relation),
                _ => forms.push((form, vec![relation])),
            }
        }
        forms.retain(|(form, _)| !self.forms[source].contains(form));
        while self.taken[source] < relations && !forms.is_empty() {
            let (at, relation) = self.chosen(&forms, choice);
            self.forms[source].push(forms.remove(at).0);
            self.groups.push((source, relation));
            self.used[relation] += 1;
            self.taken[source] += 1;
        }
        for requirement in self.requirements.satisfied[source].ones() {
            let gained = self.taken[source].saturating_sub(self.best[requirement]);
            self.best[requirement] += gained;
            self.reached += u64::from(gained);
        }
    }
}

impl State<'_> {
    /// Chooses a relation from the relations of some forms. Returns the index of its form, and the relation.
    fn chosen(&self, forms: &[(u32, Vec<usize>)], choice: &mut Choice<'_>) -> (usize, usize) {
        match choice {
            Choice::Drawn(draw) => {
                let at = draw(forms.len());
                let of_form = &forms[at].1;
                (at, of_form[draw(of_form.len())])
            }
            Choice::LeastUsed => {
                let all = forms.iter().enumerate().flat_map(|(at, (_, of))| of.iter().map(move |r| (at, *r)));
                // There is always a form with a relation, so the default is never used.
                all.min_by_key(|(_, relation)| self.used[*relation]).unwrap_or_default()
            }
        }
    }
}

/// A step of the selection: it raises the number of different relations of a source input to `relations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    source: usize,
    relations: u16,
    gain: u64,
    groups: u64,
    before: u32,
}

impl Ord for Step {
    /// The greater step gains more per group; between equals it has fewer groups, then the source input of which fewer groups were taken before,
    /// then the earlier one.
    fn cmp(&self, other: &Step) -> Ordering {
        (self.gain * other.groups)
            .cmp(&(other.gain * self.groups))
            .then(other.groups.cmp(&self.groups))
            .then(other.before.cmp(&self.before))
            .then(other.source.cmp(&self.source))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Step) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Selects groups until a degree is reached or no group adds to it. Each step takes relations for the source input whose further groups
/// gain most, per group.
///
/// # Panics
/// When k is 0, or there is not a set of satisfied requirements for each source input.
pub fn select(requirements: &Requirements, associations: &Associations, k: usize, degree: f64) -> Selection {
    selected(requirements, associations, k, degree, &Before::nothing(associations))
}

/// As [`select`], where groups were taken before.
fn selected(
    requirements: &Requirements,
    associations: &Associations,
    k: usize,
    degree: f64,
    before: &Before,
) -> Selection {
    assert!(k > 0, "a requirement is tested with at least one relation");
    assert_eq!(requirements.satisfied.len(), associations.sources(), "a set for each source input");
    let mut state = State::new(requirements, associations, k, before);
    let mut waiting: BinaryHeap<Step> =
        (0..associations.sources()).filter_map(|source| state.best_step(source)).collect();
    while state.degree() < degree {
        let Some(step) = greatest(&mut waiting, |step| state.best_step(step.source)) else { break };
        state.take(step.source, step.relations, &mut Choice::LeastUsed);
        waiting.extend(state.best_step(step.source));
    }
    // If the degree that was asked for is not reached, the bound is for the degree that is.
    let least = lower_bound(&state, degree.min(state.degree()));
    Selection { degree: state.degree(), least, groups: state.groups }
}

/// Groups in an order that should reveal faults early.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// The groups, the most useful first.
    pub groups: Suite,
    /// How many of the first groups reach `degree`. If the list was cut short before, it is the length of the list.
    pub enough: usize,
    /// The degree that all groups together reach.
    pub degree: f64,
}

/// Orders groups, at most `most` of them. Groups that add most to the degree come first. When no group adds anything, the remaining groups
/// are ordered in the same way as if nothing had been tested, and so on, as in additional prioritisation of test cases (Rothermel, Untch,
/// Chu, Harrold, "Prioritizing Test Cases for Regression Testing", 2001). Of equally good source inputs the one with the fewest groups so far is
/// taken, and of its relations the one that was taken least often: else the same few source inputs, or the same few relations, would be taken again
/// and again, and others late. Groups of source inputs that satisfy no requirement are left out.
///
/// # Panics
/// As [`select`].
pub fn order(requirements: &Requirements, associations: &Associations, k: usize, most: usize) -> Order {
    let Selection { mut groups, degree, .. } = select(requirements, associations, k, f64::INFINITY);
    let enough = groups.len();
    let mut left = associations.clone();
    let mut removed = 0;
    let mut before = Before::nothing(associations);
    while groups.len() < most {
        for (source, relation) in &groups[removed..] {
            left.remove(*source, *relation);
            before.add((*source, *relation));
        }
        removed = groups.len();
        let next = selected(requirements, &left, k, f64::INFINITY, &before).groups;
        if next.is_empty() {
            break;
        }
        groups.extend(next);
    }
    groups.truncate(most);
    Order { enough: enough.min(most), groups, degree }
}

/// A random suite whose degree is above `low` and at most `high`. Groups that add to the degree are drawn one after the other. `None` if a
/// draw raises the degree from below the interval to above it, or if all groups together do not reach it.
///
/// # Panics
/// As [`select`].
pub fn random_suite(
    requirements: &Requirements,
    associations: &Associations,
    k: usize,
    (low, high): (f64, f64),
    seed: u64,
) -> Option<Selection> {
    assert!(k > 0, "a requirement is tested with at least one relation");
    let before = Before::nothing(associations);
    let mut state = State::new(requirements, associations, k, &before);
    let mut draws = seed;
    let mut draw = |below: usize| {
        draws = splitmix64(draws);
        (draws % below.max(1) as u64) as usize
    };
    let mut open: Vec<usize> = (0..associations.sources()).collect();
    while state.degree() <= low {
        if open.is_empty() {
            return None;
        }
        let at = draw(open.len());
        let source = open[at];
        // The smallest number of relations that adds anything: one more than this source input has or, if others already reach more, one
        // more than these.
        let next = (state.taken[source] + 1..=state.different[source]).find(|n| state.gain(source, *n) > 0);
        match next {
            Some(relations) => state.take(source, relations, &mut Choice::Drawn(&mut draw)),
            None => drop(open.swap_remove(at)),
        }
    }
    let degree = state.degree();
    (degree <= high).then_some(Selection { degree, least: 0, groups: state.groups })
}

/// A lower bound on the number of groups of any suite that reaches a degree. A group adds at most 1 for each requirement that its source
/// input satisfies, and of one source input at most k groups add anything.
fn lower_bound(state: &State<'_>, degree: f64) -> usize {
    let needed = (degree.clamp(0.0, 1.0) * state.whole() as f64 - 1e-9).ceil().max(0.0) as u64;
    let mut sizes: Vec<(u64, u64)> = Vec::new();
    for (source, satisfied) in state.requirements.satisfied.iter().enumerate() {
        sizes.push((satisfied.count_ones(..) as u64, u64::from(state.different[source])));
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let (mut gained, mut groups) = (0, 0);
    for (size, relations) in sizes {
        if gained >= needed || size == 0 {
            break;
        }
        let wanted = (needed - gained).div_ceil(size).min(relations);
        gained += wanted * size;
        groups += wanted;
    }
    groups as usize
}
