//! Which calls a relation makes, and which of them take the source input.

use std::collections::HashMap;

use dodona_target::Signature;

use super::callee::{Callee, resolve};
use super::variables::Variables;
use crate::ast::{Expression, Node};
use crate::op::Op;

/// Whether a call takes the source input or a follow-up input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The arguments are plain variables, and each variable is bound to the parameter that it is passed for. Or the call stands in the
    /// condition, which decides about the source input: where it does not return, the condition has no value, and no group is eligible.
    Source,
    /// Any other call.
    FollowUp,
}

/// A call that a relation makes once for every metamorphic group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The function called, as an index into the functions that the relation was checked with.
    pub function: usize,
    /// Whether the call takes the source input or a follow-up input.
    pub role: Role,
    /// Whether the relation asks if the call fails (`traps`, `defined`), so that its failure alone does not decide
    /// the verdict.
    pub observed: bool,
    /// The call as it is written: `gcd(q, p)`.
    pub text: String,
}

/// The calls of a relation; calls with the same text count as one call.
#[derive(Clone, Debug, Default)]
pub struct CallSites {
    /// In the order in which they are first written, inner calls before those that they are arguments of.
    pub sites: Vec<CallSite>,
    places: HashMap<String, usize>,
}

impl CallSites {
    /// Collects the calls of some expressions. A call that is an argument of another call comes before that call.
    pub fn collect(expressions: &[&Expression], functions: &[Signature], variables: &Variables) -> Self {
        let mut calls = CallSites::default();
        expressions.iter().for_each(|e| calls.visit(e, false, functions, variables));
        calls
    }

    /// Collects the calls of a relation, those of its condition first.
    pub fn of_relation(
        condition: Option<&Expression>,
        expect: &Expression,
        functions: &[Signature],
        variables: &Variables,
    ) -> Self {
        let mut calls = CallSites::collect(condition.as_slice(), functions, variables);
        calls.sites.iter_mut().for_each(|site| site.role = Role::Source);
        calls.visit(expect, false, functions, variables);
        calls
    }

    /// Whether the condition makes a call with other arguments than the source input has.
    pub fn asks_of_follow_up(
        condition: Option<&Expression>,
        functions: &[Signature],
        variables: &Variables,
    ) -> bool {
        let own = CallSites::collect(condition.as_slice(), functions, variables);
        own.sites.iter().any(|site| site.role == Role::FollowUp)
    }

    /// The index of a call that has been collected.
    pub fn find(&self, call: &Expression) -> Option<usize> {
        self.places.get(&call.to_string()).copied()
    }

    fn visit(&mut self, e: &Expression, observed: bool, functions: &[Signature], variables: &Variables) {
        let callee = match &e.node {
            Node::Call { function, arguments } => resolve(&function.text, arguments.len(), functions),
            _ => None,
        };
        let asks = matches!(e.node, Node::Traps(_))
            || matches!(callee, Some(Callee::Word(word)) if word.op == Op::Defined);
        for child in e.children() {
            self.visit(child, observed || asks, functions, variables);
        }
        if let (Some(Callee::Function(function)), Node::Call { arguments, .. }) = (callee, &e.node) {
            let role = role(function, arguments, variables);
            self.add(CallSite { function, role, observed, text: e.to_string() });
        }
    }

    fn add(&mut self, site: CallSite) {
        if let Some(&place) = self.places.get(&site.text) {
            self.sites[place].observed |= site.observed;
            return;
        }
        self.places.insert(site.text.clone(), self.sites.len());
        self.sites.push(site);
    }
}

fn role(function: usize, arguments: &[Expression], variables: &Variables) -> Role {
    let plain = |(parameter, argument): (usize, &Expression)| match &argument.node {
        Node::Name(name) => variables.is_bound(name, function, parameter),
        _ => false,
    };
    let source = arguments.iter().enumerate().all(plain) && !arguments.is_empty();
    if source { Role::Source } else { Role::FollowUp }
}
