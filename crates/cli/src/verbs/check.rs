//! `dodona check SUBJECT…`

pub(crate) mod shard;
mod until;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use dodona::{
    CheckPlan, Checked, Journal, PlannedCheck, Schedule, ScheduleOptions, check_natively_as_planned,
};
use dodona_generation::Technique;
use dodona_records::{CheckRecord, RelationRecord, RelationVerdict, StopReason};
use dodona_report::Format;
use dodona_subject::Manifest;
use dodona_subject::build::Sanitizer;
use dodona_target::Interruption;
use dodona_workbench::{CheckOptions, LabError, Regressions};

use crate::args::{
    CheckSourcesArgs, FormatArgs, JobsArgs, MOST_INPUTS, NativeArgs, RelationArgs, SeedArgs, SubjectsArgs,
    drawn, from_0_to_1,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open::Subject;
use crate::output::{first_or_whole, report};
use crate::progress::Progress;
use crate::several::Failed;
use crate::shards::ShardArgs;
use crate::{calls, interrupt, memory, mistake, open, shell};

/// Check relations; violated ones come with a shrunk counterexample
#[derive(Debug, Args)]
#[command(mut_arg("shard", |arg| arg.conflicts_with_all(["runs", "until_adequate", "native", "resume"])))]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) subjects: SubjectsArgs,
    /// Random source inputs a relation [default: 1000; 0 with --from]
    #[arg(long, value_name = "N")]
    pub(crate) sources: Option<u64>,
    /// The most calls, source and follow-up calls of all relations together, in place of a number of source inputs: for what is slow to call
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["sources", "until_adequate", "native"])]
    pub(crate) runs: Option<u64>,
    /// Which relation and which part of its inputs are tried next, within --runs
    #[arg(long, value_enum, requires = "runs", default_value_t)]
    pub(crate) schedule: ScheduleArg,
    #[command(flatten)]
    pub(crate) by: CheckSourcesArgs,
    /// Source inputs from a .csv or .jsonl file, its columns or keys named like the variables
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) until: until::UntilArgs,
    #[command(flatten)]
    pub(crate) native: NativeArgs,
    /// Make every call of a program or a worker, also one that was made before: for what keeps something between calls
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Go on where a check with --resume ended early: requests to a web service and their answers are kept in .dodona/calls until a check has come to its end
    #[arg(long, conflicts_with_all = ["no_cache", "native"])]
    pub(crate) resume: bool,
    /// The most requests to a web service in a second, in place of `rate` in the manifest
    #[arg(long, value_name = "N", value_parser = rate, conflicts_with = "native")]
    pub(crate) rate: Option<f64>,
    #[command(flatten)]
    pub(crate) relations: RelationArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// List every relation, counterexample and warning
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<[CheckRecord]>,
    /// The least share of a relation's groups that have to be eligible, from 0 to 1. Below it a warning says so; where it is given, the exit code is 2 too
    /// [default: 0.1]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) min_eligible: Option<f64>,
    /// Whether counterexamples are kept in dodona-regressions/ beside the manifest
    #[arg(long, value_enum, default_value_t)]
    pub(crate) keep: Keep,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// Keep them and try those kept first
    #[default]
    Regressions,
    /// Neither write nor read them
    Nothing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScheduleArg {
    /// Relations in turn, and parts of the inputs of each in turn
    #[default]
    RoundRobin,
    /// More often those parts of inputs that showed a violation (feedback-directed metamorphic testing)
    Feedback,
    /// More often what showed something new or came near to a violation (a contextual bandit)
    Bandit,
}

impl From<ScheduleArg> for Schedule {
    fn from(schedule: ScheduleArg) -> Schedule {
        match schedule {
            ScheduleArg::RoundRobin => Schedule::RoundRobin,
            ScheduleArg::Feedback => Schedule::Feedback,
            ScheduleArg::Bandit => Schedule::Bandit,
        }
    }
}

/// Checks each subject and prints one report of all.
pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    if let Some(shard) = args.shard.number {
        return shard::run(args, shard);
    }
    let plan = plan(args)?;
    run_all(args, &|path, interrupted| subject(path, args, &plan, interrupted))
}

/// Checks a subject: its record, and where Dodona contradicts itself.
type CheckSubject<'a> = dyn Fn(&Path, &Interruption) -> Result<(CheckRecord, Vec<String>), Failure> + 'a;

