//! What calls run, as a worker tells it: the lines that ask for it, and their answers.

use dodona_target::{Trace, TracedBranch, TracedCode, TracedStatement};
use serde::Deserialize;
use serde_json::json;

use super::line::shortened;

/// The most statements, or edges, of one call that the worker for Python tells in their order.
const MOST_STEPS: usize = 65_536;

/// A line that asks for the code that calls of a function can run.
pub(super) fn code_request(id: u64, function: usize) -> String {
    json!({ "id": id, "function": function, "code": true }).to_string() + "\n"
}

/// The code that calls can run, as a worker writes it.
#[derive(Deserialize)]
struct WrittenCode {
    files: Vec<String>,
    /// The file of each statement, by its place, and its line.
    statements: Vec<(usize, u32)>,
    /// The statement of each branch, by its place, and the function of the source that it stands in.
    branches: Vec<(usize, String)>,
}

/// Reads the answer to [`code_request`].
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn code(line: &[u8], id: u64) -> Result<TracedCode, String> {
    #[derive(Deserialize)]
    struct Written {
        id: u64,
        code: WrittenCode,
    }
    let Written { id: found, code } = serde_json::from_slice(line)
        .map_err(|error| format!("a line that tells no code ({error}): {}", shortened(line)))?;
    if found != id {
        return Err(format!("an answer to request {found}, where {id} was asked"));
    }
    if code.statements.iter().any(|(file, _)| *file >= code.files.len()) {
        return Err(format!("a statement of a file that it does not tell: {}", shortened(line)));
    }
    if code.branches.iter().any(|(statement, _)| *statement >= code.statements.len()) {
        return Err(format!("a branch of a statement that it does not tell: {}", shortened(line)));
    }
    let statement = |(file, line)| TracedStatement { file, line };
    let branch = |(statement, function)| TracedBranch { statement, function };
    Ok(TracedCode {
        files: code.files,
        statements: code.statements.into_iter().map(statement).collect(),
        branches: code.branches.into_iter().map(branch).collect(),
    })
}

/// What a row ran, as a worker told it: statements, and edges.
pub(super) fn trace((statements, edges): (Vec<u32>, Vec<u32>)) -> Trace {
    let is_cut = statements.len() >= MOST_STEPS || edges.len() >= MOST_STEPS;
    Trace { statements, edges, is_cut }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn code_refers_to_files_and_statements_that_are_there() {
        let why = |line: &str| code(line.as_bytes(), 1).expect_err("it is none");
        assert!(
            why("{\"id\":2,\"code\":{\"files\":[],\"statements\":[],\"branches\":[]}}").contains("request 2")
        );
        assert!(
            why("{\"id\":1,\"code\":{\"files\":[],\"statements\":[[0,1]],\"branches\":[]}}")
                .contains("a file")
        );
        let branch =
            "{\"id\":1,\"code\":{\"files\":[\"f\"],\"statements\":[[0,1]],\"branches\":[[1,\"g\"]]}}";
        assert!(why(branch).contains("a branch"));
        assert!(why("{}").starts_with("a line that tells no code"));
        let whole = "{\"id\":1,\"code\":{\"files\":[\"f\"],\"statements\":[[0,3]],\"branches\":[[0,\"g\"]]}}";
        let read = code(whole.as_bytes(), 1).expect("it is code");
        assert_eq!(read.statements, [TracedStatement { file: 0, line: 3 }]);
        assert_eq!(read.branches, [TracedBranch { statement: 0, function: "g".to_owned() }]);
    }

    proptest! {
        #[test]
        fn whatever_comes_is_code_or_none(line in prop::collection::vec(any::<u8>(), 0..80)) {
            _ = code(&line, 1);
        }
    }
}
