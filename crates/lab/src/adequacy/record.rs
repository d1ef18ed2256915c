//! What was measured of a function, as data.

use dodona_generation::adequacy::{Requirements, adequacy};
use dodona_records::{AdequacyRecord, Binding, FORMAT_VERSION, RequirementRecord};
use dodona_sources::Seed;
use dodona_target::Column;
use dodona_workbench::{Workbench, bindings};

use super::Executed;

/// Everything that k-MR coverage is computed from.
pub struct Measurement<'a> {
    /// The subject.
    pub workbench: &'a Workbench,
    /// The function, by its index.
    pub function: usize,
    /// The source inputs, a column a parameter.
    pub columns: &'a [Column],
    /// The name of the criterion.
    pub criterion: &'a str,
    /// What it asks for, and what each source input satisfies.
    pub requirements: &'a Requirements,
    /// The groups that were executed.
    pub executed: &'a Executed,
    /// The number of different relations that each requirement is to be tested with.
    pub k: usize,
    /// Where everything random starts.
    pub seed: Seed,
}

impl Measurement<'_> {
    /// The record, without what only frames or the caller know.
    pub fn record(&self) -> AdequacyRecord {
        let measured = adequacy(self.requirements, &self.executed.associations, self.k);
        let names = &self.requirements.names;
        let each = names.iter().zip(&measured.requirements).map(|(name, requirement)| RequirementRecord {
            name: name.clone(),
            relations: requirement.relations as u64,
            missing: requirement.missing(self.k) as u64,
            best: requirement
                .best
                .map(|source| source_bindings(self.workbench, self.function, self.columns, source)),
            shown: None,
        });
        let names = self.workbench.relation_names(&self.executed.relations);
        AdequacyRecord {
            format_version: FORMAT_VERSION,
            subject: self.workbench.target.name().to_owned(),
            manifest: self.workbench.target.declared_in().display().to_string(),
            function: self.workbench.functions()[self.function].name.clone(),
            criterion: self.criterion.to_owned(),
            k: self.k as u64,
            seed: self.seed.0,
            sources: self.executed.associations.sources() as u64,
            relations: self.executed.relations.len() as u64,
            forms: self.executed.forms.clone(),
            associations: self.executed.associations.len() as u64,
            reached: measured.reached(),
            whole: measured.whole(),
            // Without a requirement nothing was measured, which is no success.
            degree: if measured.whole() == 0 { 0.0 } else { measured.degree() },
            reachable: measured.reachable as u64,
            greatest: measured.greatest as u64,
            requirements: each.collect(),
            eccem: None,
            paths: None,
            violated: self.executed.violated.iter().map(|(place, _)| names[*place].clone()).collect(),
            warnings: Vec::new(),
        }
    }
}

/// A source input, by the names of the parameters.
///
/// # Panics
/// When there is no such function or source input.
pub fn source_bindings(
    workbench: &Workbench,
    function: usize,
    columns: &[Column],
    row: usize,
) -> Vec<Binding> {
    let parameters = &workbench.functions()[function].parameters;
    let values: Vec<_> = columns.iter().map(|column| column.value(row)).collect();
    bindings(parameters.iter().map(|p| p.name.as_str()).zip(&values))
}
