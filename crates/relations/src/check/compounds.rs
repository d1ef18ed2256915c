//! Values of several outputs: tuples, values that may be missing, and results that may be errors.
//!
//! A call of a function `f` that returns such a value has an output for each part: `f(x).0`, `f(x).is_some`, `f(x).err`. A value that may be
//! missing is written as if it were there: `f(x)` is the value inside, and undefined where there is none. So engines know of columns of
//! plain values only, and what is said of a whole value becomes something that is said of its parts, here.

use dodona_target::{Given, Output, OutputName};

use super::Ty;
use super::callee::resolve;
use super::operators::Sides;
use super::typing::Typing;
use crate::Diagnostic;
use crate::ast::{BinaryOperator, Expression, Node, Presence, Span};
use crate::diagnostic::Quoted;
use crate::graph::NodeId;
use crate::op::Op;

/// A value of several outputs, or what such a value is compared with.
pub(super) enum Compound<'e> {
    /// The outputs of a call whose path begins so.
    Outputs { call: &'e Expression, path: String },
    /// `none`, or `some(x)`, `ok(x)` and `err(x)`.
    Word(Presence, Option<&'e Expression>),
    /// Any other value, beside a compound one.
    Plain(&'e Expression),
}

/// The output at a path. `some` and `ok` in it may be left out, for they change nothing.
pub(super) fn output_at(outputs: &[Output], path: &str) -> Option<usize> {
    let find =
        |wanted: &str| outputs.iter().position(|output| output.name.selector().unwrap_or_default() == wanted);
    find(path).or_else(|| find(&plain_path(path)))
}

fn plain_path(path: &str) -> String {
    let steps: Vec<&str> = path.split('.').filter(|step| !["some", "ok"].contains(step)).collect();
    steps.join(".")
}

/// The path of an output within the return value; that of the whole is empty. Other outputs have none.
fn own_path(output: &Output) -> Option<&str> {
    match &output.name {
        OutputName::Return => Some(""),
        OutputName::Part(path) => Some(path),
        _ => None,
    }
}

/// What follows the path of a value in the path of one of its parts.
fn behind<'p>(path: &'p str, value: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(value)?;
    if value.is_empty() || rest.is_empty() { Some(rest) } else { rest.strip_prefix('.') }
}

/// A call, with the path that is selected of its outputs.
fn call_and_path(e: &Expression) -> (&Expression, String) {
    match &e.node {
        Node::Select(inner, name) => {
            let (call, path) = call_and_path(inner);
            (call, if path.is_empty() { name.text.clone() } else { format!("{path}.{}", name.text) })
        }
        _ => (e, String::new()),
    }
}

impl Typing<'_> {
    /// Both sides of a comparison, if one of them is a value of several outputs or a word for one.
    pub(super) fn compounds<'e>(&self, a: &'e Expression, b: &'e Expression) -> Option<Sides<Compound<'e>>> {
        let sides = (self.compound(a), self.compound(b));
        if sides.0.is_none() && sides.1.is_none() {
            return None;
        }
        Some((sides.0.unwrap_or(Compound::Plain(a)), sides.1.unwrap_or(Compound::Plain(b))))
    }

    fn compound<'e>(&self, e: &'e Expression) -> Option<Compound<'e>> {
        match &e.node {
            Node::Name(name) if name == Presence::None.word() && !self.names.contains_key(name) => {
                return Some(Compound::Word(Presence::None, None));
            }
            Node::Call { function, arguments } if arguments.len() == 1 => {
                let word = Presence::ALL.into_iter().find(|presence| presence.word() == function.text);
                if let Some(presence) = word.filter(|_| resolve(&function.text, 1, self.functions).is_none())
                {
                    return Some(Compound::Word(presence, arguments.first()));
                }
            }
            _ => {}
        }
        let (call, path) = call_and_path(e);
        let path = plain_path(&path);
        let outputs = self.outputs_of(call)?;
        let is_part = |output: &Output| {
            own_path(output).and_then(|own| behind(own, &path)).is_some_and(|rest| !rest.is_empty())
        };
        outputs.iter().any(is_part).then_some(Compound::Outputs { call, path })
    }

    fn outputs_of(&self, call: &Expression) -> Option<&[Output]> {
        let Node::Call { function, arguments } = &call.node else { return None };
        match resolve(&function.text, arguments.len(), self.functions)? {
            super::callee::Callee::Function(index) => Some(&self.functions[index].outputs),
            super::callee::Callee::Word(_) => None,
        }
    }

    /// `==`, `!=` and `~=` of values of several outputs: all parts are the same, as far as both have them.
    pub(super) fn same_compounds(
        &mut self,
        operator: BinaryOperator,
        sides: Sides<Compound<'_>>,
        span: Span,
    ) -> Option<NodeId> {
        let part = match operator {
            BinaryOperator::Approximate => BinaryOperator::Approximate,
            _ => BinaryOperator::Equal,
        };
        let same = match sides {
            // The one value that outputs stand for is compared like any other.
            (Compound::Outputs { call, path }, Compound::Plain(value))
            | (Compound::Plain(value), Compound::Outputs { call, path }) => {
                let value = self.expression(value);
                let output = self.inside((call, &path), span);
                return self.equality(operator, (output?, value?), span);
            }
            (Compound::Outputs { call: a, path: of_a }, Compound::Outputs { call: b, path: of_b }) => {
                self.same_outputs(part, ((a, &of_a), (b, &of_b)), span)
            }
            (Compound::Outputs { call, path }, Compound::Word(presence, value))
            | (Compound::Word(presence, value), Compound::Outputs { call, path }) => {
                self.is_word(part, (call, &path), presence, value, span)
            }
            (Compound::Word(presence, _), _) | (_, Compound::Word(presence, _)) => self.problem(
                Diagnostic::new(span, format!("`{}` is compared with what cannot be that", presence.word()))
                    .hint("it is said of a call that returns an Option or a Result: `f(x) == none`"),
            ),
            (Compound::Plain(_), Compound::Plain(_)) => None,
        };
        match operator {
            BinaryOperator::NotEqual => Some(self.graph.add(Op::Not, &[same?], Ty::Bool)),
            _ => same,
        }
    }

    /// The one value that outputs stand for: what is inside an Option or a Result.
    fn inside(&mut self, (call, path): (&Expression, &str), span: Span) -> Option<NodeId> {
        let outputs = self.outputs_of(call)?;
        let Some(index) = outputs.iter().position(|output| own_path(output) == Some(path)) else {
            let parts: Vec<String> = outputs
                .iter()
                .filter_map(own_path)
                .filter(|own| behind(own, path).is_some_and(|rest| !rest.is_empty()))
                .map(|own| format!("{call}.{own}"))
                .collect();
            return self.problem(
                Diagnostic::new(span, "a value of several parts is compared with a single one")
                    .hint(format!("its parts are {}", Quoted(&parts))),
            );
        };
        let call = self.call(call)?;
        Some(self.output(call, index))
    }

    /// The parts of a value: what follows its path in theirs, with their index.
    fn parts(&self, (call, path): (&Expression, &str)) -> Vec<(String, usize)> {
        let outputs = self.outputs_of(call).unwrap_or_default().iter().enumerate();
        outputs
            .filter_map(|(index, output)| Some((behind(own_path(output)?, path)?.to_owned(), index)))
            .collect()
    }

    fn same_outputs(
        &mut self,
        operator: BinaryOperator,
        (a, b): Sides<(&Expression, &str)>,
        span: Span,
    ) -> Option<NodeId> {
        let (left, right) = (self.parts(a), self.parts(b));
        let types = |typing: &Self, side: (&Expression, &str), parts: &[(String, usize)]| {
            let outputs = typing.outputs_of(side.0).unwrap_or_default();
            let one = |(name, index): &(String, usize)| (name.clone(), Ty::from(outputs[*index].ty));
            let mut all: Vec<(String, Ty)> = parts.iter().map(one).collect();
            all.sort();
            all
        };
        if types(self, a, &left) != types(self, b, &right) {
            return self.problem(
                Diagnostic::new(span, "values of different parts are compared")
                    .label("never equal")
                    .hint("compare the parts: `f(x).0 == g(x).1`, `f(x).is_some == g(x).is_some`"),
            );
        }
        let calls = (self.call(a.0)?, self.call(b.0)?);
        let mut all: Option<NodeId> = None;
        for (name, index) in left {
            let (_, other) = right.iter().find(|(other, _)| *other == name)?;
            // Where only one side has a part, what says so differs, and that decides: `and` is false then, whatever is undefined.
            let given = self.outputs_of(a.0).and_then(|outputs| outputs[index].given);
            let nodes = (self.output(calls.0, index), self.output(calls.1, *other));
            let same = self.equality(operator, nodes, span)?;
            let same = match given {
                Some(given) => {
                    let has = self.is_there(calls.0, given);
                    self.graph.add(Op::Implies, &[has, same], Ty::Bool)
                }
                None => same,
            };
            all = Some(match all {
                Some(before) => self.graph.add(Op::And, &[before, same], Ty::Bool),
                None => same,
            });
        }
        all
    }

    /// What says whether a value is there, or is no error: its tag.
    fn tag(
        &mut self,
        (call, path): (&Expression, &str),
        presence: Presence,
        span: Span,
    ) -> Option<(usize, Given)> {
        let (name, is) = presence.tag();
        let found = self.parts((call, path)).into_iter().find(|(rest, _)| rest == name);
        let Some((_, output)) = found else {
            let kind = if name == "is_some" { "an Option" } else { "a Result" };
            return self.problem(
                Diagnostic::new(span, format!("`{}` is said of {kind}", presence.word()))
                    .hint("the type that the function returns stands in its signature"),
            );
        };
        Some((self.call(call)?, Given { output, is }))
    }

    /// `f(x) is some`.
    pub(super) fn presence(&mut self, value: &Expression, presence: Presence, span: Span) -> Option<NodeId> {
        let (call, path) = call_and_path(value);
        if self.outputs_of(call).is_none() {
            return self.problem(
                Diagnostic::new(span, format!("`is {}` is said of a call", presence.word()))
                    .hint("write `f(x) is some`; `defined(…)` asks whether any expression has a value"),
            );
        }
        let (call, given) = self.tag((call, &plain_path(&path)), presence, span)?;
        Some(self.is_there(call, given))
    }

    /// A value compared with `none`, `some(x)`, `ok(x)` or `err(x)`.
    fn is_word(
        &mut self,
        operator: BinaryOperator,
        (call, path): (&Expression, &str),
        presence: Presence,
        value: Option<&Expression>,
        span: Span,
    ) -> Option<NodeId> {
        let (site, given) = self.tag((call, path), presence, span)?;
        let is_so = self.is_there(site, given);
        let Some(value) = value else { return Some(is_so) };
        let inside = match presence {
            Presence::Err if path.is_empty() => "err".to_owned(),
            Presence::Err => format!("{path}.err"),
            _ => path.to_owned(),
        };
        let expected = self.expression(value);
        let found = self.inside((call, &inside), span);
        let same = self.equality(operator, (found?, expected?), span)?;
        Some(self.graph.add(Op::And, &[is_so, same], Ty::Bool))
    }
}
