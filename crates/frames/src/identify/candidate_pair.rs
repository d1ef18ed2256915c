//! What is proposed for a candidate pair, and what a tester is shown of it.

use std::collections::BTreeSet;

use dodona_records::{Binding, CandidatePair};
use dodona_relations::ast::Body;
use dodona_relations::to_primed;
use dodona_target::Value;

use crate::framed::Framed;
use crate::identification::{
    Aspect, Candidate, Cube, Evidence, Expectation, Frame, IoFrame, JointChange, Literal, Specification,
    relation_of,
};
use crate::record::bound;
use crate::samples::Samples;
use crate::trial::Trial;

/// Where the proposal for a pair comes from. What the specification says comes before what the code does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The scenarios and the declared order of outputs.
    Specification,
    /// The declared order, and outputs that the code gave.
    Order,
    /// Outputs that the code gave.
    Inferred,
    /// Nothing is proposed.
    Nowhere,
}

impl Origin {
    fn word(self) -> &'static str {
        match self {
            Origin::Specification => "specification",
            Origin::Order => "order",
            Origin::Inferred => "inferred",
            Origin::Nowhere => "",
        }
    }
}

/// A candidate pair, with the proposal for one output.
pub(super) struct PairCandidate {
    /// The relation; one that stands for any output relation if nothing is proposed.
    pub(super) candidate: Candidate,
    origin: Origin,
    before: IoFrame,
    after: IoFrame,
    /// The source input and the follow-up input of a sample, each with its outputs.
    example: [(Vec<Value>, Vec<Value>); 2],
    /// Whether a sample contradicts what the specification states.
    contradicted: bool,
}

/// For each output of a pair what is proposed: what the specification states, or else what the declared order of outputs does, or else the
/// strongest relation. The last two hold on all samples of the pair.
pub(super) fn candidates(
    (framed, samples, trial): (&Framed, &Samples, &Trial),
    change: &JointChange,
    (before, after): (&IoFrame, &IoFrame),
    rows: &[u32],
) -> Vec<PairCandidate> {
    let specification = &framed.specification;
    let cube = cube(before, after);
    let first = rows[0] as usize;
    let values =
        |columns: &[dodona_target::Column]| columns.iter().map(|column| column.value(first)).collect();
    let example = [
        (samples.values(trial.sources[first] as usize), values(&trial.before)),
        (values(&trial.follow_ups), values(&trial.after)),
    ];
    let of_output = |output: usize| {
        let (source, follow_up) = (trial.before[output].select(rows), trial.after[output].select(rows));
        let evidence =
            Evidence { ty: specification.results[output].ty, source: &source, follow_up: &follow_up };
        let holds = |e: &Expectation| evidence.holds(*e).count_ones(..) == rows.len();
        let stated = stated(specification, &before.input, &after.input);
        let ordered = || specification.orders(&before.output, &after.output).filter(holds);
        let inferred = || evidence.candidates().into_iter().find(holds);
        let (expectation, origin) = None
            .or_else(|| stated.map(|e| (e, Origin::Specification)))
            .or_else(|| ordered().map(|e| (e, Origin::Order)))
            .or_else(|| inferred().map(|e| (e, Origin::Inferred)))
            .unwrap_or((Expectation::Equal, Origin::Nowhere));
        PairCandidate {
            candidate: Candidate {
                changes: vec![change.clone()],
                aspect: Aspect::whole(output),
                expectation,
                cubes: vec![cube.clone()],
                support: rows.len(),
            },
            origin,
            before: before.clone(),
            after: after.clone(),
            example: example.clone(),
            contradicted: origin == Origin::Specification && !holds(&expectation),
        }
    };
    (0..specification.results.len()).map(of_output).collect()
}

/// What the scenarios and the declared order state of the outputs of two frames. Of several outputs, it is not known which the categories are about.
fn stated(specification: &Specification, before: &Frame, after: &Frame) -> Option<Expectation> {
    let is_stated = |expectation: &Expectation| specification.states(*expectation, before, after);
    let of_one = specification.results.len() == 1;
    [Expectation::Less, Expectation::Greater].into_iter().find(|e| of_one && is_stated(e))
}

