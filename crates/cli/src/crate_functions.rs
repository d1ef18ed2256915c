//! The functions of a crate that can be called, and a manifest of them: for the verbs that begin with a crate.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dodona_interface::{Callable, Interface, Left, read};
use dodona_subject::build::{self, BuildError};
use dodona_subject::{CrateSource, Manifest, ModuleSource, WrittenSignature, quoted};
use dodona_target::on_one_line;
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;

/// What stands before the functions in a manifest that is written.
pub(crate) struct Heading<'a> {
    /// A comment.
    pub(crate) comment: &'a str,
    /// The name of the subject, and of its file of relations.
    pub(crate) name: &'a str,
}

/// The public functions of a crate, those that can be called as signatures of a manifest have them.
///
/// # Errors
/// When the crate cannot be documented, or what its documentation says cannot be read.
pub(crate) fn interface(source: &CrateSource) -> Result<Interface, Failure> {
    let json = build::document(source).map_err(open::build_failure)?;
    let mut interface = read(&json, &source.root).map_err(|error| Failure::new(Exit::Subject, error))?;
    leave_unwritable(&mut interface);
    Ok(interface)
}

/// A path as seen from a folder.
pub(crate) fn relative(path: &Path, base: &Path) -> PathBuf {
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

/// The lines of a manifest that name a crate: behind the keys that say where it is, with which features it is built.
pub(crate) fn head(mut keys: Vec<String>, features: &[String], no_default_features: bool) -> String {
    if !features.is_empty() {
        let features: Vec<String> = features.iter().map(|name| quoted(name)).collect();
        keys.push(format!("features = [{}]", features.join(", ")));
    }
    if no_default_features {
        keys.push("default-features = false".to_owned());
    }
    format!("[build]\ncrate = {{ {} }}\n", keys.join(", "))
}

/// The functions that can be called, at most so many, one a line.
pub(crate) fn signature_lines(interface: &Interface, most: usize) -> String {
    let shown = interface.functions.iter().take(most);
    let mut text: String = shown.map(|function| format!("  {}\n", function.signature())).collect();
    if interface.functions.len() > most {
        let _ = writeln!(text, "  … and {} more", interface.functions.len() - most);
    }
    text
}

/// The functions that cannot be called, at most so many, each with why; nothing if there is none.
pub(crate) fn left_lines(interface: &Interface, most: usize) -> String {
    let mut text = String::new();
    if !interface.left.is_empty() {
        text += "cannot be called:\n";
    }
    for Left { path, why } in interface.left.iter().take(most) {
        let _ = writeln!(text, "  {path}: {}", on_one_line(why));
    }
    if interface.left.len() > most {
        let _ = writeln!(text, "  … and {} more: --list shows all", interface.left.len() - most);
    }
    text
}

/// What the lines name, as a manifest reads them: whatever is wrong is told in the same words.
pub(crate) fn source(head: &str, into: &Path) -> Result<CrateSource, Failure> {
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

/// Gives other names to a function and to parameters that are called like words of the relation language. An expression goes on with the names that it
/// has.
fn rename_words(function: &mut Callable) {
    let is_word = |name: &str| WrittenSignature::parse(&format!("{name}() -> i32")).is_err();
    if is_word(&function.name) {
        function.name.push('_');
    }
    for (name, _) in function.parameters.iter_mut().filter(|(name, _)| is_word(name)) {
        let word = name.clone();
        name.push('_');
        function.variants.iter_mut().filter(|(of, _)| *of == word).for_each(|(of, _)| of.clone_from(name));
        function.call = function.call.take().map(|call| format!("{{ let {word} = {name}; {call} }}"));
    }
}

/// Keeps the functions that were asked for.
pub(crate) fn choose(interface: &mut Interface, wanted: &[String]) -> Result<(), Failure> {
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
pub(crate) fn is_named(path: &str, name: &str) -> bool {
    path == name || path.ends_with(&format!("::{name}"))
}

/// Builds what was chosen. A function whose call does not compile is left out, with what the compiler says of it.
///
/// # Errors
/// When the crate does not compile, or no function of it does.
pub(crate) fn built(
    file: &Path,
    interface: &mut Interface,
    text: &dyn Fn(&Interface) -> String,
) -> Result<Workbench, Failure> {
    let before = interface.left.len();
    loop {
        let text = text(interface);
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
            return Err(none_compiles(&interface.left[before..]));
        }
    }
}

/// All functions, which the compiler refuses, and what it says of the first one: that of the others is often the same.
fn none_compiles(refused: &[Left]) -> Failure {
    const SHOWN: usize = 8;
    let mut names: Vec<String> =
        refused.iter().take(SHOWN).map(|left| on_one_line(&left.path).into_owned()).collect();
    if refused.len() > SHOWN {
        names.push(format!("{} more", refused.len() - SHOWN));
    }
    let first = refused.first().map_or("", |left| &left.why);
    Failure::usage(format!("no function of it compiles when it is called: {}\n{first}", names.join(", ")))
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

/// A manifest of functions; with relations and words for its reader, if it has a heading.
pub(crate) fn manifest_text(head: &str, interface: &Interface, heading: Option<&Heading<'_>>) -> String {
    let mut text = String::new();
    if let Some(Heading { comment, name }) = heading {
        comment.lines().for_each(|line| text += &format!("# {line}\n"));
        let _ = writeln!(text, "name = {}\nrelations = [{}]\n", quoted(name), quoted(&format!("{name}.mr")));
    }
    text += head;
    text += &blocks(&interface.functions, heading.is_some());
    text
}

/// The blocks of functions in a manifest; with the first line of their documentation where people read it.
pub(crate) fn blocks(functions: &[Callable], is_for_people: bool) -> String {
    let mut text = String::new();
    for function in functions {
        text.push('\n');
        if let Some(about) = function.about.as_ref().filter(|_| is_for_people) {
            let _ = writeln!(text, "# {}", on_one_line(about.trim()));
        }
        let _ = writeln!(text, "[[function]]\nsignature = {}", quoted(&function.signature()));
        let _ = match &function.call {
            Some(call) if call.contains('\n') && !call.contains("'''") => {
                writeln!(text, "call = '''\n{call}'''")
            }
            Some(call) => writeln!(text, "call = {}", quoted(call)),
            None => writeln!(text, "path = {}", quoted(&function.path)),
        };
        for line in &function.keys {
            let _ = writeln!(text, "{line}");
        }
        for (parameter, count) in &function.variants {
            let _ = writeln!(text, "domain.{parameter} = {{ range = [0, {}] }}", count - 1);
        }
    }
    text
}

/// A folder that is written to; one that was made for this and holds nothing in the end is removed.
pub(crate) struct MadeFolder<'a>(Option<&'a Path>);

impl<'a> MadeFolder<'a> {
    /// Makes a folder where there is none; the empty path is that of the command.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn at(path: &'a Path) -> Result<MadeFolder<'a>, Failure> {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(MadeFolder(None));
        }
        std::fs::create_dir_all(path)
            .map_err(|error| Failure::usage(format!("cannot create {}: {error}", path.display())))?;
        Ok(MadeFolder(Some(path)))
    }
}

impl Drop for MadeFolder<'_> {
    fn drop(&mut self) {
        // What is not empty stays. The products of the build are made anew by whoever needs them.
        let Some(path) = self.0 else { return };
        let entries = || std::fs::read_dir(path).into_iter().flatten().flatten();
        if entries().all(|entry| entry.file_name() == ".dodona") {
            let _ = std::fs::remove_dir_all(path.join(".dodona"));
            let _ = std::fs::remove_dir(path);
        }
    }
}
