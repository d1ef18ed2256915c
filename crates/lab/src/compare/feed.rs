//! How source inputs of a function go into relations.
//!
//! A variable takes the column of the parameter that it is bound to. Where two variables are bound to one parameter, the first takes
//! it; that one, and variables of other functions, are drawn at random as in a check.

use dodona_evidence::SectionKind;
use dodona_relations::Relation;
use dodona_sources::{Sampler, Seed};
use dodona_subject::Column;

pub(super) use dodona_mutation::suite::{Kind, Suite};
use dodona_workbench::DistinctInputs;
use dodona_workbench::plan::BATCH_ROWS;
use dodona_workbench::reach::{Reach, called};
use dodona_workbench::sources::samplers;
use dodona_workbench::{LabError, Workbench};

/// The relations that can be fed with inputs of a function: those of these names, or all.
pub(super) fn relations(
    workbench: &Workbench,
    function: usize,
    names: &[String],
    warnings: &mut Vec<String>,
) -> Result<Vec<usize>, LabError> {
    let mut relations = workbench.select(names)?;
    let declared = &workbench.manifest.functions[function].name;
    relations.retain(|&index| {
        let relation = &workbench.relations[index].relation;
        let takes = takes(relation, function);
        if !takes && (!names.is_empty() || called(relation).any(|f| f == function)) {
            let name = relation.name();
            warnings.push(format!(
                "relation `{name}` is left out: no variable of it takes an input of `{declared}`"
            ));
        }
        takes
    });
    match relations.is_empty() {
        true => Err(LabError::NoRelations(format!(
            "no relation has a variable that takes an input of `{declared}`; a comparison needs one that holds for it"
        ))),
        false => Ok(relations),
    }
}

/// Whether a relation calls the function with a variable of its parameters.
fn takes(relation: &Relation, function: usize) -> bool {
    called(relation).any(|f| f == function) && feeds(relation, function).iter().any(Option::is_some)
}

/// For each variable the parameter whose column it takes.
fn feeds(relation: &Relation, function: usize) -> Vec<Option<usize>> {
    let mut taken = Vec::new();
    let feed = |variable: &dodona_relations::Variable| {
        let is_fed = variable.function == function && !taken.contains(&variable.parameter);
        is_fed.then(|| {
            taken.push(variable.parameter);
            variable.parameter
        })
    };
    relation.variables().iter().map(feed).collect()
}

/// The tests of a comparison: every input through every group of every relation. A group is a section, so that the number of a
/// test in its section is that of its input.
pub(super) fn suite(
    workbench: &Workbench,
    function: usize,
    relations: &[usize],
    pool: &DistinctInputs,
    seed: Seed,
) -> Result<Suite, LabError> {
    let mut suite = Suite::of(relations);
    let mut reach = Reach::of(workbench);
    for &relation in relations {
        let loaded = &workbench.relations[relation];
        let fed = Fed {
            relation: &loaded.relation,
            feeds: feeds(&loaded.relation, function),
            samplers: samplers(workbench, loaded)?,
        };
        for group in 0..loaded.relation.group_count() {
            let runs = reach.of_relation(&loaded.relation);
            let section = suite.section(SectionKind::Relation, loaded.relation.name(), runs);
            for start in (0..pool.len()).step_by(BATCH_ROWS) {
                let rows = BATCH_ROWS.min(pool.len() - start);
                let columns = fed.columns(pool, start, rows, seed);
                suite.push(Kind::Groups { relation, group }, columns, rows, section);
            }
        }
    }
    Ok(suite)
}

struct Fed<'a> {
    relation: &'a Relation,
    feeds: Vec<Option<usize>>,
    samplers: Vec<Sampler>,
}

impl Fed<'_> {
    /// The columns of some inputs, one a variable.
    fn columns(&self, pool: &DistinctInputs, start: usize, rows: usize, seed: Seed) -> Vec<Column> {
        let chosen: Vec<u32> = (start as u32..(start + rows) as u32).collect();
        let variables = self.relation.variables().iter().zip(&self.feeds).zip(&self.samplers);
        let column =
            |((variable, feed), sampler): ((&dodona_relations::Variable, &Option<usize>), &Sampler)| {
                match feed {
                    Some(parameter) => pool.columns()[*parameter].select(&chosen),
                    None => {
                        let stream = format!("{}/{}", self.relation.name(), variable.name);
                        sampler.column(&mut seed.stream(&stream, (start / BATCH_ROWS) as u64), rows)
                    }
                }
            };
        variables.map(column).collect()
    }
}
