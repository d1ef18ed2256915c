//! What compilers say of the files that they read: rules for make, and clang's list of the folders where it looks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};

/// The files that a rule for make names behind its target, as clang's `-MD` and cargo write them: words end at spaces, spaces within
/// words stand behind a backslash.
pub(super) fn prerequisites(rule: &[u8], target: &str) -> BTreeSet<PathBuf> {
    let start = rule.find(format!("{target}:")).map_or(rule.len(), |at| at + target.len() + 1);
    // Cargo writes further lines for other targets; clang ends lines within the rule with a backslash.
    let mut words = vec![Vec::new()];
    let mut rest = &rule[start..];
    while let Some((&byte, after)) = rest.split_first() {
        let word = words.last_mut().expect("there is always a last word");
        let (taken, skipped) = match (byte, after) {
            (b'\\', [b'\n', ..]) => (None, 2),
            (b'\\', [b'\r', b'\n', ..]) => (None, 3),
            (b'\\', [next @ (b' ' | b'#'), ..]) => (Some(*next), 2),
            (b'$', [b'$', ..]) => (Some(b'$'), 2),
            (b'\n', _) => break,
            (b' ' | b'\t' | b'\r', _) => (None, 1),
            _ => (Some(byte), 1),
        };
        match taken {
            Some(byte) => word.push(byte),
            None => words.push(Vec::new()),
        }
        rest = &rest[skipped..];
    }
    words.iter().filter(|word| !word.is_empty()).filter_map(|word| path(word)).collect()
}

fn path(bytes: &[u8]) -> Option<PathBuf> {
    bytes.to_path().ok().map(Path::to_owned)
}

/// The folders in which clang looks for headers, in its order, as `-v` shows them; those that do not exist come first.
pub(super) fn header_folders(said: &str) -> Vec<PathBuf> {
    let ignored = said.lines().filter_map(|line| {
        line.strip_prefix("ignoring nonexistent directory \"")?.strip_suffix('"').map(PathBuf::from)
    });
    let listed = said.lines().skip_while(|line| !line.starts_with("#include \"...\" search starts here:"));
    let listed = listed.take_while(|line| !line.starts_with("End of search list."));
    ignored.chain(listed.filter_map(|line| line.strip_prefix(' ').map(PathBuf::from))).collect()
}

/// Paths without a file at which a header would be found earlier than one that was read: the same words of an `#include` behind the
/// folders that are searched before, or behind the folder of the including file.
pub(super) fn shadows(read: &BTreeSet<PathBuf>, folders: &[PathBuf], base: &Path) -> BTreeSet<PathBuf> {
    let including: BTreeSet<&Path> = read.iter().filter_map(|path| path.parent()).collect();
    let mut found = BTreeSet::new();
    for path in read {
        for (place, folder) in folders.iter().enumerate() {
            let Ok(words) = path.strip_prefix(folder) else { continue };
            let before = folders[..place].iter().map(PathBuf::as_path).chain(including.iter().copied());
            found.extend(
                before.filter(|before| *before != folder).filter_map(|before| missing(before, words, base)),
            );
        }
    }
    found
}

/// The shortest path towards a file that is not there; nothing where the file is.
pub(super) fn missing(folder: &Path, words: &Path, base: &Path) -> Option<PathBuf> {
    let mut path = folder.to_owned();
    let is_there = |path: &Path| base.join(path).symlink_metadata().is_ok();
    if !is_there(&path) {
        return Some(path);
    }
    words.components().find_map(|part| {
        path.push(part);
        (!is_there(&path)).then(|| path.clone())
    })
}

/// What a source asks the preprocessor or the assembler for besides `#include`, of which no compiler writes a rule.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The words of `__has_include`.
    pub(super) headers: BTreeSet<PathBuf>,
    /// Something that cannot be followed.
    pub(super) untold: Option<&'static str>,
}

/// Looks for these in the text of a source or header.
pub(super) fn asked(text: &[u8]) -> Asked {
    let mut asked = Asked::default();
    if text.find(".incbin").is_some() {
        asked.untold = Some("the assembler's .incbin");
    }
    if text.find("__has_").is_none() && text.find("\\\n").is_none() {
        return asked;
    }
    let code = code_of(text);
    for at in code.find_iter("__has_") {
        let rest = &code[at + "__has_".len()..];
        let Some(rest) = rest.strip_prefix(b"include") else {
            // A name that is pasted together may be any.
            let is_name = rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            if !is_name {
                asked.untold = Some("a name that a macro puts together");
            }
            continue;
        };
        // Whether there is such a question at all, and a definition for compilers without it, ask for no header.
        let before = code[..at].trim_end();
        let before = before.strip_suffix(b"(").map_or(before, |before| before.trim_end());
        if ["define", "undef", "ifdef", "ifndef", "defined"]
            .iter()
            .any(|word| before.ends_with(word.as_bytes()))
        {
            continue;
        }
        let rest = rest.strip_prefix(b"_next").unwrap_or(rest).trim_start();
        let words = rest.strip_prefix(b"(").and_then(|rest| quoted(rest.trim_start().as_bstr()));
        match words {
            Some(words) => drop(asked.headers.insert(words)),
            None => asked.untold = Some("__has_include of a macro"),
        }
    }
    asked
}

