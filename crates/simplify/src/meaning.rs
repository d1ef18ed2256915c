//! What names, calls and operators mean for the facts of their class.

use std::collections::{BTreeMap, BTreeSet};

use dodona_relations::check::{Role, Ty};
use dodona_target::Signature;
use egg::{Analysis, DidMerge, EGraph, Id};

use super::facts::{Facts, joined};
use super::fold::fold;
use super::range::Range;
use super::term::{Callee, Constant, Operator, Term};
use super::{defined, typing};

/// The terms of a relation, grouped into classes of equal terms.
pub(super) type Terms = EGraph<Term, Meaning>;

/// The meaning of names and calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Meaning {
    pub(super) names: BTreeMap<String, Facts>,
    /// For each function its outputs, each with the name that selects it.
    outputs: Vec<Vec<(Option<String>, Facts)>>,
    /// The calls that must not be lost, as (function, role).
    held: BTreeSet<(usize, Role)>,
}

impl Meaning {
    /// The meaning of calls of these functions, without names.
    pub(super) fn new(functions: &[Signature]) -> Self {
        let outputs = |f: &Signature| {
            let outputs = f.outputs.iter().cloned();
            outputs.map(|o| (o.name.selector().map(str::to_owned), Facts::of_type(o.ty))).collect()
        };
        Meaning { outputs: functions.iter().map(outputs).collect(), ..Meaning::default() }
    }

    /// The same meaning, with calls that must not be lost.
    pub(super) fn holding(self, held: &BTreeSet<(usize, Role)>) -> Self {
        Meaning { held: held.clone(), ..self }
    }

    fn output(&self, function: usize, selector: Option<&str>) -> Facts {
        let found = self.outputs[function].iter().find(|(name, _)| name.as_deref() == selector);
        // A call of a function that returns nothing stands for whether it returned.
        found.map_or(Facts::given(Ty::Bool), |(_, facts)| facts.clone())
    }

    /// The facts about an output of a call. The output counts as defined, because a failed call decides the verdict
    /// by itself, unless the relation asks whether the call fails.
    fn called(&self, callee: &Callee, selector: Option<&str>, arguments: &[&Facts]) -> Facts {
        let defined = !callee.observed && arguments.iter().all(|a| a.defined);
        let held = self.held.contains(&(callee.function, callee.role)) || arguments.iter().any(|a| a.held);
        Facts { defined, held, ..self.output(callee.function, selector) }
    }
}

impl Analysis<Term> for Meaning {
    type Data = Facts;

    fn make(terms: &mut Terms, term: &Term, _: Id) -> Facts {
        let operands: Vec<&Facts> = term.operands.iter().map(|id| &terms[*id].data).collect();
        match &term.operator {
            Operator::Constant(constant) => Facts::of_constant(constant),
            Operator::Name(name) | Operator::Written(name) => {
                terms.analysis.names.get(name).cloned().unwrap_or(Facts::given(Ty::Float))
            }
            Operator::Call(callee) => terms.analysis.called(callee, None, &operands),
            Operator::Select(output) => selected(terms, term.operands[0], output),
            operator => computed(operator, &operands),
        }
    }

    fn merge(&mut self, a: &mut Facts, b: Facts) -> DidMerge {
        debug_assert!(joined(a.ty, b.ty).is_some(), "{a:?} is none of {b:?}");
        let contradict = a.constant.is_some() && b.constant.is_some() && a.constant != b.constant;
        debug_assert!(!contradict, "{a:?} is not {b:?}");
        let before = a.clone();
        a.ty = joined(a.ty, b.ty).unwrap_or(a.ty);
        a.defined |= b.defined;
        a.held |= b.held;
        a.range = a.range.meet(b.range);
        a.constant = a.constant.take().or(b.constant.clone());
        DidMerge(*a != before, *a != b)
    }

    fn modify(terms: &mut Terms, id: Id) {
        let facts = &terms[id].data;
        let single = facts.range.single().filter(|_| facts.ty == Ty::Int).map(Constant::Int);
        let constant = facts.constant.clone().or(single).filter(|_| facts.defined && !facts.held);
        if let Some(constant) = constant.filter(Constant::is_easy) {
            let literal = terms.add(Term::constant(constant));
            terms.union(id, literal);
        }
    }
}

/// The facts about `f(x).output`: those of the function whose call is in the class `call`.
fn selected(terms: &Terms, call: Id, output: &str) -> Facts {
    let nodes = &terms[call].nodes;
    let found = nodes.iter().find_map(|term| match &term.operator {
        Operator::Call(callee) => Some((callee, &term.operands)),
        _ => None,
    });
    let Some((callee, arguments)) = found else { return Facts::given(Ty::Bool) };
    let arguments: Vec<&Facts> = arguments.iter().map(|id| &terms[*id].data).collect();
    terms.analysis.called(callee, Some(output), &arguments)
}

fn computed(operator: &Operator, operands: &[&Facts]) -> Facts {
    let (range, total) = defined::result(operator, operands);
    let constant = fold(operator, operands).or_else(|| defined::decided(operator, operands));
    let ty = match &constant {
        Some(constant) => Facts::of_constant(constant).ty,
        None => typing::result(operator, operands),
    };
    let range = match constant {
        Some(Constant::Int(i)) => Range::one(i),
        _ => range,
    };
    let folded = operands.iter().all(|o| o.constant.is_some()) && constant.is_some();
    Facts {
        ty,
        single: typing::stays_single(operator, operands),
        defined: operands.iter().all(|o| o.defined) && (total || folded),
        held: operands.iter().any(|o| o.held),
        constant,
        range,
    }
}
