//! Laws: compositions of true relations are true.

use dodona_target::Value;
use proptest::prelude::*;

use super::world::{COSINE, SINE, basics, functions, verdicts};
use crate::composition::{Composer, Sequence};

/// True relations of gcd, with conditions and inputs that leave the type.
const GCD: &str = "
relation swap:   gcd(q, p) == gcd(p, q)
relation signs:  gcd(-p, q) == gcd(p, q)
relation less:   gcd(p - q, q) == gcd(p, q)
relation scale:  for k in {2, -3}: when abs(k) * gcd(p, q) <= 2147483647: gcd(k*p, k*q) == abs(k) * gcd(p, q)
relation half:   when p mod 2 == 0 and q mod 2 == 1: gcd(p div 2, q) == gcd(p, q)
relation zero:   when p > -2147483648: gcd(p, 0) == abs(p)
relation least:  when q != 0: gcd(p, q * q) >= gcd(p, q)
";

/// True relations of sin with a second source, conditions, and inequalities.
const MORE: &str = "
relation supplement: sin(pi - x) ~= sin(x) within 1e-9
relation addition(y: sin.x): sin(x + y) ~= sin(x)*cos(y) + cos(x)*sin(y) within 1e-9
relation step: sin(x + 1) <= sin(x) + 1
relation small: when abs(x) < 1e-4: sin(x / 2) ~= sin(x) / 2 within 1e-8
";

/// No counterexample to a composition, if there is one; whether there is one, and some input was eligible.
fn holds(text: &str, library: &str, genes: &[usize], rows: &[Vec<Value>]) -> Result<bool, TestCaseError> {
    let functions = functions();
    let composer = Composer::new(basics(text, &functions), basics(library, &functions), &functions);
    let genes: Vec<usize> = genes.iter().map(|g| g % composer.basics().len()).collect();
    let Ok(composite) = composer.compose(&Sequence::new(&genes)) else { return Ok(false) };
    let verdicts = verdicts(&composite.relation, rows);
    for (row, verdict) in rows.iter().zip(&verdicts) {
        prop_assert!(!verdict.is_violation(), "{} for {row:?}: {verdict:?}", composite.relation);
    }
    Ok(verdicts.iter().any(|v| v.holds()))
}

#[test]
fn the_laws_below_speak_of_something() {
    let rows: Vec<Vec<Value>> =
        (0..625).map(|n| vec![Value::Int(n / 25 - 12), Value::Int(n % 25 - 12)]).collect();
    for genes in (0..64).map(|n| [n / 8, n % 8]) {
        // Behind `scale` by 2 and behind `zero` no q is odd, and behind `zero` none is other than 0, so that nothing is
        // eligible for `half` or `least`. The condition of `scale` needs an output of which `least` knows a bound only.
        let says_something = ![[3, 5], [6, 5], [6, 7], [7, 3], [7, 4]].contains(&genes);
        let held = holds(GCD, "", &genes, &rows).expect("no counterexample");
        assert_eq!(held, says_something, "{genes:?}");
    }
}

proptest! {
    #[test]
    fn true_relations_of_sine_compose_to_true_ones(
        genes in prop::collection::vec(0usize..100, 2..5),
        inputs in prop::collection::vec(prop::collection::vec(-20.0f64..20.0, 9), 20),
    ) {
        let rows: Vec<Vec<Value>> =
            inputs.into_iter().map(|row| row.into_iter().map(Value::Float).collect()).collect();
        let sine = format!("{SINE}{MORE}");
        holds(&sine, COSINE, &genes, &rows)?;
        holds(&format!("{sine}{COSINE}"), "", &genes, &rows)?;
        prop_assert!(holds(SINE, COSINE, &genes, &rows)?);
    }

    #[test]
    fn true_relations_of_integers_compose_to_true_ones(
        genes in prop::collection::vec(0usize..100, 2..6),
        inputs in prop::collection::vec((integer(), integer()), 20),
    ) {
        let rows: Vec<Vec<Value>> =
            inputs.into_iter().map(|(p, q)| vec![Value::Int(p), Value::Int(q)]).collect();
        holds(GCD, "", &genes, &rows)?;
    }

    #[test]
    fn the_follow_up_input_is_that_of_one_relation_after_the_other(
        genes in prop::collection::vec(0usize..8, 2..7),
        x in -20.0f64..20.0,
    ) {
        let functions = functions();
        let composer = Composer::new(basics(SINE, &functions), Vec::new(), &functions);
        let Ok(composite) = composer.compose(&Sequence::new(&genes)) else { return Ok(()) };
        let pi = std::f64::consts::PI;
        let changes: [fn(f64, f64) -> f64; 8] = [
            |x, _| -x, |x, pi| x + pi / 2.0, |x, pi| x - pi / 2.0, |x, pi| x + pi,
            |x, pi| x - pi, |x, pi| x + 2.0 * pi, |x, pi| x - 2.0 * pi, |x, _| 2.0 * x,
        ];
        let expected = genes.iter().fold(x, |x, &gene| changes[gene](x, pi));
        let dodona_relations::ast::Body::Calls(expect) = &composite.relation.body else { panic!() };
        let argument = expect.children()[0].children()[0].to_string().replace('x', &format!("({x:?})"));
        let parsed = dodona_relations::parse_expression(&argument).expect("an expression");
        let value = dodona_relations::evaluate_expression(&parsed, &functions, &mut super::world::World);
        prop_assert_eq!(value.expect("a value").value, Some(Value::Float(expected)));
    }
}

/// Small integers, and those at the ends of the type.
fn integer() -> impl Strategy<Value = i128> {
    prop_oneof![
        3 => -30i128..30,
        1 => (i128::from(i32::MAX) - 3)..=i128::from(i32::MAX),
        1 => i128::from(i32::MIN)..=i128::from(i32::MIN) + 3,
        1 => any::<i32>().prop_map(i128::from),
    ]
}
