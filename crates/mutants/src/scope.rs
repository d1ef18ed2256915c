//! Which functions of a module are mutated, and whose code in them.
//!
//! Callees in the subject's own source are mutated too, because the exported wrapper of a library function contains little code. They
//! come before other callees, so that a mutant keeps its number when more callees are added.

use std::collections::BTreeSet;
use std::path::Path;

use dodona_subject::{
    CodePoint, DebugInfo, Function, Location, Manifest, Module, ModuleSource, Package, reachable,
};

use crate::code_under_test::{CodeUnderTest, Named};
use crate::owner::{Owner, is_runtime_function};
use crate::source::source_paths;
use crate::{Artefact, SourceFiles};

/// Whether the functions that a function under test calls are mutated too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Callees {
    /// Only the functions under test themselves. Where the manifest names a crate, the functions of that crate that they reach: what
    /// is exported is generated glue.
    Left,
    /// Also the functions of the module that they can reach and whose source lies in the manifest's folder: not those of
    /// libraries.
    #[default]
    WithSource,
    /// Also every function of the module that they can reach, but for those of the languages' own libraries, which have to be named.
    Included,
    /// Also the code that they can reach of these crates and parts of the standard library, or in functions of the module of these
    /// names.
    Named(Vec<String>),
}

impl Callees {
    fn name(&self, package: &Package) -> bool {
        matches!(self, Callees::Named(names) if names.iter().any(|name| package.is(name)))
    }

    fn name_function(&self, module: &Module, function: u32) -> bool {
        matches!(self, Callees::Named(names) if names.contains(&module.function_name(function)))
    }

    /// Whether the code of a crate other than the one under test is mutated.
    fn take(&self, package: &Package) -> bool {
        *self == Callees::Included || self.name(package)
    }
}

/// For each instruction of a function when its mutants are numbered, or why it has none.
pub(crate) type Stages = Vec<Result<u8, Artefact>>;

/// The code of a module that is mutated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The functions: first those under test, then what they reach and has its source in the manifest's folder, then the rest, each in
    /// the module's order. Where the manifest names a crate, first those that hold code of it.
    pub functions: Vec<u32>,
    /// Whose code in them.
    code: Code,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Code {
    /// All of it.
    Whole,
    Of {
        subject: CodeUnderTest,
        /// The functions whose own code is numbered first, and second.
        first: BTreeSet<u32>,
        second: BTreeSet<u32>,
        callees: Callees,
    },
}

/// The order in which mutants are numbered: those of the code under test, of its callees with source, and of other code. So a mutant
/// has the same number with more callees.
pub(crate) const STAGES: u8 = 3;

impl Scope {
    /// These functions, whoever's code is in them.
    pub fn whole(functions: Vec<u32>) -> Scope {
        Scope { functions, code: Code::Whole }
    }

    /// The functions under test, with their callees where asked for. The entry of a command only sets up the process,
    /// so a command's callees are always in scope: those whose source is at hand, where there are any, and not those of
    /// libraries. Sources are looked for around the manifest's folder.
    pub fn of(module: &Module, functions: &[Function], callees: &Callees, manifest: &Manifest) -> Scope {
        let mut scope = match Named::of(manifest) {
            Named::Folder => Scope::of_local(module, functions, callees, manifest),
            Named::Crate(_) | Named::CalledByGlue => Scope::of_crate(module, functions, callees, manifest),
        };
        scope.functions.retain(|function| *function >= module.imported_functions());
        scope
    }

    fn of_local(module: &Module, functions: &[Function], callees: &Callees, manifest: &Manifest) -> Scope {
        let (own, commands) = (roots(module, functions, false), roots(module, functions, true));
        let mut second = match commands.is_empty() {
            true => BTreeSet::new(),
            false => of_commands(module, &commands, manifest),
        };
        let called = if *callees == Callees::Left { BTreeSet::new() } else { reachable(module, &own) };
        if *callees != Callees::Left {
            second.extend(own_source(module, &called, manifest.folder()));
        }
        let mut functions: Vec<u32> = own.iter().chain(second.difference(&own)).copied().collect();
        let debug = if functions.len() < called.len() { module.debug_info() } else { None };
        let more = called.iter().copied().filter(|f| !own.contains(f) && !second.contains(f));
        functions.extend(more.filter(|&f| is_asked_for(module, debug.as_ref(), callees, f)));
        let subject = CodeUnderTest::of(module, None, manifest);
        let code = Code::Of { subject, first: own, second, callees: callees.clone() };
        Scope { functions, code }
    }

