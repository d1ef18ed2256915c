//! A check with more than random source inputs (what techniques make, inputs of frames, as many as are adequate): of a module, or of the same
//! functions as they are built for this machine.

use std::collections::BTreeSet;
use std::sync::Arc;

use dodona_frames::{Framed, FramesOptions, mistakes, samples};
use dodona_generation::{ForRelations, GenerateOptions, Technique, for_relations};
use dodona_lab::{UntilAdequate, until_adequate};
use dodona_records::{AdequacyRecord, CheckRecord};
use dodona_target::{Interruption, Target, Until};
use dodona_wasm::Workbench;
use dodona_workbench::{
    CheckOptions, LabError, MadeInputs, PreparedCheck, Progress, ScheduleOptions, check, check_scheduled,
    takes,
};

use crate::Native;

/// The least share of a relation's groups that have to be eligible where nobody asks for another: below it a warning says so.
const MIN_ELIGIBLE: f64 = 0.1;

/// How a module is checked.
#[derive(Clone, Debug, Default)]
pub struct CheckPlan {
    /// How relations are checked, with random source inputs and those of files.
    pub check: CheckOptions,
    /// The techniques that make further source inputs for the functions that relations call; [`Technique::Random`] is left to
    /// [`CheckOptions::sources`], and [`Technique::Frames`] takes the function that `frames.toml` is about.
    pub techniques: Vec<Technique>,
    /// How many inputs a technique makes for each function, if not as many as is usual for it.
    pub count: Option<usize>,
    /// Source inputs and relations are added until this is reached, in place of all others.
    pub until: Option<UntilAdequate>,
    /// A budget of calls in place of a number of random source inputs, and how it is spent.
    pub budget: Option<ScheduleOptions>,
    /// The least share of a relation's groups that have to be eligible, from 0 to 1, where somebody asks for one.
    pub min_eligible: Option<f64>,
}

impl CheckPlan {
    /// The techniques that make inputs for each function that relations call: all but the random one, whose inputs the check draws, and the
    /// frames, which are of one function.
    pub fn makers(&self) -> impl Iterator<Item = Technique> {
        let is_other = |technique: &Technique| !matches!(technique, Technique::Random | Technique::Frames);
        self.techniques.iter().copied().filter(is_other)
    }
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The record.
    pub record: CheckRecord,
    /// Where a run contradicts a prediction, which would be a bug in Dodona.
    pub contradictions: Vec<String>,
}

/// Checks the relations of a subject of any kind as a plan says. What techniques make of code needs a module; random inputs, those of files and those of frames do not.
///
/// # Errors
/// As [`check()`]; when the plan needs a module and there is none, when there is no solver for a technique that needs one, or no input of a frame; and [`LabError::CutShort`], with the
/// record as the plan has it, when the target fails in the middle.
pub fn check_as_planned<T: Target + ?Sized>(
    workbench: &dodona_workbench::Workbench<T>,
    plan: &CheckPlan,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(Progress),
) -> Result<Checked, LabError> {
    PlannedCheck::new(workbench, plan, interrupted)?.run(interrupted, progress)
}

/// Checks the relations of functions that are built for this machine as a plan says. Techniques make inputs along the paths of the module.
///
/// # Errors
/// As [`check_as_planned`], and when the plan needs a module and there is none.
pub fn check_natively_as_planned(
    native: &Native,
    plan: &CheckPlan,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(Progress),
) -> Result<Checked, LabError> {
    let planned = PlannedCheck::of(native.workbench.clone(), native.module.as_ref(), plan, interrupted)?;
    let mut checked = planned.run(interrupted, progress)?;
    checked.record.warnings.splice(0..0, native.warnings());
    Ok(checked)
}

/// A check whose source inputs are made, before any of them is run.
///
/// [`PlannedCheck::prepared`] runs them in parts, and [`PlannedCheck::complete`] adds to the record of all parts what the plan adds to a check.
pub struct PlannedCheck {
    workbench: Arc<dodona_workbench::Workbench>,
    options: CheckOptions,
    warnings: Vec<String>,
    contradictions: Vec<String>,
    adequacy: Vec<AdequacyRecord>,
    budget: Option<ScheduleOptions>,
    min_eligible: Option<f64>,
}

impl PlannedCheck {
    /// Makes the source inputs of a check of a subject of any kind.
    ///
    /// # Errors
    /// When the plan needs a module and there is none, when there is no solver for a technique that needs one, or no input of a frame.
    pub fn new<T: Target + ?Sized>(
        workbench: &dodona_workbench::Workbench<T>,
        plan: &CheckPlan,
        interrupted: &Interruption,
    ) -> Result<PlannedCheck, LabError> {
        let workbench = workbench.any();
        let module = dodona_wasm::of(&workbench).map(Arc::new);
        PlannedCheck::of(workbench, module.as_ref(), plan, interrupted)
    }

    /// Of any target, with inputs that are made from a module of the same functions.
    fn of(
        workbench: Arc<dodona_workbench::Workbench>,
        module: Option<&Arc<Workbench>>,
        plan: &CheckPlan,
        interrupted: &Interruption,
    ) -> Result<PlannedCheck, LabError> {
        let mut all = match module {
            Some(module) => made(module, plan, interrupted)?,
            None if plan.makers().next().is_none() => ForRelations::default(),
            None => return Err(LabError::engine(NoCode("inputs that are made from code"))),
        };
        if plan.techniques.contains(&Technique::Frames) {
            // Inputs of frames along paths need the code, where there is some.
            let of = module.map_or_else(|| Arc::clone(&workbench), |module| module.any());
            add_frames(&of, plan, &mut all, interrupted)?;
        }
        let ForRelations { made, warnings, contradictions } = all;
        let mut options = CheckOptions { made, ..plan.check.clone() };
        let mut adequacy = Vec::new();
        if let Some(until) = &plan.until {
            let of = module.map_or_else(|| Arc::clone(&workbench), |module| module.any());
            let adequate = adequate(&of, plan, until, interrupted)?;
            adequacy = adequate.records;
            options =
                CheckOptions { sources: 0, made: adequate.made, relations: adequate.relations, ..options };
        }
        let &CheckPlan { budget, min_eligible, .. } = plan;
        Ok(PlannedCheck { workbench, options, warnings, contradictions, adequacy, budget, min_eligible })
    }

