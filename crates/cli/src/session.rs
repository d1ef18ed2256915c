//! The session of the folder that a command is run in: `.dodona/session.db`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use dodona_records::RunRecord;
use dodona_session::{KeptRun, NewRun, RunId, Session, SessionError, last_run_with_record};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::complain;

/// Where the session is.
#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// The folder of the session
    #[arg(long = "session", value_name = "FOLDER", default_value = USUAL)]
    pub(crate) folder: PathBuf,
}

/// The folder of the session, where no other is named.
pub(crate) const USUAL: &str = ".dodona";

/// How long a run waits for another one that holds the session. Longer ones are seldom waited for on purpose.
const PATIENCE: Duration = Duration::from_secs(600);

impl SessionArgs {
    /// The option that names the folder, if it is another than the usual one.
    pub(crate) fn repeated(&self) -> Vec<String> {
        match self.folder == Path::new(USUAL) {
            true => Vec::new(),
            false => vec!["--session".to_owned(), self.folder.display().to_string()],
        }
    }

    /// The session for writing.
    ///
    /// # Errors
    /// When it is of a newer Dodona, when another process holds it, and when it cannot be written.
    pub(crate) fn open(&self) -> Result<Session, Failure> {
        self.opened().map_err(failure)
    }

    fn opened(&self) -> Result<Session, SessionError> {
        let mut waits = |holder: &str| {
            complain(&format!(
                "waiting for {holder}, which holds the session in {}\n",
                self.folder.display()
            ));
        };
        let session = Session::open(&self.folder, PATIENCE, &mut waits)?;
        ignore(&self.folder);
        session.warnings.iter().for_each(|warning| complain(&format!("warning: {warning}\n")));
        Ok(session)
    }

    /// A run in the session; where that cannot be written, one in a session in memory, and a warning says so.
    ///
    /// # Errors
    /// When the session is of a newer Dodona or of another program, and when another process holds it.
    pub(crate) fn begin(&self, run: &NewRun<'_>) -> Result<(Session, RunId), Failure> {
        let kept = self.can_be_written().map_err(|error| error.to_string()).and_then(|()| {
            let mut session = match self.opened() {
                Ok(session) => session,
                Err(error) if error.is_about_writing() => return Err(error.to_string()),
                Err(error) => return Ok(Err(failure(error))),
            };
            session.begin(run).map(|id| Ok((session, id))).map_err(|error| error.to_string())
        });
        match kept {
            Ok(begun) => begun,
            Err(why) => {
                let folder = self.folder.display();
                complain(&format!("warning: nothing is kept: {folder} cannot be written: {why}\n"));
                let mut session = Session::in_memory().map_err(failure)?;
                let id = session.begin(run).map_err(failure)?;
                Ok((session, id))
            }
        }
    }

    fn can_be_written(&self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.folder)?;
        dodona_sources::check_writable(&dodona_session::file_in(&self.folder))?;
        dodona_sources::check_writable(&self.folder.join("session.lock"))
    }

    /// The last run that ended, with what it found.
    ///
    /// # Errors
    /// When there is no session, or no run in it.
    pub(crate) fn last(&self) -> Result<(KeptRun, RunRecord), Failure> {
        let run = last_run_with_record(&self.folder).map_err(failure)?;
        let none = || {
            let folder = self.folder.display();
            Failure::usage(format!("no run in {folder} came to an end yet; `dodona run SUBJECT` makes one"))
        };
        let run = run.ok_or_else(none)?;
        let record = run.record.clone().ok_or_else(none)?;
        Ok((run, record))
    }
}

/// Keeps the session out of version control: everybody's is his own.
pub(crate) fn ignore(folder: &Path) {
    let file = folder.join(".gitignore");
    if !file.exists() {
        // A session works without it.
        _ = std::fs::write(file, "*\n");
    }
}

pub(crate) fn failure(error: SessionError) -> Failure {
    let exit = match &error {
        SessionError::Held { .. } => Exit::Budget,
        _ => Exit::Usage,
    };
    Failure::new(exit, error)
}
