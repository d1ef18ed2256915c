//! The parameters of the search. The defaults are those of the study (Xiang, Wu and Yu 2019, section 4.1).

use thiserror::Error;

/// The most relations of a sequence: with more layers no further faults are found (section 4.4), and expectations grow
/// exponentially.
pub const MOST_LAYERS: usize = 8;

/// How sequences are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SearchKind {
    /// All sequences, where there are not too many of them; a genetic algorithm otherwise.
    #[default]
    Auto,
    /// All sequences.
    Enumerate,
    /// The genetic algorithm of section 3.3.
    Genetic,
    /// Simulated annealing, with which section 4.2 compares it.
    Anneal,
}

/// The parameters of the search for composite relations.
///
/// ```
/// use dodona_inference::composition::Settings;
/// let settings = Settings { layers: 3, seed: 7, ..Settings::default() };
/// assert!(settings.check(8).is_ok());
/// assert_eq!(settings.check(1).unwrap_err().to_string(), "1 basic relation: a composition needs at least 2");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How many basic relations are composed: 2 to [`MOST_LAYERS`].
    pub layers: usize,
    /// How sequences are searched.
    pub search: SearchKind,
    /// The most sequences that [`SearchKind::Auto`] enumerates.
    pub enumerate_up_to: u64,
    /// How often the genetic algorithm or simulated annealing is repeated.
    pub repeats: usize,
    /// How many individuals a population has; `None` is 12, 20 and 30 for 2, 3 and 4 layers, and 8 a layer beyond.
    pub population: Option<usize>,
    /// How many generations follow the first.
    pub generations: usize,
    /// The probability that two parents are crossed over.
    pub crossover: f64,
    /// The probability that a child has one relation replaced.
    pub mutation: f64,
    /// How many inputs each relation is run on (M in section 4.1). Temperatures count these: see [`Settings::hottest`].
    pub inputs: u32,
    /// The temperature at which annealing starts. At a temperature of T inputs, a step to a sequence that holds on T inputs fewer is taken with
    /// a probability of 1/e.
    pub hottest: f64,
    /// The temperature at which annealing ends.
    pub coldest: f64,
    /// What the temperature is multiplied by after each step.
    pub cooling: f64,
    /// The share of the eligible inputs for which an accepted relation holds (F in section 4.1).
    pub accepted_share: f64,
    /// The fewest inputs that have to be eligible for a relation that is accepted.
    pub least_eligible: u32,
    /// Where all random choices come from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            layers: 2,
            search: SearchKind::default(),
            enumerate_up_to: 4096,
            repeats: 100,
            population: None,
            generations: 100,
            crossover: 0.8,
            mutation: 0.15,
            inputs: 100,
            hottest: 200.0,
            coldest: 0.005,
            cooling: 0.95,
            accepted_share: 0.95,
            least_eligible: 10,
            seed: 0,
        }
    }
}

/// A parameter with which no search is possible.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum SettingsError {
    #[error("{count} basic relation{}: a composition needs at least 2", if *.count == 1 { "" } else { "s" })]
    TooFewRelations { count: usize },
    #[error("{count} basic relations, and there may be at most {most}")]
    TooManyRelations { count: usize, most: usize },
    #[error("{layers} layers: a composition has 2 to {most}")]
    Layers { layers: usize, most: usize },
    #[error("{name} is {value}, and has to be at least {least}")]
    TooSmall { name: &'static str, value: usize, least: usize },
    #[error("{name} is {value}, and may be at most {most}")]
    TooLarge { name: &'static str, value: usize, most: usize },
    #[error("{name} is {value}, and has to be between 0 and 1")]
    NoShare { name: &'static str, value: f64 },
    #[error(
        "the temperature falls from {hottest} to {coldest}: both have to be finite, above 0, and in this order"
    )]
    Temperatures { hottest: f64, coldest: f64 },
    #[error("the cooling is {value}, and has to be above 0 and at most {most}")]
    Cooling { value: f64, most: f64 },
    #[error(
        "{sequences} sequences are too many to try them all: at most {most}; search by the genetic algorithm"
    )]
    TooManySequences { sequences: u128, most: u128 },
}

/// A bound on memory: every sequence that was tried is remembered.
const MOST_SEQUENCES: u128 = 10_000_000;

/// Bounds that keep a search from running for days.
const MOST: usize = 1_000_000;

/// The slowest cooling: a hundred thousand steps from the default temperatures.
const SLOWEST_COOLING: f64 = 0.9999;

