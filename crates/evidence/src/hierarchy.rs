//! stub
use crate::MutantId;
use serde::Serialize;
/// Stub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HierarchyGraph {
    /// n
    pub nodes: Vec<HierarchyNode>,
    /// e
    pub edges: Vec<(u32, u32)>,
}
/// Stub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HierarchyNode {
    /// l
    pub label: String,
    /// m
    pub mutants: Vec<MutantId>,
    /// l
    pub layer: u32,
    /// a
    pub alive: bool,
    /// n
    pub note: String,
}
