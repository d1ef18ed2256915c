//! Known forms are tried: first all of them on a few inputs, which refute nearly all, then those that are left on more.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use dodona_inference::known_forms::{KnownForm, known_forms, one_of_two, step, steps, without_what_follows};
use dodona_records::RelationVerdict;
use dodona_relations::ast::Relation;
use dodona_simplify::is_tautology;
use dodona_sources::Seed;
use dodona_target::{Caller as _, Column, Kind, Outcome, Output, Type, Until, Value};
use dodona_workbench::inputs::{drawn, eligible_rows};
use dodona_workbench::{CheckOptions, LabError, Relations, Workbench, check::check_until};

use crate::hard_inputs::{HardInputs, HardVerdict, has_border};
use crate::relation_of::aside;
use crate::tuning::FEWEST;

/// How known forms are tried.
#[derive(Clone, Copy, Debug)]
pub struct Trying {
    /// The seed of the source inputs.
    pub seed: Seed,
    /// On how many source inputs a relation has to hold.
    pub sources: u64,
    /// Threads.
    pub jobs: NonZeroUsize,
}

/// Those of the known forms that hold, and how many there was no time for.
#[derive(Clone, Debug, Default)]
pub struct TriedForms {
    /// Those that no input violates, and that enough inputs are eligible for. What follows from others of them is left out.
    pub held: Vec<KnownForm>,
    /// On how many inputs each of them was tried, in the same order. Where the time was up, some got further than others.
    pub on: Vec<u64>,
    /// How many inputs each of them was tried on at least.
    pub tested: u64,
    /// How many were not tried.
    pub left: usize,
}

/// The inputs of the first rounds. A single input refutes most relations, and of a function that takes 20 ms a call there is no time for more of each; 16 refute nine of
/// ten.
const FIRST: [u64; 4] = [1, 4, 16, 128];

/// So few inputs may all be special ones.
const FEW_INPUTS: u64 = 16;

/// A relation that held on so many inputs is not given up because there was no time for more: whoever reports it says on how many it was tested.
const ENOUGH: u64 = 4;

/// So many relations are tried in one check. Between checks the clock is looked at.
const AT_ONCE: usize = 64;

/// Tries the known forms of all functions of a subject of which `is_wanted` is true.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub fn known_forms_that_hold(
    workbench: &Workbench,
    is_wanted: &dyn Fn(&KnownForm) -> bool,
    trying: Trying,
    until: &Until,
) -> Result<TriedForms, LabError> {
    let functions = workbench.functions();
    // Steps were seen to fit, and are tried first.
    let calls = FewCalls::of_each(workbench, trying.seed, until)?;
    let mut forms = steps_that_fit(workbench, &calls, until)?;
    forms.extend(known_forms(functions));
    let few_valued: BTreeMap<usize, BTreeSet<i128>> =
        calls.iter().filter_map(|of| Some((of.function, of.few_values()?))).collect();
    let bounds_few = |form: &KnownForm| {
        BOUNDS_BY_LENGTH.contains(&form.form.name)
            && form.functions().any(|function| few_valued.contains_key(&function))
    };
    forms.extend(few_valued.iter().filter_map(|(&function, values)| {
        let two: Vec<i128> = values.iter().copied().collect();
        one_of_two(functions, function, two.try_into().ok()?)
    }));
    forms.retain(|form| is_wanted(form) && !bounds_few(form));
    let mut left = 0;
    let mut tried = tried_in_rounds(workbench, forms.clone(), trying, (until, &mut left))?;
    // Equations of floats that fail as they are may hold up to a wider tolerance, which they then say.
    let usual: BTreeMap<usize, f64> =
        calls.iter().filter_map(|of| Some((of.function, of.usual_size()?))).collect();
    let wider: Vec<KnownForm> = forms
        .iter()
        .filter(|form| !tried.iter().any(|(held, _)| held == *form))
        .filter_map(|form| {
            let sizes = form.functions().filter_map(|function| usual.get(&function));
            form.with_wider_tolerance(sizes.copied().reduce(f64::min)?)
        })
        .collect();
    tried.extend(tried_in_rounds(workbench, wider, trying, (until, &mut left))?);
    // A proof takes longer than the calls that refute nearly all forms.
    tried.retain(|(form, _)| !is_tautology(&form.relation, functions));
    let mut held = tried.iter().map(|(form, _)| form.clone()).collect();
    // Only now: what follows from a relation that is refuted later would be lost.
    without_what_follows(&mut held);
    let on_of = |form: &KnownForm| tried.iter().find(|(held, _)| held == form).map_or(0, |(_, on)| *on);
    let on: Vec<u64> = held.iter().map(on_of).collect();
    let tested = on.iter().copied().min().unwrap_or(trying.sources);
    Ok(TriedForms { held, on, tested, left })
}

