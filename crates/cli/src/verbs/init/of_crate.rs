//! `dodona init --crate NAME|PATH`: the functions of a Rust crate that can be called, a manifest of them, and relations that were tried.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use dodona_discovery::{Trying, known_forms_that_hold};
use dodona_inference::known_forms::KnownForm;
use dodona_interface::Interface;
use dodona_subject::{CrateSource, quoted};
use dodona_target::Until;
use dodona_wasm::Workbench;
use dodona_workbench::{CheckOptions, Seed};

use crate::crate_functions::{
    self, Heading, MadeFolder, built, choose, interface, is_named, left_lines, manifest_text, relative,
    signature_lines, source,
};
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
    /// Of the crate in a folder, written to another folder.
    pub(super) fn of_folder(source: &Path, into: &Path) -> CrateArgs {
        // A name without a slash would be one of crates.io.
        let of = Some(Path::new(".").join(source).display().to_string());
        CrateArgs { of, into: Some(into.to_owned()), ..CrateArgs::default() }
    }

    /// The folder that is written to; that of the command is the empty path, which makes names of files without a folder.
    fn into(&self) -> &Path {
        self.into.as_deref().unwrap_or(Path::new(""))
    }
}

/// So many relations are proposed of a function, besides those that names promise: a first draft is read whole.
const OF_EACH: usize = 3;

/// So many inputs are tried of each candidate: enough to tell what is hardly ever true from what may be.
const TRIED: u64 = 1_000;

pub(super) fn run(args: &CrateArgs, named: &str, overwrite: OverwriteArgs) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let head = head(args, named)?;
    let _folder = MadeFolder::at(args.into())?;
    let source = source(&head, args.into())?;
    let mut interface = interface(&source)?;
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
    let workbench = built(&file, &mut interface, &|interface| manifest_text(&head, interface, None))?;
    // What was asked for by name and cannot be had is told first.
    interface.left.sort_by_key(|left| !args.functions.iter().any(|name| is_named(&left.path, name)));
    let accepted = tried(&workbench)?;
    let relations = args.into().join(format!("{}.mr", source.package));
    let comment = "Functions of a crate, as it is: edit, then run `dodona check` with this file.";
    let text = manifest_text(&head, &interface, Some(&Heading { comment, name: &source.package }));
    let mr = relations_text(&source, &accepted);
    write_together(&[(file.as_path(), text.as_bytes()), (&relations, mr.as_bytes())], overwrite)?;
    let found =
        Found { accepted: &accepted, files: [&file, &relations], seconds: begin.elapsed().as_secs_f64() };
    write(&listing(&source, &interface, Some(&found)))?;
    Ok(Exit::Success)
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
    Ok(crate_functions::head(keys, &args.features, args.no_default_features))
}

/// The relations of known forms that no input violates, of those that enough inputs were eligible for.
fn tried(workbench: &Workbench) -> Result<Vec<KnownForm>, Failure> {
    let trying = Trying { seed: Seed(0), sources: TRIED, jobs: CheckOptions::default().jobs };
    let until = Until::interrupted(interrupt::listen());
    let tried =
        known_forms_that_hold(&workbench.any(), &|_| true, trying, &until).map_err(open::lab_failure)?;
    // Of those without a name most are chance, and no mutant has told which are not.
    let mut of_each = vec![0; workbench.functions().len()];
    let mut held = tried.held;
    held.retain(|form| {
        let count = form.functions().next().map(|function| &mut of_each[function]);
        let is_one_of_few = count.is_some_and(|count| {
            *count += usize::from(form.form.is_law);
            *count <= OF_EACH
        });
        form.by_name || (form.form.is_law && is_one_of_few)
    });
    Ok(held)
}

fn relations_text(source: &CrateSource, accepted: &[KnownForm]) -> String {
    let mut text = format!(
        "# Relations of {}. Those below are what functions of such names and types often have, and hold for {TRIED} random inputs each: keep what is\n\
         # meant, delete what is chance, and write what you know.\n",
        source.package
    );
    if accepted.is_empty() {
        text += "# None of those that were tried held. An example of what one says:\n# relation commutes: gcd(a, b) == gcd(b, a)\n";
    }
    for candidate in accepted {
        let _ = writeln!(text, "{candidate}");
    }
    text
}

/// What came of it.
struct Found<'a> {
    accepted: &'a [KnownForm],
    files: [&'a Path; 2],
    seconds: f64,
}

/// So many lines of each list are shown where there is more to say behind them.
const SHOWN: usize = 12;
const LEFT: usize = 5;

fn listing(source: &CrateSource, interface: &Interface, found: Option<&Found<'_>>) -> String {
    let count = interface.functions.len();
    let mut text = format!(
        "{} {}: {count} function{} can be called, {} cannot\n",
        source.package,
        interface.version.as_deref().unwrap_or("(no version)"),
        if count == 1 { "" } else { "s" },
        interface.left.len()
    );
    let (shown, left) = if found.is_some() { (SHOWN, LEFT) } else { (usize::MAX, usize::MAX) };
    text += &signature_lines(interface, shown);
    if let Some(found) = found {
        let _ =
            writeln!(text, "relations that were tried and hold for {TRIED} inputs: {}", found.accepted.len());
        for form in found.accepted.iter().take(SHOWN) {
            let _ = writeln!(text, "  {}", form.says());
        }
        if found.accepted.len() > SHOWN {
            let _ = writeln!(text, "  … and {} more", found.accepted.len() - SHOWN);
        }
    }
    text += &left_lines(interface, left);
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
