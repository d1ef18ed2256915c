//! Steps of the filter (section 7 of GenMorph): new source inputs, and a search for a counterexample.
//!
//! The search minimises the distance between the sides of a comparison, as branch distance does, for each part of a conjunction; after it
//! symbolic execution is tried. An input that refutes a relation joins the executions of its transformation.

use dodona_generation::generate;
use dodona_sources::{Seed, Xoshiro256PlusPlus, with_special_characters};
use dodona_target::{Column, Parameter, Sampling, Signature, Type, Value};
use dodona_workbench::inputs::{columns, eligible, sampler};
use dodona_workbench::{LabError, LoadedRelation, SubjectCaller, Workbench, plan::BATCH_ROWS};

use crate::margin::margin;
use crate::near::{neighbours, row_of};
use crate::tuning::{
    FIRST_SAMPLED, FIRST_VERDICTS, LEAST_SEARCH_ROUNDS, SAMPLES_WITH_SPECIAL_CHARACTERS, SEARCH_JUDGED,
    SEARCH_KEPT, SEARCH_NEIGHBOURS, SEARCH_ROUNDS, SPECIAL_OTHERS, SPECIAL_SCALARS, WIDE_AT_ONCE,
    WIDE_OTHERS, WIDE_SCALARS,
};
use crate::watch::TestPace;

/// The results of a relation on source inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct RelationRun {
    /// Groups on which it held.
    pub(crate) held: u64,
    /// Groups to which it does not apply.
    pub(crate) ineligible: u64,
    /// The first source input that violates it, with one value for each parameter.
    pub(crate) refuted: Option<Vec<Value>>,
    /// Whether it was given up before it was run on all inputs asked for.
    pub(crate) is_cut: bool,
}

impl RelationRun {
    /// This run with the groups of an earlier run added.
    pub(crate) fn after(self, before: &RelationRun) -> RelationRun {
        let (held, ineligible) = (self.held + before.held, self.ineligible + before.ineligible);
        RelationRun { held, ineligible, ..self }
    }
}

/// Runs a relation of one function on source inputs that no search has seen.
pub(crate) struct FreshInputs<'a> {
    pub(crate) workbench: &'a Workbench,
    pub(crate) function: usize,
    pub(crate) seed: Seed,
}

/// How many inputs are drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleSize {
    pub(crate) rows: u64,
    /// The fewest inputs on which a relation is run when there is no time for all.
    pub(crate) least: u64,
}

