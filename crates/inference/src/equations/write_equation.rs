//! Writes equations as relations of the language.

use dodona_relations::plan::{Element, Ty};

use super::equation::Equation;
use super::equation_term::{Term, TermId, Terms};
use super::expression::expression;
use super::head::Head;
use super::name;
use super::textbook::is_of_textbook;
use super::vocabulary::Vocabulary;
use crate::discovery::Operator;

/// The factor of the greater side of a triangle inequality of floats: 1 with a relative tolerance like that of `~=`.
const ROUNDED_UP: &str = "1.000000001";

/// An equation as a relation of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// A name that a person would give: `hex_decode_undoes_hex_encode`.
    pub name: String,
    /// What it says, in words.
    pub words: String,
    /// The header, such as `(ys: sort.xs)`, or nothing.
    pub header: String,
    /// The condition under which it is expected: `len(bytes) mod 3 == 0`.
    pub condition: Option<String>,
    /// The equation itself: `sort(reverse(xs)) == sort(xs)`.
    pub expect: String,
    /// The names of the functions that are called.
    pub functions: Vec<String>,
    /// Whether it has a form that occurs in textbooks. Other equations are only reported for the mutants that they kill.
    pub is_of_textbook: bool,
    /// The number of heads in its terms.
    pub size: u32,
}

impl Written {
    /// Writes an equation.
    pub fn new(vocabulary: &Vocabulary, terms: &Terms, equation: Equation) -> Written {
        let equation = equation.oriented(terms);
        let [left, right] = [equation.left, equation.right].map(|term| expression(vocabulary, terms, term));
        let is_float = matches!(terms.ty(equation.left), Ty::Float | Ty::Sequence(Element::Float));
        let expect = match terms.get(equation.right).head {
            Head::Bool(true) if is_sum_of_floats(terms, equation.left) => {
                // Where both sides are equal, rounding may make the sum the smaller one.
                let sides = terms.get(equation.left).operands.iter();
                let sides: Vec<_> = sides.map(|&side| expression(vocabulary, terms, side)).collect();
                format!("{} <= {ROUNDED_UP} * ({})", sides[0], sides[1])
            }
            Head::Bool(true) => left.to_string(),
            Head::Bool(false) => format!("not {left}"),
            _ if is_float => format!("{left} ~= {right}"),
            _ => format!("{left} == {right}"),
        };
        let mut called = [terms.functions(equation.left), terms.functions(equation.right)].concat();
        called.sort_unstable();
        called.dedup();
        let (name, words) = name::of(vocabulary, terms, equation);
        let words = match equation.condition {
            Some(condition) => format!("{words}, where {}", expression(vocabulary, terms, condition)),
            None => words,
        };
        Written {
            name,
            words,
            is_of_textbook: is_of_textbook(terms, equation),
            size: equation.size(terms),
            header: header(vocabulary, terms, equation, &called),
            condition: equation.condition.map(|term| expression(vocabulary, terms, term).to_string()),
            expect,
            functions: called.iter().map(|&function| vocabulary.functions[function].name.clone()).collect(),
        }
    }

    /// The relation as it is written, without `relation NAME`.
    pub fn relation(&self) -> String {
        let condition = self.condition.iter().map(|condition| format!(" when {condition}:"));
        format!("{}:{} {}", self.header, condition.collect::<String>(), self.expect)
    }
}

/// Whether a term is the comparison of a float with the sum of two calls: a triangle inequality.
fn is_sum_of_floats(terms: &Terms, comparison: TermId) -> bool {
    let Term { head: Head::Word(Operator::LessEqual), operands } = terms.get(comparison) else {
        return false;
    };
    terms.ty(operands[0]) == Ty::Float && terms.calls(operands[1]) == 2
}

/// The entries of the header: variables whose name alone does not say for which parameter they are drawn.
fn header(vocabulary: &Vocabulary, terms: &Terms, equation: Equation, called: &[usize]) -> String {
    let parts = [Some(equation.left), Some(equation.right), equation.condition];
    let used = parts.into_iter().flatten().fold(0, |used, term| used | terms.variables(term));
    let entries: Vec<String> = vocabulary
        .variables
        .iter()
        .enumerate()
        .filter(|(index, _)| used & 1 << index != 0)
        .filter_map(|(_, variable)| {
            let of_name = |f: &usize| {
                let parameters = vocabulary.functions[*f].parameters.iter();
                parameters
                    .enumerate()
                    .find(|(_, (name, _))| *name == variable.name)
                    .map(|(index, _)| (*f, index))
            };
            let mut same_name = called.iter().filter_map(of_name).peekable();
            let is_bound =
                same_name.peek().is_some() && same_name.all(|found| variable.parameters.contains(&found));
            let (function, parameter) = *variable
                .parameters
                .iter()
                .find(|(f, _)| called.contains(f))
                .unwrap_or(&variable.parameters[0]);
            let declared = &vocabulary.functions[function];
            let parameter = &declared.parameters[parameter].0;
            (!is_bound).then(|| format!("{}: {}.{parameter}", variable.name, declared.name))
        })
        .collect();
    if entries.is_empty() { String::new() } else { format!("({})", entries.join(", ")) }
}
