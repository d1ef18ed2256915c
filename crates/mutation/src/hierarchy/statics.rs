//! Which mutants are equal to others or stronger, determined by their code: their conditions and effects are compared in every
//! state.

use std::collections::{BTreeMap, BTreeSet};

use dodona_generation::{Solvers, search::SearchOptions};
use dodona_mutants::{Mutant, MutantVersion, Mutants, side_by_side};
use dodona_records::{Judgement, MutantId, MutantRecord, Proof};
use dodona_subject::{Allocator, Argument};
use dodona_symbolic::Code;
use dodona_symbolic::segment::{Finding, Findings, Segments, Version};
use dodona_symbolic::solver::{Answer, Solver, Unknown};
use dodona_symbolic::term::{Term, Terms};
use dodona_target::Until;
use dodona_wasm::{Workbench, runs};
use dodona_workbench::LabError;

/// The most mutants that are read together. More mutants are read in parts, so that memory stays bounded; only mutants of one
/// part are compared.
const AT_ONCE: usize = 4096;

/// The number of terms of a part beyond which no further block is compared.
const MOST_TERMS: usize = 4_000_000;

/// The order of mutants that follows from their code. Mutants are numbered by their places in the list that was passed.
#[derive(Clone, Debug, Default)]
pub(crate) struct StaticFacts {
    /// Mutants that do the same as the original in every state.
    pub equivalent: Vec<usize>,
    /// Pairs of mutants that do the same in every state.
    pub same: Vec<(usize, usize)>,
    /// Pairs whose first mutant is stronger. It is, because their block is executed at most once in a run.
    pub stronger: Vec<(usize, usize)>,
    /// Pairs of mutants of one block that no test kills both of: no state in which the block can begin infects both, and it is executed
    /// at most once in a run.
    pub disjoint: Vec<(usize, usize)>,
    /// Pairs of mutants for which it was left open whether they are disjoint.
    pub disjoint_unknown: u64,
    /// Pairs of mutants for which it was left open whether they do the same, or one is stronger, behind the code that follows their block.
    pub farther_unknown: u64,
    /// For each block that is executed at most once in a run: the mutants that change it.
    pub blocks: Vec<Vec<usize>>,
    /// Pairs of these blocks of which a run executes one at most.
    pub alternatives: Vec<(usize, usize)>,
    /// Blocks of code in which mutants were compared.
    pub segments: u64,
    /// How many of these blocks are executed at most once in a run.
    pub once: u64,
    /// Mutants that could not be compared, because they change several blocks or use something that is not supported.
    pub unsupported: u64,
    /// Mutants that were not compared, because the time was up or there were too many terms.
    pub left: u64,
    /// Questions to the solver about mutants and about parts of them.
    pub questions: u64,
    /// Questions about mutants that were not answered, and pairs for which there was no time.
    pub unknown: u64,
    /// Why no solver was asked, if none was.
    pub no_solver: Option<String>,
}

/// Takes the place of a missing solver. Without one, only facts that follow from the form of terms are found.
struct Silent;

impl Solver for Silent {
    fn check(&mut self, _: &Terms, _: &[Term]) -> Answer {
        Answer::Unknown(Unknown::GaveUp("there is no solver".to_owned()))
    }
}

/// The places in the list of the mutants that do the same as the original in every state in which the block that they change
/// can begin.
///
/// # Errors
/// As [`static_facts`].
pub(crate) fn equivalent_by_state(
    workbench: &Workbench,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    search: &SearchOptions,
    until: &Until,
) -> Result<Vec<usize>, LabError> {
    Ok(facts(workbench, all, mutants, (search, until), Wanted::Equal)?.equivalent)
}

/// Notes that mutants were proved to do the same as the original in every state. A mutant that a test kills stays killed;
/// whoever compares proofs and runs reports the contradiction.
pub(crate) fn take_as_equivalent(records: &mut [MutantRecord], equivalent: &[MutantId]) {
    let proof = Judgement::Equivalent { proof: Proof::EveryState };
    let is_proved = |m: &&mut MutantRecord| equivalent.contains(&m.id) && m.is_alive();
    records.iter_mut().filter(is_proved).for_each(|mutant| mutant.judgement = proof.clone());
}

/// Compares mutants that change the same block of code with each other.
///
/// # Errors
/// When mutants cannot be written as code, which would be a bug in Dodona.
pub(crate) fn static_facts(
    workbench: &Workbench,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    search: &SearchOptions,
    until: &Until,
) -> Result<StaticFacts, LabError> {
    facts(workbench, all, mutants, (search, until), Wanted::Order)
}

/// What is determined of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Which do the same.
    Equal,
    /// Which do the same, and which are stronger.
    Order,
}

