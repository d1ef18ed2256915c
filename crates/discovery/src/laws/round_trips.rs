//! Round trips between one function and the others of a subject: `decode(encode(bytes)) == bytes`.

use dodona_records::{DiscoveryProof, LawRecord};
use dodona_target::{Kind, Signature, Type};
use dodona_workbench::LabError;

use super::trial::{FreshTests, LawVerdict};

/// The round trips that hold between a function under test, given by its index, and each other function that takes what it gives
/// and gives what it takes. A search for the laws of one function has no terms with other functions, and these laws are the ones
/// that people expect of a pair such as an encoder and a decoder.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(super) fn round_trips(trial: FreshTests<'_>, function: usize) -> Result<Vec<LawRecord>, LabError> {
    let functions = &trial.workbench.functions();
    let target = &functions[function];
    let is_inverse = |other: &&Signature| {
        let types = unary(target).zip(unary(other));
        other.name != target.name && types.is_some_and(|(own, others)| own.0 == others.1 && own.1 == others.0)
    };
    let others: Vec<&Signature> = functions.iter().filter(is_inverse).collect();
    // What undoes a function that gives back what it is given does so too, and that says nothing new.
    if !others.is_empty() && unary(target).is_some_and(|(takes, gives)| takes == gives) {
        let identity = equals_argument(&call(target, &target.parameters[0].name), target);
        if matches!(trial.confirm(&format!(": {identity}"))?, LawVerdict::Accepted(_)) {
            return Ok(Vec::new());
        }
    }
    let mut found = Vec::new();
    for other in others {
        for (outer, inner) in [(other, target), (target, other)] {
            let relation = round_trip(outer, inner);
            let LawVerdict::Accepted(accepted) = trial.confirm(&relation)? else { continue };
            let name = format!("{}_undoes_{}", outer.name, inner.name);
            found.push(LawRecord {
                text: format!("relation {name}{relation}"),
                name,
                words: format!("{} undoes {}", outer.name, inner.name),
                functions: vec![outer.name.clone(), inner.name.clone()],
                held: accepted.held,
                ineligible: accepted.ineligible,
                proof: DiscoveryProof::TestedOn { groups: accepted.held },
                kills: Vec::new(),
            });
        }
    }
    Ok(found)
}

/// What a function takes and gives, if it takes and gives one value each.
fn unary(function: &Signature) -> Option<(Type, Type)> {
    match (&function.parameters[..], &function.outputs[..]) {
        ([parameter], [output]) => Some((parameter.ty, output.ty)),
        _ => None,
    }
}

/// The relation that one function undoes another, without `relation NAME`.
fn round_trip(outer: &Signature, inner: &Signature) -> String {
    let x = &inner.parameters[0].name;
    // The name alone would stand for the parameters of both functions.
    let header = match outer.parameters[0].name == *x {
        true => format!("({x}: {}.{x})", inner.name),
        false => String::new(),
    };
    format!("{header}: {}", equals_argument(&call(outer, &call(inner, x)), inner))
}

/// The equation between a result and the argument of a function of one parameter.
fn equals_argument(result: &str, function: &Signature) -> String {
    let parameter = &function.parameters[0];
    let is_float = match parameter.ty {
        Type::Scalar(scalar) | Type::Sequence(scalar) => scalar.kind() == Kind::Float,
        Type::Text => false,
    };
    let equals = if is_float { "~=" } else { "==" };
    format!("{result} {equals} {}", parameter.name)
}

/// A call in the language of relations.
pub(super) fn call(function: &Signature, argument: &str) -> String {
    let outputs = &function.outputs;
    let selector = outputs.first().and_then(|output| output.name.selector());
    let selector = selector.map(|name| format!(".{name}")).unwrap_or_default();
    format!("{}({argument}){selector}", function.name)
}
