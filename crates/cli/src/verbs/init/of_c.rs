//! `dodona init --c FILE…`: the functions of a library in C or C++ that can be called, a manifest of them, and relations that were tried.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use dodona_interface::c::{Dialect, Unit, interface, interface_as_seen, probes, read};
use dodona_interface::{Callable, Interface, Left};
use dodona_subject::{build, leave_included, quoted};
use dodona_target::on_one_line;

use super::drafted::{Found, listing, relations_text, tried};
use super::library::LibraryArgs;
use super::probing;
use crate::crate_functions::{Heading, MadeFolder, built, choose, is_named, manifest_text, relative};
use crate::destination::{OverwriteArgs, write_together};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;

/// What `--c` takes beside the files.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct CArgs {
    /// Write a manifest for functions of C or C++: of the headers among these files, else of the sources; the sources, or those of folders, are built
    #[arg(long = "c", value_name = "FILE|FOLDER", num_args = 1.., group = "library", conflicts_with_all = ["module", "frames", "of"])]
    pub(super) c: Vec<PathBuf>,
    /// With --c: a folder of headers that the files include
    #[arg(short = 'I', long, value_name = "FOLDER", requires = "c")]
    include: Vec<PathBuf>,
    /// With --c: a macro
    #[arg(short = 'D', long, value_name = "NAME[=VALUE]", requires = "c")]
    define: Vec<String>,
    /// With --c: the standard of the code, such as c++20 or c99
    #[arg(long, value_name = "NAME", requires = "c")]
    std: Option<String>,
    /// With --c: sources that are not built, by a pattern such as 'test_*.c'
    #[arg(long, value_name = "PATTERN", requires = "c")]
    exclude: Vec<String>,
}

/// What is said of a list: it is of what prototypes say.
const GUESSED: &str = "numbers behind pointers are guesses here: for a manifest that is written, calls show what stands there\n";

/// Endings of headers, and of sources.
const HEADERS: [&str; 6] = ["h", "hh", "hpp", "hxx", "h++", "H"];
const SOURCES: [&str; 6] = ["c", "cc", "cpp", "cxx", "c++", "C"];
const CXX: [&str; 9] = ["cc", "cpp", "cxx", "c++", "C", "hh", "hpp", "hxx", "h++"];

pub(super) fn run(args: &CArgs, library: &LibraryArgs, overwrite: OverwriteArgs) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let files = Files::of(args, library.into())?;
    let _folder = MadeFolder::at(library.into())?;
    let mut unit = Unit::default();
    let declared = files.declared();
    for file in &declared {
        // A source of C stays one beside those of C++, and is linked as one; its headers are for both.
        let is_cxx = files.is_cxx && !ends_in(file, &["c"]);
        let read = build::syntax_tree(library.into(), file, &files.flags, is_cxx, |tree| {
            read(tree, library.into(), &mut unit)
        });
        read.map_err(open::build_failure)?.map_err(|error| Failure::new(Exit::Mistake, error))?;
    }
    let file = library.into().join("dodona.toml");
    let _objects = build::KeptObjects::begin();
    let mut found = found(&files, &unit, library, &file);
    let head = files.head(&unit, &mut found);
    choose_function(&mut found, library, &unit)?;
    let title = files.title();
    if library.list {
        write(&(listing(&title, &found, None) + GUESSED))?;
        return Ok(Exit::Success);
    }
    if found.functions.is_empty() {
        return Err(Failure::usage(
            format!("no function can be called\n{}", listing(&title, &found, None)).trim_end(),
        ));
    }
    let workbench = built(&file, &mut found, &|found| manifest_text(&head, found, None))?;
    found.left.sort_by_key(|left| !library.functions.contains(&left.path));
    let tried = tried(&workbench)?;
    let name = files.name();
    let relations = library.into().join(format!("{name}.mr"));
    let comment = "Functions of C or C++, each as its prototype says by convention: check what was guessed, then run `dodona check` with this file.\n\
                   In `call` the parameters and the outputs are variables; of a sequence `xs` in C, `xs_length` is its length.";
    let text = manifest_text(&head, &found, Some(&Heading { comment, name: &name })) + &asked(&found.left);
    let mr = relations_text(&name, &tried);
    write_together(&[(file.as_path(), text.as_bytes()), (&relations, mr.as_bytes())], overwrite)?;
    let shown = Found { tried: &tried, files: [&file, &relations], seconds: begin.elapsed().as_secs_f64() };
    write(&listing(&title, &found, Some(&shown)))?;
    Ok(Exit::Success)
}

