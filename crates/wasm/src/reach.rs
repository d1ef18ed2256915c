//! Which functions of the module the calls of functions under test can run.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use dodona_relations::Relation;
use dodona_subject::{Argument, reachable};

use dodona_workbench::called;

use crate::Workbench;

/// The functions of the module that calls of these functions under test can run.
pub fn runs(workbench: &Workbench, functions: impl IntoIterator<Item = usize>) -> BTreeSet<u32> {
    let declared = &workbench.target.manifest.functions;
    let exports = functions.into_iter().map(|f| declared[f].export.as_str());
    let roots = exports.filter_map(|export| workbench.target.module.export_function(export)).collect();
    let pointers = declared.iter().flat_map(|f| &f.arguments).filter_map(|argument| match argument {
        Argument::FunctionPointer(export) => workbench.target.module.export_function(export),
        _ => None,
    });
    // A function that is passed as a pointer is called through the table.
    let with_pointers = pointers.chain(reachable(&workbench.target.module, &roots)).collect();
    reachable(&workbench.target.module, &with_pointers)
}

/// The functions that relations can run, computed once for all relations that call the same functions under test.
pub struct Reach<'a> {
    workbench: &'a Workbench,
    known: HashMap<BTreeSet<usize>, Arc<BTreeSet<u32>>>,
}

impl<'a> Reach<'a> {
    /// Nothing is known yet.
    pub fn of(workbench: &'a Workbench) -> Reach<'a> {
        Reach { workbench, known: HashMap::new() }
    }

    /// The functions of the module that the calls of a relation can run.
    pub fn of_relation(&mut self, relation: &Relation) -> Arc<BTreeSet<u32>> {
        let functions: BTreeSet<usize> = called(relation).collect();
        let workbench = self.workbench;
        let found = self.known.entry(functions);
        Arc::clone(found.or_insert_with_key(|functions| Arc::new(runs(workbench, functions.iter().copied()))))
    }
}
