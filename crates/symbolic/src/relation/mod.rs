//! Relations and preconditions as terms, with exact integers, floats, sequences of known lengths, and the conditions under
//! which they are defined.
//!
//! A [`Walk`] takes the same steps as the evaluation of a relation on columns. It stops where its caller has to act: where a
//! call has to be made, where inputs become ineligible, and at the verdict.
//!
//! The graph, the order of conditions, domains and calls, and the undefined cases are those of the evaluation, which is why this crate
//! uses `relations`. A test compares the two on every shipped relation. Where characters are counted, text is assumed to be ASCII, and
//! the walk says so.

mod apply;
mod arithmetic;
mod ascii;
mod brackets;
mod choice;
mod compare;
mod in_domain;
mod integer;
mod nan;
mod number;
mod register;
mod sequence;
mod walk;

use dodona_relations::plan::{Node, Op};
use dodona_relations::{Precondition, ast::Bound};
use dodona_smt::term::{Term, Terms};
use dodona_target::{Signature, Value};

use crate::call::Symbol;

pub use register::well_formed;
pub use walk::{CallAnswer, Next, Walk};

use register::{Data, Register};

/// A part of a relation that cannot be translated to terms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} cannot be decided symbolically")]
pub struct Unsupported {
    /// The part of the relation, in words.
    pub what: String,
}

impl Unsupported {
    fn new(what: impl Into<String>) -> Unsupported {
        Unsupported { what: what.into() }
    }
}

/// The part that is not supported.
fn no_terms(op: Op) -> Unsupported {
    let name = op.word().map_or_else(|| format!("{op:?}").to_lowercase(), |word| word.name.to_owned());
    Unsupported::new(format!("`{name}` of what depends on the input"))
}

/// A truth value of the relation language, and where its translation is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// Whether it is defined and true.
    pub holds: Term,
    /// Where the translation is exact. For text this is only so for ASCII.
    pub exact: Term,
}

/// The precondition of a function over its symbolic parameters; `None` where it has none.
///
/// # Errors
/// When the precondition uses what has no translation, or is wrong itself.
pub fn precondition(
    terms: &mut Terms,
    function: &Signature,
    symbols: &[Symbol],
) -> Result<Option<Truth>, Unsupported> {
    let wrong = |_| Unsupported::new(format!("the precondition of `{}`, which is wrong,", function.name));
    let Some(predicate) = Precondition::compile(function).map_err(wrong)? else { return Ok(None) };
    let view = predicate.plan();
    let mut context = Context { terms, bound: view.bound(), exact: Term::bool(true) };
    let mut registers: Vec<Option<Register>> = Vec::new();
    for node in view.nodes() {
        let register = match node.op {
            Op::Variable(index) => {
                Register::of_symbol(context.terms, function.parameters[index].ty, &symbols[index])
            }
            Op::Constant(index) => constant(view.constant(index), node),
            _ => compute(&mut context, node, &registers)?,
        };
        registers.push(Some(register));
    }
    let Some(Register { data: Data::Bool(truth), defined, .. }) = registers.swap_remove(view.node()) else {
        return Err(Unsupported::new("a precondition that is no truth value"));
    };
    let holds = context.terms.and(truth, defined);
    Ok(Some(Truth { holds, exact: context.exact }))
}

/// Where terms are made.
struct Context<'t> {
    terms: &'t mut Terms,
    bound: Bound,
    /// The assumptions under which the translation is exact.
    exact: Term,
}

impl Context<'_> {
    fn assume(&mut self, condition: Term) {
        self.exact = self.terms.and(self.exact, condition);
    }
}

fn constant(value: Option<Value>, node: &Node) -> Register {
    match value {
        Some(value) => Register::constant(&value),
        None => Register { defined: Term::bool(false), ..Register::blank(node.ty) },
    }
}

/// Computes a node whose operands have been computed.
fn compute(
    context: &mut Context<'_>,
    node: &Node,
    registers: &[Option<Register>],
) -> Result<Register, Unsupported> {
    let operands: Vec<&Register> = node.operands.iter().filter_map(|id| registers[*id].as_ref()).collect();
    apply::apply(context, node.op, &operands)
}
