//! What pieces of work depend on.

use std::collections::{BTreeMap, BTreeSet};

use dodona_session::{Key, KeyBuilder};
use dodona_subject::{DebugInfo, Function};
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
}

impl<'a> Depends<'a> {
    /// Nothing is computed yet.
    pub fn new(workbench: &'a Workbench, options: &'a RunOptions) -> Depends<'a> {
        let source = SourceLines::from(workbench.folder().to_owned());
        let debug = workbench.target.module.debug_info();
        Depends { workbench, options, debug, source, code: BTreeMap::new(), lines: BTreeMap::new() }
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
        let key = with_code(key, &target.module, &functions).key();
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

    /// A relation, with the code of the functions that it calls.
    pub fn relation(&mut self, loaded: &LoadedRelation) -> Key {
        let mut key = KeyBuilder::new("relation").with(loaded.relation.text());
        for function in called(&loaded.relation).collect::<BTreeSet<usize>>() {
            key = key.with(self.code(function).bytes());
        }
        key.key()
    }
}

/// How a function is declared: what its calls and its inputs depend on, and not where its relations are.
fn declared(function: &Function) -> String {
    let Function { signature, export, arguments, lowerings, result, .. } = function;
    format!("{signature:?} {export} {arguments:?} {lowerings:?} {result:?}")
}
