//! Why a call did not return: the place in the user's code, and what the program said. The call is made again by itself.

use dodona_execute::Diagnosis;
use dodona_relations::CallExplanation;
use dodona_subject::build::PANIC_HOOK;
use dodona_subject::{
    CodePoint, Column, DebugInfo, Location, Module, ModuleSource, Outcome, Package, Trap, Type, Value,
};

use crate::{SubjectCaller, Workbench};

/// What is known of a call that did not return, besides its outcome.
#[derive(Debug, Default)]
pub(crate) struct Stopped {
    /// The innermost place in the user's code; if there is none, the place where it stopped. Only with debug information.
    pub(crate) location: Option<String>,
    /// What the program said, in one line; of a call that met a limit, which.
    pub(crate) message: Option<String>,
}

/// Finds out about a call; nothing of one that returned, or that was given up.
pub(crate) fn stopped(workbench: &Workbench, call: &CallExplanation, caller: &mut SubjectCaller) -> Stopped {
    if call.outcome.has_outputs() {
        return Stopped::default();
    }
    let parameters = &workbench.manifest.functions[call.function].parameters;
    let columns: Vec<Column> =
        call.arguments.iter().zip(parameters.iter().map(|p| p.ty)).map(one_row).collect();
    if caller.runner().call(call.function, &columns).is_err() {
        return Stopped::default();
    }
    let places = Places::new(workbench);
    let point = caller.runner().locate_trap(0);
    let own = point.and_then(|point| places.own(point));
    // Backtraces need the module compiled anew, which is worth it only where they tell more.
    let is_elsewhere = own.is_none() && places.debug.is_some();
    let says_more = may_say_more(call.outcome) && has_words(&workbench.module);
    let diagnosis = match is_elsewhere || says_more {
        true => workbench.diagnose(call.function, &columns).unwrap_or_default(),
        false => Diagnosis::default(),
    };
    let location = diagnosis.places.iter().find_map(|point| places.own(*point)).or(own);
    let limit = call.outcome.limit().map(|limit| format!("see [limits] {limit}"));
    Stopped { location: location.or_else(|| places.any(point?)), message: limit.or(diagnosis.message) }
}

fn one_row((value, ty): (&Value, Type)) -> Column {
    let mut column = Column::empty(ty);
    column.push(value);
    column
}

/// Whether the program, or the host, may have said why.
fn may_say_more(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Trapped(Trap::Unreachable | Trap::UnknownImport(_) | Trap::Exit(_) | Trap::Other)
    )
}

/// Folders of the sources of C libraries, which are linked with their debug information: those of wasi-libc, LLVM and emscripten.
const LIBC: [&str; 7] = [
    "libc-bottom-half/",
    "libc-top-half/",
    "wasi-libc/",
    "compiler-rt/lib/",
    "libcxx/src/",
    "libcxxabi/src/",
    "emscripten/system/lib/",
];

fn is_of_libc(file: &str) -> bool {
    LIBC.iter().any(|folder| file.contains(folder))
}

/// Whether a module can say anything: it keeps the messages of panics, or calls the host.
fn has_words(module: &Module) -> bool {
    module.export_function(PANIC_HOOK).is_some() || module.imported_functions() > 0
}

/// The places in the source of a module.
struct Places<'a> {
    workbench: &'a Workbench,
    debug: Option<&'a DebugInfo>,
}

impl<'a> Places<'a> {
    fn new(workbench: &'a Workbench) -> Places<'a> {
        Places { workbench, debug: workbench.debug_info() }
    }

    /// The innermost place in the user's code of those at a code point: where its code comes from, and the calls that were inlined.
    fn own(&self, point: CodePoint) -> Option<String> {
        let debug = self.debug?;
        let offset = self.workbench.module.offset_of(point)?;
        let inlined = debug.inline_instance(offset);
        let calls = inlined.calls.iter().rev().filter_map(|call| call.call.as_ref());
        let mut places = debug.location_at(offset).into_iter().chain(calls);
        let own = places.find(|place| self.is_own(debug.package(place)) && !is_of_libc(&place.file));
        own.map(Location::to_string)
    }

    /// The code of the user: of a crate that is tested as it is, the crate's; else what lies in folders of its own.
    fn is_own(&self, package: &Package) -> bool {
        match &self.workbench.manifest.source {
            ModuleSource::Crate { name, .. } => package.is(name),
            _ => *package == Package::Local,
        }
    }

    fn any(&self, point: CodePoint) -> Option<String> {
        self.debug?.location(&self.workbench.module, point).map(Location::to_string)
    }
}
