//! Rules that change both sides of an equation or inequality. Most are for integers and hold where nothing overflows.

use super::{Constant, Equation, Facts, both, integers, is_zero, same, total};

pub(super) fn rules() -> Vec<Equation> {
    let mut rules = negated();
    rules.extend(zeros());
    rules.extend(extremes());
    for sign in ["==", "!=", "<", "<="] {
        rules.extend(moved(sign));
        rules.extend(scaled(sign));
    }
    rules.extend(divided());
    rules
}

/// Moves a summand to the other side, as in `a + b == c` to `a == c - b`.
fn moved(sign: &str) -> Vec<Equation> {
    let ints = |rule: Equation| rule.ints("?a ?b ?c");
    let mut rules = Vec::new();
    rules.extend(both(total, &format!("({sign} (+ ?a ?b) ?c)"), &format!("({sign} ?a (- ?c ?b))"), ints));
    rules.extend(both(total, &format!("({sign} ?c (+ ?a ?b))"), &format!("({sign} (- ?c ?b) ?a)"), ints));
    let cancelled = format!("({sign} (+ ?a ?c) (+ ?b ?c))");
    rules.push(ints(total(&cancelled, &format!("({sign} ?a ?b)"))));
    rules
}

/// Drops a common factor that is surely not zero; a negative factor reverses an inequality.
fn scaled(sign: &str) -> Vec<Equation> {
    let from = format!("({sign} (* ?k ?a) (* ?k ?b))");
    let rule = |to: String| total(&from, &to).ints("?a ?b ?k");
    let positive: super::Test = |f| f[0].range.low > 0;
    let negative: super::Test = |f| f[0].range.high < 0;
    vec![
        rule(format!("({sign} ?a ?b)")).when("?k", positive),
        match sign {
            "==" | "!=" => rule(format!("({sign} ?a ?b)")).when("?k", negative),
            _ => rule(format!("({sign} ?b ?a)")).when("?k", negative),
        },
    ]
}

fn divided() -> Vec<Equation> {
    let exactly: super::Compute = |constants| {
        let [k, c] = integers(constants)?;
        let quotient = if k == 0 { None } else { c.checked_div(k) };
        quotient.filter(|q| q.checked_mul(k) == Some(c)).map(Constant::Int)
    };
    // If the dividend is at most 2^52 in magnitude, a quotient that is not an integer is not rounded to an integer.
    let small: super::Test = |f| f[0].range.low >= -(1 << 52) && f[0].range.high <= 1 << 52;
    let not_zero: super::Test = |f| !f[0].range.contains(0);
    let quotient = |sign: &str| {
        let rule = total(&format!("({sign} (/ ?a ?k) ?b)"), &format!("({sign} ?a (* ?b ?k))"));
        rule.ints("?a ?b ?k").when("?a", small).when("?k", not_zero)
    };
    vec![
        total("(== (* ?k ?a) ?c)", "(== ?a ?new)").ints("?a").compute("?k ?c", exactly),
        total("(!= (* ?k ?a) ?c)", "(!= ?a ?new)").ints("?a").compute("?k ?c", exactly),
        quotient("=="),
        quotient("!="),
    ]
}

/// Zeros of either sign are equal, so comparisons of floats do not depend on the sign of a zero.
fn zeros() -> Vec<Equation> {
    let zero: super::Test = |f| is_zero(f[0]);
    let mut rules = vec![
        total("(== (abs ?a) ?c)", "(== ?a 0)").when("?c", zero).ints("?a"),
        same("(== (abs ?a) ?c)", "(== ?a 0)").when("?c", zero).floats("?a"),
        total("(<= (abs ?a) ?c)", "(== ?a 0)").when("?c", zero).ints("?a"),
        same("(<= (abs ?a) ?c)", "(== ?a 0)").when("?c", zero).floats("?a"),
        total("(< ?c (abs ?a))", "(!= ?a 0)").when("?c", zero).ints("?a"),
    ];
    for sign in ["==", "!=", "~=", "<", "<="] {
        for (from, to) in [("(- ?c ?a)", "(neg ?a)"), ("(+ ?a ?c)", "?a"), ("(- ?a ?c)", "?a")] {
            let left = same(&format!("({sign} {from} ?b)"), &format!("({sign} {to} ?b)"));
            let right = same(&format!("({sign} ?b {from})"), &format!("({sign} ?b {to})"));
            // The sum is of double precision, so dropping the zero must not make the side single, which matters for
            // `within n ulp`.
            let double: super::Test = |f| !f[0].single;
            rules.extend([left, right].map(|rule| {
                let rule = rule.floats("?a").numbers("?b").when("?c", zero);
                if sign == "~=" { rule.when("?a", double) } else { rule }
            }));
        }
        let left = same(&format!("({sign} (neg (- ?a ?b)) ?c)"), &format!("({sign} (- ?b ?a) ?c)"));
        let right = same(&format!("({sign} ?c (neg (- ?a ?b)))"), &format!("({sign} ?c (- ?b ?a))"));
        rules.extend([left, right].map(|rule| rule.floats("?a ?b").numbers("?c")));
    }
    rules
}

/// Comparisons of two integers with their minimum or maximum.
fn extremes() -> Vec<Equation> {
    [
        ("(== (min ?a ?b) (max ?a ?b))", "(== ?a ?b)"),
        ("(<= (max ?a ?b) (min ?a ?b))", "(== ?a ?b)"),
        ("(== (max ?a ?b) ?b)", "(<= ?a ?b)"),
        ("(== (min ?a ?b) ?a)", "(<= ?a ?b)"),
        ("(<= (max ?a ?b) ?b)", "(<= ?a ?b)"),
        ("(<= ?a (min ?a ?b))", "(<= ?a ?b)"),
    ]
    .map(|(from, to)| same(from, to).ints("?a ?b"))
    .into()
}

/// Moves a minus to the other side or drops it from both sides, which reverses inequalities. On floats this is exact.
fn negated() -> Vec<Equation> {
    let numbers: super::Test = |f: &[&Facts]| f.iter().all(|f| f.ty.is_number());
    let mut rules = vec![
        total("(< (neg ?a) (neg ?b))", "(< ?b ?a)").ints("?a ?b"),
        total("(<= (neg ?a) (neg ?b))", "(<= ?b ?a)").ints("?a ?b"),
        same("(< (neg ?a) (neg ?b))", "(< ?b ?a)").floats("?a ?b"),
        same("(<= (neg ?a) (neg ?b))", "(<= ?b ?a)").floats("?a ?b"),
    ];
    for sign in ["==", "!=", "~="] {
        let (left, right) = (format!("({sign} (neg ?a) ?b)"), format!("({sign} ?a (neg ?b))"));
        let (two, none) = (format!("({sign} (neg ?a) (neg ?b))"), format!("({sign} ?a ?b)"));
        rules.extend(both(total, &left, &right, |rule| rule.ints("?a ?b")));
        rules.extend(both(same, &left, &right, |rule| rule.floats("?a ?b")));
        rules.push(total(&two, &none).when("?a ?b", numbers));
        rules.push(same(&two, &none).floats("?a ?b"));
    }
    rules
}
