//! Filters leave some of the records: bounds, values that are equal, searches.

use dodona_target::{Kind, Type};

use crate::roles::{Role, field_of, role, stem};

use super::Pattern;
use super::list::{List, Told, among, apart, joined, literal};

/// The most values of a filter of which each gets a call in one relation.
const VALUES: usize = 12;

/// Why there is no relation of records.
pub(super) const NOTHING: &str = "no number and no text is in every record";

pub(super) fn add(list: &mut List<'_>) {
    for bound in [Role::Least, Role::Most] {
        for parameter in list.with(bound) {
            narrows(list, parameter, bound);
        }
    }
    for least in list.with(Role::Least) {
        let of = stem(&list.operation.parameters[least]);
        let most =
            list.with(Role::Most).into_iter().find(|most| stem(&list.operation.parameters[*most]) == of);
        if let Some(most) = most {
            between(list, least, most, &of);
        }
    }
    for parameter in list.with(Role::Equals) {
        equals(list, parameter);
    }
    for parameter in list.with(Role::Search) {
        search(list, parameter);
    }
    conjuncts(list);
    unknown(list);
}

/// Two filters together leave what each of them leaves. Each filter is paired with the next: pairs of all would be as many as the square of the filters.
fn conjuncts(list: &mut List<'_>) {
    let roles = [Role::Least, Role::Most, Role::Equals, Role::Search];
    let filters: Vec<usize> = roles.into_iter().flat_map(|role| list.with(role)).collect();
    let Some(elements) = list.elements() else { return };
    for pair in filters.windows(2) {
        let (a, b) = (list.name(pair[0]), list.name(pair[1]));
        let functions = (
            list.function(&format!("by_{a}_and_{b}"), pair),
            list.function(&format!("by_{a}"), &pair[..1]),
            list.function(&format!("by_{b}"), &pair[1..]),
        );
        let ((Some(both), Some(one), Some(other)), Some(whole)) = (functions, list.whole()) else { continue };
        let all_came = list.all_came(&list.call(&whole, &[]));
        let [both, one, other] = [both, one, other].map(|function| elements.of(&list.call(&function, &[])));
        let expected = format!("{} and {}", among(&both, &one), among(&both, &other));
        let states = format!("What `{a}` and `{b}` leave together each of them leaves, too.");
        list.add(&format!("{a}_and_{b}_narrow"), Pattern::Subset, states, ("", &[all_came], expected));
    }
}

/// A greater least value, or a smaller greatest one, leaves a subset.
fn narrows(list: &mut List<'_>, parameter: usize, bound: Role) {
    let name = list.name(parameter);
    let (Some(f), Some(whole)) = (list.function(&format!("by_{name}"), &[parameter]), list.whole()) else {
        return;
    };
    let more = list.fresh("more");
    let header = format!("{more}: {f}.{name}");
    let (one, other) = (list.call(&f, &[]), list.call(&f, &[(parameter, more.clone())]));
    let (part, all, suffix) = match bound {
        Role::Least => (other, one, "narrows"),
        _ => (one, other, "widens"),
    };
    let states = match bound {
        Role::Least => format!("A greater `{name}` leaves some of the records, and no other ones."),
        _ => format!("A greater `{name}` leaves all records of the smaller one, and perhaps more."),
    };
    let order = format!("{name} <= {more}");
    match list.elements() {
        Some(elements) => {
            let all_came = list.all_came(&list.call(&whole, &[]));
            let expected = among(&elements.of(&part), &elements.of(&all));
            list.add(
                &format!("{name}_{suffix}"),
                Pattern::Subset,
                states,
                (&header, &[order.clone(), all_came], expected),
            );
        }
        None => list.leave(&format!("{name} leaves a subset"), NOTHING),
    }
    if let Some(total) = list.total() {
        let states = format!("The total of a narrower `{name}` is at most that of a wider one.");
        let expected = format!("{part}{total} <= {all}{total}");
        list.add(&format!("{name}_total_{suffix}"), Pattern::Subset, states, (&header, &[order], expected));
    }
}

/// What is at least a number and what is at most it are all records; what is above and below are different ones.
fn between(list: &mut List<'_>, least: usize, most: usize, of: &str) {
    let is_one_type = list.operation.parameters[least].ty == list.operation.parameters[most].ty;
    let Some(elements) = list.elements().filter(|_| is_one_type) else { return };
    if field_of(list.operation, of).is_none() {
        list.leave(
            &format!("{of} is at least or at most any number"),
            format!("the document requires no field `{of}` in every record"),
        );
        return;
    }
    let (low, high) = (list.name(least), list.name(most));
    let functions =
        (list.function(&format!("by_{low}"), &[least]), list.function(&format!("by_{high}"), &[most]));
    let ((Some(f), Some(g)), Some(whole)) = (functions, list.whole()) else { return };
    let all = list.call(&whole, &[]);
    let all_came = list.all_came(&all);
    let bound = list.fresh("bound");
    let parts = [list.call(&f, &[(least, bound.clone())]), list.call(&g, &[(most, bound.clone())])];
    let parts = parts.map(|part| elements.of(&part));
    let expected = format!("distinct({}) is_permutation_of distinct({})", joined(&parts), elements.of(&all));
    let states = format!("Every record has a `{of}` of at least a number or of at most it.");
    let header = format!("{bound}: {f}.{low}");
    list.add(
        &format!("{of}_complete"),
        Pattern::Complete,
        states,
        (&header, std::slice::from_ref(&all_came), expected),
    );
    if elements.told == Told::Apart {
        let (below, above) = (list.fresh("below"), list.fresh("above"));
        let one = elements.of(&list.call(&g, &[(most, below.clone())]));
        let other = elements.of(&list.call(&f, &[(least, above.clone())]));
        let header = format!("{below}: {g}.{high}, {above}: {f}.{low}");
        let states = format!("No record has a `{of}` of at most a number and of at least a greater one.");
        let conditions = [format!("{below} < {above}"), all_came];
        list.add(
            &format!("{of}_disjoint"),
            Pattern::Disjoint,
            states,
            (&header, &conditions, apart(&one, &other)),
        );
    }
}

