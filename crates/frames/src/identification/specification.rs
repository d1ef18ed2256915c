//! A specification: the categories of inputs and outputs, what constrains them, and the frames that they make.

use dodona_relations::ast::{BinaryOperator, Expression, binary, chain, int};
use dodona_target::Output;

use crate::identification::category::Category;
use crate::identification::expectation::Expectation;
use crate::identification::formula::Formula;

/// The specification of the inputs and outputs of one function.
#[derive(Clone, Debug, Default)]
pub struct Specification {
    /// The input categories.
    pub inputs: Vec<Category>,
    /// The output categories.
    pub outputs: Vec<Category>,
    /// Formulas that every input satisfies, with their texts.
    pub constraints: Vec<(Formula, String)>,
    /// Scenarios: if an input satisfies the first formula, its outputs satisfy the second.
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

    /// The condition that an input lies in a frame: those of its choices, joined by `and`.
    pub fn condition(&self, frame: &Frame) -> Expression {
        let each = self.inputs.iter().zip(&frame.0);
        let conditions =
            each.map(|(category, choice)| category.choices[usize::from(*choice)].condition.clone());
        // Without categories, every input lies in the one frame.
        let always = || binary(BinaryOperator::Equal, int(0), int(0));
        chain(BinaryOperator::And, conditions).unwrap_or_else(always)
    }

    /// What the specification says of the outputs for inputs of a frame: for each output category the choices that remain
    /// possible.
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

    /// The same in words: `fee.none`, `fee.some or fee.much`; empty if every choice remains possible.
    pub fn stated_in_words(&self, frame: &Frame) -> String {
        let of_category = |(category, left): (&Category, Vec<u16>)| {
            let names = left.iter().map(|choice| category.named(*choice));
            (left.len() < category.choices.len()).then(|| names.collect::<Vec<_>>().join(" or "))
        };
        let each = self.outputs.iter().zip(self.stated(frame));
        each.filter_map(of_category).collect::<Vec<_>>().join(", ")
    }

    /// Choices of outputs, of each of some categories one, in words: `fee.none`.
    pub fn choices_in_words(&self, outputs: &[(usize, u16)]) -> String {
        let words = outputs.iter().map(|(category, choice)| self.outputs[*category].named(*choice));
        words.collect::<Vec<_>>().join(" ")
    }

    /// An input-and-output-based frame in words: `age.young member.no -> fee.none`.
    pub fn io_words(&self, input: &Frame, output: &Frame) -> String {
        format!("{} -> {}", self.words(input), self.output_words(output))
    }

    /// Whether the output with the choices `after` is greater or less than that with the choices `before`, by the declared orders of
    /// choices. `None` if no order decides it, if two orders disagree, or if the function has several outputs: then its categories may be
    /// about different outputs.
    pub fn orders(&self, before: &Frame, after: &Frame) -> Option<Expectation> {
        let mut found = None;
        for (number, category) in self.outputs.iter().enumerate().filter(|_| self.results.len() == 1) {
            let Some(order) = &category.order else { continue };
            let place =
                |frame: &Frame| order.iter().position(|choice| *choice == usize::from(frame.0[number]));
            let (Some(before), Some(after)) = (place(before), place(after)) else { continue };
            let here = match before.cmp(&after) {
                std::cmp::Ordering::Less => Expectation::Greater,
                std::cmp::Ordering::Greater => Expectation::Less,
                std::cmp::Ordering::Equal => continue,
            };
            if found.is_some_and(|other| other != here) {
                return None;
            }
            found = Some(here);
        }
        found
    }

    /// Whether the scenarios and the declared order of outputs imply that the outputs of one frame are in this relation to those of
    /// another: in the declared order of some category, every possible choice of the one output comes before every possible choice of the
    /// other.
    pub fn states(&self, expectation: Expectation, before: &Frame, after: &Frame) -> bool {
        self.says(expectation, &self.stated(before), &self.stated(after))
    }

    /// The same for two outputs, given the choices that are possible for each, one list for each output category.
    pub fn says(&self, expectation: Expectation, before: &[Vec<u16>], after: &[Vec<u16>]) -> bool {
        let is_less = |a: &[u16], b: &[u16], category: &Category| {
            let Some(order) = &category.order else { return false };
            let place = |choice: &u16| order.iter().position(|&c| c == usize::from(*choice));
            let (a, b): (Option<Vec<_>>, Option<Vec<_>>) =
                (a.iter().map(place).collect(), b.iter().map(place).collect());
            let (Some(a), Some(b)) = (a, b) else { return false };
            a.iter().max().zip(b.iter().min()).is_some_and(|(most, least)| most < least)
        };
        self.outputs.iter().enumerate().any(|(number, category)| match expectation {
            Expectation::Less | Expectation::AtMost => is_less(&after[number], &before[number], category),
            Expectation::Greater | Expectation::AtLeast => is_less(&before[number], &after[number], category),
            _ => false,
        })
    }
}

fn words(categories: &[Category], frame: &Frame) -> String {
    let each = categories.iter().zip(&frame.0);
    each.map(|(category, choice)| category.named(*choice)).collect::<Vec<_>>().join(" ")
}
