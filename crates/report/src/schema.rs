//! JSON Schemas of the documents that commands print as JSON: derived from the types that serde writes them by, so that they cannot say something
//! else.
//!
//! # Decisions
//! - A schema says what is written and not what is read: a field that is always there is required, although older records without it are read too.
//! - Fields that a schema does not name are allowed. The format's version grows when a field changes its meaning or goes away, and not for a new one;
//!   a reader that refused new fields would refuse records of its own version. Tests validate what the program writes against the closed form.
//! - The schemas of a version are files in `testdata/schemas/records`. The price is that each change of a record changes a file; so it is seen by
//!   whoever reviews the change.

mod description;

use dodona_records::{
    AdequacyRecord, ComparisonRecord, CompositionRecord, DiscoveryRecord, FORMAT_VERSION, FramesRecord,
    GenerationRecord, HierarchyRecord, IdentificationRecord, LawsRecord, ProofRecord, RunRecord,
    SelectionRecord,
};
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::coverage::CoverageDocument;
use crate::discovery::DiscoveriesDocument;
use crate::format::pretty;
use crate::mutation::MutationDocument;
use crate::terminal::Document as CheckDocument;

/// A document that commands print as JSON.
#[derive(Clone, Copy, Debug)]
pub struct RecordSchema {
    /// Its name: that of the verb that prints it first.
    pub name: &'static str,
    /// The commands that print it, without what they are about: `dodona run --format json`.
    pub commands: &'static [&'static str],
    made: fn(SchemaGenerator) -> Schema,
}

impl RecordSchema {
    /// All of them, in the order of the verbs in the help.
    pub const ALL: [RecordSchema; 16] = [
        of::<RunRecord>(
            "run",
            &["dodona run --format json", "dodona merge --format json", "dodona status --format json"],
        ),
        of::<CheckDocument<'_>>("check", &["dodona check --format json"]),
        of::<ProofRecord>("prove", &["dodona prove --format json"]),
        of::<DiscoveryRecord>("discover", &["dodona discover --format json"]),
        of::<DiscoveriesDocument<'_>>("discoveries", &["dodona discover --each --format json"]),
        of::<LawsRecord>("laws", &["dodona discover --laws --format json"]),
        of::<CompositionRecord>("compose", &["dodona compose --format json"]),
        of::<FramesRecord>("frames", &["dodona frames --format json"]),
        of::<IdentificationRecord>("identify", &["dodona identify --format json"]),
        of::<GenerationRecord>("generate", &["dodona generate --summary json"]),
        of::<MutationDocument<'_>>("mutate", &["dodona mutate --format json"]),
        of::<HierarchyRecord>("hierarchy", &["dodona hierarchy --format json"]),
        of::<ComparisonRecord>("compare", &["dodona compare --format json"]),
        of::<CoverageDocument<'_>>("cover", &["dodona cover --format json"]),
        of::<AdequacyRecord>("adequacy", &["dodona adequacy --format json"]),
        of::<SelectionRecord>("select", &["dodona select --format json"]),
    ];

    /// The record of this name, or that the verb of this name prints.
    ///
    /// ```
    /// use dodona_report::RecordSchema;
    /// let name = |of: &str| RecordSchema::find(of).map(|record| record.name);
    /// assert_eq!(name("laws"), Some("laws"));
    /// assert_eq!(name("status"), Some("run"));
    /// assert_eq!(name("dodona"), None);
    /// ```
    pub fn find(name: &str) -> Option<RecordSchema> {
        let prints = |command: &&str| command.split(' ').nth(1) == Some(name);
        let named = RecordSchema::ALL.into_iter().find(|record| record.name == name);
        named.or_else(|| RecordSchema::ALL.into_iter().find(|record| record.commands.iter().any(prints)))
    }

    /// What it is, in a few words: `Printed by dodona check --format json`.
    pub fn title(&self) -> String {
        format!("Printed by {}", self.commands.join(" and "))
    }

