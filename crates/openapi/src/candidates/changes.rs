//! Candidate relations of requests that change a list: creating a record adds it, and deleting one removes it.
//!
//! A list after a request is a function of its own, whose setup makes the request; it is compared with the list as the service has it at first. So these
//! relations are of services that are brought into their first state before each call.

use dodona_target::Type;

use crate::functions::Step;
use crate::operation::Operation;
use crate::parameter::{Parameter, Place};
use crate::response::Field;

use super::Pattern;
use super::filters::NOTHING;
use super::list::{Elements, List, Told, among};

pub(super) fn add(list: &mut List<'_>, operations: &[Operation]) {
    // A list of something else for each value of a parameter has no first state to compare with.
    if list.operation.parameters.iter().any(|parameter| parameter.is_required) {
        return;
    }
    let path = list.operation.path.trim_end_matches('/');
    let with = |method: &str, found: &dyn Fn(&str) -> bool| {
        let is_it = |operation: &&Operation| {
            operation.method == method && found(operation.path.trim_end_matches('/'))
        };
        operations.iter().position(|operation| is_it(&operation))
    };
    let post = with("POST", &|other| other == path);
    let is_record = |other: &str| {
        let rest = other.strip_prefix(path).and_then(|rest| rest.strip_prefix("/{"));
        rest.is_some_and(|rest| rest.ends_with('}') && !rest.contains('/'))
    };
    let delete = with("DELETE", &is_record);
    if post.is_none() && delete.is_none() {
        return;
    }
    let Some(elements) = list.elements() else {
        return list.leave("what is created is added, what is deleted is removed", NOTHING);
    };
    if let Some(post) = post {
        created(list, operations, post, &elements);
    }
    if let Some(delete) = delete {
        deleted(list, operations, delete, &elements);
    }
    if let (Some(post), Some(delete)) = (post, delete) {
        undone(list, operations, (post, delete), &elements);
    }
}

/// A request with all of its parameters.
fn step(operations: &[Operation], operation: usize) -> Step {
    let given = (0..operations[operation].parameters.len()).collect();
    Step { operation, given, takes: None, keeps: None }
}

/// One more record, which has what was sent.
fn created(list: &mut List<'_>, operations: &[Operation], post: usize, elements: &Elements) {
    let name = operations[post].name.clone();
    let (Some(whole), Some(after)) =
        (list.whole(), list.after(&name, vec![step(operations, post)], operations))
    else {
        return;
    };
    let whole = list.call(&whole, &[]);
    let came = [list.all_came_after(&after)];
    let (before, behind) = (elements.of(&whole), elements.after(&after));
    let total = list.operation.response.total.as_ref().and_then(|total| after.output(&total.pointer));
    let (count, told) = match list.total().zip(total) {
        Some((total, behind)) => (format!("{behind} == {whole}{total} + 1"), &[][..]),
        None => (format!("len({behind}) == len({before}) + 1"), &came[..]),
    };
    let states = format!("`{name}` adds one record.");
    list.add(&format!("{name}_adds_one"), Pattern::Difference, states, ("", told, count));
    let states = format!("After `{name}` all records of before are there.");
    list.add(&format!("{name}_keeps"), Pattern::Subset, states, ("", &came, among(&before, &behind)));
    for parameter in operations[post].parameters.iter().filter(|p| p.place == Place::Body && p.is_required) {
        let is_it = |field: &&Field| field.original == parameter.original && field.ty == parameter.ty;
        let field = after.outputs.iter().find(|field| is_it(field));
        let Some(values) = field.and_then(|field| after.output(&field.pointer)) else { continue };
        let (conditions, expected) = is_there(parameter, &values, &came);
        let sent = &parameter.original;
        let states = format!("The record that `{name}` adds has the `{sent}` that was sent.");
        list.add(
            &format!("{name}_has_{}", parameter.name),
            Pattern::Difference,
            states,
            ("", &conditions, expected),
        );
    }
}

