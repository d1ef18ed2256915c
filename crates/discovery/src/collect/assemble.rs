//! Puts executions into columns.

use dodona_inference::discovery::{Pairs, Place, Transformation, Variable, outputs};
use dodona_mutation::baseline::Baseline;
use dodona_relations::ast::{Expression, Node};
use dodona_target::{Column, Signature, Value};

use super::mutant_results::{IncorrectExecution, IncorrectExecutions, MutantResults};
use super::plan::{ExecutionInputs, Link, OriginalCalls};

/// Everything that is needed to make pairs.
pub(super) struct Assembly<'a> {
    pub(super) function: &'a Signature,
    pub(super) inputs: &'a ExecutionInputs,
    pub(super) baselines: &'a [Baseline],
    /// The results of each mutant; `None` for mutants that were not run before an interruption.
    pub(super) ran: &'a [Option<MutantResults>],
    pub(super) executions: usize,
    /// The constants of the code.
    pub(super) constants: &'a [(Value, u64)],
}

impl Assembly<'_> {
    /// The executions under a transformation.
    pub(super) fn pairs(&self, index: usize, transformation: &Transformation) -> Pairs {
        let variables = variables(self.function, transformation);
        let mut columns = self.blank(&variables);
        let correct = self.correct(index, &variables, &mut columns);
        let mut mutants = Vec::new();
        let most = self.level(index);
        for (mutant, ran) in self.ran.iter().enumerate() {
            let Some(ran) = ran else { continue };
            let shown = &ran.shown[index];
            for incorrect in shown.incorrect.iter().take(most) {
                self.push_incorrect(ran, shown, *incorrect, &variables, &mut columns);
                mutants.push(mutant as u32);
            }
        }
        Pairs {
            refused: self.refused(index, &variables),
            crashed: self.crashed(index),
            constants: constants(self.constants, transformation),
            mutant_count: self.ran.len(),
            variables,
            columns,
            correct,
            mutants,
        }
    }

    fn original(&self) -> OriginalCalls<'_> {
        OriginalCalls(self.baselines)
    }

    fn links(&self, index: usize) -> &[Link] {
        // If the original was not run before an interruption, there are no executions.
        if self.baselines.is_empty() { &[] } else { &self.inputs.transformations[index].links }
    }

    /// Empty columns, one for each variable.
    fn blank(&self, variables: &[Variable]) -> Vec<Column> {
        let parameters = &self.function.parameters;
        let outputs = &self.function.outputs;
        let ty = |place: Place| match place {
            Place::SourceInput(i) | Place::FollowUpInput(i) => parameters[i].ty,
            Place::SourceOutput(o) | Place::FollowUpOutput(o) => outputs[o].ty,
        };
        variables.iter().map(|variable| Column::empty(ty(variable.place))).collect()
    }

    /// Adds the correct executions; returns their number.
    fn correct(&self, index: usize, variables: &[Variable], columns: &mut [Column]) -> usize {
        let original = self.original();
        let usable = |link: &&Link| original.is_usable(link.source) && original.is_usable(link.follow_up);
        let links: Vec<&Link> = self.links(index).iter().filter(usable).take(self.executions).collect();
        for link in &links {
            self.push(variables, columns, |place| self.of_original(**link, place));
        }
        links.len()
    }

    /// The source executions whose follow-up call does not return.
    fn refused(&self, index: usize, variables: &[Variable]) -> Vec<Column> {
        let sources: Vec<Variable> = variables.iter().filter(|v| v.place.is_source()).cloned().collect();
        let mut columns = self.blank(&sources);
        let original = self.original();
        let refused =
            |link: &&Link| original.has_returned(link.source) && !original.has_returned(link.follow_up);
        for link in self.links(index).iter().filter(refused).take(self.executions) {
            self.push(&sources, &mut columns, |place| self.of_original(*link, place));
        }
        columns
    }

    fn crashed(&self, index: usize) -> Vec<u32> {
        let crashed = |ran: &Option<MutantResults>| ran.as_ref().is_some_and(|ran| ran.shown[index].crashed);
        (0..self.ran.len()).filter(|&mutant| crashed(&self.ran[mutant])).map(|mutant| mutant as u32).collect()
    }

    /// Adds a row.
    fn push(&self, variables: &[Variable], columns: &mut [Column], value: impl Fn(Place) -> Value) {
        for (column, variable) in columns.iter_mut().zip(variables) {
            column.push(&value(variable.place));
        }
    }

    fn of_original(&self, link: Link, place: Place) -> Value {
        let output = |input: u32, output: usize| {
            let (calls, row) = self.original().at(input);
            calls.outputs[output].value(row)
        };
        match place {
            Place::SourceInput(i) => self.inputs.columns[i].value(link.source as usize),
            Place::FollowUpInput(i) => self.inputs.columns[i].value(link.follow_up as usize),
            Place::SourceOutput(o) => output(link.source, o),
            Place::FollowUpOutput(o) => output(link.follow_up, o),
        }
    }

    /// Adds an execution of a mutant. On an input that does not infect it, the mutant has the outputs of the original.
    fn push_incorrect(
        &self,
        ran: &MutantResults,
        shown: &IncorrectExecutions,
        incorrect: IncorrectExecution,
        variables: &[Variable],
        columns: &mut [Column],
    ) {
        let link = incorrect.link;
        let own = |input: u32, output: usize| {
            let (calls, row) = ran.answers.at(input)?;
            Some(calls.outputs[output].value(row))
        };
        let fed = |place: Place| {
            let row = incorrect.fed? as usize;
            match place {
                Place::FollowUpInput(i) => Some(shown.fed.arguments[i].value(row)),
                Place::FollowUpOutput(o) => Some(shown.fed.calls.as_ref()?.outputs[o].value(row)),
                Place::SourceInput(_) | Place::SourceOutput(_) => None,
            }
        };
        let value = |place: Place| {
            let of_mutant = match place {
                Place::SourceOutput(o) => own(link.source, o),
                Place::FollowUpOutput(o) => own(link.follow_up, o),
                Place::SourceInput(_) | Place::FollowUpInput(_) => None,
            };
            fed(place).or(of_mutant).unwrap_or_else(|| self.of_original(link, place))
        };
        self.push(variables, columns, value);
    }

    /// How many executions of each mutant are kept. All mutants together keep as many as are wanted, spread evenly among them.
    fn level(&self, index: usize) -> usize {
        let counts = self.ran.iter().flatten().map(|ran| ran.shown[index].incorrect.len());
        level(&counts.collect::<Vec<_>>(), self.executions)
    }
}

