//! Pages partition a list, a longer page begins with a shorter one, and the total is the number of records of all pages.

use crate::roles::{Role, least};

use super::Pattern;
use super::filters::NOTHING;
use super::list::{List, Told, apart};

pub(super) fn add(list: &mut List<'_>) {
    let first = |list: &List<'_>, role| list.with(role).first().copied();
    let (limit, offset, page) =
        (first(list, Role::Limit), first(list, Role::Offset), first(list, Role::Page));
    let begin = offset.or(page);
    if limit.or(begin).is_none() {
        return whole_total(list);
    }
    // Pages are cut from the list as it is sorted: what sorts each page by itself is seen by no relation of the whole list.
    let (sort, order) = (first(list, Role::Sort), first(list, Role::Order));
    let given: Vec<usize> = [sort, order, limit, begin].into_iter().flatten().collect();
    let Some(f) = list.function("page", &given) else { return };
    if let Some(limit) = limit
        && begin.is_none_or(|begin| Some(begin) == offset)
    {
        extends(list, &f, limit);
    }
    match (limit, offset, page) {
        (Some(limit), Some(offset), _) => slices(list, &f, limit, offset),
        (limit, None, Some(page)) => numbered(list, &f, limit, page),
        _ => {}
    }
    total(list, &f, limit, (offset, page));
}

/// A greater limit extends the list.
fn extends(list: &mut List<'_>, f: &str, limit: usize) {
    let name = list.name(limit);
    let longer = list.call(f, &[(limit, format!("{name} + k"))]);
    let expected = format!("{} is_prefix_of {longer}", list.call(f, &[]));
    let states = format!("A greater `{name}` gives the same records and perhaps more behind them.");
    let name = list.operation.name.clone() + "_limit_extends";
    list.add("limit_extends", Pattern::Subset, states, ("", &[], expected));
    // `for` stands before the conditions.
    if let Some(relation) = list.relations.last_mut().filter(|relation| relation.name.starts_with(&name)) {
        relation.text = relation.text.replacen(":\n", ": for k in {1, 10}:\n", 1);
    }
}

/// Two pages, one behind the other, are a page as long as both.
fn slices(list: &mut List<'_>, f: &str, limit: usize, offset: usize) {
    let Some(elements) = list.elements() else {
        return list.leave("pages partition the records", NOTHING);
    };
    let (length, begin, more) = (list.name(limit), list.name(offset), list.fresh("more"));
    let first = elements.of(&list.call(f, &[]));
    let second =
        elements.of(&list.call(f, &[(limit, more.clone()), (offset, format!("{begin} + {length}"))]));
    let both = elements.of(&list.call(f, &[(limit, format!("{length} + {more}"))]));
    let header = format!("{more}: {f}.{length}");
    let states =
        "Two pages, one behind the other, have the records of a page that is as long as both.".to_owned();
    list.add(
        "pages_complete",
        Pattern::Complete,
        states,
        (&header, &[], format!("concat({first}, {second}) == {both}")),
    );
    if elements.told == Told::Apart {
        let states = "No record is on two pages.".to_owned();
        list.add("pages_disjoint", Pattern::Disjoint, states, (&header, &[], apart(&first, &second)));
    }
}

/// The same of pages that have numbers.
fn numbered(list: &mut List<'_>, f: &str, limit: Option<usize>, page: usize) {
    let Some(elements) = list.elements() else {
        return list.leave("pages partition the records", NOTHING);
    };
    let name = list.name(page);
    let is_from_0 = least(&list.operation.parameters[page].domain) == Some(0);
    let exists = if is_from_0 { String::new() } else { format!("{name} >= 1") };
    if let Some(limit) = limit {
        let size = list.name(limit);
        let numbers = match is_from_0 {
            true => [format!("2 * {name}"), format!("2 * {name} + 1")],
            false => [format!("2 * {name} - 1"), format!("2 * {name}")],
        };
        let parts = numbers.map(|number| elements.of(&list.call(f, &[(page, number)])));
        let whole = elements.of(&list.call(f, &[(limit, format!("2 * {size}"))]));
        let states =
            "Two pages, one behind the other, have the records of one that is twice as long.".to_owned();
        let expected = format!("concat({}, {}) == {whole}", parts[0], parts[1]);
        let conditions = [exists.clone(), format!("defined({})", list.call(f, &[]))];
        list.add("pages_complete", Pattern::Complete, states, ("", &conditions, expected));
    }
    if elements.told == Told::Apart {
        let (one, next) =
            (elements.of(&list.call(f, &[])), elements.of(&list.call(f, &[(page, format!("{name} + 1"))])));
        let states = "No record is on two pages.".to_owned();
        list.add("pages_disjoint", Pattern::Disjoint, states, ("", &[exists], apart(&one, &next)));
    }
}

/// Where there are no pages, the total is the number of records.
fn whole_total(list: &mut List<'_>) {
    let (Some(whole), Some(total)) = (list.whole(), list.total()) else { return };
    let Some(elements) = list.elements() else {
        return list.leave("the total is the number of records", NOTHING);
    };
    let all = list.call(&whole, &[]);
    let states = "The total is the number of records.".to_owned();
    list.add(
        "total",
        Pattern::Difference,
        states,
        ("", &[format!("defined({all})")], format!("len({}) == {all}{total}", elements.of(&all))),
    );
}

/// The total is the same on every page, and is the number of the records of all pages.
fn total(list: &mut List<'_>, f: &str, limit: Option<usize>, (offset, page): (Option<usize>, Option<usize>)) {
    let Some(total) = list.total() else { return };
    let given: Vec<usize> = [limit, offset.or(page)].into_iter().flatten().collect();
    let others: Vec<(usize, String)> =
        given.iter().map(|index| (*index, list.fresh(&format!("other_{}", list.name(*index))))).collect();
    let header: Vec<String> =
        others.iter().map(|(index, other)| format!("{other}: {f}.{}", list.name(*index))).collect();
    let expected = format!("{}{total} == {}{total}", list.call(f, &[]), list.call(f, &others));
    let states = "The total is the same on every page.".to_owned();
    list.add("total_same", Pattern::Equality, states, (&header.join(", "), &[], expected));
    let Some(limit) = limit else { return };
    let Some(elements) = list.elements() else {
        return list.leave("the total is the number of records", NOTHING);
    };
    let (length, call) = (list.name(limit), list.call(f, &[]));
    let (skipped, exists) = match (offset, page) {
        (Some(offset), _) => (format!(" - {}", list.name(offset)), String::new()),
        (None, Some(page)) if least(&list.operation.parameters[page].domain) == Some(0) => {
            (format!(" - {} * {length}", list.name(page)), String::new())
        }
        (None, Some(page)) => {
            (format!(" - ({} - 1) * {length}", list.name(page)), format!("{} >= 1", list.name(page)))
        }
        (None, None) => (String::new(), String::new()),
    };
    let expected = format!("len({}) == max(0, min({length}, {call}{total}{skipped}))", elements.of(&call));
    let states = "A page is as long as the total leaves records for it, so that all pages together have as many as the total says.".to_owned();
    list.add("total_of_pages", Pattern::Difference, states, ("", &[exists], expected));
}
