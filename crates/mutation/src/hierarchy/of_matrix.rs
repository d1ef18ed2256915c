//! The hierarchy that follows from a kill matrix which was written before. No mutant is run.

use std::collections::BTreeMap;
use std::sync::Arc;

use dodona_mutants::{Equivalence, Mutant};
use dodona_records::{
    Against, HierarchyRecord, Judgement, KillMatrix, MatrixOrigin, MutantId, MutantRecord, Proof, Section,
    SectionKind,
};
use dodona_target::Until;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use super::hierarchy_record::{RecordParts, duplicates};
use super::statics::StaticFacts;
use crate::suite::Suite;
use crate::{ComparedMutants, MutantSet, MutateOptions, record};

/// The hierarchy that follows from a matrix. Its tests may be inputs and metamorphic groups. The code of the mutants is not
/// looked at.
///
/// # Errors
/// When the matrix was made of another module, with another seed or with other tests than these options give, or when it has
/// mutants that do not exist.
pub fn hierarchy_of_matrix(
    workbench: &Arc<Workbench>,
    options: &MutateOptions,
    matrix: &KillMatrix,
) -> Result<HierarchyRecord, LabError> {
    check_origin(matrix, record::origin(workbench, options))?;
    let has = |kind| matrix.sections().iter().any(|section| section.kind == kind);
    let against = match (has(SectionKind::Inputs), has(SectionKind::Relation)) {
        (true, true) => Against::Both,
        (false, true) => Against::Relations,
        (_, false) => Against::Inputs,
    };
    let options = MutateOptions { against, ..options.clone() };
    let set = MutantSet::generate(workbench, &options)?;
    let mut warnings = Vec::new();
    let relations = set.selection.relations(workbench, &options, &mut warnings)?;
    let suite = Suite::new(workbench, &options, set.functions(), &relations, &mut warnings)?;
    check_sections(matrix.sections(), &suite.sections)?;
    let mut listed = record::listed(workbench, &options, &set)?;
    let compared = set.compare(workbench, set.asked(), &options, &Until::default(), &mut warnings)?;
    let (ids, killed) = rows(matrix, &compared, &mut listed.mutants)?;
    listed.inputs = matrix.tests() as u64;
    listed.warnings.append(&mut warnings);
    let told = RecordParts {
        workbench,
        statics: &StaticFacts::default(),
        suite: &suite,
        duplicates: duplicates(&compared),
        ids: &ids,
        killed: &killed,
        overflows: &FixedBitSet::new(),
    };
    Ok(told.record(&killed, listed))
}

/// The mutants that are neither equivalent nor duplicates, with the tests that kill each. The other mutants are judged too.
fn rows(
    matrix: &KillMatrix,
    compared: &ComparedMutants<'_>,
    records: &mut [MutantRecord],
) -> Result<(Vec<MutantId>, Vec<FixedBitSet>), LabError> {
    let place = |(place, (mutant, found)): (usize, (&Mutant, Equivalence))| (mutant.id, (place, found));
    let known: BTreeMap<MutantId, (usize, Equivalence)> = compared.iter().enumerate().map(place).collect();
    let mut killed = Vec::new();
    let mut ids = Vec::new();
    for (row, id) in matrix.mutants().iter().enumerate() {
        let Some(&(place, found)) = known.get(id) else {
            let why =
                format!("the matrix has a row of {id}, which is no mutant of these functions and operators");
            return Err(LabError::Sources(why));
        };
        let tests: FixedBitSet = (0..matrix.tests()).filter(|test| matrix.kills(row, *test)).collect();
        records[place].judgement = match found {
            Equivalence::Equivalent => Judgement::Equivalent { proof: Proof::SameCode },
            Equivalence::Duplicate(of) => Judgement::Duplicate { of },
            Equivalence::Distinct if tests.is_clear() => Judgement::Alive,
            Equivalence::Distinct => Judgement::Killed,
        };
        if found == Equivalence::Distinct {
            killed.push(tests);
            ids.push(*id);
        }
    }
    Ok((ids, killed))
}

fn check_origin(matrix: &KillMatrix, wanted: MatrixOrigin) -> Result<(), LabError> {
    let refused = |why: String| Err(LabError::Sources(why));
    match matrix.origin() {
        None => refused("the matrix does not say which module and seed it was made of; write it again with `mutate --matrix`".to_owned()),
        Some(found) if found.module != wanted.module => {
            refused("the matrix was made of another module; write it again with `mutate --matrix`".to_owned())
        }
        Some(found) if found.seed != wanted.seed => {
            refused(format!("the matrix was made with seed {}; give --seed {}", found.seed, found.seed))
        }
        Some(_) => Ok(()),
    }
}

fn check_sections(found: &[Section], wanted: &[Section]) -> Result<(), LabError> {
    let words = |sections: &[Section]| {
        let words: Vec<String> = sections.iter().map(|s| format!("{} of {s}", s.tests)).collect();
        words.join(", ")
    };
    if found == wanted {
        return Ok(());
    }
    Err(LabError::Sources(format!(
        "the matrix has other tests than these options give: it has {}, and they give {}; give the same --inputs and --from, and keep \
         the relations",
        words(found),
        words(wanted)
    )))
}
