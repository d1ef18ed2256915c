//! Crossover and mutation (section 6.1.2 of GenMorph). Trees stay well-typed and within the largest size; otherwise there is no child.

use dodona_relations::plan::Ty;
use smallvec::SmallVec;

use super::grammar::GrammarSlot;
use super::grow::{Grower, build};
use super::{Leaf, Node, Operator, Settings, TermId, Terms};
use crate::discovery::tuning::CROSSOVER_TRIES;
use crate::random::Random;

/// Every node of a tree in pre-order: the root first, each node before its operands. A place in the tree is an index into this list.
pub(super) fn nodes(terms: &Terms, tree: TermId) -> SmallVec<[TermId; 16]> {
    fn walk(terms: &Terms, tree: TermId, all: &mut SmallVec<[TermId; 16]>) {
        all.push(tree);
        for &operand in terms.operands(tree) {
            walk(terms, operand, all);
        }
    }
    let mut all = SmallVec::new();
    walk(terms, tree, &mut all);
    all
}

/// The tree with another subtree at a place; `None` where the type of the subtree does not fit.
///
/// # Panics
/// When the tree has no such place.
pub(super) fn replace(terms: &mut Terms, tree: TermId, place: usize, new: TermId) -> Option<TermId> {
    if place == 0 {
        return Some(new);
    }
    let Node::Apply(operator, mut operands) = terms.node(tree).clone() else {
        panic!("a leaf has one place, not {place}")
    };
    let mut start = 1;
    for operand in &mut operands {
        let size = terms.size(*operand);
        if place < start + size {
            *operand = replace(terms, *operand, place - start, new)?;
            break;
        }
        start += size;
    }
    build(terms, operator, &operands)
}

/// Crossover: both trees with one subtree exchanged between them. A child that is too large, or whose types do not fit, is `None`.
pub(super) fn cross(
    terms: &mut Terms,
    random: &mut Random,
    [a, b]: [TermId; 2],
    most: usize,
) -> [Option<TermId>; 2] {
    let (of_a, of_b) = (nodes(terms, a), nodes(terms, b));
    for _ in 0..CROSSOVER_TRIES {
        let i = random.index(of_a.len());
        let fitting: SmallVec<[usize; 16]> =
            (0..of_b.len()).filter(|&j| may_exchange(terms.ty(of_a[i]), terms.ty(of_b[j]))).collect();
        if !fitting.is_empty() {
            let j = *random.one_of(&fitting);
            return [graft(terms, a, i, of_b[j], most), graft(terms, b, j, of_a[i], most)];
        }
    }
    [None, None]
}

fn may_exchange(a: Ty, b: Ty) -> bool {
    a == b || super::is_number(a) && super::is_number(b)
}

/// Like [`replace`], but `None` if the tree would be too large. The size is computed before anything is built.
fn graft(terms: &mut Terms, tree: TermId, place: usize, new: TermId, most: usize) -> Option<TermId> {
    let old = nodes(terms, tree)[place];
    let size = terms.size(tree) - terms.size(old) + terms.size(new);
    if size > most { None } else { replace(terms, tree, place, new) }
}

/// The kinds of mutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeMutation {
    /// A leaf becomes another leaf of its type.
    Leaf,
    /// An operator becomes another operator that takes the same operands. This kind is not in GenMorph.
    Operator,
    /// A subtree becomes a random tree of its type.
    Subtree,
    /// A numeric constant becomes a little larger or smaller.
    Constant,
}

/// Mutates one node or subtree. The kind is drawn among those that the tree allows.
pub(super) fn mutate(
    terms: &mut Terms,
    random: &mut Random,
    grower: &Grower,
    settings: &Settings,
    tree: TermId,
) -> Option<TermId> {
    let nodes = nodes(terms, tree);
    let kinds = [TreeMutation::Leaf, TreeMutation::Operator, TreeMutation::Subtree, TreeMutation::Constant];
    let possible: SmallVec<[TreeMutation; 4]> =
        kinds.into_iter().filter(|&k| nodes.iter().any(|&n| goes_with(terms, n, k))).collect();
    let kind = *random.one_of(&possible);
    let places: SmallVec<[usize; 16]> =
        (0..nodes.len()).filter(|&i| goes_with(terms, nodes[i], kind)).collect();
    let place = *random.one_of(&places);
    let room = settings.most_nodes.saturating_sub(terms.size(tree) - terms.size(nodes[place]));
    let new = changed(terms, random, grower, settings.constant_step, kind, nodes[place], room)?;
    graft(terms, tree, place, new, settings.most_nodes)
}

