//! The arguments that choose techniques: of making source inputs, and of putting them in order.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use dodona_generation::adequacy::prioritise;

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
}

impl From<By> for prioritise::Prioritisation {
    fn from(by: By) -> prioritise::Prioritisation {
        match by {
            By::Path => prioritise::Prioritisation::Path,
            By::Total => prioritise::Prioritisation::Total,
            By::AdditionalBranch => prioritise::Prioritisation::AdditionalBranch,
            By::Random => prioritise::Prioritisation::Random,
            By::Adaptive => prioritise::Prioritisation::Adaptive,
        }
    }
}
