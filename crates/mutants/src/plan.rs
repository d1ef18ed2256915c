//! All mutants in one module: copies of functions, one version for each set of places that mutants change, and in each version
//! a switch between the mutants of that place.
//!
//! A copy for each place was chosen by this measurement (`cargo bench -p dodona-benches --bench mutation`, x86-64, seconds of
//! processor time; calls of 1,024 inputs in one crossing):
//!
//! | mutants | form | set-up, s | calls of the original a second | calls of mutants a second |
//! | --- | --- | --- | --- | --- |
//! | `triangle`, 643 | a copy a place | 0.06 | 71 million | 32 million |
//! | | a copy a mutant | 0.19 | 73 million | 31 million |
//! | | one copy, a switch a place | 0.03 | 29 million | 18 million |
//! | 100 lines of C, 4,062 | a copy a place | 0.58 | 40 million | 20 million |
//! | | a copy a mutant | 4.1 | 39 million | 18 million |
//! | | one copy, a switch a place | 0.15 | 4.6 million | 3.1 million |
//!
//! A copy for each mutant is seven times as much code to compile and runs no faster. One copy for all mutants passes a switch at every
//! place that an execution reaches. The three forms give the same results.

use std::collections::BTreeMap;

use dodona_subject::{Module, wasmparser::ValType};
use dodona_wasm::execute::{Additions, Choice, FunctionCopy, Patch, Variants};

use crate::emit::{Arms, Frame, ObservedEdit, keeps, observe, switch};
use crate::{Edit, Infection, Mutant, Mutants, Scanned, Slot};

/// How mutants are laid out in the module. All give the same results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A copy of the function for each place that is changed, with a switch there.
    #[default]
    CopyPerPlace,
    /// A copy of the function for each mutant.
    CopyPerMutant,
    /// One copy with a switch at every place.
    SwitchPerPlace,
}

/// Mutants as versions of functions in one module.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The copies, the observing version included.
    pub variants: Variants,
    /// The choice that selects each mutant, in the order given.
    pub choices: Vec<Choice>,
    /// The choice that selects the observing version.
    pub observer: Choice,
    /// Where each mutant's notes are.
    pub notes: Vec<Notes>,
}

/// The bits that the observing run notes for a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    /// One bit for each place that the mutant changes: whether it was reached.
    pub reached: Vec<u32>,
    /// The bit for whether the state differed right after a place that the mutant changes.
    pub infected: u32,
}

/// An instruction of a function: `(function, instruction)`.
type Place = (usize, u32);

/// The version that observes.
const OBSERVER: u32 = 1;

impl Plan {
    /// Lays out mutants.
    ///
    /// # Panics
    /// When a mutant is not one of `all`.
    pub fn new(module: &Module, all: &Mutants<'_>, mutants: &[&Mutant], form: Form) -> Plan {
        let additions = Additions::of(module);
        let mut copies = Vec::new();
        let choices = versions(all, mutants, form, &additions, &mut copies);
        let (notes, note_bits) = observer(all, mutants, &additions, &mut copies);
        let observer = Choice { version: OBSERVER, alternative: 0 };
        Plan { variants: Variants { copies, note_bits, is_always_chosen: false }, choices, observer, notes }
    }
}

/// The edits of a mutant with the function of each.
fn edits(mutant: &Mutant) -> impl Iterator<Item = (usize, &Edit, &Infection)> {
    mutant.changes.iter().flat_map(|change| {
        let infections = &change.candidate.infections;
        change.candidate.edits.iter().zip(infections).map(|(e, i)| (change.function, e, i))
    })
}

/// The properties that the mutants of one version have in common.
fn key(mutant: &Mutant, number: usize, form: Form) -> (usize, Vec<(usize, u32, Slot)>) {
    let places = edits(mutant).map(|(function, edit, _)| (function, edit.at, edit.slot)).collect();
    match form {
        Form::CopyPerPlace => (0, places),
        Form::CopyPerMutant => (number + 1, places),
        Form::SwitchPerPlace => (0, Vec::new()),
    }
}

/// Makes the versions, and the choice for each mutant.
fn versions(
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    form: Form,
    additions: &Additions,
    copies: &mut Vec<FunctionCopy>,
) -> Vec<Choice> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = BTreeMap::new();
    let mut choices = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let group = *known.entry(key(mutant, number, form)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        let alternative = groups[group].len() as u32;
        groups[group].push(number);
        choices.push(Choice { version: OBSERVER + 1 + group as u32, alternative });
    }
    for (group, members) in groups.iter().enumerate() {
        let members: Vec<&Mutant> = members.iter().map(|&number| mutants[number]).collect();
        copies.extend(version(all, OBSERVER + 1 + group as u32, &members, additions));
    }
    choices
}

