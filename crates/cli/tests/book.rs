//! README and book: the console blocks are run as a reader would type them, and print what stands there.
//!
//! The blocks of a page run one after the other in one folder, which holds a copy of `subjects/` and of `tests/cli/`. Other blocks
//! whose fence names a file (` ```c middle.c `) are written there first. In a block, a line `…` stands for any lines, and `…` within a
//! line for any text. What stands below `<!-- needs asc -->`, up to the next heading, is left out where that program is not installed.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{copy, text};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A fenced block of a page.
struct Block {
    /// What stands behind the backticks, such as `console` or `c middle.c`.
    fence: String,
    /// The number of the fence's line, from 1.
    line: usize,
    lines: Vec<String>,
    /// The program without which it is not run.
    needs: Option<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    let mut needs = None;
    for (at, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(fence) => {
                open = true;
                let needs = needs.clone();
                blocks.push(Block { fence: fence.to_owned(), line: at + 1, lines: Vec::new(), needs });
            }
            None if open => blocks.last_mut().expect("one is open").lines.push(line.to_owned()),
            None if line.starts_with('#') => needs = None,
            None => {
                let named = line.strip_prefix("<!-- needs ").and_then(|rest| rest.strip_suffix(" -->"));
                needs = named.map(str::to_owned).or(needs);
            }
        }
    }
    blocks
}

/// Whether a program is in one of the folders; `libc++` is the standard library of C++ for WebAssembly.
fn is_installed(program: &str, path: &str) -> bool {
    if program == "libc++" {
        let found =
            Command::new("clang").args(["--target=wasm32-wasi", "-print-file-name=libc++.a"]).output();
        return found.is_ok_and(|output| Path::new(text(&output.stdout).trim()).is_file());
    }
    std::env::split_paths(path).any(|folder| folder.join(program).is_file())
}

/// The commands of a console block, each with what it prints.
fn commands(block: &Block) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), String::new())),
            (None, Some((_, printed))) => *printed += &(pattern(line) + "\n"),
            (None, None) => panic!("line {}: a console block begins with a command", block.line),
        }
    }
    commands
}

/// The line as a pattern of snapbox.
fn pattern(line: &str) -> String {
    if line.trim() == "…" { "...".to_owned() } else { line.replace('…', "[..]") }
}

/// Runs a page's console blocks. All that differs is told, not only the first.
fn run(page: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["subjects", "tests/cli"] {
        copy(&root().join(part), &folder.path().join(part));
    }
    let program = Path::new(env!("CARGO_BIN_EXE_dodona")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    // Compilers of other languages, where `scripts/setup.sh languages` installs them.
    let languages = common::cached("languages/bin").unwrap_or_default();
    let path = format!("{}:{path}:{}", program.display(), languages.display());
    let source = std::fs::read_to_string(root().join(page)).expect("the page");
    let mut wrong = String::new();
    for block in blocks(&source) {
        if let Some(program) = block.needs.as_ref().filter(|program| !is_installed(program, &path)) {
            common::skipped(&format!("{page}:{}", block.line), &format!("{program} is not installed"));
            continue;
        }
        if let Some((_, file)) = block.fence.split_once(' ') {
            let file = folder.path().join(file);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
            std::fs::write(file, block.lines.join("\n") + "\n").expect("writes");
        }
        if block.fence != "console" {
            continue;
        }
        for (command, printed) in commands(&block) {
            let output = Command::new("sh")
                .args(["-c", &format!("{command} 2>&1")])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("DODONA_PROGRESS", "0")
                .output()
                .expect("a shell runs");
            let assert = snapbox::Assert::new().normalize_paths(false);
            if let Err(difference) = assert.try_eq(None, text(&output.stdout).into(), printed.into()) {
                wrong += &format!("{page}:{} $ {command}\n{difference}\n", block.line);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A test for each page that has console blocks.
macro_rules! pages {
    ($($name:ident $page:literal)*) => {
        const PAGES: &[&str] = &[$($page),*];
        $(#[test] fn $name() { run($page); })*
    };
}

pages! {
    readme "README.md"
    adequacy "book/adequacy.md"
    c_signatures "book/c-signatures.md"
    coverage "book/coverage.md"
    hierarchy "book/hierarchy.md"
    identification "book/identification.md"
    languages "book/languages.md"
    mutation "book/mutation.md"
    proofs "book/proofs.md"
    relations "book/relations.md"
    session "book/session.md"
    sources "book/sources.md"
}

#[test]
fn every_page_with_a_console_block_is_run() {
    let book = std::fs::read_dir(root().join("book")).expect("the book");
    let pages = book.map(|entry| format!("book/{}", entry.expect("an entry").file_name().to_string_lossy()));
    let pages = pages.filter(|page| page.ends_with(".md"));
    let shown = |page: &String| {
        let source = std::fs::read_to_string(root().join(page)).expect("a page");
        blocks(&source).iter().any(|block| block.fence == "console")
    };
    let mut shown: Vec<String> = pages.chain(["README.md".to_owned()]).filter(shown).collect();
    shown.sort();
    let mut run: Vec<&str> = PAGES.to_vec();
    run.sort_unstable();
    assert_eq!(shown, run);
}

#[test]
fn a_transcript_does_not_stand_in_a_block_that_is_not_run() {
    let book = std::fs::read_dir(root().join("book")).expect("the book");
    let pages = book.map(|entry| entry.expect("an entry").path());
    let pages = pages.filter(|page| page.extension().is_some_and(|kind| kind == "md"));
    let pages = pages.chain([root().join("README.md")]);
    for page in pages {
        for block in blocks(&std::fs::read_to_string(&page).expect("a page")) {
            let transcript =
                block.fence != "console" && block.lines.iter().any(|line| line.starts_with("$ "));
            assert!(!transcript, "{}:{}: say `console`, or leave `$` out", page.display(), block.line);
        }
    }
}
