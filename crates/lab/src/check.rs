//! Checking: every planned source input through every relation, and the first violation of each made small.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dodona_evidence::{
    CheckRecord, Counterexample, FORMAT_VERSION, Provenance, RelationRecord, StopReason, Tally,
};
use dodona_sources::NamedValue;
use dodona_sources::regressions::{self, Group, Regression};

use crate::plan::{BATCH_ROWS, Batches, Origin};
use crate::pool::End;
use crate::shrink::{Shrunk, shrink};
use crate::sources::Sources;
use crate::work::{Found, Slice, Work};
use crate::{CheckOptions, LabError, LoadedRelation, Regressions, SubjectCaller, Workbench, Worker, explain};

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Source inputs run.
    pub run: u64,
    /// Source inputs planned.
    pub planned: u64,
}

/// What the slices of one relation add up to.
#[derive(Default)]
struct Sum {
    sources: u64,
    tally: Tally,
    first: Option<Found>,
}

/// Checks relations of a subject. The record depends on the options and the seed, not on the number of threads.
///
/// # Errors
/// When a relation is not there, sources cannot be read or drawn, or the host fails.
pub fn check(
    workbench: &Arc<Workbench>,
    options: &CheckOptions,
    interrupted: &AtomicBool,
    progress: &mut dyn FnMut(Progress),
) -> Result<CheckRecord, LabError> {
    if options.sources > CheckOptions::MOST_SOURCES {
        let most = CheckOptions::MOST_SOURCES;
        return Err(LabError::Sources(format!("at most {most} random source inputs a relation can be run")));
    }
    let relations = workbench.select(&options.relations)?;
    let mut warnings = Vec::new();
    let sources = Sources::read(workbench, &relations, options, &mut warnings)?;
    let plan = Batches::new(&sources.kept_rows(), &sources.file_rows(), options.sources);
    let planned = plan.sources();
    let work =
        Work { workbench: Arc::clone(workbench), relations: relations.clone(), sources, batches: plan };
    let work = Arc::new(work);
    let (sums, end) = collect(&work, options.jobs.get(), planned, interrupted, progress)?;
    let run = sums.iter().map(|s| s.sources).sum();
    let mut caller = workbench.caller();
    let mut records = Vec::new();
    for (sum, &index) in sums.into_iter().zip(&relations) {
        let mut round = Round { workbench, work: &work, options, caller: &mut caller, interrupted };
        records.push(round.record(&workbench.relations[index], records.len(), sum, &mut warnings)?);
    }
    let stop = match end {
        End::Interrupted => StopReason::Interrupted { run, planned },
        End::Complete => StopReason::SourcesRun { sources: run },
    };
    Ok(CheckRecord {
        format_version: FORMAT_VERSION,
        subject: workbench.manifest.name.clone(),
        manifest: workbench.manifest.path.display().to_string(),
        seed: options.seed.0,
        stop,
        relations: records,
        warnings,
    })
}

/// Adds slices up until all are in, or somebody interrupts.
fn collect(
    work: &Arc<Work>,
    jobs: usize,
    planned: u64,
    interrupted: &AtomicBool,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Vec<Sum>, End), LabError> {
    let mut sums: Vec<Sum> = work.relations.iter().map(|_| Sum::default()).collect();
    let mut run = 0;
    let end = work.run(jobs, interrupted, &mut |slice| {
        if let Some(slice) = slice {
            run += slice.rows;
            sums[slice.relation].add(slice);
        }
        progress(Progress { run, planned });
    })?;
    // What is told to hold was run on every source.
    match end {
        End::Complete if run != planned => {
            Err(LabError::Incomplete { worker: Worker::Check, done: run, planned })
        }
        // The last slice may come with the interruption.
        End::Interrupted if run == planned => Ok((sums, End::Complete)),
        end => Ok((sums, end)),
    }
}

