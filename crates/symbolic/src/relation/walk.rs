//! The steps of a relation, one by one.

use dodona_relations::plan::{Op, PlanView, Step};
use dodona_relations::{CallSite, Ineligible, Role};
use dodona_smt::term::{Term, Terms};
use dodona_subject::Function;
use dodona_target::Outcome;

use super::nan::SourceFloats;
use super::register::{Data, Register};
use super::{Context, Unsupported, compute, constant, in_domain};
use crate::call::Symbol;

/// A walk through one metamorphic group on symbolic inputs. Where a call ends in several ways, each way goes on with a
/// clone of the walk.
///
/// Call [`Walk::next`] for the next action. A call is answered with [`Walk::answer`]. Where eligibility depends on the input,
/// it is a constraint on everything that follows.
#[derive(Clone, Debug)]
pub struct Walk<'p> {
    plan: PlanView<'p>,
    sites: &'p [CallSite],
    functions: &'p [Function],
    registers: Vec<Option<Register>>,
    floats: SourceFloats,
    at: usize,
    /// The call that waits for its answer.
    waiting: Option<usize>,
    /// Whether every source call returned.
    sources_returned: bool,
    /// The first failure of a follow-up call that decides.
    failed: Option<Outcome>,
    ineligible: Option<Ineligible>,
    exact: Term,
}

/// An action that a walk asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Only inputs for which this is true are eligible; the others are ineligible for this reason.
    Eligible {
        /// Which inputs are eligible.
        holds: Term,
        /// Why the others are not.
        otherwise: Ineligible,
    },
    /// A call has to be made, and its end reported to the walk.
    Call {
        /// The index of the call in the relation.
        call: usize,
        /// The index of the function among those with which the relation was checked.
        function: usize,
        /// An argument for each parameter.
        arguments: Vec<Symbol>,
        /// Whether all arguments have a value. If not, the answer is [`CallAnswer::NotMade`].
        made: Term,
    },
    /// The end: the relation holds where the expectation is defined and true.
    Verdict {
        /// Whether what is expected is true, where it is defined.
        holds: Term,
        /// Whether it is defined; where not, the relation counts as violated.
        defined: Term,
    },
    /// The end: on every input that reached this point, the source calls returned and a follow-up call ended like this.
    Violated(Outcome),
    /// The end: no input that reached this point is eligible.
    Ineligible(Ineligible),
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallAnswer {
    /// With these outputs, in the order of [`Signature::outputs`](dodona_target::Signature::outputs).
    Returned(Vec<Symbol>),
    /// Without outputs.
    Ended(Outcome),
    /// It was not made, because an argument has no value.
    NotMade,
}