fn facts(
    workbench: &Workbench,
    all: &Mutants<'_>,
    mutants: &[&Mutant],
    (search, until): (&SearchOptions, &Until),
    wanted: Wanted,
) -> Result<StaticFacts, LabError> {
    let mut no_solver = None;
    let mut silent = Silent;
    let mut started;
    let solver: &mut dyn Solver = match search.solver(until).map(Solvers::losing_patience) {
        Ok(solver) => {
            started = solver;
            &mut started
        }
        Err(why) => {
            no_solver = Some(why.to_string());
            &mut silent
        }
    };
    let entrances = Entrances::of(workbench);
    let segments = Segments::new(Code::new(&workbench.target.module), &entrances.pointers);
    let facts = StaticFacts { no_solver, ..StaticFacts::default() };
    let executed_once = BTreeMap::new();
    let mut comparing = Comparing { entrances, segments, solver, until, wanted, executed_once, facts };
    for (part, first) in mutants.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
        let read = side_by_side(&workbench.target.module, all, part);
        let read = read.map_err(|error| LabError::Mutants(error.to_string()))?;
        let code = Code::new(&read.module);
        comparing.part(&read.versions, first, &code);
    }
    Ok(comparing.finish())
}

/// A mutant that changes a block.
#[derive(Clone, Copy)]
struct Member<'a> {
    /// Its place in the list that was passed.
    number: usize,
    /// The first instruction that it changes.
    at: u32,
    version: Version<'a>,
}

/// A block about which harder questions are asked later, with those of its mutants that are neither equivalent nor the same as an earlier one.
struct Later<'a> {
    function: u32,
    members: Vec<Member<'a>>,
    once: bool,
}

/// The mutants of each block, by the function and the block in it.
type ByBlock<'a> = BTreeMap<(u32, usize), Vec<Member<'a>>>;

/// Mutants that are being compared, block by block.
struct Comparing<'w> {
    entrances: Entrances,
    segments: Segments,
    solver: &'w mut dyn Solver,
    until: &'w Until,
    wanted: Wanted,
    /// For each function the first instructions of those of its blocks that are executed once, with the block's place in the list of facts.
    executed_once: BTreeMap<u32, Vec<(u32, usize)>>,
    facts: StaticFacts,
}

impl Comparing<'_> {
    /// Compares the mutants of one part, whose first has this number. Harder questions come when there is time left by the others: those about
    /// effects behind the block, then which pairs no test kills both of.
    fn part(&mut self, versions: &[Option<MutantVersion>], first: usize, code: &Code) {
        let mut later: Vec<Later<'_>> = Vec::new();
        for ((function, block), members) in self.by_block(versions, first, code) {
            let once = self.is_executed_once(function, block, &members);
            if !self.goes_on() {
                self.facts.left += members.len() as u64;
                continue;
            }
            let firsts = self.segment(function, &members, once);
            // For equivalence alone the paths of whole functions are proved afterwards, which says more than code behind a block.
            later.extend((self.wanted == Wanted::Order).then_some(Later { function, members: firsts, once }));
        }
        later.iter_mut().filter(|block| !block.members.is_empty()).for_each(|block| self.farther(block));
        later
            .iter()
            .filter(|block| block.once && block.members.len() > 1)
            .for_each(|block| self.disjoint(block));
    }

    /// The mutants of one part by the block that they change.
    fn by_block<'c>(
        &mut self,
        versions: &[Option<MutantVersion>],
        first: usize,
        code: &'c Code,
    ) -> ByBlock<'c> {
        let mut groups = ByBlock::new();
        for (number, version) in versions.iter().enumerate() {
            let block =
                version.and_then(|v| Some((v.function, self.segments.block(v.function, v.changed.0)?)));
            let (Some(version), Some(block)) = (version, block) else {
                self.facts.unsupported += 1;
                continue;
            };
            let (at, last) = version.changed;
            let version = Version { code, function: version.index, last };
            groups.entry(block).or_default().push(Member { number: first + number, at, version });
        }
        groups
    }

    /// Whether a block is executed at most once in a run, which is only asked where an order is wanted. Such a block is noted.
    fn is_executed_once(&mut self, function: u32, block: usize, members: &[Member<'_>]) -> bool {
        let at = members[0].at;
        let once =
            self.wanted == Wanted::Order && self.entrances.execute_once(&mut self.segments, function, at);
        if once {
            self.executed_once.entry(function).or_default().push((at, self.facts.blocks.len()));
            // A mutant that also changes another block may be reached there.
            let alone =
                |member: &&Member<'_>| self.segments.block(function, member.version.last) == Some(block);
            let alone = members.iter().filter(alone).map(|member| member.number).collect();
            self.facts.blocks.push(alone);
        }
        once
    }

    /// Whether there is time, and room for more terms.
    fn goes_on(&self) -> bool {
        self.until.goes_on() && self.segments.terms() <= MOST_TERMS
    }

    /// Compares the mutants of one block. Returns those of which none is equivalent, or does the same as an earlier one.
    fn segment<'a>(&mut self, function: u32, members: &[Member<'a>], once: bool) -> Vec<Member<'a>> {
        let go_on = || self.until.goes_on();
        let versions = versions(members);
        let findings = self.segments.compare(function, members[0].at, &versions, once, self.solver, &go_on);
        self.facts.segments += 1;
        self.facts.once += u64::from(once);
        self.facts.unsupported += findings.unsupported;
        self.facts.unknown += findings.unknown;
        self.facts.note(&findings, members);
        firsts(&findings.found, members)
    }

    /// Compares what the mutants of one block do behind the code that follows it in any case. Only those that remain are kept.
    fn farther(&mut self, block: &mut Later<'_>) {
        if !self.goes_on() {
            return;
        }
        let Later { function, members, once } = block;
        let place = |number: usize| members.iter().position(|member| member.number == number);
        let known = self.facts.stronger.iter();
        let known = known.filter_map(|&(strong, weak)| Some((place(strong)?, place(weak)?)));
        let known: Vec<(usize, usize)> = known.collect();
        let (at, versions, go_on) = (members[0].at, versions(members), || self.until.goes_on());
        let findings =
            self.segments.compare_farther(*function, at, &versions, *once, &known, self.solver, &go_on);
        self.facts.farther_unknown += findings.unknown;
        self.facts.note(&findings, members);
        *members = firsts(&findings.found, members);
    }

    /// Finds pairs of mutants of one block that no test kills both of. Mutants that do the same as one of these need not be asked about.
    fn disjoint(&mut self, Later { function, members, .. }: &Later<'_>) {
        if !self.goes_on() {
            let count = members.len() as u64;
            self.facts.disjoint_unknown += count * (count - 1) / 2;
            return;
        }
        let go_on = || self.until.goes_on();
        let versions = versions(members);
        let findings = self.segments.disjoint(*function, members[0].at, &versions, self.solver, &go_on);
        self.facts.disjoint_unknown += findings.unknown;
        self.facts.note(&findings, members);
    }

    /// The facts, with the pairs of blocks of which a run executes one at most.
    fn finish(mut self) -> StaticFacts {
        for (function, blocks) in &self.executed_once {
            let instructions: Vec<u32> = blocks.iter().map(|(at, _)| *at).collect();
            let pairs = self.segments.alternatives(*function, &instructions);
            let pairs = pairs.into_iter().map(|(one, other)| (blocks[one].1, blocks[other].1));
            self.facts.alternatives.extend(pairs);
        }
        self.facts
    }
}

