//! `dodona init --crate NAME|PATH`: the functions of a Rust crate that can be called, a manifest of them, and relations that were tried.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use dodona_interface::{Callable, Candidate, Interface, Left, candidates, read, without_what_follows};
use dodona_subject::build::{self, BuildError};
use dodona_subject::{CrateSource, Manifest, ModuleSource, WrittenSignature, quoted};
use dodona_target::on_one_line;
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, LabError, Regressions};

use crate::destination::{OverwriteArgs, write_together};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use crate::{interrupt, open, shell};

/// What `--crate` takes beside the name.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct CrateArgs {
    /// Write a manifest for functions of a Rust crate: its name on crates.io, or the path of its folder
    #[arg(long = "crate", value_name = "NAME|PATH", conflicts_with_all = ["module", "frames"])]
    pub(super) of: Option<String>,
    /// With --crate: which version, as Cargo.toml has it
    #[arg(long, value_name = "VERSION", requires = "of")]
    version: Option<String>,
    /// With --crate: which member of the workspace in the folder
    #[arg(long, value_name = "NAME", requires = "of")]
    package: Option<String>,
    /// With --crate: features, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "of")]
    features: Vec<String>,
    /// With --crate: without its default features
    #[arg(long, requires = "of")]
    no_default_features: bool,
    /// With --crate: these functions alone, by name or by the end of their path; without it, all that can be called
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "of")]
    functions: Vec<String>,
    /// With --crate: list the functions, and write nothing
    #[arg(long, requires = "of")]
    list: bool,
    /// With --crate: the folder that is written to
    #[arg(long, value_name = "FOLDER", requires = "of")]
    into: Option<PathBuf>,
}

impl CrateArgs {
    /// The folder that is written to; that of the command is the empty path, which makes names of files without a folder.
    fn into(&self) -> &Path {
        self.into.as_deref().unwrap_or(Path::new(""))
    }
}

/// So many inputs are tried of each candidate: enough to tell what is hardly ever true from what may be.
const TRIED: u64 = 1_000;

/// A candidate of which a smaller share of the groups was eligible was hardly tried: of random texts only the empty one may have been. It is the share
/// below which a check warns.
const FEWEST: f64 = 0.1;

pub(super) fn run(args: &CrateArgs, named: &str, overwrite: OverwriteArgs) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let head = head(args, named)?;
    let _folder = Folder::made(args.into())?;
    let source = source(&head, args.into())?;
    let json = build::document(&source).map_err(open::build_failure)?;
    let mut interface = read(&json, &source.root).map_err(|error| Failure::new(Exit::Subject, error))?;
    leave_unwritable(&mut interface);
    choose(&mut interface, &args.functions)?;
    if args.list {
        write(&listing(&source, &interface, None))?;
        return Ok(Exit::Success);
    }
    if interface.functions.is_empty() {
        return Err(Failure::usage(format!(
            "no function of {} can be called\n{}",
            source.package,
            listing(&source, &interface, None)
        )));
    }
    let file = args.into().join("dodona.toml");
    let workbench = built(&head, &file, &mut interface)?;
    // What was asked for by name and cannot be had is told first.
    interface.left.sort_by_key(|left| !args.functions.iter().any(|name| is_named(&left.path, name)));
    let accepted = tried(&workbench)?;
    let relations = args.into().join(format!("{}.mr", source.package));
    let text = manifest_text(&head, &interface, Some(&source.package));
    let mr = relations_text(&source, &accepted);
    write_together(&[(file.as_path(), text.as_bytes()), (&relations, mr.as_bytes())], overwrite)?;
    let found =
        Found { accepted: &accepted, files: [&file, &relations], seconds: begin.elapsed().as_secs_f64() };
    write(&listing(&source, &interface, Some(&found)))?;
    Ok(Exit::Success)
}

/// The folder that is written to; one that was made for this and holds nothing in the end is removed.
struct Folder<'a>(Option<&'a Path>);

impl<'a> Folder<'a> {
    fn made(path: &'a Path) -> Result<Folder<'a>, Failure> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(Folder(None));
        }
        std::fs::create_dir_all(path)
            .map_err(|error| Failure::usage(format!("cannot create {}: {error}", path.display())))?;
        Ok(Folder(Some(path)))
    }
}

