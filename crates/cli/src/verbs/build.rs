//! `dodona build SUBJECT…`

use dodona_subject::build::{self, Rebuild};

use crate::args::BuildArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;

/// Builds each subject's module and says where it lies.
pub(crate) fn run(args: &BuildArgs) -> Result<Exit, Failure> {
    let rebuild = if args.force { Rebuild::Always } else { Rebuild::WhenStale };
    for path in &args.subjects {
        let manifest = open::manifest(path)?;
        let wasm = build::build(&manifest, rebuild).map_err(open::build_failure)?;
        let module = build::read_module(&wasm).map_err(open::build_failure)?;
        let (functions, bytes) = (module.function_count(), module.bytes().len());
        write(&format!("{} ({functions} functions, {bytes} bytes)\n", wasm.display()))?;
    }
    Ok(Exit::Success)
}
