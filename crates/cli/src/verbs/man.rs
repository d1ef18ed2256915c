//! `dodona man`

use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{document, write};

const EXAMPLES: &str = "\
Examples:
  dodona man | man -l -                                 reads the page at once
  dodona man --folder ~/.local/share/man/man1           then: man dodona-check";

/// Print the manual page, or write those of all commands into a folder
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Write dodona.1 and a page of each command into this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}

/// Prints the page, or writes all of them.
pub(crate) fn run(args: &ManArgs) -> Result<Exit, Failure> {
    let command = crate::help::whole();
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        let cannot = |error: std::io::Error| Failure::usage(format!("the page cannot be made: {error}"));
        Man::new(command).render(&mut page).map_err(cannot)?;
        document(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Success);
    };
    let cannot =
        |error: std::io::Error| Failure::usage(format!("{} cannot be written: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let pages = command.get_subcommands().count() + 1;
    clap_mangen::generate_to(command.disable_help_subcommand(true), folder).map_err(cannot)?;
    write(&format!("wrote {pages} pages into {}\n", folder.display()))?;
    Ok(Exit::Success)
}
