//! Where an input comes from, as keys beside its values.

use std::collections::BTreeMap;

use dodona_wasm::execute::Statement;
use serde_json::{Map, Value as Json};

use super::Generated;

/// The keys that an input's row has beside its values: `technique`, `statements` (how many it runs), `lines` (which, where the source is
/// known), `outcome`, `path`, and for inputs along paths `path_constraint`.
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
    let lines = lines(&generated.statements, covered.statements.ones());
    if !lines.is_empty() {
        keys.insert("lines".to_owned(), lines.into());
    }
    keys
}

/// `triangle.c:14-20,24`, a file after the other.
fn lines(statements: &[Statement], covered: impl Iterator<Item = usize>) -> String {
    let mut files: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for statement in covered {
        if let Statement::Line { file, line } = &statements[statement] {
            files.entry(file).or_default().push(*line);
        }
    }
    let told = files.into_iter().map(|(file, mut lines)| {
        lines.sort_unstable();
        // As everywhere else: every crate has a `lib.rs`. Only the folders of an absolute path are left out, for they are long.
        let name = match file.starts_with('/') {
            true => file.rsplit('/').next().unwrap_or(file),
            false => file,
        };
        format!("{name}:{}", runs(&lines))
    });
    told.collect::<Vec<_>>().join(" ")
}

fn runs(lines: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => runs.push((*line, *line)),
        }
    }
    let run = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_two_crates_are_told_apart() {
        let line = |file: &str, line| Statement::Line { file: file.into(), line };
        let statements = [
            line("hex-0.4.3/src/lib.rs", 3),
            line("hex-0.4.3/src/lib.rs", 4),
            line("src/lib.rs", 3),
            line("/home/me/deep/f.c", 9),
        ];
        let told = lines(&statements, 0..4);
        assert_eq!(told, "f.c:9 hex-0.4.3/src/lib.rs:3-4 src/lib.rs:3");
    }
}
