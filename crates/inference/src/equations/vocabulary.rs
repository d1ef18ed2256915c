//! What equations are made of: functions, variables, constants and words of the language.

use dodona_relations::plan::Ty;

use super::head::Head;
use crate::discovery::{EmptyKind, Operator, is_sequence};

/// A function under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquationFunction {
    /// Its name in relations.
    pub name: String,
    /// The names and types of its parameters.
    pub parameters: Vec<(String, Ty)>,
    /// Its outputs, in the order in which a call gives them.
    pub outputs: Vec<EquationOutput>,
}

/// An output of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquationOutput {
    /// The name that selects it: `xs` in `sort(xs).xs`. `None` for the value that the function returns.
    pub selector: Option<String>,
    /// Its type.
    pub ty: Ty,
}

/// A variable, drawn like the values of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquationVariable {
    /// Its name in relations.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// The parameters for which it is drawn, as pairs of the indices of a function and of its parameter. All of them have the
    /// same domain and sampling; there is at least one.
    pub parameters: Vec<(usize, usize)>,
}

/// What equations are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// The functions.
    pub functions: Vec<EquationFunction>,
    /// The variables.
    pub variables: Vec<EquationVariable>,
    /// Constants: small numbers, truth values, and the empty text and sequence.
    pub constants: Vec<Head>,
    /// The words and operators of the language.
    pub words: Vec<Operator>,
}

impl Vocabulary {
    /// The vocabulary of some functions, with constants and words for the types that occur.
    pub fn new(functions: Vec<EquationFunction>, variables: Vec<EquationVariable>) -> Vocabulary {
        use Operator as O;
        let mut types: Vec<Ty> = variables.iter().map(|variable| variable.ty).collect();
        types.extend(functions.iter().flat_map(|function| &function.outputs).map(|output| output.ty));
        types.sort_unstable();
        types.dedup();
        let has = |ty: Ty| types.contains(&ty);
        let of_items = types.iter().any(|ty| is_sequence(*ty));
        let mut constants = Vec::new();
        let mut words = Vec::new();
        if has(Ty::Int) || of_items {
            constants.extend([0, 1, 2].map(Head::Int));
            words.extend([O::Add, O::Subtract, O::Multiply, O::Min, O::Max]);
        }
        // `abs` is only useful with variables that are numbers. With results alone one would find that they are not negative.
        if variables.iter().any(|variable| matches!(variable.ty, Ty::Int | Ty::Float)) {
            words.push(O::Abs);
        }
        // Bounds of functions of floats are made of these.
        if !variables.is_empty() && variables.iter().all(|variable| variable.ty == Ty::Float) {
            words.extend([O::Add, O::Min, O::Max]);
        }
        if has(Ty::Float) {
            constants.extend([0.0_f64, 1.0].map(|value| Head::Float(value.to_bits())));
        }
        if of_items {
            words.extend([O::Len, O::Reverse, O::Concat]);
        }
        if types.iter().any(|ty| matches!(ty, Ty::Sequence(_))) {
            words.push(O::Sorted);
        }
        if has(Ty::Text) {
            words.extend([O::Upper, O::Lower]);
        }
        if has(Ty::Bool) {
            constants.extend([true, false].map(Head::Bool));
        }
        constants.extend(types.iter().filter_map(|ty| EmptyKind::of(*ty)).map(Head::Empty));
        Vocabulary { functions, variables, constants, words }
    }
}
