//! Random trees of a type, within a size.

use super::grammar::{GrammarSlot, Production, Rule, TermGrammar};
use super::{Leaf, Operator, TermId, Terms};
use crate::discovery::tuning::{
    FRACTION_CHANCE, FRACTION_CHANCE_OF_INTEGERS, LARGEST_CONSTANT, LEAF_CHANCE, OF_CODE_CHANCE,
    SMALL_CHANCE, SMALL_CONSTANT, VARIABLE_CHANCE,
};
use crate::random::Random;

/// Grows trees.
#[derive(Clone, Debug)]
pub(super) struct Grower {
    grammar: TermGrammar,
}

impl Grower {
    pub(super) fn new(grammar: TermGrammar) -> Grower {
        Grower { grammar }
    }

    /// A random expectation of at most `most` nodes.
    pub(super) fn expectation(&self, terms: &mut Terms, random: &mut Random, most: usize) -> TermId {
        let size = random.between(3, most.max(3) as i64) as usize;
        let rule = self.grammar.rule(GrammarSlot::Bool);
        self.inner(terms, random, rule, size).unwrap_or_else(|| self.leaf(terms, random, GrammarSlot::Bool))
    }

    /// A random tree of at most `most` nodes for a slot; a leaf if `most` leaves no room for an operator.
    pub(super) fn tree(
        &self,
        terms: &mut Terms,
        random: &mut Random,
        slot: GrammarSlot,
        most: usize,
    ) -> TermId {
        let rule = self.grammar.rule(slot);
        let has_leaf = rule.least == 1;
        if most < 2 || most < rule.least || (has_leaf && random.chance(LEAF_CHANCE)) {
            return self.leaf(terms, random, slot);
        }
        self.inner(terms, random, rule, most).unwrap_or_else(|| self.leaf(terms, random, slot))
    }

    fn inner(&self, terms: &mut Terms, random: &mut Random, rule: &Rule, most: usize) -> Option<TermId> {
        let fits = |p: &Production| self.least(p) < most;
        let weights = rule.productions.iter().map(|p| if fits(p) { p.weight } else { 0 });
        let production = &rule.productions[random.weighted(weights)?];
        let operands = self.operands(terms, random, production, most - 1);
        build(terms, production.operator, &operands)
    }

    fn operands(&self, terms: &mut Terms, random: &mut Random, p: &Production, room: usize) -> Vec<TermId> {
        match *p.operands.as_slice() {
            [a, b] => {
                let (least_a, least_b) = (self.grammar.rule(a).least, self.grammar.rule(b).least);
                let first = random.between(least_a as i64, (room - least_b) as i64) as usize;
                let left = self.tree(terms, random, a, first);
                let rest = room - terms.size(left);
                vec![left, self.tree(terms, random, b, rest)]
            }
            _ => p.operands.iter().map(|&slot| self.tree(terms, random, slot, room)).collect(),
        }
    }

    fn least(&self, production: &Production) -> usize {
        production.operands.iter().map(|&slot| self.grammar.rule(slot).least).sum()
    }

    /// A random leaf for a slot.
    pub(super) fn leaf(&self, terms: &mut Terms, random: &mut Random, slot: GrammarSlot) -> TermId {
        let rule = self.grammar.rule(slot);
        if random.chance(VARIABLE_CHANCE)
            && let Some(drawn) = random.weighted(rule.variables.iter().map(|v| v.1))
        {
            return terms.leaf(rule.variables[drawn].0);
        }
        let leaf = match slot {
            GrammarSlot::Int | GrammarSlot::Number => self.number(random, rule, slot),
            _ => *random.one_of(&rule.others),
        };
        terms.leaf(leaf)
    }

    fn number(&self, random: &mut Random, rule: &Rule, slot: GrammarSlot) -> Leaf {
        if random.chance(OF_CODE_CHANCE)
            && let Some(drawn) = random.weighted(rule.constants.iter().map(|c| c.1))
        {
            return rule.constants[drawn].0;
        }
        let fraction = if self.grammar.floats { FRACTION_CHANCE } else { FRACTION_CHANCE_OF_INTEGERS };
        let is_real = slot == GrammarSlot::Number && random.chance(fraction);
        let is_small = random.chance(SMALL_CHANCE);
        let largest = if is_small { SMALL_CONSTANT } else { LARGEST_CONSTANT };
        match is_real {
            true => Leaf::Float((random.between(-100 * largest, 100 * largest) as f64 / 100.0).to_bits()),
            false => Leaf::Int(random.between(-largest, largest)),
        }
    }
}

/// An operator applied to operands, `None` where it does not take their types. For integers, `~=` becomes `==`.
pub(super) fn build(terms: &mut Terms, operator: Operator, operands: &[TermId]) -> Option<TermId> {
    use dodona_relations::plan::Ty;
    let exact = operator == Operator::Approximate && operands.iter().all(|&o| terms.ty(o) == Ty::Int);
    terms.apply(if exact { Operator::Equal } else { operator }, operands)
}

