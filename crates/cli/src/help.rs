//! The command line as a whole, and its help, which lists the verbs by what a person wants. clap has headings for options alone.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::{ArgMatches, Command, CommandFactory as _, Parser};

use crate::memory::Ceiling;
use crate::verbs::{HEADINGS, Verb};

/// Tests code that has no oracle: checks the metamorphic relations of a function compiled to WebAssembly.
#[derive(Debug, Parser)]
#[command(name = "dodona", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 all hold, 1 a relation is violated or a threshold is missed, 2 bad usage or input, \
                        3 budget spent before an answer, 4 the subject could not be built or run, 5 Dodona contradicts \
                        itself or failed inside (please report it), 130 interrupted. Of several subjects or files the \
                        worst counts: 5, 130, 1, 4, 2, 3, 0."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// End with a message where Dodona and its solvers take more memory: 8GiB, 500MiB, or a share of what is there
    /// [default: 50%]
    #[arg(long, global = true, value_name = "SIZE")]
    pub(crate) memory: Option<Ceiling>,
}

impl Cli {
    /// The same, with what only the words of the command line tell: which options were written and not left to their defaults.
    pub(crate) fn noting(mut self, typed: &ArgMatches) -> Cli {
        let Some((name, typed)) = typed.subcommand() else { return self };
        let shard = match &mut self.verb {
            Verb::Discover(discover) => {
                discover.note(typed);
                &mut discover.shard
            }
            Verb::Check(check) => &mut check.shard,
            Verb::Mutate(mutate) => &mut mutate.shard,
            _ => return self,
        };
        if let Some(verb) = Cli::command().find_subcommand(name).filter(|_| shard.number.is_some()) {
            shard.command = crate::shards::command(verb, typed);
        }
        self
    }
}

/// The options that the help of a verb shows first, beside `--memory` and `--help`. The others stand under `dodona help VERB --all`.
const FIRST_OPTIONS: [(&str, &[&str]); 1] = [(
    "discover",
    &[
        "time",
        "relations",
        "all",
        "explain",
        "each",
        "shard",
        "to",
        "seed",
        "jobs",
        "format",
        "output",
        "emit",
    ],
)];

/// An example of each verb whose arguments have none of their own. Those that need nothing but a subject are run by a test, in the folder of one.
const EXAMPLES: [(&str, &str); 23] = [
    ("status", "dodona status"),
    ("report", "dodona report --html runs.html"),
    ("accept", "dodona accept"),
    ("clean", "dodona clean --keep 10"),
    ("init", "dodona init module.wasm"),
    ("build", "dodona build ."),
    ("call", "dodona call . 'gcd(12, 18)'"),
    ("check", "dodona check . --sources 2000"),
    ("prove", "dodona prove . identity"),
    ("replay", "dodona replay dodona-regressions"),
    ("relations", "dodona relations ."),
    ("discover", "dodona discover . gcd --time 10"),
    ("compose", "dodona compose ."),
    ("frames", "dodona frames . price"),
    ("identify", "dodona identify . price"),
    ("generate", "dodona generate . gcd --count 20"),
    ("mutate", "dodona mutate . --fail-under 0.5"),
    ("hierarchy", "dodona hierarchy . --operators ROR"),
    ("compare", "dodona compare . gcd --techniques random,adaptive --count 10 --repeats 3"),
    ("cover", "dodona cover . gcd"),
    ("adequacy", "dodona adequacy . gcd"),
    ("select", "dodona select . gcd --adequacy 0.8"),
    ("prioritise", "dodona prioritise . gcd --from inputs.csv"),
];

/// A verb with its example below its options, where it has one here.
fn with_example(verb: Command) -> Command {
    match EXAMPLES.iter().find(|(name, _)| *name == verb.get_name()) {
        Some((_, example)) => verb.after_help(format!("Example:\n  {example}")),
        None => verb,
    }
}

/// The verbs that the help shows first, in the order in which somebody meets them. The others stand under `dodona help all`.
const FIRST_VERBS: [&str; 7] = ["run", "init", "check", "discover", "mutate", "prove", "report"];

/// The verbs with their options, and the help with the first of them.
pub(crate) fn definition() -> Command {
    let command = Cli::command();
    let listed = first_verbs(&command);
    with_listing(command, &listed).mut_subcommands(|verb| {
        match FIRST_OPTIONS.iter().find(|(name, _)| *name == verb.get_name()) {
            Some((_, first)) => with_first_options(verb, first),
            None => with_example(verb),
        }
    })
}

/// A verb whose help shows a few options and says where the others are.
fn with_first_options(verb: Command, first: &[&str]) -> Command {
    let name = verb.get_name().to_owned();
    let example = EXAMPLES.iter().find(|(of, _)| *of == name);
    let example = example.map(|(_, example)| format!("Example:\n  {example}\n\n")).unwrap_or_default();
    let is_other = |arg: &clap::Arg| !arg.is_positional() && !first.contains(&arg.get_id().as_str());
    let others = verb.get_arguments().filter(|arg| is_other(arg)).count();
    verb.mut_args(|arg| if is_other(&arg) { arg.hide(true) } else { arg })
        .after_help(format!("{example}{others} more options: dodona help {name} --all"))
}

