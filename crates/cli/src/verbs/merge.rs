//! `dodona merge SHARD…`

use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches as _, Subcommand as _};
use dodona_report::{Format, Report as _};
use dodona_session::{ShardHead, ShardSet};

use super::run::{AskedArgs, merged};
use super::{Verb, check, discover, mutate};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, write};
use crate::shards::{SHARDS, shard_files, with_options};
use crate::shell;

const EXAMPLES: &str = "\
Examples:
  dodona merge shards                      the record of the whole run, out of the files of all its parts
  dodona merge shards/*.shard --format json
  dodona merge --missing shards            the commands that make what is not there, one a line

The record is the one that a run of everything in one place has. Exit codes: as of `dodona run`; 2 also where a file is damaged, missing, there twice, or of another run.";

/// Put a run together from the files of its shards
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MergeArgs {
    /// The files, in any order; of a folder all that end in .shard
    #[arg(id = "files", required = true, value_name = "FILE|FOLDER")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only print the commands that make the shards which are not there, one a line
    #[arg(long, conflicts_with_all = ["name", "baseline", "against"])]
    pub(crate) missing: bool,
    /// Take the shards of one command alone, by the name that the jobs of `dodona submit` give it; others are refused
    #[arg(long, value_name = "COMMAND")]
    pub(crate) of: Option<String>,
    #[command(flatten)]
    pub(crate) asked: AskedArgs,
}

/// Merges shards, or tells which are missing.
pub(crate) fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    let files = files(&args.paths)?;
    let set = ShardSet::of(&files, args.of.as_deref());
    let mut problems: Vec<String> = set.problems.iter().map(ToString::to_string).collect();
    let Some(head) = set.head().cloned() else { return Err(refused(&problems)) };
    let verb = verb(&head);
    if args.missing {
        missing(&set, &head)?;
        problems
            .extend(verb.as_ref().map_or(None, |verb| are_of_this(verb, &head).err()).map(|why| why.words()));
    } else if !set.missing.is_empty() {
        problems.push(incomplete(&set, &args.paths));
    }
    match (problems.is_empty(), args.missing) {
        (false, _) => return Err(refused(&problems)),
        (true, true) => return Ok(Exit::Success),
        (true, false) => {}
    }
    let balance = balance(&set);
    let (exit, done) = merged(set, &head, verb?, &args.asked)?;
    if args.asked.format.chosen == Format::Terminal {
        let more = match done {
            0 => String::new(),
            1 => "; one piece of work was done here: it keeps a violation, or depends on what no shard knew alone"
                .to_owned(),
            done => format!(
                "; {done} pieces of work were done here: they keep violations, or depend on what no shard knew alone"
            ),
        };
        write(&format!("{balance}{more}\n"))?;
    }
    Ok(exit)
}

/// What is wrong with shards, each on a line of its own.
fn refused(problems: &[String]) -> Failure {
    Failure::usage(match problems {
        [] => "there are no shards".to_owned(),
        problems => problems.join("\nerror: "),
    })
}

/// Which shards are missing, in words.
fn incomplete(set: &ShardSet, paths: &[PathBuf]) -> String {
    let numbers: Vec<String> = set.missing.iter().map(ToString::to_string).collect();
    let (noun, numbers) = (if numbers.len() == 1 { "shard" } else { "shards" }, shortened(&numbers));
    let paths: Vec<String> = paths.iter().map(|path| shell::path(path)).collect();
    format!(
        "{noun} {numbers} missing; `dodona merge --missing {}` prints the commands that make what is missing",
        paths.join(" ")
    )
}

/// The command that shards are of.
fn verb(head: &ShardHead) -> Result<Verb, Failure> {
    let definition = Verb::augment_subcommands(clap::Command::new("dodona").no_binary_name(true));
    let typed = definition.try_get_matches_from(&head.command);
    typed.and_then(|typed| Verb::from_arg_matches(&typed)).map_err(|_| of_no_shards(head))
}

fn of_no_shards(head: &ShardHead) -> Failure {
    Failure::usage(format!("the shards are of `dodona {}`, which has none", head.command.join(" ")))
}

/// Whether shards of a command are of the code that is here.
fn are_of_this(verb: &Verb, head: &ShardHead) -> Result<(), Failure> {
    match verb {
        Verb::Run(args) => merged::are_of_this(head, &args.work, args.asked.jobs),
        Verb::Check(args) => check::shard::are_of_this(head, args),
        Verb::Mutate(args) => mutate::shard::are_of_this(head, args),
        Verb::Discover(args) => discover::each::are_of_this(head, args),
        _ => Err(of_no_shards(head)),
    }
}

/// Puts the command together that the shards are of, and prints its result. How many pieces of work no shard had, with the exit code.
fn merged(set: ShardSet, head: &ShardHead, verb: Verb, asked: &AskedArgs) -> Result<(Exit, u64), Failure> {
    let format = asked.format.chosen;
    let exit = match verb {
        Verb::Run(args) => return merged::run(set, head, &args.work, asked),
        Verb::Check(mut args) => {
            of_runs_alone(asked, "check", <[dodona_records::CheckRecord]>::OTHERS)?;
            (args.format.chosen, args.jobs) = (format, asked.jobs);
            check::shard::merge(&set, head, &args)
        }
        Verb::Mutate(mut args) => {
            of_runs_alone(asked, "mutate", <[dodona_records::MutationRecord]>::OTHERS)?;
            (args.format.chosen, args.jobs) = (format, asked.jobs);
            mutate::shard::merge(&set, head, &args)
        }
        Verb::Discover(mut args) => {
            of_runs_alone(asked, "discover", dodona_records::DiscoveryRecord::OTHERS)?;
            (args.format.chosen, args.jobs) = (format, asked.jobs);
            args.of = Some(head.command.clone());
            discover::each::merge(&set, head, &args)
        }
        _ => Err(of_no_shards(head)),
    };
    exit.map(|exit| (exit, 0))
}

/// Refuses options that are of a run, where the shards are of another verb, which has these formats beside those that all have.
fn of_runs_alone(asked: &AskedArgs, verb: &str, formats: &[Format]) -> Result<(), Failure> {
    let given = [
        ("--against", asked.against.is_some()),
        ("--baseline", asked.baseline.is_some()),
        ("--name", asked.name.is_some()),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage(format!(
            "{option} is of the shards of `dodona run`, and these are of `dodona {verb}`"
        )));
    }
    let format = asked.format.chosen;
    match Format::COMMON.contains(&format) || formats.contains(&format) {
        true => Ok(()),
        false => Err(Failure::usage(format!("`dodona {verb}` has no format {}", format.name()))),
    }
}

/// The files that are named; of a folder all shards in it.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let of = |path: &PathBuf| if path.is_dir() { shard_files(path) } else { Ok(vec![path.clone()]) };
    Ok(paths.iter().map(of).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The numbers of shards with the verb that follows them: `2/4 is`; of many the first ones.
fn shortened(numbers: &[String]) -> String {
    const MOST: usize = 8;
    match numbers {
        [one] => format!("{one} is"),
        few if few.len() <= MOST => format!("{} are", few.join(", ")),
        many => format!("{} and {} more are", many[..MOST].join(", "), many.len() - MOST),
    }
}

/// Prints the commands that make the shards which are not there.
fn missing(set: &ShardSet, head: &ShardHead) -> Result<(), Failure> {
    let folder = set.files.first().and_then(|file| file.path.parent());
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for shard in &set.missing {
        let mut options = vec!["--shard".to_owned(), shard.to_string()];
        if folder != Path::new(SHARDS) {
            options.extend(["--to".to_owned(), folder.display().to_string()]);
        }
        options.extend(head.costs.iter().flat_map(|folder| ["--costs".to_owned(), folder.clone()]));
        let words = with_options(&head.command, &options);
        let command = shlex::try_join(words.iter().map(String::as_str));
        let command =
            command.map_err(|error| Failure::usage(format!("the command has no spelling: {error}")))?;
        write(&format!("dodona {command}\n"))?;
    }
    if set.missing.is_empty() {
        complain(&format!("none of the {} shards is missing\n", head.shard.of()));
    }
    Ok(())
}

/// How the work was divided, in words.
fn balance(set: &ShardSet) -> String {
    let seconds: Vec<f64> = set.files.iter().map(|file| file.seconds).collect();
    let all: f64 = seconds.iter().sum();
    let pieces: u64 = set.files.iter().map(|file| file.pieces).sum();
    let count = seconds.len();
    let noun = if count == 1 { "shard" } else { "shards" };
    let slowest = seconds.iter().copied().fold(0.0, f64::max);
    let share = match all > 0.0 && count > 1 {
        true => format!(", the slowest {:.2} times the mean", slowest * count as f64 / all),
        false => String::new(),
    };
    format!("merged {count} {noun}: {pieces} pieces of work that took {all:.1} s{share}")
}
