//! The record of a hierarchy.

use crate::orders::{Because, Class, Classes, Group, Reason, Strength, Subsumption};
use dodona_records::{
    Binding, FORMAT_VERSION, HierarchyGraph, HierarchyNode, HierarchyRecord, MutantClass, MutantId,
    MutationRecord, StaticStrength,
};

use super::classes::Recorded;
use super::statics::take_as_equivalent;
use super::*;
use crate::MutateOutcome;
use crate::dominators::{DominatorGroups, Duplicates};
use crate::record::{AnalysisResults, Kept, outcome};
use crate::suite::{Suite, input_of};

/// What a record is made from: the options, and what follows from the code of the mutants.
pub(super) struct Study<'a, 's, 'm> {
    pub workbench: &'a Workbench,
    pub options: &'a MutateOptions,
    pub set: &'s MutantSet<'m>,
    pub statics: &'a StaticFacts,
    /// The mutants that were run. Their places in this list are their numbers below.
    pub distinct: &'a [&'s Mutant],
}

/// Makes the record.
pub(super) fn make(
    study: &Study<'_, '_, '_>,
    ran: Ran<'_, InputsOfMutant>,
) -> Result<HierarchyRecord, LabError> {
    // Faulty versions are no mutants, and have no place in the hierarchy.
    let Ran { suite, baselines, compared, results, versions: _, warnings } = ran;
    let duplicates = duplicates(&compared);
    let count = suite.first_tests().count;
    let RunsOfMutants { killed, infected, overflows, results } = RunsOfMutants::of(results, count);
    let (versions, kind) = (Vec::new(), Kept::Run);
    let found = AnalysisResults { set: study.set, compared, results, versions, warnings, in_vain: 0, kind };
    let outcome = outcome(study.workbench, study.options, &suite, &baselines, found)?;
    let MutateOutcome::Analysed(mutation) = outcome else {
        return Err(LabError::Sources(NO_RELATION.to_owned()));
    };
    let mut record = mutation.record;
    let ids: Vec<MutantId> = study.distinct.iter().map(|mutant| mutant.id).collect();
    let equivalent: Vec<MutantId> = study.statics.equivalent.iter().map(|mutant| ids[*mutant]).collect();
    take_as_equivalent(&mut record.mutants, &equivalent);
    let told = RecordParts {
        workbench: study.workbench,
        statics: study.statics,
        suite: &suite,
        duplicates,
        ids: &ids,
        killed: &killed,
        overflows: &overflows,
    };
    Ok(told.record(&infected, record))
}

/// What inputs did to the mutants that were run: in each list an entry for each mutant.
struct RunsOfMutants {
    /// The inputs that kill it.
    killed: Vec<FixedBitSet>,
    /// The inputs that infect it.
    infected: Vec<FixedBitSet>,
    /// The inputs on which some mutant, or the original, exhausts the call stack.
    overflows: FixedBitSet,
    /// The results of the mutation analysis.
    results: Vec<Option<MutantResult>>,
}

impl RunsOfMutants {
    /// The runs on this number of inputs. A mutant that was not run before an interruption is killed and infected by no input.
    fn of(ran: Vec<Option<InputsOfMutant>>, inputs: usize) -> RunsOfMutants {
        let overflows = FixedBitSet::with_capacity(inputs);
        let mut runs =
            RunsOfMutants { killed: Vec::new(), infected: Vec::new(), overflows, results: Vec::new() };
        for one in ran {
            let none = || FixedBitSet::with_capacity(inputs);
            let (killed, infected, result) = match one {
                Some(one) => {
                    runs.overflows.union_with(&one.overflows);
                    (one.killed, one.infected, Some(one.result))
                }
                None => (none(), none(), None),
            };
            runs.killed.push(killed);
            runs.infected.push(infected);
            runs.results.push(result);
        }
        runs
    }
}

/// For each mutant that was run, by its number, the mutants that compile to the same code.
pub(super) fn duplicates(compared: &ComparedMutants<'_>) -> Duplicates {
    let mut duplicates = Duplicates::new();
    for (mutant, found) in compared.iter() {
        if let Equivalence::Duplicate(of) = found {
            duplicates.entry(of).or_default().push(mutant.id);
        }
    }
    duplicates
}

/// The parts from which the record is made.
pub(super) struct RecordParts<'a> {
    pub workbench: &'a Workbench,
    pub statics: &'a StaticFacts,
    pub suite: &'a Suite,
    pub duplicates: Duplicates,
    pub ids: &'a [MutantId],
    /// For each mutant the tests that kill it.
    pub killed: &'a [FixedBitSet],
    /// The tests on which the call stack decided. Proofs do not take its depth into account, so that such a test contradicts
    /// none.
    pub overflows: &'a FixedBitSet,
}

