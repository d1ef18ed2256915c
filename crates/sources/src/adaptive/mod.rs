//! Adaptive random testing: random source inputs that lie far from each other.
//!
//! Random inputs crowd and leave gaps; faults tend to show in regions, so inputs that are spread evenly find one sooner.
//! Here with a fixed-size candidate set (FSCS-ART: Chen, Leung and Mak 2004): the first input is a random one; each
//! further input is, of `k` random candidates, the one whose nearest neighbour among the inputs chosen so far is
//! farthest, the first of them where several are.

mod candidates;
mod distance;
mod scale;

use std::num::NonZeroUsize;

use dodona_subject::{Column, Parameter};

use crate::{EmptyDomain, Seed};
use candidates::Candidates;
pub use distance::{Distance, Points};

/// How inputs are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdaptiveOptions {
    /// Candidates an input; 10 by default, as is usual.
    pub candidates: NonZeroUsize,
    /// How many of the inputs chosen last a candidate is compared with; 1,000 by default. Up to so many the result is
    /// that of the plain algorithm; beyond, earlier ones are forgotten, and the work is at most
    /// `count` · `candidates` · `memory` distances.
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

/// Why no inputs can be chosen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AdaptiveError {
    /// A parameter has no value to draw.
    #[error("{parameter}: {error}")]
    EmptyDomain {
        /// The parameter.
        parameter: String,
        /// What leaves nothing.
        error: EmptyDomain,
    },
    /// Too few random inputs are ones that the function is meant for.
    #[error(
        "the precondition held for {eligible} of {drawn} random inputs; sample where it holds, or give inputs in a file"
    )]
    Precondition {
        /// How many fulfilled it: fewer than one input needs candidates.
        eligible: usize,
        /// How many inputs were drawn.
        drawn: u64,
    },
}

/// Exactly `count` inputs of these parameters, a column each; of a function without parameters no column.
///
/// `is_eligible` says which rows of some columns fulfil the function's precondition; others are no candidates. The
/// candidates are drawn from streams named `NAME/PARAMETER` of the seed: the same seed gives the same inputs, and of a
/// greater count the first ones are the same.
///
/// # Errors
/// [`AdaptiveError`] when a domain is empty, or hardly an input that is drawn fulfils the precondition.
///
/// ```
/// use dodona_sources::{Seed, adaptive::{AdaptiveOptions, adaptive}};
/// use dodona_subject::Manifest;
///
/// let manifest = "module = \"abs.wasm\"\n[[function]]\nsignature = \"abs(x: i32) -> i32\"\n";
/// let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).expect("it is valid");
/// let parameters = &manifest.functions[0].parameters;
/// let all = |columns: &[_]| vec![true; columns.first().map_or(0, dodona_subject::Column::len)];
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

/// The row whose nearest neighbour is farthest.
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
            // It has a neighbour as near as the best one's: it cannot win any more.
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
