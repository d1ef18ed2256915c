//! Turns proposed changes into code: a single mutant, several behind a switch, or all beside the original.

mod frame;
mod observe;
mod owned;
mod standalone;
mod switch;
mod traps;

pub(crate) use frame::{Frame, keeps};
pub(crate) use observe::{ObservedEdit, observe};
pub(crate) use owned::owned;
pub(crate) use standalone::{Body, bodies_alone, standalone};
pub(crate) use switch::{Arms, plain, switch};
pub(crate) use traps::{access, out_of_bounds, out_of_bounds_at};