impl Settings {
    /// Whether a search among this many basic relations is possible.
    ///
    /// # Errors
    /// The first parameter with which it is not.
    pub fn check(&self, relations: usize) -> Result<(), SettingsError> {
        let most_relations = usize::from(u16::MAX);
        if relations < 2 {
            return Err(SettingsError::TooFewRelations { count: relations });
        }
        if relations > most_relations {
            return Err(SettingsError::TooManyRelations { count: relations, most: most_relations });
        }
        if !(2..=MOST_LAYERS).contains(&self.layers) {
            return Err(SettingsError::Layers { layers: self.layers, most: MOST_LAYERS });
        }
        self.check_counts()?;
        self.check_shares()?;
        self.check_temperatures()?;
        let sequences = self.sequences(relations);
        if self.kind(relations) == SearchKind::Enumerate && sequences > MOST_SEQUENCES {
            return Err(SettingsError::TooManySequences { sequences, most: MOST_SEQUENCES });
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), SettingsError> {
        let population = ("the population", self.population(), 2);
        let counts = [
            population,
            ("the number of repeats", self.repeats, 1),
            ("the generations", self.generations, 1),
        ];
        for (name, value, least) in counts {
            if value < least {
                return Err(SettingsError::TooSmall { name, value, least });
            }
            if value > MOST {
                return Err(SettingsError::TooLarge { name, value, most: MOST });
            }
        }
        Ok(())
    }

    fn check_shares(&self) -> Result<(), SettingsError> {
        let shares = [
            ("the probability of crossover", self.crossover),
            ("the probability of mutation", self.mutation),
            ("the share of inputs of an accepted relation", self.accepted_share),
        ];
        match shares.into_iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            Some((name, value)) => Err(SettingsError::NoShare { name, value }),
            None => Ok(()),
        }
    }

    fn check_temperatures(&self) -> Result<(), SettingsError> {
        let (hottest, coldest) = (self.hottest, self.coldest);
        if !(coldest >= f64::MIN_POSITIVE && coldest <= hottest && hottest.is_finite()) {
            return Err(SettingsError::Temperatures { hottest, coldest });
        }
        match self.cooling > 0.0 && self.cooling <= SLOWEST_COOLING {
            true => Ok(()),
            false => Err(SettingsError::Cooling { value: self.cooling, most: SLOWEST_COOLING }),
        }
    }

    /// How many sequences of this many relations there are.
    pub(super) fn sequences(&self, relations: usize) -> u128 {
        (relations as u128).saturating_pow(self.layers as u32)
    }

    /// The search that is made: what `Auto` chooses, or the one asked for.
    pub(super) fn kind(&self, relations: usize) -> SearchKind {
        match self.search {
            SearchKind::Auto if self.sequences(relations) <= self.enumerate_up_to.into() => {
                SearchKind::Enumerate
            }
            SearchKind::Auto => SearchKind::Genetic,
            kind => kind,
        }
    }

    /// The number of individuals of a population.
    pub(super) fn population(&self) -> usize {
        self.population.unwrap_or(match self.layers {
            2 => 12,
            3 => 20,
            4 => 30,
            layers => 8 * layers,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_the_study() {
        let population = |layers| Settings { layers, ..Settings::default() }.population();
        assert_eq!([population(2), population(3), population(4), population(8)], [12, 20, 30, 64]);
        let s = Settings::default();
        assert_eq!((s.crossover, s.mutation, s.generations, s.repeats), (0.8, 0.15, 100, 100));
        assert_eq!((s.hottest, s.coldest, s.cooling), (200.0, 0.005, 0.95));
        assert_eq!((s.inputs, s.accepted_share), (100, 0.95));
        assert_eq!(s.check(8), Ok(()));
    }

    #[test]
    fn auto_enumerates_up_to_a_number_of_sequences() {
        let kind = |layers| Settings { layers, ..Settings::default() }.kind(8);
        assert_eq!([kind(4), kind(5)], [SearchKind::Enumerate, SearchKind::Genetic]);
    }

    #[test]
    fn nonsense_is_refused_with_the_parameter_and_its_bound() {
        let d = Settings::default;
        let message = |s: Settings| s.check(8).expect_err("nonsense").to_string();
        for layers in [0, 1, 9, 20] {
            let message = message(Settings { layers, ..d() });
            assert_eq!(message, format!("{layers} layers: a composition has 2 to 8"));
        }
        for few in [0, 1] {
            assert!(matches!(d().check(few), Err(SettingsError::TooFewRelations { count }) if count == few));
        }
        assert!(d().check(70_000).is_err());
        assert!(message(Settings { population: Some(1), ..d() }).contains("at least 2"));
        assert!(message(Settings { repeats: 0, ..d() }).contains("repeats"));
        assert!(message(Settings { generations: usize::MAX, ..d() }).contains("at most 1000000"));
        assert!(message(Settings { crossover: 1.5, ..d() }).contains("crossover is 1.5"));
        assert!(message(Settings { mutation: f64::NAN, ..d() }).contains("mutation"));
        assert!(message(Settings { accepted_share: -0.1, ..d() }).contains("accepted"));
        assert!(message(Settings { coldest: 0.0, ..d() }).contains("temperature"));
        // A product with such a number may be the number itself, so that annealing would not end.
        assert!(message(Settings { coldest: 5e-324, ..d() }).contains("temperature"));
        assert!(message(Settings { hottest: f64::INFINITY, ..d() }).contains("temperature"));
        assert!(message(Settings { cooling: 1.0, ..d() }).contains("cooling"));
        let all = Settings { layers: 8, search: SearchKind::Enumerate, ..d() };
        assert!(message(all).contains("16777216 sequences are too many"));
    }
}