/// A source without comments, and with its continued lines in one.
fn code_of(text: &[u8]) -> Vec<u8> {
    let spliced = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut code = Vec::with_capacity(spliced.len());
    let mut rest = spliced.as_slice();
    while let Some(first) = rest.first() {
        let end = match first {
            b'/' if rest.starts_with(b"/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'/' if rest.starts_with(b"//") => rest.find_byte(b'\n').unwrap_or(rest.len()),
            // A text may hold what looks like a comment.
            b'"' => {
                let end = rest
                    .iter()
                    .skip(1)
                    .position(|byte| matches!(byte, b'"' | b'\n'))
                    .map_or(rest.len(), |end| end + 2);
                code.extend_from_slice(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            other => {
                code.push(*other);
                rest = &rest[1..];
                continue;
            }
        };
        code.push(b' ');
        rest = &rest[end..];
    }
    code
}

/// The words between the quotes or brackets that a text begins with.
fn quoted(text: &BStr) -> Option<PathBuf> {
    let end = match text.first()? {
        b'"' => b'"',
        b'<' => b'>',
        _ => return None,
    };
    let words = &text[1..];
    path(&words[..words.find_byte(end)?])
}

/// The words of a command as clang shows it: those with odd characters stand in quotes, with backslashes before `"`, `\` and `$`.
pub(super) fn shown_words(said: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = said.chars();
    while let Some(c) = characters.next() {
        let word = words.last_mut().expect("there is always a last word");
        match c {
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => word.extend(characters.next()),
            ' ' | '\n' if !is_quoted => words.push(String::new()),
            _ => word.push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(names: &[&str]) -> BTreeSet<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn rules_of_clang_and_of_cargo_are_read() {
        let clang = b"0.o: f.c ../inc/a.h \\\n  with\\ space.h \\\n  100$$/\\#1.h \"q\".h\n";
        let read = paths(&["f.c", "../inc/a.h", "with space.h", "100$/#1.h", "\"q\".h"]);
        assert_eq!(prerequisites(clang, "0.o"), read);
        let cargo = b"/cache/a\\ b/k.wasm: /c/src/lib.rs /c/a\\ b.txt\n\n/other: /x\n";
        assert_eq!(prerequisites(cargo, ".wasm"), paths(&["/c/src/lib.rs", "/c/a b.txt"]));
        assert_eq!(prerequisites(b"0.o:\n", "0.o"), paths(&[]));
        assert_eq!(prerequisites(b"garbage", "0.o"), paths(&[]));
    }

    #[test]
    fn folders_of_headers_are_those_that_clang_lists() {
        let said = "clang -cc1 version 14\nignoring nonexistent directory \"../nope\"\n#include \"...\" search starts here:\n ../quoted\n\
                    #include <...> search starts here:\n ../inc\n /usr/include\nEnd of search list.\n f.c:1:1: note\n";
        let folders = ["../nope", "../quoted", "../inc", "/usr/include"].map(PathBuf::from);
        assert_eq!(header_folders(said), folders);
        assert_eq!(header_folders("clang: error"), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_header_is_shadowed_in_folders_before_its_own_and_beside_the_source() {
        let folder = tempfile::tempdir().expect("a folder");
        for made in ["src", "first", "second/sys"] {
            std::fs::create_dir_all(folder.path().join(made)).expect("made");
        }
        let read = paths(&["src/f.c", "second/a.h", "second/sys/b.h"]);
        let folders = ["nope", "first", "second", "third"].map(PathBuf::from);
        let shadows = shadows(&read, &folders, folder.path());
        let expected =
            ["nope", "first/a.h", "first/sys", "src/a.h", "src/sys", "second/sys/a.h", "second/sys/sys"];
        assert_eq!(shadows, paths(&expected));
    }

    #[test]
    fn what_else_a_source_asks_for_is_found() {
        let text = b"#if defined(__has_include) && __has_include(\"config.h\")\n# elif __has_include_next ( <sys/x.h> )\n";
        assert_eq!(asked(text), Asked { headers: paths(&["config.h", "sys/x.h"]), untold: None });
        assert!(asked(b"#if __has_include(CONFIG)").untold.is_some());
        let defined = b"#ifndef __has_include\n#define __has_include(...) 0\n#endif\n";
        assert_eq!(asked(defined), Asked::default());
        assert_eq!(
            asked(b"#ifdef __has_include\n#endif /* __has_include */\n#if __has_builtin(x)\n"),
            Asked::default()
        );
        let config = || Asked { headers: paths(&["config.h"]), untold: None };
        for text in [
            "#if __has_include/* c */(\"config.h\")",
            "#if \\\n __has_include \\\n (\"config.h\")",
            "#if __has_\\\r\ninclude(\"config.h\") // \"x",
        ] {
            assert_eq!(asked(text.as_bytes()), config(), "{text}");
        }
        for text in ["#define HAS __has_include\n", "CAT(__has_,include)(X)"] {
            assert!(asked(text.as_bytes()).untold.is_some(), "{text}");
        }
        assert!(asked(b"__asm__(\".incbin \\\"x.bin\\\"\");").untold.is_some());
        assert_eq!(asked(b"int f(void);"), Asked::default());
    }

    #[test]
    fn commands_that_clang_shows_are_taken_apart() {
        let said = " \"/usr/bin/wasm-ld\" -m wasm32 \"-L../a b\" \"q\\\"x\\$\\\\.o\" -lm\n";
        assert_eq!(shown_words(said), ["/usr/bin/wasm-ld", "-m", "wasm32", "-L../a b", "q\"x$\\.o", "-lm"]);
    }
}
