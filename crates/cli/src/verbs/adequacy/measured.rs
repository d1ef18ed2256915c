//! Relations run on source inputs, with the requirements that these satisfy: what `adequacy` measures and `select` chooses from.

use std::sync::Arc;

use dodona_frames::{Framed, Samples, frame_numbers, mistakes};
use dodona_generation::{CoveredFunction, Order, StatementScope, adequacy::Requirements};
use dodona_lab::{
    Aims, Criterion, Executed, FramesWithInputs, GroupPaths, Measurement, associate, frames_with_inputs,
    group_paths, source_bindings,
};
use dodona_records::{AdequacyRecord, Binding};
use dodona_target::{Column, Interruption, Until};
use dodona_workbench::{Workbench, inputs};

use super::MeasureArgs;
use crate::args::drawn;
use crate::failure::Failure;
use crate::open;

/// What was run.
pub(crate) struct Measured<'a> {
    args: &'a MeasureArgs,
    pub(crate) workbench: Arc<Workbench>,
    pub(crate) function: usize,
    /// The source inputs, a column a parameter.
    columns: Vec<Column>,
    pub(crate) requirements: Requirements,
    /// For each requirement an input that satisfies it, if one is known besides the source inputs.
    shown: Vec<Option<Vec<Binding>>>,
    pub(crate) executed: Executed,
    eccem: Option<f64>,
    warnings: Vec<String>,
}

impl<'a> Measured<'a> {
    /// Runs the relations of a function on source inputs.
    pub(crate) fn of(args: &'a MeasureArgs, interrupted: &Interruption) -> Result<Measured<'a>, Failure> {
        let target = &args.frames.target;
        let workbench =
            open::any(&target.subject, &args.relations.files, &open::Calling::default())?.workbench;
        let function = open::function(&workbench, target.function.as_deref())?;
        let relations = workbench.select(&args.relations.names).map_err(open::lab_failure)?;
        let framed = framed(args, &workbench, function, interrupted)?;
        let mut warnings = framed.as_ref().map_or_else(Vec::new, |(framed, samples)| doubts(framed, samples));
        let columns = sources(args, &workbench, function, framed.as_ref(), &mut warnings)?;
        let aims = match (Criterion::from(args.criterion), &framed) {
            (Criterion::Frames(criterion), Some(framed)) => Aims::Frames(criterion, framed),
            (Criterion::Code(criterion), _) => {
                Aims::code(&workbench, function, criterion).map_err(open::lab_failure)?
            }
            (Criterion::Frames(_), None) => return Err(Failure::usage("the criterion needs frames")),
        };
        let asked =
            aims.requirements(&columns, args.jobs.threads(), interrupted).map_err(open::lab_failure)?;
        warnings.extend(asked.open);
        let (requirements, shown) = (asked.requirements, asked.shown);
        let until = Until::after(Some(args.frames.time), interrupted);
        let seed = args.frames.seed.seed();
        if requirements.names.is_empty() {
            warnings.push("the criterion has no requirement here, so that nothing is measured".to_owned());
        }
        let executed =
            associate(&workbench, function, &relations, &columns, seed, &until).map_err(open::lab_failure)?;
        if executed.associations.is_empty() {
            warnings.push(
                "no group was executed: no relation takes these source inputs, or none is eligible"
                    .to_owned(),
            );
        }
        let eccem = framed.as_ref().map(|(framed, samples)| {
            let (frames, of_input) = frame_numbers(framed, samples, &executed.inputs);
            GroupPaths::classes(frames, of_input).eccem(&executed)
        });
        Ok(Measured { args, workbench, function, columns, requirements, shown, executed, eccem, warnings })
    }

    /// The record of what was measured.
    pub(crate) fn record(&self) -> AdequacyRecord {
        let measurement = Measurement {
            workbench: &self.workbench,
            function: self.function,
            columns: &self.columns,
            criterion: Criterion::from(self.args.criterion).name(),
            requirements: &self.requirements,
            executed: &self.executed,
            k: usize::from(self.args.k),
            seed: self.args.frames.seed.seed(),
        };
        let mut record = measurement.record();
        record.show(&self.shown);
        AdequacyRecord { eccem: self.eccem, warnings: self.warnings.clone(), ..record }
    }

    /// A source input, by the names of the parameters.
    pub(crate) fn source(&self, row: usize) -> Vec<Binding> {
        source_bindings(&self.workbench, self.function, &self.columns, row)
    }

    /// The paths that the inputs of groups take.
    pub(crate) fn paths(&self, interrupted: &Interruption) -> Result<GroupPaths, Failure> {
        let covered =
            CoveredFunction::of(&self.workbench, self.function, StatementScope::AtHand, Order::Left);
        let paths = covered
            .and_then(|covered| group_paths(&covered, &self.executed, self.args.jobs.threads(), interrupted));
        paths.map_err(open::lab_failure)
    }
}

/// The frames of the function, where the criterion speaks of them or a file is there.
fn framed(
    args: &MeasureArgs,
    workbench: &Workbench,
    function: usize,
    interrupted: &Interruption,
) -> Result<Option<FramesWithInputs>, Failure> {
    let file = args.frames.frames.as_deref();
    if file.is_none() && matches!(Criterion::from(args.criterion), Criterion::Code(_)) {
        return Ok(None);
    }
    let options = args.frames.options();
    let found = frames_with_inputs(workbench, function, file, &options, interrupted);
    found.map(Some).map_err(open::lab_failure)
}

/// The source inputs: those of files alone if there are any, or else those of frames; and random ones.
fn sources(
    args: &MeasureArgs,
    workbench: &Workbench,
    function: usize,
    framed: Option<&(Framed, Samples)>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Column>, Failure> {
    let declared = &workbench.functions()[function];
    // A suite that somebody brings is rated as it is: inputs of frames would satisfy what it does not.
    let mut columns: Vec<Column> = match framed {
        Some((_, samples)) if args.from.is_empty() => samples.columns.clone(),
        _ => declared.parameters.iter().map(|p| Column::empty(p.ty)).collect(),
    };
    let count = match (args.inputs, framed) {
        (None, Some(_)) => 0,
        (asked, _) => drawn(asked, &args.from),
    };
    if count > 0 || !args.from.is_empty() {
        let seed = args.frames.seed.seed();
        let more =
            inputs(workbench, function, &args.from, count, seed, warnings).map_err(open::lab_failure)?;
        for batch in more {
            columns.iter_mut().zip(&batch).for_each(|(to, from)| {
                (0..from.len()).for_each(|row| to.push(&from.value(row)));
            });
        }
    }
    match columns.first().is_some_and(|column| !column.is_empty()) || declared.parameters.is_empty() {
        true => Ok(columns),
        false => Err(Failure::usage(format!("there is no source input of `{}`", declared.name))),
    }
}

/// What is wrong with the file of categories and choices, and what is not known of its frames.
fn doubts(framed: &Framed, samples: &Samples) -> Vec<String> {
    let file = framed.file.display();
    let mistakes = mistakes(framed, samples);
    mistakes.iter().chain(&samples.warnings).map(|doubt| format!("{file}: {doubt}")).collect()
}
