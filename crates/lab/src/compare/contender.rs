//! What is compared: techniques, with the order of their inputs.

use std::fmt;

use dodona_generation::{Technique, adequacy::prioritise::Prioritisation};

/// A technique with the order of its inputs. One technique can stand in a comparison several times, with the same inputs in several orders; they are
/// made once, and each has the time of that:
/// `path:random` is the inputs of `path` in a random order, which is what Sun et al. (2021) measure as DSE (section 4.6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contender {
    /// What makes the inputs.
    pub technique: Technique,
    /// What puts them in order; `None` is the order that the comparison has for the technique.
    pub by: Option<Prioritisation>,
}

impl From<Technique> for Contender {
    fn from(technique: Technique) -> Contender {
        Contender { technique, by: None }
    }
}

/// The name in records: that of the technique, or with its order `path:random`.
impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.by {
            Some(by) => write!(f, "{}:{by}", self.technique.name()),
            None => f.write_str(self.technique.name()),
        }
    }
}
