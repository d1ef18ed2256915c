//! Recognises relations that the scenarios and the declared order of outputs already state, so that they are not inferred from samples.

use crate::identification::{Candidate, Category, Change, Choice, Cube, Frame, Literal, Part, Specification};
use dodona_relations::ast::Node;
use dodona_target::{Column, Kind, Type, Value};

use crate::framed::Framed;
use crate::samples::Samples;

/// Whether the scenarios and the declared order of outputs state what a candidate expects. They have to do so for each frame that the
/// conditions allow for the source input, together with each frame that they allow for the follow-up input and that differs from it only in
/// categories of the changed parameters. Parts of outputs have no declared order, so nothing is stated about them.
pub(super) fn is_stated(framed: &Framed, samples: &Samples, candidate: &Candidate) -> bool {
    let specification = &framed.specification;
    let is_silent =
        specification.scenarios.is_empty() || specification.outputs.iter().all(|o| o.order.is_none());
    if is_silent || framed.specification.results.len() > 1 || candidate.aspect.part != Part::Whole {
        return false;
    }
    let change = &candidate.changes[0];
    let parameters = &framed.declared().parameters;
    let names: Vec<&String> = change.changes().iter().map(|c| &parameters[c.parameter].name).collect();
    let moves = |category: &Category| {
        category.choices.iter().any(|choice| names.iter().any(|name| choice.speaks_of(name)))
    };
    let moved: Vec<bool> = specification.inputs.iter().map(moves).collect();
    // A change may lead to another input of the same frame, about which nothing is stated. Only the negation of a Boolean `b` always leaves
    // the frame, if `b` itself is the condition of a choice.
    let is_bare =
        |choice: &Choice, name: &str| matches!(&choice.condition.node, Node::Name(of) if of == name);
    let is_left = |change: &Change| {
        let name = &parameters[change.parameter].name;
        let choices = specification.inputs.iter().flat_map(|category| &category.choices);
        change.word == "not" && choices.into_iter().any(|choice| is_bare(choice, name))
    };
    let leaves = change.changes().iter().any(is_left);
    let fixed: Vec<(usize, u16)> =
        change.changes().iter().flat_map(|change| fixed(framed, samples, change)).collect();
    let is_near = |a: &Frame, b: &Frame| {
        (a != b || !leaves)
            && (0..moved.len()).all(|c| moved[c] || a.0[c] == b.0[c])
            && fixed.iter().all(|(category, choice)| b.0[*category] == *choice)
    };
    candidate.cubes.iter().all(|cube| {
        let sources = samples.frames.iter().filter(|frame| allows(cube, frame, false));
        // If the condition excludes all outputs of a frame, nothing has to be stated about the frame.
        let mut sources = sources
            .filter(|frame| outputs_of(specification, cube, frame).iter().all(|choices| !choices.is_empty()));
        sources.all(|source| {
            let reached =
                samples.frames.iter().filter(|after| is_near(source, after) && allows(cube, after, true));
            let mut reached = reached.peekable();
            let before = outputs_of(specification, cube, source);
            let says =
                |after| specification.says(candidate.expectation, &before, &specification.stated(after));
            reached.peek().is_some() && reached.all(says)
        })
    })
}

/// Whether a condition allows a frame for the source input or, if `is_follow_up`, for the follow-up input.
fn allows(cube: &Cube, frame: &Frame, is_follow_up: bool) -> bool {
    cube.literals.iter().all(|(literal, choices)| match literal {
        Literal::Source(category) => is_follow_up || choices.contains(&frame.0[*category]),
        Literal::FollowUp(category) => !is_follow_up || choices.contains(&frame.0[*category]),
        Literal::Output(_) => true,
    })
}

/// For each output category, the choices that the scenarios leave possible for a source frame and that the condition allows.
fn outputs_of(specification: &Specification, cube: &Cube, source: &Frame) -> Vec<Vec<u16>> {
    let mut outputs = specification.stated(source);
    for (literal, choices) in &cube.literals {
        if let Literal::Output(category) = literal {
            outputs[*category].retain(|choice| choices.contains(choice));
        }
    }
    outputs
}

/// If a change sets a parameter to a constant: the choices that the follow-up input then has, in the categories that mention only this
/// parameter.
fn fixed(framed: &Framed, samples: &Samples, change: &Change) -> Vec<(usize, u16)> {
    let parameters = &framed.declared().parameters;
    let is_float = |ty: Type| ty.scalar().is_some_and(|scalar| scalar.kind() == Kind::Float);
    let value = match change.constant.as_ref().filter(|_| change.word == "set").map(|constant| &constant.node)
    {
        Some(Node::Int(i)) if is_float(parameters[change.parameter].ty) => Value::Float(*i as f64),
        Some(Node::Int(i)) => Value::Int(*i),
        Some(Node::Float(x)) => Value::Float(*x),
        Some(Node::Text(text)) => Value::Text(text.clone()),
        _ => return Vec::new(),
    };
    // The other parameters may have any value, because these categories do not mention them.
    let mut columns: Vec<Column> = samples.columns.iter().map(|column| column.select(&[0])).collect();
    columns[change.parameter] = Column::one(parameters[change.parameter].ty, &value);
    let others = || (0..parameters.len()).filter(|other| *other != change.parameter);
    let is_alone = |category: &Category| {
        let speaks = |name: &str| category.choices.iter().any(|choice| choice.speaks_of(name));
        speaks(&parameters[change.parameter].name) && !others().any(|other| speaks(&parameters[other].name))
    };
    let choice = |category: &Category| {
        category.choices.iter().position(|choice| choice.predicate.evaluate(&columns)[0])
    };
    let alone = framed.specification.inputs.iter().enumerate().filter(|(_, category)| is_alone(category));
    alone.filter_map(|(number, category)| Some((number, choice(category)? as u16))).collect()
}
