//! Dependencies of a crate that do not work in a module without a host, told by name and with the feature that brings them, before anything
//! is built.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::BuildError;
use super::programs::run;

/// The package that asks the system for random numbers: it does not compile where it knows of no system to ask.
const RANDOM: &str = "getrandom";

/// Its features that give it one. Whether that works is left to the compiler.
const WITH_SOURCE: [&str; 7] = ["js", "wasm_js", "wasm-bindgen", "stdweb", "dummy", "custom", "rdrand"];

/// Looks for such a dependency of the crate in a folder.
///
/// # Errors
/// When there is one. What keeps cargo from telling the dependencies is left to the build.
pub(super) fn refuse(folder: &Path, target: &str) -> Result<(), BuildError> {
    let mut command = Command::new("cargo");
    command.current_dir(folder);
    command.args(["metadata", "--format-version", "1", "--filter-platform", target]);
    let Ok(output) = run(command, "", str::to_owned) else { return Ok(()) };
    let known: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    match Graph::of(&known).and_then(|graph| graph.words()) {
        Some(words) => Err(BuildError::Unsupported(words)),
        None => Ok(()),
    }
}

/// Packages by their ids, as cargo resolved them.
struct Graph<'a> {
    packages: BTreeMap<&'a str, &'a Value>,
    nodes: BTreeMap<&'a str, &'a Value>,
    root: &'a str,
}

impl<'a> Graph<'a> {
    fn of(known: &'a Value) -> Option<Graph<'a>> {
        let by_id = |all: &'a Value| {
            let each = all.as_array().into_iter().flatten();
            each.filter_map(|one| Some((one["id"].as_str()?, one))).collect::<BTreeMap<_, _>>()
        };
        let root = known["resolve"]["root"].as_str()?;
        Some(Graph { packages: by_id(&known["packages"]), nodes: by_id(&known["resolve"]["nodes"]), root })
    }

    /// The dependency that does not work, and how it comes in.
    fn words(&self) -> Option<String> {
        let chain = self.chain()?;
        let last = self.called(chain.last()?);
        // The glue itself is nobody's business.
        let steps = chain.windows(2).skip(1).rev().map(|step| {
            let feature = self.feature(step[0], step[1]);
            let by = feature.map(|feature| format!(", by its feature `{feature}`")).unwrap_or_default();
            format!("{} wants {}{by}", self.called(step[0]), self.called(step[1]))
        });
        let steps: Vec<String> = steps.collect();
        Some(format!(
            "{last} does not compile to WebAssembly without a host: there is nobody to ask for random numbers. {}. Leave the feature out \
             (`default-features = false` and `features = […]` beside the crate), or check the crate as it is built for this machine: dodona check --native",
            steps.join("; ")
        ))
    }

    /// The shortest way from the root to the dependency.
    fn chain(&self) -> Option<Vec<&'a str>> {
        let mut reached = BTreeSet::from([self.root]);
        let mut ways = VecDeque::from([vec![self.root]]);
        while let Some(way) = ways.pop_front() {
            let node = self.nodes.get(way.last()?)?;
            if self.packages.get(way.last()?)?["name"] == RANDOM && !has_source(node) {
                return Some(way);
            }
            for next in
                node["deps"].as_array().into_iter().flatten().filter(|dependency| is_normal(dependency))
            {
                let Some(next) = next["pkg"].as_str() else { continue };
                if self.is_built(way[way.len() - 1], next) && reached.insert(next) {
                    ways.push_back(way.iter().copied().chain([next]).collect());
                }
            }
        }
        None
    }

    /// Whether a package is really built with a dependency. Cargo's graph also has optional ones that a feature only speaks of weakly (`rand?/std`), which says what
    /// they are to be built with should something else bring them.
    fn is_built(&self, package: &str, dependency: &str) -> bool {
        let list = |of: &'a Value| of.as_array().into_iter().flatten();
        let (Some(declared), Some(node)) = (self.packages.get(package), self.nodes.get(package)) else {
            return true;
        };
        let name = self.packages.get(dependency).and_then(|known| known["name"].as_str());
        let wanted: Vec<&Value> =
            list(&declared["dependencies"]).filter(|wanted| wanted["name"].as_str() == name).collect();
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted["optional"] != true) {
            return true;
        }
        let known: Vec<&str> =
            wanted.iter().filter_map(|wanted| wanted["rename"].as_str().or(name)).collect();
        let enabled: Vec<&str> = list(&node["features"]).filter_map(Value::as_str).collect();
        let named = enabled.iter().flat_map(|feature| list(&declared["features"][*feature]));
        let brings = |named: &str| {
            let of = named.strip_prefix("dep:").unwrap_or(named);
            // With a weak `?` before the slash this is no name of a dependency.
            known.contains(&of.split('/').next().unwrap_or(of))
        };
        enabled.iter().any(|feature| known.contains(feature)) || named.filter_map(Value::as_str).any(brings)
    }

    /// The enabled feature of a package that brings a dependency, if it is an optional one: of those that do the one that a person writes, which is
    /// no name of a dependency.
    fn feature(&self, package: &str, dependency: &str) -> Option<&'a str> {
        let enabled: BTreeSet<&str> =
            self.nodes.get(package)?["features"].as_array()?.iter().filter_map(Value::as_str).collect();
        let name = self.packages.get(dependency)?["name"].as_str()?;
        let declared = self.packages.get(package)?;
        let dependencies = declared["dependencies"].as_array()?;
        let wanted =
            dependencies.iter().find(|wanted| wanted["name"] == name && wanted["optional"] == true)?;
        let known = wanted["rename"].as_str().unwrap_or(name);
        let mut brings = BTreeSet::from([known.to_owned(), format!("dep:{known}")]);
        let mut found = None;
        // A feature brings what it names, and so on up to the one that nobody else names.
        while let Some((feature, _)) = declared["features"].as_object()?.iter().find(|(feature, names)| {
            let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
            let of = |name: &str| name.split('/').next().unwrap_or(name).trim_end_matches('?').to_owned();
            enabled.contains(feature.as_str())
                && !brings.contains(feature.as_str())
                && names.map(of).any(|name| brings.contains(&name))
        }) {
            brings.insert(feature.clone());
            if feature != "default" || found.is_none() {
                found = Some(feature.as_str());
            }
        }
        found
    }

    fn called(&self, id: &str) -> String {
        let text = |key: &str| self.packages.get(id).and_then(|package| package[key].as_str()).unwrap_or("?");
        format!("`{}` {}", text("name"), text("version"))
    }
}

