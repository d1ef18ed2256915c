//! Runs the frames of a subject: finds which frames are possible, makes inputs for each, calls the function on these, and derives
//! metamorphic relations from pairs of frames.
//!
//! Categories, choices and frames themselves are defined in [`identification`], which calls nothing.
//!
//! # Decisions
//!
//! - Random inputs decide first which frames are possible, and a solver only about the frames that these miss
//!   (`crates/frames/src/inputs.rs`).
//! - Relations are the conditions that thousands of pairs of frames have in common (`crates/frames/src/identification/cover.rs`).
//! - They are tested at borders, where random inputs seldom lie (`crates/frames/src/identify/borders.rs`), and judged twice
//!   (`crates/frames/src/identify.rs`).

mod divide;
mod framed;
mod gathering;
pub mod identification;
mod identify;
mod inputs;
mod maker;
mod more;
mod options;
mod outputs;
mod record;
mod requirements;
mod samples;
mod trial;

pub use framed::{Framed, draft};
pub use identify::{FreshCheck, FreshEvidence, Identified, identify};
pub use inputs::samples;
pub use maker::frame_maker;
pub use options::{FramesOptions, IdentifyOptions};
pub use record::{frames_record, mistakes};
pub use requirements::{Asked, FrameCriterion, frame_numbers, requirements};
pub use samples::{FrameState, InputOrigin, OpenOutputs, OutputChoices, Samples};
