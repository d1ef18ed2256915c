//! Checks verdicts of equivalence: a mutant that is judged the same as the original, or as another mutant, is run on random and odd
//! inputs, and no input may tell the two apart.

use std::sync::Arc;

use crate::inputs::{inputs_of, rows_of};
use crate::{Case, Choices, Defect, MutantsOfSubject, Seen, must_agree, subject::on_random_module};
use dodona_mutants::Mutant;
use dodona_mutation::{MutateOptions, MutateOutcome};
use dodona_records::{Judgement, MutantRecord, MutationRecord, Proof};
use dodona_target::{Column, Interruption, Outcome, Value};
use dodona_wasm::Workbench;

use super::options::{mutate_options, search_options};

/// Random inputs that each judged mutant is run on, and as many odd ones.
const EACH: usize = 30;

/// Judged mutants that are run, of each kind.
const JUDGED: usize = 4;

/// Mutants whose equivalence is asked of the prover: each needs an exploration of its own.
const PROOFS: u64 = 8;

/// Runs one case.
///
/// # Errors
/// When an input tells a mutant from what it is said to be the same as.
pub fn equivalent_mutants(bytes: &[u8]) -> Result<Case, Defect> {
    on_random_module(bytes, judged)
}

fn judged(choices: &mut Choices<'_>, workbench: &Arc<Workbench>) -> Result<Case, Defect> {
    // Inputs take whatever bytes there are, so they come last.
    let record = record(choices, workbench)?;
    let inputs = inputs_of(choices, workbench, 0, EACH);
    let rows = rows_of(std::slice::from_ref(&inputs));
    if rows.is_empty() {
        return Ok(Case::Dropped("no input is eligible"));
    }
    let mutated = MutantsOfSubject::of(workbench);
    let run = Run { workbench, mutated: &mutated, inputs: &inputs, rows: &rows };
    let (mut equivalent, mut proved, mut duplicates) = (0, 0, 0);
    for mutant in &record.mutants {
        match mutant.judgement {
            Judgement::Equivalent { proof: Proof::EveryPath | Proof::EveryState } if proved < JUDGED => {
                proved += 1;
                run.is_original(mutant)?;
            }
            Judgement::Equivalent { .. } if equivalent < JUDGED => {
                equivalent += 1;
                run.is_original(mutant)?;
            }
            Judgement::Duplicate { of } if duplicates < JUDGED => {
                duplicates += 1;
                run.are_the_same(mutant, of)?;
            }
            _ => {}
        }
    }
    Ok(match (equivalent + duplicates, proved) {
        (0, 0) => Case::Dropped("no mutant is equivalent or a duplicate"),
        (_, 0) => Case::Checked("equal code does the same"),
        _ => Case::Checked("equal code, and what is proved the same, does the same"),
    })
}

struct Run<'a> {
    workbench: &'a Workbench,
    mutated: &'a MutantsOfSubject<'a>,
    inputs: &'a [Column],
    rows: &'a [Vec<Value>],
}

impl Run<'_> {
    fn mutant(&self, id: dodona_records::MutantId) -> Result<&Mutant, Defect> {
        let mutants = &self.mutated.all.mutants;
        let found = mutants.iter().find(|mutant| mutant.id == id);
        found.ok_or_else(|| Defect::new(format!("there is no mutant {id}")))
    }

    fn is_original(&self, record: &MutantRecord) -> Result<(), Defect> {
        let mutant = self.mutant(record.id)?;
        let (alone, original) =
            (self.mutated.seen_alone(mutant, self.inputs)?, self.mutated.seen_original(self.inputs)?);
        let name = format!("{}, said to be equivalent ({:?}),", self.mutated.name(mutant), record.judgement);
        self.alike((&name, &alone), ("the original", &original))
    }

    fn are_the_same(&self, record: &MutantRecord, of: dodona_records::MutantId) -> Result<(), Defect> {
        let (mutant, twin) = (self.mutant(record.id)?, self.mutant(of)?);
        let (a, b) =
            (self.mutated.seen_alone(mutant, self.inputs)?, self.mutated.seen_alone(twin, self.inputs)?);
        let name = format!("{}, said to be a duplicate,", self.mutated.name(mutant));
        self.alike((&name, &a), (&self.mutated.name(twin), &b))
    }

    /// What runs out of fuel in one of the two may do so earlier or later in the other: fuel is no behaviour.
    fn alike(&self, a: (&str, &Seen), b: (&str, &Seen)) -> Result<(), Defect> {
        let stops = |seen: &Seen| seen.outcomes.contains(&Outcome::OutOfFuel);
        if stops(a.1) || stops(b.1) { Ok(()) } else { must_agree(self.workbench, self.rows, a, b) }
    }
}

/// Mutation analysis of the module with few inputs, so that some mutants are left for the prover.
fn record(choices: &mut Choices<'_>, workbench: &Arc<Workbench>) -> Result<MutationRecord, Defect> {
    let options = mutate_options(choices, 16);
    let fails = |error: dodona_workbench::LabError| {
        Defect::new(format!("mutation analysis ends with an error: {error}"))
    };
    let idle = Interruption::default();
    let outcome = dodona_mutation::mutate(workbench, &options, &idle, &mut |_| {}).map_err(fails)?;
    let MutateOutcome::Analysed(analysed) = outcome else {
        return Err(Defect::new("a baseline without relations is violated"));
    };
    let mut record = analysed.record;
    if choices.one_in(2) {
        prove(choices, workbench, &options, &mut record).map_err(fails)?;
    }
    match record.contradictions.first() {
        Some(contradiction) => Err(Defect::new(contradiction.clone())),
        None => Ok(record),
    }
}

fn prove(
    choices: &mut Choices<'_>,
    workbench: &Workbench,
    options: &MutateOptions,
    record: &mut MutationRecord,
) -> Result<(), dodona_workbench::LabError> {
    let search = search_options(choices);
    // What ctrl-C would raise ends the proofs after the first few.
    let enough = Interruption::default();
    let mut told = |done, _| {
        if done >= PROOFS {
            enough.raise();
        }
    };
    dodona_mutation::prove_mutants(workbench, options, &search, record, &enough, &mut told)
}
