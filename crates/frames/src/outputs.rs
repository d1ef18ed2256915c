//! Asks for inputs of choices of outputs that no sample shows. Random inputs seldom meet an output that a single input gives, and the
//! specification says what is distinguished, not which of it the function can reach. So symbolic execution is asked for an input whose
//! output has the choices, in a frame that was not seen with them, until it proves that there is none.

use std::collections::HashSet;

use dodona_generation::search::no_time;
use dodona_generation::{Bounds, Possible, SearchOptions, Violations};
use dodona_relations::ast::{BinaryOperator, Body, Expression, Name, Relation, Span, binary, chain, not};
use dodona_target::{Until, Value};
use dodona_workbench::inputs::columns;
use dodona_workbench::{LabError, LoadedRelation, Relations};

use crate::framed::Framed;
use crate::identification::{Category, Frame, classify, of_call};
use crate::samples::{InputOrigin, OpenOutputs, OutputChoices, Samples};

/// The most combinations of choices of outputs that are asked for one by one. Each takes a walk over all paths of the function, about a tenth of a second
/// for a fee. If there are more combinations, each choice is asked for by itself.
const MOST_COMBINATIONS: usize = 256;

/// The most questions to the solver in one walk over all paths, so that the count and not the clock ends it on a quick machine and on a slow one. The walks of the shipped subjects
/// without loops end by themselves.
const QUERIES: u64 = 2_000;

/// Adds to the samples an input of each input-and-output-based frame that no sample shows, as far as symbolic execution finds one, and notes
/// what stays open.
///
/// # Errors
/// When the host fails.
pub(crate) fn reach(
    framed: &Framed,
    search: &SearchOptions,
    samples: &mut Samples,
    until: &Until,
) -> Result<(), LabError> {
    let questions = questions(&framed.specification.outputs);
    let bounds = Bounds { queries: QUERIES.min(search.bounds.queries), ..search.bounds };
    let search = SearchOptions { bounds, ..search.clone() };
    let module = framed.module();
    let violations = module.as_ref().map(|module| Violations::new(module, &search));
    let mut found = Vec::new();
    for (done, outputs) in questions.iter().enumerate() {
        let until = until.share(questions.len() - done);
        let mut question = Question::new(framed, samples, outputs);
        let why = match &violations {
            Some(violations) => question.inputs(violations, &until, &mut found)?,
            None => Some("only WebAssembly can be asked".to_owned()),
        };
        let frames = question.unseen().count();
        if let Some(why) = why.filter(|_| frames > 0) {
            samples.open.push(OpenOutputs { outputs: outputs.clone(), frames, why });
        }
    }
    match samples.add(framed, &found, InputOrigin::Solver, &mut framed.workbench.caller().until(until)) {
        // Without the runs, nobody knows what these inputs give.
        Err(error) if error.is_stopped() => Ok(()),
        added => added,
    }
}

/// What is asked for: each combination of choices, or each choice if these are too many.
fn questions(categories: &[Category]) -> Vec<OutputChoices> {
    let choices = |number: usize| (0..categories[number].choices.len() as u16).map(move |c| (number, c));
    let combinations =
        categories.iter().try_fold(1, |product: usize, c| product.checked_mul(c.choices.len()));
    if categories.is_empty() {
        return Vec::new();
    }
    if combinations.is_none_or(|combinations| combinations > MOST_COMBINATIONS) {
        return (0..categories.len()).flat_map(choices).map(|choice| vec![choice]).collect();
    }
    let more = |all: Vec<OutputChoices>, number: usize| {
        all.iter()
            .flat_map(|some| choices(number).map(|choice| [&some[..], &[choice]].concat()))
            .collect::<Vec<_>>()
    };
    (0..categories.len()).fold(vec![Vec::new()], more)
}

/// Whether an output has some choices.
fn has(output: &Frame, choices: &[(usize, u16)]) -> bool {
    choices.iter().all(|(category, choice)| output.0[*category] == *choice)
}

/// In which further frames there are inputs whose outputs have some choices.
struct Question<'a> {
    framed: &'a Framed,
    samples: &'a Samples,
    outputs: &'a [(usize, u16)],
    /// The frames that are known to have such inputs, by number.
    seen: HashSet<u32>,
}