impl FreshInputs<'_> {
    fn declared(&self) -> &Signature {
        &self.workbench.functions()[self.function]
    }

    /// Runs a relation on inputs drawn as samples are, on inputs of special values, on samples with special characters in their texts,
    /// and on some inputs from the whole domain. Ends when an input violates the relation, or when `pace` is over and the least number of samples were run.
    pub(super) fn run(
        &self,
        relation: &LoadedRelation,
        size: SampleSize,
        caller: &mut SubjectCaller,
        pace: &TestPace<'_>,
    ) -> Result<RelationRun, LabError> {
        let SampleSize { rows, least } = size;
        let mut ran = RelationRun::default();
        caller.session().end_at(pace.until());
        let mut drawn = rows.min(FIRST_SAMPLED as u64);
        self.sampled(relation, 0, drawn, caller, &mut ran)?;
        self.special_values(relation, caller, &mut ran)?;
        self.special_characters(relation, caller, &mut ran)?;
        self.wide(relation, caller, pace, &mut ran)?;
        for chunk in 1.. {
            let is_enough = drawn >= rows || (drawn >= least && pace.is_over());
            if ran.refuted.is_some() || ran.is_cut || is_enough {
                break;
            }
            let next = (rows - drawn).min(BATCH_ROWS as u64);
            drawn += next;
            self.sampled(relation, chunk, next, caller, &mut ran)?;
        }
        if ran.is_cut {
            pace.was_given_up();
        }
        Ok(ran)
    }

    fn sampled(
        &self,
        relation: &LoadedRelation,
        chunk: u64,
        rows: u64,
        caller: &mut SubjectCaller,
        ran: &mut RelationRun,
    ) -> Result<(), LabError> {
        let drawn = self.drawn(chunk, rows as usize, |p| p.sampling.clone(), "fresh")?;
        self.verdicts(relation, &drawn, caller, ran)
    }

    /// Runs a relation on inputs whose values are all favoured or special ones.
    fn special_values(
        &self,
        relation: &LoadedRelation,
        caller: &mut SubjectCaller,
        ran: &mut RelationRun,
    ) -> Result<(), LabError> {
        let rows = if self.has_scalars_only() { SPECIAL_SCALARS } else { SPECIAL_OTHERS };
        let favoured = |p: &Parameter| Sampling { favour_rate: Some(1.0), ..p.sampling.clone() };
        let drawn = self.drawn(0, rows, favoured, "special")?;
        self.verdicts(relation, &drawn, caller, ran)
    }

    /// Runs a relation on some samples with special characters in their texts.
    fn special_characters(
        &self,
        relation: &LoadedRelation,
        caller: &mut SubjectCaller,
        ran: &mut RelationRun,
    ) -> Result<(), LabError> {
        let function = self.declared();
        let drawn = self.drawn(0, SAMPLES_WITH_SPECIAL_CHARACTERS, |p| p.sampling.clone(), "fresh")?;
        let rows = 0..drawn.first().map_or(0, Column::len);
        let samples = rows.map(|row| row_of(&drawn, row));
        let special: Vec<Vec<Value>> = samples.flat_map(|values| special(function, &values)).collect();
        let inputs = eligible(function, vec![columns(function, special.iter().map(Vec::as_slice))]).pop();
        self.verdicts(relation, &inputs.unwrap_or_default(), caller, ran)
    }

    fn wide(
        &self,
        relation: &LoadedRelation,
        caller: &mut SubjectCaller,
        pace: &TestPace<'_>,
        ran: &mut RelationRun,
    ) -> Result<(), LabError> {
        let rows = if self.has_scalars_only() { WIDE_SCALARS } else { WIDE_OTHERS };
        let drawn = self.drawn(0, rows, |_| Sampling::default(), "wide")?;
        let rows: Vec<u32> = (0..drawn.first().map_or(0, Column::len) as u32).collect();
        for (turn, rows) in rows.chunks(WIDE_AT_ONCE).enumerate() {
            if ran.refuted.is_some() || ran.is_cut || (turn > 0 && pace.is_over()) {
                break;
            }
            let some: Vec<Column> = drawn.iter().map(|column| column.select(rows)).collect();
            self.verdicts(relation, &some, caller, ran)?;
        }
        Ok(())
    }

    fn has_scalars_only(&self) -> bool {
        self.declared().parameters.iter().all(|p| matches!(p.ty, Type::Scalar(_)))
    }

    fn drawn(
        &self,
        chunk: u64,
        rows: usize,
        sampling: impl Fn(&Parameter) -> Sampling,
        stream: &str,
    ) -> Result<Vec<Column>, LabError> {
        let function = self.declared();
        let mut drawn = Vec::new();
        for parameter in &function.parameters {
            let sampler = sampler(function, parameter, &sampling(parameter))?;
            let name = format!("{stream} inputs of {}/{}", function.name, parameter.name);
            drawn.push(sampler.column(&mut self.seed.stream(&name, chunk), rows));
        }
        Ok(eligible(function, vec![drawn]).pop().unwrap_or_default())
    }

    /// Adds the results of a relation on these inputs to `ran`; there is one column for each parameter.
    fn verdicts(
        &self,
        relation: &LoadedRelation,
        inputs: &[Column],
        caller: &mut SubjectCaller,
        ran: &mut RelationRun,
    ) -> Result<(), LabError> {
        let rows: Vec<u32> = (0..inputs.first().map_or(0, Column::len) as u32).collect();
        let (mut rest, mut size) = (&rows[..], FIRST_VERDICTS);
        while !rest.is_empty() && ran.refuted.is_none() {
            let slice;
            (slice, rest) = rest.split_at(size.min(rest.len()));
            size *= 4;
            let some: Vec<Column> = inputs.iter().map(|column| column.select(slice)).collect();
            match self.slice(relation, &some, caller, ran) {
                Err(error) if error.is_stopped() => {
                    ran.is_cut = true;
                    return Ok(());
                }
                ended => ended?,
            }
        }
        Ok(())
    }

    fn slice(
        &self,
        relation: &LoadedRelation,
        inputs: &[Column],
        caller: &mut SubjectCaller,
        ran: &mut RelationRun,
    ) -> Result<(), LabError> {
        let verdicts = relation.program.evaluate(0, &by_variable(relation, inputs), caller)?;
        for (row, verdict) in verdicts.iter().enumerate() {
            match verdict {
                v if v.is_violation() => {
                    ran.refuted = Some(row_of(inputs, row));
                    return Ok(());
                }
                v if v.is_eligible() => ran.held += 1,
                _ => ran.ineligible += 1,
            }
        }
        Ok(())
    }

    /// Runs a relation on given source inputs, with one column for each parameter.
    pub(super) fn run_on(
        &self,
        relation: &LoadedRelation,
        inputs: &[Column],
        caller: &mut SubjectCaller,
        pace: &TestPace<'_>,
    ) -> Result<RelationRun, LabError> {
        let mut ran = RelationRun::default();
        caller.session().end_at(pace.until());
        self.verdicts(relation, inputs, caller, &mut ran)?;
        if ran.is_cut {
            pace.was_given_up();
        }
        Ok(ran)
    }

    /// At most `count` new inputs that are far from each other, with one column for each parameter.
    pub(super) fn adaptive(&self, count: usize) -> Result<Vec<Column>, LabError> {
        generate::far_apart(self.declared(), count, self.seed)
    }

    /// Searches near some source inputs for an input that violates a relation. Each step brings the two sides of a comparison
    /// nearer to a violation, as branch distance does in search-based testing.
    pub(super) fn search(
        &self,
        relation: &LoadedRelation,
        starts: &[Vec<Value>],
        caller: &mut SubjectCaller,
        pace: &TestPace<'_>,
    ) -> Result<RelationRun, LabError> {
        let mut rng = self.seed.stream(&format!("counterexample of {}", relation.relation.text()), 0);
        let mut ran = RelationRun::default();
        let mut kept: Vec<(f64, Vec<Value>)> = starts.iter().map(|s| (f64::INFINITY, s.clone())).collect();
        caller.session().end_at(pace.until());
        for round in 0..SEARCH_ROUNDS {
            if kept.is_empty() || (round >= LEAST_SEARCH_ROUNDS && pace.is_over()) {
                break;
            }
            let near = self.near(&kept, &mut rng);
            let inputs = columns(self.declared(), near.iter().map(Vec::as_slice));
            self.verdicts(relation, &inputs, caller, &mut ran)?;
            if ran.refuted.is_some() || ran.is_cut {
                break;
            }
            match self.judged(relation, near, &mut rng, caller) {
                Err(error) if error.is_stopped() => {
                    ran.is_cut = true;
                    break;
                }
                judged => kept.extend(judged?),
            }
            // The nearest of all rounds go on, so that no step leads away from a violation.
            kept.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            kept.dedup();
            kept.truncate(SEARCH_KEPT);
        }
        if ran.is_cut {
            pace.was_given_up();
        }
        Ok(ran)
    }

    fn near(&self, kept: &[(f64, Vec<Value>)], rng: &mut Xoshiro256PlusPlus) -> Vec<Vec<Value>> {
        let each = (SEARCH_NEIGHBOURS * SEARCH_KEPT).div_ceil(kept.len());
        kept.iter().flat_map(|(_, values)| neighbours(self.declared(), values, each, rng)).collect()
    }

    /// A random sample of inputs, with their distances from a violation; each is evaluated alone.
    fn judged(
        &self,
        relation: &LoadedRelation,
        near: Vec<Vec<Value>>,
        rng: &mut Xoshiro256PlusPlus,
        caller: &mut SubjectCaller,
    ) -> Result<Vec<(f64, Vec<Value>)>, LabError> {
        let sample = crate::near::sample(near, SEARCH_JUDGED * SEARCH_KEPT, rng);
        let distance = |values: Vec<Value>| {
            let explained = relation.program.explain(0, &values_by_variable(relation, &values), caller)?;
            Ok((margin(&explained), values))
        };
        sample.into_iter().map(distance).collect()
    }
}