/// Checks each subject in this way and prints one report of all.
fn run_all(args: &CheckArgs, check: &CheckSubject<'_>) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    let shown = |path: &PathBuf| path.display().to_string();
    let (checked, failed) =
        Failed::run("subjects", &args.subjects.paths, shown, |path| check(path, interrupted));
    let (mut records, contradictions): (Vec<CheckRecord>, Vec<Vec<String>>) = checked.into_iter().unzip();
    let unchecked = interrupt::left_over(failed.left(&args.subjects.paths));
    if let Some(last) = records.last_mut() {
        last.warnings.extend(unchecked);
    }
    let is_interrupted = interrupted.is_raised() && !memory::is_met();
    let exit = if is_interrupted { Exit::Interrupted } else { exit(&records) };
    if args.format.chosen != Format::Terminal {
        let seed = args.seed.number;
        let failures = failed.reported();
        records.extend(failures.map(|(path, why)| CheckRecord::failed(path.clone(), seed, why.words())));
    }
    if !records.is_empty() {
        print(&records, args)?;
    }
    Ok(mistake::or(&contradictions.concat(), failed.or(exit)))
}

/// A subject whose check is prepared.
struct Opened {
    planned: PlannedCheck,
    name: String,
    journal: Option<Arc<Journal>>,
}

/// Opens a subject that is called as its manifest says, and makes its source inputs.
fn opened(
    path: &Path,
    args: &CheckArgs,
    plan: &CheckPlan,
    interrupted: &Interruption,
) -> Result<Opened, Failure> {
    let files = &args.relations.files;
    let calling = open::Calling { is_uncached: args.no_cache, resumes: args.resume, rate: args.rate };
    // Frames are of a function that no relation may call.
    let Subject { manifest, workbench, journal } = match args.by.has_frames() {
        true => open::any(path, files, &calling),
        false => open::any_for_relations(path, files, &[], &calling),
    }?;
    let plan = of_programs(&manifest, args, plan);
    let planned = PlannedCheck::new(&workbench, &plan, interrupted).map_err(open::lab_failure)?;
    Ok(Opened { planned, name: manifest.name.clone(), journal })
}

/// Checks one subject; its record, and where Dodona contradicts itself.
fn subject(
    path: &Path,
    args: &CheckArgs,
    plan: &CheckPlan,
    interrupted: &Interruption,
) -> Result<(CheckRecord, Vec<String>), Failure> {
    let mut bar = Progress::new("sources");
    let checked = if args.native.native {
        let native = open::natively(open::manifest(path)?, &args.relations.files, &[], &args.native)?;
        let name = native.workbench.target.name().to_owned();
        let mut told = |p: dodona_workbench::Progress| bar.update(&name, p.run, p.planned);
        check_natively_as_planned(&native, plan, interrupted, &mut told)
    } else {
        let Opened { planned, name, journal } = opened(path, args, plan, interrupted)?;
        let checked = planned.run(interrupted, &mut |p| bar.update(&name, p.run, p.planned));
        match (&journal, &checked) {
            (Some(journal), Ok(Checked { record, .. })) => calls::close(journal, record),
            (Some(journal), Err(LabError::CutShort(record))) => calls::close(journal, record),
            _ => {}
        }
        checked
    };
    bar.finish();
    match checked {
        Ok(Checked { mut record, contradictions }) => {
            let words = reported(&record);
            // Before the others: the first screen may have room for the first ones alone.
            record.warnings.splice(0..0, words);
            Ok((record, contradictions))
        }
        // What was found before the target failed is reported with the failure.
        Err(LabError::CutShort(record)) => Ok((*record, Vec::new())),
        Err(error) => Err(open::lab_failure(error)),
    }
}

/// The plan with fewer random inputs, where programs are run and nobody asks for a number.
fn of_programs(manifest: &Manifest, args: &CheckArgs, plan: &CheckPlan) -> CheckPlan {
    let mut plan = plan.clone();
    if let (Some(usual), None, None) = (open::sources_of(manifest), args.sources, args.runs) {
        plan.check.sources = plan.check.sources.min(usual);
    }
    plan
}

fn plan(args: &CheckArgs) -> Result<CheckPlan, Failure> {
    let mut techniques = args.by.techniques()?;
    let check = options(args, &techniques);
    if args.sources == Some(0) {
        techniques.clear();
    }
    let plan = CheckPlan {
        check,
        techniques,
        count: args.sources.map(|sources| sources as usize),
        until: args.until.options(args),
        budget: args.runs.map(|runs| ScheduleOptions { runs, schedule: args.schedule.into() }),
        min_eligible: args.min_eligible,
    };
    if let Some(technique) = plan.makers().next()
        && args.sources.is_some_and(|sources| sources > MOST_INPUTS)
    {
        let by = technique.name();
        return Err(Failure::usage(format!("at most {MOST_INPUTS} --sources can be made by {by}")));
    }
    if plan.until.is_some_and(|until| until.most == 0) {
        return Err(Failure::usage(
            "--until-adequate begins with random source inputs; give --sources a number above 0",
        ));
    }
    Ok(plan)
}

