//! Writes files completely or not at all, and never over a file that another process is writing.

use std::fs::{File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::unfinished::Unfinished;

/// The number of links that are followed before they count as a circle; Linux uses the same limit.
const MOST_LINKS: usize = 40;

/// Writes a file so that it always has either its old content or the whole new content, whatever goes wrong: writes a
/// temporary file beside it, syncs it, and renames it. A link is followed; a device or a pipe is written directly.
///
/// # Errors
/// Errors of the file system (no such folder, read-only, no space left), and an error if the path is a folder or a
/// read-only file. The old file, if any, is then unchanged and the temporary file removed.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(path, |file| file.write_all(bytes))
}

/// [`write_atomically`] with a custom writer; if the writer fails, nothing is left behind either.
///
/// # Errors
/// As [`write_atomically`], and the errors of the writer.
pub fn write_atomically_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = &behind_links(path)?;
    match stands(path)? {
        Stands::Special => write(&mut File::options().append(true).open(path)?),
        Stands::File(permissions) => {
            let file = beside(path, write)?;
            file.file.as_file().set_permissions(permissions)?;
            persist(path, file, Place::Replaced)
        }
        Stands::Nothing => persist(path, beside(path, write)?, Place::Replaced),
    }
}

/// Writes a file that does not exist yet, whole or not at all.
///
/// # Errors
/// As [`write_atomically_with`], and [`io::ErrorKind::AlreadyExists`] if something already exists at the path.
pub fn write_new_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    persist(path, beside(path, write)?, Place::Free)
}

/// Writes files that do not exist yet: all of them or none. If several processes write files of the same name, one
/// succeeds. A device or a pipe is written directly.
///
/// # Errors
/// The file that cannot be written, with the reason: [`io::ErrorKind::AlreadyExists`] if something already exists at
/// its path.
pub fn write_new(files: &[(&Path, &[u8])]) -> Result<(), (PathBuf, io::Error)> {
    let mut fresh = Vec::new();
    for &(path, bytes) in files {
        let at = |error| (path.to_owned(), error);
        match is_special(path) {
            true => write_atomically(path, bytes).map_err(at)?,
            false => fresh.push((path, beside(path, |file| file.write_all(bytes)).map_err(at)?)),
        }
    }
    let mut written: Vec<&Path> = Vec::new();
    for (path, file) in fresh {
        if let Err(error) = persist(path, file, Place::Free) {
            // This call created these files a moment ago and fails, so they are removed again.
            written.iter().for_each(|path| _ = std::fs::remove_file(path));
            return Err((path.to_owned(), error));
        }
        written.push(path);
    }
    Ok(())
}

/// Whether the path is a device, a pipe or similar. Such a path is written directly, and has no old content to keep.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|about| !about.is_file() && !about.is_dir())
}

/// Checks, before a long run, whether a file could be written after it.
///
/// # Errors
/// The errors that [`write_atomically`] would return, as far as they can be known in advance.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let path = &behind_links(path)?;
    match stands(path)? {
        Stands::Special => Ok(()),
        Stands::File(_) | Stands::Nothing => beside(path, |_| Ok(())).map(drop),
    }
}

/// Locks the files of a subject until the returned value is dropped; other processes of Dodona that want to change
/// them wait. `path` is a file or folder on which all processes agree; it is neither read nor written.
///
/// If the file system does not support locks, nothing is locked.
pub fn lock(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    file.lock().ok().map(|()| file)
}

/// What already exists at a path that is to be written.
enum Stands {
    Nothing,
    File(Permissions),
    Special,
}

fn stands(path: &Path) -> io::Result<Stands> {
    let Some(about) = existing(path)? else { return Ok(Stands::Nothing) };
    if about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !about.is_file() || is_stream(path) {
        return Ok(Stands::Special);
    }
    // A rename would replace the file anyway, but whoever made it read-only did not want that.
    if about.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    Ok(Stands::File(about.permissions()))
}

fn existing(path: &Path) -> io::Result<Option<Metadata>> {
    match path.symlink_metadata() {
        // The standard streams are links whose target cannot be reached by following the link's path.
        Ok(about) if about.is_symlink() => path.metadata().map(Some),
        Ok(about) => Ok(Some(about)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a path names a file that this process has open, such as its standard output. Even if that is a regular
/// file, a rename would create another file instead of writing to the open one.
fn is_stream(path: &Path) -> bool {
    path.starts_with("/proc") || path.starts_with("/dev/fd")
}

/// The path at the end of a chain of links, whether or not a file exists there; without this a rename would replace
/// the link.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let is_link = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
        if !is_link || is_stream(&path) {
            return Ok(path);
        }
        path = path.with_file_name("").join(std::fs::read_link(&path)?);
    }
    Err(io::Error::other("the links lead in a circle"))
}

/// A temporary file beside a path, with the new content, synced. The file is removed when it is dropped, unless
/// [`persist`] renames it.
fn beside(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Fresh> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dodona-");
    // A temporary file is private by default; this file becomes an ordinary file of the project.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder(path))?;
    let noted = Unfinished::note(file.path());
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    Ok(Fresh { file, _noted: noted })
}

/// A file that has not been moved to its final path yet.
struct Fresh {
    file: NamedTempFile,
    _noted: Unfinished,
}

/// Whether an existing file may be replaced, or the path must be free.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Replaced,
    Free,
}