    /// The functions that hold code of a crate, and then those that hold other code that is asked for.
    fn of_crate(module: &Module, functions: &[Function], callees: &Callees, manifest: &Manifest) -> Scope {
        let roots = [false, true].into_iter().flat_map(|commands| roots(module, functions, commands));
        let called = reachable(module, &roots.collect());
        let Some(debug) = module.debug_info() else {
            return Scope::whole(named_by_subject(module, &called, manifest));
        };
        let subject = CodeUnderTest::of(module, Some(&debug), manifest);
        let holds = |function: u32, wanted: &dyn Fn(&Package) -> bool| {
            debug.locations(module, function).any(|place| wanted(debug.package(place)))
        };
        let (first, rest): (BTreeSet<u32>, BTreeSet<u32>) =
            called.into_iter().partition(|&f| holds(f, &|package| subject.owns(package)));
        let mut functions: Vec<u32> = first.iter().copied().collect();
        functions.extend(rest.into_iter().filter(|&f| is_asked_for(module, Some(&debug), callees, f)));
        let code = Code::Of { subject, first, second: BTreeSet::new(), callees: callees.clone() };
        Scope { functions, code }
    }

    /// The crates whose code is under test in place of that of the crate that the manifest names, which re-exports it.
    pub fn stand_ins(&self) -> Vec<&str> {
        match &self.code {
            Code::Whole => Vec::new(),
            Code::Of { subject, .. } => subject.stand_ins().collect(),
        }
    }

    /// Why a function is not mutated that those under test reach.
    pub fn why_left(&self, module: &Module, debug: Option<&DebugInfo>, function: u32) -> String {
        let home = debug.map_or(&Package::Local, |debug| home(module, debug, function));
        match home {
            Package::Standard(_) => Artefact::Standard.to_string(),
            Package::Glue => Artefact::Glue.to_string(),
            _ => match module.function_name(function) {
                name if is_runtime_function(&name) => {
                    "it manages memory or writes text; --callees=NAME mutates it too".to_owned()
                }
                _ => "a callee; --callees mutates it too".to_owned(),
            },
        }
    }

    /// When the mutants of an instruction are numbered, or why there are none. `home` is the package that the function itself
    /// belongs to.
    pub(crate) fn stage(&self, function: u32, home: &Package, owner: Owner<'_>) -> Result<u8, Artefact> {
        let Code::Of { subject, first, second, callees } = &self.code else { return Ok(0) };
        let of_function = || match (first.contains(&function), second.contains(&function)) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        };
        match (owner, &subject.named) {
            (Owner::Package(package), _) if subject.owns(package) => Ok(of_function()),
            (Owner::Nobody, Named::Folder) => Ok(of_function()),
            (Owner::Nobody, Named::Crate(_) | Named::CalledByGlue) => Err(Artefact::NoPlace),
            // A function of a library that is itself under test.
            (Owner::Package(package), Named::Folder) if package == home && first.contains(&function) => Ok(0),
            (Owner::Package(Package::Glue | Package::Local), _) => Err(Artefact::Glue),
            (Owner::Package(package @ Package::Crate(_)), _) => match callees.take(package) {
                true => Ok(2),
                false => Err(Artefact::Library),
            },
            (Owner::Package(package) | Owner::Runtime(package), _) if callees.name(package) => Ok(2),
            (Owner::Package(_), _) => Err(Artefact::Standard),
            (Owner::Runtime(_), _) => Err(Artefact::Runtime),
        }
    }
}

