//! Whether what is proved depends on the random source.

use dodona_subject::{ImportKind, Module, reachable};

use dodona_wasm::{Workbench, runs};

/// The exported function that a WASI reactor runs before its first call.
const INITIALIZE: &str = "_initialize";

/// Whether calls of these functions under test can ask for random bytes. Every run gets the same bytes, so what is proved of such a
/// function is proved for those bytes alone.
pub fn can_ask_for_random_bytes(workbench: &Workbench, functions: impl IntoIterator<Item = usize>) -> bool {
    let module = &workbench.target.module;
    let Some(random_get) = random_get(module) else { return false };
    let set_up = module.export_function(INITIALIZE);
    runs(workbench, functions).contains(&random_get)
        || set_up.is_some_and(|root| reachable(module, &[root].into()).contains(&random_get))
}

/// The index of the imported function of WASI that gives random bytes.
fn random_get(module: &Module) -> Option<u32> {
    let functions = module.imports().iter().filter(|import| matches!(import.kind, ImportKind::Function(_)));
    (0..).zip(functions).find(|(_, import)| import.name == "random_get").map(|(index, _)| index)
}
