//! Why a call did not return: the place in the user's code, and what the program said. The call is made again by itself.

use crate::execute::{Diagnosis, Runner};
use dodona_subject::build::{self, PANIC_HOOK};
use dodona_subject::{CodePoint, CrateHome, CrateSource, DebugInfo, Location, Module, ModuleSource, Package};
use dodona_target::{Column, Ending, Outcome, Trap};

use crate::WasmTarget;

/// Finds out about a call, which is made again; nothing of one that is given up.
pub(crate) fn ending(
    target: &WasmTarget,
    runner: &mut Runner,
    function: usize,
    arguments: &[Column],
    outcome: Outcome,
) -> Ending {
    if runner.call(function, arguments).is_err() {
        return Ending::default();
    }
    let places = Places { target, debug: target.debug_info() };
    let point = runner.locate_trap(0);
    let own = point.and_then(|point| places.own(point));
    // Backtraces need the module compiled anew, which is worth it only where they tell more.
    let is_elsewhere = own.is_none() && places.debug.is_some();
    let says_more = may_say_more(outcome) && has_words(&target.module);
    let diagnosis = match is_elsewhere || says_more {
        true => target.diagnose(function, arguments).unwrap_or_default(),
        false => Diagnosis::default(),
    };
    let location = diagnosis.places.iter().find_map(|point| places.own(*point)).or(own);
    let limit = outcome.limit().map(|limit| format!("see [limits] {limit}"));
    Ending { location: location.or_else(|| places.any(point?)), message: limit.or(diagnosis.message) }
}

/// Whether the program, or the host, may have said why.
fn may_say_more(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Trapped(Trap::Unreachable | Trap::UnknownImport(_) | Trap::Exit(_) | Trap::Other)
    )
}

/// Whether a module can say anything: it keeps the messages of panics, or calls the host.
fn has_words(module: &Module) -> bool {
    module.export_function(PANIC_HOOK).is_some() || module.imported_functions() > 0
}

/// The places in the source of a module.
struct Places<'a> {
    target: &'a WasmTarget,
    debug: Option<&'a DebugInfo>,
}

impl Places<'_> {
    /// The innermost place in the user's code of those at a code point: where its code comes from, and the calls that were inlined.
    fn own(&self, point: CodePoint) -> Option<String> {
        let debug = self.debug?;
        let offset = self.target.module.offset_of(point)?;
        let inlined = debug.inline_instance(offset);
        let calls = inlined.calls.iter().rev().filter_map(|call| call.call.as_ref());
        let mut places = debug.location_at(offset).into_iter().chain(calls);
        let own = places.find(|place| self.is_own(debug.package(place)));
        own.map(Location::to_string)
    }

    /// The code of the user: of a crate that is tested as it is, the crate's; else what lies in folders of its own.
    fn is_own(&self, package: &Package) -> bool {
        match &self.target.manifest.source {
            ModuleSource::Crate(CrateSource { package: name, home: CrateHome::Registry(_), .. }) => {
                package.is(name)
            }
            _ => *package == Package::Local,
        }
    }

    /// The place as the compiler has it; of generated glue that nobody wrote, the code in the manifest.
    fn any(&self, point: CodePoint) -> Option<String> {
        let place = self.debug?.location(&self.target.module, point)?;
        Some(match build::called_in(&place.file) {
            Some(function) => format!("line {} of the `call` of {function}", place.line),
            None => place.to_string(),
        })
    }
}
