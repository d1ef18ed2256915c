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
use dodona_target::{Parameter, Signature};

/// The most that a relation may weigh.
pub(crate) const MOST: u32 = 10;

/// The most constants that a relation is said for. More are a list of examples.
const MOST_CONSTANTS: usize = 2;

/// How often a relation has something that makes it hard to read, and what that weighs each time.
type Burden = (fn(&Parts<'_>) -> usize, u32);

/// What makes a relation hard to read.
const BURDENS: [Burden; 27] = [
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
    (mixed_domains, 11),
    (joined_alternatives, 11),
    (examples_in_conditions, 11),
    (bounds_that_cancel, 11),
    (tiny_numbers, 11),
    (orders_of_examples, 6),
    (orders_of_turns, 11),
    (long_numbers, 11),
    (the_same_one_step_on, 11),
];

/// A relation taken apart.
struct Parts<'a> {
    condition: Option<&'a Expression>,
    expect: &'a Expression,
    /// Numbers that stand in the code or in a domain.
    known: &'a [f64],
    functions: &'a [Signature],
}

/// Whether a person would write such a relation. `known` are the numbers that stand in the code of the functions.
pub(crate) fn is_readable(relation: &Relation, functions: &[Signature], known: &[f64]) -> bool {
    burden(relation, functions, known) <= MOST
}

/// Whether a law of numbers has no alternatives, no equation of two calls with changed arguments, and nothing in the place of what means something else. Its products and remainders are as textbooks have them.
pub(crate) fn is_plain_law(relation: &Relation, functions: &[Signature]) -> bool {
    let Body::Calls(expect) = &relation.body else { return true };
    let parts = Parts { condition: None, expect, known: &[], functions };
    alternatives(&parts) + two_changed_calls(&parts) + mixed_domains(&parts) == 0
}

fn burden(relation: &Relation, functions: &[Signature], known: &[f64]) -> u32 {
    let in_calls = to_calls(relation, functions).unwrap_or_else(|_| relation.clone());
    // Constants weigh what the first one does, where it stands.
    if let Some(constants) = &in_calls.constants
        && let Some(first) = constants.values.first()
    {
        let many = if constants.values.len() > MOST_CONSTANTS { MOST + 1 } else { 0 };
        let of_first = with_constant(&in_calls, &constants.name.text, first);
        return many + burden(&of_first, functions, known);
    }
    let Body::Calls(expect) = &in_calls.body else { return 0 };
    let parts = Parts { condition: in_calls.condition.as_ref(), expect, known, functions };
    BURDENS.iter().map(|(count, weight)| weight * u32::try_from(count(&parts)).unwrap_or(u32::MAX / 16)).sum()
}

/// A relation for one of its constants.
fn with_constant(relation: &Relation, name: &str, value: &Expression) -> Relation {
    let replaced = |e: &Expression| e.rewrite(&mut |part| part.is_name(name).then(|| value.clone()));
    let body = match &relation.body {
        Body::Calls(expect) => Body::Calls(replaced(expect)),
        other => other.clone(),
    };
    let condition = relation.condition.as_ref().map(replaced);
    Relation { constants: None, condition, body, ..relation.clone() }
}

impl<'a> Parts<'a> {
    fn count(&self, is_wanted: &dyn Fn(&Expression) -> bool) -> usize {
        self.condition.map_or(0, |condition| count(condition, is_wanted)) + count(self.expect, is_wanted)
    }

    /// Whether two variables are given for parameters of one type and domain.
    fn are_alike(&self, a: &Expression, b: &Expression) -> bool {
        match (self.parameter(a), self.parameter(b)) {
            (Some(a), Some(b)) => a.ty == b.ty && a.domain == b.domain,
            _ => false,
        }
    }

    /// The first parameter that a variable is given for.
    fn parameter(&self, variable: &Expression) -> Option<&'a Parameter> {
        let Node::Name(wanted) = &variable.node else { return None };
        let mut found = None;
        visit(self.expect, &mut |e| {
            let Some((name, arguments)) = call(e).filter(|_| found.is_none()) else { return };
            let function = self.functions.iter().find(|function| function.name == name);
            let place = arguments.iter().position(|a| matches!(&a.node, Node::Name(name) if name == wanted));
            found = function.zip(place).and_then(|(function, place)| function.parameters.get(place));
        });
        found
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
        Some(("abs", [inner])) => call(bare(inner)).is_some() || inner.children().into_iter().any(is_number),
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
    // What bounds every result is read off results. A bound of some of them is a border of the code's that the code does not have.
    let bounds = match parts.condition {
        Some(_) => 0,
        None => count(parts.expect, &|e| match &e.node {
            Node::Binary(BinaryOperator::LessEqual | BinaryOperator::GreaterEqual, a, b) => {
                [(a, b), (b, a)].into_iter().any(|(a, b)| call(a).is_some() && is_strange(b))
            }
            _ => false,
        }),
    };
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

/// That results differ, which is true of most: `f(x) != f(y)`, `not f(x) ~= f(y)`
fn mere_difference(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Approximate, Equal, NotEqual};
    count(parts.expect, &|e| match &e.node {
        Node::Binary(NotEqual, ..) => true,
        Node::Unary(UnaryOperator::Not, inner) => matches!(inner.node, Node::Binary(Equal | Approximate, ..)),
        _ => false,
    })
}

/// Variables that take the place of a parameter with another domain, or are compared or reckoned with one: `f(year, year)` of a year and a month
fn mixed_domains(parts: &Parts<'_>) -> usize {
    let differ = |a: &Parameter, b: &Parameter| a.ty != b.ty || a.domain != b.domain;
    parts.count(&|e| match &e.node {
        Node::Binary(operator, a, b)
            if operator.flipped().is_some()
                || matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract) =>
        {
            parts.parameter(a).zip(parts.parameter(b)).is_some_and(|(a, b)| differ(a, b))
        }
        Node::Call { function, arguments } => {
            if let Some(("min" | "max", arguments)) = word(e) {
                let [a, b] = arguments else { return false };
                return parts.parameter(a).zip(parts.parameter(b)).is_some_and(|(a, b)| differ(a, b));
            }
            let declared = parts.functions.iter().find(|one| one.name == function.text);
            declared.is_some_and(|declared| {
                let mut both = arguments.iter().zip(&declared.parameters);
                both.any(|(a, wanted)| parts.parameter(a).is_some_and(|given| differ(given, wanted)))
            })
        }
        _ => false,
    })
}

