//! Which parameters the variables of a law stand for.

use super::form::{Atom, Calls, Form};
use super::vocabulary::Vocabulary;

/// The header of a relation, such as `(y: sin.x)`, which says for which parameter each variable is drawn. A variable that has
/// the name of a parameter of a called function needs no entry: the language binds it by its name. Any other variable is bound
/// to a parameter that it is passed to, if possible one that it is passed to alone: in `sin(x + y) == sin(y)` the entry of `y`
/// comes from `sin(y)`. The header is empty where no variable needs an entry.
pub(super) fn bindings(law: &Form, vocabulary: &Vocabulary, calls: &Calls) -> String {
    let mut passed = Vec::new();
    collect(law, calls, &mut passed);
    let mut entries = Vec::new();
    for (number, variable) in vocabulary.variables.iter().enumerate() {
        let number = number as u8;
        let name = |&(function, parameter, _): &(usize, usize, &Form)| {
            &vocabulary.functions[function].parameters[parameter]
        };
        let mentions = |form: &Form| form.variables(calls) >> number & 1 == 1;
        if law.variables(calls) >> number & 1 == 0 {
            continue;
        }
        let is_named = passed
            .iter()
            .any(|(function, _, _)| vocabulary.functions[*function].parameters.contains(variable));
        let alone = passed.iter().find(|(_, _, form)| form.as_atom() == Some(Atom::Variable(number)));
        let within = passed.iter().find(|(_, _, form)| mentions(form));
        if let (false, Some(at)) = (is_named, alone.or(within)) {
            entries.push(format!("{variable}: {}.{}", vocabulary.functions[at.0].name, name(at)));
        }
    }
    if entries.is_empty() { String::new() } else { format!("({})", entries.join(", ")) }
}

/// The function, the parameter and the argument of each call, the cheapest call first.
fn collect<'c>(form: &Form, calls: &'c Calls, passed: &mut Vec<(usize, usize, &'c Form)>) {
    let mut ids: Vec<_> = form.terms().iter().flat_map(|(product, _)| product).collect();
    ids.sort_unstable();
    for atom in ids {
        let Atom::Call(id) = atom else { continue };
        let call = calls.get(*id);
        call.arguments.iter().for_each(|argument| collect(argument, calls, passed));
        passed.extend(call.arguments.iter().enumerate().map(|(place, a)| (call.function, place, a)));
    }
}