impl<'a> Question<'a> {
    fn new(framed: &'a Framed, samples: &'a Samples, outputs: &'a [(usize, u16)]) -> Question<'a> {
        let of_rows = samples.frame_of.iter().zip(&samples.outputs);
        let shows = of_rows.filter(|(_, output)| output.as_ref().is_some_and(|output| has(output, outputs)));
        Question { framed, samples, outputs, seen: shows.map(|(frame, _)| *frame).collect() }
    }

    /// The frames that were not seen with these outputs and may have inputs.
    fn unseen(&self) -> impl Iterator<Item = u32> + '_ {
        let may = |frame: &u32| self.samples.may_be(*frame) && !self.seen.contains(frame);
        (0..self.samples.frames.len() as u32).filter(may)
    }

    /// Finds an input in each further frame that has one. If it is not known whether there are more, it says why.
    fn inputs(
        &mut self,
        violations: &Violations<'_>,
        until: &Until,
        found: &mut Vec<Vec<Value>>,
    ) -> Result<Option<String>, LabError> {
        while self.unseen().next().is_some() {
            if !until.goes_on() {
                return Ok(Some(no_time(until)));
            }
            let relations = Relations::of_trees(&[self.relation()], self.framed.workbench.functions())?;
            let Some(loaded) = relations.iter().next() else { break };
            let values = match violations.input(loaded, until)? {
                Possible::No => return Ok(None),
                Possible::Unknown(why) => return Ok(Some(why)),
                Possible::Yes(values) => in_order(loaded, &values),
            };
            let frame = self.frame(&values);
            let is_new = frame.is_some_and(|frame| self.seen.insert(frame));
            found.push(values);
            if !is_new {
                // Its frame is one that the constraints forbid, or its choices overlap: the samples show the mistake.
                return Ok(Some("an input was found that fits no frame".to_owned()));
            }
        }
        Ok(None)
    }

    /// The frame of an input, by number.
    fn frame(&self, values: &[Value]) -> Option<u32> {
        let columns = columns(self.framed.declared(), [values]);
        let frame = classify(&self.framed.specification.inputs, &columns, 1).frames.pop()??;
        self.samples.frames.iter().position(|known| *known == frame).map(|number| number as u32)
    }

    /// The relation that an input violates if it lies in a frame that was not seen with these outputs, and gives them: in such frames no
    /// output has these choices.
    fn relation(&self) -> Relation {
        let specification = &self.framed.specification;
        let call = Expression::call(self.framed.declared(), &[]);
        let conditions = self.outputs.iter().map(|(category, choice)| {
            of_call(&specification.outputs[*category].choices[usize::from(*choice)].condition, &call)
        });
        let outputs = chain(BinaryOperator::And, conditions);
        Relation {
            name: Name::new("reach"),
            bindings: Vec::new(),
            function: None,
            constants: None,
            condition: self.condition(),
            body: Body::Calls(not(outputs.unwrap_or(call))),
            tolerance: None,
            span: Span::default(),
        }
    }

    /// The condition that an input lies in none of the frames that were seen, or in one of the others: whichever is said with fewer frames.
    fn condition(&self) -> Option<Expression> {
        let others: Vec<u32> = self.unseen().collect();
        if self.seen.len() > others.len() {
            return balanced(BinaryOperator::Or, others.iter().map(|frame| self.of_frame(*frame)).collect());
        }
        let mut seen: Vec<u32> = self.seen.iter().copied().collect();
        seen.sort_unstable();
        balanced(BinaryOperator::And, seen.iter().map(|frame| not(self.of_frame(*frame))).collect())
    }

    /// The condition of a frame.
    fn of_frame(&self, frame: u32) -> Expression {
        self.framed.specification.condition(&self.samples.frames[frame as usize])
    }
}

/// The parts joined by an operator, so that the expression is as flat as it can be: there may be thousands of frames, and expressions are
/// gone through from the top down.
fn balanced(operator: BinaryOperator, mut parts: Vec<Expression>) -> Option<Expression> {
    while parts.len() > 1 {
        let mut left = parts.into_iter();
        parts = std::iter::from_fn(|| {
            let a = left.next()?;
            Some(match left.next() {
                Some(b) => binary(operator, a, b),
                None => a,
            })
        })
        .collect();
    }
    parts.pop()
}

/// The values of the variables of a relation, in the order of the parameters.
fn in_order(loaded: &LoadedRelation, values: &[Value]) -> Vec<Value> {
    let mut by_parameter: Vec<_> = loaded.relation.variables().iter().zip(values).collect();
    by_parameter.sort_by_key(|(variable, _)| variable.parameter);
    by_parameter.into_iter().map(|(_, value)| value.clone()).collect()
}
