//! One module a verb.

pub(crate) mod build;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod cover;
pub(crate) mod discover;
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod mutate;
pub(crate) mod prioritise;
pub(crate) mod prove;
pub(crate) mod relations;
pub(crate) mod replay;
