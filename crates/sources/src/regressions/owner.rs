//! Whose a regression is: manifests of one folder keep theirs in the same folder.

use std::path::{Component, Path, PathBuf};

use dodona_target::folder_of;

use super::Regression;

/// Whose a regression is, seen from one manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// This manifest's.
    This,
    /// Another manifest's, which exists.
    Other,
    /// A manifest's that does not exist.
    Missing,
}

impl Regression {
    /// Whose it is, seen from a manifest. `folder` is the folder that the regression is kept in.
    pub fn owner(&self, folder: &Path, manifest: &Path) -> Owner {
        let named = folder.join(&self.subject);
        let is_sibling =
            Path::new("..").join(manifest.file_name().unwrap_or_default()) == Path::new(&self.subject);
        match named.canonicalize() {
            // A link to the manifest is this manifest under another name.
            Ok(named) if manifest.canonicalize().is_ok_and(|manifest| manifest == named) => Owner::This,
            _ if is_sibling => Owner::This,
            Ok(_) => Owner::Other,
            Err(_) => Owner::Missing,
        }
    }
}

/// The path of a file as seen from a folder, such as `../more.mr`. The folder itself need not exist, but its parent; if the
/// two have no common root, the path is absolute.
pub fn path_from(folder: &Path, file: &Path) -> PathBuf {
    let parent = folder_of(folder);
    let (Ok(parent), Ok(file)) = (parent.canonicalize(), file.canonicalize()) else { return file.to_owned() };
    let folder = parent.join(folder.file_name().unwrap_or_default());
    let common = folder.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return file;
    }
    let up = folder.components().skip(common).map(|_| Component::ParentDir);
    up.chain(file.components().skip(common)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_as_seen_from_the_folder() {
        let home = tempfile::tempdir().expect("a folder");
        let kept = home.path().join("s/dodona-regressions");
        std::fs::create_dir_all(home.path().join("s/sub")).expect("made");
        for (file, seen) in [("s/a.mr", "../a.mr"), ("s/sub/b.mr", "../sub/b.mr"), ("c.mr", "../../c.mr")] {
            let file = home.path().join(file);
            std::fs::write(&file, "").expect("written");
            assert_eq!(path_from(&kept, &file), Path::new(seen));
        }
        let missing = home.path().join("missing.mr");
        assert_eq!(path_from(&kept, &missing), missing);
    }
}
