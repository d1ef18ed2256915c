//! Source inputs for relations: made for the functions that they call with plain variables.

use std::collections::BTreeSet;

use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::{LabError, MadeInputs, takes};

use super::{GenerateOptions, Technique, generate};

/// Inputs that were made for relations.
#[derive(Clone, Debug, Default)]
pub struct ForRelations {
    /// Of each technique those of each function.
    pub made: Vec<MadeInputs>,
    /// What is to be known of how they were made.
    pub warnings: Vec<String>,
    /// Inputs whose run was not as predicted: a mistake of ours.
    pub contradictions: Vec<String>,
}

/// Makes inputs by each technique for each function that one of these relations, by their indices, takes inputs of.
///
/// # Errors
/// As for [`generate`].
pub fn for_relations(
    workbench: &Workbench,
    relations: &[usize],
    techniques: &[Technique],
    options: &GenerateOptions,
    interrupted: &Interruption,
) -> Result<ForRelations, LabError> {
    let is_fed = |function: &usize| {
        relations.iter().any(|&index| takes(&workbench.relations[index].relation, *function))
    };
    let functions: BTreeSet<usize> = (0..workbench.functions().len()).filter(is_fed).collect();
    let mut out = ForRelations::default();
    for &technique in techniques {
        let how = GenerateOptions { technique, relations: Some(relations.to_vec()), ..options.clone() };
        for &function in &functions {
            let generated = generate(workbench, function, &how, interrupted)?;
            let record = &generated.record;
            let of = format!("{}, {}", record.function, record.technique);
            out.warnings.extend(record.remarks().iter().map(|remark| format!("{of}: {remark}")));
            out.contradictions.extend(record.contradictions());
            out.made.push(MadeInputs {
                function,
                technique: technique.name().to_owned(),
                columns: generated.columns,
            });
        }
    }
    Ok(out)
}