impl Drop for Folder<'_> {
    fn drop(&mut self) {
        // What is not empty stays. The products of the build are made anew by whoever needs them.
        if let Some(path) = self.0.filter(|path| !path.join("dodona.toml").exists()) {
            let _ = std::fs::remove_dir_all(path.join(".dodona"));
            let _ = std::fs::remove_dir(path);
        }
    }
}

/// The lines of a manifest that name the crate.
fn head(args: &CrateArgs, named: &str) -> Result<String, Failure> {
    let mut keys = Vec::new();
    let folder = Path::new(named);
    let is_folder = named.contains(['/', '\\']) || named == "." || folder.join("Cargo.toml").is_file();
    if is_folder {
        let full =
            std::path::absolute(folder).map_err(|error| Failure::usage(format!("{named}: {error}")))?;
        let base = std::path::absolute(Path::new(".").join(args.into())).unwrap_or_default();
        keys.push(format!("path = {}", quoted(&relative(&full, &base).display().to_string())));
    } else {
        keys.push(format!("name = {}", quoted(named)));
    }
    keys.extend(args.version.iter().map(|version| format!("version = {}", quoted(version))));
    keys.extend(args.package.iter().map(|package| format!("package = {}", quoted(package))));
    if !args.features.is_empty() {
        let features: Vec<String> = args.features.iter().map(|name| quoted(name)).collect();
        keys.push(format!("features = [{}]", features.join(", ")));
    }
    if args.no_default_features {
        keys.push("default-features = false".to_owned());
    }
    Ok(format!("[build]\ncrate = {{ {} }}\n", keys.join(", ")))
}

/// A path as seen from a folder.
fn relative(path: &Path, base: &Path) -> PathBuf {
    let clean = |path: &Path| path.components().filter(|part| part.as_os_str() != ".").collect::<PathBuf>();
    let (path, base) = (clean(path), clean(base));
    let common = path.components().zip(base.components()).take_while(|(a, b)| a == b).count();
    let up = base.components().skip(common).map(|_| "..");
    let relative: PathBuf = up
        .map(PathBuf::from)
        .chain(path.components().skip(common).map(|part| part.as_os_str().into()))
        .collect();
    if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative }
}

/// What the lines name, as a manifest reads them: whatever is wrong is told in the same words.
fn source(head: &str, into: &Path) -> Result<CrateSource, Failure> {
    let text = format!("{head}\n[[function]]\nsignature = \"any() -> i32\"\n");
    let manifest = Manifest::parse(&into.join("dodona.toml"), &text).map_err(|problems| {
        let said = problems.into_iter().map(|problem| match problem.hint {
            Some(hint) => format!("{}; {hint}", problem.message),
            None => problem.message,
        });
        Failure::usage(said.collect::<Vec<_>>().join("\n"))
    })?;
    match manifest.source {
        ModuleSource::Crate(source) => Ok(source),
        _ => Err(Failure::usage("`[build] crate` names no crate")),
    }
}

/// Leaves out the functions whose types or names no signature has.
fn leave_unwritable(interface: &mut Interface) {
    let mut kept = Vec::new();
    for mut function in std::mem::take(&mut interface.functions) {
        rename_words(&mut function);
        match WrittenSignature::parse(&function.signature()) {
            Ok(_) => kept.push(function),
            Err((why, _)) => interface.left.push(Left { path: function.path, why }),
        }
    }
    interface.functions = kept;
}

/// Gives other names to a function and to parameters that are called like words of the relation language. In an expression parameters have the names that
/// they have.
fn rename_words(function: &mut Callable) {
    let is_word = |name: &str| WrittenSignature::parse(&format!("{name}() -> i32")).is_err();
    if is_word(&function.name) {
        function.name.push('_');
    }
    if function.call.is_none() {
        function.parameters.iter_mut().filter(|(name, _)| is_word(name)).for_each(|(name, _)| name.push('_'));
    }
}