/// What `dodona help all` and `dodona help VERB --all` ask for: the definition in which nothing is hidden, and the words without `all`.
pub(crate) fn asked_for_all(words: &[OsString]) -> Option<(Command, Vec<OsString>)> {
    match words {
        [program, help, all] if help == "help" && (all == "all" || all == "--all") => {
            Some((whole(), vec![program.clone(), "--help".into()]))
        }
        [program, help, verb, all] => {
            let is_asked =
                help == "help" && all == "--all" && FIRST_OPTIONS.iter().any(|(name, _)| verb == *name);
            is_asked.then(|| (whole(), vec![program.clone(), help.clone(), verb.clone()]))
        }
        _ => None,
    }
}

/// The definition in which nothing is hidden: all verbs below their headings, with all options.
pub(crate) fn whole() -> Command {
    let command = Cli::command();
    let listed = listing(&entries(&command), &|name| heading(&command, name));
    with_listing(command, &listed).mut_subcommands(with_example)
}

fn heading(command: &Command, name: &str) -> String {
    let style = command.get_styles().get_header();
    format!("{style}{name}:{style:#}\n")
}

/// The verbs that a newcomer needs, and where the others are.
fn first_verbs(command: &Command) -> String {
    let all = entries(command);
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let entry = |verb: &&str| all.get(names.iter().position(|name| name == verb)?);
    let first: String = FIRST_VERBS.iter().filter_map(entry).map(|entry| format!("{entry}\n")).collect();
    let more = "  dodona help COMMAND   the options of a command, with examples\n  dodona help all       all commands\n";
    format!("{}{first}\n{}{more}\n", heading(command, "Commands"), heading(command, "More"))
}

fn with_listing(command: Command, verbs: &str) -> Command {
    let options = heading(&command, "Options");
    let template = "{about-with-newline}\n{usage-heading} {usage}\n\n";
    command
        .clone()
        .help_template(StyledStr::from(format!("{template}{verbs}{options}{{options}}{{after-help}}")))
}

/// What clap writes of each verb, in the order of the definition: lines that are as long as the terminal is wide.
fn entries(command: &Command) -> Vec<String> {
    let listed = command.clone().help_template("{subcommands}").render_help();
    let mut entries: Vec<String> = Vec::new();
    for line in listed.ansi().to_string().lines() {
        match entries.last_mut() {
            Some(entry) if line.starts_with("   ") => *entry += &format!("\n{line}"),
            _ => entries.push(line.to_owned()),
        }
    }
    entries
}

/// The entries below their headings. What clap adds to the verbs of the table, which is `help`, comes last.
fn listing(entries: &[String], heading: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut left = entries.iter();
    for &(name, count) in HEADINGS.iter().chain([&("Help", usize::MAX)]) {
        let below: String = left.by_ref().take(count).map(|entry| format!("{entry}\n")).collect();
        out += &format!("{}{below}\n", heading(name));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_stands_below_one_heading() {
        let text = whole().render_help().to_string();
        let sections: Vec<&str> = text.split("\n\n").collect();
        let is_heading = |line: &str| HEADINGS.iter().any(|(name, _)| line == format!("{name}:"));
        let headed = |section: &&&str| section.lines().next().is_some_and(is_heading);
        let names = |section: &&str| -> Vec<String> {
            let entries = section.lines().skip(1).filter(|line| !line.starts_with("   "));
            entries.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
        };
        let below: Vec<Vec<String>> = sections.iter().filter(headed).map(names).collect();
        assert_eq!(below.len(), HEADINGS.len(), "{text}");
        for (names, (heading, count)) in below.iter().zip(HEADINGS) {
            assert_eq!(names.len(), *count, "{heading}: {names:?}");
        }
        let defined: Vec<String> =
            definition().get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        assert_eq!(below.concat(), defined);
    }

    #[test]
    fn the_help_shows_first_what_a_newcomer_needs() {
        let text = definition().render_help().to_string();
        assert!(text.lines().count() <= 35 && text.contains("dodona help all"), "{text}");
        for verb in FIRST_VERBS {
            assert!(text.contains(&format!("\n  {verb}")), "{verb}: {text}");
        }
        assert!(!text.contains("\n  prioritise"), "{text}");
        let words = ["dodona", "help", "all"].map(OsString::from);
        let (all, words) = asked_for_all(&words).expect("it is asked for");
        assert!(all.clone().render_help().to_string().contains("\n  prioritise"));
        assert_eq!(words, ["dodona", "--help"].map(OsString::from));
    }

    #[test]
    fn every_verb_says_in_a_line_what_it_does() {
        for verb in definition().get_subcommands() {
            assert!(verb.get_about().is_some(), "{} has no comment on its arguments", verb.get_name());
        }
    }
}
