//! Runs composite relations on the inputs of the search (section 3.3.3).

use std::collections::HashMap;

use dodona_evolution::composition::{Composite, Counts, Evaluator};
use dodona_relations::ast::{File, Name, Relation};
use dodona_relations::{Variable, Verdict};
use dodona_subject::Column;
use dodona_workbench::sources::samplers;
use dodona_workbench::{LabError, LoadedRelation, SubjectCaller, Until, Workbench};

use super::ComposeOptions;

/// Runs composite relations, all of them on the same inputs.
pub(super) struct Runs<'a> {
    workbench: &'a Workbench,
    options: &'a ComposeOptions,
    until: &'a Until,
    caller: SubjectCaller,
    /// The values of each variable that was drawn, by the parameter that it is drawn for and its name.
    drawn: HashMap<(usize, usize, String), Column>,
    tried: u64,
    told: &'a mut dyn FnMut(u64),
}

impl<'a> Runs<'a> {
    pub(super) fn new(
        workbench: &'a Workbench,
        options: &'a ComposeOptions,
        until: &'a Until,
        told: &'a mut dyn FnMut(u64),
    ) -> Runs<'a> {
        let caller = workbench.caller().until(until);
        Runs { workbench, options, until, caller, drawn: HashMap::new(), tried: 0, told }
    }

    fn counts(&mut self, relation: &LoadedRelation) -> Result<Counts, LabError> {
        let columns = self.columns(relation)?;
        let verdicts = relation.program.evaluate(0, &columns, &mut self.caller)?;
        let count = |is: fn(Verdict) -> bool| verdicts.iter().filter(|verdict| is(**verdict)).count() as u32;
        Ok(Counts {
            eligible: count(Verdict::is_eligible),
            holds: count(|verdict| verdict == Verdict::Holds),
        })
    }

    /// The inputs: a variable of the same name and parameter has the same values in every relation.
    fn columns(&mut self, relation: &LoadedRelation) -> Result<Vec<Column>, LabError> {
        let key = |v: &Variable| (v.function, v.parameter, v.name.clone());
        let variables = relation.relation.variables();
        if variables.iter().any(|v| !self.drawn.contains_key(&key(v))) {
            for (variable, sampler) in variables.iter().zip(samplers(self.workbench, relation)?) {
                let function = &self.workbench.manifest.functions[variable.function].name;
                let stream =
                    format!("composition inputs of {function}/{}/{}", variable.parameter, variable.name);
                let rows = self.options.inputs as usize;
                let column = sampler.column(&mut self.options.seed.stream(&stream, 0), rows);
                self.drawn.entry(key(variable)).or_insert(column);
            }
        }
        Ok(variables.iter().map(|v| self.drawn[&key(v)].clone()).collect())
    }
}

impl Evaluator for Runs<'_> {
    type Error = LabError;

    fn evaluate(&mut self, composites: &[Composite]) -> Result<Vec<Counts>, LabError> {
        let relations = composites.iter().enumerate().map(|(place, composite)| numbered(composite, place));
        let loaded = self.workbench.with_relations(&File { relations: relations.collect() }.to_string())?;
        let mut counts = Vec::with_capacity(composites.len());
        for relation in &loaded.relations {
            match self.counts(relation) {
                // What was not run does not hold. The search asks whether it is over before it goes on.
                Err(error) if error.is_stopped() => break,
                counted => counts.push(counted?),
            }
            self.tried += 1;
        }
        (self.told)(self.tried);
        counts.resize(composites.len(), Counts::default());
        Ok(counts)
    }

    fn is_over(&mut self) -> bool {
        !self.until.goes_on()
    }
}

/// The relation under a name that no other relation of the same file has.
fn numbered(composite: &Composite, place: usize) -> Relation {
    Relation { name: Name::new(format!("composite_{place}")), ..composite.relation.clone() }
}
