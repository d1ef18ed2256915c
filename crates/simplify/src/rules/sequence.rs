//! Rules about sequences and texts.

use super::{Equation, Facts, both, is_empty, same, total};

pub(super) fn rules() -> Vec<Equation> {
    let mut rules = order();
    rules.extend(lengths());
    rules.extend(parts());
    rules.extend(comparisons());
    rules
}

fn order() -> Vec<Equation> {
    let mut rules = vec![
        same("(reverse (reverse ?s))", "?s").sequences("?s"),
        same("(sorted (sorted ?s))", "(sorted ?s)").sequences("?s"),
        same("(sorted (reverse ?s))", "(sorted ?s)").exact_sequences("?s"),
        same("(distinct (distinct ?s))", "(distinct ?s)").sequences("?s"),
        same("(upper (upper ?s))", "(upper ?s)"),
        same("(lower (lower ?s))", "(lower ?s)"),
        same("(trim (trim ?s))", "(trim ?s)"),
    ];
    let sequences = |rule: Equation| rule.sequences("?s ?t");
    rules.extend(both(same, "(concat (reverse ?s) (reverse ?t))", "(reverse (concat ?t ?s))", sequences));
    for sign in ["+", "*"] {
        let (inside, outside) = (format!("(reverse ({sign} ?s ?c))"), format!("({sign} (reverse ?s) ?c)"));
        rules.extend(both(same, &inside, &outside, |rule| rule.sequences("?s").numbers("?c")));
    }
    rules
}

fn lengths() -> Vec<Equation> {
    let mut rules = vec![
        same("(len (reverse ?s))", "(len ?s)").sequences("?s"),
        same("(len (sorted ?s))", "(len ?s)").sequences("?s"),
        // Adding the elements in another order may overflow at an intermediate sum.
        total("(sum (reverse ?s))", "(sum ?s)").exact_sequences("?s"),
        total("(sum (sorted ?s))", "(sum ?s)").exact_sequences("?s"),
        total("(len (+ ?s ?c))", "(len ?s)").sequences("?s"),
        total("(len (* ?s ?c))", "(len ?s)").sequences("?s"),
    ];
    let joined = |rule: Equation| rule.sequences("?s ?t");
    rules.extend(both(same, "(len (concat ?s ?t))", "(+ (len ?s) (len ?t))", joined));
    let exact = |rule: Equation| rule.exact_sequences("?s ?t");
    rules.extend(both(total, "(sum (concat ?s ?t))", "(+ (sum ?s) (sum ?t))", exact));
    rules.extend(both(total, "(sum (* ?s ?c))", "(* ?c (sum ?s))", |r| r.exact_sequences("?s").ints("?c")));
    rules
}

fn parts() -> Vec<Equation> {
    let mut rules = vec![
        same("(concat ?s ?e)", "?s").when("?e", |f| is_empty(f[0])),
        same("(concat ?e ?s)", "?s").when("?e", |f| is_empty(f[0])),
        same("(from ?s 0)", "?s"),
        same("(to ?s (len ?s))", "?s"),
        same("(truncate ?s (len ?s))", "?s"),
    ];
    rules.extend(both(same, "(slice ?s 0 ?j)", "(to ?s ?j)", |rule| rule));
    rules
}

/// Both sequences have the same type. If integers were joined with floats, large integers would be rounded.
fn of_one_type(facts: &[&Facts]) -> bool {
    facts[0].ty == facts[1].ty
}

fn comparisons() -> Vec<Equation> {
    let mut rules = vec![
        same("(is_prefix_of ?e ?s)", "true").when("?e", |f| is_empty(f[0])),
        same("(is_suffix_of ?e ?s)", "true").when("?e", |f| is_empty(f[0])),
        same("(contains ?s ?e)", "true").when("?e", |f| is_empty(f[0])),
        same("(is_prefix_of ?s ?s)", "true"),
        same("(is_suffix_of ?s ?s)", "true"),
        same("(contains ?s ?s)", "true"),
        same("(is_prefix_of ?s (concat ?s ?t))", "true").when("?s ?t", of_one_type),
        same("(is_suffix_of ?t (concat ?s ?t))", "true").when("?s ?t", of_one_type),
        same("(contains (concat ?s ?t) ?s)", "true").when("?s ?t", of_one_type),
        same("(contains (concat ?s ?t) ?t)", "true").when("?s ?t", of_one_type),
        same("(count (reverse ?s) ?x)", "(count ?s ?x)").sequences("?s"),
        same("(count (sorted ?s) ?x)", "(count ?s ?x)").sequences("?s"),
        same("(contains (reverse ?s) (reverse ?t))", "(contains ?s ?t)").sequences("?s ?t"),
    ];
    let sequences = |rule: Equation| rule.sequences("?s ?t");
    let (prefix, suffix) =
        ("(is_prefix_of (reverse ?s) (reverse ?t))", "(is_suffix_of (reverse ?s) (reverse ?t))");
    rules.push(sequences(same(prefix, "(is_suffix_of ?s ?t)")));
    rules.push(sequences(same(suffix, "(is_prefix_of ?s ?t)")));
    for sign in ["==", "!=", "~="] {
        let two = format!("({sign} (reverse ?s) (reverse ?t))");
        rules.push(sequences(same(&two, &format!("({sign} ?s ?t)"))));
        let (left, right) = (format!("({sign} (reverse ?s) ?t)"), format!("({sign} ?s (reverse ?t))"));
        rules.extend(both(same, &left, &right, sequences));
    }
    rules
}
