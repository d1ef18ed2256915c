//! Mutants of Python modules, which cosmic-ray or mutmut make. They are written as versions of the modules; no test is run, and no file of the user is changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use dodona_subject::WorkerSource;
use dodona_target::TracedCode;
use serde::Deserialize;
use serde_json::json;

/// A tool that makes mutants of Python code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PythonTool {
    /// <https://cosmic-ray.readthedocs.io>
    CosmicRay,
    /// <https://mutmut.readthedocs.io>
    Mutmut,
}

impl PythonTool {
    /// The tool of this name, which is that of its package.
    pub fn named(name: &str) -> Option<PythonTool> {
        [PythonTool::CosmicRay, PythonTool::Mutmut].into_iter().find(|tool| tool.name() == name)
    }

    /// The name of its package.
    pub fn name(self) -> &'static str {
        match self {
            PythonTool::CosmicRay => "cosmic-ray",
            PythonTool::Mutmut => "mutmut",
        }
    }
}

/// A mutant that was written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PythonMutant {
    /// The folder of the version.
    pub folder: PathBuf,
    /// The tool's name for the kind of change.
    pub operator: String,
    /// The source file.
    pub file: String,
    /// The function of the source, or `<module>`.
    pub function: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The lines that are changed.
    pub before: String,
    /// What they are changed to.
    pub after: String,
    /// The program that it is the same as: the original, or the mutant of this number, from 1.
    pub same_as: Option<SameAs>,
}

/// The program that a mutant is the same as, as the script writes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum SameAs {
    /// The mutant of this number, from 1.
    Mutant(usize),
    /// The original.
    Original(String),
}

/// Why there are no mutants.
#[derive(Debug, thiserror::Error)]
pub enum PythonMutantsError {
    /// The tool is not there.
    #[error("{tool} cannot be loaded by {python} ({why}); `{python} -m pip install {tool}` installs it")]
    Missing {
        /// The tool.
        tool: &'static str,
        /// The interpreter of the manifest.
        python: String,
        /// What it said.
        why: String,
    },
    /// The tool failed.
    #[error("{tool} made no mutants: {why}")]
    Failed {
        /// The tool.
        tool: &'static str,
        /// The end of what it said.
        why: String,
    },
}

/// Has a tool make mutants of the code that calls can run, and writes each as a version into a folder of its own in `to`. `code` is that of functions under test.
///
/// # Errors
/// When the tool is not there or fails, or files cannot be written.
pub fn python_mutants(
    tool: PythonTool,
    source: &WorkerSource,
    environment: &[(OsString, OsString)],
    code: &[TracedCode],
    to: &Path,
) -> Result<Vec<PythonMutant>, PythonMutantsError> {
    let failed = |why: String| PythonMutantsError::Failed { tool: tool.name(), why };
    let modules: Vec<_> = lines_of_files(code)
        .into_iter()
        .map(|(file, lines)| {
            json!({ "file": source.folder.join(&file), "path": place(Path::new(&file), source), "lines": lines })
        })
        .collect();
    let wanted = json!({ "tool": tool.name(), "modules": modules, "to": to });
    let python = source.command.first().cloned().unwrap_or_default();
    let mut command = Command::new(&python);
    command.args(source.command.iter().skip(1)).args(["-c", include_str!("python_mutants/mutants.py")]);
    command.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
    command.current_dir(&source.folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(format!("{python}: {error}")))?;
    if let Some(mut input) = child.stdin.take() {
        // A script that ended early says why itself.
        let _ = input.write_all(wanted.to_string().as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(said.trim().lines().last().unwrap_or("it said nothing").to_owned()));
    }
    read(&String::from_utf8_lossy(&output.stdout), tool, &python, &source.folder)
}

/// The mutants that the script wrote.
fn read(
    lines: &str,
    tool: PythonTool,
    python: &str,
    folder: &Path,
) -> Result<Vec<PythonMutant>, PythonMutantsError> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Line {
        Mutant(PythonMutant),
        Missing { why: String },
    }
    let mut mutants = Vec::new();
    for line in lines.lines() {
        match serde_json::from_str(line) {
            Ok(Line::Mutant(mut mutant)) => {
                let own = Path::new(&mutant.file).strip_prefix(folder).map(Path::to_path_buf);
                mutant.file = own.map_or(mutant.file, |own| own.display().to_string());
                mutants.push(mutant);
            }
            Ok(Line::Missing { why }) => {
                return Err(PythonMutantsError::Missing {
                    tool: tool.name(),
                    python: python.to_owned(),
                    why,
                });
            }
            Err(_) => {
                let why = format!("it wrote a line that is no mutant: {line}");
                return Err(PythonMutantsError::Failed { tool: tool.name(), why });
            }
        }
    }
    Ok(mutants)
}

/// The source files with the lines that calls can run.
fn lines_of_files(code: &[TracedCode]) -> BTreeMap<String, BTreeSet<u32>> {
    let mut lines: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for code in code {
        for statement in &code.statements {
            lines.entry(code.files[statement.file].clone()).or_default().insert(statement.line);
        }
    }
    lines
}

/// Where a module lies in the folder of a version: below its outermost package, wherever that is installed.
fn place(file: &Path, source: &WorkerSource) -> PathBuf {
    let packages: BTreeSet<&str> =
        source.names.iter().filter_map(|name| name.split(':').next()?.split('.').next()).collect();
    let parts: Vec<Component<'_>> = file.components().collect();
    let is_package = |part: &Component<'_>| {
        let name = part.as_os_str().to_string_lossy();
        packages.contains(name.strip_suffix(".py").unwrap_or(&name))
    };
    match parts.iter().rposition(is_package) {
        Some(first) => parts[first..].iter().collect(),
        None => parts.iter().filter(|part| matches!(part, Component::Normal(_))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use dodona_subject::WorkerLanguage;

    use super::*;

    fn source(names: &[&str]) -> WorkerSource {
        WorkerSource {
            language: WorkerLanguage::Python,
            command: vec!["python3".to_owned()],
            names: names.iter().map(|&name| name.to_owned()).collect(),
            shapes: Vec::new(),
            folder: PathBuf::from("/work"),
            version: None,
        }
    }

    #[test]
    fn a_module_lies_below_its_outermost_package() {
        let of = |file: &str, name: &str| place(Path::new(file), &source(&[name])).display().to_string();
        assert_eq!(of("pricing.py", "pricing:price"), "pricing.py");
        assert_eq!(of("/venv/lib/humanize/number.py", "humanize.number:intcomma"), "humanize/number.py");
        assert_eq!(of("src/shop/tax/rates.py", "shop.tax:vat"), "shop/tax/rates.py");
        assert_eq!(of("/elsewhere/helpers.py", "pricing:price"), "elsewhere/helpers.py");
        assert_eq!(of("helpers.py", "pricing:price"), "helpers.py");
    }

    #[test]
    fn what_is_missing_is_told_with_the_way_to_get_it() {
        let said = read(
            "{\"missing\":\"mutmut\",\"why\":\"No module named 'mutmut'\"}\n",
            PythonTool::Mutmut,
            "python3",
            Path::new("/work"),
        );
        let told = said.expect_err("it is missing").to_string();
        assert!(told.contains("`python3 -m pip install mutmut` installs it"), "{told}");
        assert!(read("hello\n", PythonTool::Mutmut, "python3", Path::new("/work")).is_err());
    }
}