    /// Runs all of them.
    ///
    /// # Errors
    /// As [`check_as_planned`].
    pub fn run(
        self,
        interrupted: &Interruption,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Checked, LabError> {
        let (workbench, options) = (self.workbench.clone(), &self.options);
        let ran = match self.budget {
            Some(budget) => {
                check_scheduled(workbench, options, budget, &Until::interrupted(interrupted), progress)
            }
            None => check(workbench, options, interrupted, progress),
        };
        match ran {
            Ok(record) => Ok(self.complete(record)),
            Err(LabError::CutShort(record)) => {
                Err(LabError::CutShort(Box::new(self.complete(*record).record)))
            }
            Err(error) => Err(error),
        }
    }

    /// The check with its source inputs read, so that a part of them can be run.
    ///
    /// # Errors
    /// As [`PreparedCheck::new`].
    pub fn prepared(&self) -> Result<PreparedCheck<'_>, LabError> {
        PreparedCheck::new(self.workbench.clone(), &self.options)
    }

    /// The record of a check of these source inputs, with what the plan adds to it.
    pub fn complete(self, record: CheckRecord) -> Checked {
        let PlannedCheck { warnings, contradictions, adequacy, min_eligible, .. } = self;
        let mut record = CheckRecord { adequacy, min_eligible, ..record };
        record.warnings.splice(0..0, warnings);
        let least = min_eligible.unwrap_or(MIN_ELIGIBLE);
        record.warnings.extend(record.relations.iter().filter_map(|relation| relation.hardly_tested(least)));
        Checked { record, contradictions }
    }
}

/// A plan needs code, and there is none.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} need a WebAssembly module, and this subject has none: it is called in processes, or does not compile to one (`dodona build` shows why)"
)]
struct NoCode(&'static str);

/// What the techniques make for the relations.
fn made(
    workbench: &Workbench,
    plan: &CheckPlan,
    interrupted: &Interruption,
) -> Result<ForRelations, LabError> {
    let others: Vec<Technique> = plan.makers().collect();
    let mut made = ForRelations::default();
    if !others.is_empty() {
        let relations = workbench.select(&plan.check.relations)?;
        let options =
            GenerateOptions { count: plan.count, seed: plan.check.seed, ..GenerateOptions::default() };
        made = for_relations(workbench, &relations, &others, &options, interrupted)?;
    }
    Ok(made)
}

/// Adds the inputs of the frames of the function that `frames.toml` is about.
fn add_frames(
    workbench: &dodona_workbench::Workbench,
    plan: &CheckPlan,
    made: &mut ForRelations,
    interrupted: &Interruption,
) -> Result<(), LabError> {
    let framed = Framed::open(workbench, None, None)?;
    let options = FramesOptions { seed: plan.check.seed, ..FramesOptions::default() };
    let samples = samples(&framed, &options, interrupted)?;
    let (name, file) = (&framed.declared().name, framed.file.display());
    let mistakes = mistakes(&framed, &samples);
    if samples.rows() == 0 {
        return Err(framed.no_input(&mistakes));
    }
    made.warnings.extend(mistakes.iter().map(|mistake| format!("{file}: {mistake}")));
    made.warnings.extend(samples.warnings.iter().map(|warning| format!("{name}, frames: {warning}")));
    let selected = workbench.select(&plan.check.relations)?;
    if !selected.iter().any(|&index| takes(&workbench.relations[index].relation, framed.function)) {
        made.warnings.push(format!("no relation takes an input of `{name}`, which frames.toml is about"));
    }
    let technique = Technique::Frames.name().to_owned();
    made.made.push(MadeInputs { function: framed.function, technique, columns: samples.columns });
    Ok(())
}

/// Source inputs that are adequate, or as near to it as can be.
struct Adequate {
    made: Vec<MadeInputs>,
    /// The names of the relations, with those that were added.
    relations: Vec<String>,
    /// What was reached, for each function.
    records: Vec<AdequacyRecord>,
}

/// Adds source inputs and relations for each function that the relations take inputs of.
fn adequate(
    workbench: &dodona_workbench::Workbench,
    plan: &CheckPlan,
    until: &UntilAdequate,
    interrupted: &Interruption,
) -> Result<Adequate, LabError> {
    let selected = workbench.select(&plan.check.relations)?;
    let is_fed = |function: &usize| {
        selected.iter().any(|&index| takes(&workbench.relations[index].relation, *function))
    };
    let mut used: BTreeSet<usize> = selected.iter().copied().collect();
    let (mut made, mut records) = (Vec::new(), Vec::new());
    for function in (0..workbench.functions().len()).filter(is_fed) {
        let reached = until_adequate(workbench, function, &selected, until, interrupted)?;
        used.extend(&reached.added);
        let technique = "adequate".to_owned();
        made.push(MadeInputs { function, technique, columns: reached.columns });
        records.push(reached.record);
    }
    let used: Vec<usize> = used.into_iter().collect();
    Ok(Adequate { made, relations: workbench.relation_names(&used), records })
}