#[cfg(test)]
pub(super) mod tests {
    use dodona_relations::ast::Expression;
    use dodona_relations::plan::{Element, Ty};
    use dodona_target::{Column, Value};
    use proptest::prelude::*;

    use super::*;
    use crate::discovery::{Pairs, Place, Variable};

    /// Pairs without rows, with one input and two outputs of each of these types.
    pub(in crate::discovery) fn pairs_of(types: &[Ty]) -> Pairs {
        let places = [Place::SourceInput, Place::SourceOutput, Place::FollowUpOutput];
        let variables: Vec<Variable> = types
            .iter()
            .enumerate()
            .flat_map(|(i, &ty)| {
                places.map(|place| Variable { place: place(i), ty, expression: name(i, place(i)) })
            })
            .collect();
        Pairs {
            columns: variables.iter().map(|_| Column::Int(Vec::new())).collect(),
            variables,
            correct: 0,
            mutants: Vec::new(),
            mutant_count: 0,
            refused: Vec::new(),
            crashed: Vec::new(),
            constants: vec![(Value::Int(7), 2), (Value::Float(0.25), 1)],
        }
    }

    fn name(i: usize, place: Place) -> Expression {
        match place {
            Place::SourceInput(_) => Expression::name(format!("x{i}")),
            Place::SourceOutput(_) => Expression::name(format!("s{i}")),
            _ => Expression::name(format!("f{i}")),
        }
    }

    /// One type of each kind.
    pub(in crate::discovery) const TYPES: [Ty; 7] = [
        Ty::Bool,
        Ty::Int,
        Ty::Float,
        Ty::Text,
        Ty::Sequence(Element::Int),
        Ty::Sequence(Element::Float),
        Ty::Sequence(Element::Bool),
    ];

    pub(in crate::discovery) fn grower(types: &[Ty]) -> (Grower, Terms) {
        let pairs = pairs_of(types);
        let terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
        (Grower::new(TermGrammar::new(&pairs)), terms)
    }

    proptest! {
        #[test]
        fn grown_trees_have_the_type_and_size_asked_for(
            types in prop::sample::subsequence(TYPES.to_vec(), 1..=4),
            seed: u64,
            most in 1usize..=20,
        ) {
            let (grower, mut terms) = grower(&types);
            let mut random = Random::new(seed);
            for slot in types.iter().map(|&ty| GrammarSlot::of(ty)).chain([GrammarSlot::Bool, GrammarSlot::Int, GrammarSlot::Number, GrammarSlot::Text]) {
                let tree = grower.tree(&mut terms, &mut random, slot, most);
                prop_assert!(slot.may_hold(terms.ty(tree)), "{slot:?} took {:?}", terms.ty(tree));
                prop_assert!(terms.size(tree) <= most, "{} nodes of {most}", terms.size(tree));
            }
            let expectation = grower.expectation(&mut terms, &mut random, most);
            prop_assert_eq!(terms.ty(expectation), Ty::Bool);
            prop_assert!(terms.size(expectation) <= most.max(3));
        }
    }

    fn written(types: &[Ty], count: usize) -> Vec<String> {
        let pairs = pairs_of(types);
        let names: Vec<Expression> = pairs.variables.iter().map(|v| v.expression.clone()).collect();
        let (grower, mut terms) = grower(types);
        let mut random = Random::new(3);
        let mut grow = || grower.expectation(&mut terms, &mut random, 12);
        let grown: Vec<TermId> = (0..count).map(|_| grow()).collect();
        grown.iter().map(|&t| terms.write(t, &names).to_string()).collect()
    }

    #[test]
    fn every_operator_of_the_table_grows() {
        let all = written(&TYPES, 6000).join("\n");
        let words = [
            "+",
            " - ",
            "*",
            "/",
            "abs(",
            "==",
            "!=",
            "<",
            "<=",
            "text(",
            " and ",
            " or ",
            " xor ",
            " iff ",
            " implies ",
            "not ",
            "len(",
            "sum(",
            "reverse(",
            "remove(",
            "truncate(",
            "~=",
            "min(",
            "max(",
            " div ",
            " mod ",
            "sorted(",
            "upper(",
            "lower(",
            "contains",
            "is_prefix_of",
            "is_suffix_of",
            "concat(",
            "..]",
            "[",
            "0.25",
            "7",
        ];
        let missing: Vec<_> = words.iter().filter(|w| !all.contains(**w)).collect();
        assert!(missing.is_empty(), "never grown: {missing:?}");
    }

    #[test]
    fn floats_are_mostly_compared_approximately_and_integers_never() {
        let count = |all: &[String], word: &str| all.iter().filter(|e| e.contains(word)).count();
        let floats = written(&[Ty::Float], 1000);
        assert!(count(&floats, "~=") > 2 * count(&floats, "=="), "{floats:?}");
        assert_eq!(count(&written(&[Ty::Int], 1000), "~="), 0);
    }
}