impl<'p> Walk<'p> {
    /// The beginning of a walk. `sites` are [`dodona_relations::Relation::calls`], `functions` are those with which the
    /// relation was checked, and `variables` has a term for each of [`dodona_relations::Relation::variables`], in the domain of
    /// its parameter. A NaN among them is the canonical one.
    ///
    /// # Panics
    /// When there are fewer variables than the relation has.
    pub fn new(
        terms: &mut Terms,
        plan: PlanView<'p>,
        relation: &'p dodona_relations::Relation,
        functions: &'p [Function],
        variables: &[Symbol],
    ) -> Walk<'p> {
        let mut floats = SourceFloats::default();
        for (variable, symbol) in relation.variables().iter().zip(variables) {
            floats.add(&functions[variable.function].parameters[variable.parameter], symbol);
        }
        let mut leaf = |op| match op {
            Op::Variable(index) => {
                let variable = &relation.variables()[index];
                let ty = functions[variable.function].parameters[variable.parameter].ty;
                Some(Register::of_symbol(terms, ty, &variables[index]))
            }
            _ => None,
        };
        let mut registers: Vec<Option<Register>> = plan.nodes().iter().map(|node| leaf(node.op)).collect();
        for (node, register) in plan.nodes().iter().zip(&mut registers) {
            if let Op::Constant(index) = node.op {
                *register = Some(constant(plan.constant(index), node));
            }
        }
        Walk {
            plan,
            sites: relation.calls(),
            functions,
            registers,
            floats,
            at: 0,
            waiting: None,
            sources_returned: true,
            failed: None,
            ineligible: None,
            exact: Term::bool(true),
        }
    }

    /// Where the translation has been exact so far. For text it is exact only for ASCII; for other texts the walk says nothing.
    pub fn exact(&self) -> Term {
        self.exact
    }

    /// Continues to the next action. At the end it returns the end again.
    ///
    /// # Errors
    /// When the relation uses something that cannot be translated.
    ///
    /// # Panics
    /// When a call waits for its answer.
    pub fn next(&mut self, terms: &mut Terms) -> Result<Next, Unsupported> {
        assert!(self.waiting.is_none(), "a call waits for its answer");
        loop {
            if let Some(reason) = self.ineligible {
                return Ok(Next::Ineligible(reason));
            }
            let step = self.plan.steps()[self.at];
            if step == Step::Expect {
                return Ok(self.verdict());
            }
            self.at += 1;
            if let Some(next) = self.step(terms, step)? {
                return Ok(next);
            }
        }
    }

    fn register(&self, node: usize) -> &Register {
        let register = self.registers[node].as_ref();
        register.unwrap_or_else(|| unreachable!("node {node} is read before it is computed"))
    }

    fn truth(&self, node: usize) -> (Term, Term) {
        match self.register(node) {
            Register { data: Data::Bool(truth), defined, .. } => (*truth, *defined),
            other => unreachable!("checked to be Boolean: {other:?}"),
        }
    }

    fn verdict(&self) -> Next {
        match self.failed {
            Some(outcome) => Next::Violated(outcome),
            None => {
                let (holds, defined) = self.truth(self.plan.expect());
                Next::Verdict { holds, defined }
            }
        }
    }

    fn step(&mut self, terms: &mut Terms, step: Step) -> Result<Option<Next>, Unsupported> {
        let (holds, otherwise) = match step {
            Step::Compute(id) => {
                let mut context = Context { terms, bound: self.plan.bound(), exact: self.exact };
                let register = compute(&mut context, &self.plan.nodes()[id], &self.registers)?;
                self.exact = context.exact;
                self.registers[id] = Some(register);
                return Ok(None);
            }
            Step::Condition => {
                let Some(condition) = self.plan.condition() else { return Ok(None) };
                let (truth, defined) = self.truth(condition);
                (terms.and(truth, defined), condition_fails(defined))
            }
            Step::Domain { call, argument } => (self.domain(terms, call, argument), Ineligible::OutOfDomain),
            Step::Requires { call } => (self.requires(terms, call), Ineligible::OutOfDomain),
            Step::Call { call } => return Ok(Some(self.call(terms, call))),
            Step::Expect => return Ok(None),
        };
        if holds.is(false) {
            self.ineligible = Some(otherwise);
        }
        Ok(holds.constant().is_none().then_some(Next::Eligible { holds, otherwise }))
    }

    fn domain(&mut self, terms: &mut Terms, call: usize, argument: usize) -> Term {
        let written = self.plan.call(call).arguments[argument].written;
        let (ty, domain) = self.plan.parameter(call, argument);
        let mut context = Context { terms, bound: self.plan.bound(), exact: self.exact };
        let inside = in_domain::inside(&mut context, self.register(written), ty, domain);
        self.exact = context.exact;
        inside
    }

    /// A call without a value for every argument is not made, so it asks for nothing.
    fn requires(&mut self, terms: &mut Terms, call: usize) -> Term {
        let Some(requires) = self.plan.call(call).requires else { return Term::bool(true) };
        let (truth, defined) = self.truth(requires);
        let holds = terms.and(truth, defined);
        let made = self.made(terms, call);
        let not_made = terms.not(made);
        terms.or(not_made, holds)
    }

    fn made(&self, terms: &mut Terms, call: usize) -> Term {
        let arguments = &self.plan.call(call).arguments;
        arguments.iter().fold(Term::bool(true), |made, a| terms.and(made, self.register(a.passed).defined))
    }

    fn call(&mut self, terms: &mut Terms, call: usize) -> Next {
        self.waiting = Some(call);
        let made = self.made(terms, call);
        let arguments = self.plan.call(call).arguments.iter().enumerate();
        let arguments = arguments
            .map(|(i, a)| {
                let argument = self.register(a.passed).to_symbol(terms, self.plan.parameter(call, i).0);
                self.floats.passed(terms, argument)
            })
            .collect();
        Next::Call { call, function: self.sites[call].function, arguments, made }
    }

    /// Reports how the call ended that [`Walk::next`] asked for.
    ///
    /// # Panics
    /// When no call waits for an answer, or outputs are missing.
    pub fn answer(&mut self, terms: &mut Terms, answer: CallAnswer) {
        let call = self.waiting.take().unwrap_or_else(|| panic!("no call waits for an answer"));
        if let CallAnswer::Ended(outcome) = answer {
            self.fail(call, outcome);
        }
        for id in 0..self.plan.nodes().len() {
            let node = &self.plan.nodes()[id];
            if node.op.call() == Some(call) {
                self.registers[id] = Some(self.answered(terms, node.op, &answer, id));
            }
        }
    }

    fn fail(&mut self, call: usize, outcome: Outcome) {
        let site = &self.sites[call];
        match (site.role, site.observed) {
            (Role::Source, false) => self.ineligible = Some(Ineligible::Skipped(outcome)),
            (Role::Source, true) => self.sources_returned = false,
            (Role::FollowUp, true) => {}
            // The first failure is the one to report.
            (Role::FollowUp, false) if self.sources_returned => {
                self.failed.get_or_insert(outcome);
            }
            (Role::FollowUp, false) => {}
        }
    }

    /// The value of a node that refers to a call, after the call has ended.
    fn answered(&self, terms: &mut Terms, op: Op, answer: &CallAnswer, id: usize) -> Register {
        let flag = |truth: bool| Register::new(Data::Bool(Term::bool(truth)));
        let undefined = Term::bool(false);
        match (op, answer) {
            (Op::Output { call, output }, CallAnswer::Returned(outputs)) => {
                let ty = self.functions[self.sites[call].function].outputs[output].ty;
                Register::of_symbol(terms, ty, &outputs[output])
            }
            (Op::Returned(_), answer) => flag(matches!(answer, CallAnswer::Returned(_))),
            (Op::Traps(_), CallAnswer::Returned(_) | CallAnswer::Ended(_)) => {
                flag(matches!(answer, CallAnswer::Ended(Outcome::Trapped(_))))
            }
            _ => Register { defined: undefined, ..Register::blank(self.plan.nodes()[id].ty) },
        }
    }
}

fn condition_fails(defined: Term) -> Ineligible {
    if defined.is(false) { Ineligible::ConditionUndefined } else { Ineligible::Condition }
}
