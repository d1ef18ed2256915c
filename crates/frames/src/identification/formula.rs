//! Formulas over choices: `cabin.first and not student.yes implies fee.none`.

use std::collections::BTreeSet;

use dodona_relations::ast::{BinaryOperator, Expression, Node, UnaryOperator};
use dodona_target::{Diagnostic, nearest};

use crate::identification::category::Category;

/// A formula over the choices of some categories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The category of this number has the choice of this number.
    Choice(usize, u16),
    /// True or false.
    Constant(bool),
    /// Not.
    Not(Box<Formula>),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// At least one.
    Or(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Whether it holds for one choice of each category.
    ///
    /// # Panics
    /// When a choice is missing.
    pub fn holds(&self, choices: &[u16]) -> bool {
        match self {
            Formula::Choice(category, choice) => choices[*category] == *choice,
            Formula::Constant(constant) => *constant,
            Formula::Not(a) => !a.holds(choices),
            Formula::And(a, b) => a.holds(choices) && b.holds(choices),
            Formula::Or(a, b) => a.holds(choices) || b.holds(choices),
        }
    }

    /// Its value if only some choices are known; `None` if these do not decide it. The other choices are not tried, so `a.x or not a.x` is
    /// `None` if the choice of `a` is not known.
    ///
    /// # Panics
    /// When a category is missing.
    pub fn value(&self, known: &[Option<u16>]) -> Option<bool> {
        match self {
            Formula::Choice(category, choice) => known[*category].map(|known| known == *choice),
            Formula::Constant(constant) => Some(*constant),
            Formula::Not(a) => a.value(known).map(|a| !a),
            Formula::And(a, b) => match (a.value(known), b.value(known)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Formula::Or(a, b) => match (a.value(known), b.value(known)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }

    /// Adds the categories that occur in it, by number.
    pub(crate) fn categories(&self, found: &mut BTreeSet<usize>) {
        match self {
            Formula::Choice(category, _) => drop(found.insert(*category)),
            Formula::Constant(_) => {}
            Formula::Not(a) => a.categories(found),
            Formula::And(a, b) | Formula::Or(a, b) => {
                a.categories(found);
                b.categories(found);
            }
        }
    }

    /// Reads a formula whose atoms are choices of these categories.
    ///
    /// # Errors
    /// When the expression is not a formula, or names something that does not exist. Spans are those of the expression.
    pub fn of(expression: &Expression, categories: &[Category]) -> Result<Formula, Diagnostic> {
        let of = |e: &Expression| Formula::of(e, categories).map(Box::new);
        match &expression.node {
            Node::Bool(constant) => Ok(Formula::Constant(*constant)),
            Node::Select(category, choice) => {
                let Node::Name(category) = &category.node else { return Err(no_formula(expression)) };
                let (number, found) = find(categories, category, expression)?;
                let place = found.choices.iter().position(|c| c.name == choice.text);
                let place = place.ok_or_else(|| {
                    let names = found.choices.iter().map(|c| c.name.as_str());
                    let message = format!("`{category}` has no choice `{}`", choice.text);
                    Diagnostic::new(choice.span, message).hint(near(&choice.text, names))
                })?;
                Ok(Formula::Choice(number, place as u16))
            }
            Node::Unary(UnaryOperator::Not, a) => Ok(Formula::Not(of(a)?)),
            Node::Binary(BinaryOperator::And, a, b) => Ok(Formula::And(of(a)?, of(b)?)),
            Node::Binary(BinaryOperator::Or, a, b) => Ok(Formula::Or(of(a)?, of(b)?)),
            Node::Binary(BinaryOperator::Implies, a, b) => {
                Ok(Formula::Or(Box::new(Formula::Not(of(a)?)), of(b)?))
            }
            _ => Err(no_formula(expression)),
        }
    }
}

fn no_formula(expression: &Expression) -> Diagnostic {
    Diagnostic::new(expression.span, format!("`{expression}` is no choice of a category"))
        .hint("formulas are made of `category.choice` with and, or, not and implies")
}

fn find<'c>(
    categories: &'c [Category],
    name: &str,
    at: &Expression,
) -> Result<(usize, &'c Category), Diagnostic> {
    let found = categories.iter().enumerate().find(|(_, category)| category.name == *name);
    found.ok_or_else(|| {
        let names = categories.iter().map(|c| c.name.as_str());
        Diagnostic::new(at.span, format!("there is no category `{name}` here")).hint(near(name, names))
    })
}

/// A hint: the name that was probably meant, or all names.
pub(crate) fn near<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.clone().next().is_none() => "there is none at all".to_owned(),
        None => format!("there are {}", known.collect::<Vec<_>>().join(", ")),
    }
}
