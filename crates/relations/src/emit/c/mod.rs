//! stub
use super::{EmitContext, EmitError};
use crate::Relation;
pub(super) fn file(_: &[Relation], _: &EmitContext<'_>) -> Result<String, EmitError> {
    Err(EmitError::Nothing)
}