impl RecordParts<'_> {
    /// The record, given the tests that infect each mutant, and the record of the mutation analysis.
    pub(super) fn record(&self, infected: &[FixedBitSet], record: MutationRecord) -> HierarchyRecord {
        let mut runs = Recorded::new(self.killed, infected, self.suite.first_tests().count);
        let order: Vec<usize> = (0..self.killed.len()).collect();
        let classes = runs.classes(&order, &self.strength());
        let subsumption = self.groups().subsumption();
        HierarchyRecord {
            format_version: FORMAT_VERSION,
            subject: record.subject,
            manifest: record.manifest,
            seed: record.seed,
            functions: record.functions,
            operators: record.operators,
            inputs: record.inputs,
            statics: self.statics(),
            misled: classes.misled.len() as u64,
            classes: self.classes(&classes),
            dominators: self.groups().of(&subsumption, &self.duplicates),
            enough_inputs: subsumption.sufficient_tests().len() as u64,
            graph: self.graph(&subsumption),
            stop: record.stop,
            warnings: record.warnings,
            contradictions: self.contradictions(),
            mutants: record.mutants,
        }
    }

    fn id(&self, mutant: usize) -> MutantId {
        self.ids[mutant]
    }

    fn groups(&self) -> DominatorGroups<'_> {
        DominatorGroups { workbench: self.workbench, suite: self.suite, ids: self.ids, killed: self.killed }
    }

    fn pairs(&self, pairs: &[(usize, usize)]) -> Vec<(MutantId, MutantId)> {
        pairs.iter().map(|(a, b)| (self.id(*a), self.id(*b))).collect()
    }

    fn statics(&self) -> StaticStrength {
        let facts = self.statics;
        StaticStrength {
            equivalent: facts.equivalent.iter().map(|mutant| self.id(*mutant)).collect(),
            same: self.pairs(&facts.same),
            stronger: self.pairs(&facts.stronger),
            blocks: facts.segments,
            once: facts.once,
            unsupported: facts.unsupported,
            left: facts.left,
            questions: facts.questions,
            unknown: facts.unknown,
            no_solver: facts.no_solver.clone(),
        }
    }

    fn strength(&self) -> Strength {
        let facts = self.statics;
        let mut strength = Strength::new(self.ids.len());
        facts.same.iter().for_each(|(a, b)| strength.same(*a, *b, Because::SameEffect));
        facts.stronger.iter().for_each(|(a, b)| strength.stronger(*a, *b, Because::StrongerOnce));
        strength
    }

    /// The function of a test, and its input.
    fn input(&self, test: usize) -> (String, Vec<Binding>) {
        input_of(self.workbench, self.suite, test)
    }

    fn classes(&self, classes: &Classes) -> Vec<MutantClass> {
        let tests: Vec<usize> = classes.classes.iter().map(|class| class.test).collect();
        classes.classes.iter().map(|class| self.class(class, &tests)).collect()
    }

    fn class(&self, class: &Class, tests: &[usize]) -> MutantClass {
        let (function, input) = self.input(class.test);
        let mut observed = Vec::new();
        let mut proved = Vec::new();
        for member in &class.members {
            let list = if member.because == Reason::Observed { &mut observed } else { &mut proved };
            list.push(self.id(member.mutant));
        }
        // Mutants with the same code are killed by the same tests, so that no run is needed.
        let same = class.mutants().filter_map(|mutant| self.duplicates.get(&self.id(mutant))).flatten();
        proved.extend(same);
        let others = || tests.iter().filter(|test| **test != class.test);
        let is_strong = |mutant: &usize| !others().any(|test| self.killed[*mutant].contains(*test));
        let mut strong: Vec<MutantId> =
            class.mutants().filter(is_strong).map(|mutant| self.id(mutant)).collect();
        for list in [&mut observed, &mut proved, &mut strong] {
            list.sort_unstable();
        }
        MutantClass {
            representative: self.id(class.representative),
            function,
            input,
            observed,
            proved,
            strong,
        }
    }

    fn graph(&self, subsumption: &Subsumption) -> HierarchyGraph {
        let order = subsumption.order();
        let node = |(group, layer): (&Group, &usize)| {
            let mutants = self.groups().with_duplicates(&group.mutants, &self.duplicates);
            let inputs = group.times_killed();
            HierarchyNode {
                label: mutants.first().map_or_else(String::new, ToString::to_string),
                layer: *layer as u32,
                alive: false,
                note: format!("killed by {inputs} {}", if inputs == 1 { "input" } else { "inputs" }),
                mutants,
            }
        };
        let nodes = subsumption.groups().iter().zip(&order.layers).map(node).collect();
        let edges = order.edges.iter().map(|(a, b)| (*a as u32, *b as u32)).collect();
        HierarchyGraph { nodes, edges }
    }

    /// Pairs whose order by the code is contradicted by an input.
    fn contradictions(&self) -> Vec<String> {
        let facts = self.statics;
        let kills = |mutant: usize| {
            let mut decided = self.killed[mutant].clone();
            decided.difference_with(self.overflows);
            decided
        };
        let mut wrong = Vec::new();
        for &mutant in facts.equivalent.iter().filter(|mutant| !kills(**mutant).is_clear()) {
            let id = self.id(mutant);
            wrong.push(format!("{id} was proved to do what the original does, and an input kills it"));
        }
        let same = facts.same.iter().filter(|(a, b)| kills(*a) != kills(*b));
        wrong.extend(same.map(|(a, b)| {
            let (a, b) = (self.id(*a), self.id(*b));
            format!("{a} and {b} were proved to do the same, and an input kills one of them alone")
        }));
        let stronger = facts.stronger.iter().filter(|(a, b)| !kills(*a).is_subset(&kills(*b)));
        wrong.extend(stronger.map(|(a, b)| {
            let (a, b) = (self.id(*a), self.id(*b));
            format!("{a} was proved to be stronger than {b}, and an input kills {a} alone")
        }));
        wrong
    }
}