/// Random source inputs of a relation.
fn random(args: &CheckArgs, techniques: &[Technique]) -> u64 {
    match techniques {
        [] => drawn(args.sources, &args.from),
        some if some.contains(&Technique::Random) => drawn(args.sources, &[]),
        _ => 0,
    }
}

fn options(args: &CheckArgs, techniques: &[Technique]) -> CheckOptions {
    CheckOptions {
        sources: random(args, techniques),
        files: args.from.clone(),
        made: Vec::new(),
        relations: args.relations.names.clone(),
        seed: args.seed.seed(),
        jobs: args.jobs.threads(),
        regressions: match args.keep {
            Keep::Regressions => Regressions::Keep,
            Keep::Nothing => Regressions::Ignore,
        },
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    }
}

fn print(records: &[CheckRecord], args: &CheckArgs) -> Result<(), Failure> {
    // Where a command is printed, it can be pasted into a shell; data has the path as it is.
    let words = args.relations.files.words() + &args.native.words();
    let pasted = || records.iter().map(|r| replayable(r, &words)).collect::<Vec<_>>();
    match args.format.chosen {
        Format::Json => report(records, Format::Json),
        format => first_or_whole(&pasted()[..], format, args.all),
    }
}

/// The record whose words for a replay are words of a shell, with these behind them.
pub(super) fn replayable(record: &CheckRecord, words: &str) -> CheckRecord {
    let mut record = record.clone();
    let counterexamples = record.relations.iter_mut().filter_map(|r| r.counterexample.as_mut());
    for kept in counterexamples.filter_map(|counterexample| counterexample.kept.as_mut()) {
        *kept = shell::path(Path::new(kept)) + words;
    }
    record
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate.is_finite() => Ok(rate),
        _ => Err("a rate is a number of requests in a second, above 0".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    from_0_to_1("a share", text)
}

/// Whether a budget of calls was spent before every relation was tested.
fn is_out_of_runs(record: &CheckRecord) -> bool {
    let is_not_run = |relation: &RelationRecord| relation.verdict() == RelationVerdict::NotRun;
    matches!(record.stop, StopReason::RunsSpent { .. }) && record.relations.iter().any(is_not_run)
}

/// What sanitizers report of source calls: such a call has no group, but what was asked for is the report.
fn reports(record: &CheckRecord) -> BTreeSet<&str> {
    let told = record.relations.iter().flat_map(|relation| relation.skipped.values());
    let of_sanitizers = told.map(String::as_str).filter(|told| Sanitizer::reports(told));
    // How the process ended is the same for all of them.
    of_sanitizers.map(|told| told.split_once(" at ").map_or(told, |(_, place)| place)).collect()
}

/// A warning with what sanitizers report of source calls.
fn reported(record: &CheckRecord) -> Option<String> {
    // So many reports leave room on the first screen for what relations found.
    const SHOWN: usize = 3;
    let reports = reports(record);
    let more = match reports.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let shown: Vec<&str> = reports.into_iter().take(SHOWN).collect();
    let calls = if shown.len() == 1 { "a source call" } else { "source calls" };
    (!shown.is_empty()).then(|| {
        format!(
            "a sanitizer reports {calls}, for which the exit code is 1: {}{more}; a relation `not f(x) traps` finds the input",
            shown.join("; ")
        )
    })
}

/// A violation outweighs a relation that was never tested or less than was asked for, and a kept counterexample that could not be run or judged; these outweigh a degree
/// of adequacy that is not reached.
pub(super) fn exit(records: &[CheckRecord]) -> Exit {
    let has = |verdict| records.iter().flat_map(|r| &r.relations).any(|r| r.verdict() == verdict);
    // Whoever asks for sanitizers wants to know of each report, also of a source call, whose group no relation judges.
    if has(RelationVerdict::Violated) || records.iter().any(|record| !reports(record).is_empty()) {
        Exit::Violated
    } else if records.iter().any(|record| record.failure.is_some()) {
        Exit::Subject
    } else if records.iter().any(is_out_of_runs) {
        Exit::Budget
    } else if has(RelationVerdict::NeverEligible)
        || has(RelationVerdict::OnlyAllowed)
        || has(RelationVerdict::NotRun)
        || records.iter().any(|record| record.unread > 0)
        || records.iter().any(|record| record.relations.iter().any(|r| record.too_few_eligible(r).is_some()))
    {
        Exit::Usage
    } else if records.iter().flat_map(|record| &record.adequacy).any(|adequacy| !adequacy.is_reached()) {
        Exit::Budget
    } else {
        Exit::Success
    }
}
