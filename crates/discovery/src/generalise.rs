//! Makes constants of a relation that a search found more general: `mod 65536` instead of `mod 16`, if that holds too.

use std::collections::BTreeSet;

use dodona_relations::ast::{BinaryOperator, Body, Expression, Node, Relation};
use dodona_workbench::LabError;

use crate::chosen::Chosen;
use crate::filter::SampleSize;
use crate::relation_of;
use crate::search::Searches;
use crate::tuning::{GREATEST_MODULUS, LEAST_MORE_GENERAL, TRIED_MORE_GENERAL};
use crate::watch::TestPace;

/// The relation with a greater modulus: its own times a power of two, the greatest with which it holds on new inputs. A
/// relation that holds modulo a number holds modulo each of its divisors, so that the new relation says more and kills at least
/// as many mutants.
///
/// # Errors
/// When the host fails.
pub(super) fn generalised(searches: &mut Searches<'_>, chosen: Chosen) -> Result<Chosen, LabError> {
    let [modulus] = moduli(&chosen.relation).into_iter().collect::<Vec<_>>()[..] else { return Ok(chosen) };
    if modulus < 2 || chosen.form().is_some() {
        return Ok(chosen);
    }
    let mut found = chosen;
    let mut next = 2 * modulus;
    while next <= GREATEST_MODULUS && searches.watch.may_go_on() {
        let relation = with_modulus(&found.relation, next);
        if searches.ledger.is_dropped(&relation.to_string()) {
            break;
        }
        let loaded = relation_of::load(&relation, searches.target.workbench.functions())?;
        let pace = TestPace::of_candidate(searches.watch);
        let size = SampleSize { rows: TRIED_MORE_GENERAL, least: LEAST_MORE_GENERAL };
        let ran = searches.fresh("generalise").run(&loaded, size, &mut searches.caller, &pace)?;
        if ran.refuted.is_some() || ran.held < LEAST_MORE_GENERAL {
            break;
        }
        found.relation = relation;
        next *= 2;
    }
    Ok(found)
}

/// The integers behind `mod` in what a relation expects.
fn moduli(relation: &Relation) -> BTreeSet<i128> {
    fn visit(expression: &Expression, found: &mut BTreeSet<i128>) {
        if let Node::Binary(BinaryOperator::Remainder, _, right) = &expression.node
            && let Node::Int(modulus) = right.node
        {
            found.insert(modulus);
        }
        expression.children().into_iter().for_each(|child| visit(child, found));
    }
    let mut found = BTreeSet::new();
    if let Body::Calls(expect) = &relation.body {
        visit(expect, &mut found);
    }
    found
}

/// The relation with another integer behind each `mod` of what it expects.
fn with_modulus(relation: &Relation, modulus: i128) -> Relation {
    fn changed(expression: &Expression, modulus: i128) -> Expression {
        expression.rewrite(&mut |inner| match &inner.node {
            Node::Binary(BinaryOperator::Remainder, left, right) if matches!(right.node, Node::Int(_)) => {
                let (left, right) = (changed(left, modulus), Expression::new(Node::Int(modulus)));
                let node = Node::Binary(BinaryOperator::Remainder, Box::new(left), Box::new(right));
                Some(Expression { node, span: inner.span })
            }
            _ => None,
        })
    }
    match &relation.body {
        Body::Calls(expect) => Relation { body: Body::Calls(changed(expect, modulus)), ..relation.clone() },
        Body::Primed { .. } => relation.clone(),
    }
}

#[cfg(test)]
mod tests {
    use dodona_relations::parse;

    use super::*;

    #[test]
    fn every_modulus_is_replaced_and_nothing_else() {
        let text = "relation r: f(x) mod 16 == (f(16 * x) mod 16 + 16) mod 16";
        let relation = parse(text).expect("it parses").relations.remove(0);
        assert_eq!(moduli(&relation), BTreeSet::from([16]));
        assert_eq!(
            with_modulus(&relation, 32).to_string(),
            "relation r: f(x) mod 32 == (f(16 * x) mod 32 + 16) mod 32"
        );
    }
}