/// The functions of the files, each with its call; where prototypes do not tell what stands behind a pointer, calls of probes do.
fn found(files: &Files, unit: &Unit, library: &LibraryArgs, file: &Path) -> Interface {
    let (declared, dialect) = (files.declared(), files.dialect());
    // A header that only includes others stands for those beside them.
    let folders: Vec<PathBuf> = declared.iter().filter_map(|file| files.folder_of(file)).collect();
    let is_declared = |file: &str| declared.iter().any(|one| one == Path::new(file));
    let is_beside =
        |file: &str| files.folder_of(Path::new(file)).is_some_and(|folder| folders.contains(&folder));
    let mut found = interface(unit, &is_declared, dialect);
    let has_none = found.functions.is_empty() && found.left.is_empty();
    let is_of: &dyn Fn(&str) -> bool = if has_none { &is_beside } else { &is_declared };
    if has_none {
        found = interface(unit, is_of, dialect);
    }
    // A list is of what prototypes say: nothing is built for it.
    if library.list {
        return found;
    }
    let mut asked = probes(unit, is_of, dialect);
    retain_wanted(&mut asked.interface.functions, library);
    let head = files.head(unit, &mut asked.interface);
    interface_as_seen(unit, is_of, dialect, &probing::seen(asked, &head, file))
}

/// Keeps the functions that are asked for, if any are.
fn retain_wanted(functions: &mut Vec<Callable>, library: &LibraryArgs) {
    let wanted = &library.functions;
    functions
        .retain(|function| wanted.is_empty() || wanted.iter().any(|name| is_named(&function.path, name)));
}

/// Keeps the functions that were asked for; what is no function may be a macro.
fn choose_function(found: &mut Interface, library: &LibraryArgs, unit: &Unit) -> Result<(), Failure> {
    let is_known = |name: &String| {
        unit.declares(name)
            || found.functions.iter().any(|f| f.name == *name)
            || found.left.iter().any(|left| left.path == *name)
    };
    if let Some(name) = library.functions.iter().find(|name| !is_known(name)) {
        return Err(Failure::usage(format!(
            "no function `{name}` is declared there; if it is a macro, write a function that uses it: call = \"{name}(a, b)\" beside a signature; --list \
             shows the functions"
        )));
    }
    choose(found, &library.functions)
}

/// What a person has to say of the functions that were left out, as comments of the manifest.
fn asked(left: &[Left]) -> String {
    let mut text = String::new();
    for Left { path, why } in left {
        let _ = writeln!(text, "\n# left out: {}: {}", on_one_line(path), on_one_line(why));
    }
    text
}

/// The files of a library, with paths from the folder of the manifest.
struct Files {
    into: PathBuf,
    headers: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    include: Vec<String>,
    define: Vec<String>,
    standard: Option<String>,
    exclude: Vec<String>,
    flags: Vec<String>,
    is_cxx: bool,
}

impl Files {
    fn of(args: &CArgs, into: &Path) -> Result<Files, Failure> {
        let base = std::path::absolute(Path::new(".").join(into)).unwrap_or_default();
        let near = |path: &Path| {
            let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            // What is elsewhere altogether, such as a header of the system, goes by its own path.
            let relative = relative(&full, &base);
            let is_far = relative.components().filter(|part| part.as_os_str() == "..").count() > 3;
            if is_far { full } else { relative }
        };
        if let Some(folder) = args.include.iter().find(|folder| !folder.is_dir()) {
            return Err(Failure::usage(format!(
                "-I {}: there is no such folder, seen from where the command runs",
                folder.display()
            )));
        }
        let (headers, mut sources) = by_kind(args)?;
        leave_included(&mut sources, &Path::to_owned);
        let headers: Vec<PathBuf> = headers.iter().map(|file| near(file)).collect();
        let sources: Vec<PathBuf> = sources.iter().map(|file| near(file)).collect();
        let include: Vec<String> =
            args.include.iter().map(|folder| near(folder).display().to_string()).collect();
        let flags = include
            .iter()
            .map(|folder| format!("-I{folder}"))
            .chain(args.define.iter().map(|name| format!("-D{name}")))
            .chain(args.std.iter().map(|name| format!("-std={name}")));
        Ok(Files {
            into: into.to_owned(),
            is_cxx: headers.iter().chain(&sources).any(|file| ends_in(file, &CXX)),
            flags: flags.collect(),
            headers,
            sources,
            include,
            define: args.define.clone(),
            standard: args.std.clone(),
            exclude: args.exclude.clone(),
        })
    }

    /// Which language the calls are in.
    fn dialect(&self) -> Dialect {
        if self.is_cxx { Dialect::Cxx } else { Dialect::C }
    }

    /// The files whose functions are wanted.
    fn declared(&self) -> Vec<PathBuf> {
        if self.headers.is_empty() { self.sources.clone() } else { self.headers.clone() }
    }

    fn folder_of(&self, file: &Path) -> Option<PathBuf> {
        self.into.join(file).canonicalize().ok()?.parent().map(Path::to_owned)
    }

