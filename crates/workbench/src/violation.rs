//! The violations that were found. Each is reported, and long ones are kept, before any is shrunk, so that none is lost.
//!
//! All verdicts are known before shrinking begins. If shrinking is interrupted, meets the memory ceiling, panics or fails, the smallest
//! violating input so far is reported.

use std::path::{Path, PathBuf};

use dodona_records::{Counterexample, Provenance};
use dodona_relations::Variable;
use dodona_sources::NamedValue;
use dodona_sources::regressions::{self, Group, Regression};
use dodona_target::{Until, Value};

use crate::plan::{BATCH_ROWS, Origin};
use crate::shrink::{Shrunk, elements, shrink};
use crate::sources::SourceInputs;
use crate::work::PlacedGroup;
use crate::{CheckOptions, LabError, LoadedRelation, Regressions, Workbench, Worker, explain};

/// Source inputs with more elements are kept before they are shrunk, because that takes seconds, in which the user may end the
/// process. Shorter ones take milliseconds, as long as writing a file and removing it again.
const LONG: usize = 512;

/// Reports violations, and keeps them.
pub(crate) struct Violations<'a> {
    pub(crate) workbench: &'a Workbench,
    pub(crate) sources: &'a SourceInputs,
    pub(crate) options: &'a CheckOptions,
    /// What went wrong, besides the verdicts.
    pub(crate) warnings: &'a mut Vec<String>,
    /// When calls that explain violations are given up.
    pub(crate) grace: &'a Until,
}

/// A violation as it was found.
pub(crate) struct Violation {
    told: Counterexample,
    /// The file that keeps it until a smaller one is kept, if there is one.
    until: Option<PathBuf>,
    /// Whether the group was a violation too when its calls were made again.
    repeats: bool,
}

/// What is said of a violation that is none when its calls are made again.
const NOT_REPEATED: &str = "made again by itself, the group is no violation, so the function is not deterministic or keeps something between calls; \
                            as it is now";

impl Violations<'_> {
    /// A violation as it was found. `place` is the index of its relation among those that are checked.
    ///
    /// # Errors
    /// When the host fails.
    pub(crate) fn found(
        &mut self,
        relation: &LoadedRelation,
        index: usize,
        found: &PlacedGroup,
    ) -> Result<Violation, LabError> {
        let group = found.group();
        let mut caller = self.workbench.caller().until(self.grace);
        let told = explain::tell(self.workbench, relation, group, &found.values, &mut caller)?;
        // A call that gives another answer when it is made again cannot be shrunk, and a file that is to replay it would say that it holds.
        let repeats = told.verdict.is_violation();
        let is_new = !matches!(found.place.0, Origin::Regressions) && repeats;
        let is_long = found.values.iter().map(elements).sum::<usize>() > LONG;
        let until = match is_new && is_long {
            true => self.keep(relation, group, &found.values, &told.why),
            false => None,
        };
        let source = explain::source(relation, &found.values);
        let told = Counterexample {
            found: source.clone(),
            source,
            group: relation.relation.group_label(group),
            calls: told.calls,
            sides: told.sides,
            why: match repeats {
                true => told.why,
                false => format!("{NOT_REPEATED}: {}", told.why),
            },
            shrink_steps: 0,
            shrink_stopped: None,
            provenance: self.provenance(index, found),
            kept: None,
        };
        Ok(Violation { told, until, repeats })
    }

    /// The violation after shrinking, as far as that succeeds while `go_on` returns true. It is kept.
    pub(crate) fn small(
        &mut self,
        relation: &LoadedRelation,
        found: &PlacedGroup,
        violation: Violation,
        go_on: &dyn Fn() -> bool,
    ) -> Counterexample {
        let group = found.group();
        let Violation { mut told, until, repeats } = violation;
        if !repeats {
            return told;
        }
        let fuel = self.options.shrink_fuel;
        let shrunk = shrink(Worker::Check, self.workbench, relation, group, &found.values, fuel, go_on);
        if let Some(trouble) = &shrunk.trouble {
            self.warnings.push(format!("`{}`: {trouble}", relation.relation.name()));
        }
        told.shrink_stopped = shrunk.stopped.clone();
        let is_small = self.tell_small(relation, group, &shrunk, &mut told);
        let values = if is_small { &shrunk.values } else { &found.values };
        let kept = self.keep(relation, group, values, &told.why);
        if let (Some(kept), Some(until)) = (&kept, until)
            && *kept != until
        {
            // The smaller one replaces it. If it cannot be removed, that does no harm, because it is a violation too.
            let _ = std::fs::remove_file(until);
        }
        told.kept = kept.map(|path| path.strip_prefix(".").unwrap_or(&path).display().to_string());
        told
    }

    /// Replaces the source input by a simpler one; returns whether there is one.
    fn tell_small(
        &self,
        relation: &LoadedRelation,
        group: usize,
        shrunk: &Shrunk,
        told: &mut Counterexample,
    ) -> bool {
        let mut caller = self.workbench.caller().until(self.grace);
        let small = (shrunk.steps > 0)
            .then(|| explain::tell(self.workbench, relation, group, &shrunk.values, &mut caller).ok());
        // If the simpler input is no violation when it is run again, the subject is not deterministic, and the violation as it
        // was found stays.
        let Some(small) = small.flatten().filter(|small| small.verdict.is_violation()) else { return false };
        told.source = explain::source(relation, &shrunk.values);
        (told.calls, told.sides, told.why) = (small.calls, small.sides, small.why);
        told.shrink_steps = shrunk.steps;
        true
    }

    fn provenance(&self, index: usize, found: &PlacedGroup) -> Provenance {
        match found.place.0 {
            Origin::Regressions => self.sources.kept_place(index, found.row()),
            Origin::Given { start } => self.sources.given_place(index, start + found.row()),
            Origin::Random { chunk } => Provenance::Random {
                seed: self.options.seed.0,
                row: chunk * BATCH_ROWS as u64 + found.row() as u64,
            },
        }
    }

    /// Keeps a violation beside the manifest, if the options ask for that. If that fails, there is a warning, and the verdict
    /// stays.
    fn keep(
        &mut self,
        relation: &LoadedRelation,
        group: usize,
        values: &[Value],
        why: &str,
    ) -> Option<PathBuf> {
        if matches!(self.options.regressions, Regressions::Ignore | Regressions::TryOwn) {
            return None;
        }
        let file = self.workbench.target.declared_in().file_name().unwrap_or_default();
        let input = |(v, value): (&Variable, &Value)| NamedValue {
            name: v.name.clone(),
            ty: self.workbench.functions()[v.function].parameters[v.parameter].ty,
            value: value.clone(),
        };
        let folder = self.workbench.folder().join(regressions::FOLDER);
        let elsewhere = || regressions::path_from(&folder, &relation.file).display().to_string();
        let regression = Regression {
            format_version: regressions::FORMAT_VERSION,
            subject: Path::new("..").join(file).display().to_string(),
            relation: relation.relation.name().to_owned(),
            relation_file: self.workbench.relations.given.then(elsewhere),
            text: relation.relation.text().to_owned(),
            group: Group { index: group, label: relation.relation.group_label(group).unwrap_or_default() },
            inputs: relation.relation.variables().iter().zip(values).map(input).collect(),
            seed: self.options.seed,
            observed: why.to_owned(),
        };
        match regressions::save(&folder, &regression) {
            Ok(path) => Some(path),
            Err(error) => {
                let error = error.to_string();
                // The same may have been reported of the violation as it was found.
                if !self.warnings.contains(&error) {
                    self.warnings.push(error);
                }
                None
            }
        }
    }
}
