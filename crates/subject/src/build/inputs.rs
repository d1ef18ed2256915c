//! What a build read, what it looked for without finding it, and which programs did it; and whether all of that is as it was.
//!
//! Compilers say themselves what they read: clang its headers (`-MD`), the folders that it searches and the command of its linker (`-v`),
//! cargo the files of a module (its `.d` file). A stamp lists these files with their contents, the places where an earlier file would be
//! taken instead, and the programs. Whether a stamp is current is found by writing it again and comparing.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bstr::{BString, ByteSlice, ByteVec};

use super::programs;
use dodona_target::fnv1a;

/// Larger files are known by size and times instead of by their contents: compilers and the C library, which package managers replace
/// as a whole. Reading 2 MiB of C library in each command would take longer than all sources and headers of a subject together.
const LARGE: u64 = 1 << 20;

/// The files and programs that decide what a build makes. Relative paths are taken from the folder that the compiler runs in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inputs {
    /// Files that were read.
    pub(super) read: BTreeSet<PathBuf>,
    /// Paths without a file, where a file would have been taken instead of one that was read.
    pub(super) absent: BTreeSet<PathBuf>,
    /// Programs that are looked up on the search path.
    pub(super) programs: BTreeSet<String>,
    /// Why it cannot be told from files alone whether the build would make the same.
    pub(super) untold: BTreeSet<String>,
}

impl Inputs {
    /// A file belongs to what was read if it is there, and else to what must stay absent.
    pub(super) fn look(&mut self, folder: &Path, path: PathBuf) {
        match folder.join(&path).is_file() {
            true => self.read.insert(path),
            false => self.absent.insert(path),
        };
    }

    pub(super) fn extend(&mut self, other: Inputs) {
        self.read.extend(other.read);
        self.absent.extend(other.absent);
        self.programs.extend(other.programs);
        self.untold.extend(other.untold);
    }

    /// How all of it is now, in lines from which [`Inputs::parse`] gets the inputs again. Two equal texts mean equal inputs, unless
    /// something is untold.
    pub(super) fn state(&self, folder: &Path) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        for path in &self.read {
            let _ = writeln!(text, "read {} {}", escaped(path), content(&folder.join(path)));
        }
        for path in &self.absent {
            let full = folder.join(path);
            let found = match full.symlink_metadata() {
                Err(_) => "absent",
                Ok(_) if full.is_file() => "file",
                Ok(_) => "there",
            };
            let _ = writeln!(text, "looked {} {found}", escaped(path));
        }
        for name in &self.programs {
            let found = programs::find(name)
                .map_or("nowhere".to_owned(), |path| format!("{} {}", escaped(&path), content(&path)));
            let _ = writeln!(text, "program {} {found}", escaped(Path::new(name)));
        }
        for why in &self.untold {
            let _ = writeln!(text, "untold {}", escaped(Path::new(why)));
        }
        text
    }

    /// The inputs that a state lists; other lines are passed over.
    pub(super) fn parse(text: &str) -> Inputs {
        let mut inputs = Inputs::default();
        for (kind, rest) in text.lines().filter_map(|line| line.split_once(' ')) {
            let path = unescaped(rest.split(' ').next().unwrap_or_default());
            let name = || path.to_string_lossy().into_owned();
            match kind {
                "read" => drop(inputs.read.insert(path)),
                "looked" => drop(inputs.absent.insert(path)),
                "program" => drop(inputs.programs.insert(name())),
                "untold" => drop(inputs.untold.insert(name())),
                _ => {}
            }
        }
        inputs
    }

    /// Notes that a file has changed since the build began, if one has: what was built may be of the file before the change or of the
    /// file after it.
    pub(super) fn note_changes_since(&mut self, folder: &Path, start: SystemTime) {
        let now = SystemTime::now();
        let during = |time: SystemTime| start <= time && time <= now;
        let mut abouts = self.read.iter().filter_map(|path| std::fs::metadata(folder.join(path)).ok());
        if abouts.any(|about| times(&about).into_iter().any(during)) {
            self.untold.insert("a file that changed during the build".to_owned());
        }
    }

    /// Whether a file was replaced by another one that is not younger than the given time: whoever compares times alone does not
    /// notice it.
    pub(super) fn replaced_by_older(&self, folder: &Path, state: &str, time: SystemTime) -> bool {
        let lines: BTreeSet<&str> = state.lines().collect();
        self.read.iter().any(|path| {
            let full = folder.join(path);
            let older = std::fs::metadata(&full)
                .and_then(|about| about.modified())
                .is_ok_and(|written| written <= time);
            older && !lines.contains(format!("read {} {}", escaped(path), content(&full)).as_str())
        })
    }
}

