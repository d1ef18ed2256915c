//! The iteration of the analysis to a fixed point: passes over all functions that a call can reach, until one learns nothing new.

use dodona_subject::{CodePoint, Module};

use super::flow::Flow;
use super::graph::Graph;
use super::origin::Origins;
use super::{Effect, Isolation};

/// The isolation of calls of `root` with arguments of these origins, where the functions behind `pointers` may be called indirectly.
pub(super) fn run(module: &Module, root: u32, parameters: &[Origins], pointers: &[u32]) -> Isolation {
    let mut graph = Graph::new(module, pointers);
    graph.enter(root, parameters, CodePoint { function: root, instruction: 0 });
    let mut functions: Vec<u32> = Vec::new();
    while graph.begins_pass() {
        // Arguments go from callers to callees and results back: in turns the one and the other are at hand when they are asked for.
        functions.reverse();
        for &function in &functions {
            Flow::run(&mut graph, function);
        }
        // What is called for the first time is looked at in the same pass: a chain of calls takes one, however long.
        while let Some(function) = graph.take_new() {
            functions.push(function);
            Flow::run(&mut graph, function);
        }
        if graph.is_too_long() {
            return Isolation::fresh(Effect::TooLong);
        }
    }
    graph.decide()
}
