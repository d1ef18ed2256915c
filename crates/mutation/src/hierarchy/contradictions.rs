//! What inputs show of mutants, held against what their code says: each contradiction is a bug in Dodona.

use dodona_records::MutantId;
use fixedbitset::FixedBitSet;

use super::statics::StaticFacts;

/// The facts of the code that an input contradicts, in words. `kills` has for each mutant the inputs that kill it.
pub(super) fn contradictions(facts: &StaticFacts, ids: &[MutantId], kills: &[FixedBitSet]) -> Vec<String> {
    let held = Held { facts, ids, kills };
    let mut wrong = Vec::new();
    let equivalent = facts.equivalent.iter().filter(|&&mutant| !kills[mutant].is_clear());
    wrong.extend(equivalent.map(|&mutant| {
        format!("{} was proved to do what the original does, and an input kills it", ids[mutant])
    }));
    wrong.extend(held.pairs(
        &facts.same,
        |a, b| a == b,
        |a, b| format!("{a} and {b} were proved to do the same, and an input kills one of them alone"),
    ));
    wrong.extend(held.pairs(&facts.stronger, FixedBitSet::is_subset, |a, b| {
        format!("{a} was proved to be stronger than {b}, and an input kills {a} alone")
    }));
    wrong.extend(held.pairs(&facts.disjoint, FixedBitSet::is_disjoint, |a, b| {
        format!("no input was proved to kill both {a} and {b}, and an input does")
    }));
    wrong.extend(held.alternatives());
    wrong
}

struct Held<'a> {
    facts: &'a StaticFacts,
    ids: &'a [MutantId],
    kills: &'a [FixedBitSet],
}

impl Held<'_> {
    /// The pairs of which a condition on the inputs that kill them is false.
    fn pairs(
        &self,
        pairs: &[(usize, usize)],
        holds: impl Fn(&FixedBitSet, &FixedBitSet) -> bool,
        told: impl Fn(MutantId, MutantId) -> String,
    ) -> Vec<String> {
        let wrong = pairs.iter().filter(|&&(a, b)| !holds(&self.kills[a], &self.kills[b]));
        wrong.map(|&(a, b)| told(self.ids[a], self.ids[b])).collect()
    }

    /// Blocks of which a run executes one at most, and mutants of both of which an input kills.
    fn alternatives(&self) -> Vec<String> {
        let killing: Vec<FixedBitSet> = self.facts.blocks.iter().map(|block| self.any(block)).collect();
        let both = |&(one, other): &(usize, usize)| {
            let input = killing[one].intersection(&killing[other]).next()?;
            let (one, other) = (self.killed(one, input)?, self.killed(other, input)?);
            Some(format!("no call executes the code of both {one} and {other}, and an input kills both"))
        };
        self.facts.alternatives.iter().filter_map(both).collect()
    }

    /// The inputs that kill one of these mutants.
    fn any(&self, mutants: &[usize]) -> FixedBitSet {
        let mut killing = FixedBitSet::new();
        mutants.iter().for_each(|&mutant| killing.union_with(&self.kills[mutant]));
        killing
    }

    /// A mutant of a block that an input kills.
    fn killed(&self, block: usize, input: usize) -> Option<MutantId> {
        let mutant = self.facts.blocks[block].iter().find(|&&mutant| self.kills[mutant].contains(input))?;
        Some(self.ids[*mutant])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of four mutants, which of three inputs kill which.
    fn kills() -> Vec<FixedBitSet> {
        let rows: [&[usize]; 4] = [&[0], &[0, 1], &[1, 2], &[]];
        let row = |ones: &&[usize]| {
            let mut row = FixedBitSet::with_capacity(3);
            row.extend(ones.iter().copied());
            row
        };
        rows.iter().map(row).collect()
    }

    fn found(facts: StaticFacts) -> Vec<String> {
        contradictions(&facts, &[1, 2, 3, 4].map(MutantId), &kills())
    }

    #[test]
    fn what_the_inputs_show_too_is_no_contradiction() {
        let facts = StaticFacts {
            equivalent: vec![3],
            same: vec![(0, 0)],
            stronger: vec![(0, 1), (3, 2)],
            disjoint: vec![(0, 2), (1, 3)],
            blocks: vec![vec![0, 3], vec![2]],
            alternatives: vec![(0, 1)],
            ..StaticFacts::default()
        };
        assert_eq!(found(facts), [""; 0]);
    }

    #[test]
    fn each_kind_of_fact_is_held_against_the_inputs() {
        let facts = StaticFacts {
            equivalent: vec![0],
            same: vec![(0, 1)],
            stronger: vec![(1, 0)],
            disjoint: vec![(1, 2)],
            blocks: vec![vec![3, 0], vec![1]],
            alternatives: vec![(0, 1)],
            ..StaticFacts::default()
        };
        assert_eq!(
            found(facts),
            [
                "M1 was proved to do what the original does, and an input kills it",
                "M1 and M2 were proved to do the same, and an input kills one of them alone",
                "M2 was proved to be stronger than M1, and an input kills M2 alone",
                "no input was proved to kill both M2 and M3, and an input does",
                "no call executes the code of both M1 and M2, and an input kills both",
            ]
        );
    }
}
