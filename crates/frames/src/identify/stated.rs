//! What the scenarios and the declared order of outputs say, so that nothing is inferred.

use dodona_identification::{Candidate, Category, Change, Choice, Cube, Frame, Literal, Part};
use dodona_relations::ast::Node;

use crate::framed::Framed;
use crate::samples::Samples;

/// Whether the scenarios and the declared order of outputs say what a candidate expects, so that nothing is inferred: for each frame that
/// the conditions allow, and each frame that differs from it in the categories of the changed parameters at most and that they allow for the
/// follow-up input. The order is one of outputs as wholes; of their parts it says nothing.
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
    let allows = |cube: &Cube, frame: &Frame, is_follow_up: bool| {
        cube.literals.iter().all(|(literal, choices)| match literal {
            Literal::Source(category) => is_follow_up || choices.contains(&frame.0[*category]),
            Literal::FollowUp(category) => !is_follow_up || choices.contains(&frame.0[*category]),
            Literal::Output(_) => true,
        })
    };
    // A change may lead to another input of the same frame, of which nothing is stated; the negation of a Boolean does not where a choice is the Boolean.
    let is_bare =
        |choice: &Choice, name: &str| matches!(&choice.condition.node, Node::Name(of) if of == name);
    let is_left = |change: &Change| {
        let name = &parameters[change.parameter].name;
        let choices = specification.inputs.iter().flat_map(|category| &category.choices);
        change.word == "not" && choices.into_iter().any(|choice| is_bare(choice, name))
    };
    let leaves = change.changes().iter().any(is_left);
    let is_near =
        |a: &Frame, b: &Frame| (a != b || !leaves) && (0..moved.len()).all(|c| moved[c] || a.0[c] == b.0[c]);
    candidate.cubes.iter().all(|cube| {
        let sources = samples.frames.iter().filter(|frame| allows(cube, frame, false));
        sources.into_iter().all(|source| {
            let reached =
                samples.frames.iter().filter(|after| is_near(source, after) && allows(cube, after, true));
            let mut reached = reached.peekable();
            reached.peek().is_some()
                && reached.all(|after| specification.states(candidate.expectation, source, after))
        })
    })
}
