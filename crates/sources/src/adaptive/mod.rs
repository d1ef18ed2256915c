//! Adaptive random testing: random source inputs that lie far apart from each other.
//!
//! Random inputs form clusters and leave gaps. Faults tend to cause failures in contiguous regions, so evenly spread
//! inputs find a fault sooner. This is the variant with a fixed-size candidate set (FSCS-ART: Chen, Leung and Mak
//! 2004). The first input is random. For each further input, `k` random candidates are drawn, and the candidate is
//! chosen whose nearest neighbour among the inputs chosen before is farthest away; of several equally good
//! candidates, the first is chosen.

mod candidates;
mod distance;
mod scale;

use std::num::NonZeroUsize;

use dodona_target::{Column, Parameter};

use crate::{EmptyDomain, Seed};
use candidates::Candidates;
pub use distance::{Distance, Points};

/// The options for choosing inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveOptions {
    /// The number of candidates for each input; 10 by default, as is usual.
    pub candidates: NonZeroUsize,
    /// How many of the inputs chosen last a candidate is compared with; 1,000 by default. For counts up to this
    /// number the result is that of the plain algorithm. For greater counts earlier inputs are ignored, so that at
    /// most `count` · `candidates` · `memory` distances are computed.
    pub memory: NonZeroUsize,
}

impl Default for AdaptiveOptions {
    fn default() -> Self {
        const {
            AdaptiveOptions {
                candidates: NonZeroUsize::new(10).unwrap(),
                memory: NonZeroUsize::new(1000).unwrap(),
            }
        }
    }
}

/// Why inputs could not be chosen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AdaptiveError {
    /// The domain of a parameter is empty.
    #[error("{parameter}: {error}")]
    EmptyDomain {
        /// The parameter's name.
        parameter: String,
        /// The reason why the domain is empty.
        error: EmptyDomain,
    },
    /// Too few random inputs fulfil the precondition.
    #[error(
        "the precondition held for {eligible} of {drawn} random inputs; sample where it holds, or give inputs in a file"
    )]
    Precondition {
        /// How many inputs fulfilled it: fewer than the candidates needed for one input.
        eligible: usize,
        /// How many inputs were drawn.
        drawn: u64,
    },
}

/// Exactly `count` inputs of these parameters, one column for each parameter; no column for a function without
/// parameters.
///
/// `is_eligible` tells which rows of some columns fulfil the function's precondition; other rows are not candidates.
/// The candidates are drawn from streams of the seed named `NAME/PARAMETER`. The same seed gives the same inputs, and
/// a greater count begins with the inputs of a smaller count.
///
/// # Errors
/// [`AdaptiveError`] when a domain is empty, or almost no input that is drawn fulfils the precondition.
///
/// ```
/// use dodona_sources::{Seed, adaptive::{AdaptiveOptions, adaptive}};
/// use dodona_subject::Manifest;
///
/// let manifest = "module = \"abs.wasm\"\n[[function]]\nsignature = \"abs(x: i32) -> i32\"\n";
/// let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).expect("it is valid");
/// let parameters = &manifest.functions[0].parameters;
/// let all = |columns: &[_]| vec![true; columns.first().map_or(0, dodona_target::Column::len)];
/// let columns = adaptive(parameters, 20, Seed(1), "abs", AdaptiveOptions::default(), all)?;
/// assert_eq!(columns[0].len(), 20);
/// # Ok::<(), dodona_sources::adaptive::AdaptiveError>(())
/// ```
pub fn adaptive(
    parameters: &[Parameter],
    count: usize,
    seed: Seed,
    name: &str,
    options: AdaptiveOptions,
    is_eligible: impl Fn(&[Column]) -> Vec<bool>,
) -> Result<Vec<Column>, AdaptiveError> {
    let mut columns: Vec<Column> = parameters.iter().map(|p| Column::empty(p.ty)).collect();
    if columns.is_empty() {
        return Ok(columns);
    }
    let distance = Distance::of(parameters);
    let mut candidates = Candidates::new(parameters, seed, name, is_eligible)?;
    let mut chosen = Points::default();
    for _ in 0..count {
        let wanted = if chosen.is_empty() { 1 } else { options.candidates.get() };
        let rows = candidates.next(wanted, &distance)?;
        let past = chosen.len().saturating_sub(options.memory.get())..chosen.len();
        let row = farthest(&distance, &candidates.points, rows, &chosen, past);
        chosen.push(&candidates.points, row);
        columns.iter_mut().zip(&candidates.columns).for_each(|(to, from)| to.push(&from.value(row)));
    }
    Ok(columns)
}

/// The row whose nearest neighbour among the chosen inputs is farthest away.
fn farthest(
    distance: &Distance,
    points: &Points,
    rows: std::ops::Range<usize>,
    chosen: &Points,
    past: std::ops::Range<usize>,
) -> usize {
    let mut best = (rows.start, -1.0);
    for row in rows {
        let mut least = f64::INFINITY;
        for other in past.clone() {
            least = least.min(distance.square(points, row, chosen, other, least));
            // This row has a neighbour at least as near as that of the best row, so it cannot win.
            if least <= best.1 {
                break;
            }
        }
        if least > best.1 {
            best = (row, least);
        }
    }
    best.0
}
