//! Which known forms mean something of a function, beyond what the type checker sees.

use dodona_relations::ast::{Body, Expression, Node, Relation};
use dodona_target::{Parameter, Scalar, Signature, Type};

use super::form::Form;
use super::guess::Place;

/// Whether a form has a word that a function under test has the name of.
pub(super) fn is_hidden(form: &Relation, functions: &[Signature]) -> bool {
    let Body::Calls(expect) = &form.body else { return true };
    expect.has(&|e: &Expression| match &e.node {
        Node::Call { function, .. } => functions.iter().any(|other| other.name == function.text),
        _ => false,
    })
}

/// Whether a form is true of any function of such types and domains, or of none: what is never negative has no sign, and parameters that take different values are not
/// exchanged.
pub(super) fn says_nothing(form: &Form, about: &[Place], functions: &[Signature]) -> bool {
    let changed = about.iter().flat_map(|place| {
        place.parameters.iter().map(|&parameter| &functions[place.function].parameters[parameter])
    });
    let changed: Vec<&Parameter> = changed.collect();
    let result = about.first().and_then(|place| functions[place.function].outputs.get(place.output));
    // The result of a function of several numbers is hardly ever meant to be one of these.
    let parameters = about.first().map_or(0, |place| functions[place.function].parameters.len());
    let is_fed_back = form.says.contains("F(F(")
        && changed.first().is_some_and(|first| matches!(first.ty, Type::Scalar(_)));
    if about.len() == 1 && is_fed_back && parameters > changed.len() {
        return true;
    }
    let is_of_scalars = || changed.iter().any(|parameter| matches!(parameter.ty, Type::Scalar(_)));
    match form.name {
        "never_lower_but_for_rounding" | "never_higher_but_for_rounding" => {
            !result.is_some_and(|output| is_float(output.ty))
        }
        "from_0_to_1" => !result.is_some_and(|output| is_float(output.ty)),
        "of_negative" | "undone_by_negative" => changed.iter().any(|parameter| is_never_negative(parameter)),
        "of_upper" | "turns_upper" => keeps_letters(&changed, |c| c.to_uppercase().eq([c])),
        "of_lower" | "turns_lower" => keeps_letters(&changed, |c| c.to_lowercase().eq([c])),
        "of_trimmed" => keeps_letters(&changed, |c| !" \t\n\r\u{b}\u{c}".contains(c)),
        "odd" => {
            changed.iter().any(|parameter| is_never_negative(parameter))
                || result.is_some_and(|output| is_unsigned(output.ty))
        }
        "negated_if_exchanged" | "order_transitive"
            if result.is_some_and(|output| is_unsigned(output.ty)) =>
        {
            true
        }
        // Of a single number the steps say it, with what they add.
        "shifted" | "same_if_shifted" if is_of_scalars() => true,
        // Of a few numbers that stand for things, bits mean nothing.
        "affine" => changed.iter().any(|parameter| !parameter.domain.numbers.is_everything()),
        _ => match (about, changed.as_slice()) {
            ([_], [first, second]) => {
                form.is_symmetric && (first.ty != second.ty || first.domain != second.domain)
            }
            _ => false,
        },
    }
}

/// Whether nothing in the texts of a parameter changes, by the letters that these may have or usually have.
fn keeps_letters(changed: &[&Parameter], keeps: impl Fn(char) -> bool) -> bool {
    changed.iter().any(|parameter| {
        let letters = parameter.domain.alphabet.as_ref().or(parameter.sampling.alphabet.as_ref());
        letters.is_some_and(|letters| letters.iter().all(|letter| keeps(*letter)))
    })
}

fn is_float(ty: Type) -> bool {
    matches!(ty.scalar(), Some(Scalar::F32 | Scalar::F64))
}

fn is_unsigned(ty: Type) -> bool {
    matches!(ty.scalar(), Some(Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Bool))
}

/// Whether a parameter, or an element of it, is never less than 0.
fn is_never_negative(parameter: &Parameter) -> bool {
    let ranges = &parameter.domain.numbers.ranges;
    is_unsigned(parameter.ty) || (!ranges.is_empty() && ranges.iter().all(|range| range.low.as_f64() >= 0.0))
}