/// The condition that both inputs lie in their frames.
fn cube(before: &IoFrame, after: &IoFrame) -> Cube {
    let one = |choice: &u16| BTreeSet::from([*choice]);
    let mut literals: Vec<_> =
        before.input.0.iter().enumerate().map(|(c, choice)| (Literal::Source(c), one(choice))).collect();
    let moved = (0..after.input.0.len()).filter(|c| after.input.0[*c] != before.input.0[*c]);
    literals.extend(moved.map(|c| (Literal::FollowUp(c), one(&after.input.0[c]))));
    literals.extend(before.output.0.iter().enumerate().map(|(c, choice)| (Literal::Output(c), one(choice))));
    Cube { literals }
}

impl PairCandidate {
    /// Whether an output relation is proposed.
    pub(super) fn is_proposed(&self) -> bool {
        self.origin != Origin::Nowhere
    }

    /// What a tester is shown. `refuting` is a fresh input that refutes the proposal.
    pub(super) fn shown(&self, framed: &Framed, refuting: Option<&[Value]>) -> CandidatePair {
        let specification = &framed.specification;
        let (given, proposed) = self.relation(framed);
        let is_stated = self.origin == Origin::Specification;
        let keeps = self.is_proposed() && (is_stated || refuting.is_none());
        let refuted = refuting.map(|input| Binding::list(&bound(framed, input)));
        let note = match (refuted, is_stated) {
            (Some(input), true) => format!("the code contradicts the specification for {input}"),
            (Some(input), false) => format!("{proposed} is refuted by {input}"),
            (None, true) if self.contradicted => {
                "the code contradicts the specification in this sample".to_owned()
            }
            (None, _) => String::new(),
        };
        let io = |frame: &IoFrame| specification.io_words(&frame.input, &frame.output);
        let inputs = |place: usize| Binding::list(&bound(framed, &self.example[place].0));
        let outputs = |place: usize| output_words(specification, &self.example[place].1);
        CandidatePair {
            answer: String::new(),
            relation: String::new(),
            proposed: if keeps { proposed } else { String::new() },
            origin: if keeps { self.origin.word() } else { "" }.to_owned(),
            note,
            from: io(&self.before),
            to: io(&self.after),
            output: output_name(specification, self.candidate.aspect.output),
            given,
            source: inputs(0),
            source_output: outputs(0),
            source_specification: specification.stated_in_words(&self.before.input),
            follow_up: inputs(1),
            follow_up_output: outputs(1),
            follow_up_specification: specification.stated_in_words(&self.after.input),
        }
    }

    /// The relation in two parts: all of it but its name and its output relation, and the output relation.
    fn relation(&self, framed: &Framed) -> (String, String) {
        let relation = relation_of(&self.candidate, "pair", framed.declared(), &framed.specification);
        let relation = to_primed(&relation, framed.workbench.functions()).unwrap_or(relation);
        let expect = match &relation.body {
            Body::Primed { expect, .. } => expect.to_string(),
            Body::Calls(body) => body.to_string(),
        };
        let text = relation.to_string();
        let given = text.strip_suffix(&expect).unwrap_or(&text).trim_end();
        (given.strip_prefix("relation pair").unwrap_or(given).trim_start().to_owned(), expect)
    }
}

/// `out`, or `out.stdout` if the function has several outputs.
fn output_name(specification: &Specification, output: usize) -> String {
    match specification.results[output].name.selector() {
        None => "out".to_owned(),
        Some(selector) => format!("out.{selector}"),
    }
}

/// The outputs of a call, with their names if there are several.
fn output_words(specification: &Specification, values: &[Value]) -> String {
    let named = |(output, value): (usize, &Value)| match specification.results[output].name.selector() {
        None => value.to_string(),
        Some(selector) => format!("{selector} = {value}"),
    };
    values.iter().enumerate().map(named).collect::<Vec<_>>().join(", ")
}
