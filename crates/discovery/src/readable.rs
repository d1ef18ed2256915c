//! How hard a relation is to read, and whether a person would write it.
//!
//! A list that nobody reads is worth nothing, however many faults its relations catch. What people that maintained the functions would not commit has the same few
//! marks again and again: alternatives, results bent by a constant, conditions that compare what has nothing to do with each other, numbers from nowhere. Each
//! mark is a burden with a weight, and a relation with more than [`MOST`] is listed only where everything is asked for. Known forms are exempt: they are read at a
//! glance.
//!
//! The weights are set by hand so that they tell apart the relations in `crates/discovery/testdata/judged.txt`, which people judged one by one; the test at the end
//! says how well they do.

use dodona_relations::ast::{BinaryOperator, Body, Expression, Node, Relation, UnaryOperator};
use dodona_relations::plan::Word;
use dodona_relations::to_calls;
use dodona_target::Signature;

/// The most that a relation may weigh.
pub(crate) const MOST: u32 = 10;

/// How often a relation has something that makes it hard to read, and what that weighs each time.
type Burden = (fn(&Parts<'_>) -> usize, u32);

/// What makes a relation hard to read.
const BURDENS: [Burden; 18] = [
    (alternatives, 11),
    (bent_by_constant, 11),
    (turned_twice, 11),
    (numbers_from_nowhere, 11),
    (two_changed_calls, 11),
    (presences_of_changed_calls, 11),
    (places_by_results, 11),
    (the_same_summand, 11),
    (mere_difference, 11),
    (remainders, 6),
    (further_parts, 5),
    (unlike_comparisons, 6),
    (examples, 11),
    (known_examples, 6),
    (extreme_arguments, 11),
    (lengths_and_errors_as_data, 11),
    (mixed_arguments, 6),
    (further_calls, 4),
];

/// A relation taken apart.
struct Parts<'a> {
    condition: Option<&'a Expression>,
    expect: &'a Expression,
    /// Numbers that stand in the code or in a domain.
    known: &'a [f64],
}

/// Whether a person would write such a relation. `known` are the numbers that stand in the code of the functions.
pub(crate) fn is_readable(relation: &Relation, functions: &[Signature], known: &[f64]) -> bool {
    burden(relation, functions, known) <= MOST
}

/// Whether a law of numbers has no alternatives, and no equation of two calls with changed arguments. Its products and remainders are as textbooks have them.
pub(crate) fn is_plain_law(relation: &Relation) -> bool {
    let Body::Calls(expect) = &relation.body else { return true };
    let parts = Parts { condition: None, expect, known: &[] };
    alternatives(&parts) + two_changed_calls(&parts) == 0
}

fn burden(relation: &Relation, functions: &[Signature], known: &[f64]) -> u32 {
    let in_calls = to_calls(relation, functions).unwrap_or_else(|_| relation.clone());
    let Body::Calls(expect) = &in_calls.body else { return 0 };
    let parts = Parts { condition: in_calls.condition.as_ref(), expect, known };
    BURDENS.iter().map(|(count, weight)| weight * u32::try_from(count(&parts)).unwrap_or(u32::MAX / 16)).sum()
}

impl Parts<'_> {
    fn count(&self, is_wanted: &dyn Fn(&Expression) -> bool) -> usize {
        self.condition.map_or(0, |condition| count(condition, is_wanted)) + count(self.expect, is_wanted)
    }
}

fn count(e: &Expression, is_wanted: &dyn Fn(&Expression) -> bool) -> usize {
    usize::from(is_wanted(e)) + e.children().into_iter().map(|child| count(child, is_wanted)).sum::<usize>()
}

/// The arguments of a call of a function under test.
fn call(e: &Expression) -> Option<(&str, &[Expression])> {
    match &e.node {
        Node::Call { function, arguments } if Word::find(&function.text).is_none() => {
            Some((&function.text, arguments))
        }
        _ => None,
    }
}

fn word(e: &Expression) -> Option<(&str, &[Expression])> {
    match &e.node {
        Node::Call { function, arguments } if Word::find(&function.text).is_some() => {
            Some((&function.text, arguments))
        }
        _ => None,
    }
}

fn is_number(e: &Expression) -> bool {
    matches!(e.node, Node::Int(_) | Node::Float(_))
}

fn is_name(e: &Expression) -> bool {
    matches!(e.node, Node::Name(_))
}