    /// The files whose functions are wanted, for people.
    fn title(&self) -> String {
        const SHOWN: usize = 3;
        let files = self.declared();
        let names = files.iter().filter_map(|file| Some(file.file_name()?.display().to_string()));
        let shown = names.take(SHOWN).collect::<Vec<_>>().join(", ");
        match files.len() {
            more if more > SHOWN => format!("{shown} and {} more", more - SHOWN),
            _ => shown,
        }
    }

    /// The name of the subject: that of its first file.
    fn name(&self) -> String {
        let first = self.declared().into_iter().next().unwrap_or_default();
        first
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_else(|| "library".to_owned())
    }

    /// The lines of the manifest that say what is built. Sources without a header are declared there, or included as a whole where there is only one.
    fn head(&self, unit: &Unit, found: &mut Interface) -> String {
        let list = |texts: &[String]| texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
        let paths = |paths: &[PathBuf]| {
            list(&paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>())
        };
        let is_included = self.headers.is_empty() && self.sources.len() == 1;
        let mut head = "[build]\n".to_owned();
        let sources = if is_included { &[] } else { self.sources.as_slice() };
        if self.sources.is_empty() {
            head += "# The sources, or a library in `flags`; a header of templates needs none.\n";
        }
        let _ = writeln!(head, "c = [{}]", paths(sources));
        for (key, texts) in [("exclude", &self.exclude), ("include", &self.include), ("define", &self.define)]
        {
            if !texts.is_empty() {
                let _ = writeln!(head, "{key} = [{}]", list(texts));
            }
        }
        if let Some(standard) = &self.standard {
            let _ = writeln!(head, "flags = [{}]", quoted(&format!("-std={standard}")));
        }
        match self.headers.as_slice() {
            [] if is_included => {
                let _ = writeln!(head, "headers = [{}]", paths(&self.sources));
            }
            [] => {
                let (declarations, undeclared) = declarations(unit, self.dialect(), found);
                let _ = writeln!(head, "prelude = '''\n{}\n'''", declarations.join("\n"));
                found.left.extend(undeclared);
            }
            headers => {
                let _ = writeln!(head, "headers = [{}]", paths(headers));
            }
        }
        head
    }
}

/// The declarations of the functions that can be declared without a header, each once; the others are taken out, with the reason.
fn declarations(unit: &Unit, dialect: Dialect, found: &mut Interface) -> (Vec<String>, Vec<Left>) {
    let (mut declarations, mut undeclared, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for function in std::mem::take(&mut found.functions) {
        let of_name = unit.declarations(&function.path, dialect);
        if of_name.is_empty() {
            let why = "it is static, or it or its types are declared in a source alone; name the header too";
            undeclared.push(Left { path: function.path, why: why.to_owned() });
            continue;
        }
        for declaration in of_name {
            // Functions of C++ that share a name are declared together.
            if !declarations.contains(&declaration) {
                declarations.push(declaration);
            }
        }
        kept.push(function);
    }
    if declarations.iter().any(|declaration| declaration.contains("std::span<")) {
        declarations.insert(0, "#include <span>".to_owned());
    }
    found.functions = kept;
    (declarations, undeclared)
}

/// The headers and the sources that are named, but for those that are left out.
fn by_kind(args: &CArgs) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Failure> {
    let excluded: Vec<glob::Pattern> = args
        .exclude
        .iter()
        .map(|text| match glob::Pattern::new(text) {
            Ok(_) if text.is_empty() => Err(Failure::usage("--exclude is empty, and names no file")),
            pattern => pattern.map_err(|error| Failure::usage(format!("--exclude {text}: {error}"))),
        })
        .collect::<Result<_, _>>()?;
    let (mut headers, mut sources, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for path in &args.c {
        for file in files_in(path)? {
            if !seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
                continue;
            }
            let name = Path::new(file.file_name().unwrap_or_default());
            if excluded.iter().any(|pattern| pattern.matches_path(name) || pattern.matches_path(&file)) {
                continue;
            }
            match (ends_in(&file, &HEADERS), ends_in(&file, &SOURCES)) {
                (true, _) => headers.push(file),
                (_, true) => sources.push(file),
                _ => {
                    return Err(Failure::usage(format!(
                        "{} is neither a header nor a source of C or C++, by its name",
                        file.display()
                    )));
                }
            }
        }
    }
    Ok((headers, sources))
}

/// A file, or the headers and sources of a folder.
fn files_in(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return match path.exists() {
            true => Ok(vec![path.to_owned()]),
            false => Err(Failure::usage(format!("{} does not exist", path.display()))),
        };
    }
    let entries = std::fs::read_dir(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.is_file() && (ends_in(file, &HEADERS) || ends_in(file, &SOURCES)))
        .collect();
    files.sort();
    match files.is_empty() {
        true => {
            Err(Failure::usage(format!("no file in {} is a header or a source of C or C++", path.display())))
        }
        false => Ok(files),
    }
}

fn ends_in(path: &Path, endings: &[&str]) -> bool {
    path.extension().and_then(|end| end.to_str()).is_some_and(|end| endings.contains(&end))
}
