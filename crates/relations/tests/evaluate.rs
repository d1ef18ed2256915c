//! What the words of the language mean, shown on functions written in Rust.

mod common;

use common::*;
use dodona_relations::Verdict;

#[test]
fn a_commutative_function_holds() {
    let mut world = library();
    let rows = [vec![int(12), int(18)], vec![int(-3), int(7)], vec![int(0), int(0)]];
    let verdicts = world.verdicts("relation commutes: gcd(p, q) == gcd(q, p)", &rows);
    assert_eq!(verdicts, [Verdict::Holds; 3]);
}
