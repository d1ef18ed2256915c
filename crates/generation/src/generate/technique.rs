//! The techniques of making source inputs, in one table.
//!
//! All verbs that make source inputs read the table, so that a new technique is added in one place.

use dodona_subject::Function;
use dodona_target::Until;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use super::{GenerateOptions, Made, directed, drawn, frames, ways};

/// How source inputs are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Technique {
    /// An input for each path that symbolic execution finds.
    Path,
    /// A random input, then one of its choices negated after the other.
    Concolic,
    /// At random but far from each other.
    Adaptive,
    /// At random.
    Random,
    /// Some for each complete test frame.
    Frames,
    /// An input for each way through the calls of relations.
    Ways,
}

/// All that is to be known of a technique.
struct Definition {
    technique: Technique,
    name: &'static str,
    title: &'static str,
    words: &'static str,
    is_symbolic: bool,
    chooses: bool,
    make: fn(&Workbench, &Function, &GenerateOptions, &Until) -> Result<Made, LabError>,
}

/// Every technique: those of the study of path-directed source inputs in its order, the best first, then what a person's
/// specification distinguishes, and what relations do.
const DEFINITIONS: [Definition; 6] = [
    Definition {
        technique: Technique::Path,
        name: "path",
        title: "An input for each path that symbolic execution finds",
        words: "along paths",
        is_symbolic: true,
        chooses: true,
        make: directed::path,
    },
    Definition {
        technique: Technique::Concolic,
        name: "concolic",
        title: "A random input, then one of its choices negated after the other",
        words: "with a negated choice",
        is_symbolic: true,
        chooses: false,
        make: directed::concolic,
    },
    Definition {
        technique: Technique::Adaptive,
        name: "adaptive",
        title: "At random but far from each other",
        words: "far from each other",
        is_symbolic: false,
        chooses: false,
        make: drawn::adaptive,
    },
    Definition {
        technique: Technique::Random,
        name: "random",
        title: "At random",
        words: "at random",
        is_symbolic: false,
        chooses: false,
        make: drawn::random,
    },
    Definition {
        technique: Technique::Frames,
        name: "frames",
        title: "Ten for each complete test frame of frames.toml",
        words: "of frames",
        is_symbolic: false,
        chooses: false,
        make: frames::frames,
    },
    Definition {
        technique: Technique::Ways,
        name: "ways",
        title: "An input for each way through the source and follow-up calls of relations",
        words: "along ways through relations",
        is_symbolic: true,
        chooses: true,
        make: ways::ways,
    },
];

impl Technique {
    /// Every technique, in the order of the table.
    pub const ALL: [Technique; DEFINITIONS.len()] = all();

    fn definition(self) -> &'static Definition {
        &DEFINITIONS[self as usize]
    }

    /// The name on the command line and in records.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// What it does, as the help says it.
    pub fn title(self) -> &'static str {
        self.definition().title
    }

    /// How its inputs are found, as messages say it: `along paths`.
    pub fn words(self) -> &'static str {
        self.definition().words
    }

    /// Whether it needs a solver.
    pub fn is_symbolic(self) -> bool {
        self.definition().is_symbolic
    }

    /// Whether it finds more inputs than are wanted, and keeps those that cover most.
    pub fn chooses(self) -> bool {
        self.definition().chooses
    }

    /// Makes inputs, which are not run.
    pub(super) fn make(
        self,
        workbench: &Workbench,
        function: &Function,
        options: &GenerateOptions,
        until: &Until,
    ) -> Result<Made, LabError> {
        (self.definition().make)(workbench, function, options, until)
    }
}

const fn all() -> [Technique; DEFINITIONS.len()] {
    let mut all = [Technique::Path; DEFINITIONS.len()];
    let mut place = 0;
    while place < all.len() {
        all[place] = DEFINITIONS[place].technique;
        place += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_technique_has_its_row_and_a_name_of_its_own() {
        for (place, technique) in Technique::ALL.into_iter().enumerate() {
            assert_eq!(technique as usize, place, "the table stands in the order of the variants");
            assert_eq!(technique.definition().technique, technique);
        }
        let names: HashSet<&str> = Technique::ALL.iter().map(|technique| technique.name()).collect();
        assert_eq!(names.len(), Technique::ALL.len());
    }
}
