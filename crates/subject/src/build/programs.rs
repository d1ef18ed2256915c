//! Programs that build: where they are found, how they are run, and what the environment tells them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::BuildError;

/// The file of a program: the first of this name in the search path, or the path itself where the name is one.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The variables of the environment that a filter chooses, with their values, one a line.
pub(super) fn environment(chosen: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = std::env::vars_os()
        .filter(|(name, _)| name.to_str().is_some_and(&chosen))
        .map(|(name, value)| format!("{}={value:?}\n", name.display()))
        .collect();
    lines.sort();
    lines.concat()
}

/// Runs a compiler and returns what it said.
///
/// # Errors
/// When it is not installed, cannot be started, or refuses; `said` takes what matters from its standard error then.
pub(super) fn run(
    mut command: Command,
    hint: &str,
    said: impl Fn(&str) -> String,
) -> Result<Output, BuildError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => BuildError::ToolMissing { tool: tool.clone(), hint: hint.to_owned() },
        _ => BuildError::File { action: "run", path: tool.clone().into(), error },
    })?;
    if output.status.success() {
        return Ok(output);
    }
    let output = said(&String::from_utf8_lossy(&output.stderr)).trim_end().to_owned();
    Err(BuildError::Failed { command: line(&command), output })
}

/// A command as it would be typed.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// A path that no program takes for an option or a file of arguments.
pub(super) fn as_file(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}
