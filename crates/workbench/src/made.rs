//! How source inputs that were made for a function are used by relations.
//!
//! A variable takes the column of the parameter that it is bound to. If two variables are bound to one parameter, the first
//! takes the column. The second, and variables of other functions, are drawn at random, as in a check.

use dodona_relations::{Relation, Variable};
use dodona_sources::{Sampler, Seed};
use dodona_target::Column;

use crate::plan::BATCH_ROWS;
use crate::relations::called;
use crate::variables::of_variable;
use crate::{LabError, LoadedRelation, Workbench};

/// Inputs that were made for a function under test.
#[derive(Clone, Debug)]
pub struct MadeInputs {
    /// The function, by its index.
    pub function: usize,
    /// The name of the technique.
    pub technique: String,
    /// One column for each parameter.
    pub columns: Vec<Column>,
}

/// Whether a relation calls a function, by its index, and has a variable that takes a parameter of it.
pub fn takes(relation: &Relation, function: usize) -> bool {
    called(relation).any(|f| f == function) && relation.variables().iter().any(|v| v.function == function)
}

/// Where the values of a variable come from.
enum Feed {
    /// The column of this parameter.
    Parameter(usize),
    /// Drawn at random.
    Drawn(Box<Sampler>),
}

/// A relation that takes inputs of a function.
pub struct Fed<'a> {
    relation: &'a Relation,
    feeds: Vec<Feed>,
}

impl<'a> Fed<'a> {
    /// A relation with the inputs of a function, by its index.
    ///
    /// # Errors
    /// When nothing can be drawn for one of the other variables.
    pub fn of(
        workbench: &Workbench,
        loaded: &'a LoadedRelation,
        function: usize,
    ) -> Result<Fed<'a>, LabError> {
        let mut taken = Vec::new();
        let feed = |(index, variable): (usize, &Variable)| {
            if variable.function == function && !taken.contains(&variable.parameter) {
                taken.push(variable.parameter);
                return Ok(Feed::Parameter(variable.parameter));
            }
            of_variable(workbench, &loaded.relation, index).map(|sampler| Feed::Drawn(Box::new(sampler)))
        };
        let feeds = loaded.relation.variables().iter().enumerate().map(feed).collect::<Result<_, _>>()?;
        Ok(Fed { relation: &loaded.relation, feeds })
    }

    /// The source inputs of the relation, one column for each variable, for some rows of the inputs. The rows are a batch that
    /// begins at `start`.
    pub fn columns(&self, inputs: &[Column], start: usize, rows: usize, seed: Seed) -> Vec<Column> {
        let chosen: Vec<u32> = (start as u32..(start + rows) as u32).collect();
        let column = |(variable, feed): (&Variable, &Feed)| match feed {
            Feed::Parameter(parameter) => inputs[*parameter].select(&chosen),
            Feed::Drawn(sampler) => {
                let stream = format!("{}/{}", self.relation.name(), variable.name);
                sampler.column(&mut seed.stream(&stream, (start / BATCH_ROWS) as u64), rows)
            }
        };
        self.relation.variables().iter().zip(&self.feeds).map(column).collect()
    }
}
