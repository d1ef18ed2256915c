//! `dodona run --watch`: a run, and another one whenever something changes that it depends on.

use std::time::Duration;

use dodona_session::Key;

use super::{RunArgs, key_of, manifest, once, options};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::complain;
use crate::{interrupt, progress};

/// How often it is looked whether something has changed: about as quick as a person who saves a file looks up.
const PAUSE: Duration = Duration::from_millis(500);

/// Runs until somebody interrupts.
pub(super) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    loop {
        let before = state(args);
        let exit = match once((&args.work, &args.asked), None, interrupted) {
            Ok(exit) => exit,
            Err(failure) => {
                complain(&failure.render());
                failure.exit
            }
        };
        if interrupted.is_raised() {
            return Ok(exit);
        }
        complain("watching; ctrl-C ends it\n");
        let _waiting = progress::waiting();
        while state(args) == before {
            std::thread::sleep(PAUSE);
            if interrupted.is_raised() {
                return Ok(exit);
            }
        }
    }
}

/// What the run of each subject depends on; why it cannot be built, of one that cannot be.
fn state(args: &RunArgs) -> Vec<Result<Key, String>> {
    let key = |path: &std::path::PathBuf| key_of(&manifest(path)?, &options(&args.work, args.asked.jobs));
    args.work.paths.iter().map(|path| key(path).map_err(|why| why.words())).collect()
}
