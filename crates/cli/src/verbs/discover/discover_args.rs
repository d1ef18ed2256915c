//! What `dodona discover` takes.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};
use dodona_discovery::{DiscoverOptions, Forms};
use dodona_inference::discovery::{SearchKind, Settings};
use dodona_records::DiscoveryRecord;

use crate::args::{
    CalleesArgs, EvidenceArgs, FormatArgs, JobsArgs, MOST_INPUTS as MOST, OperatorsArgs, SeedArgs,
    SourcesByArgs, VersionsArgs, WrittenArgs, from_0_to_1, seconds,
};
use crate::shards::ShardArgs;

/// Options of the search for relations between two calls, which a search for laws has no use for.
const OF_RELATIONS: [&str; 23] = [
    "forms",
    "inputs",
    "sources_by",
    "from",
    "transformations",
    "only",
    "executions",
    "versions",
    "hold_out",
    "dominators",
    "search",
    "enumerate_size",
    "generations",
    "evolution_share",
    "population",
    "max_nodes",
    "crossover",
    "mutation",
    "tournament",
    "best_match",
    "elites",
    "migrate_every",
    "migrants",
];

fn count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MOST)
}

/// Discover relations that raise no false alarm and catch faults, and write them down
#[derive(Debug, Args)]
#[command(mut_arg("shard", |arg| arg.conflicts_with_all(["laws", "versions"])))]
#[command(mut_arg("seed", |arg| arg.help("Where everything random starts; the same seed finds the same relations, unless the time ends the search")))]
#[command(mut_arg("output", |arg| arg.help("Where the relations are written [default: discovered.mr beside the manifest]; a file that exists is kept, and a numbered one written")))]
#[command(mut_arg("sources_by", |arg| arg.default_value("path,adaptive,random")))]
pub(crate) struct DiscoverArgs {
    /// The options that somebody wrote and that a search for laws has no use for, as they are written.
    #[arg(skip)]
    pub(crate) without_use_for_laws: Vec<String>,
    /// The command that searched, where it is not the one that was typed: that of the shards which are merged.
    #[arg(skip)]
    pub(crate) of: Option<Vec<String>>,
    /// A folder with a dodona.toml, or a manifest
    pub(crate) subject: PathBuf,
    /// The functions under test; where there is only one it need not be named. Several are searched one by one, and with --laws for laws between them
    #[arg(id = "function", value_name = "FUNCTION")]
    pub(crate) functions: Vec<String>,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
    /// Laws over several calls and functions, such as `sin(x + y) ~= sin(x)*cos(y) + cos(x)*sin(y)`; usual where a subject has several functions and
    /// none is named
    #[arg(long)]
    pub(crate) laws: bool,
    /// A search for each function that is named, or for all of them, one after the other; they share the time equally
    #[arg(long, conflicts_with = "laws")]
    pub(crate) each: bool,
    #[command(flatten)]
    pub(crate) shard: ShardArgs,
    /// Seconds for all of it
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    pub(crate) time: Duration,
    /// Relations that a person would hardly write, too; usual where the search is asked for alone
    #[arg(long)]
    pub(crate) all: bool,
    /// Tell also what each relation catches, what the filter did, what was refuted and what was computed
    #[arg(long)]
    pub(crate) explain: bool,
    /// The most relations; of several functions so many for each
    #[arg(long, value_name = "N", default_value = "24", value_parser = count())]
    pub(crate) relations: usize,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    #[command(flatten)]
    pub(crate) format: FormatArgs<DiscoveryRecord>,
    #[command(flatten)]
    pub(crate) written: WrittenArgs,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) evidence: EvidenceArgs,
}

/// What the search learns from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Executions")]
pub(crate) struct DataArgs {
    /// Random source inputs, beside those along paths and those far from each other
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(..=MOST))]
    pub(crate) inputs: u64,
    #[command(flatten)]
    pub(crate) by: SourcesByArgs,
    /// Source inputs from a .csv or .jsonl file, its columns or keys named like the parameters
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// The most input transformations
    #[arg(long, value_name = "N", default_value = "64", value_parser = count())]
    pub(crate) transformations: usize,
    /// Only this input transformation, as the report names it: 'NumericAddition(e, -1)'; may be repeated
    #[arg(long = "transformation", value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// The most correct executions of a transformation, and the most incorrect ones
    #[arg(long, value_name = "N", default_value = "9000", value_parser = count())]
    pub(crate) executions: usize,
    #[command(flatten)]
    pub(crate) operators: OperatorsArgs,
    #[command(flatten)]
    pub(crate) callees: CalleesArgs,
    /// The share of the mutants, from 0 to 0.9, that the search never sees: what is found is scored on these
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    pub(crate) hold_out: f64,
    /// The most mutants that the search sees, chosen by the seed; what is found is scored on the others too; 0: no mutants
    #[arg(long, value_name = "N", default_value = "300", value_parser = RangedU64ValueParser::<usize>::new().range(..=MOST))]
    pub(crate) mutants: usize,
    #[command(flatten)]
    pub(crate) versions: VersionsArgs,
    /// Search and score with one mutant of each group that random inputs show to stand for others
    #[arg(long)]
    pub(crate) dominators: bool,
}

