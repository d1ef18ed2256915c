//! Runs composite relations on the inputs of the search (section 3.3.3).

use std::collections::HashMap;

use dodona_inference::composition::{Composed, Composite, Counts, Evaluator};
use dodona_relations::{Program, Relation, Variable, Verdict, Violation};
use dodona_target::{Column, Until};
use dodona_workbench::{LabError, SubjectCaller, Workbench, samplers};

use crate::relation_of;

use super::ComposeOptions;

/// Runs composite relations on the same inputs.
pub(super) struct Runs<'a> {
    workbench: &'a Workbench,
    options: &'a ComposeOptions,
    until: &'a Until,
    caller: SubjectCaller,
    /// The values of each variable that was drawn. The key has the parameter for which it is drawn, and its name.
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

    fn counts(&mut self, Composed { composite, checked }: &Composed) -> Result<Counts, LabError> {
        let verdicts = self.verdicts(checked)?;
        let count = |is: fn(Verdict) -> bool| verdicts.iter().filter(|verdict| is(**verdict)).count() as u32;
        let failing = self.failing(composite, &verdicts)?;
        Ok(Counts { eligible: count(Verdict::is_eligible) - failing, holds: count(Verdict::holds), failing })
    }

    fn verdicts(&mut self, relation: &Relation) -> Result<Vec<Verdict>, LabError> {
        let columns = self.columns(relation)?;
        let program = Program::compile(relation, self.workbench.functions());
        Ok(program.evaluate(0, &columns, &mut self.caller)?)
    }

    /// The number of inputs on which the relation is violated only because an inner call fails.
    fn failing(&mut self, composite: &Composite, verdicts: &[Verdict]) -> Result<u32, LabError> {
        let fails = |verdict: &Verdict| matches!(verdict, Verdict::Violated(Violation::FollowUp(_)));
        let Some(lenient) = composite.lenient.as_ref().filter(|_| verdicts.iter().any(fails)) else {
            return Ok(0);
        };
        let loaded = relation_of::load(lenient, self.workbench.functions())?;
        let lenient = self.verdicts(&loaded.relation)?;
        let pairs = verdicts.iter().zip(lenient);
        Ok(pairs.filter(|(verdict, lenient)| fails(verdict) && lenient.holds()).count() as u32)
    }

    /// The inputs. A variable with the same name and parameter has the same values in every relation.
    fn columns(&mut self, relation: &Relation) -> Result<Vec<Column>, LabError> {
        let key = |v: &Variable| (v.function, v.parameter, v.name.clone());
        let variables = relation.variables();
        if variables.iter().any(|v| !self.drawn.contains_key(&key(v))) {
            for (variable, sampler) in variables.iter().zip(samplers(self.workbench, relation)?) {
                let function = &self.workbench.functions()[variable.function].name;
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

    fn evaluate(&mut self, relations: &[Composed]) -> Result<Vec<Counts>, LabError> {
        let mut counts = Vec::with_capacity(relations.len());
        for relation in relations {
            match self.counts(relation) {
                // A relation that was not run counts as not holding. The search asks whether it has to end before it goes on.
                Err(error) if error.is_stopped() => break,
                counted => counts.push(counted?),
            }
            self.tried += 1;
        }
        (self.told)(self.tried);
        counts.resize(relations.len(), Counts::default());
        Ok(counts)
    }

    fn is_over(&mut self) -> bool {
        !self.until.goes_on()
    }
}