/// The greatest number `n` such that taking up to `n` of each count takes at most `most` in all.
fn level(counts: &[usize], most: usize) -> usize {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let mut left = most;
    for (i, &count) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - i);
        if count > share {
            return share;
        }
        left -= count;
    }
    usize::MAX
}

/// The variables of the executions under a transformation. A follow-up input with the expression of another variable, for example
/// because two parameters are exchanged, is that variable.
fn variables(function: &Signature, transformation: &Transformation) -> Vec<Variable> {
    let mut variables: Vec<Variable> = Vec::new();
    let mut add = |place, ty, expression: Expression| {
        if !variables.iter().any(|known: &Variable| known.expression == expression) {
            variables.push(Variable { place, ty, expression });
        }
    };
    for (i, parameter) in function.parameters.iter().enumerate() {
        add(Place::SourceInput(i), parameter.ty.into(), Expression::name(&parameter.name));
    }
    for (o, (ty, written)) in outputs(function, &transformation.source()).into_iter().enumerate() {
        add(Place::SourceOutput(o), ty, written);
    }
    for i in transformation.changed() {
        add(Place::FollowUpInput(i), function.parameters[i].ty.into(), transformation.arguments[i].clone());
    }
    for (o, (ty, written)) in outputs(function, &transformation.follow_up()).into_iter().enumerate() {
        add(Place::FollowUpOutput(o), ty, written);
    }
    variables
}

/// The constants of a transformation, then those of the code, without duplicates.
fn constants(of_code: &[(Value, u64)], transformation: &Transformation) -> Vec<(Value, u64)> {
    let mut own = Vec::new();
    transformation.arguments.iter().for_each(|argument| literals(argument, &mut own));
    let most = of_code.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let mut all: Vec<(Value, u64)> = Vec::new();
    for (value, count) in own.into_iter().map(|value| (value, most + 1)).chain(of_code.iter().cloned()) {
        if !all.iter().any(|(known, _)| *known == value) {
            all.push((value, count));
        }
    }
    all
}

fn literals(e: &Expression, found: &mut Vec<Value>) {
    match &e.node {
        Node::Int(i) => found.push(Value::Int(*i)),
        Node::Float(x) => found.push(Value::Float(*x)),
        Node::Name(name) if name == "pi" => found.push(Value::Float(std::f64::consts::PI)),
        _ => e.children().into_iter().for_each(|child| literals(child, found)),
    }
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn executions_are_spread_evenly() {
        assert_eq!(level(&[3, 100, 100], 43), 20);
        assert_eq!(level(&[3, 4, 5], 12), usize::MAX);
        assert_eq!(level(&[3, 4, 5], 11), 4);
        assert_eq!(level(&[5, 5], 0), 0);
        assert_eq!(level(&[], 10), usize::MAX);
        for most in 0..60 {
            let counts = [0, 1, 7, 7, 30];
            let taken: usize = counts.iter().map(|&n| n.min(level(&counts, most))).sum();
            assert!(taken <= most && taken + 5 > most.min(45), "{most}: {taken}");
        }
    }
}
