//! The arguments that bound symbolic execution: counts and times.

use std::time::Duration;

use clap::{Args, ValueEnum};
use dodona_generation::{Bounds, SearchOptions, SearchOrder, StepLimits};

/// Bounds of symbolic execution.
#[derive(Debug, Args)]
#[command(next_help_heading = "Symbolic execution")]
pub(crate) struct SearchArgs {
    /// The longest symbolic sequence (in elements) or text (in bytes)
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) max_len: usize,
    /// Turns of a loop that are a choice, and depth of recursion
    #[arg(long, value_name = "N", default_value_t = 30)]
    pub(crate) loop_bound: u32,
    /// Which path goes on first
    #[arg(long, value_enum, default_value_t)]
    pub(crate) order: Order,
    /// Paths
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_paths: u64,
    /// Instructions of one path
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_steps: u64,
    /// Unfinished paths kept at one time; the least promising beyond are dropped
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_states: usize,
    /// Questions to the solver
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) max_queries: u64,
    /// Seconds for all of it: the outer bound, beside the counted ones [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    /// Seconds for one question to the solver [default: 15; 30 where something is proved]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) query_time: Option<Duration>,
    /// The solver: bitwuzla, z3, cvc5 or the command line of another that speaks SMT-LIB 2
    #[arg(long, value_name = "SOLVER")]
    pub(crate) solver: Option<String>,
}

impl SearchArgs {
    /// The counted bounds.
    pub(crate) fn bounds(&self) -> Bounds {
        let step = StepLimits { loop_bound: self.loop_bound, steps: self.max_steps, ..StepLimits::default() };
        Bounds {
            step,
            paths: self.max_paths,
            queries: self.max_queries,
            live: self.max_states.max(1),
            ..Bounds::default()
        }
    }
}

impl SearchArgs {
    /// How symbolic execution searches.
    pub(crate) fn options(&self) -> SearchOptions {
        SearchOptions {
            longest: self.max_len,
            order: self.order.into(),
            bounds: self.bounds(),
            time: Some(self.time()),
            query_time: self.query_time,
            solver: self.solver.clone(),
            ..SearchOptions::default()
        }
    }

    /// The time, whether somebody asked for it or not.
    pub(crate) fn time(&self) -> Duration {
        self.time.unwrap_or(Duration::from_secs(60))
    }

    /// The same for a proof, which is lost with one question that is given up, as inputs are not.
    pub(crate) fn proof(&self) -> SearchOptions {
        let query_time = Some(self.query_time.unwrap_or(Duration::from_secs(30)));
        SearchOptions { query_time, ..self.options() }
    }
}

/// The longest time that can be asked for, in seconds: 31 years, which every clock can add to now.
const MOST_SECONDS: f64 = 1e9;

/// A number of seconds, for every option that takes a time.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let range = || format!("a time is a number of seconds above 0, and at most {MOST_SECONDS}");
    let seconds: f64 = text.trim().parse().map_err(|_| range())?;
    // NaN is in no range; what is less than a nanosecond is no time.
    let is_within = seconds > 0.0 && seconds <= MOST_SECONDS;
    let time = is_within.then(|| Duration::from_secs_f64(seconds)).filter(|time| !time.is_zero());
    time.ok_or_else(range)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// The one with the fewest branches to an edge that no path has taken
    #[default]
    NearestUncovered,
    /// Each path to its end before the next
    Dfs,
    /// The one with the fewest choices behind it
    Bfs,
    /// A random walk from the first choice
    RandomPath,
}

impl From<Order> for SearchOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::NearestUncovered => SearchOrder::NearestUncovered,
            Order::Dfs => SearchOrder::DepthFirst,
            Order::Bfs => SearchOrder::BreadthFirst,
            Order::RandomPath => SearchOrder::RandomPath,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_above_0_and_such_that_a_clock_can_wait_for_it() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("1e-9"), Ok(Duration::from_nanos(1)));
        assert!(seconds("1e9").is_ok_and(|time| std::time::Instant::now().checked_add(time).is_some()));
        for text in [
            "",
            "much",
            "nan",
            "inf",
            "-inf",
            "0",
            "-0",
            "-1",
            "1e-10",
            "1000000001",
            "1e19",
            "1e20",
            "1e308",
        ] {
            let error = seconds(text).expect_err(text);
            assert!(error.contains("above 0, and at most 1000000000"), "{text}: {error}");
        }
    }
}