/// A few calls of a function that gives a number. What is worth trying is read off them.
struct FewCalls {
    function: usize,
    /// Which numbers the function gives.
    kind: Kind,
    rows: Vec<Column>,
    /// The first output of each row, where the call returns.
    results: Vec<Option<Value>>,
}

impl FewCalls {
    /// Calls of each function of some parameters whose first output is a number, until the time is up.
    fn of_each(workbench: &Workbench, seed: Seed, until: &Until) -> Result<Vec<FewCalls>, LabError> {
        let mut found = Vec::new();
        for (function, declared) in workbench.functions().iter().enumerate() {
            let Some(Type::Scalar(scalar)) = declared.outputs.first().map(|output| output.ty) else {
                continue;
            };
            let kind = scalar.kind();
            let is_number = matches!(kind, Kind::Int | Kind::Float);
            if !is_number || declared.parameters.is_empty() || !until.goes_on() {
                continue;
            }
            let Some(rows) = drawn(declared, FEW_ROWS, seed)?.into_iter().next() else { continue };
            let Some(results) = results(workbench, function, &rows, until)? else { continue };
            found.push(FewCalls { function, kind, rows, results });
        }
        Ok(found)
    }

    /// The results as integers, row by row.
    fn integers(&self) -> Vec<Option<i128>> {
        integers(&self.results)
    }

    /// The few different integers that the function gives, if it gives only so few.
    fn few_values(&self) -> Option<BTreeSet<i128>> {
        let different: BTreeSet<i128> = self.integers().into_iter().flatten().collect();
        (self.kind == Kind::Int && different.len() <= FEW_VALUES).then_some(different)
    }

    /// The middle size of the floats that the function gives.
    fn usual_size(&self) -> Option<f64> {
        let size = |value: &Value| match value {
            Value::Float(number) if number.is_finite() => Some(number.abs()),
            _ => None,
        };
        let mut sizes: Vec<f64> = self.results.iter().flatten().filter_map(size).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.get(sizes.len() / 2).copied()
    }
}

/// Those of some forms that hold, first on a few inputs, and those that are left on more and on hard ones. Adds how many there was no time for.
/// Those that hold, each with the number of inputs that it was tried on.
fn tried_in_rounds(
    workbench: &Workbench,
    forms: Vec<KnownForm>,
    trying: Trying,
    (until, left): (&Until, &mut usize),
) -> Result<Vec<(KnownForm, u64)>, LabError> {
    let mut forms: Vec<(KnownForm, u64)> = forms.into_iter().map(|form| (form, 0)).collect();
    for sources in FIRST.into_iter().filter(|few| *few < trying.sources).chain([trying.sources]) {
        let is_last = sources == trying.sources;
        let mut held = Vec::new();
        // What names promise comes first in the list, and is tried first.
        for batch in forms.chunks(AT_ONCE) {
            let of_batch: Vec<KnownForm> = batch.iter().map(|(form, _)| form.clone()).collect();
            let plausible = match until.goes_on() {
                true => plausible(workbench, &of_batch, Trying { sources, ..trying }, is_last, until)?,
                false => vec![None; batch.len()],
            };
            for ((form, on), verdict) in batch.iter().zip(plausible) {
                // Nothing: the time was up.
                if verdict.unwrap_or(sources > ENOUGH) {
                    held.push((form.clone(), if verdict.is_some() { sources } else { *on }));
                }
                *left += usize::from(verdict.is_none() && sources <= ENOUGH);
            }
        }
        forms = held;
    }
    let hard = HardInputs::new(workbench, trying.seed, trying.jobs);
    let mut held = Vec::new();
    for (form, on) in forms {
        if hard.judge(&form.relation, until)? == HardVerdict::Holds {
            held.push((form, on));
        }
    }
    Ok(held)
}

/// Forms that bound a number by lengths. Of a function that tells -1, 0 and 1 they say nothing that its values do not.
const BOUNDS_BY_LENGTH: [&str; 4] =
    ["at_most_longer", "at_least_difference", "at_most_length", "at_least_length"];

