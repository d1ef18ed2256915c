//! `dodona init --crate NAME|PATH`: the functions of a Rust crate that can be called, a manifest of them, and relations that were tried.

use std::path::Path;
use std::time::Instant;

use clap::Args;
use dodona_subject::quoted;

use super::drafted::{Found, listing, relations_text, tried};
use super::library::LibraryArgs;
use crate::crate_functions::{
    self, Heading, MadeFolder, built, choose, interface, is_named, manifest_text, relative, source,
};
use crate::destination::{OverwriteArgs, write_together};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;

/// What `--crate` takes beside the name.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct CrateArgs {
    /// Write a manifest for functions of a Rust crate: its name on crates.io, or the path of its folder
    #[arg(long = "crate", value_name = "NAME|PATH", group = "library", conflicts_with_all = ["module", "frames"])]
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
}

impl CrateArgs {
    /// Of the crate in a folder.
    pub(super) fn of_folder(source: &Path) -> CrateArgs {
        // A name without a slash would be one of crates.io.
        let of = Some(Path::new(".").join(source).display().to_string());
        CrateArgs { of, ..CrateArgs::default() }
    }
}

pub(super) fn run(
    args: &CrateArgs,
    library: &LibraryArgs,
    named: &str,
    overwrite: OverwriteArgs,
) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let head = head(args, library.into(), named)?;
    let _folder = MadeFolder::at(library.into())?;
    let source = source(&head, library.into())?;
    let mut interface = interface(&source)?;
    choose(&mut interface, &library.functions)?;
    let version = interface.version.as_deref().unwrap_or("(no version)");
    let title = format!("{} {version}", source.package);
    if library.list {
        write(&listing(&title, &interface, None))?;
        return Ok(Exit::Success);
    }
    if interface.functions.is_empty() {
        return Err(Failure::usage(format!(
            "no function of {} can be called\n{}",
            source.package,
            listing(&title, &interface, None)
        )));
    }
    let file = library.into().join("dodona.toml");
    let workbench = built(&file, &mut interface, &|interface| manifest_text(&head, interface, None))?;
    // What was asked for by name and cannot be had is told first.
    interface.left.sort_by_key(|left| !library.functions.iter().any(|name| is_named(&left.path, name)));
    let tried = tried(&workbench)?;
    let relations = library.into().join(format!("{}.mr", source.package));
    let comment = "Functions of a crate, as it is: edit, then run `dodona check` with this file.";
    let text = manifest_text(&head, &interface, Some(&Heading { comment, name: &source.package }));
    let mr = relations_text(&source.package, &tried);
    write_together(&[(file.as_path(), text.as_bytes()), (&relations, mr.as_bytes())], overwrite)?;
    let found = Found { tried: &tried, files: [&file, &relations], seconds: begin.elapsed().as_secs_f64() };
    write(&listing(&title, &interface, Some(&found)))?;
    Ok(Exit::Success)
}

/// The lines of a manifest that name the crate.
fn head(args: &CrateArgs, into: &Path, named: &str) -> Result<String, Failure> {
    let mut keys = Vec::new();
    let folder = Path::new(named);
    let is_folder = named.contains(['/', '\\']) || named == "." || folder.join("Cargo.toml").is_file();
    if is_folder {
        let full =
            std::path::absolute(folder).map_err(|error| Failure::usage(format!("{named}: {error}")))?;
        let base = std::path::absolute(Path::new(".").join(into)).unwrap_or_default();
        keys.push(format!("path = {}", quoted(&relative(&full, &base).display().to_string())));
    } else {
        keys.push(format!("name = {}", quoted(named)));
    }
    keys.extend(args.version.iter().map(|version| format!("version = {}", quoted(version))));
    keys.extend(args.package.iter().map(|package| format!("package = {}", quoted(package))));
    Ok(crate_functions::head(keys, &args.features, args.no_default_features))
}
