//! Segments: how versions of a few instructions compare with each other, in every state in which they can begin.
//!
//! A mutant differs from the original in a few instructions of one block. What the block does is a term over the state in which it begins, and two
//! versions of it that do the same in every such state are the same function (Kapoor 2011, Theorem 3, for conditions; here for whatever the
//! block leaves behind). Where a block is executed at most once in a run, more can be said (Theorem 4): a version that does what another one
//! does wherever that one differs from the original is killed by every test that kills the other, for from there on the two runs are one.
//!
//! Known in the state at the start is what holds on every way to it: conditions of branches that dominate it, and what was assigned since.

mod calls;
mod effect;
mod entry;
mod flow;
mod order;
mod questions;
mod run;
mod states;
mod sweep;

use std::rc::Rc;

use dodona_smt::solver::Solver;
use dodona_smt::term::Term;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use calls::CallSites;
use effect::Effect;
use entry::Turns;
use flow::Flow;
use order::Comparison;
use questions::Questions;
use run::{Entry, Requests, Segment};

use crate::code::{Body, Code, Instruction};
use crate::step::{Machine, StepLimits};

/// How versions of a segment relate, by their numbers in the list that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// This version does what the original does.
    Equivalent(usize),
    /// Both do the same, in every state: a test kills either both or none.
    Same(usize, usize),
    /// The second does what the first does wherever the first differs from the original, and the segment is executed at most once in a run: a test
    /// that kills the first kills the second.
    Stronger(usize, usize),
}

/// What comparing the versions of one segment found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How versions relate; what follows from two findings need not be among them.
    pub found: Vec<Finding>,
    /// Versions that could not be read as terms: they relate to no other.
    pub unsupported: u64,
    /// Claims that were put to the solver, about versions and about parts of them.
    pub questions: u64,
    /// Claims about versions that it left open, or that there was no time for. An open claim about a part is not counted: the versions are
    /// asked about all the same.
    pub unknown: u64,
}

/// A changed version of a function of the original.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The module that it is in.
    pub code: &'a Code,
    /// Its index there.
    pub function: u32,
    /// The last instruction that is changed, by its number in the original.
    pub last: u32,
}

/// What is known of one function.
#[derive(Debug)]
struct Known {
    body: Rc<Body>,
    flow: Rc<Flow>,
    entries: Vec<Option<Rc<Entry>>>,
}

/// The segments of the functions of a module.
///
/// ```
/// use dodona_subject::Module;
/// use dodona_symbolic::Code;
/// use dodona_symbolic::segment::{Finding, Segments, Version};
/// use dodona_symbolic::solver::{Answer, Solver, Unknown};
/// use dodona_symbolic::term::{Term, Terms};
///
/// /// Knows nothing: what is found is what the form of terms says.
/// struct NoSolver;
/// impl Solver for NoSolver {
///     fn check(&mut self, _: &Terms, _: &[Term]) -> Answer {
///         Answer::Unknown(Unknown::Budget)
///     }
/// }
/// let code = |text: &str| Code::new(&Module::parse(wat::parse_str(text).unwrap()).unwrap());
/// let original = code("(module (func (param i32) (result i32) (i32.add (local.get 0) (i32.const 0))))");
/// let mutant = code("(module (func (param i32) (result i32) (i32.sub (local.get 0) (i32.const 0))))");
/// let mut segments = Segments::new(original, &[]);
/// let version = Version { code: &mutant, function: 0, last: 2 };
/// let findings = segments.compare(0, 2, &[version], true, &mut NoSolver, &|| true);
/// assert_eq!(findings.found, [Finding::Equivalent(0)]);
/// ```
pub struct Segments {
    code: Rc<Code>,
    machine: Machine,
    requests: Requests,
    /// The globals that may change.
    changing: Vec<usize>,
    known: FxHashMap<u32, Known>,
    calls: FxHashMap<u32, CallSites>,
    pointers: Vec<u32>,
}

impl Segments {
    /// The segments of a module. `pointers` are the functions that are handed to it as pointers: a call by a table may reach them.
    pub fn new(original: Code, pointers: &[u32]) -> Segments {
        let code = Rc::new(original);
        let globals = code.module().globals().iter().enumerate();
        let changing = globals.filter(|(_, global)| global.ty.mutable).map(|(number, _)| number).collect();
        Segments {
            machine: Machine::new(Rc::clone(&code), StepLimits::default()),
            requests: Requests::default(),
            changing,
            known: FxHashMap::default(),
            calls: FxHashMap::default(),
            pointers: pointers.to_vec(),
            code,
        }
    }

    /// The block that an instruction of a function is in, by a number; instructions of one block are one segment. `None` for an imported function.
    pub fn block(&mut self, function: u32, instruction: u32) -> Option<usize> {
        Some(self.known(function)?.flow.block(instruction))
    }

    /// Whether a block of a function is executed at most once in a call of `root` from outside, whatever its arguments. That is read off the control
    /// flow: the block is in no loop, and its function is called at one place at most, which is executed at most once.
    pub fn is_executed_once(&mut self, root: u32, function: u32, instruction: u32) -> bool {
        let sites =
            self.calls.remove(&root).unwrap_or_else(|| CallSites::of(&self.code, root, &self.pointers));
        let here =
            self.known(function).is_some_and(|known| !known.flow.repeats(known.flow.block(instruction)));
        let mut flow = |caller: u32| Some(Rc::clone(&self.known(caller)?.flow));
        let once = here && sites.enters_once(root, function, &mut flow);
        self.calls.insert(root, sites);
        once
    }