fn persist(path: &Path, fresh: Fresh, place: Place) -> io::Result<()> {
    let moved = match place {
        Place::Replaced => fresh.file.persist(path),
        Place::Free => fresh.file.persist_noclobber(path),
    };
    moved.map_err(|error| error.error)?;
    sync_folder(folder(path));
    Ok(())
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes the rename survive a power failure, if the file system can sync folders. The file is complete in any case,
/// so failing to sync is not an error.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_link_stays_a_link_and_its_file_is_replaced() {
        let home = tempfile::tempdir().expect("a folder");
        let (file, link, second) =
            (home.path().join("file"), home.path().join("link"), home.path().join("second"));
        symlink("link", &second).expect("a link");
        symlink("file", &link).expect("a link");
        for text in ["not there before", "replaced"] {
            write_atomically(&second, text.as_bytes()).expect("written");
            assert_eq!(std::fs::read_to_string(&file).expect("a file"), text);
        }
        assert!(link.is_symlink() && second.is_symlink());
        assert_eq!(names(home.path()), ["file", "link", "second"]);
    }

    #[test]
    fn links_in_a_circle_are_an_error() {
        let home = tempfile::tempdir().expect("a folder");
        symlink("a", home.path().join("b")).expect("a link");
        symlink("b", home.path().join("a")).expect("a link");
        let error = write_atomically(&home.path().join("a"), b"x").expect_err("a circle");
        assert!(error.to_string().contains("circle"), "{error}");
    }

    #[test]
    fn a_device_is_written_to_as_it_is() {
        write_atomically(Path::new("/dev/null"), b"nothing").expect("written");
        write_new(&[(Path::new("/dev/null"), b"nothing")]).expect("written");
        let error = write_atomically(Path::new("/dev/full"), b"something").expect_err("it is full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(is_special(Path::new("/dev/full")));
    }

    #[test]
    fn a_pipe_is_written_to_as_it_is() {
        let home = tempfile::tempdir().expect("a folder");
        let pipe = home.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::read_to_string(pipe))
        };
        check_writable(&pipe).expect("it can be written");
        write_atomically(&pipe, b"through").expect("written");
        assert_eq!(reader.join().expect("no panic").expect("read"), "through");
        assert_eq!(names(home.path()), ["pipe"]);
    }

    #[test]
    fn folders_and_files_that_may_not_be_written_are_refused_before_and_after() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("file");
        std::fs::write(&file, "kept").expect("written");
        std::fs::set_permissions(&file, Permissions::from_mode(0o444)).expect("permitted");
        for (path, kind) in
            [(file.as_path(), io::ErrorKind::PermissionDenied), (home.path(), io::ErrorKind::IsADirectory)]
        {
            let errors = [check_writable(path), write_atomically(path, b"lost")];
            assert_eq!(errors.map(|e| e.map_err(|e| e.kind())), [Err(kind), Err(kind)]);
        }
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), "kept");
        assert_eq!(names(home.path()), ["file"]);
    }

    #[test]
    fn the_permissions_of_a_file_are_kept() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("file");
        std::fs::write(&file, "old").expect("written");
        std::fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("permitted");
        write_atomically(&file, b"new").expect("written");
        assert_eq!(file.metadata().expect("a file").permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn new_files_are_written_together_or_not_at_all() {
        let home = tempfile::tempdir().expect("a folder");
        let (a, b) = (home.path().join("a"), home.path().join("b"));
        symlink("nowhere", &b).expect("a link");
        let (path, error) = write_new(&[(&a, b"a"), (&b, b"b")]).expect_err("a link stands there");
        assert_eq!((path, error.kind()), (b.clone(), io::ErrorKind::AlreadyExists));
        assert_eq!(names(home.path()), ["b"]);
        std::fs::remove_file(&b).expect("removed");
        write_new(&[(&a, b"a"), (&b, b"b")]).expect("written");
        assert_eq!(names(home.path()), ["a", "b"]);
    }

    #[test]
    fn of_several_that_write_a_new_file_one_succeeds() {
        let home = tempfile::tempdir().expect("a folder");
        let path = &home.path().join("one");
        let won: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8_u8)
                .map(|i| scope.spawn(move || usize::from(write_new(&[(path, &[i])]).is_ok())))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert_eq!((won, names(home.path())), (1, vec!["one".to_owned()]));
    }
}