fn goes_with(terms: &Terms, node: TermId, kind: TreeMutation) -> bool {
    match (kind, terms.node(node)) {
        (TreeMutation::Leaf, Node::Leaf(_))
        | (TreeMutation::Operator | TreeMutation::Subtree, Node::Apply(..)) => true,
        (TreeMutation::Constant, Node::Leaf(leaf)) => matches!(leaf, Leaf::Int(_) | Leaf::Float(_)),
        _ => false,
    }
}

fn changed(
    terms: &mut Terms,
    random: &mut Random,
    grower: &Grower,
    step: f64,
    kind: TreeMutation,
    node: TermId,
    room: usize,
) -> Option<TermId> {
    let slot = slot(random, terms.ty(node));
    match (kind, terms.node(node).clone()) {
        (TreeMutation::Leaf, _) => Some(grower.leaf(terms, random, slot)),
        (TreeMutation::Subtree, _) => Some(grower.tree(terms, random, slot, room)),
        (TreeMutation::Operator, Node::Apply(operator, operands)) => {
            other_operator(terms, random, operator, &operands)
        }
        (TreeMutation::Constant, Node::Leaf(leaf)) => Some(terms.leaf(moved(random, leaf, step))),
        _ => None,
    }
}

/// The slot of a replacement for a term of this type. Most positions of integers take any number; if one does not, there is no child.
fn slot(random: &mut Random, ty: Ty) -> GrammarSlot {
    match ty {
        Ty::Int if random.chance(0.5) => GrammarSlot::Number,
        _ => GrammarSlot::of(ty),
    }
}

fn other_operator(
    terms: &mut Terms,
    random: &mut Random,
    operator: Operator,
    operands: &[TermId],
) -> Option<TermId> {
    let types: SmallVec<[Ty; 2]> = operands.iter().map(|&o| terms.ty(o)).collect();
    let slot = GrammarSlot::of(operator.result(&types)?);
    let fits = |o: Operator| {
        o.arity() == types.len() && o.result(&types).is_some_and(|ty| GrammarSlot::of(ty) == slot)
    };
    let others: Vec<Operator> = Operator::ALL.into_iter().filter(|&o| o != operator && fits(o)).collect();
    match others.as_slice() {
        [] => None,
        others => build(terms, *random.one_of(others), operands),
    }
}

