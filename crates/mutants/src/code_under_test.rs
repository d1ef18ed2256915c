//! Whose code is under test.
//!
//! Of a subject in a folder it is what lies there. Of a crate it is the crate's, in whatever function of the module that is. Many crates are mere façades: they
//! re-export the functions of others (`num` those of `num-integer`). Where a function under test reaches no code of the crate that the manifest names, the crates
//! whose code it reaches first stand in.

use std::collections::BTreeSet;

use dodona_subject::{
    CrateHome, CrateSource, DebugInfo, Manifest, Module, ModuleSource, Package, called_by, reachable,
};

/// Whose code is under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeUnderTest {
    pub(crate) named: Named,
    /// The crates that stand in for the one that the manifest names.
    stand_ins: BTreeSet<String>,
}

/// What the manifest puts under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// What lies beside the manifest.
    Folder,
    /// A crate of the registry, by its name.
    Crate(String),
    /// A crate in a folder, C, or AssemblyScript, called through glue.
    CalledByGlue,
}

impl Named {
    pub(crate) fn of(manifest: &Manifest) -> Named {
        match &manifest.source {
            ModuleSource::Crate(CrateSource { package, home: CrateHome::Registry(_), .. }) => {
                Named::Crate(package.clone())
            }
            ModuleSource::Crate(_) => Named::CalledByGlue,
            ModuleSource::C(source) if source.has_calls() => Named::CalledByGlue,
            ModuleSource::AssemblyScript(_) => Named::CalledByGlue,
            _ => Named::Folder,
        }
    }
}

impl CodeUnderTest {
    /// What a manifest puts under test of its module. Without debug information nothing tells which crates stand in.
    pub fn of(module: &Module, debug: Option<&DebugInfo>, manifest: &Manifest) -> CodeUnderTest {
        let mut code = CodeUnderTest { named: Named::of(manifest), stand_ins: BTreeSet::new() };
        if let Some(debug) = debug.filter(|_| code.named != Named::Folder) {
            let exports = manifest.functions.iter().filter_map(|f| module.export_function(&f.export));
            code.stand_ins = exports.flat_map(|export| code.reached_first(module, debug, export)).collect();
        }
        code
    }

    /// Whether the code of a package is under test.
    pub fn owns(&self, package: &Package) -> bool {
        let is_named = match (&self.named, package) {
            (Named::Folder | Named::CalledByGlue, Package::Local) => true,
            (Named::Crate(name), Package::Crate(_)) => package.is(name),
            _ => false,
        };
        is_named || matches!(package, Package::Crate(name) if self.stand_ins.contains(name))
    }

    /// The crates that stand in for the one that the manifest names, because some function under test reaches no code of it.
    pub fn stand_ins(&self) -> impl Iterator<Item = &str> {
        self.stand_ins.iter().map(String::as_str)
    }

    /// The crates whose code an export reaches with the fewest calls; none if it reaches code of the crate that the manifest names.
    fn reached_first(&self, module: &Module, debug: &DebugInfo, export: u32) -> BTreeSet<String> {
        let packages = |function: u32| debug.locations(module, function).map(|place| debug.package(place));
        let all = reachable(module, &[export].into());
        if all.iter().any(|&function| packages(function).any(|package| self.owns(package))) {
            return BTreeSet::new();
        }
        let (mut seen, mut level) = (BTreeSet::new(), BTreeSet::from([export]));
        while !level.is_empty() {
            let crates: BTreeSet<String> = level
                .iter()
                .flat_map(|&function| packages(function))
                .filter_map(|package| match package {
                    Package::Crate(name) => Some(name.clone()),
                    _ => None,
                })
                .collect();
            if !crates.is_empty() {
                return crates;
            }
            seen.extend(level.iter().copied());
            let next: BTreeSet<u32> =
                level.iter().flat_map(|&function| called_by(module, function)).collect();
            level = next.difference(&seen).copied().collect();
        }
        BTreeSet::new()
    }
}