/// The records of each value are a subset of all, disjoint, and together all.
fn equals(list: &mut List<'_>, parameter: usize) {
    let name = list.name(parameter);
    let (Some(f), Some(whole)) = (list.function(&format!("by_{name}"), &[parameter]), list.whole()) else {
        return;
    };
    let all = list.call(&whole, &[]);
    let all_came = list.all_came(&all);
    let values = values(list, parameter);
    let calls: Vec<String> =
        values.iter().map(|value| list.call(&f, &[(parameter, value.clone())])).collect();
    totals(list, name, &calls, &all);
    let Some(elements) = list.elements() else {
        return list.leave(&format!("values of {name} partition the records"), NOTHING);
    };
    let part = elements.of(&list.call(&f, &[]));
    let states = format!("The records of a `{name}` are among all records.");
    let expected = among(&part, &elements.of(&all));
    list.add(
        &format!("{name}_among_all"),
        Pattern::Subset,
        states,
        ("", std::slice::from_ref(&all_came), expected),
    );
    if !calls.is_empty() {
        let parts: Vec<String> = calls.iter().map(|call| elements.of(call)).collect();
        let states = format!("The records of all values of `{name}` together are all records, each once.");
        let expected = format!("{} is_permutation_of {}", joined(&parts), elements.of(&all));
        list.add(
            &format!("{name}_complete"),
            Pattern::Complete,
            states,
            ("", std::slice::from_ref(&all_came), expected),
        );
    }
    if elements.told == Told::Apart {
        let other = list.fresh("other");
        let second = elements.of(&list.call(&f, &[(parameter, other.clone())]));
        let states = format!("No record has two values of `{name}`.");
        let conditions = [format!("{name} != {other}"), all_came];
        let header = format!("{other}: {f}.{name}");
        list.add(
            &format!("{name}_disjoint"),
            Pattern::Disjoint,
            states,
            (&header, &conditions, apart(&part, &second)),
        );
    }
}

/// The totals of each value sum up to that of all.
fn totals(list: &mut List<'_>, name: &str, calls: &[String], all: &str) {
    let Some(total) = list.total().filter(|_| !calls.is_empty()) else { return };
    let sum: Vec<String> = calls.iter().map(|call| format!("{call}{total}")).collect();
    let states = format!("The totals of all values of `{name}` sum up to that of all records.");
    let expected = format!("{} == {all}{total}", sum.join(" + "));
    let condition = format!("defined({all})");
    list.add(&format!("{name}_totals"), Pattern::Complete, states, ("", &[condition], expected));
}

/// The values of a filter as literals, if they are few and listed.
fn values(list: &List<'_>, parameter: usize) -> Vec<String> {
    let parameter = &list.operation.parameters[parameter];
    let found: Vec<String> = match (parameter.ty, &parameter.domain.texts) {
        (Type::Text, Some(texts)) => texts.iter().map(|text| literal(text)).collect(),
        (Type::Scalar(scalar), _) if scalar.kind() == Kind::Bool && parameter.domain.is_everything() => {
            ["true", "false"].map(str::to_owned).to_vec()
        }
        _ => Vec::new(),
    };
    let was_assumed = parameter.notes.iter().any(|note| note.contains("format") || note.contains("shows"));
    if found.len() > VALUES || was_assumed { Vec::new() } else { found }
}

/// A search does not see the case of letters, and a longer text is found in fewer records.
fn search(list: &mut List<'_>, parameter: usize) {
    let name = list.name(parameter);
    let (Some(f), Some(whole)) = (list.function(&format!("by_{name}"), &[parameter]), list.whole()) else {
        return;
    };
    let cased = |word: &str| list.call(&f, &[(parameter, format!("{word}({name})"))]);
    let expected = format!("{} == {}", cased("upper"), cased("lower"));
    // Of a search that fails nothing is said.
    let returned = format!("defined({})", list.call(&f, &[]));
    let states = format!("A search for `{name}` in capitals finds the same records in the same order.");
    list.add(&format!("{name}_case"), Pattern::Equality, states, ("", &[returned], expected));
    let Some(elements) = list.elements() else {
        return list.leave(&format!("a longer {name} finds a subset"), NOTHING);
    };
    let all = list.call(&whole, &[]);
    let all_came = list.all_came(&all);
    let more = list.fresh("more");
    let longer = list.call(&f, &[(parameter, format!("concat({name}, {more})"))]);
    let expected = among(&elements.of(&longer), &elements.of(&list.call(&f, &[])));
    let states = format!("What is found for a longer `{name}` is found for its beginning, too.");
    let header = format!("{more}: {f}.{name}");
    list.add(&format!("{name}_narrows"), Pattern::Subset, states, (&header, &[all_came], expected));
}

/// Filters whose effect nobody can guess are told.
fn unknown(list: &mut List<'_>) {
    let operation = list.operation;
    for parameter in operation.parameters.iter().filter(|p| !p.is_required && role(operation, p).is_none()) {
        let why = "neither its name nor a field that the document requires in every record says what it does";
        list.leave(&format!("relations of {}", parameter.original), why);
    }
}
