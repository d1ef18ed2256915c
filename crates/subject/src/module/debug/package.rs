//! Whose code a source file holds, as its path tells.
//!
//! Each file belongs to one package, because compilers record relative paths.

use crate::build::glue;

/// Whose code a source file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Package {
    /// Nobody else's, as far as the path tells: it lies in a folder of its own.
    #[default]
    Local,
    /// A crate that cargo fetched: its name without the version.
    Crate(String),
    /// Generated glue around a crate.
    Glue,
    /// A part of Rust's standard library, or a crate that is built into it: `core`, `alloc`, `dlmalloc`; `libc` and `c++` are those of C and C++.
    Standard(String),
}

impl Package {
    /// Whether it goes by a name; `-` and `_` are the same, as they are for cargo.
    ///
    /// ```
    /// use dodona_subject::Package;
    /// assert!(Package::Crate("unicode-width".into()).is("unicode_width"));
    /// assert!(!Package::Local.is("unicode_width"));
    /// ```
    pub fn is(&self, wanted: &str) -> bool {
        let plain = |name: &str| name.replace('-', "_");
        self.name().is_some_and(|name| plain(name) == plain(wanted))
    }

    /// The package of a file by its full path, and the part of the path that names it among all packages:
    /// `libm-0.2.16/src/math/cbrt.rs`.
    pub fn of(path: &str) -> (Package, &str) {
        of(path)
    }

    /// Its name, where it has one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Package::Local | Package::Glue => None,
            Package::Crate(name) | Package::Standard(name) => Some(name),
        }
    }
}

/// The package of a file by its full path, and the part of the path that names it among all packages:
/// `libm-0.2.16/src/math/cbrt.rs`. Such a part starts with the package's folder, which no two packages share.
pub(super) fn of(path: &str) -> (Package, &str) {
    let name = |rest: &str| of_c(path).map_or_else(|| folder_name(rest), |(name, _)| name.to_owned());
    let standard = standard(path).map(|rest| (Package::Standard(name(rest)), rest));
    let glue = || Some((Package::Glue, path.split_once(&format!("/{}/", glue::FOLDER))?.1));
    let found = standard.or_else(|| fetched(path)).or_else(glue);
    found.filter(|(_, rest)| rest.contains('/')).unwrap_or((Package::Local, path))
}

/// What follows the folder of a standard library's source: of a release as the compiler's makers built it, of the source that
/// rustup installs, or of that of a distribution.
fn standard(path: &str) -> Option<&str> {
    if let Some(rest) = path.strip_prefix("/rust/deps/") {
        return Some(rest);
    }
    // The library of AssemblyScript.
    if path.starts_with("~lib/") {
        return Some(path);
    }
    // The headers of libc++, whose templates become code of whoever includes them.
    if let Some(at) = path.find("/c++/v1/") {
        return Some(&path[at + 1..]);
    }
    if let Some((_, at)) = of_c(path) {
        return Some(&path[at..]);
    }
    let is_toolchain = path.starts_with("/rustc/")
        || path.contains("/rustlib/src/rust/library/")
        || path.starts_with("/usr/src/rustc-");
    let (_, rest) = path.split_once("/library/").filter(|_| is_toolchain)?;
    Some(rest.strip_prefix("vendor/").unwrap_or(rest))
}

/// Folders of the sources of C's own libraries, which are linked with their debug information: those of wasi-libc, LLVM and emscripten.
const LIBRARIES_OF_C: [(&str, &str); 8] = [
    ("libc-bottom-half/", "libc"),
    ("libc-top-half/", "libc"),
    ("wasi-libc/", "libc"),
    ("dlmalloc/src/", "libc"),
    ("compiler-rt/lib/", "compiler-rt"),
    ("libcxx/src/", "c++"),
    ("libcxxabi/src/", "c++"),
    ("emscripten/system/lib/", "libc"),
];

/// The library of C that a file is of, and where its path begins there.
fn of_c(path: &str) -> Option<(&'static str, usize)> {
    LIBRARIES_OF_C.iter().find_map(|(folder, name)| Some((*name, path.find(folder)?)))
}

