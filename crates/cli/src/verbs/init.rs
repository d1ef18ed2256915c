//! `dodona init MODULE.wasm`

use std::path::Path;

use dodona_subject::{build, draft};

use crate::args::InitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;

/// Writes `NAME.toml` and `NAME.mr` beside the module; files that exist are kept.
pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    let module = build::read_module(&args.module).map_err(open::input_failure)?;
    let stem = args.module.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file = args.module.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let draft = draft(&module, &stem, &file);
    let manifest = args.module.with_extension("toml");
    let relations = args.module.with_extension("mr");
    for path in [&manifest, &relations] {
        if path.exists() {
            return Err(Failure::usage(format!(
                "{} exists and is kept; move it away to have a new one",
                path.display()
            )));
        }
    }
    write(&manifest, &draft.manifest)?;
    write(&relations, &draft.relations)?;
    for (export, why) in &draft.left_out {
        println!("left out {export}: {why}");
    }
    println!("wrote {} and {}", manifest.display(), relations.display());
    println!("edit both, then: dodona check {}", manifest.display());
    Ok(Exit::Success)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    dodona_sources::write_atomically(path, text.as_bytes())
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))
}
