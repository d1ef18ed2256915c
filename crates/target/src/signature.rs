//! What everybody knows of a function under test: its name, its parameters and its outputs.

use crate::{Domain, Sampling, Scalar, Type};

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
        let output = |ty| Output { name: OutputName::Return, ty };
        let outputs = returned.map(output).into_iter().collect();
        Signature { name: name.into(), parameters, outputs, requires: None }
    }

    /// The scalar type of the return value, if the function returns a scalar.
    pub fn returned_scalar(&self) -> Option<Scalar> {
        match self.outputs.first() {
            Some(Output { name: OutputName::Return, ty: Type::Scalar(scalar) }) => Some(*scalar),
            _ => None,
        }
    }

    /// The parameter of a name, with its index.
    pub fn parameter(&self, name: &str) -> Option<(usize, &Parameter)> {
        self.parameters.iter().enumerate().find(|(_, p)| p.name == name)
    }
}