/// `a or b`, `if a then b else c`
fn alternatives(parts: &Parts<'_>) -> usize {
    count(parts.expect, &|e| {
        matches!(e.node, Node::If(..) | Node::Binary(BinaryOperator::Or | BinaryOperator::Xor, ..))
    })
}

/// `min(x, 2)`, `truncate(s, 1)`, `max(f(x), y)`, `abs(f(x))`
fn bent_by_constant(parts: &Parts<'_>) -> usize {
    parts.count(&|e| match word(e) {
        Some(("min" | "max" | "truncate" | "remove", arguments)) => {
            arguments.iter().any(|a| is_number(a) || a.has(&|part| call(part).is_some()))
        }
        Some(("abs", [inner])) => call(inner).is_some() || inner.children().into_iter().any(is_number),
        _ => false,
    })
}

/// `upper(lower(s))`, `sorted(f(sorted(s)))`
fn turned_twice(parts: &Parts<'_>) -> usize {
    const TURNS: [&str; 6] = ["upper", "lower", "reverse", "sorted", "trim", "distinct"];
    let turned = |e: &Expression| {
        word(e).filter(|(word, _)| TURNS.contains(word)).map(|(_, arguments)| arguments[0].clone())
    };
    let turns_a_turned = |e: &Expression| {
        let Some(inner) = turned(e) else { return false };
        let of_turned = call(bare(&inner))
            .is_some_and(|(_, arguments)| arguments.iter().any(|argument| turned(argument).is_some()));
        turned(&inner).is_some() || of_turned
    };
    parts.count(&turns_a_turned)
}

/// Numbers that stand neither in the code nor in a domain, and that are no usual unit.
fn numbers_from_nowhere(parts: &Parts<'_>) -> usize {
    const USUAL: [u128; 16] = [12, 16, 24, 26, 30, 32, 60, 64, 90, 100, 180, 256, 360, 365, 400, 1000];
    let is_strange = |e: &Expression| match &e.node {
        Node::Int(number) => {
            let size = number.unsigned_abs();
            size > 10
                && !USUAL.contains(&size)
                && !parts.known.iter().any(|known| (known.abs() - size as f64).abs() <= 1.0)
        }
        // A float that takes many digits to write.
        Node::Float(number) => {
            format!("{number}").len() > 6 && !parts.known.iter().any(|known| known.abs() == number.abs())
        }
        _ => false,
    };
    // What bounds a result is read off results.
    let bounds = count(parts.expect, &|e| match &e.node {
        Node::Binary(BinaryOperator::LessEqual | BinaryOperator::GreaterEqual, a, b) => {
            [(a, b), (b, a)].into_iter().any(|(a, b)| call(a).is_some() && is_strange(b))
        }
        _ => false,
    });
    parts.count(&is_strange) - bounds
}

/// An equation of two calls of which neither has the arguments as they are.
fn two_changed_calls(parts: &Parts<'_>) -> usize {
    let is_changed =
        |e: &Expression| call(bare(e)).is_some_and(|(_, arguments)| !arguments.iter().all(is_name));
    let is_wanted = |e: &Expression| match &e.node {
        Node::Binary(operator, a, b) if operator.flipped().is_some() => {
            is_changed(a) && is_changed(b) && !is_composed(bare(a), bare(b))
        }
        _ => false,
    };
    count(parts.expect, &is_wanted)
}

/// `(f(reverse(x)) is ok) == (f(x) is ok)`: what is refused is said by a condition of what is read, and not by another text that is refused too.
fn presences_of_changed_calls(parts: &Parts<'_>) -> usize {
    let asked = |e: &Expression| match &e.node {
        Node::Is(of, _) => call(bare(of)).map(|(_, arguments)| arguments.iter().all(is_name)),
        _ => None,
    };
    count(parts.expect, &|e| match &e.node {
        Node::Binary(BinaryOperator::Equal | BinaryOperator::Iff | BinaryOperator::Implies, a, b) => {
            matches!((asked(a), asked(b)), (Some(a), Some(b)) if !a || !b)
        }
        _ => false,
    })
}

/// The call of which a part is meant, or whether it is there: `f(x).1`, `f(x) is some`.
fn bare(e: &Expression) -> &Expression {
    match &e.node {
        Node::Select(of, _) | Node::Is(of, _) => bare(of),
        _ => e,
    }
}