/// Keeps the functions that were asked for.
fn choose(interface: &mut Interface, wanted: &[String]) -> Result<(), Failure> {
    if wanted.is_empty() {
        return Ok(());
    }
    let is = is_named;
    let unknown: Vec<&String> = wanted
        .iter()
        .filter(|name| {
            let callable = interface.functions.iter().any(|f| f.name == **name || is(&f.path, name));
            !callable && !interface.left.iter().any(|left| is(&left.path, name))
        })
        .collect();
    if let [first, ..] = unknown.as_slice() {
        return Err(Failure::usage(format!(
            "the crate has no public function `{first}`; --list shows those that it has"
        )));
    }
    let callable = |f: &Callable| wanted.iter().any(|name| f.name == *name || is(&f.path, name));
    if let Some(left) = interface.left.iter().find(|left| wanted.iter().any(|name| is(&left.path, name)))
        && !interface.functions.iter().any(callable)
    {
        return Err(Failure::usage(format!("`{}` cannot be called: {}", left.path, left.why)));
    }
    interface.functions.retain(callable);
    Ok(())
}

/// Whether a path is named by a name, or by its own end.
fn is_named(path: &str, name: &str) -> bool {
    path == name || path.ends_with(&format!("::{name}"))
}

/// Builds what was chosen. A function whose call does not compile is left out, with what the compiler says of it.
fn built(head: &str, file: &Path, interface: &mut Interface) -> Result<Workbench, Failure> {
    loop {
        let text = manifest_text(head, interface, None);
        let manifest =
            Manifest::parse(file, &text).map_err(|problems| Failure::problems(file, &text, problems))?;
        let refused = match dodona_wasm::open(manifest) {
            Ok(workbench) => return Ok(workbench),
            Err(LabError::Opening(error)) => match refused(&*error) {
                Some(refused)
                    if refused
                        .iter()
                        .any(|(name, _)| interface.functions.iter().any(|f| f.name == *name)) =>
                {
                    refused
                }
                _ => return Err(Failure::new(Exit::Subject, LabError::Opening(error))),
            },
            Err(error) => return Err(open::lab_failure(error)),
        };
        for (name, why) in refused {
            if let Some(place) = interface.functions.iter().position(|f| f.name == name) {
                let path = interface.functions.remove(place).path;
                interface.left.push(Left { path, why });
            }
        }
        if interface.functions.is_empty() {
            return Err(Failure::usage("no function of the crate compiles when it is called"));
        }
    }
}

