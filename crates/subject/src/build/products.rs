//! Where the products of builds lie, and how they are written.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{BuildError, file};
use crate::Manifest;
use dodona_target::fnv1a;

/// Files and folders made under names of their own in this process.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A name that nobody else uses: neither this process nor another one.
fn own(before: &str) -> String {
    format!("{before}{}-{}.tmp", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed))
}

/// Where things that may be deleted at any time are kept: `$DODONA_CACHE`, else the user's cache folder.
pub fn cache_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let folder = from("DODONA_CACHE")
        .or_else(|| from("XDG_CACHE_HOME").map(|c| c.join("dodona")))
        .or_else(|| from("HOME").map(|h| h.join(".cache/dodona")))
        .unwrap_or_else(|| std::env::temp_dir().join("dodona"));
    // Compilers run in other folders.
    std::path::absolute(&folder).unwrap_or(folder)
}

/// The module and the stamp of a manifest.
pub(super) struct Products {
    folder: PathBuf,
    pub(super) module: PathBuf,
    pub(super) stamp: PathBuf,
}

impl Products {
    /// In `.dodona` beside the manifest, or in the cache where that cannot be written.
    pub(super) fn of(manifest: &Manifest) -> Result<Products, BuildError> {
        Products::ending(manifest, "wasm", "stamp")
    }

    /// Of a build for the host, by its kind.
    pub(super) fn of_host(manifest: &Manifest, kind: &str) -> Result<Products, BuildError> {
        Products::ending(manifest, kind, &format!("{kind}.stamp"))
    }

    /// Forgets what is known of the programs for the host, which are then built again.
    pub(super) fn forget_host(manifest: &Manifest) -> Result<(), BuildError> {
        let folder = product_folder(manifest)?;
        let begin = format!("{}.native", file_name(&manifest.name));
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(&begin) && name.ends_with(".stamp") {
                std::fs::remove_file(entry.path()).map_err(file("remove", &entry.path()))?;
            }
        }
        Ok(())
    }

    fn ending(manifest: &Manifest, module: &str, stamp: &str) -> Result<Products, BuildError> {
        let folder = product_folder(manifest)?;
        let name = file_name(&manifest.name);
        let [module, stamp] = [module, stamp].map(|end| folder.join(format!("{name}.{end}")));
        Ok(Products { folder, module, stamp })
    }

    /// A folder for the files of one build. Its path is from the manifest's folder or absolute, and has no `%` in it: the linker takes
    /// that for a digit of a name that it is to make up.
    pub(super) fn work(&self, manifest: &Manifest) -> Result<Work, BuildError> {
        let name = own("build-");
        let near = self.folder.strip_prefix(manifest.folder()).map(Path::to_owned);
        let far = std::path::absolute(&self.folder).map_err(file("find", &self.folder));
        let places = [near.or(far)?.join(&name), std::env::temp_dir().join(format!("dodona-{name}"))];
        let is_plain = |path: &PathBuf| !path.as_os_str().as_encoded_bytes().contains(&b'%');
        let Some(inside) = places.into_iter().find(is_plain) else {
            return Err(BuildError::Unsupported(format!(
                "the linker cannot write into {}, whose path has a `%`; set TMPDIR or DODONA_CACHE to a folder without one",
                self.folder.display()
            )));
        };
        let full = manifest.folder().join(&inside);
        remove_old(&self.folder);
        std::fs::create_dir(&full).map_err(file("create", &full))?;
        Ok(Work { inside, full })
    }
}

/// A folder that is removed when the build is over, with all that is in it.
pub(super) struct Work {
    /// Its path for the compiler, which runs in the manifest's folder.
    pub(super) inside: PathBuf,
    /// Its path for Dodona.
    pub(super) full: PathBuf,
}

impl Drop for Work {
    fn drop(&mut self) {
        // What cannot be removed is only in the way of nobody; the error that matters is the build's own.
        let _ = std::fs::remove_dir_all(&self.full);
    }
}

/// Removes what builds left that were killed. A build takes less than an hour.
fn remove_old(folder: &Path) {
    let hour = std::time::Duration::from_secs(3600);
    let is_old = |entry: &std::fs::DirEntry| {
        let written = entry.metadata().and_then(|about| about.modified()).ok();
        entry.file_name().as_encoded_bytes().ends_with(b".tmp")
            && written.is_some_and(|time| time.elapsed().is_ok_and(|age| age > hour))
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten().filter(is_old) {
        // Somebody else may be removing it.
        let _ = std::fs::remove_dir_all(entry.path()).or_else(|_| std::fs::remove_file(entry.path()));
    }
}

/// The name of a subject as the name of a file: without what separates folders, and not too long for a file system.
fn file_name(name: &str) -> String {
    const MOST: usize = 120;
    let is_plain = |c: char| c.is_alphanumeric() || "._-+%@ ".contains(c);
    if name.len() <= MOST && !name.starts_with('.') && !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let plain = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
    format!("{}-{:016x}", plain.take(MOST / 2).collect::<String>(), fnv1a(name.as_bytes()))
}

fn product_folder(manifest: &Manifest) -> Result<PathBuf, BuildError> {
    let beside = manifest.folder().join(".dodona");
    if std::fs::create_dir_all(&beside).is_ok() && is_writable(&beside) {
        return Ok(beside);
    }
    let full = std::path::absolute(manifest.folder()).unwrap_or_else(|_| manifest.folder().to_owned());
    let cached =
        cache_folder().join("built").join(format!("{:016x}", fnv1a(full.as_os_str().as_encoded_bytes())));
    std::fs::create_dir_all(&cached).map_err(file("create", &cached))?;
    Ok(cached)
}

fn is_writable(folder: &Path) -> bool {
    let probe = folder.join(own(".probe"));
    let written = std::fs::write(&probe, b"").is_ok();
    let _ = std::fs::remove_file(&probe);
    written
}

/// Writes a file of the build whole or not at all. Where it has these bytes already it is left alone: another process may be
/// reading it.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    match std::fs::read(path) {
        Ok(old) if old == bytes => Ok(()),
        _ => replace(path, bytes),
    }
}

/// Writes a file of the build whole or not at all.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let fresh = path.with_file_name(own("file-"));
    let written = std::fs::write(&fresh, bytes).and_then(|()| std::fs::rename(&fresh, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&fresh);
    }
    written.map_err(file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_subjects_become_names_of_files_in_one_folder() {
        for plain in ["gcd", "p%1", "Größe 2", "a.b-c_d"] {
            assert_eq!(file_name(plain), plain);
        }
        let odd = ["../../x", "a/b", "a_b/", "", ".", "a\nb", &"n".repeat(300)];
        let names: std::collections::BTreeSet<String> = odd.iter().map(|name| file_name(name)).collect();
        assert_eq!(names.len(), odd.len(), "{names:?}");
        assert!(names.iter().all(|name| !name.contains('/') && !name.starts_with('.') && name.len() < 200));
    }
}