/// Whether a call has another one as argument, and the other side has one too: `f(f(x, y), z) == f(x, f(y, z))`, `f(g(x)) == g(f(x))`.
fn is_composed(a: &Expression, b: &Expression) -> bool {
    let nests =
        |e: &Expression| call(e).is_some_and(|(_, arguments)| arguments.iter().any(|a| call(a).is_some()));
    !a.has(&|e| is_number(e) || word(e).is_some())
        && nests(a)
        && (nests(b) || call(a).map(|(name, _)| name) == call(b).map(|(name, _)| name) && has_plain_word(b))
}

/// `f(x, concat(y, z))`: variables, and one word of variables.
fn has_plain_word(e: &Expression) -> bool {
    call(e).is_some_and(|(_, arguments)| {
        arguments.iter().all(|a| is_name(a) || word(a).is_some_and(|(_, inner)| inner.iter().all(is_name)))
    })
}

/// `s[f(x)]`, `f(x)[2]`
fn places_by_results(parts: &Parts<'_>) -> usize {
    parts.count(&|e| match &e.node {
        Node::Index(of, at) => [of, at].into_iter().any(|e| e.has(&|part| call(part).is_some())),
        Node::Slice(_, from, to) => {
            [from, to].into_iter().flatten().any(|at| at.has(&|part| call(part).is_some()))
        }
        _ => false,
    })
}

/// `n - f(1) == n - 2`
fn the_same_summand(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Add, Equal, Subtract};
    fn first(e: &Expression) -> Option<&Expression> {
        match &e.node {
            Node::Binary(Add | Subtract, a, _) => first(a).or(Some(a)),
            _ => None,
        }
    }
    count(parts.expect, &|e| match &e.node {
        Node::Binary(Equal, a, b) => first(a).is_some() && first(a) == first(b),
        _ => false,
    })
}

/// That results differ, which is true of most.
fn mere_difference(parts: &Parts<'_>) -> usize {
    count(parts.expect, &|e| matches!(e.node, Node::Binary(BinaryOperator::NotEqual, ..)))
}

/// `f(x) mod 2`, `x / f(x)`, other than that something is a multiple: once for each side that has a result
fn remainders(parts: &Parts<'_>) -> usize {
    let remains = |side: usize, e: &Expression| match &e.node {
        Node::Binary(BinaryOperator::Remainder | BinaryOperator::Quotient | BinaryOperator::Divide, a, b) => {
            [a, b][side].has(&|part| call(part).is_some())
        }
        _ => false,
    };
    let of_multiples = count(parts.expect, &|e| match &e.node {
        Node::Binary(BinaryOperator::Equal, a, b) => {
            (remains(0, a) || remains(1, a)) && matches!(b.node, Node::Int(0))
        }
        _ => false,
    });
    let all: usize = [0, 1].into_iter().map(|side| parts.count(&|e| remains(side, e))).sum();
    all.saturating_sub(of_multiples)
}

/// Parts joined by `and` beyond two.
fn further_parts(parts: &Parts<'_>) -> usize {
    parts.count(&|e| matches!(e.node, Node::Binary(BinaryOperator::And, ..))).saturating_sub(1)
}

/// Comparisons of two different variables with each other, where neither is a result.
fn unlike_comparisons(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
    let names = |e: &Expression| e.has(&is_name) && !e.has(&|part| call(part).is_some());
    parts.condition.map_or(0, |condition| {
        count(condition, &|e| match &e.node {
            Node::Binary(Less | LessEqual | Greater | GreaterEqual, a, b) => names(a) && names(b),
            _ => false,
        })
    })
}

/// Arguments that are one value beside others that vary, and a value from nowhere: `f(2, y)`, `f("[1]")`
fn examples(parts: &Parts<'_>) -> usize {
    parts.count(&|e| call(e).is_some_and(|(_, arguments)| arguments.iter().any(is_example)))
        - known_examples(parts)
}

/// The same with a number of the code, which may be a border of what is done.
fn known_examples(parts: &Parts<'_>) -> usize {
    let is_known = |e: &Expression| match &e.node {
        Node::Int(number) => parts.known.contains(&(*number as f64)),
        Node::Float(number) => parts.known.contains(number),
        _ => false,
    };
    parts.count(&|e| {
        call(e).is_some_and(|(_, arguments)| {
            let mut examples = arguments.iter().filter(|a| is_example(a)).peekable();
            examples.peek().is_some() && examples.all(is_known)
        })
    })
}