    /// Whether a call of `root` from outside can reach a function.
    pub fn is_reached(&mut self, root: u32, function: u32) -> bool {
        let sites = self.calls.entry(root).or_insert_with(|| CallSites::of(&self.code, root, &self.pointers));
        sites.reaches(function)
    }

    /// Compares versions of the block that an instruction of a function is in with each other. Each may differ from the original in that block alone. `once` says
    /// that the block is executed at most once in a run of a test ([`Segments::is_executed_once`]). What the solver does not know is not
    /// claimed.
    pub fn compare(
        &mut self,
        function: u32,
        instruction: u32,
        versions: &[Version<'_>],
        once: bool,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Findings {
        let Some((effects, numbers, facts)) = self.effects(function, instruction, versions) else {
            return Findings { unsupported: versions.len() as u64, ..Findings::default() };
        };
        let questions = Questions::new(&mut self.machine.terms, &facts, solver, go_on);
        let mut findings = Comparison::new(questions, effects).run(once);
        findings.unsupported = (versions.len() - numbers.len()) as u64;
        let number = |version: &mut usize| *version = numbers[*version - 1];
        for finding in &mut findings.found {
            match finding {
                Finding::Equivalent(a) => number(a),
                Finding::Same(a, b) | Finding::Stronger(a, b) => {
                    number(a);
                    number(b);
                }
            }
        }
        findings
    }

    /// What the original and its versions do, the numbers of the versions that could be read, and what is known where the block begins. `None` where the
    /// original cannot be read.
    fn effects(
        &mut self,
        function: u32,
        instruction: u32,
        versions: &[Version<'_>],
    ) -> Option<(Vec<Effect>, Vec<usize>, Vec<Term>)> {
        let known = self.known(function)?;
        let (body, flow) = (Rc::clone(&known.body), Rc::clone(&known.flow));
        let block = flow.block(instruction);
        let (start, end) = (flow.blocks[block].start, flow.blocks[block].end);
        let readable = |version: &Version<'_>| {
            let changed = version.code.body(version.function).filter(|changed| changed.is_understood())?;
            // Code is only added, and only in this block.
            let longer = changed.instructions.len() as i64 - body.instructions.len() as i64;
            let behind = u32::try_from(i64::from(end) + longer).ok()?;
            (start..end).contains(&version.last).then(|| (Rc::clone(changed), behind))
        };
        let changed: Vec<Option<(Rc<Body>, u32)>> = versions.iter().map(readable).collect();
        let turns = turns(&flow, block, start, &changed);
        let entry = self.entry(function, block, &turns)?;
        let code = Rc::clone(&self.code);
        let original = self.segment(&code).run(&body, &entry, start, end)?;
        let mut live = flow.live_behind(block);
        live.extend(turns.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::LocalGet(local) => Some(*local as usize).filter(|local| *local < body.locals.len()),
            _ => None,
        }));
        let mut all = FixedBitSet::with_capacity(body.locals.len());
        all.insert_range(..);
        let ending = std::mem::discriminant(&original.ending);
        let mut effects = vec![Effect::new(&mut self.machine.terms, &original, &live, &self.changing)];
        let mut numbers = Vec::new();
        for (number, changed) in changed.iter().enumerate() {
            let Some((changed, behind)) = changed else { continue };
            let outcome = self.segment(versions[number].code).run(changed, &entry, start, *behind);
            let Some(outcome) = outcome else { continue };
            // A version that branches where the original does not may go where the original never does.
            let read = if std::mem::discriminant(&outcome.ending) == ending { &live } else { &all };
            effects.push(Effect::new(&mut self.machine.terms, &outcome, read, &self.changing));
            numbers.push(number);
        }
        Some((effects, numbers, entry.facts.clone()))
    }

    /// How many terms there are: they grow with what was compared.
    pub fn terms(&self) -> usize {
        self.machine.terms.len()
    }

    fn segment<'a>(&'a mut self, code: &'a Code) -> Segment<'a> {
        Segment { machine: &mut self.machine, requests: &mut self.requests, code, changing: &self.changing }
    }

    /// What is known where a block begins, which other versions of it may come to again.
    fn entry(&mut self, function: u32, block: usize, turns: &Turns) -> Option<Rc<Entry>> {
        self.known(function)?;
        let mut known = self.known.remove(&function)?;
        let code = Rc::clone(&self.code);
        let (body, flow) = (Rc::clone(&known.body), Rc::clone(&known.flow));
        let mut own = vec![None; known.entries.len()];
        // What versions write is known of this comparison alone.
        let entries = if turns.instructions.is_empty() { &mut known.entries } else { &mut own };
        let entry = entry::entry(&mut self.segment(&code), &body, &flow, entries, block, turns);
        self.known.insert(function, known);
        entry
    }

    /// What is known of a function; nothing where an instruction of it is not understood, for that could go on anywhere.
    fn known(&mut self, function: u32) -> Option<&Known> {
        let body = Rc::clone(self.code.body(function)?);
        if !body.is_understood() {
            return None;
        }
        Some(self.known.entry(function).or_insert_with(|| {
            let flow = Rc::new(Flow::of(&body));
            let entries = vec![None; flow.blocks.len()];
            Known { body, flow, entries }
        }))
    }
}

/// What the versions of a block do there, if it can come again. Behind a first turn a version may have written what the original leaves alone, and may
/// read what the original never reads again.
fn turns(flow: &Flow, block: usize, start: u32, versions: &[Option<(Rc<Body>, u32)>]) -> Turns {
    if !flow.repeats(block) {
        return Turns::default();
    }
    let of_version =
        |(body, end): &(Rc<Body>, u32)| body.instructions[start as usize..*end as usize].to_vec();
    Turns { block, instructions: versions.iter().flatten().flat_map(of_version).collect() }
}