/// What follows the folder that cargo fetches crates into: `registry/src/INDEX`, `git/checkouts/NAME-HASH/REVISION`, or one that a
/// distribution or `cargo vendor` filled.
fn fetched(path: &str) -> Option<(Package, &str)> {
    if let Some((_, rest)) = path.split_once("/git/checkouts/") {
        let (name, _) = rest.split_once('/')?.0.rsplit_once('-')?;
        return Some((Package::Crate(name.to_owned()), rest));
    }
    let in_registry = path.split_once("/registry/src/").and_then(|(_, rest)| Some(rest.split_once('/')?.1));
    let rest = in_registry
        .or_else(|| Some(path.split_once("/share/cargo/registry/")?.1))
        .or_else(|| Some(path.split_once("/vendor/")?.1).filter(|rest| is_crate_folder(rest)))?;
    Some((Package::Crate(folder_name(rest)), rest))
}

/// Whether a path starts with a crate's folder: C projects have folders named `vendor` too.
fn is_crate_folder(rest: &str) -> bool {
    rest.ends_with(".rs") && rest.split('/').nth(1) == Some("src")
}

/// `libm` of `libm-0.2.16/src/lib.rs`.
fn folder_name(rest: &str) -> String {
    let folder = rest.split('/').next().unwrap_or_default();
    // A name may hold dashes and digits, but no part of it is a version: `sha-1-0.10.1` is `sha-1`.
    let is_version = |at: &usize| {
        let version = folder[at + 1..].split('-').next().unwrap_or_default();
        version.starts_with(|c: char| c.is_ascii_digit()) && version.contains('.')
    };
    let version = folder.match_indices('-').map(|(at, _)| at).find(is_version);
    folder[..version.unwrap_or(folder.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fetched_crates_and_the_standard_library_are_told_by_their_folders() {
        let registry = "/home/a/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
        let cases = [
            (format!("{registry}/libm-0.2.16/src/math/cbrt.rs"), "libm", "libm-0.2.16/src/math/cbrt.rs"),
            (format!("{registry}/sha-1-0.10.1/src/lib.rs"), "sha-1", "sha-1-0.10.1/src/lib.rs"),
            (format!("{registry}/a-1.0.0-beta.1/src/lib.rs"), "a", "a-1.0.0-beta.1/src/lib.rs"),
            ("/usr/share/cargo/registry/hex-0.4.3/src/lib.rs".into(), "hex", "hex-0.4.3/src/lib.rs"),
            ("/home/a/p/vendor/hex/src/lib.rs".into(), "hex", "hex/src/lib.rs"),
            ("/h/.cargo/git/checkouts/my-x-0a1b/77ff/src/lib.rs".into(), "my-x", "my-x-0a1b/77ff/src/lib.rs"),
        ];
        for (path, name, rest) in &cases {
            assert_eq!(of(path), (Package::Crate((*name).into()), *rest));
        }
        let cases = [
            ("/rustc/59807616/library/core/src/num/mod.rs", "core", "core/src/num/mod.rs"),
            ("/rust/deps/dlmalloc-0.2.11/src/lib.rs", "dlmalloc", "dlmalloc-0.2.11/src/lib.rs"),
            ("/t/lib/rustlib/src/rust/library/alloc/src/vec/mod.rs", "alloc", "alloc/src/vec/mod.rs"),
            ("/usr/src/rustc-1.85.0/library/std/src/io.rs", "std", "std/src/io.rs"),
            ("/usr/src/rustc-1.85.0/library/vendor/libc-0.2.1/src/x.rs", "libc", "libc-0.2.1/src/x.rs"),
            ("/usr/include/wasm32-wasi/c++/v1/string", "c++", "c++/v1/string"),
            ("./libc-top-half/musl/src/string/memcpy.c", "libc", "libc-top-half/musl/src/string/memcpy.c"),
            ("/b/llvm/compiler-rt/lib/builtins/divti3.c", "compiler-rt", "compiler-rt/lib/builtins/divti3.c"),
        ];
        for (path, name, rest) in cases {
            assert_eq!(of(path), (Package::Standard(name.into()), rest));
        }
    }

    #[test]
    fn other_paths_are_nobodys_else() {
        for path in [
            "/home/a/library/src/lib.rs",
            "/home/a/vendor/musl/src/math/sin.c",
            "/home/a/registry/lib.rs",
            "/home/a/.cargo/registry/src/x",
            "src/lib.rs",
        ] {
            assert_eq!(of(path), (Package::Local, path));
        }
    }
}
