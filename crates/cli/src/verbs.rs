//! One module a verb.

pub(crate) mod build;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod init;
pub(crate) mod mutate;
pub(crate) mod relations;
pub(crate) mod replay;
