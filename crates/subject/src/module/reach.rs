//! Which functions of a module calls can reach.

use std::collections::BTreeSet;

use wasmparser::Operator;

use super::Module;

/// The functions that calls from these can reach, themselves included. An indirect call may reach
/// every function of its type that is in a table, and a function that is referred to may be called.
pub fn reachable(module: &Module, roots: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut reached = roots.clone();
    let mut open: Vec<u32> = roots.iter().copied().collect();
    while let Some(function) = open.pop() {
        open.extend(called_by(module, function).into_iter().filter(|&callee| reached.insert(callee)));
    }
    reached
}

/// The functions that calls from one function can reach at once.
pub fn called_by(module: &Module, function: u32) -> BTreeSet<u32> {
    module.operators(function).iter().flat_map(|(operator, _)| callees(module, operator)).collect()
}

fn callees(module: &Module, operator: &Operator<'_>) -> Vec<u32> {
    if let Some(callee) = called(operator) {
        return vec![callee];
    }
    let (Operator::CallIndirect { type_index, .. }
    | Operator::ReturnCallIndirect { type_index, .. }
    | Operator::CallRef { type_index }
    | Operator::ReturnCallRef { type_index }) = operator
    else {
        return Vec::new();
    };
    let wanted = module.type_at(*type_index);
    let targets = module.indirect_targets().iter().copied();
    targets.filter(|f| module.function_type(*f) == wanted).collect()
}

/// Whether an operator calls a function directly or refers to it, and which.
fn called(operator: &Operator<'_>) -> Option<u32> {
    match operator {
        Operator::Call { function_index }
        | Operator::ReturnCall { function_index }
        | Operator::RefFunc { function_index } => Some(*function_index),
        _ => None,
    }
}
