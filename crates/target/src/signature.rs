//! What everybody knows of a function under test: its name, its parameters and its outputs.

use crate::outcome::values;
use crate::{Column, Domain, Sampling, Scalar, Type, Value};

/// A function under test as relations see it. How its calls are made is known by its [target](crate::Target) alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The name in relations.
    pub name: String,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The outputs of a call, in the order of [`Calls::outputs`](crate::Calls::outputs): the return value first, then parameters
    /// that the function writes, in order; of a program its standard output, its standard error and its exit code.
    pub outputs: Vec<Output>,
    /// A precondition over all parameters, an expression of the relation language.
    pub requires: Option<String>,
}

/// A parameter of a function under test.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name in the signature.
    pub name: String,
    /// The type in the signature.
    pub ty: Type,
    /// Where the function is meant to work.
    pub domain: Domain,
    /// How source inputs are drawn.
    pub sampling: Sampling,
}

/// What of a call an output is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OutputName {
    /// The return value: `f(x)`.
    Return,
    /// A part of the return value: `f(x).0` of a tuple, `f(x).is_some` of a value that may be missing.
    Part(String),
    /// The value of an in-out parameter after the call: `f(x).xs`.
    Parameter(String),
    /// `.stdout` of a program.
    Stdout,
    /// `.stderr` of a program.
    Stderr,
    /// `.exit` of a program.
    Exit,
}

impl OutputName {
    /// The word after the dot, `None` for the return value.
    pub fn selector(&self) -> Option<&str> {
        match self {
            OutputName::Return => None,
            OutputName::Part(path) => Some(path),
            OutputName::Parameter(name) => Some(name),
            OutputName::Stdout => Some("stdout"),
            OutputName::Stderr => Some("stderr"),
            OutputName::Exit => Some("exit"),
        }
    }
}

/// One output of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Which output.
    pub name: OutputName,
    /// Its type.
    pub ty: Type,
    /// When a call has this output; `None` if each call that returns has it.
    pub given: Option<Given>,
}

/// The output of a call that says whether it has another one: `f(x).is_some` of `f(x)`.
///
/// An output that a call does not have holds the default of its type in the column of its rows, and is undefined in relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The index among the outputs of the function: a Boolean.
    pub output: usize,
    /// What it has to be.
    pub is: bool,
}

impl Output {
    /// Whether a call has an output, by the columns of its function's outputs and its row.
    ///
    /// # Panics
    /// When there is no such output or row.
    pub fn is_there(outputs: &[Output], columns: &[Column], output: usize, row: usize) -> bool {
        outputs[output].given.is_none_or(|given| {
            Output::is_there(outputs, columns, given.output, row)
                && columns[given.output].value(row) == Value::Bool(given.is)
        })
    }

    /// An output that each call has which returns.
    pub fn new(name: OutputName, ty: Type) -> Output {
        Output { name, ty, given: None }
    }
}

impl Parameter {
    /// A parameter that takes every value of its type, drawn as usual.
    pub fn new(name: impl Into<String>, ty: Type) -> Parameter {
        Parameter { name: name.into(), ty, domain: Domain::default(), sampling: Sampling::default() }
    }
}

impl Signature {
    /// A function without a precondition that returns a value, or nothing.
    ///
    /// ```
    /// use dodona_target::{Parameter, Scalar, Signature, Type};
    ///
    /// let number = Type::Scalar(Scalar::F64);
    /// let sin = Signature::new("sin", vec![Parameter::new("x", number)], Some(number));
    /// assert_eq!(sin.returned_scalar(), Some(Scalar::F64));
    /// ```
    pub fn new(name: impl Into<String>, parameters: Vec<Parameter>, returned: Option<Type>) -> Signature {
        let output = |ty| Output::new(OutputName::Return, ty);
        let outputs = returned.map(output).into_iter().collect();
        Signature { name: name.into(), parameters, outputs, requires: None }
    }

    /// The scalar type of the return value, if the function returns a scalar.
    pub fn returned_scalar(&self) -> Option<Scalar> {
        match self.outputs.first() {
            Some(Output { name: OutputName::Return, ty: Type::Scalar(scalar), given: None }) => Some(*scalar),
            _ => None,
        }
    }

    /// The call with a row of arguments, as people read it: `f(1, 2)`.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn called_with(&self, arguments: &[Column], row: usize) -> String {
        format!("{}({})", self.name, values(arguments, row))
    }

    /// The parameter of a name, with its index.
    pub fn parameter(&self, name: &str) -> Option<(usize, &Parameter)> {
        self.parameters.iter().enumerate().find(|(_, p)| p.name == name)
    }
}
