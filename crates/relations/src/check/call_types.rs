//! The types of calls of functions under test.

use std::collections::HashMap;

use dodona_target::{Given, Kind, Output, OutputName, Parameter, Scalar, Signature, Type};

use super::Ty;
use super::call_node::{ArgumentNode, CallNode};
use super::callee::{Callee, resolve};
use super::calls::{CallSites, Role};
use super::compounds::output_at;
use super::operators::plural;
use super::types::Element;
use super::typing::{Typing, quoted};
use crate::Diagnostic;
use crate::ast::{Expression, Name, Node, Span};
use crate::diagnostic::{Quoted, nearest};
use crate::foreign;
use crate::graph::NodeId;
use crate::op::Op;
use crate::parse_expression;

impl Typing<'_> {
    /// Type-checks a call and returns the index of its call site.
    pub(super) fn call(&mut self, e: &Expression) -> Option<usize> {
        let Node::Call { function: name, arguments } = &e.node else { return None };
        let Some(Callee::Function(function)) = resolve(&name.text, arguments.len(), self.functions) else {
            return None;
        };
        let Some(site) = self.calls.find(e) else {
            return self.problem(
                Diagnostic::new(e.span, format!("`{e}` cannot be called here"))
                    .hint("constants and preconditions call no function under test"),
            );
        };
        if self.made[site].is_none() {
            let made = self.arguments(&self.functions[function], arguments, name, site)?;
            self.made[site] = Some(made);
        }
        Some(site)
    }

    fn arguments(
        &mut self,
        function: &Signature,
        written: &[Expression],
        name: &Name,
        site: usize,
    ) -> Option<CallNode> {
        if written.len() != function.parameters.len() {
            let signature: Vec<String> =
                function.parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
            let takes = plural(function.parameters.len(), "argument");
            return self.problem(
                Diagnostic::new(name.span, format!("`{}` takes {takes}, found {}", name.text, written.len()))
                    .hint(format!("its signature is `{}({})`", name.text, signature.join(", "))),
            );
        }
        let pairs = function.parameters.iter().zip(written);
        let source = self.calls.sites[site].role == Role::Source;
        let arguments: Vec<Option<ArgumentNode>> =
            pairs.map(|(parameter, e)| self.argument(name, parameter, e, source)).collect();
        let arguments: Vec<ArgumentNode> = arguments.into_iter().collect::<Option<_>>()?;
        let requires = self.requires(function, &arguments, name.span)?;
        Some(CallNode { arguments, requires })
    }

    fn argument(
        &mut self,
        function: &Name,
        parameter: &Parameter,
        e: &Expression,
        source: bool,
    ) -> Option<ArgumentNode> {
        let written = self.expression(e)?;
        let found = self.graph.ty(written);
        if !found.fits(parameter.ty) {
            let what = format!("`{}` takes `{}`, found {}", function.text, parameter.ty, quoted(found));
            let problem = Diagnostic::new(e.span, what).label(format!("parameter `{}`", parameter.name));
            return self.problem(match (&e.node, parameter.ty) {
                (Node::Text(text), Type::Sequence(scalar)) if scalar.kind() == Kind::Int => {
                    problem.hint(format!("the bytes of this text are {:?}", text.as_slice()))
                }
                _ => problem,
            });
        }
        let passed = self.passed(written, parameter.ty);
        // A source input is drawn from the domain of the first parameter that its variable is bound to.
        let drawn = source && self.drawn_for(e, function, parameter);
        let certain = parameter.domain.is_everything() && self.is_any(written, parameter.ty);
        Some(ArgumentNode { written, passed, doubtful: !drawn && !certain })
    }

    fn drawn_for(&self, e: &Expression, function: &Name, parameter: &Parameter) -> bool {
        let Node::Name(variable) = &e.node else { return false };
        self.drawn.get(variable).is_some_and(|place| {
            let owner = &self.functions[place.0];
            owner.name == function.text && owner.parameters[place.1].name == parameter.name
        })
    }

    /// Whether every possible value of this node belongs to the type.
    fn is_any(&self, node: NodeId, ty: Type) -> bool {
        let single = self.graph.nodes[node].single;
        match (self.graph.ty(node), ty.scalar()) {
            (Ty::Bool | Ty::Sequence(Element::Bool | Element::Nothing), _) => true,
            (Ty::Text, _) | (_, None) => false,
            (_, Some(Scalar::F64)) => true,
            (_, Some(Scalar::F32)) => single,
            _ => false,
        }
    }

    /// The argument converted to the kind of its parameter's type.
    fn passed(&mut self, node: NodeId, ty: Type) -> NodeId {
        let Some(scalar) = ty.scalar() else { return node };
        let kind = Ty::from(ty);
        let rounds = scalar == Scalar::F32 && !self.graph.nodes[node].single;
        if self.graph.ty(node) == kind && !rounds {
            return node;
        }
        self.graph.add(Op::Convert(scalar), &[node], kind)
    }

    /// The function's precondition with the arguments in place of the parameters.
    fn requires(
        &mut self,
        function: &Signature,
        arguments: &[ArgumentNode],
        span: Span,
    ) -> Option<Option<NodeId>> {
        let Some(text) = &function.requires else { return Some(None) };
        let parameters = function.parameters.iter().map(|p| p.name.clone());
        let names = parameters.zip(arguments.iter().map(|a| a.passed)).collect();
        match parse_expression(text).and_then(|parsed| precondition(self.graph, &parsed, names)) {
            Ok(node) => Some(Some(node)),
            Err(problems) => {
                let reasons: Vec<String> = problems.into_iter().map(|p| p.message).collect();
                self.problem(
                    Diagnostic::new(
                        span,
                        format!("the precondition of `{}` is wrong: {}", function.name, reasons.join("; ")),
                    )
                    .hint(format!("it stands in the manifest: `requires = {text:?}`")),
                )
            }
        }
    }

    /// The type of a call's return value: `Some(None)` where the function returns nothing, `None` where the
    /// expression is not a call of a function under test.
    pub(super) fn return_type(&self, e: &Expression) -> Option<Option<Type>> {
        let Node::Call { function, arguments } = &e.node else { return None };
        match resolve(&function.text, arguments.len(), self.functions)? {
            Callee::Word(_) => None,
            Callee::Function(f) => {
                let outputs = &self.functions[f].outputs;
                Some(outputs.first().filter(|o| o.name == OutputName::Return).map(|o| o.ty))
            }
        }
    }

    /// An expression that stands alone. A call of a function that returns nothing is allowed there; its value is
    /// whether the call returned.
    pub(crate) fn statement(&mut self, e: &Expression) -> Option<NodeId> {
        match self.return_type(e) {
            Some(None) => {
                let call = self.call(e)?;
                Some(self.graph.leaf(Op::Returned(call), Ty::Bool, false))
            }
            _ => self.expression(e),
        }
    }

    /// A call used as a value: the value is what the call returns.
    pub(super) fn returned(&mut self, e: &Expression) -> Option<NodeId> {
        let call = self.call(e)?;
        if let Some(Some(_)) = self.return_type(e) {
            return Some(self.output(call, 0));
        }
        let function = &self.functions[self.calls.sites[call].function];
        let selectors: Vec<String> =
            function.outputs.iter().filter_map(|o| Some(format!("{e}.{}", o.name.selector()?))).collect();
        let hint = match selectors[..] {
            [] => format!("`defined({e})` asks whether it came back"),
            _ => format!("its outputs are {}", Quoted(&selectors)),
        };
        let has_parts = function.outputs.iter().any(|output| matches!(output.name, OutputName::Part(_)));
        let problem = match has_parts {
            true => Diagnostic::new(e.span, format!("`{}` returns several values", function.name))
                .label("not one value"),
            false => Diagnostic::new(e.span, format!("`{}` returns nothing", function.name))
                .label("no return value"),
        };
        self.problem(problem.hint(hint))
    }

    /// An output of a call; undefined where the call does not have it.
    pub(super) fn output(&mut self, call: usize, output: usize) -> NodeId {
        let Output { ty, given, .. } = self.functions[self.calls.sites[call].function].outputs[output];
        let single = ty.scalar() == Some(Scalar::F32);
        let value = self.graph.leaf(Op::Output { call, output }, ty.into(), single);
        match given {
            None => value,
            Some(given) => {
                let has = self.is_given(call, given);
                self.graph.add(Op::If, &[has, value], ty.into())
            }
        }
    }

    /// Whether a call has an output that is given so.
    pub(super) fn is_given(&mut self, call: usize, given: Given) -> NodeId {
        let says = self.output(call, given.output);
        if given.is { says } else { self.graph.add(Op::Not, &[says], Ty::Bool) }
    }

    /// Whether a call has an output that is given so, and everything that it is inside of: true or false, wherever the call returns.
    pub(super) fn is_there(&mut self, call: usize, given: Given) -> NodeId {
        let says = self.is_given(call, given);
        let outer = self.functions[self.calls.sites[call].function].outputs[given.output].given;
        match outer {
            None => says,
            Some(outer) => {
                let outside = self.is_there(call, outer);
                self.graph.add(Op::And, &[outside, says], Ty::Bool)
            }
        }
    }

    /// `f(x).output`.
    pub(super) fn selected(&mut self, e: &Expression, output: &Name) -> Option<NodeId> {
        if let Node::Select(call, first) = &e.node {
            // `f(x).ok.0` is one output.
            let path =
                Name { text: format!("{}.{}", first.text, output.text), span: first.span.to(output.span) };
            return self.selected(call, &path);
        }
        if self.return_type(e).is_none() {
            return self.problem(
                Diagnostic::new(output.span, format!("`.{}` selects from what is no call", output.text))
                    .hint("only calls of functions under test have outputs to select")
                    .maybe_hint(foreign::function(&output.text)),
            );
        }
        let call = self.call(e)?;
        let function = &self.functions[self.calls.sites[call].function];
        let outputs = &function.outputs;
        match output_at(outputs, &output.text) {
            Some(index) => Some(self.output(call, index)),
            None => {
                let known: Vec<&str> = outputs.iter().filter_map(|o| o.name.selector()).collect();
                let hint = match known[..] {
                    [] => format!("`{e}` is the value that it returns"),
                    _ => format!("it has {}", Quoted(&known)),
                };
                self.problem(
                    Diagnostic::new(
                        output.span,
                        format!("`{}` has no output `{}`", function.name, output.text),
                    )
                    .hint(hint)
                    .maybe_hint(nearest(&output.text, known)),
                )
            }
        }
    }

    /// `f(x) traps`.
    pub(super) fn traps(&mut self, e: &Expression) -> Option<NodeId> {
        let call = match &e.node {
            Node::Select(call, _) => call,
            _ => e,
        };
        if self.return_type(call).is_none() {
            return self.problem(
                Diagnostic::new(e.span, "`traps` is said of a call")
                    .hint("write `f(x) traps`; `defined(…)` asks whether any expression has a value"),
            );
        }
        let call = self.call(call)?;
        Some(self.graph.leaf(Op::Traps(call), Ty::Bool, false))
    }
}

/// Type-checks a precondition whose parameters are given as these nodes.
///
/// # Errors
/// Everything that is wrong with the precondition; spans are those of the expression.
pub(crate) fn precondition(
    graph: &mut crate::graph::Graph,
    expression: &Expression,
    names: HashMap<String, NodeId>,
) -> Result<NodeId, Vec<Diagnostic>> {
    let calls = CallSites::default();
    let mut typing = Typing::new(graph, &[], &calls);
    typing.names = names;
    let node = typing.truth(expression, "a precondition");
    node.ok_or(typing.problems)
}
