//! Makes source inputs for patterns: inputs near the constants that the code compares with, and source inputs with a few edits, so that
//! they often pass the first checks of the code as the source inputs do.

use std::collections::BTreeMap;

use dodona_inference::patterns::{Atom, Change, Vocabulary};
use dodona_sources::{Seed, Xoshiro256PlusPlus, index, neighbour};
use dodona_target::{Column, Sequence, Signature, Type, Value};
use dodona_workbench::LabError;
use dodona_workbench::inputs::{columns, drawn, eligible_rows};

use super::pattern_tuning::{MOST_CLASSES, MOST_EDITS, RANDOM_IN};
use crate::sources::SourceInputs;

/// Inputs, with another value for each of their parameters.
pub(super) struct PatternInputs {
    /// A column for each parameter.
    pub(super) sources: Vec<Column>,
    /// Another value for each parameter of each input.
    pub(super) others: Vec<Column>,
}

/// Makes inputs out of source inputs.
pub(super) struct InputMaker<'a> {
    function: &'a Signature,
    /// The source inputs that are edited, in groups by the output of the original.
    classes: Vec<Vec<Vec<Value>>>,
    /// The source inputs that were not drawn at random.
    made: Vec<Vec<Value>>,
    /// The constants that each parameter is compared with.
    constants: Vec<Vec<Value>>,
}

impl<'a> InputMaker<'a> {
    /// `output` is the index of the output that the patterns are about.
    pub(super) fn new(
        function: &'a Signature,
        sources: &SourceInputs,
        output: usize,
        vocabulary: &Vocabulary,
    ) -> InputMaker<'a> {
        let mut classes: BTreeMap<String, Vec<Vec<Value>>> = BTreeMap::new();
        for row in 0..sources.len() {
            if sources.calls.outcomes[row].has_outputs() {
                let key = sources.calls.outputs[output].value(row).to_string();
                let key = if classes.len() < MOST_CLASSES { key } else { String::new() };
                classes.entry(key).or_default().push(values(&sources.columns, row));
            }
        }
        let mut constants = vec![Vec::new(); function.parameters.len()];
        let of_atoms = vocabulary.atoms.iter().filter_map(|atom| match atom {
            Atom::Constant { parameter, constant, .. } | Atom::Every { parameter, constant, .. } => {
                Some((*parameter, constant))
            }
            _ => None,
        });
        let of_changes = vocabulary.changes.iter().filter_map(|change| match change {
            Change::Set { parameter, to } => Some((*parameter, to)),
            _ => None,
        });
        for (parameter, constant) in of_atoms.chain(of_changes) {
            if !constants[parameter].contains(constant) {
                constants[parameter].push(constant.clone());
            }
        }
        let made = sources.made().map(|row| values(&sources.columns, row)).collect();
        InputMaker { function, classes: classes.into_values().collect(), made, constants }
    }

    /// At most `count` of the source inputs that were not drawn at random, and `count` further inputs, random or edited. Inputs whose edits
    /// leave the domains are left out. The same seed gives the same inputs.
    ///
    /// # Errors
    /// When nothing can be drawn.
    pub(super) fn make(&self, count: usize, seed: Seed) -> Result<PatternInputs, LabError> {
        let mut rng = seed.stream("inputs of patterns", 0);
        let random = drawn(self.function, count as u64, seed)?;
        let random = |row: usize| {
            let batch = random.iter().scan(0, |before, batch| {
                let (start, rows) = (*before, batch.first().map_or(0, Column::len));
                *before += rows;
                Some((start, rows, batch))
            });
            let found = batch.into_iter().find(|(start, rows, _)| row < start + rows)?;
            Some(values(found.2, row - found.0))
        };
        let mut made = self.of_sources(count);
        for row in 0..count {
            if index(&mut rng, RANDOM_IN) == 0 {
                made.extend(random(row));
            } else {
                made.extend(self.edited(random(row), &mut rng));
            }
        }
        let all = columns(self.function, made.iter().map(Vec::as_slice));
        let rows = eligible_rows(self.function, &all);
        let sources: Vec<Column> = all.iter().map(|column| column.select(&rows)).collect();
        let others = self.others(&sources, &random, &mut rng);
        Ok(PatternInputs { sources, others })
    }

    /// At most `count` inputs, drawn as the manifest says. They have no other values for their parameters.
    ///
    /// # Errors
    /// When nothing can be drawn.
    pub(super) fn draw(&self, count: u64, seed: Seed) -> Result<PatternInputs, LabError> {
        let batches = drawn(self.function, count, seed)?;
        let rows: Vec<Vec<Value>> = batches
            .iter()
            .flat_map(|batch| (0..batch.first().map_or(0, Column::len)).map(|row| values(batch, row)))
            .collect();
        let sources = columns(self.function, rows.iter().map(Vec::as_slice));
        Ok(PatternInputs { sources, others: Vec::new() })
    }

    /// The source inputs that were not drawn at random; if there are more than `most`, some of them, evenly spread.
    fn of_sources(&self, most: usize) -> Vec<Vec<Value>> {
        self.made.iter().step_by(self.made.len().div_ceil(most.max(1)).max(1)).cloned().collect()
    }

    /// An input with up to [`MOST_EDITS`] edits. It is made from a source input of one of the groups or from the given random input; each
    /// group and the random input are equally likely.
    fn edited(&self, random: Option<Vec<Value>>, rng: &mut Xoshiro256PlusPlus) -> Option<Vec<Value>> {
        let class = index(rng, self.classes.len() + 1);
        let mut values = match self.classes.get(class) {
            Some(inputs) => inputs[index(rng, inputs.len())].clone(),
            None => random?,
        };
        for _ in 0..index(rng, MOST_EDITS + 1) {
            let parameter = index(rng, values.len());
            if let Some(value) = self.other(&values, parameter, rng) {
                values[parameter] = value;
            }
        }
        Some(values)
    }

    /// About `count` inputs: the source inputs that were not drawn at random, and edited ones. Inputs whose edits leave the domains are
    /// left out. The same seed gives the same inputs.
    pub(super) fn near(&self, count: usize, seed: Seed) -> Vec<Column> {
        let mut rng = seed.stream("inputs near constants", 0);
        let mut made = self.of_sources(count);
        for _ in made.len()..count {
            made.extend(self.edited(None, &mut rng));
        }
        let all = columns(self.function, made.iter().map(Vec::as_slice));
        let rows = eligible_rows(self.function, &all);
        all.iter().map(|column| column.select(&rows)).collect()
    }

    /// Another value for each parameter of each input: with equal probability a nearby value, or the value of a random input.
    fn others(
        &self,
        sources: &[Column],
        random: &dyn Fn(usize) -> Option<Vec<Value>>,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Vec<Column> {
        let rows = sources.first().map_or(0, Column::len);
        let made: Vec<Vec<Value>> = (0..rows)
            .map(|row| {
                let mut others = values(sources, row);
                let drawn = random(row);
                for parameter in 0..others.len() {
                    let near = self.other(&values(sources, row), parameter, rng);
                    let far = drawn.as_ref().map(|values| values[parameter].clone());
                    let other = if index(rng, 2) == 0 { near } else { far };
                    others[parameter] = other.unwrap_or_else(|| others[parameter].clone());
                }
                others
            })
            .collect();
        columns(self.function, made.iter().map(Vec::as_slice))
    }

    /// Another value for a parameter: a constant of the code or a number next to one, the value of another parameter or a number next to
    /// it, or a value near the old one.
    fn other(&self, values: &[Value], parameter: usize, rng: &mut Xoshiro256PlusPlus) -> Option<Value> {
        let declared = &self.function.parameters[parameter];
        let constants = &self.constants[parameter];
        let is_alike =
            |other: &usize| *other != parameter && self.function.parameters[*other].ty == declared.ty;
        let alike: Vec<usize> = (0..values.len()).filter(is_alike).collect();
        let value = match index(rng, 8) {
            0..4 if !constants.is_empty() => {
                let constant = &constants[index(rng, constants.len())];
                with_element(&values[parameter], beside(constant, rng), rng)
            }
            4 | 5 if !alike.is_empty() && matches!(declared.ty, Type::Scalar(_)) => {
                beside(&values[alike[index(rng, alike.len())]], rng)
            }
            _ => neighbour(declared.ty, &declared.domain, &values[parameter], rng)?,
        };
        declared.domain.contains(declared.ty, &value).then_some(value)
    }
}

