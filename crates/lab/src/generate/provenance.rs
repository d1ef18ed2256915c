//! Where an input comes from, as keys beside its values.

use serde_json::{Map, Value as Json};

use super::Generated;

/// The keys that an input's row has beside its values: `technique`, `statements` (how many it runs), `outcome`, and for inputs along
/// paths `path_constraint`.
///
/// # Panics
/// When there is no such input.
pub fn provenance(generated: &Generated, input: usize) -> Map<String, Json> {
    let covered = &generated.coverage[input];
    let mut keys = Map::new();
    keys.insert("technique".to_owned(), generated.record.technique.as_str().into());
    if let Some(path) = generated.paths.get(input) {
        keys.insert("path_constraint".to_owned(), path.constraint.join(" && ").into());
    }
    keys.insert("outcome".to_owned(), covered.outcome.to_string().into());
    keys.insert("path".to_owned(), format!("{:016x}", covered.path.hash).into());
    keys.insert("statements".to_owned(), covered.statements.count_ones(..).into());
    keys
}
