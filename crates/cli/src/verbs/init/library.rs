//! What `--crate` and `--c` take alike.

use std::path::{Path, PathBuf};

use clap::Args;

/// Which functions are drafted, and where to.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct LibraryArgs {
    /// With --crate or --c: these functions alone, by name or by the end of their path; without it, all that can be called
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "library")]
    pub(super) functions: Vec<String>,
    /// With --crate or --c: list the functions, compile no call, and write nothing
    #[arg(long, requires = "library")]
    pub(super) list: bool,
    /// With --crate or --c: the folder that is written to
    #[arg(long, value_name = "FOLDER", requires = "library")]
    pub(super) into: Option<PathBuf>,
}

impl LibraryArgs {
    /// Written to a folder.
    pub(super) fn into_folder(folder: &Path) -> LibraryArgs {
        LibraryArgs { into: Some(folder.to_owned()), ..LibraryArgs::default() }
    }

    /// The folder that is written to; that of the command is the empty path, which makes names of files without a folder.
    pub(super) fn into(&self) -> &Path {
        self.into.as_deref().unwrap_or(Path::new(""))
    }
}
