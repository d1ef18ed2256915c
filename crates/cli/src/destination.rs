//! Files that the user names to be written. What stands there already is not lost.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use clap::Args;
use dodona_sources::{is_special, write_atomically_with, write_new, write_new_with};

use crate::ending;
use crate::failure::Failure;

/// Whether files that exist may be replaced.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct OverwriteArgs {
    /// Write over files that exist; without it they are kept
    #[arg(id = "overwrite", long = "overwrite")]
    pub(crate) is_given: bool,
}

/// A file that the user names. It is written whole or not at all. A file that exists is kept, unless it is empty, Dodona can see that it
/// wrote the file itself, or `--overwrite` is given. Devices and pipes have nothing to lose.
#[derive(Clone, Copy)]
pub(crate) struct Destination<'a> {
    path: &'a Path,
    overwrite: OverwriteArgs,
    /// Whether bytes begin as only a file of Dodona does.
    is_ours: fn(&[u8]) -> bool,
}

/// So many bytes of a file are looked at to see whether Dodona wrote it.
const LOOKED_AT: u64 = 1 << 20;

impl<'a> Destination<'a> {
    /// A file that no longer can be told from a user's own once it is written.
    pub(crate) fn new(path: &'a Path, overwrite: OverwriteArgs) -> Destination<'a> {
        Destination { path, overwrite, is_ours: |_| false }
    }

    /// The same, where files that Dodona wrote are known by their first bytes.
    pub(crate) fn known_by(self, is_ours: fn(&[u8]) -> bool) -> Destination<'a> {
        Destination { is_ours, ..self }
    }

    /// What can be wrong with a file that is to be written is said before the long run, not after it.
    ///
    /// # Errors
    /// When the file exists and is kept, or cannot be written.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.check_place()?;
        if self.may_replace() { Ok(()) } else { Err(self.exists()) }
    }

    /// [`Destination::check`] for writers that take another name where this one is taken: a file that exists is no error.
    ///
    /// # Errors
    /// When no file could be written here.
    pub(crate) fn check_place(&self) -> Result<(), Failure> {
        let path = self.path;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let (path, folder) = (path.display(), folder.display());
            return Err(Failure::usage(format!("cannot write {path}: there is no folder {folder}")));
        }
        dodona_sources::check_writable(path).map_err(|error| self.cannot(&error))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// As [`Destination::check`], and when the writer fails. Nothing is half written then.
    pub(crate) fn write_with(
        &self,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        ending::answer();
        let buffered = |out: &mut dyn Write| {
            let mut out = BufWriter::new(out);
            write(&mut out)?;
            out.flush()
        };
        // Another process may have written the file since it was checked first.
        self.check()?;
        let written = match self.path.symlink_metadata().is_ok() {
            true => write_atomically_with(self.path, buffered),
            false => write_new_with(self.path, buffered),
        };
        written.map_err(|error| self.cannot(&error))
    }

    /// [`Destination::write_with`] of bytes.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_with(|out| out.write_all(bytes))
    }

    /// Whether nothing stands there that would be lost.
    fn may_replace(&self) -> bool {
        let is_free = self.path.symlink_metadata().is_err();
        is_free || self.overwrite.is_given || is_special(self.path) || self.is_worthless()
    }

    fn is_worthless(&self) -> bool {
        let Ok(file) = std::fs::File::open(self.path) else {
            // A link to nowhere; whatever cannot be read is not Dodona's to replace.
            return !self.path.exists();
        };
        let mut start = Vec::new();
        let read = std::io::Read::read_to_end(&mut std::io::Read::take(file, LOOKED_AT), &mut start);
        read.is_ok() && (start.is_empty() || (self.is_ours)(&start))
    }

    fn exists(&self) -> Failure {
        let path = self.path.display();
        Failure::usage(format!("{path} exists and is kept; --overwrite replaces it"))
    }

    fn cannot(&self, error: &std::io::Error) -> Failure {
        match error.kind() {
            ErrorKind::AlreadyExists => self.exists(),
            _ => Failure::usage(format!("cannot write {}: {error}", self.path.display())),
        }
    }
}

/// Writes files that belong together and must not exist yet, unless they may be replaced: all of them or none.
///
/// # Errors
/// When one of them exists or cannot be written.
pub(crate) fn write_together(files: &[(&Path, &[u8])], overwrite: OverwriteArgs) -> Result<(), Failure> {
    let each = || files.iter().map(|&(path, bytes)| (Destination::new(path, overwrite), bytes));
    if overwrite.is_given {
        each().try_for_each(|(destination, _)| destination.check())?;
        return each().try_for_each(|(destination, bytes)| destination.write(bytes));
    }
    write_new(files).map_err(|(path, error)| Destination::new(&path, overwrite).cannot(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(result: Result<(), Failure>) -> String {
        result.err().map(|failure| failure.words()).unwrap_or_default()
    }

    #[test]
    fn what_exists_is_kept_before_the_run_and_after_it() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("gcd.c");
        std::fs::write(&path, "int gcd;").expect("written");
        let destination = Destination::new(&path, OverwriteArgs::default());
        for result in [destination.check(), destination.write(b"lost")] {
            assert!(told(result).ends_with("gcd.c exists and is kept; --overwrite replaces it"));
        }
        assert_eq!(std::fs::read(&path).expect("there"), b"int gcd;");
        let over = Destination::new(&path, OverwriteArgs { is_given: true });
        assert_eq!((told(over.check()), told(over.write(b"replaced"))), (String::new(), String::new()));
        assert_eq!(std::fs::read(&path).expect("there"), b"replaced");
    }

    #[test]
    fn what_is_free_or_empty_or_our_own_is_written() {
        let home = tempfile::tempdir().expect("a folder");
        let free = home.path().join("free");
        let empty = home.path().join("empty");
        let own = home.path().join("own");
        std::fs::write(&empty, "").expect("written");
        std::fs::write(&own, "OURS old").expect("written");
        for path in [&free, &empty, &own, &own, Path::new("/dev/null")] {
            let destination = Destination::new(path, OverwriteArgs::default());
            let destination = destination.known_by(|bytes| bytes.starts_with(b"OURS"));
            assert_eq!(told(destination.check()), "");
            assert_eq!(told(destination.write(b"OURS new")), "");
        }
        assert_eq!(std::fs::read(&own).expect("there"), b"OURS new");
    }

    #[test]
    fn files_that_belong_together_are_written_together() {
        let home = tempfile::tempdir().expect("a folder");
        let [a, b] = ["a", "b"].map(|name| home.path().join(name));
        std::fs::write(&b, "kept").expect("written");
        let files: [(&Path, &[u8]); 2] = [(&a, b"new"), (&b, b"new")];
        assert!(told(write_together(&files, OverwriteArgs::default())).contains("exists and is kept"));
        assert!(!a.exists());
        assert_eq!(told(write_together(&files, OverwriteArgs { is_given: true })), "");
        assert_eq!([a, b].map(|path| std::fs::read(path).expect("there")), [b"new", b"new"]);
    }
}
