//! Categories, choices, and the frames that they make.

use std::fmt;

use dodona_relations::Precondition;
use dodona_relations::ast::{Expression, Node};
use dodona_subject::{Number, Output};

use crate::change::Mentions;
use crate::expectation::Expectation;
use crate::formula::Formula;

/// One choice of a category: a class of inputs, or of outputs.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name in the file.
    pub name: String,
    /// The condition as it is written, over parameters or over outputs.
    pub condition: Expression,
    /// The same, compiled: over all parameters, or over all outputs.
    pub predicate: Precondition,
}

/// Something that distinguishes inputs (an I-category) or outputs (an O-category). Every input has exactly one of its choices.
#[derive(Clone, Debug)]
pub struct Category {
    /// The name in the file.
    pub name: String,
    /// Its choices, in the order of the file.
    pub choices: Vec<Choice>,
    /// Its choices by number from those of the least outputs to those of the greatest, where somebody said so.
    pub order: Option<Vec<usize>>,
}

/// What a person says of the inputs and outputs of one function.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// What distinguishes inputs.
    pub inputs: Vec<Category>,
    /// What distinguishes outputs.
    pub outputs: Vec<Category>,
    /// What every input satisfies, with its text.
    pub constraints: Vec<(Formula, String)>,
    /// What the specification says of outputs: a formula that inputs satisfy, and one that their outputs satisfy then.
    pub scenarios: Vec<(Formula, Formula)>,
    /// The outputs of the function.
    pub results: Vec<Output>,
}

/// A complete test frame: one choice of each input category, by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame(pub Vec<u16>);

/// An input-and-output-based complete test frame (IO-CTF): a frame, with one choice of each output category.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IoFrame {
    /// The choices of inputs.
    pub input: Frame,
    /// The choices of outputs: a scenario that occurs for such inputs.
    pub output: Frame,
}

impl Choice {
    /// Whether its condition speaks of a parameter (or of `result`).
    pub fn speaks_of(&self, name: &str) -> bool {
        speaks_of(&self.condition, name)
    }
}

/// Whether an expression has a name in it.
pub(crate) fn speaks_of(e: &Expression, name: &str) -> bool {
    matches!(&e.node, Node::Name(n) if n == name)
        || e.children().into_iter().any(|child| speaks_of(child, name))
}

impl Frame {
    /// How many categories two frames differ in.
    pub fn distance(&self, other: &Frame) -> usize {
        self.0.iter().zip(&other.0).filter(|(a, b)| a != b).count()
    }
}

impl IoFrame {
    /// In how many input categories two of them differ.
    pub fn distance(&self, other: &IoFrame) -> usize {
        self.input.distance(&other.input)
    }
}

impl Specification {
    /// A frame in words: `cabin.first student.no`.
    pub fn words(&self, frame: &Frame) -> String {
        words(&self.inputs, frame)
    }

    /// The choices of outputs in words.
    pub fn output_words(&self, frame: &Frame) -> String {
        words(&self.outputs, frame)
    }

    /// The numbers that choices name which speak of a parameter, in order.
    pub fn numbers_of(&self, parameter: &str) -> Vec<Number> {
        Mentions::of(parameter, self).numbers
    }

    /// What the specification says of the outputs of inputs of a frame: for each output category the choices that are left.
    pub fn stated(&self, frame: &Frame) -> Vec<Vec<u16>> {
        let says = |scenario: &&(Formula, Formula)| scenario.0.holds(&frame.0);
        let consequences: Vec<&Formula> = self.scenarios.iter().filter(says).map(|(_, then)| then).collect();
        let left = |(category, declared): (usize, &Category)| {
            let possible = |choice: &u16| {
                let mut known = vec![None; self.outputs.len()];
                known[category] = Some(*choice);
                consequences.iter().all(|then| then.value(&known) != Some(false))
            };
            (0..declared.choices.len() as u16).filter(possible).collect()
        };
        self.outputs.iter().enumerate().map(left).collect()
    }

    /// Whether the scenarios and the declared order of outputs say that the outputs of one frame relate so to those of another:
    /// every choice that is left for the one lies on that side of every choice that is left for the other.
    pub fn states(&self, expectation: Expectation, before: &Frame, after: &Frame) -> bool {
        let is_less = |a: &[u16], b: &[u16], category: &Category| {
            let Some(order) = &category.order else { return false };
            let place = |choice: &u16| order.iter().position(|&c| c == usize::from(*choice));
            let (a, b): (Option<Vec<_>>, Option<Vec<_>>) =
                (a.iter().map(place).collect(), b.iter().map(place).collect());
            let (Some(a), Some(b)) = (a, b) else { return false };
            a.iter().max().zip(b.iter().min()).is_some_and(|(most, least)| most < least)
        };
        let (before, after) = (self.stated(before), self.stated(after));
        self.outputs.iter().enumerate().any(|(number, category)| match expectation {
            Expectation::Less | Expectation::AtMost => is_less(&after[number], &before[number], category),
            Expectation::Greater | Expectation::AtLeast => is_less(&before[number], &after[number], category),
            _ => false,
        })
    }
}

fn words(categories: &[Category], frame: &Frame) -> String {
    let each = categories.iter().zip(&frame.0);
    let words: Vec<String> =
        each.map(|(c, choice)| format!("{}.{}", c.name, c.choices[usize::from(*choice)].name)).collect();
    words.join(" ")
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = `{}`", self.name, self.condition)
    }
}
