//! Statistics of fault detection: how much a suite finds and how soon, and whether two techniques differ in that.
//!
//! Numbers in, named results out; nothing here runs anything. What is not defined is `None`, never NaN, as long as the
//! numbers given are finite.
//!
//! ```
//! use dodona_lab::statistics::{Undetected, apfd, t_test, vargha_delaney_a12};
//!
//! // Five tests; one fault needs the first of them, one needs three, one is never detected.
//! let found = [Some(1), Some(3), None];
//! assert_eq!(apfd(5, &found, Undetected::LeftOut), Some(0.7));
//! let (ours, theirs) = ([0.8, 0.9, 0.85], [0.7, 0.75, 0.72]);
//! assert!(t_test(&ours, &theirs).is_some_and(|test| test.p < 0.05));
//! assert_eq!(vargha_delaney_a12(&ours, &theirs), Some(1.0));
//! ```

mod means;
mod ranks;
mod summary;

pub use dodona_records::{Undetected, apfd, fault_detection_rate, mutation_score};
pub use means::{TTest, cohens_d, pooled_t_test, t_test};
pub use ranks::{MannWhitney, PValue, mann_whitney_u, vargha_delaney_a12};
pub use summary::{Summary, confidence_interval};
