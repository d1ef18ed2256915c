//! What the parameters of a list are for, as their names and types say.

use dodona_target::{Domain, Kind, Type, Value};

use crate::names::words;
use crate::operation::Operation;
use crate::parameter::{Parameter, Place};

/// What a parameter of a list does to the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Leaves those whose number is at least this.
    Least,
    /// Leaves those whose number is at most this.
    Most,
    /// Leaves those with this value.
    Equals,
    /// Leaves those with this text in them.
    Search,
    /// Chooses what they are sorted by.
    Sort,
    /// Chooses whether they ascend or descend.
    Order,
    /// The most records of a page.
    Limit,
    /// How many records are left out before the first.
    Offset,
    /// The number of a page.
    Page,
}

/// Names of parameters, by their words, for each role that a name alone says.
const NAMED: [(Role, &[&str]); 6] = [
    (
        Role::Limit,
        &[
            "limit",
            "per_page",
            "page_size",
            "size",
            "max_results",
            "max_items",
            "top",
            "take",
            "first",
            "count",
            "page_limit",
        ],
    ),
    (Role::Offset, &["offset", "skip", "start", "start_index", "page_offset"]),
    (Role::Page, &["page", "page_number", "page_no", "p"]),
    (Role::Order, &["order", "direction", "sort_order", "sort_dir", "sort_direction", "dir", "order_dir"]),
    (Role::Sort, &["sort", "sort_by", "order_by", "orderby", "sortby", "ordering", "order"]),
    (
        Role::Search,
        &["q", "query", "search", "text", "term", "keyword", "keywords", "search_term", "contains"],
    ),
];

const LEAST: [&str; 8] = ["min", "minimum", "from", "gte", "gt", "lower", "least", "above"];
const MOST: [&str; 8] = ["max", "maximum", "to", "lte", "lt", "upper", "most", "below"];

/// What a parameter of a list is for; `None` if its name does not say it.
pub(crate) fn role(operation: &Operation, parameter: &Parameter) -> Option<Role> {
    if parameter.place != Place::Query || parameter.is_required {
        return None;
    }
    let name = words(&parameter.original).join("_");
    let named = NAMED.iter().filter(|(_, names)| names.contains(&name.as_str())).map(|(role, _)| *role);
    let fitting = named
        .filter(|role| fits(*role, parameter))
        .find(|role| *role != Role::Order || directions(parameter).is_some());
    fitting.or_else(|| bound(parameter)).or_else(|| {
        let is_field = field_of(operation, &name).is_some();
        is_field.then_some(Role::Equals)
    })
}

fn fits(role: Role, parameter: &Parameter) -> bool {
    let is_integer = parameter.ty.scalar().is_some_and(|scalar| scalar.kind() == Kind::Int);
    match role {
        Role::Limit | Role::Offset | Role::Page => is_integer,
        Role::Sort | Role::Order => parameter.domain.texts.is_some(),
        Role::Search => parameter.ty == Type::Text && parameter.domain.texts.is_none(),
        Role::Least | Role::Most | Role::Equals => true,
    }
}

/// A bound of numbers: `min_price`, `price_from`, `priceMin`.
fn bound(parameter: &Parameter) -> Option<Role> {
    parameter.ty.scalar().filter(|scalar| scalar.kind() != Kind::Bool)?;
    let words = words(&parameter.original);
    let is = |those: &[&str]| {
        [words.first(), words.last()].into_iter().flatten().any(|word| those.contains(&word.as_str()))
    };
    match (words.len() > 1 && is(&LEAST), words.len() > 1 && is(&MOST)) {
        (true, false) => Some(Role::Least),
        (false, true) => Some(Role::Most),
        _ => None,
    }
}

/// What a bound is of: `price` of `min_price`.
pub(crate) fn stem(parameter: &Parameter) -> String {
    let words = words(&parameter.original);
    let kept = words.iter().filter(|word| !LEAST.contains(&word.as_str()) && !MOST.contains(&word.as_str()));
    kept.map(String::as_str).collect::<Vec<_>>().join("_")
}

/// The name of the field of each record that has the same words.
pub(crate) fn field_of<'o>(operation: &'o Operation, name: &str) -> Option<&'o crate::response::Field> {
    let records = operation.response.records.as_ref()?;
    records.fields.iter().find(|field| words(&field.original).join("_") == name)
}

/// The texts by which records ascend and descend.
pub(crate) fn directions(parameter: &Parameter) -> Option<(String, String)> {
    let texts = parameter.domain.texts.as_ref()?;
    let find = |start: &str| texts.iter().find(|text| text.to_lowercase().starts_with(start)).cloned();
    Some((find("asc")?, find("desc")?))
}

/// The greatest integer of a domain.
pub(crate) fn greatest(domain: &Domain) -> Option<i64> {
    domain.numbers.ranges.iter().map(|range| range.high.as_f64() as i64).max()
}

/// The least integer of a domain.
pub(crate) fn least(domain: &Domain) -> Option<i64> {
    domain.numbers.ranges.iter().map(|range| range.low.as_f64() as i64).min()
}

impl Operation {
    /// Has searches look for these words more often than for others, as far as they may be given. Whether there is a search.
    pub fn searches_for(&mut self, words: &[String]) -> bool {
        let mut any = false;
        for (parameter, _) in with_roles(self).filter(|(_, role)| *role == Some(Role::Search)) {
            let values = words.iter().map(|word| Value::Text(word.as_str().into()));
            let fitting = values.filter(|word| parameter.domain.contains(parameter.ty, word));
            parameter.sampling.favour.extend(fitting);
            any = true;
        }
        any
    }
}

/// The parameters of an operation, each with its role.
fn with_roles(operation: &mut Operation) -> impl Iterator<Item = (&mut Parameter, Option<Role>)> {
    let roles: Vec<Option<Role>> =
        operation.parameters.iter().map(|parameter| role(operation, parameter)).collect();
    operation.parameters.iter_mut().zip(roles)
}

/// How values of parameters with a role are drawn: short texts of letters, which a search finds somewhere; pages near the first, where there are records.
pub(crate) fn habits(operation: &mut Operation) {
    for (parameter, role) in with_roles(operation) {
        let range = match role {
            Some(Role::Limit) => (1, 20),
            Some(Role::Offset) => (0, 20),
            Some(Role::Page) => (1, 5),
            Some(Role::Search) => {
                parameter.sampling.length = Some((1, 2));
                // Outside ASCII the other case of a letter may be two letters, or another one.
                parameter.sampling.alphabet = Some(('a'..='z').chain('A'..='Z').collect());
                continue;
            }
            _ => continue,
        };
        let (Some(low), Some(high)) = (least(&parameter.domain), greatest(&parameter.domain)) else {
            continue;
        };
        if parameter.domain.numbers.ranges.len() == 1 && low <= range.1 && range.0 <= high {
            let (low, high) = (low.max(range.0), high.min(range.1));
            parameter.sampling.range = Some((low..=high).into());
        }
    }
}
