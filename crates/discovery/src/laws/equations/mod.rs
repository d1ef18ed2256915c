//! Laws of functions of any type, found by the enumeration of terms.

mod connected;
mod cost;
mod laboratory;
mod lines;
mod variables;

use dodona_inference::equations::{Enumeration, Equation, Limits, Vocabulary, Written};
use dodona_records::{DiscoveryProof, LawGroup, LawRecord, LookedAt, RefutedLaw};
use dodona_workbench::LabError;

use super::found::{FoundLaw, GroupLaws};
use super::law_tuning::HEADS_A_MUTANT;
use super::trial::{FreshTests, LawVerdict};
use super::{LawsProgress, LawsStage};
use crate::readable::is_readable;
use crate::relation_of::parsed;
pub(super) use connected::connected;
use laboratory::{Bench, Tested};

/// Searches for the laws of functions, given by their indices.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(super) fn search(
    trial: FreshTests<'_>,
    functions: &[usize],
    progress: &mut dyn FnMut(LawsProgress),
) -> Result<GroupLaws, LabError> {
    let vocabulary = variables::vocabulary(trial.workbench, functions);
    let (columns, unrestricted) =
        variables::draw(trial.workbench, functions, &vocabulary, trial.options.seed)?;
    progress(LawsProgress { stage: LawsStage::Executions, laws: 0 });
    let mut enumeration = Enumeration::new(&vocabulary, &columns, &unrestricted, Limits::default());
    let mut tested = Tested::default();
    // Equations get half of the time, bounds and conditions half of the rest, so that there is time left to test the results.
    let until = trial.until.share(2);
    let mut bench =
        Bench::new(FreshTests { until: &until, ..trial }, functions, &vocabulary, &mut tested, progress);
    enumeration.run(&mut bench)?;
    bench.end();
    let until = trial.until.share(2);
    let mut bench =
        Bench::new(FreshTests { until: &until, ..trial }, functions, &vocabulary, &mut tested, progress);
    enumeration.run_bounds(&mut bench)?;
    enumeration.run_conditional(&mut bench)?;
    enumeration.run_parts(&mut bench)?;
    bench.end();
    let mut laws = confirmed(trial, &vocabulary, &enumeration, &mut tested)?;
    laws.extend(lines::line_lengths(trial, functions, &laws)?);
    let group = LawGroup {
        functions: vocabulary.functions.iter().map(|function| function.name.clone()).collect(),
        variables: vocabulary.variables.iter().map(|variable| variable.name.clone()).collect(),
        rows: columns.first().map_or(0, |column| column.len() as u64),
        looked_at: LookedAt::Terms {
            terms: enumeration.evaluated() as u64,
            size: enumeration.complete_size().into(),
        },
        candidates: enumeration.candidates(),
    };
    Ok(GroupLaws { group: Some(group), laws, refuted: tested.refuted })
}

/// The bounds of a function of floats, given by its index: of `hypot`, the larger of both arguments from below, and that it is at
/// most the sum of the hypotenuses where sides are added.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(super) fn bounds(
    trial: FreshTests<'_>,
    function: usize,
    progress: &mut dyn FnMut(LawsProgress),
) -> Result<(Vec<FoundLaw>, Vec<RefutedLaw>), LabError> {
    let functions = [function];
    let vocabulary = variables::vocabulary(trial.workbench, &functions);
    let (columns, unrestricted) =
        variables::draw(trial.workbench, &functions, &vocabulary, trial.options.seed)?;
    let mut enumeration = Enumeration::new(&vocabulary, &columns, &unrestricted, Limits::default());
    let mut tested = Tested::default();
    let mut bench = Bench::new(trial, &functions, &vocabulary, &mut tested, progress);
    enumeration.run_plain(&mut bench)?;
    enumeration.run_bounds(&mut bench)?;
    bench.end();
    let laws = confirmed(trial, &vocabulary, &enumeration, &mut tested)?;
    Ok((laws, tested.refuted))
}

/// The equations that hold on all fresh inputs. Those that are tested again later were run on enough of them in their first test, and
/// where the time is up the first test is all that is known.
fn confirmed(
    trial: FreshTests<'_>,
    vocabulary: &Vocabulary,
    enumeration: &Enumeration<'_>,
    tested: &mut Tested,
) -> Result<Vec<FoundLaw>, LabError> {
    let mut laws = Vec::new();
    for equation in enumeration.equations() {
        let written = written(vocabulary, enumeration, equation);
        let relation = written.relation();
        let first = tested.accepted.remove(&relation);
        let verdict = match &first {
            Some(accepted) if trial.are_tested_again => LawVerdict::Accepted(accepted.clone()),
            _ => trial.test(&relation, cost::fresh(trial, &written.functions))?,
        };
        let (held, ineligible) = match verdict {
            LawVerdict::Accepted(accepted) => (accepted.held, accepted.ineligible),
            LawVerdict::Refuted(found) => {
                tested.refuted.push(found);
                continue;
            }
            // It passed its first test when it was found.
            LawVerdict::Open => first.map_or((0, 0), |first| (first.held, first.ineligible)),
        };
        let text = format!("relation {}{relation}", written.name);
        let functions = trial.workbench.functions();
        let reads_well = parsed(&text).is_none_or(|relation| is_readable(&relation, functions, &[]));
        laws.push(FoundLaw {
            reads_well,
            record: LawRecord {
                text,
                name: written.name,
                words: written.words,
                functions: written.functions,
                held,
                ineligible,
                proof: DiscoveryProof::TestedOn { groups: held },
                kills: Vec::new(),
            },
            price: if written.is_of_textbook { 0 } else { written.size.div_ceil(HEADS_A_MUTANT) as usize },
        });
    }
    Ok(laws)
}

fn written(vocabulary: &Vocabulary, enumeration: &Enumeration<'_>, equation: Equation) -> Written {
    Written::new(vocabulary, enumeration.terms(), equation)
}