    /// The schema as JSON Schema 2020-12, ending in a newline.
    pub fn text(&self) -> String {
        let mut schema = (self.made)(SchemaSettings::draft2020_12().for_serialize().into_generator());
        schema.insert("$id".to_owned(), json!(format!("urn:dodona:record:{}:{FORMAT_VERSION}", self.name)));
        schema.insert("title".to_owned(), json!(self.title()));
        Reworded.transform(&mut schema);
        pretty(&schema)
    }
}

/// The row of a record that is written by this type.
const fn of<T: JsonSchema>(name: &'static str, commands: &'static [&'static str]) -> RecordSchema {
    RecordSchema { name, commands, made: |generator| generator.into_root_schema_for::<T>() }
}

/// What the documentation of the types says is told to readers of JSON, and the version is the one number that it is.
struct Reworded;

impl Transform for Reworded {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = description::plain(text);
        }
        if let Some(version) = schema.get_mut("properties").and_then(|of| of.get_mut("format_version")) {
            *version = json!({
                "const": FORMAT_VERSION,
                "description": "The version of this form. It grows when a field changes its meaning or goes away; a field may be added without that.",
            });
        }
        transform_subschemas(self, schema);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(record: &RecordSchema) -> Value {
        serde_json::from_str(&record.text()).expect("JSON")
    }

    #[test]
    fn each_schema_says_which_record_of_which_version_it_is_of() {
        for record in RecordSchema::ALL {
            let schema = parsed(&record);
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
            assert_eq!(schema["$id"], format!("urn:dodona:record:{}:{FORMAT_VERSION}", record.name));
            let title = schema["title"].as_str().expect("a title");
            assert!(title.starts_with(&format!("Printed by {}", record.commands[0])), "{title}");
            assert!(schema["description"].is_string(), "{}", record.name);
        }
    }

    #[test]
    fn names_are_different() {
        let names: std::collections::BTreeSet<_> = RecordSchema::ALL.iter().map(|one| one.name).collect();
        assert_eq!(names.len(), RecordSchema::ALL.len());
    }

    #[test]
    fn every_field_is_described_and_no_description_is_for_readers_of_rust() {
        fn visit(schema: &Value, place: &str) {
            if let Some(text) = schema.get("description") {
                let text = text.as_str().expect("text");
                let is_rust = text.contains("](") || text.contains("[`") || text.contains("```");
                assert!(!is_rust && !text.contains('\n'), "{place}: {text}");
            }
            for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                let is_tag = field.get("const").is_some();
                assert!(is_tag || field.get("description").is_some(), "{place}.{name}");
            }
            match schema {
                Value::Object(map) => {
                    map.iter().for_each(|(key, value)| visit(value, &format!("{place}.{key}")))
                }
                Value::Array(list) => list.iter().for_each(|value| visit(value, place)),
                _ => {}
            }
        }
        RecordSchema::ALL.iter().for_each(|record| visit(&parsed(record), record.name));
    }

    #[test]
    fn what_serde_leaves_out_is_not_required_and_what_it_always_writes_is() {
        let check = parsed(&RecordSchema::find("check").expect("a record"));
        let required: Vec<&str> = check["$defs"]["CheckRecord"]["required"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(required.contains(&"stop") && required.contains(&"relations"), "{required:?}");
        assert!(!required.contains(&"failure") && !required.contains(&"unread"), "{required:?}");
        let relation = &check["$defs"]["RelationRecord"]["properties"];
        assert!(relation.get("tally").is_some() && relation.get("elapsed").is_none(), "{relation}");
    }

    #[test]
    fn what_is_written_by_hand_is_described_as_it_is_written() {
        let mutate = parsed(&RecordSchema::find("mutate").expect("a record"));
        assert_eq!(mutate["$defs"]["MutantId"]["type"], "string");
        assert_eq!(mutate["$defs"]["MutantId"]["pattern"], "^M[1-9][0-9]*$");
        // The fields of the record and its sums are in one object.
        let subject = &mutate["$defs"]["Subject"]["properties"];
        assert!(subject.get("mutants").is_some() && subject.get("totals").is_some(), "{subject}");
        let compare = parsed(&RecordSchema::find("compare").expect("a record"));
        // JSON has no infinity.
        let t = &compare["$defs"]["Difference"]["properties"]["t"]["type"];
        assert_eq!(*t, json!(["number", "null"]));
    }
}