impl StaticFacts {
    fn note(&mut self, findings: &Findings, members: &[Member<'_>]) {
        self.questions += findings.questions;
        let pair = |a: usize, b: usize| (members[a].number, members[b].number);
        for finding in &findings.found {
            match *finding {
                Finding::Equivalent(a) => self.equivalent.push(members[a].number),
                Finding::Same(a, b) => self.same.push(pair(a, b)),
                Finding::Stronger(a, b) => self.stronger.push(pair(a, b)),
                Finding::Disjoint(a, b) => self.disjoint.push(pair(a, b)),
            }
        }
    }
}

fn versions<'a>(members: &[Member<'a>]) -> Vec<Version<'a>> {
    members.iter().map(|member| member.version).collect()
}

/// The mutants that are neither equivalent nor the same as an earlier one.
fn firsts<'a>(found: &[Finding], members: &[Member<'a>]) -> Vec<Member<'a>> {
    let mut firsts: Vec<Option<Member<'a>>> = members.iter().copied().map(Some).collect();
    for finding in found {
        if let Finding::Equivalent(one) | Finding::Same(_, one) = finding {
            firsts[*one] = None;
        }
    }
    firsts.into_iter().flatten().collect()
}

/// The functions of the module by which it is entered from outside.
struct Entrances {
    /// For each function under test its index in the module, and the functions that its calls can run.
    roots: Vec<(u32, BTreeSet<u32>)>,
    /// The function that allocates memory for arguments. It is called as often as there are such arguments.
    allocator: Option<u32>,
    /// Functions that are passed as pointers.
    pointers: Vec<u32>,
}

impl Entrances {
    fn of(workbench: &Workbench) -> Entrances {
        let declared = &workbench.target.manifest.functions;
        let index = |name: &str| workbench.target.module.export_function(name);
        let roots =
            (0..declared.len()).filter_map(|f| Some((index(&declared[f].export)?, runs(workbench, [f]))));
        let pointers = declared.iter().flat_map(|f| &f.arguments).filter_map(|argument| match argument {
            Argument::FunctionPointer(export) => index(export),
            _ => None,
        });
        let allocator = match Allocator::usual(&workbench.target.module) {
            Allocator::Malloc(function) | Allocator::Realloc(function) => Some(function),
            Allocator::Pages => None,
        };
        Entrances { roots: roots.collect(), allocator, pointers: pointers.collect() }
    }

    /// Whether an instruction is executed at most once in every call of a function under test that can reach it.
    fn execute_once(&self, segments: &mut Segments, function: u32, instruction: u32) -> bool {
        let mut roots = self.roots.iter().filter(|(_, runs)| runs.contains(&function));
        roots.all(|(root, _)| segments.is_executed_once(*root, function, instruction))
            && self.allocator.is_none_or(|allocator| !segments.is_reached(allocator, function))
    }
}
