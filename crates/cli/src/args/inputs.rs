//! How source inputs are made and put in order.

use clap::ValueEnum;
use dodona_adequacy::prioritise;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Technique {
    /// An input for each path that symbolic execution finds
    #[default]
    Path,
    /// A random input, then one of its choices negated after the other
    Concolic,
    /// At random but far from each other
    Adaptive,
    /// At random
    Random,
}

impl From<Technique> for dodona_generation::Technique {
    fn from(technique: Technique) -> Self {
        match technique {
            Technique::Path => dodona_generation::Technique::Path,
            Technique::Concolic => dodona_generation::Technique::Concolic,
            Technique::Adaptive => dodona_generation::Technique::Adaptive,
            Technique::Random => dodona_generation::Technique::Random,
        }
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

impl From<By> for prioritise::Technique {
    fn from(by: By) -> prioritise::Technique {
        match by {
            By::Path => prioritise::Technique::Path,
            By::Total => prioritise::Technique::Total,
            By::AdditionalBranch => prioritise::Technique::AdditionalBranch,
            By::Random => prioritise::Technique::Random,
            By::Adaptive => prioritise::Technique::Adaptive,
        }
    }
}