/// The copies of functions for one version, with a switch between its mutants' edits at each place.
fn version(all: &Mutants<'_>, version: u32, members: &[&Mutant], additions: &Additions) -> Vec<FunctionCopy> {
    // For each place the edit of each mutant of the version, by the mutant's number in it.
    let mut places: BTreeMap<Place, Arms<'_>> = BTreeMap::new();
    for (number, mutant) in members.iter().enumerate() {
        for (function, edit, _) in edits(mutant) {
            let slots = places.entry((function, edit.at)).or_default();
            slots.entry(edit.slot).or_default().push((number as u32, edit));
        }
    }
    let mut by_function: BTreeMap<usize, Builder<'_, '_>> = BTreeMap::new();
    for ((function, at), slots) in places {
        let scanned = &all.functions[function];
        by_function.entry(function).or_insert_with(|| Builder::new(scanned)).add(at, &slots, additions);
    }
    by_function.into_values().map(|builder| builder.copy(version)).collect()
}

/// A copy while it is patched.
struct Builder<'a, 'm> {
    scanned: &'a Scanned<'m>,
    frame: Frame,
    kept: Option<u32>,
    patches: Vec<Patch>,
}

impl<'a, 'm> Builder<'a, 'm> {
    fn new(scanned: &'a Scanned<'m>) -> Self {
        Builder { scanned, frame: Frame::new(scanned), kept: None, patches: Vec::new() }
    }

    fn add(&mut self, at: u32, slots: &Arms<'_>, additions: &Additions) {
        self.frame.next_patch();
        let any = slots.values().flatten().any(|(_, edit)| keeps(&edit.code));
        if any && self.kept.is_none() {
            // Only one mutant runs, so one local is enough for all.
            self.kept = Some(self.frame.held(ValType::I32));
        }
        self.patches.extend(switch(&mut self.frame, self.scanned, at, slots, self.kept, additions));
    }

    fn copy(self, version: u32) -> FunctionCopy {
        FunctionCopy {
            version,
            function: self.scanned.function,
            locals: self.frame.into_locals(),
            patches: self.patches,
        }
    }
}

/// Makes the observing version; returns each mutant's notes and the number of bits.
fn observer(
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    additions: &Additions,
    copies: &mut Vec<FunctionCopy>,
) -> (Vec<Notes>, u32) {
    let mut sites: BTreeMap<Place, Vec<(usize, &Edit, &Infection)>> = BTreeMap::new();
    for (number, mutant) in mutants.iter().enumerate() {
        for (function, edit, infection) in edits(mutant) {
            sites.entry((function, edit.at)).or_default().push((number, edit, infection));
        }
    }
    let (mut notes, reached, bits) = bits(mutants.len(), &sites);
    let mut builders: BTreeMap<usize, Builder<'_, '_>> = BTreeMap::new();
    let mut kept: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for (&(function, at), site) in &sites {
        let builder = builders.entry(function).or_insert_with(|| Builder::new(&all.functions[function]));
        builder.frame.next_patch();
        let mut observed = Vec::new();
        for &(number, edit, infection) in site {
            let kept = keeps(&edit.code)
                .then(|| *kept.entry((function, number)).or_insert_with(|| builder.frame.held(ValType::I32)));
            observed.push(ObservedEdit { edit, infection, bit: notes[number].infected, kept });
        }
        let bit = reached[&(function, at)];
        let patch = observe(&mut builder.frame, builder.scanned, at, bit, &observed, additions);
        builder.patches.extend(patch);
    }
    copies.extend(builders.into_values().map(|builder| builder.copy(OBSERVER)));
    notes.iter_mut().for_each(|n| n.reached.dedup());
    (notes, bits)
}

/// Gives every place and every mutant a bit. Those of a place are adjacent, so that they share words.
fn bits(
    mutants: usize,
    sites: &BTreeMap<Place, Vec<(usize, &Edit, &Infection)>>,
) -> (Vec<Notes>, BTreeMap<Place, u32>, u32) {
    const NONE: u32 = u32::MAX;
    let mut notes = vec![Notes { reached: Vec::new(), infected: NONE }; mutants];
    let mut reached = BTreeMap::new();
    let mut next = 0;
    let mut take = || {
        next += 1;
        next - 1
    };
    for (&place, site) in sites {
        let bit = take();
        reached.insert(place, bit);
        for &(number, ..) in site {
            notes[number].reached.push(bit);
            if notes[number].infected == NONE {
                notes[number].infected = take();
            }
        }
    }
    (notes, reached, next)
}
