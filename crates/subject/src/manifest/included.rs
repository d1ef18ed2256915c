//! Sources that other sources include, as C has templates: they are no sources of their own.

use std::path::{Path, PathBuf};

/// Leaves out the files whose name another one of them includes; `full` is where a file lies. Files that cannot be read include none.
pub fn leave_included(files: &mut Vec<PathBuf>, full: &dyn Fn(&Path) -> PathBuf) {
    let names = |file: &PathBuf| included(&std::fs::read(full(file)).unwrap_or_default());
    let included: Vec<String> = files.iter().flat_map(names).collect();
    files
        .retain(|file| !file.file_name().is_some_and(|name| included.iter().any(|one| name == one.as_str())));
}

/// The names of the files that the text of a source includes.
fn included(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let named = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let name = Path::new(rest.split(['"', '<', '>']).nth(1)?).file_name()?;
        Some(name.to_string_lossy().into_owned())
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_file_includes_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in
            [("a.c", "#include \"sub/b.c\"\n# include <stdio.h>\n"), ("b.c", "int b;"), ("c.c", "// b.h")]
        {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let mut files: Vec<PathBuf> = ["a.c", "b.c", "c.c", "none.c"].map(PathBuf::from).to_vec();
        leave_included(&mut files, &|file| folder.path().join(file));
        assert_eq!(files, ["a.c", "c.c", "none.c"].map(PathBuf::from));
    }
}