/// The functions that are the subject's own by their names, where nothing else tells: the compiler of AssemblyScript begins the name of a function with its file.
/// Those of its library begin otherwise, and the glue is a file of its own.
fn named_by_subject(module: &Module, functions: &BTreeSet<u32>, manifest: &Manifest) -> Vec<u32> {
    if !matches!(manifest.source, ModuleSource::AssemblyScript(_)) {
        return Vec::new();
    }
    let is_own = |function: &u32| {
        let name = module.function_name(*function);
        let is_of_compiler = name.starts_with('~') || name.ends_with("~visit");
        name.contains('/') && !is_of_compiler && !name.contains("dodona-glue/")
    };
    functions.iter().copied().filter(is_own).collect()
}

/// The functions of the module that are under test: of commands, or the others.
fn roots(module: &Module, functions: &[Function], commands: bool) -> BTreeSet<u32> {
    let wanted = functions.iter().filter(move |f| f.is_command() == commands);
    wanted.filter_map(|f| module.export_function(&f.export)).collect()
}

/// Whether a function that is reached is mutated because the callees asked for include it.
fn is_asked_for(module: &Module, debug: Option<&DebugInfo>, callees: &Callees, function: u32) -> bool {
    match callees {
        Callees::Left | Callees::WithSource => false,
        Callees::Included => {
            let home = debug.map(|debug| home(module, debug, function));
            !matches!(home, Some(Package::Standard(_)))
                && !is_runtime_function(&module.function_name(function))
        }
        Callees::Named(_) => {
            let holds = |debug: &DebugInfo| {
                debug.locations(module, function).any(|place| callees.name(debug.package(place)))
            };
            callees.name_function(module, function) || debug.is_some_and(holds)
        }
    }
}

/// The package that a function belongs to, whatever is inlined into it.
pub(crate) fn home<'d>(module: &Module, debug: &'d DebugInfo, function: u32) -> &'d Package {
    let start = module.offset_of(CodePoint { function, instruction: 0 });
    let own = start.and_then(|start| {
        let instance = debug.inline_instance(start);
        let outermost = instance.calls.first().and_then(|call| call.call.as_ref());
        outermost.or_else(|| debug.location_at(start))
    });
    own.map_or(&Package::Local, |place| debug.package(place))
}

/// What commands reach: the functions whose source is at hand, or all where none is.
fn of_commands(module: &Module, commands: &BTreeSet<u32>, manifest: &Manifest) -> BTreeSet<u32> {
    let reached = reachable(module, commands);
    let mut sources = SourceFiles::new(manifest.folder());
    let near = located(module, &reached, |debug, location| {
        *debug.package(location) == Package::Local && sources.file(debug, location).is_some()
    });
    if near.is_empty() { reached } else { near }
}

/// Those of some functions whose source lies in a folder.
fn own_source(module: &Module, functions: &BTreeSet<u32>, folder: &Path) -> BTreeSet<u32> {
    // A manifest may be named by a path with `..` in it, or by way of a link.
    let Ok(folder) = folder.canonicalize() else { return BTreeSet::new() };
    located(module, functions, |debug, location| {
        let mut paths = source_paths(debug, location).into_iter().map(|path| folder.join(path));
        let file = paths.find(|path| path.is_file()).and_then(|path| path.canonicalize().ok());
        *debug.package(location) == Package::Local && file.is_some_and(|file| file.starts_with(&folder))
    })
}

/// Those of some functions whose place in the source is wanted; none without debug information.
fn located(
    module: &Module,
    functions: &BTreeSet<u32>,
    mut wanted: impl FnMut(&DebugInfo, &Location) -> bool,
) -> BTreeSet<u32> {
    if functions.is_empty() {
        return BTreeSet::new();
    }
    let Some(debug) = module.debug_info() else { return BTreeSet::new() };
    let mut is_wanted = |function: &u32| {
        let first = debug.location(module, CodePoint { function: *function, instruction: 0 });
        first.is_some_and(|location| wanted(&debug, location))
    };
    functions.iter().copied().filter(|function| is_wanted(function)).collect()
}
