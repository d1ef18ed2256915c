//! Files that a person named, read so that none of them hangs a command or fills the memory.
//!
//! All such files are read here: only regular files or what the command was given open, and none beyond a longest length.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::path::Path;

/// No text that a person writes is longer. A manifest of 20,000 functions has 3 MB, and what is read here is kept in memory several times.
const LONGEST_TEXT: u64 = 64 << 20;

/// The longest module that engines accept.
const LONGEST_MODULE: u64 = 1 << 30;

/// Opens a file that a person named.
///
/// What the command was given as an open file (`/dev/stdin`, and `/dev/fd/63` for the shell's `<(…)`) may be a pipe.
///
/// # Errors
/// When it cannot be opened, or is a folder, or a pipe or device: these may never end, or never begin.
pub fn open(path: &Path) -> Result<File> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "it is a folder; name a file"));
    }
    if !about.is_file() && !was_given_open(path) {
        let words =
            format!("it is {}, not a file; write what it gives into a file and name that", kind(&about));
        return Err(Error::new(ErrorKind::InvalidInput, words));
    }
    File::open(path)
}

/// The text of a file that a person named.
///
/// # Errors
/// When [`open`] refuses it, or it is not UTF-8, or longer than 64 MiB.
pub fn text(path: &Path) -> Result<String> {
    String::from_utf8(limited(path, LONGEST_TEXT)?).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        Error::new(ErrorKind::InvalidData, format!("line {line} is not UTF-8; save it as UTF-8"))
    })
}

/// The bytes of a file that a person named: a module, or what is read as JSON.
///
/// # Errors
/// When [`open`] refuses it, or it is longer than 1 GiB (64 MiB if it is no regular file).
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let is_regular = std::fs::metadata(path)?.is_file();
    limited(path, if is_regular { LONGEST_MODULE } else { LONGEST_TEXT })
}

fn limited(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = open(path)?;
    let about = file.metadata()?;
    let too_long = || Error::new(ErrorKind::FileTooLarge, format!("it is longer than {} MiB", most >> 20));
    if about.is_file() && about.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// Whether a path names a file that the process has open, or nothing at all.
fn was_given_open(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || path == Path::new("/dev/null")
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd")
}

fn kind(about: &std::fs::Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = about.file_type();
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    let _ = about;
    "a device"
}

/// The folder that a file stands in, `.` if its path names none.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn what_may_never_end_is_refused_before_it_is_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link.toml"));
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("runs").success());
        std::os::unix::fs::symlink("/dev/zero", &link).expect("linked");
        for (path, kind) in
            [(pipe.as_path(), "a pipe"), (&link, "a device"), (Path::new("/dev/zero"), "a device")]
        {
            for error in [open(path).map(drop), text(path).map(drop), bytes(path).map(drop)] {
                assert!(error.expect_err("refused").to_string().contains(kind), "{}", path.display());
            }
        }
        let error = text(folder.path()).expect_err("refused").to_string();
        assert_eq!(error, "it is a folder; name a file");
        assert_eq!(text(Path::new("/dev/null")).expect("nothing"), "");
    }

    #[test]
    fn texts_have_a_longest_length_and_are_utf_8() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.mr");
        std::fs::write(&file, "relation\nr\u{e9}").expect("written");
        assert_eq!(text(&file).expect("read"), "relation\nr\u{e9}");
        std::fs::write(&file, b"relation\nr\xe9\n").expect("written");
        assert_eq!(text(&file).expect_err("refused").to_string(), "line 2 is not UTF-8; save it as UTF-8");
        let long = File::create(&file).expect("made");
        long.set_len(LONGEST_TEXT + 1).expect("a file with a hole");
        assert_eq!(text(&file).expect_err("refused").to_string(), "it is longer than 64 MiB");
        assert!(bytes(&file).is_ok());
    }
}