/// An input with special characters in each of its texts.
fn special(function: &Signature, values: &[Value]) -> Vec<Vec<Value>> {
    let mut inputs = Vec::new();
    for (at, (parameter, value)) in function.parameters.iter().zip(values).enumerate() {
        let Value::Text(bytes) = value else { continue };
        for text in with_special_characters(&parameter.domain, &String::from_utf8_lossy(bytes)) {
            let mut input = values.to_vec();
            input[at] = Value::Text(text.into_bytes().into());
            inputs.push(input);
        }
    }
    inputs
}

/// The columns of a relation's variables, taken from the columns of the function's parameters.
pub(crate) fn by_variable(relation: &LoadedRelation, inputs: &[Column]) -> Vec<Column> {
    relation.relation.variables().iter().map(|v| inputs[v.parameter].clone()).collect()
}

/// The values of a relation's variables, taken from the values of the function's parameters.
pub(crate) fn values_by_variable(relation: &LoadedRelation, values: &[Value]) -> Vec<Value> {
    relation.relation.variables().iter().map(|v| values[v.parameter].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Watch;
    use dodona_subject::Manifest;
    use dodona_target::{Interruption, Sequence};
    use dodona_workbench::Relations;

    /// About one random input in 14,000 violates it: the mean has to be little below -53, and the first of the numbers great.
    const OF_MEAN: &str =
        "relation mean: when meanOf(values) < -53: meanOf(remove(values, 1)) <= meanOf(values) ^ 2";

    #[test]
    fn a_search_keeps_a_condition_on_a_mean_on_its_way() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/genmorph");
        let workbench = dodona_wasm::open(Manifest::find(&folder).expect("a manifest")).expect("it opens");
        let relations = Relations::of_text(OF_MEAN, workbench.functions());
        let relation = relations.expect("valid").all.remove(0);
        let function = workbench.function("meanOf").expect("it is there");
        let start = |items: &[i128]| vec![Value::Sequence(Sequence::Int(items.to_vec()))];
        let starts = [start(&[-300, -7, 20]), start(&[5, 800, -4000]), start(&[-60, -60])];
        let never = Interruption::default();
        let watch = Watch::start(None, &never);
        let refuting = (0..6).filter(|&seed| {
            let inputs = FreshInputs { workbench: &workbench, function, seed: Seed(seed) };
            let pace = TestPace::of_candidate(&watch);
            let ran = inputs.search(&relation, &starts, &mut workbench.caller(), &pace).expect("it runs");
            ran.refuted.is_some()
        });
        assert!(refuting.count() >= 5);
    }
}