/// A constant after one step up or down, rounded to nine decimal places, so that steps of 0.1 up and down give the same constant again.
fn moved(random: &mut Random, constant: Leaf, step: f64) -> Leaf {
    let up = random.chance(0.5);
    match constant {
        Leaf::Int(i) => Leaf::Int(if up { i.saturating_add(1) } else { i.saturating_sub(1) }),
        Leaf::Float(bits) => {
            let moved = f64::from_bits(bits) + if up { step } else { -step };
            let rounded = (moved * 1e9).round() / 1e9;
            Leaf::Float(if rounded.is_finite() && moved.abs() < 1e6 { rounded } else { moved }.to_bits())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::grow::tests::{TYPES, grower};
    use super::*;

    proptest! {
        #[test]
        fn variation_keeps_the_type_and_the_size(
            types in prop::sample::subsequence(TYPES.to_vec(), 1..=4),
            seed: u64,
            most in 3usize..=16,
        ) {
            let (grower, mut terms) = grower(&types);
            let settings = Settings { most_nodes: most, ..Settings::default() };
            let mut random = Random::new(seed);
            let mut trees = [0; 2].map(|_| grower.expectation(&mut terms, &mut random, most));
            for _ in 0..20 {
                let crossed = cross(&mut terms, &mut random, trees, most);
                let mutated = trees.map(|t| mutate(&mut terms, &mut random, &grower, &settings, t));
                for child in crossed.into_iter().chain(mutated).flatten() {
                    prop_assert_eq!(terms.ty(child), Ty::Bool);
                    prop_assert!(terms.size(child) <= most);
                    trees[random.index(2)] = child;
                }
            }
        }
    }

    /// The terms of `a + 2 == b` over three integer variables.
    fn equation() -> (Terms, TermId) {
        let mut terms = Terms::new(vec![Ty::Int; 3]);
        let (a, b) = (terms.leaf(Leaf::Variable(0)), terms.leaf(Leaf::Variable(1)));
        let two = terms.leaf(Leaf::Int(2));
        let sum = terms.apply(Operator::Add, &[a, two]).expect("numbers add");
        let equation = terms.apply(Operator::Equal, &[sum, b]).expect("numbers compare");
        (terms, equation)
    }

    #[test]
    fn a_place_is_replaced_and_no_other() {
        let (mut terms, tree) = equation();
        let all = nodes(&terms, tree);
        let nine = terms.leaf(Leaf::Int(9));
        for (place, old) in all.iter().enumerate().skip(1) {
            let new = replace(&mut terms, tree, place, nine).expect("numbers everywhere");
            let left = nodes(&terms, new);
            assert!(left.contains(&nine) && !left.contains(old), "{left:?}");
            assert_eq!(terms.size(new), terms.size(tree) - terms.size(*old) + 1);
        }
        let truth = terms.leaf(Leaf::Bool(true));
        assert_eq!(replace(&mut terms, tree, 1, truth), None);
    }

    #[test]
    fn crossover_exchanges_one_subtree() {
        let (mut terms, a) = equation();
        let b = terms.apply(Operator::Not, &[a]).expect("a Boolean");
        let mut random = Random::new(4);
        let mut sums = std::collections::BTreeSet::new();
        for _ in 0..200 {
            if let [Some(c), Some(d)] = cross(&mut terms, &mut random, [a, b], 16) {
                assert_eq!(terms.size(c) + terms.size(d), terms.size(a) + terms.size(b));
                sums.insert(terms.size(c));
            }
            for child in cross(&mut terms, &mut random, [a, b], 5).into_iter().flatten() {
                assert!(terms.size(child) <= 5);
            }
        }
        assert!(sums.len() > 3, "offspring of many sizes: {sums:?}");
    }

    /// All trees that mutations of one kind make in 300 tries.
    fn mutants(settings: &Settings) -> (Terms, Vec<TermId>) {
        let (mut terms, tree) = equation();
        let (grower, _) = grower(&[Ty::Int]);
        let mut random = Random::new(6);
        let made =
            (0..300).filter_map(|_| mutate(&mut terms, &mut random, &grower, settings, tree)).collect();
        (terms, made)
    }

    #[test]
    fn each_kind_of_mutation_happens() {
        let (mut terms, made) = mutants(&Settings::default());
        let (_, tree) = equation();
        let old = nodes(&terms, tree);
        let mut with = |place: usize, leaf| {
            let leaf = terms.leaf(leaf);
            replace(&mut terms, tree, place, leaf).expect("a number")
        };
        let up = with(old.iter().position(|&n| n.index() == 2).expect("the constant"), Leaf::Int(3));
        assert!(made.contains(&up), "a constant moves by one");
        let is = |t: &TermId, operator| matches!(terms.node(*t), Node::Apply(o, _) if *o == operator);
        assert!(
            made.iter().any(|t| is(t, Operator::LessEqual) && terms.size(*t) == 5),
            "an operator changes"
        );
        assert!(made.iter().any(|t| terms.size(*t) > 8), "a subtree grows");
        assert!(
            made.iter().any(|t| *t != up && is(t, Operator::Equal) && terms.size(*t) == 5),
            "a leaf changes"
        );
    }

    #[test]
    fn steps_of_constants_up_and_down_meet_again() {
        let mut random = Random::new(0);
        let mut x = Leaf::Float(0.0f64.to_bits());
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..500 {
            x = moved(&mut random, x, 0.1);
            let Leaf::Float(bits) = x else { panic!("a float stays one") };
            seen.insert(format!("{:.6}", f64::from_bits(bits)));
            assert!(f64::from_bits(bits).to_string().len() <= 5, "{}", f64::from_bits(bits));
        }
        assert!(seen.len() > 5);
        let top = (0..20).map(|_| moved(&mut random, Leaf::Int(i64::MAX), 0.1));
        assert!(top.into_iter().all(|leaf| matches!(leaf, Leaf::Int(i) if i >= i64::MAX - 1)));
    }
}
