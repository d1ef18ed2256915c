//! The parameters of the search, with the defaults of GenMorph (its Table III).

use crate::discovery::tuning::{LARGEST_ENUMERATION, LARGEST_POPULATION, LARGEST_RELATION};
use thiserror::Error;

/// How output relations are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum SearchKind {
    /// By enumeration of small terms alone.
    Enumerate,
    /// By genetic programming alone, from a random population, as in GenMorph.
    Evolve,
    /// By both: the relations that enumeration finds join a random population, which genetic programming develops further.
    #[default]
    Auto,
}

/// The parameters of the search for output relations.
///
/// ```
/// use dodona_inference::discovery::Settings;
/// let settings = Settings { population: 200, migrants: 40, ..Settings::default() };
/// assert!(settings.check().is_ok());
/// assert!(Settings { elites: 300, ..settings }.check().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Enumeration, genetic programming, or both.
    pub search: SearchKind,
    /// How many individuals each of the two populations has.
    pub population: usize,
    /// The most nodes that an individual's tree may have; a larger child is dropped.
    pub most_nodes: usize,
    /// The share of pairs of parents that are crossed over; the others are copied.
    pub crossover: f64,
    /// The share of children that are mutated.
    pub mutation: f64,
    /// How many individuals, drawn at random, take part in each tournament.
    pub tournament: usize,
    /// The share of pairs of parents chosen by best match; the others win tournaments.
    pub best_match: f64,
    /// How many individuals are drawn at random as possible second parents in best match. The bound keeps selection fast even when
    /// the individuals of the population have become similar.
    pub partners: usize,
    /// How many of the best individuals are copied unchanged into the next generation.
    pub elites: usize,
    /// After how many generations the two populations exchange their best individuals.
    pub migrate_every: u32,
    /// How many individuals each population sends to the other.
    pub migrants: usize,
    /// What a mutation adds to or subtracts from a float constant; an integer constant changes by 1.
    pub constant_step: f64,
    /// Whether a relation has to compare its outputs: one that also holds between the outputs of any two inputs says what is true of each alone.
    pub comparing: bool,
    /// The most nodes of a term that enumeration builds.
    pub enumerate_size: usize,
    /// How many terms, with their columns, are kept before all terms that are no longer in use are dropped.
    pub arena: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            search: SearchKind::default(),
            population: 1000,
            most_nodes: 16,
            crossover: 0.9,
            mutation: 0.3,
            tournament: 2,
            best_match: 0.5,
            partners: 8,
            elites: 10,
            migrate_every: 10,
            migrants: 160,
            constant_step: 0.1,
            comparing: false,
            enumerate_size: 7,
            arena: 2_000_000,
        }
    }
}

