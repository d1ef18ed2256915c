//! Groups of functions whose equations are searched for together.

use super::super::law_tuning::{MOST_FUNCTIONS_OF_TERMS, MOST_PARAMETERS_OF_TERMS};
use dodona_relations::plan::Ty;
use dodona_target::{Kind, Signature, Type};
use dodona_workbench::Workbench;

/// Groups of functions that share a type of text or sequence, so that one function may take what another gives. If a group
/// would be too large, and for functions of numbers and truth values, each function is a group of its own. Second, the
/// functions that have too many parameters.
pub(in super::super) fn connected(
    workbench: &Workbench,
    functions: &[usize],
) -> (Vec<Vec<usize>>, Vec<usize>) {
    let declared = |index: usize| &workbench.functions()[index];
    let (small, large): (Vec<usize>, Vec<usize>) =
        functions.iter().partition(|&&index| may_be_searched(declared(index)));
    let mut groups: Vec<(Vec<Type>, Vec<usize>)> = Vec::new();
    for index in small {
        let own = compound(declared(index));
        let (joined, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(types, _)| types.iter().any(|ty| own.contains(ty)));
        let (mut types, mut members) = (own, vec![]);
        for (other, functions) in joined {
            types.extend(other);
            members.extend(functions);
        }
        members.push(index);
        members.sort_unstable();
        groups = apart;
        groups.push((types, members));
    }
    let mut groups: Vec<Vec<usize>> = groups.into_iter().map(|(_, members)| members).collect();
    groups.sort();
    let split = |group: Vec<usize>| match group.len() > MOST_FUNCTIONS_OF_TERMS {
        true => group.into_iter().map(|function| vec![function]).collect(),
        false => vec![group],
    };
    (groups.into_iter().flat_map(split).collect(), large)
}

fn may_be_searched(function: &Signature) -> bool {
    let parameters = function.parameters.len();
    let outputs = &function.outputs;
    // Laws of floats are looked for as polynomials, with a tolerance.
    let is_exact = |ty: Type| !matches!(ty, Type::Scalar(scalar) if scalar.kind() == Kind::Float);
    let has_exact = function.parameters.iter().any(|parameter| is_exact(parameter.ty));
    (1..=MOST_PARAMETERS_OF_TERMS).contains(&parameters) && !outputs.is_empty() && has_exact
}

/// The types of the texts and sequences that a function takes or gives.
fn compound(function: &Signature) -> Vec<Type> {
    let given = function.outputs.iter().map(|output| output.ty);
    let types = function.parameters.iter().map(|parameter| parameter.ty).chain(given);
    types.filter(|ty| !matches!(Ty::from(*ty), Ty::Bool | Ty::Int | Ty::Float | Ty::Number)).collect()
}