/// A path as one word of ASCII.
fn escaped(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    bytes.escape_bytes().to_string().replace(' ', "\\x20")
}

fn unescaped(word: &str) -> PathBuf {
    let bytes = BString::from(Vec::unescape_bytes(word));
    bytes.to_path().map_or_else(|_| PathBuf::from(bytes.to_string()), Path::to_owned)
}

/// What tells the contents of a file from others.
fn content(path: &Path) -> String {
    let Ok(about) = std::fs::metadata(path) else { return "gone".to_owned() };
    if !about.is_file() {
        return "no file".to_owned();
    }
    if about.len() > LARGE {
        let times = times(&about).map(since_epoch);
        return format!("{} {} {}", about.len(), times[0], times[1]);
    }
    std::fs::read(path).map_or("unreadable".to_owned(), |bytes| format!("{:016x}", fnv1a(&bytes)))
}

/// When a file was written, and when anything about it changed last. The second time cannot be set back.
fn times(about: &Metadata) -> [SystemTime; 2] {
    let written = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    #[cfg(unix)]
    let changed = {
        use std::os::unix::fs::MetadataExt as _;
        let seconds = std::time::Duration::from_secs(about.ctime().try_into().unwrap_or(0));
        let parts = std::time::Duration::from_nanos(about.ctime_nsec().try_into().unwrap_or(0));
        SystemTime::UNIX_EPOCH + seconds + parts
    };
    #[cfg(not(unix))]
    let changed = about.created().unwrap_or(written);
    [written, changed]
}

fn since_epoch(time: SystemTime) -> u128 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(read: &[&str], absent: &[&str]) -> Inputs {
        let set = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
        Inputs { read: set(read), absent: set(absent), ..Inputs::default() }
    }

    #[test]
    fn a_state_gives_its_inputs_again_whatever_the_paths_are() {
        let mut odd =
            inputs(&["a b\nc.h", "Gänge/ü.h", "100%/\"x\".h", "a\\b.h", "a\\x20b.h"], &["no such", ""]);
        odd.programs.insert("clang 14".to_owned());
        odd.untold.insert("a macro".to_owned());
        assert_eq!(Inputs::parse(&odd.state(Path::new("."))), odd);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_text_stay_what_they_are() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"\xff\xfe.h"));
        let odd = Inputs { read: BTreeSet::from([path.to_owned()]), ..Inputs::default() };
        assert_eq!(Inputs::parse(&odd.state(Path::new("."))), odd);
    }

    #[test]
    fn every_change_of_a_file_changes_the_state() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.h");
        let inputs = inputs(&["a.h"], &["b.h"]);
        let mut states = BTreeSet::from([inputs.state(folder.path())]);
        let mut is_new = |what: &str| assert!(states.insert(inputs.state(folder.path())), "{what}");
        std::fs::write(&file, "1").expect("written");
        is_new("a file appeared");
        let time = std::fs::metadata(&file).and_then(|about| about.modified()).expect("a time");
        std::fs::write(&file, "2").expect("written");
        std::fs::File::options()
            .write(true)
            .open(&file)
            .expect("opens")
            .set_modified(time)
            .expect("set back");
        is_new("same size and time, other contents");
        std::fs::write(folder.path().join("b.h"), "").expect("written");
        is_new("a file that was looked for appeared");
        std::fs::remove_file(&file).expect("removed");
        is_new("a file vanished");
        std::fs::create_dir(&file).expect("made");
        is_new("a folder in place of a file");
    }

    #[test]
    fn a_file_that_changes_during_a_build_is_noted() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.h"), "1").expect("written");
        let mut inputs = inputs(&["a.h"], &[]);
        inputs.note_changes_since(folder.path(), SystemTime::now());
        assert!(inputs.untold.is_empty());
        inputs.note_changes_since(folder.path(), SystemTime::now() - std::time::Duration::from_secs(60));
        assert!(!inputs.untold.is_empty());
    }

    #[test]
    fn a_large_file_is_known_by_what_cannot_be_set_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("large.a");
        std::fs::write(&file, vec![0; LARGE as usize + 1]).expect("written");
        let inputs = inputs(&["large.a"], &[]);
        let (old, time) = (
            inputs.state(folder.path()),
            std::fs::metadata(&file).and_then(|about| about.modified()).expect("a time"),
        );
        assert_eq!(inputs.state(folder.path()), old);
        // The clock of a file system stands still for some milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(50));
        std::fs::write(&file, vec![1; LARGE as usize + 1]).expect("written");
        std::fs::File::options()
            .write(true)
            .open(&file)
            .expect("opens")
            .set_modified(time)
            .expect("set back");
        assert_ne!(inputs.state(folder.path()), old);
    }
}