/// A function whose results on [`FEW_ROWS`] rows are at most so many different ones tells kinds of its arguments and counts nothing.
const FEW_VALUES: usize = 3;

/// Rows that show what steps add, and what a function usually gives.
const FEW_ROWS: u64 = 12;

/// Rows that are looked at first.
const FIRST_STEP_ROWS: usize = 3;

/// A step is tried if so many rows agree on what it adds: of a function of random results two rows hardly ever do.
const AGREEING: usize = 3;

/// The steps of whole numbers that add the same to the result of each of a few calls.
fn steps_that_fit(
    workbench: &Workbench,
    calls: &[FewCalls],
    until: &Until,
) -> Result<Vec<KnownForm>, LabError> {
    let mut found = Vec::new();
    let is_int = |ty: Type| matches!(ty, Type::Scalar(scalar) if scalar.kind() == Kind::Int);
    for of_function in calls {
        let FewCalls { function, rows, .. } = of_function;
        let function = *function;
        let declared = &workbench.functions()[function];
        let gives_int = |output: &Output| is_int(output.ty) && output.given.is_none();
        if !declared.outputs.first().is_some_and(gives_int) || !until.goes_on() {
            continue;
        }
        let before = of_function.integers();
        let few: Vec<u32> = (0..FIRST_STEP_ROWS as u32).collect();
        let few: Vec<Column> = rows.iter().map(|column| column.select(&few)).collect();
        for (place, parameter) in declared.parameters.iter().enumerate() {
            if !is_int(parameter.ty) {
                continue;
            }
            let adds = |size: i128, rows: &[Column]| {
                differences(workbench, (function, place, size), (rows, &before), until)
            };
            let mut changes = true;
            for size in steps() {
                // A few rows refute most steps.
                let Some(first) = adds(size, &few)? else { break };
                if size > 1 && first.windows(2).any(|two| two[0] != two[1]) {
                    continue;
                }
                let Some(differences) = adds(size, rows)? else { break };
                let agree =
                    differences.len() >= AGREEING && differences.windows(2).all(|two| two[0] == two[1]);
                // A result that hardly changes from one number to the next repeats after any few of them, until it does change.
                if size == 1 {
                    let changed = differences.iter().filter(|difference| **difference != 0).count();
                    changes = 4 * changed > differences.len();
                }
                if differences.first() == Some(&0) && !changes {
                    continue;
                }
                let form = || step(workbench.functions(), function, place, (size, differences[0]));
                found.extend(agree.then(form).flatten());
                // Every other step follows.
                if agree && size == 1 {
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// What a step of a parameter adds to the results of some rows, of which `before` has those without it; of the rows that are in the domain before and after. Nothing where
/// the time was up.
fn differences(
    workbench: &Workbench,
    (function, place, size): (usize, usize, i128),
    (rows, before): (&[Column], &[Option<i128>]),
    until: &Until,
) -> Result<Option<Vec<i128>>, LabError> {
    let mut moved = rows.to_vec();
    if let Column::Int(values) = &mut moved[place] {
        values.iter_mut().for_each(|value| *value += size);
    }
    let Some(after) = results(workbench, function, &moved, until)? else { return Ok(None) };
    let after = integers(&after);
    Ok(Some(before.iter().zip(&after).filter_map(|(before, after)| Some((*after)? - (*before)?)).collect()))
}

/// The integers among some results; nothing in the place of others.
fn integers(results: &[Option<Value>]) -> Vec<Option<i128>> {
    let integer = |value: &Option<Value>| match value {
        Some(Value::Int(number)) => Some(*number),
        _ => None,
    };
    results.iter().map(integer).collect()
}

/// The first output of calls that return, of rows that are in the domain; nothing where the time was up.
fn results(
    workbench: &Workbench,
    function: usize,
    rows: &[Column],
    until: &Until,
) -> Result<Option<Vec<Option<Value>>>, LabError> {
    let declared = &workbench.functions()[function];
    let eligible = eligible_rows(declared, rows);
    let some: Vec<Column> = rows.iter().map(|column| column.select(&eligible)).collect();
    let ran = match workbench.caller().until(until).call(function, &some).map_err(LabError::from) {
        Ok(ran) => ran,
        Err(error) if error.is_stopped() => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut found = vec![None; rows.first().map_or(0, Column::len)];
    for (place, &row) in eligible.iter().enumerate() {
        if ran.outcomes[place] == Outcome::Returned {
            found[row as usize] = Some(ran.outputs[0].value(place));
        }
    }
    Ok(Some(found))
}

/// The share of the groups that has to be eligible. A relation that says itself which inputs it is about may be about few.
fn fewest(form: &KnownForm) -> f64 {
    if has_border(&form.relation) { FEWEST / 10.0 } else { FEWEST }
}

/// Whether each relation of a batch may hold, by a number of inputs; nothing where the time was up.
fn plausible(
    workbench: &Workbench,
    batch: &[KnownForm],
    trying: Trying,
    is_last: bool,
    until: &Until,
) -> Result<Vec<Option<bool>>, LabError> {
    let mut trees: Vec<Relation> = batch.iter().map(|form| form.relation.clone()).collect();
    let seed = Seed(trying.seed.0 ^ 0x6b6e_6f77_6e00_0000);
    let options = CheckOptions { explains: false, ..aside(trying.sources, seed, trying.jobs, 0) };
    let record = loop {
        let relations = Relations::of_trees(&trees, workbench.functions())?;
        match check_until(workbench.about(relations), &options, until, &mut |_| {}) {
            Ok(record) => break record,
            // No value can be given to both of its calls.
            Err(LabError::DisjointDomains { relation, .. }) => {
                let before = trees.len();
                trees.retain(|tree| tree.name.text != relation);
                if trees.is_empty() || trees.len() == before {
                    return Ok(vec![Some(false); batch.len()]);
                }
            }
            Err(error) if error.is_stopped() => return Ok(vec![None; batch.len()]),
            Err(error) => return Err(error),
        }
    };
    let verdict = |form: &KnownForm| {
        let Some(one) = record.relations.iter().find(|one| one.name == form.relation.name.text) else {
            return Some(false);
        };
        match one.verdict() {
            RelationVerdict::NotRun => None,
            RelationVerdict::Holds if is_last => Some(one.hardly_tested(fewest(form)).is_none()),
            // Where the time is up before the last round, this one was it. Half the share leaves room for chance.
            RelationVerdict::Holds if trying.sources > FEW_INPUTS => {
                Some(one.hardly_tested(fewest(form) / 2.0).is_none())
            }
            RelationVerdict::Holds => Some(true),
            // A few inputs may all be special ones.
            RelationVerdict::NeverEligible => Some(!is_last && trying.sources <= FEW_INPUTS),
            RelationVerdict::Violated | RelationVerdict::OnlyAllowed => Some(false),
        }
    };
    Ok(batch.iter().map(verdict).collect())
}

#[cfg(test)]
mod tests {
    use dodona_sources::Seed;

    use super::*;
    use crate::hard_inputs::tests::module;

    /// The day of the week, with no difference between 0 and 2, and a fee that is the same up to a border.
    const DAYS: &str = r#"(module
        (func (export "weekday") (param i32) (result i32) (i32.rem_u (i32.add (local.get 0) (i32.const 4)) (i32.const 7)))
        (func (export "fee") (param i32) (result i32) (select (i32.const 9) (i32.const 5) (i32.gt_u (local.get 0) (i32.const 600)))))"#;
    const FUNCTIONS: &str = "[[function]]\nsignature = \"weekday(n: i32) -> i32\"\ndomain.n = { range = [0, 100000] }\n\
        [[function]]\nsignature = \"fee(grams: i32) -> i32\"\ndomain.grams = { range = [0, 1000000] }\n";

    #[test]
    fn laws_that_have_a_name_are_found_and_what_follows_is_not_told() {
        let (_folder, workbench) = module(DAYS, FUNCTIONS);
        let trying = Trying { seed: Seed(0), sources: 1_000, jobs: NonZeroUsize::MIN };
        let tried = known_forms_that_hold(&workbench.any(), &|_| true, trying, &Until::default());
        let held: Vec<String> = tried.expect("it runs").held.iter().map(KnownForm::says).collect();
        let has = |text: &str| held.iter().any(|one| one == text);
        assert!(has("weekday(n + 7) == weekday(n)"), "{held:?}");
        assert!(has("when grams <= other: fee(grams) <= fee(other)"), "{held:?}");
        // Multiples of seven follow. The fee hardly ever changes from one number to the next, and does not repeat.
        assert!(held.iter().all(|one| !one.contains("400") && !one.contains("fee(grams + ")), "{held:?}");
    }
}
