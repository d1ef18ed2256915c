//! Rules of three-valued logic (Kleene): an undefined side makes the result undefined unless the other side decides
//! it.

use super::{Equation, both, same, whatever};

pub(super) fn rules() -> Vec<Equation> {
    let mut rules = order();
    rules.extend(literals());
    rules.extend(repetition());
    rules.extend(negation());
    rules.extend(equivalence());
    rules
}

fn order() -> Vec<Equation> {
    vec![
        same("(and ?a ?b)", "(and ?b ?a)"),
        same("(or ?a ?b)", "(or ?b ?a)"),
        same("(xor ?a ?b)", "(xor ?b ?a)"),
        same("(iff ?a ?b)", "(iff ?b ?a)"),
        same("(and (and ?a ?b) ?c)", "(and ?a (and ?b ?c))"),
        same("(or (or ?a ?b) ?c)", "(or ?a (or ?b ?c))"),
    ]
}

fn literals() -> Vec<Equation> {
    vec![
        same("(and true ?a)", "?a"),
        whatever("(and false ?a)", "false"),
        same("(or false ?a)", "?a"),
        whatever("(or true ?a)", "true"),
        same("(implies true ?a)", "?a"),
        whatever("(implies false ?a)", "true"),
        whatever("(implies ?a true)", "true"),
        same("(implies ?a false)", "(not ?a)"),
        same("(iff true ?a)", "?a"),
        same("(iff false ?a)", "(not ?a)"),
        same("(xor true ?a)", "(not ?a)"),
        same("(xor false ?a)", "?a"),
    ]
}

fn repetition() -> Vec<Equation> {
    let defined = |facts: &[&super::Facts]| facts.iter().all(|f| f.defined);
    vec![
        same("(and ?a ?a)", "?a"),
        same("(or ?a ?a)", "?a"),
        same("(and ?a (not ?a))", "false"),
        same("(or ?a (not ?a))", "true"),
        same("(implies ?a ?a)", "true"),
        same("(iff ?a ?a)", "true"),
        same("(xor ?a ?a)", "false"),
        whatever("(and ?a (or ?a ?b))", "?a"),
        whatever("(or ?a (and ?a ?b))", "?a"),
        same("(and ?a (or (not ?a) ?b))", "(and ?a ?b)").when("?a", defined),
        same("(or ?a (and (not ?a) ?b))", "(or ?a ?b)").when("?a", defined),
        same("(and (not ?a) (or ?a ?b))", "(and (not ?a) ?b)").when("?a", defined),
        same("(or (not ?a) (and ?a ?b))", "(or (not ?a) ?b)").when("?a", defined),
        same("(and (or ?a ?b) (or ?a ?c))", "(or ?a (and ?b ?c))"),
        same("(or (and ?a ?b) (and ?a ?c))", "(and ?a (or ?b ?c))"),
    ]
}

fn negation() -> Vec<Equation> {
    let mut rules = vec![same("(not (not ?a))", "?a")];
    rules.extend(both(same, "(not (and ?a ?b))", "(or (not ?a) (not ?b))", |rule| rule));
    rules.extend(both(same, "(not (or ?a ?b))", "(and (not ?a) (not ?b))", |rule| rule));
    rules.extend(both(same, "(implies ?a ?b)", "(or (not ?a) ?b)", |rule| rule));
    rules
}

fn equivalence() -> Vec<Equation> {
    let mut rules = vec![
        same("(iff (not ?a) (not ?b))", "(iff ?a ?b)"),
        same("(and (or (not ?a) ?b) (or (not ?b) ?a))", "(iff ?a ?b)"),
        same("(or (and ?a ?b) (and (not ?a) (not ?b)))", "(iff ?a ?b)"),
        same("(or (and ?a (not ?b)) (and (not ?a) ?b))", "(xor ?a ?b)"),
    ];
    rules.extend(both(same, "(not (iff ?a ?b))", "(xor ?a ?b)", |rule| rule));
    rules.extend(both(same, "(iff (not ?a) ?b)", "(xor ?a ?b)", |rule| rule));
    rules
}
