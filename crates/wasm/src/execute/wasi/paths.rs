//! Paths of the in-memory directory.

use super::abi::Errno;

/// A path from the root, without `.`, `..` and empty parts: `""` is the root itself.
///
/// # Errors
/// When it leads out of the directory.
pub(super) fn resolve(base: &str, path: &str) -> Result<String, Errno> {
    let mut parts: Vec<&str> = base.split('/').filter(|p| !p.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or(Errno::NOTCAPABLE)?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// The folder that holds a path; the root holds itself.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_and_the_root_is_not_left() {
        assert_eq!(resolve("", "./a//b/../c"), Ok("a/c".into()));
        assert_eq!(resolve("a/b", "../x"), Ok("a/x".into()));
        assert_eq!(resolve("", "/"), Ok(String::new()));
        assert_eq!(resolve("a", "../../x"), Err(Errno::NOTCAPABLE));
    }

    #[test]
    fn a_path_splits_into_folder_and_name() {
        assert_eq!((parent("a/b/c"), name("a/b/c")), ("a/b", "c"));
        assert_eq!((parent("c"), name("c")), ("", "c"));
    }
}
