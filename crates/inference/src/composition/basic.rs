//! Basic metamorphic relations: those that composite ones are made of.

use dodona_relations::ast::{Bound, Expression, Node};
use dodona_relations::check::{Callee, resolve};
use dodona_target::{Scalar, Signature, Type};

use super::Comparison;

/// A basic metamorphic relation (section 3.1), read as a change of the input and what it does to the output:
/// `f(T(x)) COMPARISON E`, where E is an expression over `f(x)`, calls of other functions, and x.
///
/// The expressions name variables by what they are, so that relations of different files can be put together: `#0` is
/// the first parameter of the source input, `%0` the first further variable. The relation language has no such names.
#[derive(Clone, Debug, PartialEq)]
pub struct Basic {
    pub(super) name: String,
    pub(super) function: usize,
    /// The output after the dot, as in `tokens(text).stdout`; `None` for the return value.
    pub(super) output: Option<String>,
    /// T: the follow-up input, one expression for each parameter.
    pub(super) arguments: Vec<Expression>,
    pub(super) comparison: Comparison,
    pub(super) expectation: Expression,
    pub(super) condition: Option<Expression>,
    /// The source calls: where one of them does not end normally, the relation says nothing.
    pub(super) sources: Vec<Expression>,
    /// The tolerance, if the comparison is `~=`.
    pub(super) bound: Bound,
    /// The variables besides the source input. Those of the follow-up input come first, in the order of their use.
    pub(super) further: Vec<Further>,
}

/// A variable besides the source input, such as `y` in `sin(x + y)`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Further {
    pub(super) name: String,
    /// The function with the parameter that the variable is drawn for.
    pub(super) function: usize,
    pub(super) parameter: usize,
}

impl Basic {
    /// The relation's name. Where it was written with `for`, the number of the constant is appended, from 1: `scale_2`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The relation under another name, where two relations of different files or constants have the same one.
    #[must_use]
    pub fn named(self, name: String) -> Basic {
        Basic { name, ..self }
    }

    /// The function whose follow-up call the relation is about, as an index into the functions it was read with.
    pub fn function(&self) -> usize {
        self.function
    }

    /// How the output of the follow-up call compares with the expectation.
    pub fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// Whether the relation changes the input in the same way as another, so that both speak of the same follow-up
    /// input. The changes are compared as they are written: `x + x` is another change than `2 * x`.
    pub(super) fn changes_like(&self, other: &Basic, functions: &[Signature]) -> bool {
        let domain = |v: &Further| &functions[v.function].parameters[v.parameter].domain;
        let (ours, theirs) = (self.changing(), other.changing());
        types(&functions[self.function]).eq(types(&functions[other.function]))
            && self.arguments == other.arguments
            && ours.iter().zip(theirs).all(|(a, b)| domain(a) == domain(b))
    }

    /// The further variables on which the follow-up input depends.
    pub(super) fn changing(&self) -> &[Further] {
        let used = |i: usize| self.arguments.iter().any(|e| e.mentions(&further(i)));
        let count = (0..self.further.len()).take_while(|&i| used(i)).count();
        &self.further[..count]
    }
}

/// The types of a function's parameters.
pub(super) fn types(function: &Signature) -> impl Iterator<Item = Type> + '_ {
    function.parameters.iter().map(|p| p.ty)
}

/// Whether the function has a parameter or output of single precision.
pub(super) fn is_single(function: &Signature) -> bool {
    let single = |ty: Type| matches!(ty, Type::Scalar(Scalar::F32) | Type::Sequence(Scalar::F32));
    types(function).any(single) || function.outputs.iter().any(|o| single(o.ty))
}

/// The name of a parameter of the source input.
pub(super) fn input(parameter: usize) -> String {
    format!("#{parameter}")
}

/// The name of a further variable.
pub(super) fn further(index: usize) -> String {
    format!("%{index}")
}

/// The number of nodes of an expression.
pub(super) fn size(e: &Expression) -> usize {
    1 + e.children().into_iter().map(size).sum::<usize>()
}

/// The expression with names replaced; a name for which `value` returns `None` stays.
pub(super) fn replace_names(e: &Expression, value: &impl Fn(&str) -> Option<Expression>) -> Expression {
    e.rewrite(&mut |e| match &e.node {
        Node::Name(name) => value(name),
        _ => None,
    })
}

/// The function under test that an expression calls, if the expression is such a call.
pub(super) fn called(e: &Expression, functions: &[Signature]) -> Option<usize> {
    let Node::Call { function, arguments } = &e.node else { return None };
    match resolve(&function.text, arguments.len(), functions)? {
        Callee::Function(f) => Some(f),
        Callee::Word(_) => None,
    }
}

/// All calls of functions under test in an expression, the outer ones first.
pub(super) fn calls<'e>(e: &'e Expression, functions: &[Signature]) -> Vec<&'e Expression> {
    let here = called(e, functions).map(|_| e);
    here.into_iter().chain(e.children().into_iter().flat_map(|c| calls(c, functions))).collect()
}

/// An output of a call, as an expression denotes it: `f(x)` or `f(x).stdout`.
pub(super) struct OutputOf<'e> {
    pub(super) function: usize,
    pub(super) output: Option<&'e str>,
    pub(super) call: &'e Expression,
    pub(super) arguments: &'e [Expression],
}

/// The output that an expression denotes, if it is nothing but an output of a call.
pub(super) fn output_of<'e>(e: &'e Expression, functions: &[Signature]) -> Option<OutputOf<'e>> {
    let (call, output) = match &e.node {
        Node::Select(call, output) => (&**call, Some(output.text.as_str())),
        _ => (e, None),
    };
    let function = called(call, functions)?;
    let Node::Call { arguments, .. } = &call.node else { return None };
    Some(OutputOf { function, output, call, arguments })
}
