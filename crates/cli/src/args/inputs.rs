//! The arguments that choose techniques: of making source inputs, and of putting them in order.

use std::ffi::OsStr;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, ValueEnum};
use dodona_generation::adequacy::prioritise;
use dodona_lab::Contender;

use crate::failure::Failure;

/// A technique, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TechniqueName(pub(crate) dodona_generation::Technique);

impl Default for TechniqueName {
    fn default() -> Self {
        TechniqueName(dodona_generation::Technique::ALL[0])
    }
}

impl ValueEnum for TechniqueName {
    fn value_variants<'a>() -> &'a [TechniqueName] {
        const ALL: [TechniqueName; dodona_generation::Technique::ALL.len()] = all();
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.title()))
    }
}

const fn all() -> [TechniqueName; dodona_generation::Technique::ALL.len()] {
    let mut all =
        [TechniqueName(dodona_generation::Technique::ALL[0]); dodona_generation::Technique::ALL.len()];
    let mut place = 0;
    while place < all.len() {
        all[place] = TechniqueName(dodona_generation::Technique::ALL[place]);
        place += 1;
    }
    all
}

/// The techniques of a list.
///
/// # Errors
/// When one is named twice.
pub(crate) fn techniques(
    option: &str,
    typed: &[TechniqueName],
) -> Result<Vec<dodona_generation::Technique>, Failure> {
    let techniques: Vec<_> = typed.iter().map(|technique| technique.0).collect();
    match (1..techniques.len()).find(|&i| techniques[..i].contains(&techniques[i])) {
        Some(twice) => Err(Failure::usage(format!("{option} names {} twice", techniques[twice].name()))),
        None => Ok(techniques),
    }
}

/// Reads a technique, or a technique with an order of its inputs: `path`, `path:random`.
#[derive(Clone)]
pub(crate) struct ContenderParser;

impl TypedValueParser for ContenderParser {
    type Value = Contender;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Contender, clap::Error> {
        let techniques = EnumValueParser::<TechniqueName>::new();
        let Some((name, order)) = value.to_str().and_then(|text| text.split_once(':')) else {
            return Ok(techniques.parse_ref(command, arg, value)?.0.into());
        };
        let technique = techniques.parse_ref(command, arg, OsStr::new(name))?.0;
        let by = EnumValueParser::<By>::new().parse_ref(command, arg, OsStr::new(order))?;
        Ok(Contender { technique, by: Some(by.into()) })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = TechniqueName::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        Some(Box::new(names.collect::<Vec<_>>().into_iter()))
    }
}

/// How source inputs of a check are made.
#[derive(Debug, Args)]
pub(crate) struct CheckSourcesArgs {
    /// How source inputs are made, besides those from files: random draws --sources for a relation, frames takes frames.toml; each other technique
    /// makes --sources for each function that relations call, or as many as `dodona generate` does [default: random]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    sources_by: Vec<TechniqueName>,
}

impl CheckSourcesArgs {
    /// The techniques; none where nobody says.
    ///
    /// # Errors
    /// When one is named twice.
    pub(crate) fn techniques(&self) -> Result<Vec<dodona_generation::Technique>, Failure> {
        techniques("--sources-by", &self.sources_by)
    }

    /// Whether the frames of functions make some.
    pub(crate) fn has_frames(&self) -> bool {
        self.sources_by.contains(&TechniqueName(dodona_generation::Technique::Frames))
    }
}

/// How source inputs are made.
#[derive(Debug, Args)]
pub(crate) struct SourcesByArgs {
    /// How source inputs are made, besides those from files: each technique of the list makes some
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    sources_by: Vec<TechniqueName>,
}

impl SourcesByArgs {
    /// The techniques; none where nobody says.
    ///
    /// # Errors
    /// When one is named twice.
    pub(crate) fn techniques(&self) -> Result<Vec<dodona_generation::Technique>, Failure> {
        techniques("--sources-by", &self.sources_by)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// What runs most statements that no input before it runs
    #[default]
    Path,
    /// What runs most statements
    Total,
    /// What takes most branch edges that no input before it takes
    AdditionalBranch,
    /// Anything
    Random,
    /// What is far from the inputs before it
    Adaptive,
    /// What runs another sequence of statements than the inputs before it: most statements to insert, delete or replace
    Edit,
    /// The same by the places with different statements
    Hamming,
    /// The same by the statements outside the longest common subsequence
    CommonSubsequence,
}

impl From<By> for prioritise::Prioritisation {
    fn from(by: By) -> prioritise::Prioritisation {
        use prioritise::SequenceDistance as Distance;
        match by {
            By::Path => prioritise::Prioritisation::Path,
            By::Total => prioritise::Prioritisation::Total,
            By::AdditionalBranch => prioritise::Prioritisation::AdditionalBranch,
            By::Random => prioritise::Prioritisation::Random,
            By::Adaptive => prioritise::Prioritisation::Adaptive,
            By::Edit => prioritise::Prioritisation::Sequence(Distance::Edit),
            By::Hamming => prioritise::Prioritisation::Sequence(Distance::Hamming),
            By::CommonSubsequence => prioritise::Prioritisation::Sequence(Distance::CommonSubsequence),
        }
    }
}