/// Conditions of three alternatives.
fn joined_alternatives(parts: &Parts<'_>) -> usize {
    let either = |e: &Expression| matches!(e.node, Node::Binary(BinaryOperator::Or, ..));
    usize::from(parts.condition.map_or(0, |condition| count(condition, &either)) > 1)
}

/// `when s == "1-3,7"`
fn examples_in_conditions(parts: &Parts<'_>) -> usize {
    let is_literal = |e: &Expression| match &e.node {
        Node::Text(text) => !text.is_empty(),
        Node::Sequence(items) => !items.is_empty(),
        _ => false,
    };
    parts.condition.map_or(0, |condition| {
        count(condition, &|e| match &e.node {
            Node::Binary(BinaryOperator::Equal, a, b) => is_literal(a) || is_literal(b),
            _ => false,
        })
    })
}

/// Bounds that are what they are because something is taken from itself: `x - (x + 1) <= f(x)`, `f(y) >= f(y) - f(x)`
fn bounds_that_cancel(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual, Subtract};
    let calls = |e: &Expression| e.has(&|part| call(part).is_some());
    let repeats = |e: &Expression| {
        let mut names: Vec<&Expression> = Vec::new();
        collect(e, &is_name, &mut names);
        (1..names.len()).any(|place| names[..place].contains(&names[place]))
    };
    let terms = |e: &Expression| -> Vec<Expression> {
        match &e.node {
            Node::Binary(BinaryOperator::Add | Subtract, a, b) => vec![(**a).clone(), (**b).clone()],
            _ => vec![e.clone()],
        }
    };
    count(parts.expect, &|e| match &e.node {
        Node::Binary(Less | LessEqual | Greater | GreaterEqual, a, b) => {
            let is_empty =
                |bound: &Expression, other: &Expression| !calls(bound) && calls(other) && repeats(bound);
            let is_shared = terms(a).iter().any(|term| calls(term) && terms(b).contains(term));
            is_empty(a, b) || is_empty(b, a) || is_shared
        }
        _ => false,
    })
}

