//! Groups of composite relations that say the same, and relations that say nothing.

use std::collections::BTreeMap;

use dodona_relations::ast::{BinaryOperator, Body, Expression, Node, Relation, binary, call};
use dodona_target::Signature;

use super::Composite;
use super::basic::{calls, output_of};
use super::normal::NormalForm;

/// Composite relations with the same follow-up input and the same expectation, computed with real numbers. The study (Xiang, Wu
/// and Yu 2019) keeps all of them (section 4.3), because they run a program on inputs that are rounded differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The index of the relation that is the best to read and run: the one with the fewest runs, then with the shortest text,
    /// then the earliest.
    pub representative: usize,
    /// The indices of all relations of the group, in ascending order.
    pub members: Vec<usize>,
}

/// Composite relations by what they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Those that say something, in the order of their first members.
    pub groups: Vec<Group>,
    /// The indices of relations whose follow-up input is the source input and whose expectation is its output. Only rounding
    /// can violate them.
    pub trivial: Vec<usize>,
}

/// Pairs that are all equal if a composite relation does not change its input: each argument of its follow-up call, and the
/// variable of the source input for the same parameter. `None` if another call takes a changed input, or if multiplying out
/// arithmetic already shows whether the input is changed.
///
/// Equality saturation does not simplify `sort(reverse(reverse(xs)))` to `sort(xs)`, because that would turn a follow-up call
/// into a source call. It does simplify `reverse(reverse(xs))` to `xs`.
pub fn unchanged(composite: &Composite, functions: &[Signature]) -> Option<Relation> {
    let Body::Calls(expect) = &composite.relation.body else { return None };
    let Node::Binary(_, left, _) = &expect.node else { return None };
    let follow_up = output_of(left, functions)?;
    let parameters = &functions[follow_up.function].parameters;
    let inputs: Vec<Expression> = parameters.iter().map(|p| Expression::name(p.name.as_str())).collect();
    let source = call(&functions[follow_up.function].name, inputs.clone());
    let others = calls(expect, functions).into_iter().filter(|call| *call != follow_up.call);
    let is_call = |part: &Expression| matches!(part.node, Node::Call { .. });
    let has_words = follow_up.arguments.iter().any(|argument| argument.has(&is_call));
    if !has_words || !composite.relation.bindings.is_empty() || others.into_iter().any(|call| *call != source)
    {
        return None;
    }
    // A relation has to make a call, so this one compares a call with itself.
    let same = |a: &Expression, b: &Expression| binary(BinaryOperator::Equal, a.clone(), b.clone());
    let equal = follow_up.arguments.iter().zip(&inputs).map(|(a, b)| same(a, b));
    let output = match &left.node {
        Node::Select(_, output) => Expression::new(Node::Select(Box::new(source), output.clone())),
        _ => source,
    };
    let body = equal.fold(same(&output, &output), |all, one| binary(BinaryOperator::And, all, one));
    Some(Relation { body: Body::Calls(body), tolerance: None, ..composite.relation.clone() })
}

/// Groups composite relations by what they say.
///
/// `simple` has the [unguarded](Composite::unguarded) relations as `dodona_simplify::simplify` simplifies them; without a
/// simplifier, pass the unguarded relations themselves. Arithmetic is multiplied out here in any case.
///
/// # Panics
/// When there are not as many simple relations as composites.
pub fn group(composites: &[&Composite], simple: &[Relation]) -> Groups {
    assert_eq!(composites.len(), simple.len(), "one simple relation for each");
    let (mut by_form, mut trivial) = (BTreeMap::<NormalForm, Vec<usize>>::new(), Vec::new());
    for (i, relation) in simple.iter().enumerate() {
        let form = NormalForm::of(relation);
        if form.is_trivial() {
            trivial.push(i);
        } else {
            by_form.entry(form).or_default().push(i);
        }
    }
    let mut groups: Vec<Group> = by_form.into_values().map(|members| grouped(composites, members)).collect();
    groups.sort_by_key(|group| group.members[0]);
    Groups { groups, trivial }
}

fn grouped(composites: &[&Composite], members: Vec<usize>) -> Group {
    let cost = |&&i: &&usize| (composites[i].runs, composites[i].relation.body.to_string().len(), i);
    let representative = members.iter().min_by_key(cost).copied().unwrap_or(0);
    Group { representative, members }
}

#[cfg(test)]
mod tests {
    use super::super::tests::world::{COSINE, SINE, composed};
    use super::*;

    fn groups(sequences: &[&[usize]]) -> Groups {
        let all: Vec<Composite> =
            sequences.iter().map(|s| composed(SINE, COSINE, s).expect("all are of sin")).collect();
        let relations: Vec<Relation> = all.iter().map(|c| c.unguarded.clone()).collect();
        group(&all.iter().collect::<Vec<_>>(), &relations)
    }

    #[test]
    fn shifts_in_another_order_are_one_relation() {
        // sin(x + pi/2 + pi), sin(x + pi + pi/2) and sin(x - pi/2 + 2*pi + 0): the last is -cos(x) by another way.
        let found = groups(&[&[2, 4], &[4, 2], &[3, 6], &[2, 5]]);
        assert_eq!(found.trivial, [0usize; 0]);
        let members: Vec<&[usize]> = found.groups.iter().map(|g| &g.members[..]).collect();
        assert_eq!(members, [&[0, 1, 2][..], &[3]]);
        assert_eq!(found.groups[0].representative, 0);
    }

    #[test]
    fn there_and_back_is_trivial() {
        let found = groups(&[&[6, 7], &[1, 1], &[4, 5], &[1, 4]]);
        assert_eq!(found.trivial, [0, 1, 2]);
        assert_eq!(found.groups, [Group { representative: 3, members: vec![3] }]);
    }

    #[test]
    fn a_simplifier_is_asked_first() {
        let all: Vec<Composite> =
            [[1, 2], [1, 3]].iter().map(|s| composed(SINE, COSINE, s).expect("sin")).collect();
        let one = all[0].relation.clone();
        let found = group(&all.iter().collect::<Vec<_>>(), &[one.clone(), one]);
        assert_eq!(found.groups, [Group { representative: 0, members: vec![0, 1] }]);
    }

    #[test]
    fn steps_in_another_order_are_one_relation_in_a_domain() {
        // The domain of `grow` is [0, 100]: one order asks that n + 1 is in it, the other that n + 2 is.
        let basics = "relation one: grow(n + 1) == grow(n) + 2  relation two: grow(n + 2) == grow(n) + 4";
        let all: Vec<Composite> =
            [[1, 2], [2, 1]].iter().map(|s| composed(basics, "", s).expect("grow")).collect();
        assert_ne!(all[0].relation.condition, all[1].relation.condition);
        let unguarded: Vec<Relation> = all.iter().map(|c| c.unguarded.clone()).collect();
        let found = group(&all.iter().collect::<Vec<_>>(), &unguarded);
        assert_eq!(found.groups, [Group { representative: 0, members: vec![0, 1] }]);
    }
}
