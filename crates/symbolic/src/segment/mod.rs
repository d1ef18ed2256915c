//! Segments: comparison of versions of a few instructions, in every state in which these can begin.
//!
//! A mutant differs from the original in a few instructions of one block. The effect of the block is a term over the state in
//! which it begins. If two versions of the block have the same effect in every such state, they are equivalent (Kapoor 2011,
//! Theorem 3, which says it of conditions; here it holds for whatever the block leaves behind). If the block is executed at
//! most once in a run, more can be said (Theorem 4): suppose that one version does the same as another wherever that other
//! version differs from the original. Then every test that kills the other version kills this one too, because from there on
//! the two runs are equal.
//!
//! No test kills two such versions both if no state tells both from the original (Theorem 2).
//!
//! Effects are compared at the end of the block, and once more behind the code that follows it in any case (`stretches`): what is equal there is
//! equal from there on. Where that code has loops, or accesses memory in only some of its paths, effects are compared at the end of the block alone.
//!
//! What holds on every path to the block is known at its beginning: the conditions of branches that dominate it, and what was
//! assigned since.
//!
//! A block is read without knowledge of memory. Equal loads after equal accesses give equal variables, other loads give other variables,
//! and a call is a function of its arguments, the globals and memory. What is proved for all values of the variables therefore holds for
//! the values that memory really has. Everything is forgotten that the paths from a dominating condition to the block may write. Whether
//! a block is executed once follows from the control flow and the calls; it is never assumed.

mod calls;
mod effect;
mod entry;
mod flow;
mod follow;
mod order;
mod questions;
mod segment_run;
mod states;
mod stretches;
mod sweep;

use std::rc::Rc;

use dodona_smt::{solver::Solver, term::Term};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use calls::CallSites;
use effect::Effect;
use entry::Turns;
use flow::{Exit, Flow};
use follow::Followed;
use order::Comparison;
use questions::Questions;
use segment_run::{Entry, Requests, Segment};
use stretches::{Stretch, stretches};

use crate::code::{Body, Code, Instruction};
use crate::step::{Machine, StepLimits};

/// How versions of a segment relate. Versions are numbered by their places in the list that was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// This version does the same as the original.
    Equivalent(usize),
    /// Both do the same in every state: a test kills either both or neither.
    Same(usize, usize),
    /// The second version does the same as the first wherever the first differs from the original, and the segment is executed
    /// at most once in a run. So a test that kills the first kills the second.
    Stronger(usize, usize),
    /// No state in which the segment can begin tells both from the original, and the segment is executed at most once in a run. So
    /// no test kills both.
    Disjoint(usize, usize),
}

/// The result of comparing the versions of one segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// How versions relate. A finding that follows from two others may be missing.
    pub found: Vec<Finding>,
    /// The number of versions that could not be translated to terms. Nothing is said of these.
    pub unsupported: u64,
    /// The number of claims that were given to the solver, about versions and about parts of them.
    pub questions: u64,
    /// The number of claims about versions that the solver left open, or for which there was no time. Open claims about parts
    /// are not counted, because the versions are asked about in any case.
    pub unknown: u64,
}

