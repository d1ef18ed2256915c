//! The frames of a subject, run: which are possible, inputs for each, what these give, and relations made of pairs of frames.
//!
//! The theory stands in `dodona-identification`; here its frames get inputs, and the function under test is called.

mod divide;
mod framed;
mod gathering;
mod identify;
mod inputs;
mod maker;
mod more;
mod options;
mod record;
mod requirements;
mod samples;
mod trial;

pub use framed::{Framed, draft};
pub use identify::{Identified, identify};
pub use inputs::samples;
pub use maker::frame_maker;
pub use options::{FramesOptions, IdentifyOptions};
pub use record::{frames_record, mistakes};
pub use requirements::{FrameCriterion, frame_numbers, requirements};
pub use samples::{FrameState, InputOrigin, Samples};
