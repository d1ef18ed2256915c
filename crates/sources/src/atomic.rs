//! Writing a file whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that its old content or the whole new one is there, whatever goes wrong: to a
/// temporary file beside it, synced, then renamed.
///
/// # Errors
/// What the file system says (no such folder, read-only, no space left). The old file, if any, is
/// untouched and the temporary one is gone.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_with(path, |file| file.write_all(bytes))
}

/// [`write_atomically`] with a writer of one's own, whose failure leaves nothing behind either.
///
/// # Errors
/// As [`write_atomically`], and what the writer fails with.
pub fn write_atomically_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dodona-");
    // A temporary file is private unless told otherwise; this one becomes a file of the project.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Dropped, and with that removed, on every way out but the last.
    let mut file = builder.tempfile_in(folder)?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    sync_folder(folder);
    Ok(())
}

/// Makes the rename last through a power failure, where folders can be synced: the file is whole
/// in any case, so that a folder that cannot be synced is no error.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}