/// The constant itself or, if the parameter is a sequence and the constant is one for its elements, the sequence with this constant in
/// place of one element. In one of three cases it takes the place of all elements.
fn with_element(old: &Value, constant: Value, rng: &mut Xoshiro256PlusPlus) -> Value {
    let (Value::Sequence(old), false) = (old, matches!(constant, Value::Sequence(_))) else {
        return constant;
    };
    if old.is_empty() {
        return Value::Sequence(old.clone());
    }
    let place = index(rng, old.len());
    let is_everywhere = index(rng, 3) == 0;
    let mut made = old.clone();
    let places = if is_everywhere { 0..old.len() } else { place..place + 1 };
    match (&mut made, constant) {
        (Sequence::Bool(all), Value::Bool(constant)) => all[places].fill(constant),
        (Sequence::Int(all), Value::Int(constant)) => all[places].fill(constant),
        (Sequence::Float(all), Value::Float(constant)) => all[places].fill(constant),
        _ => {}
    }
    Value::Sequence(made)
}

/// An integer, or one next to it; any other value as it is.
fn beside(value: &Value, rng: &mut Xoshiro256PlusPlus) -> Value {
    match value {
        Value::Int(i) => Value::Int(match index(rng, 4) {
            0 => i.saturating_add(1),
            1 => i.saturating_sub(1),
            _ => *i,
        }),
        other => other.clone(),
    }
}

fn values(columns: &[Column], row: usize) -> Vec<Value> {
    columns.iter().map(|column| column.value(row)).collect()
}

impl PatternInputs {
    /// How many inputs there are.
    pub(super) fn len(&self) -> usize {
        self.sources.first().map_or(0, Column::len)
    }

    /// The inputs of these rows.
    pub(super) fn select(&self, rows: &[u32]) -> PatternInputs {
        let of = |columns: &[Column]| columns.iter().map(|column| column.select(rows)).collect();
        PatternInputs { sources: of(&self.sources), others: of(&self.others) }
    }
}

/// The rows of the calls that returned, and their outputs of the index `output`.
pub(super) fn returned(calls: &dodona_target::Calls, output: usize) -> (Vec<u32>, Column) {
    let rows: Vec<u32> =
        (0..calls.outcomes.len() as u32).filter(|&row| calls.outcomes[row as usize].has_outputs()).collect();
    let selected = calls.select(&rows);
    (rows, selected.outputs[output].clone())
}
