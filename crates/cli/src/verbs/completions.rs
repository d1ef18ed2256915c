//! `dodona completions SHELL`

use clap::Args;
use clap_complete::Shell;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::document;

const EXAMPLES: &str = "\
Examples:
  dodona completions bash > ~/.local/share/bash-completion/completions/dodona
  dodona completions zsh > ~/.zfunc/_dodona                       where fpath has ~/.zfunc
  dodona completions fish > ~/.config/fish/completions/dodona.fish";

/// Print what a shell needs to complete commands and options
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Prints the script of the shell.
pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::help::whole(), "dodona", &mut script);
    document(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Success)
}