/// A changed version of a function of the original.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The module that it is in.
    pub code: &'a Code,
    /// The function's index in that module.
    pub function: u32,
    /// The last instruction that is changed, as an index in the original.
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
    /// The segments of a module. `pointers` are the functions that are passed to it as pointers: an indirect call may reach
    /// them.
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

    /// The number of the block that contains an instruction of a function; the instructions of one block are one segment.
    /// `None` for an imported function.
    pub fn block(&mut self, function: u32, instruction: u32) -> Option<usize> {
        Some(self.known(function)?.flow.block(instruction))
    }

    /// Whether a block of a function is executed at most once in a call of `root` from outside, whatever the arguments are.
    /// This is decided by the control flow: the block is in no loop, and its function is called at one place at most, which is
    /// executed at most once.
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

    /// Compares versions of the block that contains an instruction of a function. Each version may differ from the original in
    /// this block only. `once` says that the block is executed at most once in a run of a test
    /// ([`Segments::is_executed_once`]). If the solver does not know an answer, nothing is claimed.
    pub fn compare(
        &mut self,
        function: u32,
        instruction: u32,
        versions: &[Version<'_>],
        once: bool,
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Findings {
        let run = |comparison: Comparison<'_, '_>, _: &[usize]| comparison.run(once);
        self.asked((function, instruction, false), versions, solver, go_on, run)
    }

    /// Compares versions of a block as [`Segments::compare`] does, by their effects behind the code that follows the block in any case. These are other
    /// questions, and harder ones. `stronger` are the pairs of a stronger and a weaker version that are known.
    #[expect(clippy::too_many_arguments, reason = "what `compare` takes, and what it found")]
    pub fn compare_farther(
        &mut self,
        function: u32,
        instruction: u32,
        versions: &[Version<'_>],
        once: bool,
        stronger: &[(usize, usize)],
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Findings {
        let run = |comparison: Comparison<'_, '_>, numbers: &[usize]| {
            let place =
                |version: usize| numbers.iter().position(|&number| number == version).map(|at| at + 1);
            let known = stronger.iter().filter_map(|&(a, b)| Some((place(a)?, place(b)?)));
            comparison.run_farther(once, &known.collect::<Vec<_>>())
        };
        self.asked((function, instruction, true), versions, solver, go_on, run)
    }

    /// Finds pairs of these versions that no test kills both of ([`Finding::Disjoint`]). The block must be executed at most once in a
    /// run of a test ([`Segments::is_executed_once`]), and each version must differ from the original in some state.
    pub fn disjoint(
        &mut self,
        function: u32,
        instruction: u32,
        versions: &[Version<'_>],
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
    ) -> Findings {
        let run = |comparison: Comparison<'_, '_>, _: &[usize]| comparison.disjoint();
        self.asked((function, instruction, true), versions, solver, go_on, run)
    }

    /// The pairs of these instructions of a function, by their places in the list, of which no call can execute both: no path leads
    /// from the block of one to that of the other.
    pub fn alternatives(&mut self, function: u32, instructions: &[u32]) -> Vec<(usize, usize)> {
        let Some(known) = self.known(function) else { return Vec::new() };
        let flow = &known.flow;
        let blocks: Vec<usize> = instructions.iter().map(|instruction| flow.block(*instruction)).collect();
        let reached: Vec<FixedBitSet> = blocks.iter().map(|block| flow.reached_from(*block)).collect();
        let leads = |from: usize, to: usize| blocks[from] == blocks[to] || reached[from].contains(blocks[to]);
        let pairs = (0..blocks.len()).flat_map(|one| (one + 1..blocks.len()).map(move |other| (one, other)));
        pairs.filter(|&(one, other)| !leads(one, other) && !leads(other, one)).collect()
    }

    /// Asks about versions of a block, by their effects at its end, and if `farther` also behind the code that follows in any case.
    fn asked(
        &mut self,
        (function, instruction, farther): (u32, u32, bool),
        versions: &[Version<'_>],
        solver: &mut dyn Solver,
        go_on: &dyn Fn() -> bool,
        ask: impl FnOnce(Comparison<'_, '_>, &[usize]) -> Findings,
    ) -> Findings {
        let Some(effects) = self.effects(function, instruction, versions, farther) else {
            return Findings { unsupported: versions.len() as u64, ..Findings::default() };
        };
        let Effects { near, far, numbers, facts } = effects;
        let questions = Questions::new(&mut self.machine.terms, &facts, solver, go_on);
        let mut findings = ask(Comparison::new(questions, near, far), &numbers);
        findings.unsupported = (versions.len() - numbers.len()) as u64;
        let number = |version: &mut usize| *version = numbers[*version - 1];
        for finding in &mut findings.found {
            match finding {
                Finding::Equivalent(a) => number(a),
                Finding::Same(a, b) | Finding::Stronger(a, b) | Finding::Disjoint(a, b) => {
                    number(a);
                    number(b);
                }
            }
        }
        findings
    }

    /// The effects of the original and its versions. `None` if the original cannot be translated.
    fn effects(
        &mut self,
        function: u32,
        instruction: u32,
        versions: &[Version<'_>],
        farther: bool,
    ) -> Option<Effects> {
        let known = self.known(function)?;
        let (body, flow) = (Rc::clone(&known.body), Rc::clone(&known.flow));
        let block = flow.block(instruction);
        let (start, end) = (flow.blocks[block].start, flow.blocks[block].end);
        let readable = |version: &Version<'_>| {
            let changed = version.code.body(version.function).filter(|changed| changed.is_understood())?;
            // Versions only add code, and only in this block.
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
        live.union_with(&read_by(&turns.instructions, body.locals.len()));
        let mut all = FixedBitSet::with_capacity(body.locals.len());
        all.insert_range(..);
        let ending = std::mem::discriminant(&original.ending);
        let mut near = vec![Effect::new(&mut self.machine.terms, &original, &live, &self.changing)];
        let stretches = if farther { stretches(&body, &flow, block) } else { Vec::new() };
        let followed = Followed { body: &body, flow: &flow };
        let (end, reached) = followed.farthest(&mut self.segment(&code), block, &original, &stretches);
        let stretches = &stretches[..reached];
        let read_behind = match stretches.last() {
            None | Some(Stretch { end: Exit::Function, .. }) => FixedBitSet::with_capacity(body.locals.len()),
            Some(Stretch { end: Exit::Block(last), .. }) => {
                let mut read = flow.live_behind(*last);
                read.union_with(&read_by(&turns.instructions, body.locals.len()));
                read
            }
        };
        let mut far = vec![match reached {
            0 => None,
            _ => Some(Effect::new(&mut self.machine.terms, &end, &read_behind, &self.changing)),
        }];
        let mut numbers = Vec::new();
        for (number, changed) in changed.iter().enumerate() {
            let Some((changed, behind)) = changed else { continue };
            let outcome = self.segment(versions[number].code).run(changed, &entry, start, *behind);
            let Some(outcome) = outcome else { continue };
            // A version that branches where the original does not may reach code that the original never reaches.
            let ends_alike = std::mem::discriminant(&outcome.ending) == ending;
            let read = if ends_alike { &live } else { &all };
            near.push(Effect::new(&mut self.machine.terms, &outcome, read, &self.changing));
            far.push(match ends_alike && reached > 0 {
                false => None,
                true => {
                    let (end, as_far) =
                        followed.farthest(&mut self.segment(&code), block, &outcome, stretches);
                    let same_way = as_far == reached;
                    same_way.then(|| Effect::new(&mut self.machine.terms, &end, &read_behind, &self.changing))
                }
            });
            numbers.push(number);
        }
        Some(Effects { near, far, numbers, facts: entry.facts.clone() })
    }

    /// The number of terms. It grows with the number of comparisons.
    pub fn terms(&self) -> usize {
        self.machine.terms.len()
    }

    fn segment<'a>(&'a mut self, code: &'a Code) -> Segment<'a> {
        Segment { machine: &mut self.machine, requests: &mut self.requests, code, changing: &self.changing }
    }

    /// What is known at the beginning of a block that may be reached again after other versions of it.
    fn entry(&mut self, function: u32, block: usize, turns: &Turns) -> Option<Rc<Entry>> {
        self.known(function)?;
        let mut known = self.known.remove(&function)?;
        let code = Rc::clone(&self.code);
        let (body, flow) = (Rc::clone(&known.body), Rc::clone(&known.flow));
        let mut own = vec![None; known.entries.len()];
        // The writes of versions belong to this comparison alone.
        let entries = if turns.instructions.is_empty() { &mut known.entries } else { &mut own };
        let entry = entry::entry(&mut self.segment(&code), &body, &flow, entries, block, turns);
        self.known.insert(function, known);
        entry
    }

    /// The control flow of a function; `None` if it has an unsupported instruction, which could continue anywhere.
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

/// The locals of the original that instructions read.
fn read_by(instructions: &[Instruction], locals: usize) -> FixedBitSet {
    let mut read = FixedBitSet::with_capacity(locals);
    read.extend(instructions.iter().filter_map(|instruction| match instruction {
        Instruction::LocalGet(local) => Some(*local as usize).filter(|local| *local < locals),
        _ => None,
    }));
    read
}

/// The effects of the original and of versions of one block, the original first.
struct Effects {
    /// At the end of the block.
    near: Vec<Effect>,
    /// Behind the code that is executed in any case; `None` where that could not be run in the same way as in the original.
    far: Vec<Option<Effect>>,
    /// The numbers of the versions that could be translated.
    numbers: Vec<usize>,
    /// What is known at the beginning of the block.
    facts: Vec<Term>,
}

/// The versions of a block, if it can be executed repeatedly. After a first turn a version may have written something that the
/// original does not write, and may read something that the original does not read again.
fn turns(flow: &Flow, block: usize, start: u32, versions: &[Option<(Rc<Body>, u32)>]) -> Turns {
    if !flow.repeats(block) {
        return Turns::default();
    }
    let of_version =
        |(body, end): &(Rc<Body>, u32)| body.instructions[start as usize..*end as usize].to_vec();
    Turns { block, instructions: versions.iter().flatten().flat_map(of_version).collect() }
}
