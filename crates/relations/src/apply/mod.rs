//! The operations of the language on columns.

pub(crate) mod arithmetic;
pub(crate) mod bits;
pub(crate) mod choice;
pub(crate) mod compare;
pub(crate) mod dispatch;
pub(crate) mod elements;
pub(crate) mod logic;
pub(crate) mod number;
pub(crate) mod register;
pub(crate) mod rows;
pub(crate) mod sequence;
pub(crate) mod text;
