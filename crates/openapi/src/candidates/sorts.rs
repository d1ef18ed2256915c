//! Sorting moves records and changes none.

use crate::names::words;
use crate::roles::{Role, directions, field_of};

use super::Pattern;
use super::filters::NOTHING;
use super::list::{List, literal};

pub(super) fn add(list: &mut List<'_>) {
    let order = list.with(Role::Order).first().copied();
    for sort in list.with(Role::Sort) {
        let given: Vec<usize> = [Some(sort), order].into_iter().flatten().collect();
        let Some(f) = list.function("sorted", &given) else { return };
        permutes(list, &f, sort);
        for value in list.operation.parameters[sort].domain.texts.clone().unwrap_or_default() {
            sorts(list, &f, (sort, &value), order);
        }
    }
    if let (Some(order), true) = (order, list.with(Role::Sort).is_empty())
        && let Some(f) = list.function("ordered", &[order])
    {
        permutes(list, &f, order);
    }
}

/// Whatever they are sorted by, the records are the same.
fn permutes(list: &mut List<'_>, f: &str, parameter: usize) {
    let name = list.name(parameter);
    let Some(whole) = list.whole() else { return };
    let Some(elements) = list.elements() else {
        return list.leave(&format!("{name} permutes the records"), NOTHING);
    };
    let all = list.call(&whole, &[]);
    let all_came = list.all_came(&all);
    let expected = format!("{} is_permutation_of {}", elements.of(&list.call(f, &[])), elements.of(&all));
    let states = format!("The records are the same, whatever the value of `{name}`.");
    list.add(&format!("{name}_permutes"), Pattern::Equivalence, states, ("", &[all_came], expected));
}

/// The field that a value names is sorted.
fn sorts(list: &mut List<'_>, f: &str, (sort, value): (usize, &str), order: Option<usize>) {
    let (field, descends) = direction(value);
    let Some(found) = field_of(list.operation, &words(&field).join("_")).cloned() else {
        return list.leave(
            &format!("{} = {value} sorts", list.name(sort)),
            format!("the document requires no field `{field}` in every record"),
        );
    };
    if found.may_be_null {
        let why = format!("`{field}` may be null, which is first for some services and last for others");
        return list.leave(&format!("{} = {value} sorts", list.name(sort)), why);
    }
    let Some(output) = list.field(&found.original) else {
        let why = format!("`{field}` is no number, and the order of texts differs from service to service");
        return list.leave(&format!("{} = {value} sorts", list.name(sort)), why);
    };
    let Some(whole) = list.whole() else { return };
    let all = list.call(&whole, &[]);
    let all_came = list.all_came(&all);
    let ways = match order.and_then(|order| Some((order, directions(&list.operation.parameters[order])?))) {
        Some((order, (ascending, descending))) => {
            vec![(Some((order, ascending)), descends), (Some((order, descending)), !descends)]
        }
        None => vec![(None, descends)],
    };
    for (order, descends) in ways {
        let mut with = vec![(sort, literal(value))];
        with.extend(order.map(|(order, way)| (order, literal(&way))));
        let numbers = format!("sorted({all}{output})");
        let numbers = if descends { format!("reverse({numbers})") } else { numbers };
        let expected = format!("{}{output} == {numbers}", list.call(f, &with));
        let way = if descends { "descends" } else { "ascends" };
        let states = format!(
            "Sorted by `{field}`, the records have the numbers that they have unsorted, which {}.",
            &way[..way.len() - 1]
        );
        let name = format!("{}_{way}", words(&field).join("_"));
        list.add(&name, Pattern::Equivalence, states, ("", std::slice::from_ref(&all_came), expected));
    }
}

/// The field of `-price`, `price_desc` and `price:asc`, and whether it descends.
fn direction(value: &str) -> (String, bool) {
    if let Some(field) = value.strip_prefix('-') {
        return (field.to_owned(), true);
    }
    let value = value.strip_prefix('+').unwrap_or(value);
    for separator in [':', '_', ' ', ',', '-', '.'] {
        match value.rsplit_once(separator) {
            Some((field, "asc" | "ASC")) => return (field.to_owned(), false),
            Some((field, "desc" | "DESC")) => return (field.to_owned(), true),
            _ => {}
        }
    }
    (value.to_owned(), false)
}

#[cfg(test)]
mod tests {
    use super::direction;

    #[test]
    fn directions_of_all_spellings_are_read() {
        for (value, field, descends) in [
            ("price", "price", false),
            ("-price", "price", true),
            ("unit_price_desc", "unit_price", true),
            ("price:asc", "price", false),
        ] {
            assert_eq!(direction(value), (field.to_owned(), descends));
        }
    }
}