fn is_example(e: &Expression) -> bool {
    match &e.node {
        Node::Int(number) => number.unsigned_abs() > 1,
        Node::Float(number) => number.abs() > 1.0,
        Node::Text(text) => !text.is_empty(),
        Node::Sequence(items) => !items.is_empty(),
        _ => false,
    }
}

/// `f(x, max(x, y))`
fn extreme_arguments(parts: &Parts<'_>) -> usize {
    let is_extreme = |e: &Expression| word(e).is_some_and(|(word, _)| ["min", "max"].contains(&word));
    parts.count(&|e| call(e).is_some_and(|(_, arguments)| arguments.iter().any(is_extreme)))
}

/// `to(len(s))`, `parse(parse(s).err)`: what says something of data taken for data.
fn lengths_and_errors_as_data(parts: &Parts<'_>) -> usize {
    let is_of_other_kind = |e: &Expression| match &e.node {
        Node::Select(_, part) => part.text == "err",
        _ => word(e).is_some_and(|(word, _)| word == "len"),
    };
    parts.count(&|e| call(e).is_some_and(|(_, arguments)| arguments.iter().any(|a| a.has(&is_of_other_kind))))
}

/// Arguments that are made of several variables by arithmetic, or of products.
fn mixed_arguments(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Multiply, Power};
    let mixed = |e: &Expression| {
        let variables = count(e, &is_name);
        let is_product = e.has(&|part| match &part.node {
            Node::Binary(Multiply, a, b) => is_name(a) && is_name(b),
            Node::Binary(Power, ..) => true,
            _ => false,
        });
        let is_arithmetic = matches!(e.node, Node::Binary(..) | Node::Unary(UnaryOperator::Negate, _));
        usize::from(is_product) + usize::from(is_arithmetic && variables > 1 && count(e, &is_number) > 0)
    };
    let mut sum = 0;
    let mut look = |e: &Expression| {
        if let Some((_, arguments)) = call(e) {
            sum += arguments.iter().map(mixed).sum::<usize>();
        }
    };
    visit(parts.expect, &mut look);
    sum
}

/// Calls beyond two, each counted once; a sum of results may have as many as it likes.
fn further_calls(parts: &Parts<'_>) -> usize {
    let mut calls: Vec<Expression> = Vec::new();
    let mut look = |e: &Expression| {
        if call(e).is_some() && !calls.contains(e) {
            calls.push(e.clone());
        }
    };
    visit(parts.expect, &mut look);
    let is_sum = |e: &Expression| {
        matches!(
            e.node,
            Node::Binary(BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply, ..)
        )
    };
    if parts.expect.has(&is_sum) { 0 } else { calls.len().saturating_sub(3) }
}

fn visit(e: &Expression, look: &mut impl FnMut(&Expression)) {
    look(e);
    e.children().into_iter().for_each(|child| visit(child, look));
}

#[cfg(test)]
mod tests {
    use dodona_relations::parse;

    use super::*;

    /// Relations as people judged them: `+` would be committed, `-` would not.
    const JUDGED: &str = include_str!("../testdata/judged.txt");

    #[test]
    fn what_people_commit_is_told_from_what_they_do_not() {
        let (mut right, mut wrong) = ([0, 0], Vec::new());
        for line in JUDGED.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (verdict, text) = line.split_at(2);
            let file =
                parse(&format!("relation r: {text}")).unwrap_or_else(|_| panic!("no relation: {text}"));
            let weight = burden(&file.relations[0], &[], &[]);
            let (is_wanted, is_readable) = (verdict == "+ ", weight <= MOST);
            match is_wanted == is_readable {
                true => right[usize::from(is_wanted)] += 1,
                false => wrong.push(format!("{weight:2} {line}")),
            }
        }
        let wanted = JUDGED.lines().filter(|line| line.starts_with('+')).count();
        let unwanted = JUDGED.lines().filter(|line| line.starts_with('-')).count();
        assert!(right[1] * 100 >= wanted * 95, "{} of {wanted} wanted\n{}", right[1], wrong.join("\n"));
        assert!(right[0] * 100 >= unwanted * 85, "{} of {unwanted} unwanted\n{}", right[0], wrong.join("\n"));
    }
}