impl Sum {
    fn add(&mut self, slice: Slice) {
        self.sources += slice.rows;
        self.tally.merge(&slice.tally);
        if let Some(found) = slice.first
            && self.first.as_ref().is_none_or(|f| found.place < f.place)
        {
            self.first = Some(found);
        }
    }
}

/// What the records of all relations of one check are made with.
struct Round<'a> {
    workbench: &'a Workbench,
    work: &'a Work,
    options: &'a CheckOptions,
    caller: &'a mut SubjectCaller,
    interrupted: &'a AtomicBool,
}

impl Round<'_> {
    fn record(
        &mut self,
        relation: &LoadedRelation,
        index: usize,
        sum: Sum,
        warnings: &mut Vec<String>,
    ) -> Result<RelationRecord, LabError> {
        let counterexample = match &sum.first {
            Some(found) => Some(self.counterexample(relation, index, found, warnings)?),
            None => None,
        };
        Ok(RelationRecord {
            name: relation.relation.name().to_owned(),
            text: relation.relation.text().to_owned(),
            file: relation.file.display().to_string(),
            line: relation.line,
            sources: sum.sources,
            tally: sum.tally,
            counterexample,
        })
    }

    fn counterexample(
        &mut self,
        relation: &LoadedRelation,
        index: usize,
        found: &Found,
        warnings: &mut Vec<String>,
    ) -> Result<Counterexample, LabError> {
        let group = found.group();
        let values = found.values.clone();
        let shrunk = shrink(self.workbench, relation, group, values, self.caller, self.interrupted)?;
        let told = explain::tell(self.workbench, relation, group, &shrunk.values, self.caller)?;
        let kept = match self.options.regressions {
            Regressions::Keep => self.keep(relation, group, &shrunk, &told.why, warnings),
            Regressions::Ignore => None,
        };
        Ok(Counterexample {
            source: explain::source(relation, &shrunk.values),
            found: explain::source(relation, &found.values),
            group: relation.relation.group_label(group),
            calls: told.calls,
            sides: told.sides,
            why: told.why,
            shrink_steps: shrunk.steps,
            provenance: self.provenance(index, found),
            kept,
        })
    }

    fn provenance(&self, index: usize, found: &Found) -> Provenance {
        match found.place.0 {
            Origin::Regressions => self.work.sources.kept_place(index, found.row()),
            Origin::Files { start } => self.work.sources.file_place(index, start + found.row()),
            Origin::Random { chunk } => Provenance::Random {
                seed: self.options.seed.0,
                row: chunk * BATCH_ROWS as u64 + found.row() as u64,
            },
        }
    }

    /// Keeps a violation beside the manifest. That it cannot be kept is a warning: the verdict stands.
    fn keep(
        &self,
        relation: &LoadedRelation,
        group: usize,
        shrunk: &Shrunk,
        why: &str,
        warnings: &mut Vec<String>,
    ) -> Option<String> {
        let manifest = &self.workbench.manifest;
        let file = manifest.path.file_name().unwrap_or_default();
        let variables = relation.relation.variables().iter().zip(&shrunk.values);
        let input = |(v, value): (&dodona_relations::Variable, &dodona_subject::Value)| NamedValue {
            name: v.name.clone(),
            ty: manifest.functions[v.function].parameters[v.parameter].ty,
            value: value.clone(),
        };
        let regression = Regression {
            format_version: regressions::FORMAT_VERSION,
            subject: Path::new("..").join(file).display().to_string(),
            relation: relation.relation.name().to_owned(),
            text: relation.relation.text().to_owned(),
            group: Group { index: group, label: relation.relation.group_label(group).unwrap_or_default() },
            inputs: variables.map(input).collect(),
            seed: self.options.seed,
            observed: why.to_owned(),
        };
        match regressions::save(&manifest.folder().join(regressions::FOLDER), &regression) {
            Ok(path) => Some(path.strip_prefix(".").unwrap_or(&path).display().to_string()),
            Err(error) => {
                warnings.push(error.to_string());
                None
            }
        }
    }
}
