//! Which parameters the variables of a law stand for.

use super::form::{Atom, Calls, Form};
use super::vocabulary::Vocabulary;

/// `(y: sin.x)`: a variable with the name of a parameter of a called function is bound to it by its name, and any other to the parameter that it is
/// passed to, alone if there is such a call. Nothing where all are bound by their names.
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

/// Function, parameter and argument of each call, the cheapest call first.
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
