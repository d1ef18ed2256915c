//! The basic relations. They are read and checked before anything is composed.

use std::collections::BTreeSet;

use dodona_inference::composition::{Basic, Composer, Sequence, SettingsError, read};
use dodona_records::{CheckRecord, LeftOutRelation, RelationRecord, RelationVerdict};
use dodona_relations::parse;
use dodona_target::{Signature, Until};
use dodona_workbench::{CheckOptions, LabError, LoadedRelation, Regressions, Workbench, check::check_until};

use super::ComposeOptions;
use super::composition_tuning::CHECKED;

/// The relations that sequences consist of, and those that are left out.
pub(super) struct BasicRelations {
    /// The relations that sequences consist of.
    basics: Vec<Basic>,
    /// Relations of other functions, which expectations may need.
    library: Vec<Basic>,
    /// The names of all relations that were read, as their files have them.
    names: Vec<String>,
    /// The indices of all relations that were asked for, among the subject's relations.
    given: Vec<usize>,
    pub(super) left_out: Vec<LeftOutRelation>,
}

impl BasicRelations {
    /// Reads the relations that the options ask for.
    ///
    /// When there is no relation of a name.
    /// When one is not there.
    pub(super) fn read(workbench: &Workbench, options: &ComposeOptions) -> Result<BasicRelations, LabError> {
        let functions = &workbench.functions();
        let (mut all, mut names, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
        let given = workbench.select(&options.relations)?;
        for &index in &given {
            let relation = &workbench.relations[index].relation;
            let name = relation.name().to_owned();
            match readings(relation.text(), functions) {
                Ok(read) => {
                    all.extend(read);
                    names.push(name);
                }
                Err(why) => left_out.push(LeftOutRelation { name, why }),
            }
        }
        let all = with_own_names(all);
        let (basics, library) =
            all.into_iter().partition(|b| options.function.is_none_or(|f| b.function() == f));
        Ok(BasicRelations { basics, library, names, given, left_out })
    }

    /// All relations that were asked for, as they are written, including those that take no part in compositions.
    pub(super) fn given<'w>(&self, workbench: &'w Workbench) -> impl Iterator<Item = &'w LoadedRelation> {
        self.given.iter().map(|&index| &workbench.relations[index])
    }

    /// Whether a relation of this name is one that sequences consist of.
    pub(super) fn is_basic(&self, name: &str) -> bool {
        self.basics.iter().any(|basic| basic.name() == name)
    }

    /// The composer of the relations.
    pub(super) fn composer<'f>(&self, functions: &'f [Signature]) -> Composer<'f> {
        Composer::new(self.basics.clone(), self.library.clone(), functions)
    }

    /// The functions of which mutants are made: those that the relations are about.
    pub(super) fn functions(&self) -> BTreeSet<usize> {
        self.basics.iter().map(Basic::function).collect()
    }

    /// The message that a search is not possible, with the relations that cannot be composed.
    pub(super) fn too_few(&self, error: &SettingsError) -> LabError {
        let mut message = error.to_string();
        if matches!(error, SettingsError::TooFewRelations { .. }) {
            for LeftOutRelation { name, why } in &self.left_out {
                message += &format!("\n  `{name}` takes no part: {why}");
            }
        }
        LabError::Composition(message)
    }

    /// The check of the relations, if one of them is violated. A relation for which no input was eligible gives a warning.
    ///
    /// # Errors
    /// When no input can be drawn or the host fails.
    pub(super) fn violated(
        &self,
        workbench: &Workbench,
        options: &ComposeOptions,
        until: &Until,
        warnings: &mut Vec<String>,
    ) -> Result<Option<CheckRecord>, LabError> {
        let asked = CheckOptions {
            sources: CHECKED,
            relations: self.names.clone(),
            seed: options.seed,
            jobs: options.jobs,
            regressions: Regressions::Ignore,
            ..CheckOptions::default()
        };
        let mut record = check_until(workbench.any(), &asked, until, &mut |_| {})?;
        let is_untested = |relation: &&RelationRecord| until.goes_on() && relation.tally.eligible() == 0;
        warnings.extend(record.relations.iter().filter(is_untested).map(|relation| {
            format!(
                "no group of `{}` is eligible on {CHECKED} inputs: whether it holds is not known",
                relation.name
            )
        }));
        record.relations.retain(|relation| relation.verdict() == RelationVerdict::Violated);
        Ok((!record.relations.is_empty()).then_some(record))
    }
}

/// The relations with different names: a relation `scale` with constants gives `scale_1`, and the file may have a relation of
/// this name as well.
fn with_own_names(all: Vec<Basic>) -> Vec<Basic> {
    let mut taken = BTreeSet::new();
    let own = |basic: Basic| {
        let name = basic.name().to_owned();
        let numbered = (2..).map(|n| format!("{name}_{n}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
        let free = free.unwrap_or(name);
        taken.insert(free.clone());
        basic.named(free)
    };
    all.into_iter().map(own).collect()
}

/// The basic relations that a relation is read as; there are several if it has constants (`for k in 2, 3`).
fn readings(text: &str, functions: &[Signature]) -> Result<Vec<Basic>, String> {
    let file =
        parse(text).map_err(|problems| problems.iter().map(ToString::to_string).collect::<String>())?;
    let mut basics = Vec::new();
    for relation in &file.relations {
        basics.extend(read(relation, functions).map_err(|why| why.to_string())?);
    }
    let alone = Composer::new(basics.clone(), Vec::new(), functions);
    for place in 0..basics.len() {
        // The sequence of one relation is this relation. A relation that cannot be written alone cannot be composed.
        alone.compose(&Sequence::new(&[place])).map_err(|why| why.to_string())?;
    }
    Ok(basics)
}
