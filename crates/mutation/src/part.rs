//! A mutation analysis whose mutants are run in parts, apart from each other: the results of some of them, as another machine can read them.

use std::ops::Range;
use std::sync::Arc;

use dodona_mutants::Mutant;
use dodona_records::{Mode, MutantId};
use dodona_target::{Interruption, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, Worker};
use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::mutate::{Begun, begin, to_kills};
use crate::result::MutantResult;
use crate::set::MutantSet;
use crate::{MutateOptions, MutateOutcome, MutateProgress, MutateStage, record};

/// The results of mutants that were run, in the order in which they were asked for.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct MutantsRan {
    results: Vec<MutantResult>,
}

impl MutantsRan {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Adds the results of the mutants that come next.
    pub fn append(&mut self, mut next: MutantsRan) {
        self.results.append(&mut next.results);
    }
}

/// Runs some of the mutants; nothing where somebody interrupts.
pub type RunMutants<'a> = dyn FnMut(Range<usize>) -> Result<Option<MutantsRan>, LabError> + 'a;

/// Gives the results of all mutants, of which it may run some; nothing where not all of them are wanted, or at hand.
pub type DivideMutants<'a> =
    dyn FnMut(&[MutantId], &mut RunMutants<'_>) -> Result<Option<MutantsRan>, LabError> + 'a;

/// [`mutate`](crate::mutate()) where the mutants that are neither equivalent nor duplicates are not all run here. Which they are is found out each time, so that processes which run
/// different ones agree on it. The outcome is that of `mutate` with the same options, or nothing where `divide` gives nothing.
///
/// # Errors
/// As [`mutate`](crate::mutate()); when the options ask for [`Mode::Classes`], where what is run next depends on the results of other mutants; and when `divide` gives results of
/// more or fewer mutants than there are.
pub fn mutate_in_parts(
    workbench: &Arc<Workbench>,
    options: &MutateOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(MutateProgress),
    divide: &mut DivideMutants<'_>,
) -> Result<Option<MutateOutcome>, LabError> {
    if options.mode == Mode::Classes {
        return Err(LabError::Mutants(
            "mutants that are told apart by each other's kills cannot be run in parts".into(),
        ));
    }
    let set = MutantSet::generate(workbench, options)?;
    let until = Until::interrupted(interrupted);
    let (mut analysis, mut warnings) = match begin(workbench, &set, options, &until, progress)? {
        Begun::BaselineViolated(record) => return Ok(Some(MutateOutcome::BaselineViolated(record))),
        Begun::Ready(analysis, warnings) => (*analysis, warnings),
    };
    let compared = set.compare(workbench, set.asked(), options, &until, &mut warnings)?;
    let distinct = compared.distinct();
    analysis.done.planned = distinct.len() as u64;
    let ids: Vec<MutantId> = distinct.iter().map(|mutant| mutant.id).collect();
    let ran = divide(&ids, &mut |mutants| part(&mut analysis, &set, &distinct[mutants]))?;
    let Some(MutantsRan { results }) = ran else { return Ok(None) };
    if results.len() != distinct.len() {
        let (done, planned) = (results.len() as u64, distinct.len() as u64);
        return Err(LabError::Incomplete { worker: Worker::Mutants, done, planned });
    }
    let versions = analysis.run_versions(&options.versions, &to_kills().run)?;
    let Analysis { suite, baselines, progress, done, .. } = analysis;
    progress(MutateProgress { stage: MutateStage::Recording, ..done });
    let results = results.into_iter().map(Some).collect();
    let kind = record::Kept::Run;
    let found =
        record::AnalysisResults { set: &set, compared, results, versions, warnings, in_vain: 0, kind };
    record::outcome(workbench, options, &suite, &baselines, found).map(Some)
}

fn part(
    analysis: &mut Analysis<'_>,
    set: &MutantSet<'_>,
    mutants: &[&Mutant],
) -> Result<Option<MutantsRan>, LabError> {
    let results = analysis.run(set, mutants, &to_kills())?;
    let results: Option<Vec<MutantResult>> = results.into_iter().collect();
    Ok(results.map(|results| MutantsRan { results }))
}

/// Tests that kill a mutant, written as the bits of the rows of each batch: of thousands of tests a list of numbers would be ten times as long.
pub(crate) mod cells {
    use serde::{Deserialize, Deserializer, Serializer, de};

    /// By batch and row, in order.
    type Cells = Vec<(u32, u32)>;

    pub(crate) fn serialize<S: Serializer>(cells: &Cells, to: S) -> Result<S::Ok, S::Error> {
        let mut batches: Vec<(u32, Vec<u8>)> = Vec::new();
        for &(batch, row) in cells {
            match batches.last() {
                Some((last, _)) if *last == batch => {}
                _ => batches.push((batch, Vec::new())),
            }
            let Some((_, digits)) = batches.last_mut() else { continue };
            let digit = row as usize / 4;
            digits.resize(digits.len().max(digit + 1), 0);
            digits[digit] |= 1 << (row % 4);
        }
        let digit = |bits: u8| char::from_digit(bits.into(), 16).unwrap_or('0');
        to.collect_seq(
            batches
                .into_iter()
                .map(|(batch, digits)| (batch, digits.into_iter().map(digit).collect::<String>())),
        )
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Cells, D::Error> {
        let mut cells = Cells::new();
        for (batch, digits) in Vec::<(u32, String)>::deserialize(from)? {
            for (place, digit) in digits.chars().enumerate() {
                let bits = digit.to_digit(16).ok_or_else(|| de::Error::custom("no hexadecimal digit"))?;
                let rows = (0..4).filter(|bit| bits & (1 << bit) != 0);
                cells.extend(rows.map(|bit| (batch, place as u32 * 4 + bit)));
            }
        }
        Ok(cells)
    }

    #[cfg(test)]
    mod tests {
        use proptest::prelude::*;
        use serde::{Deserialize, Serialize};

        #[derive(Deserialize, Serialize)]
        struct Written(#[serde(with = "super")] Vec<(u32, u32)>);

        proptest! {
            #[test]
            fn cells_come_back(cells in proptest::collection::btree_set((0_u32..5, 0_u32..3000), 0..200)) {
                let cells: Vec<(u32, u32)> = cells.into_iter().collect();
                let text = serde_json::to_string(&Written(cells.clone())).expect("written");
                let Written(read) = serde_json::from_str(&text).expect("read");
                prop_assert_eq!(read, cells);
            }
        }
    }
}
