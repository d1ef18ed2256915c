//! The keys of a run's pieces: code, source lines, relations, domains and counterexamples that their results depend on.

use std::collections::{BTreeMap, BTreeSet};

use dodona_session::{Key, KeyBuilder};
use dodona_sources::regressions;
use dodona_subject::{Argument, DebugInfo, Function};
use dodona_wasm::{Workbench, runs};
use dodona_workbench::{LoadedRelation, called};

use crate::RunOptions;
use crate::code::{SourceLines, with_beginning, with_code, with_lines};

/// What pieces of a subject depend on, computed once for each function.
pub struct Depends<'a> {
    workbench: &'a Workbench,
    options: &'a RunOptions,
    debug: Option<DebugInfo>,
    source: SourceLines,
    code: BTreeMap<usize, Key>,
    lines: BTreeMap<usize, Key>,
    counterexamples: Option<Key>,
}

impl<'a> Depends<'a> {
    /// Nothing is computed yet.
    pub fn new(workbench: &'a Workbench, options: &'a RunOptions) -> Depends<'a> {
        let source = SourceLines::from(workbench.folder().to_owned());
        let debug = workbench.target.module.debug_info();
        Depends {
            workbench,
            options,
            debug,
            source,
            code: BTreeMap::new(),
            lines: BTreeMap::new(),
            counterexamples: None,
        }
    }

    /// The code that calls of a function under test can run, with how it is called and what its inputs are.
    pub fn code(&mut self, function: usize) -> Key {
        if let Some(known) = self.code.get(&function) {
            return *known;
        }
        let target = &self.workbench.target;
        let key = KeyBuilder::new("code").with(declared(&target.manifest.functions[function]));
        let key = key.with(format!("{:?} {:?}", target.manifest.limits, target.manifest.allocator));
        let allocator = target.manifest.allocator.as_deref();
        let functions = with_beginning(&target.module, allocator, runs(self.workbench, [function]));
        let declared = &target.manifest.functions[function];
        let pointers = declared.arguments.iter().filter_map(|argument| match argument {
            Argument::FunctionPointer(export) => Some(export.as_str()),
            _ => None,
        });
        let exports = std::iter::once(declared.export.as_str()).chain(pointers);
        let entries: Vec<u32> = exports.filter_map(|name| target.module.export_function(name)).collect();
        let key = with_code(key, &target.module, &functions, &entries).key();
        self.code.insert(function, key);
        key
    }

    /// The same code with the source lines that it is from.
    pub fn lines(&mut self, function: usize) -> Key {
        if let Some(known) = self.lines.get(&function) {
            return *known;
        }
        let code = self.code(function);
        let key = KeyBuilder::new("lines").with(code.bytes());
        let functions: BTreeSet<u32> = runs(self.workbench, [function]);
        let module = &self.workbench.target.module;
        let key = with_lines(key, module, self.debug.as_ref(), &functions, &mut self.source).key();
        self.lines.insert(function, key);
        key
    }

    /// The beginning of the key of a kind of work: what all of it depends on.
    pub fn begin(&self, kind: &str) -> KeyBuilder {
        let RunOptions { seed, version, .. } = self.options;
        KeyBuilder::new(kind).with(version).with(seed.0.to_le_bytes())
    }

    /// A relation, with the code and the source lines of the functions that it calls, for its check names places, and with the domains that its variables are drawn from.
    pub fn relation(&mut self, loaded: &LoadedRelation) -> Key {
        let mut key = KeyBuilder::new("relation").with(loaded.relation.text());
        for function in called(&loaded.relation).collect::<BTreeSet<usize>>() {
            key = key.with(self.lines(function).bytes());
        }
        for variable in loaded.relation.variables() {
            key = key.with(declared(&self.workbench.target.manifest.functions[variable.function]));
        }
        key.key()
    }

    /// The counterexamples that are kept beside the manifest, which each check runs first.
    pub fn counterexamples(&mut self) -> Key {
        let kept = self.workbench.folder().join(regressions::FOLDER);
        *self.counterexamples.get_or_insert_with(|| files_of(&kept))
    }
}

/// The names and contents of all files of a folder.
pub fn files_of(folder: &std::path::Path) -> Key {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files: BTreeSet<std::path::PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| is_of_subject(path)).collect();
    let with = |key: KeyBuilder, file: &std::path::PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        key.with(name).with(std::fs::read(file).unwrap_or_default())
    };
    files.iter().fold(KeyBuilder::new("files"), with).key()
}

/// Whether a file may be one that a subject consists of: what shards are written to is none.
fn is_of_subject(path: &std::path::Path) -> bool {
    path.is_file() && path.extension().is_none_or(|end| end != "shard")
}

/// How a function is declared: what its calls and its inputs depend on, and not where its relations are.
fn declared(function: &Function) -> String {
    let Function { signature, export, arguments, lowerings, result, .. } = function;
    format!("{signature:?} {export} {arguments:?} {lowerings:?} {result:?}")
}