/// How output relations are searched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Relations of known forms that are looked for before the search; none where --transformation names one
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', default_value = "laws,patterns")]
    pub(crate) forms: Vec<KnownForm>,
    /// How output relations are found
    #[arg(long, value_enum, default_value_t)]
    pub(crate) search: Search,
    /// The most nodes of an expression that is enumerated
    #[arg(long, value_name = "N", default_value_t = Settings::default().enumerate_size)]
    pub(crate) enumerate_size: usize,
    /// The most generations of a transformation
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) generations: u32,
    /// The share of the time of the search, from 0 to 1, that enumeration leaves to genetic programming where both are used
    #[arg(long, value_name = "SHARE", default_value_t = DiscoverOptions::default().evolution_share, value_parser = share_of_time)]
    pub(crate) evolution_share: f64,
    /// Individuals in each of the two populations
    #[arg(long, value_name = "N", default_value_t = Settings::default().population)]
    pub(crate) population: usize,
    /// The most nodes of an individual
    #[arg(long, value_name = "N", default_value_t = Settings::default().most_nodes)]
    pub(crate) max_nodes: usize,
    /// The share of parents that are crossed over, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().crossover)]
    pub(crate) crossover: f64,
    /// The share of offspring that is mutated, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().mutation)]
    pub(crate) mutation: f64,
    /// Individuals in a tournament
    #[arg(long, value_name = "N", default_value_t = Settings::default().tournament)]
    pub(crate) tournament: usize,
    /// The share of parents chosen by best match, from 0 to 1; the others win tournaments
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().best_match)]
    pub(crate) best_match: f64,
    /// Individuals that go on to the next generation unchanged
    #[arg(long, value_name = "N", default_value_t = Settings::default().elites)]
    pub(crate) elites: usize,
    /// Generations from one migration between the populations to the next
    #[arg(long, value_name = "N", default_value_t = Settings::default().migrate_every)]
    pub(crate) migrate_every: u32,
    /// Individuals that each population sends to the other
    #[arg(long, value_name = "N", default_value_t = Settings::default().migrants)]
    pub(crate) migrants: usize,
}

/// The known forms of relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KnownForm {
    /// Equations between several calls
    Laws,
    /// One parameter changed, under a condition
    Patterns,
    /// The search alone
    None,
}

impl DiscoverArgs {
    /// Notes which options stand on the command line and are not left to their defaults.
    pub(crate) fn note(&mut self, typed: &ArgMatches) {
        let is_written = |id: &&&str| typed.value_source(id) == Some(ValueSource::CommandLine);
        let written = OF_RELATIONS.iter().filter(is_written);
        self.without_use_for_laws = written.map(|id| spelled(id)).collect();
    }
}

impl SearchArgs {
    /// The known forms that are looked for.
    pub(crate) fn forms(&self) -> Forms {
        let has = |form| self.forms.contains(&form) && !self.forms.contains(&KnownForm::None);
        Forms { laws: has(KnownForm::Laws), patterns: has(KnownForm::Patterns) }
    }

    /// The parameters of the search.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            search: self.search.into(),
            population: self.population,
            most_nodes: self.max_nodes,
            crossover: self.crossover,
            mutation: self.mutation,
            tournament: self.tournament,
            best_match: self.best_match,
            elites: self.elites,
            migrate_every: self.migrate_every,
            migrants: self.migrants,
            enumerate_size: self.enumerate_size,
            ..Settings::default()
        }
    }
}

/// An option as it is written.
fn spelled(id: &str) -> String {
    // The only one that is not named like its field.
    let word = if id == "only" { "transformation" } else { id };
    format!("--{}", word.replace('_', "-"))
}

fn share_of_time(text: &str) -> Result<f64, String> {
    from_0_to_1("a share of the time", text)
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=0.9).contains(&share) => Ok(share),
        _ => Err("it is a share of the mutants, a number from 0 to 0.9".to_owned()),
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Search {
    /// By enumeration of small expressions, then by genetic programming that begins with what was found
    #[default]
    Auto,
    /// By enumeration alone
    Enumerate,
    /// By genetic programming alone, from random individuals
    Evolve,
}

impl From<Search> for SearchKind {
    fn from(search: Search) -> Self {
        match search {
            Search::Auto => SearchKind::Auto,
            Search::Enumerate => SearchKind::Enumerate,
            Search::Evolve => SearchKind::Evolve,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_inputs_are_made_as_the_discovery_usually_does() {
        let definition = crate::definition();
        let verb = definition.find_subcommand("discover").expect("a verb");
        let option =
            verb.get_arguments().find(|arg| arg.get_long() == Some("sources-by")).expect("an option");
        let names = dodona_discovery::SOURCES_BY.map(|technique| technique.name());
        assert_eq!(option.get_default_values(), [names.join(",").as_str()]);
    }

    #[test]
    fn a_share_of_mutants_leaves_some_to_search_with() {
        assert_eq!([share("0"), share("0.5"), share("0.9")], [Ok(0.0), Ok(0.5), Ok(0.9)]);
        for text in ["-0.1", "1", "0.95", "nan", "half", ""] {
            assert!(share(text).is_err_and(|error| error.contains("from 0 to 0.9")), "{text}");
        }
    }
}