/// The functions whose calls the compiler refuses.
fn refused(error: &(dyn std::error::Error + 'static)) -> Option<Vec<(String, String)>> {
    let mut error = Some(error);
    while let Some(this) = error {
        if let Some(BuildError::Refused(refused)) = this.downcast_ref::<BuildError>() {
            return Some(refused.iter().map(|one| (one.function.clone(), one.words.clone())).collect());
        }
        error = this.source();
    }
    None
}

/// The manifest; with the relations of a file, if that is named.
fn manifest_text(head: &str, interface: &Interface, relations: Option<&str>) -> String {
    let mut text = String::new();
    if let Some(name) = relations {
        let _ =
            writeln!(text, "# Functions of a crate, as it is: edit, then run `dodona check` with this file.");
        let _ = writeln!(text, "name = {}\nrelations = [{}]\n", quoted(name), quoted(&format!("{name}.mr")));
    }
    text += head;
    for function in &interface.functions {
        text.push('\n');
        if let (Some(about), Some(_)) = (&function.about, relations) {
            let _ = writeln!(text, "# {}", on_one_line(about.trim()));
        }
        let _ = writeln!(text, "[[function]]\nsignature = {}", quoted(&function.signature()));
        let _ = match &function.call {
            Some(call) => writeln!(text, "call = {}", quoted(call)),
            None => writeln!(text, "path = {}", quoted(&function.path)),
        };
        for (parameter, count) in &function.variants {
            let _ = writeln!(text, "domain.{parameter} = {{ range = [0, {}] }}", count - 1);
        }
    }
    text
}

/// The candidates that no input violates, of those that enough inputs were eligible for.
fn tried(workbench: &Workbench) -> Result<Vec<Candidate>, Failure> {
    let functions: Vec<_> = workbench.functions().to_vec();
    let mut names = HashSet::new();
    let mut valid: Vec<Candidate> = candidates(&functions);
    valid.retain(|candidate| {
        names.insert(candidate.name.clone()) && workbench.with_relations(&candidate.to_string()).is_ok()
    });
    if valid.is_empty() {
        return Ok(valid);
    }
    let lines: Vec<String> = valid.iter().map(|candidate| format!("{candidate}\n")).collect();
    let together = workbench.with_relations(&lines.concat()).map_err(open::lab_failure)?;
    let options = CheckOptions {
        sources: TRIED,
        regressions: Regressions::Ignore,
        shrink_fuel: 0,
        ..CheckOptions::default()
    };
    let record = dodona_workbench::check(Arc::new(together), &options, interrupt::listen(), &mut |_| {})
        .map_err(open::lab_failure)?;
    valid.retain(|candidate| {
        let found = record.relations.iter().find(|relation| relation.name == candidate.name);
        found.is_some_and(|relation| {
            relation.tally.violated == 0
                && relation.tally.eligible() > 0
                && relation.hardly_tested(FEWEST).is_none()
        })
    });
    without_what_follows(&mut valid);
    Ok(valid)
}

fn relations_text(source: &CrateSource, accepted: &[Candidate]) -> String {
    let mut text = format!(
        "# Relations of {}. Those below were guessed from names and types, and hold for {TRIED} random inputs each: keep what is\n\
         # meant, delete what is chance, and write what you know.\n",
        source.package
    );
    if accepted.is_empty() {
        text +=
            "# No guess held. An example of what one says:\n# relation commutes: gcd(a, b) == gcd(b, a)\n";
    }
    for candidate in accepted {
        let _ = writeln!(text, "{candidate}");
    }
    text
}

/// What came of it.
struct Found<'a> {
    accepted: &'a [Candidate],
    files: [&'a Path; 2],
    seconds: f64,
}

/// So many lines of each list are shown where there is more to say behind them.
const SHOWN: usize = 12;

fn listing(source: &CrateSource, interface: &Interface, found: Option<&Found<'_>>) -> String {
    let count = interface.functions.len();
    let mut text = format!(
        "{} {}: {count} function{} can be called, {} cannot\n",
        source.package,
        interface.version.as_deref().unwrap_or("(no version)"),
        if count == 1 { "" } else { "s" },
        interface.left.len()
    );
    let shown = if found.is_some() { SHOWN } else { usize::MAX };
    for function in interface.functions.iter().take(shown) {
        let _ = writeln!(text, "  {}", function.signature());
    }
    if count > shown {
        let _ = writeln!(text, "  … and {} more", count - shown);
    }
    if let Some(found) = found {
        let _ = writeln!(
            text,
            "relations that were guessed and hold for {TRIED} inputs: {}",
            found.accepted.len()
        );
        for Candidate { text: relation, .. } in found.accepted.iter().take(SHOWN) {
            let _ = writeln!(text, "  {relation}");
        }
        if found.accepted.len() > SHOWN {
            let _ = writeln!(text, "  … and {} more", found.accepted.len() - SHOWN);
        }
    }
    let left = if found.is_some() { 5 } else { usize::MAX };
    if !interface.left.is_empty() {
        text += "cannot be called:\n";
    }
    for Left { path, why } in interface.left.iter().take(left) {
        let _ = writeln!(text, "  {path}: {}", on_one_line(why));
    }
    if interface.left.len() > left {
        let _ = writeln!(text, "  … and {} more: --list shows all", interface.left.len() - left);
    }
    for (name, declared_in) in interface.foreign.iter().take(left) {
        let _ = writeln!(text, "  {name} is of the crate {declared_in}: dodona init --crate {declared_in}");
    }
    if let Some(found) = found {
        let [manifest, relations] = found.files.map(|file| shell::path(file).to_string());
        let folder = shell::path(
            found.files[0].parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        );
        let _ = writeln!(
            text,
            "wrote {manifest} and {relations} after {:.1} s; then: dodona check {folder}",
            found.seconds
        );
    }
    text
}
