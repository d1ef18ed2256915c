//! The setup of a function of a web service: requests that are made before its own, in the same call.

use std::ops::Range;

use dodona_target::{Diagnostic, Output, Type, on_one_line};

use super::super::functions::Entry;
use super::super::section::{Item, Section};
use super::super::signature::is_name;
use super::found::{Searched, found, named_outputs, type_beside};
use super::request::RequestKeys;
use crate::outside::{FoundBy, HttpStep, NamedOutput};

/// What the setup of a function is.
#[derive(Default)]
pub(super) struct Setup {
    pub(super) steps: Vec<HttpStep>,
    /// What may stand in braces behind it: the parameters of the function, then what its steps keep.
    pub(super) names: Vec<String>,
    /// The outputs that are found in the answers of its steps, in order.
    pub(super) outputs: Vec<Output>,
}

/// Reads `setup = [{ request = "POST /items", json = { … }, keep.id = { json = "/id" } }]`.
pub(super) fn setup(
    item: &Item<'_>,
    common: Option<Item<'_>>,
    entry: &Entry<'_>,
    parameters: Vec<String>,
) -> Option<Setup> {
    let mut all = Setup { names: parameters, ..Setup::default() };
    for item in item.list()? {
        let section = item.section("a step of a setup")?;
        let step = step(&section, common, entry, &mut all);
        section.finish();
        all.steps.push(step?);
    }
    Some(all)
}

fn step(
    section: &Section<'_>,
    common: Option<Item<'_>>,
    entry: &Entry<'_>,
    all: &mut Setup,
) -> Option<HttpStep> {
    let [query, headers, json, form, outputs, keep] =
        ["query", "headers", "json", "form", "outputs", "keep"].map(|key| section.get(key));
    let Some(request) = section.get("request") else {
        let problem = Diagnostic::new(section.span(), "this step has no request");
        section.problems.add(problem.hint("write { request = \"POST /path\" }"));
        return None;
    };
    let request = RequestKeys { request, query, headers, json, form }.read(common, &all.names)?;
    let is_taken = |name: &str| all.outputs.iter().any(|output| output.name.selector() == Some(name));
    let named = named_outputs(entry, outputs, Searched::Answer, &is_taken)?;
    all.outputs.extend(named.iter().map(NamedOutput::output));
    let found = named.into_iter().map(|output| output.found).collect();
    let kept = keep.map_or(Some(Vec::new()), |item| kept(&item, &mut all.names))?;
    Some(HttpStep { request, found, kept })
}

/// Values of an answer that later requests of the call have. Their names are added to those that there are.
fn kept(item: &Item<'_>, names: &mut Vec<String>) -> Option<Vec<NamedOutput>> {
    let one = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
        if !is_name(name) || names.iter().any(|known| known == name) {
            let said = format!("`{}` cannot be the name of what is kept", on_one_line(name));
            let hint = "write a name that no parameter and no other value of this function has";
            item.problem(Diagnostic::new(span, said).hint(hint));
            return None;
        }
        let section = item.section("a value that is kept")?;
        let ty = type_beside(&section)?.unwrap_or(Type::Text);
        let found = found(&section, Searched::Answer, true, Some(ty))?;
        if let (FoundBy::Json(pointer), Type::Text) = (&found.how, ty)
            && pointer.split('/').any(|step| step == "*")
        {
            let problem = Diagnostic::new(section.span(), "`*` finds several values, and a text is one");
            section.problems.add(problem.hint("write type = \"[i64]\", or the number of the element"));
            return None;
        }
        names.push(name.to_owned());
        Some(NamedOutput { name: name.to_owned(), ty, found })
    };
    item.section("a table of values that are kept")?.named().map(one).collect()
}
