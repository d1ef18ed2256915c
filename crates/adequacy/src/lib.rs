//! What tests are worth, read off what they were seen to do: nothing is run here.
//!
//! Today this is the order in which inputs are run ([`prioritise`]).

pub mod prioritise;
