//! Descriptions of mutants for people: their places, and the changes, such as `a + b <= c` → `a + b < c`.
//!
//! The two sides of a change are written in the words of the source if the source expression of the instruction can be
//! determined. Otherwise they are reconstructed from the operand stack, with the names of the variables. Without debug
//! information they are instructions of the text format.

mod build;
mod context;
mod expression;
mod forms;
mod in_source;
mod literals;
mod mnemonic;
mod operation;
mod origin;
mod render;
mod source_matching;
#[cfg(test)]
mod tests;
mod wat;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::rc::Rc;

use dodona_subject::{DebugInfo, LocalWrites, Location};

use crate::source::language::Language;
use crate::source::{SourceFile, SourceFiles};
use crate::{Candidate, Scanned};

use build::Builder;
use expression::{Expression, Kind};
pub(crate) use mnemonic::mnemonic;
pub(crate) use operation::memarg;
use origin::Origin;
use render::{Known, Renderer, Signs};

/// The description of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The instruction that counts as the place of the mutant.
    pub instruction: u32,
    /// Its place in the source.
    pub place: Option<Location>,
    /// What the original does there.
    pub before: String,
    /// What the mutant does there.
    pub after: String,
    /// The line of the source, without surrounding white space.
    pub source_line: Option<String>,
    /// Which inlined copy of the source the place is in, as [`dodona_subject::InlineInstance::id`]; 0 for none.
    pub copy: u32,
}

/// Describes mutants of a module.
pub struct Describer<'a> {
    debug: Option<&'a DebugInfo>,
    sources: SourceFiles,
    variables: HashMap<u32, Rc<Variables>>,
}

/// The variables of a function.
struct Variables {
    names: BTreeSet<String>,
    writes: LocalWrites,
}

/// The two sides of an edit as text.
struct Sides {
    before: String,
    after: String,
    /// Line and column in the source.
    place: Option<(u32, u32)>,
}

/// The effect of an edit, as expressions.
struct Difference {
    before: Expression,
    after: Expression,
}

impl<'a> Describer<'a> {
    /// A describer for a module with this debug information, whose manifest is in `folder`.
    pub fn new(debug: Option<&'a DebugInfo>, folder: &Path) -> Describer<'a> {
        Describer { debug, sources: SourceFiles::new(folder), variables: HashMap::new() }
    }

    /// Describes a change of a function.
    pub fn describe(&mut self, scanned: &Scanned<'_>, candidate: &Candidate) -> Description {
        let at = candidate.edits[0].at;
        let Origin { mut place, copy, is_call, .. } = self.nearest_origin(scanned, self.anchor(scanned, at));
        let file = self.debug.zip(place.as_ref()).and_then(|(d, l)| self.sources.file(d, l));
        let sides = match self.debug {
            Some(debug) => self.sides(scanned, candidate, debug, file.as_deref().filter(|_| !is_call)),
            None => wat_sides(scanned, candidate),
        };
        if let (Some(place), Some((line, column))) = (&mut place, sides.place) {
            (place.line, place.column) = (line, column);
        }
        let source_line = file.zip(place.as_ref()).and_then(|(f, l)| f.line(l.line).map(str::to_owned));
        let Sides { before, after, .. } = sides;
        Description { instruction: at, place, before, after, source_line, copy }
    }

    fn sides(
        &mut self,
        scanned: &Scanned<'_>,
        candidate: &Candidate,
        debug: &DebugInfo,
        file: Option<&SourceFile>,
    ) -> Sides {
        let variables = self.variables(scanned, debug);
        let builder = Builder::new(scanned, debug, &variables.writes);
        let recorded = |at: u32| debug.location_at(scanned.at(self.anchor(scanned, at)).offset);
        let first = recorded(candidate.edits[0].at).map(|l| &l.file);
        let location = |at: u32| recorded(at).filter(|l| Some(&l.file) == first);
        if let Some(pair) = context::pair(&builder, candidate) {
            let places = pair.places.iter().filter_map(|at| location(*at));
            let lines: BTreeSet<u32> = places.map(|l| l.line).collect();
            let sides = file.and_then(|file| in_source::pair(file, &lines, &variables.names, &pair));
            if let Some(sides) = sides.or_else(|| from_code(file, &pair.difference())) {
                return sides;
            }
        }
        let one = |(at, difference): (u32, Difference)| {
            let places = file.zip(location(at));
            let found = places.and_then(|(f, l)| in_source::one(f, l, &variables.names, &difference));
            found.or_else(|| from_code(file, &difference))
        };
        let all: Option<Vec<Sides>> =
            context::differences(&builder, candidate).into_iter().map(one).collect();
        // If both sides read the same, the instructions may still differ.
        all.map_or_else(|| wat_sides(scanned, candidate), joined)
    }

    fn variables(&mut self, scanned: &Scanned<'_>, debug: &DebugInfo) -> Rc<Variables> {
        let read = || {
            let subprogram = debug.subprogram(scanned.module, scanned.function);
            let names = subprogram.map(|s| s.locals.values().cloned().collect()).unwrap_or_default();
            Rc::new(Variables { names, writes: LocalWrites::of(scanned.module, scanned.function) })
        };
        self.variables.entry(scanned.function).or_insert_with(read).clone()
    }
}

fn wat_sides(scanned: &Scanned<'_>, candidate: &Candidate) -> Sides {
    joined(candidate.edits.iter().map(|edit| wat::sides(scanned, edit)).collect())
}

/// The descriptions of several edits, without duplicates.
fn joined(all: Vec<Sides>) -> Sides {
    let mut sides: Vec<Sides> = Vec::new();
    for one in all {
        if !sides.iter().any(|s| s.before == one.before && s.after == one.after) {
            sides.push(one);
        }
    }
    let join = |side: fn(&Sides) -> &str| sides.iter().map(side).collect::<Vec<_>>().join("; ");
    let place = sides.first().and_then(|s| s.place);
    Sides { before: join(|s| &s.before), after: join(|s| &s.after), place }
}

/// The two sides as reconstructed from the operand stack; `None` if they read the same.
fn from_code(file: Option<&SourceFile>, difference: &Difference) -> Option<Sides> {
    let Difference { before, after } = difference;
    let language = file.map_or(Language::C, |f| f.language);
    let texts = |signs: Signs| {
        let known = Known::default();
        let renderer = Renderer { language, signs, known: &known };
        let after = if before.is_boolean() { renderer.condition(after) } else { renderer.text(after) };
        (renderer.text(before), after)
    };
    let differing = Signs::for_change(before, after).iter().map(|s| texts(*s)).find(|(b, a)| b != a);
    differing.map(|(before, after)| Sides { before, after, place: None })
}

/// Whether an expression is a statement and gives no value.
fn is_statement(expression: &Expression) -> bool {
    matches!(
        expression.kind,
        Kind::Trap
            | Kind::Sequence(_)
            | Kind::Assign(..)
            | Kind::Return(_)
            | Kind::Condition(_)
            | Kind::Switch(_)
    )
}
