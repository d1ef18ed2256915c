//! What all logs of SARIF 2.1.0 are made of.

use std::path::Path;

use dodona_records::Place;
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log of some runs.
///
/// # Panics
/// Never: records hold nothing that JSON cannot.
pub(crate) fn log(runs: Vec<Value>) -> String {
    crate::format::pretty(&json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": runs }))
}

/// A place in code as a location: its function, and the source line where that is known.
pub(crate) fn location(manifest: &str, place: &Place) -> Value {
    let mut location = json!({
        "logicalLocations": [{
            "name": place.function,
            "fullyQualifiedName": format!("{}+{}", place.function, place.instruction),
            "kind": "function",
        }],
    });
    let Some(file) = &place.file else { return location };
    let mut physical =
        json!({ "artifactLocation": { "uri": uri(manifest, place.library.as_ref().unwrap_or(file)) } });
    if let Some(line) = place.line.filter(|line| *line > 0) {
        physical["region"] = json!({ "startLine": line });
        if let Some(column) = place.column.filter(|column| *column > 0) {
            physical["region"]["startColumn"] = json!(column);
        }
    }
    location["physicalLocation"] = physical;
    location
}

/// A source file as a reference: relative ones lie in the manifest's folder.
pub(crate) fn uri(manifest: &str, file: &str) -> String {
    let folder = Path::new(manifest).parent().unwrap_or(Path::new(""));
    // An absolute path replaces the folder.
    let path = folder.join(file).to_string_lossy().replace('\\', "/");
    let plain = path.strip_prefix("./").unwrap_or(&path);
    let mut out = String::from(if plain.starts_with('/') { "file://" } else { "" });
    for byte in plain.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => {
                out.push(byte.into())
            }
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}