/// That the value of a parameter is among those of an output of all records.
fn is_there(parameter: &Parameter, values: &str, came: &[String; 1]) -> (Vec<String>, String) {
    let name = &parameter.name;
    let mut conditions = came.to_vec();
    if parameter.ty != Type::Text {
        return (conditions, format!("{values} contains {name}"));
    }
    // In the lines of an output these are written as two characters.
    if parameter.domain.texts.is_none() {
        conditions.push(format!("not ({name} contains \"\\\\\") and not ({name} contains \"\\n\")"));
    }
    (conditions, format!("lines(concat({name}, \"\\n\")) is_subset_of lines({values})"))
}

/// One record less: the one that was named.
fn deleted(list: &mut List<'_>, operations: &[Operation], delete: usize, elements: &Elements) {
    let name = operations[delete].name.clone();
    let of_list = list.operation.name.clone();
    let key = operations[delete].parameters.iter().find(|parameter| {
        parameter.place == Place::Path && parameter.values_from.as_deref() == Some(of_list.as_str())
    });
    let Some(key) = key.filter(|_| elements.told == Told::Apart) else {
        return list.leave(
            &format!("`{name}` removes one record"),
            "it is not known which field of a record it is told",
        );
    };
    let (Some(whole), Some(after)) =
        (list.whole(), list.after(&name, vec![step(operations, delete)], operations))
    else {
        return;
    };
    let whole = list.call(&whole, &[]);
    let (before, behind) = (elements.of(&whole), elements.after(&after));
    let named = match key.ty {
        Type::Text => format!("lines(concat({}, \"\\n\"))", key.name),
        _ => format!("[{}]", key.name),
    };
    let was_there = [among(&named, &before), list.all_came_after(&after)];
    let states = format!("After `{name}` the record is not there.");
    let expected = format!("{behind} is_disjoint_from {named}");
    list.add(&format!("{name}_removes"), Pattern::Disjoint, states, ("", &was_there, expected));
    let states = format!("`{name}` removes no other record.");
    let expected = format!("{before} is_permutation_of concat({named}, {behind})");
    list.add(&format!("{name}_removes_one"), Pattern::Difference, states, ("", &was_there, expected));
}

/// A record that is created and deleted leaves the list as it was.
fn undone(
    list: &mut List<'_>,
    operations: &[Operation],
    (post, delete): (usize, usize),
    elements: &Elements,
) {
    let (created, deleted) = (&operations[post], &operations[delete]);
    // Whatever else it may be given is left out.
    let mut needed = deleted.parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_required);
    let (Some((key, Parameter { place: Place::Path, .. })), None) = (needed.next(), needed.next()) else {
        return;
    };
    let names = format!("{}_and_{}", created.name, deleted.name);
    let Some(records) = &list.operation.response.records else { return };
    let field = records.key.and_then(|index| records.fields.get(index));
    let answered = &created.response.fields;
    let Some(id) = field.and_then(|field| answered.iter().find(|other| other.original == field.original))
    else {
        return list.leave(
            &format!("`{names}` leaves everything as it was"),
            "the answer to what creates a record does not say which one it is",
        );
    };
    let mut kept = "created".to_owned();
    while created.parameters.iter().any(|parameter| parameter.name == kept) {
        kept.push('_');
    }
    let made = Step { keeps: Some((kept.clone(), id.pointer.clone())), ..step(operations, post) };
    let gone = Step { operation: delete, given: Vec::new(), takes: Some((key, kept)), keeps: None };
    let (Some(whole), Some(after)) = (list.whole(), list.after(&names, vec![made, gone], operations)) else {
        return;
    };
    let whole = list.call(&whole, &[]);
    let came = [list.all_came_after(&after)];
    let states = format!("`{}` of what `{}` added leaves the list as it was.", deleted.name, created.name);
    let expected = format!("{} is_permutation_of {}", elements.after(&after), elements.of(&whole));
    list.add(&format!("{names}_leaves"), Pattern::Equivalence, states, ("", &came, expected));
}
