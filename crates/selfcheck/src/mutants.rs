//! The mutants of a subject, each as a module of its own.

use dodona_mutants::{Callees, Describer, Form, MOST_INSTRUCTIONS, Mutant, Mutants, Plan, Scope, alone};
use dodona_target::Column;
use dodona_wasm::Workbench;
use dodona_wasm::execute::{Executable, Options};

use crate::counts::Defect;
use crate::seen::Seen;

/// The mutants of a subject with what makes them.
pub struct MutantsOfSubject<'w> {
    workbench: &'w Workbench,
    /// The mutants, as mutation analysis makes them.
    pub all: Mutants<'w>,
}

impl<'w> MutantsOfSubject<'w> {
    /// All mutants, callees included, numbered as mutation analysis numbers them.
    pub fn of(workbench: &'w Workbench) -> MutantsOfSubject<'w> {
        let (module, manifest) = (&workbench.target.module, &workbench.target.manifest);
        let scope = Scope::of(module, &manifest.functions, &Callees::Included, manifest);
        let mut describer = Describer::new(workbench.target.debug_info(), manifest.folder());
        MutantsOfSubject {
            workbench,
            all: Mutants::generate(module, &scope, MOST_INSTRUCTIONS, &mut describer),
        }
    }

    /// Mutants as versions in one module.
    pub fn plan(&self, mutants: &[&Mutant]) -> Plan {
        Plan::new(&self.workbench.target.module, &self.all, mutants, Form::default())
    }

    /// The number of a mutant, its operator, and the code before and after the change.
    pub fn name(&self, mutant: &Mutant) -> String {
        let description = &mutant.changes[0].description;
        format!("{} ({} {} -> {})", mutant.id, mutant.operator, description.before, description.after)
    }

    /// What the mutant does as a module of its own, without fuel and places: they are those of other code.
    ///
    /// # Errors
    /// When the mutant is no valid module, or cannot be run.
    pub fn seen_alone(&self, mutant: &Mutant, inputs: &[Column]) -> Result<Seen, Defect> {
        let fails =
            |what: &dyn std::fmt::Display| Defect::new(format!("{} alone: {what}", self.name(mutant)));
        let module =
            alone(&self.workbench.target.module, &self.all, mutant).map_err(|error| fails(&error))?;
        let options = Options { limits: self.workbench.target.manifest.limits, ..Options::default() };
        let functions = &self.workbench.target.manifest.functions;
        let executable = Executable::load(&module, functions, &options).map_err(|error| fails(&error))?;
        let calls = executable.runner().call(0, inputs).map_err(|error| fails(&error))?;
        let rows = calls.outcomes.len();
        Ok(Seen::of(&calls, &vec![0; rows], vec![None; rows]))
    }

    /// What the original does, in the same form.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn seen_original(&self, inputs: &[Column]) -> Result<Seen, Defect> {
        let calls = self.workbench.target.executable.runner().call(0, inputs);
        let calls = calls.map_err(|error| Defect::new(error.to_string()))?;
        let rows = calls.outcomes.len();
        Ok(Seen::of(&calls, &vec![0; rows], vec![None; rows]))
    }
}