/// A parameter with which no search is possible.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum SettingsError {
    #[error("{name} is {value}, and has to be at least {least}")]
    TooSmall { name: &'static str, value: usize, least: usize },
    #[error("{name} is {value}, and may be at most {most}")]
    TooLarge { name: &'static str, value: usize, most: usize },
    #[error(
        "{name} is {value}, more than the {population} individuals of a population: lower it or raise the population"
    )]
    MoreThanPopulation { name: &'static str, value: usize, population: usize },
    #[error("{name} is {value}, and has to be a share between 0 and 1")]
    NoShare { name: &'static str, value: f64 },
    #[error("the step of constants is {0}, and has to be a number above 0")]
    NoStep(f64),
    #[error("enumeration to size {size} would not end: at most {most}")]
    EnumerationTooLarge { size: usize, most: usize },
}

impl Settings {
    /// Checks that a search is possible with these settings.
    ///
    /// # Errors
    /// The first parameter that makes no sense: a population of none, more elites than individuals, shares outside 0..=1.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.check_least()?;
        self.check_most()?;
        self.check_population()?;
        for (name, value) in self.shares() {
            if !(0.0..=1.0).contains(&value) {
                return Err(SettingsError::NoShare { name, value });
            }
        }
        if !(self.constant_step.is_finite() && self.constant_step > 0.0) {
            return Err(SettingsError::NoStep(self.constant_step));
        }
        if self.enumerate_size > LARGEST_ENUMERATION {
            let size = self.enumerate_size;
            return Err(SettingsError::EnumerationTooLarge { size, most: LARGEST_ENUMERATION });
        }
        Ok(())
    }

    fn shares(&self) -> [(&'static str, f64); 3] {
        [("crossover", self.crossover), ("mutation", self.mutation), ("best match", self.best_match)]
    }

    fn check_least(&self) -> Result<(), SettingsError> {
        let bounds = [
            ("the population", self.population, 2),
            ("the bound on nodes", self.most_nodes, 3),
            ("the tournament", self.tournament, 1),
            ("the number of partners", self.partners, 1),
            ("the number of generations between migrations", self.migrate_every as usize, 1),
            ("the size to which terms are enumerated", self.enumerate_size, 1),
            ("the number of terms kept", self.arena, 10_000),
        ];
        match bounds.into_iter().find(|&(_, value, least)| value < least) {
            Some((name, value, least)) => Err(SettingsError::TooSmall { name, value, least }),
            None => Ok(()),
        }
    }

    fn check_most(&self) -> Result<(), SettingsError> {
        let bounds = [
            ("the population", self.population, LARGEST_POPULATION),
            ("the bound on nodes", self.most_nodes, LARGEST_RELATION),
            ("the number of partners", self.partners, LARGEST_POPULATION),
        ];
        match bounds.into_iter().find(|&(_, value, most)| value > most) {
            Some((name, value, most)) => Err(SettingsError::TooLarge { name, value, most }),
            None => Ok(()),
        }
    }

    fn check_population(&self) -> Result<(), SettingsError> {
        let population = self.population;
        let parts = [
            ("the number of elites", self.elites),
            ("the number of migrants", self.migrants),
            ("the tournament", self.tournament),
        ];
        match parts.into_iter().find(|&(_, value)| value > population) {
            Some((name, value)) => Err(SettingsError::MoreThanPopulation { name, value, population }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_those_of_genmorph() {
        let s = Settings::default();
        assert_eq!((s.population, s.most_nodes, s.tournament, s.elites), (1000, 16, 2, 10));
        assert_eq!((s.crossover, s.mutation, s.constant_step), (0.9, 0.3, 0.1));
        assert_eq!((s.migrate_every, s.migrants), (10, 160));
        assert_eq!(s.check(), Ok(()));
    }

    #[test]
    fn nonsense_is_refused_with_the_parameter_and_its_bound() {
        let message = |s: Settings| s.check().expect_err("nonsense").to_string();
        let d = Settings::default;
        assert_eq!(
            message(Settings { population: 0, ..d() }),
            "the population is 0, and has to be at least 2"
        );
        assert!(
            message(Settings { elites: 1001, ..d() }).contains("the number of elites is 1001, more than")
        );
        assert!(message(Settings { migrants: 1001, ..d() }).contains("migrants"));
        assert!(message(Settings { migrate_every: 0, ..d() }).contains("between migrations"));
        assert!(message(Settings { tournament: 0, ..d() }).contains("tournament"));
        assert!(message(Settings { most_nodes: 2, ..d() }).contains("nodes"));
        assert_eq!(
            message(Settings { most_nodes: usize::MAX, ..d() }),
            format!("the bound on nodes is {}, and may be at most 64", usize::MAX)
        );
        assert!(message(Settings { population: usize::MAX, ..d() }).contains("at most 1000000"));
        assert_eq!(
            message(Settings { crossover: 1.5, ..d() }),
            "crossover is 1.5, and has to be a share between 0 and 1"
        );
        assert!(message(Settings { mutation: f64::NAN, ..d() }).contains("mutation"));
        assert!(message(Settings { best_match: -0.1, ..d() }).contains("best match"));
        assert!(message(Settings { constant_step: 0.0, ..d() }).contains("step"));
        assert!(message(Settings { enumerate_size: 40, ..d() }).contains("at most"));
    }
}