fn collect<'e>(e: &'e Expression, is_wanted: &dyn Fn(&Expression) -> bool, found: &mut Vec<&'e Expression>) {
    if is_wanted(e) {
        found.push(e);
    }
    e.children().into_iter().for_each(|child| collect(child, is_wanted, found));
}

/// Floats of many digits or next to nothing, wherever they come from: the smallest step of a float, 0.9999999999999999. Pi and its like have names.
fn tiny_numbers(parts: &Parts<'_>) -> usize {
    parts.count(&|e| match e.node {
        Node::Float(number) => number != 0.0 && (number.abs() < 1e-6 || format!("{number}").len() > 12),
        _ => false,
    })
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

/// Comparisons of two different variables with each other that are not known to mean the same kind of thing, where neither is a result.
fn unlike_comparisons(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
    let names = |e: &Expression| e.has(&is_name) && !e.has(&|part| call(part).is_some());
    parts.condition.map_or(0, |condition| {
        count(condition, &|e| match &e.node {
            Node::Binary(Less | LessEqual | Greater | GreaterEqual, a, b) => {
                names(a) && names(b) && !parts.are_alike(a, b)
            }
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

/// An order between the result of an example and others, such as `f(195, g) < f(r, g)`: an example in disguise.
fn orders_of_examples(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Greater, GreaterEqual, Implies, Less, LessEqual};
    let is_of_example =
        |e: &Expression| call(bare(e)).is_some_and(|(_, arguments)| arguments.iter().any(is_example));
    count(parts.expect, &|e| match &e.node {
        Node::Binary(Less | LessEqual | Greater | GreaterEqual | Implies, a, b) => {
            is_of_example(a) || is_of_example(b)
        }
        _ => false,
    })
}

/// An order between a result and that of arguments that are exchanged or negated, without a condition: what is turned twice is as before, so that it can only be an
/// equation.
fn orders_of_turns(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{GreaterEqual, LessEqual};
    let plain = |e: &Expression| match call(bare(e)) {
        Some((_, arguments)) if arguments.iter().all(is_name) => Some(arguments.to_vec()),
        _ => None,
    };
    let is_turned = |a: &Expression, b: &Expression| {
        let (Some(mut a), Some(mut b)) = (plain(a), plain(b)) else { return false };
        let differs = a != b;
        let text = |e: &Expression| e.to_string();
        a.sort_by_key(text);
        b.sort_by_key(text);
        differs && a == b
    };
    match parts.condition {
        Some(_) => 0,
        None => count(parts.expect, &|e| match &e.node {
            Node::Binary(LessEqual | GreaterEqual, a, b) => is_turned(a, b),
            _ => false,
        }),
    }
}

/// `when x < 5: f(x - 1) == f(x)`: a result that hardly ever changes from one number to the next is the same after a step, until it does change.
fn the_same_one_step_on(parts: &Parts<'_>) -> usize {
    use BinaryOperator::{Add, Approximate, Equal, Subtract};
    let is_step = |changed: &Expression, plain: &Expression| match &changed.node {
        Node::Binary(Add | Subtract, of, by) => **of == *plain && is_name(plain) && is_number(by),
        _ => false,
    };
    let steps = |a: &Expression, b: &Expression| {
        let (Some((f, a)), Some((g, b))) = (call(bare(a)), call(bare(b))) else { return false };
        let both = || a.iter().zip(b);
        f == g
            && both().all(|(a, b)| a == b || is_step(a, b))
            && both().filter(|(a, b)| is_step(a, b)).count() == 1
    };
    count(parts.expect, &|e| match &e.node {
        Node::Binary(Equal | Approximate, a, b) => steps(a, b) || steps(b, a),
        _ => false,
    })
}

/// Integers of many digits that are neither round nor a power of two, or next to one, wherever they come from.
fn long_numbers(parts: &Parts<'_>) -> usize {
    const LONG: u128 = 1_000_000;
    parts.count(&|e| match e.node {
        Node::Int(number) => {
            let size = number.unsigned_abs();
            let is_power = |size: u128| size.is_power_of_two();
            size > LONG && !size.is_multiple_of(1000) && ![size - 1, size, size + 1].into_iter().any(is_power)
        }
        _ => false,
    })
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
