//! `dodona init --python MODULE`

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use dodona_subject::{Manifest, WrittenSignature, quoted};
use dodona_target::on_one_line;
use serde::Deserialize;

use crate::destination::{OverwriteArgs, write_together};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;

/// Where a module of Python is drafted from.
#[derive(Debug, Default, Args)]
pub(super) struct PythonArgs {
    /// Draft dodona.toml in this folder for the functions of a Python module, from its annotations; the module is imported, and nothing of it is called
    #[arg(long, value_name = "MODULE", conflicts_with_all = ["module", "of", "frames"])]
    pub(super) python: Option<String>,
    /// The Python that imports it
    #[arg(long, value_name = "PROGRAM", requires = "python", default_value = "python3")]
    pub(super) interpreter: PathBuf,
}

#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    functions: Vec<ToldFunction>,
    /// A traceback.
    error: Option<String>,
}

#[derive(Deserialize)]
struct ToldFunction {
    name: String,
    /// The first line of its documentation.
    doc: String,
    #[serde(default)]
    parameters: Vec<(String, String)>,
    #[serde(default)]
    returns: String,
    /// Parameters that keep their defaults.
    #[serde(default)]
    left: Vec<String>,
    /// Why it cannot be declared by what is known.
    why: Option<String>,
}

/// Writes `dodona.toml` and a file of relations into the current folder; files that exist are kept, unless they may be replaced.
pub(super) fn run(args: &PythonArgs, module: &str, overwrite: OverwriteArgs) -> Result<Exit, Failure> {
    let mut told = told(&args.interpreter, module)?;
    for function in &mut told.functions {
        // Names of a signature are of letters of ASCII.
        if function.why.is_none() && WrittenSignature::parse(&function.signature()).is_err() {
            function.why =
                Some("a signature cannot have its names; write one with path = \"…\" by hand".to_owned());
        }
    }
    let (declared, left_out): (Vec<&ToldFunction>, Vec<&ToldFunction>) =
        told.functions.iter().partition(|function| function.why.is_none());
    let mut list = String::new();
    for function in &left_out {
        let why = function.why.as_deref().unwrap_or_default();
        list += &format!("left out {}: {}\n", on_one_line(&function.name), on_one_line(why));
    }
    if declared.is_empty() {
        return Err(Failure::usage(format!(
            "{list}no function of {module} has annotations for all that it takes and returns; annotate one, or write its signature by hand (book/targets.md)"
        )));
    }
    let relations = format!("{}.mr", module.replace('.', "_"));
    let manifest = manifest(module, &args.interpreter, &relations, &declared, &left_out);
    // What is drafted can be read.
    if let Err(problems) = Manifest::parse(Path::new("dodona.toml"), &manifest) {
        return Err(Failure::problems(Path::new("dodona.toml"), &manifest, problems));
    }
    let (first, names) = (usable(&declared[0].name), declared[0].names().join(", "));
    let hint = format!(
        "# What must hold of {module}, whatever its results are:\n# relation same: {first}({names}) == {first}({names})\n# `dodona discover .` looks for laws that hold already.\n"
    );
    let paths = [Path::new("dodona.toml"), Path::new(&relations)];
    write_together(&[(paths[0], manifest.as_bytes()), (paths[1], hint.as_bytes())], overwrite)?;
    let count = declared.len();
    let functions = if count == 1 { "function" } else { "functions" };
    write(&format!(
        "{list}wrote dodona.toml with {count} {functions}, and {relations}\nset domains in the one and relations in the other, then: dodona check .\nlaws that hold: dodona discover .\n"
    ))?;
    Ok(Exit::Success)
}

impl ToldFunction {
    /// The parameters, by names that a signature can have.
    fn names(&self) -> Vec<String> {
        self.parameters.iter().map(|(name, _)| usable(name)).collect()
    }

    fn signature(&self) -> String {
        let types = self.parameters.iter().map(|(_, ty)| ty);
        let parameters: Vec<String> =
            self.names().iter().zip(types).map(|(name, ty)| format!("{name}: {ty}")).collect();
        format!("{}({}) -> {}", usable(&self.name), parameters.join(", "), self.returns)
    }
}

fn told(interpreter: &Path, module: &str) -> Result<Told, Failure> {
    let program = interpreter.display();
    let mut command = Command::new(interpreter);
    let output = command.args(["-c", include_str!("describe.py"), module]).output();
    let output = output.map_err(|error| {
        Failure::new(
            Exit::Subject,
            format!("{program} cannot be started: {error}; install Python, or name it with --interpreter"),
        )
    })?;
    let told: Result<Told, _> = serde_json::from_slice(&output.stdout);
    match told {
        Ok(Told { error: Some(trace), .. }) => Err(Failure::new(
            Exit::Subject,
            format!("{program} cannot import {module}:\n{}", trace.trim_end()),
        )),
        Ok(told) => Ok(told),
        Err(_) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(Failure::new(
                Exit::Subject,
                format!("{program} ended while it imported {module}:\n{}", said.trim_end()),
            ))
        }
    }
}

fn manifest(
    module: &str,
    interpreter: &Path,
    relations: &str,
    declared: &[&ToldFunction],
    left_out: &[&ToldFunction],
) -> String {
    let mut text = format!("relations = [{}]\n\n[target]\npython = {}\n", quoted(relations), quoted(module));
    if interpreter != Path::new("python3") {
        text += &format!("interpreter = {}\n", quoted(&interpreter.display().to_string()));
    }
    for function in declared {
        text += "\n[[function]]\n";
        if !function.doc.is_empty() {
            text += &format!("# {}\n", on_one_line(&function.doc));
        }
        if !function.left.is_empty() {
            text += &format!("# with the defaults of {}\n", on_one_line(&function.left.join(", ")));
        }
        text += &format!("signature = {}\n", quoted(&function.signature()));
        if usable(&function.name) != function.name {
            text += &format!("path = {}\n", quoted(&function.name));
        }
        for (name, ty) in &function.parameters {
            let name = usable(name);
            // The whole of a type is seldom where a function is meant to work.
            text += &match ty.as_str() {
                "f64" => format!("domain.{name} = {{ range = [-1000, 1000] }}\n"),
                "i64" => format!("domain.{name} = {{ range = [-1000, 1000] }}\n"),
                "[f64]" | "[i64]" => {
                    format!("domain.{name} = {{ range = [-1000, 1000], length = [0, 20] }}\n")
                }
                _ => String::new(),
            };
        }
    }
    for function in left_out {
        let why = function.why.as_deref().unwrap_or_default();
        text += &format!("\n# left out {}: {}", on_one_line(&function.name), on_one_line(why));
    }
    if !left_out.is_empty() {
        text += "\n";
    }
    text
}

/// A name that a signature can have: a word of the relation language has a line behind it.
fn usable(name: &str) -> String {
    match WrittenSignature::parse(&format!("{name}({name}: f64) -> f64")) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("{name}_"),
    }
}