fn has_source(node: &Value) -> bool {
    let features = node["features"].as_array().into_iter().flatten();
    features.filter_map(Value::as_str).any(|feature| WITH_SOURCE.contains(&feature))
}

/// Whether a dependency is one of the code, and not of its tests or of what runs on the host.
fn is_normal(dependency: &Value) -> bool {
    dependency["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn known(features: Value) -> Value {
        let dependency = |id: &str| json!({"pkg": id, "dep_kinds": [{"kind": null}]});
        json!({
            "packages": [
                {"id": "g", "name": "dodona-glue", "version": "0.0.0", "dependencies": [], "features": {}},
                {"id": "u", "name": "ulid", "version": "1.2.1", "features": {"default": ["std"], "std": ["rand"], "rand": ["dep:rand"]},
                 "dependencies": [{"name": "rand", "optional": true, "rename": null}]},
                {"id": "r", "name": "rand", "version": "0.9.0", "features": {}, "dependencies": [{"name": "getrandom", "optional": false}]},
                {"id": "x", "name": "getrandom", "version": "0.3.4", "features": {}, "dependencies": []},
            ],
            "resolve": {"root": "g", "nodes": [
                {"id": "g", "features": [], "deps": [dependency("u")]},
                {"id": "u", "features": ["default", "std", "rand"], "deps": [dependency("r")]},
                {"id": "r", "features": [], "deps": [dependency("x")]},
                {"id": "x", "features": features, "deps": []},
            ]},
        })
    }

    #[test]
    fn the_way_to_it_is_told_with_the_features() {
        let known = known(json!(["std"]));
        let words = Graph::of(&known).and_then(|graph| graph.words()).expect("it is there");
        assert!(
            words.contains(
                "`rand` 0.9.0 wants `getrandom` 0.3.4; `ulid` 1.2.1 wants `rand` 0.9.0, by its feature `std`."
            ),
            "{words}"
        );
    }

    #[test]
    fn what_a_feature_speaks_of_weakly_is_not_built() {
        let mut known = known(json!(["std"]));
        known["packages"][1]["features"] =
            json!({"default": ["std"], "std": ["rand?/std"], "rand": ["dep:rand"]});
        known["resolve"]["nodes"][1]["features"] = json!(["default", "std"]);
        assert_eq!(Graph::of(&known).and_then(|graph| graph.words()), None);
        known["resolve"]["nodes"][1]["features"] = json!(["default", "std", "rand"]);
        assert!(Graph::of(&known).and_then(|graph| graph.words()).is_some());
        known["packages"][1]["features"]["std"] = json!(["rand/std"]);
        known["resolve"]["nodes"][1]["features"] = json!(["default", "std"]);
        assert!(Graph::of(&known).and_then(|graph| graph.words()).is_some());
    }

    #[test]
    fn one_that_has_a_source_is_left_to_the_compiler() {
        let known = known(json!(["js"]));
        assert_eq!(Graph::of(&known).and_then(|graph| graph.words()), None);
    }
}
