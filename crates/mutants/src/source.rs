//! The source text that locations point into.

pub(crate) mod language;
pub(crate) mod parse;
pub(crate) mod tokens;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use dodona_subject::{DebugInfo, Location, Package};

use language::Language;
use parse::{Node, on_line};
use tokens::{Token, tokens};

/// Source files, each read once. What cannot be found or read is left out: nothing here fails.
#[derive(Debug, Default)]
pub struct SourceFiles {
    folder: PathBuf,
    files: HashMap<String, Option<Rc<SourceFile>>>,
}

/// A source file.
#[derive(Debug)]
pub struct SourceFile {
    /// Its text.
    pub text: String,
    /// Its language, as far as it matters.
    pub(crate) language: Language,
    tokens: Vec<Token>,
    lines: Vec<Range<usize>>,
    /// The expressions on the lines asked for so far.
    expressions: RefCell<HashMap<u32, Rc<Vec<Node>>>>,
}

impl SourceFile {
    fn new(name: &str, text: String) -> SourceFile {
        let language = Language::of(name);
        let tokens = tokens(&text, language);
        let mut start = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            start += line.len();
            start - line.len()..start
        });
        let lines = lines.collect();
        SourceFile { text, language, tokens, lines, expressions: RefCell::default() }
    }

    /// A line, counted from 1, without what stands around its text.
    pub fn line(&self, line: u32) -> Option<&str> {
        let range = self.lines.get(line.checked_sub(1)? as usize)?;
        Some(self.text[range.clone()].trim())
    }

    /// The outermost expressions on a line.
    pub(crate) fn expressions(&self, line: u32) -> Rc<Vec<Node>> {
        let parse = || Rc::new(on_line(&self.text, &self.tokens, self.language, line));
        self.expressions.borrow_mut().entry(line).or_insert_with(parse).clone()
    }
}

impl SourceFiles {
    /// For a subject whose manifest lies in this folder: files that are not where they were compiled are
    /// looked for there and in the folders around it.
    pub fn new(folder: &Path) -> SourceFiles {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        SourceFiles { folder, files: HashMap::new() }
    }

    /// The file of a location.
    pub fn file(&mut self, debug: &DebugInfo, location: &Location) -> Option<Rc<SourceFile>> {
        if let Some(known) = self.files.get(&location.file) {
            return known.clone();
        }
        let text = self.candidates(debug, location).iter().find_map(|path| read(path));
        let file = text.map(|text| Rc::new(SourceFile::new(&location.file, text)));
        self.files.insert(location.file.clone(), file.clone());
        file
    }

    fn candidates(&self, debug: &DebugInfo, location: &Location) -> Vec<PathBuf> {
        let recorded = source_paths(debug, location);
        if *debug.package(location) != Package::Local || !is_moved(debug) {
            return recorded;
        }
        let mut paths: Vec<_> = recorded.iter().filter(|p| p.is_absolute()).cloned().collect();
        let relative = recorded.iter().filter(|p| p.is_relative());
        paths.extend(relative.flat_map(|p| self.folder.ancestors().map(move |folder| folder.join(p))));
        // Compiled elsewhere, and moved here with its manifest.
        paths.extend(Path::new(&location.file).file_name().map(|name| self.folder.join(name)));
        paths
    }
}

/// Where the file of a place may lie, as [`DebugInfo::source_paths`] has it.
pub(crate) fn source_paths(debug: &DebugInfo, location: &Location) -> Vec<PathBuf> {
    let mut paths = debug.source_paths(location);
    if paths.len() > 1 && !is_moved(debug) {
        paths.truncate(1);
    }
    paths
}

/// Whether a module was compiled elsewhere. Where its files are in the folder that it was compiled in it was not: a file that is not
/// there is of a library that was compiled elsewhere, and no file of the subject that happens to have the same name.
fn is_moved(debug: &DebugInfo) -> bool {
    !debug.relative_files().any(|path| path.is_absolute() && path.is_file())
}

/// The text of a file; of none that is no file or unreasonably large.
fn read(path: &Path) -> Option<String> {
    const MOST: u64 = 16 << 20;
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > MOST {
        return None;
    }
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
