//! What suites of metamorphic groups reveal, and how soon: by this their selection and their order are judged.

use dodona_generation::adequacy::prioritise::random;
use dodona_generation::adequacy::{Associations, Requirements, Suite};
use fixedbitset::FixedBitSet;

/// Which faults each metamorphic group reveals.
///
/// ```
/// use dodona_lab::Revealed;
/// use fixedbitset::FixedBitSet;
///
/// // Two relations and three source inputs: group 4 is relation 1 on source input 1. Fault 0 is revealed by two groups, fault 1 by none.
/// let groups = |which: &[usize]| which.iter().copied().collect::<FixedBitSet>();
/// let revealed = Revealed::new(2, 3, &[groups(&[0, 4]), groups(&[])]);
/// assert!(revealed.by(&[(1, 1)]).contains(0));
/// assert_eq!(revealed.first(&[(2, 0), (1, 1), (0, 0)]), [Some(2), None]);
/// ```
pub struct Revealed {
    sources: usize,
    faults: usize,
    /// For each group (relation by place times source inputs, plus source input) the faults that it reveals.
    groups: Vec<FixedBitSet>,
}

impl Revealed {
    /// Of faults, each with the groups that reveal it: the relation by place times the number of source inputs, plus the source input, as in
    /// [`GroupKills`](crate::GroupKills).
    ///
    /// # Panics
    /// When there is no such group.
    pub fn new(relations: usize, sources: usize, faults: &[FixedBitSet]) -> Revealed {
        let mut groups = vec![FixedBitSet::with_capacity(faults.len()); relations * sources];
        for (fault, revealing) in faults.iter().enumerate() {
            revealing.ones().for_each(|group| groups[group].insert(fault));
        }
        Revealed { sources, faults: faults.len(), groups }
    }

    fn of(&self, (source, relation): (usize, usize)) -> &FixedBitSet {
        &self.groups[relation * self.sources + source]
    }

    /// The faults that some of these groups reveals; each group is a source input and a relation.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn by(&self, groups: &[(usize, usize)]) -> FixedBitSet {
        let mut revealed = FixedBitSet::with_capacity(self.faults);
        groups.iter().for_each(|group| revealed.union_with(self.of(*group)));
        revealed
    }

    /// For each fault the number of the first of these groups, from 1, that reveals it.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn first(&self, groups: &[(usize, usize)]) -> Vec<Option<u64>> {
        let mut first = vec![None; self.faults];
        let mut known = FixedBitSet::with_capacity(self.faults);
        for (group, number) in groups.iter().zip(1..) {
            self.of(*group).difference(&known).for_each(|fault| first[fault] = Some(number));
            known.union_with(self.of(*group));
        }
        first
    }
}

/// Requirements and associations whose source inputs, relations and forms are numbered in a random order. A selection takes the first between
/// equals, so that each numbering gives another one, and none of them owes anything to the order of a file.
pub struct Shuffled {
    /// The requirements.
    pub requirements: Requirements,
    /// The associations.
    pub associations: Associations,
    /// For each new number of a source input the old one.
    sources: Vec<usize>,
    /// For each new number of a relation the old one.
    relations: Vec<usize>,
}

impl Shuffled {
    /// Numbers these in an order that depends on the seed alone.
    pub fn of(requirements: &Requirements, associations: &Associations, seed: u64) -> Shuffled {
        let sources = random(associations.sources(), seed);
        let relations = random(associations.relations(), seed ^ 1);
        let most = (0..relations.len()).map(|relation| associations.form(relation)).max();
        let new_form = random(most.map_or(0, |most| most as usize + 1), seed ^ 2);
        let form = |relation: &usize| new_form[associations.form(*relation) as usize] as u32;
        let mut shuffled =
            Associations::new(sources.len(), &relations.iter().map(form).collect::<Vec<u32>>());
        let mut new_relation = vec![0; relations.len()];
        relations.iter().enumerate().for_each(|(new, old)| new_relation[*old] = new);
        for (new, old) in sources.iter().enumerate() {
            associations.of_source(*old).for_each(|relation| shuffled.add(new, new_relation[relation]));
        }
        let satisfied = sources.iter().map(|old| requirements.satisfied[*old].clone()).collect();
        let requirements = Requirements { names: requirements.names.clone(), satisfied };
        Shuffled { requirements, associations: shuffled, sources, relations }
    }

    /// These groups by their old numbers.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn groups(&self, groups: &[(usize, usize)]) -> Suite {
        groups.iter().map(|(source, relation)| (self.sources[*source], self.relations[*relation])).collect()
    }
}

/// All groups that were executed.
pub fn all_groups(associations: &Associations) -> Suite {
    let of = |source| associations.of_source(source).map(move |relation| (source, relation));
    (0..associations.sources()).flat_map(of).collect()
}

/// The first of these groups in a random order, so many of them; the same for the same seed.
pub fn random_groups(groups: &[(usize, usize)], count: usize, seed: u64) -> Suite {
    random(groups.len(), seed).into_iter().take(count).map(|group| groups[group]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use dodona_generation::adequacy::{adequacy, select};

    use super::*;

    fn bits(which: &[usize]) -> FixedBitSet {
        which.iter().copied().collect()
    }

    /// Three source inputs, three relations of two forms.
    fn three() -> (Requirements, Associations) {
        let satisfied = vec![bits(&[0, 1]), bits(&[1]), bits(&[2])];
        let names = vec!["a".into(), "b".into(), "c".into()];
        let mut associations = Associations::new(3, &[0, 1, 1]);
        [(0, 0), (0, 1), (0, 2), (1, 0), (2, 2)].into_iter().for_each(|(s, r)| associations.add(s, r));
        (Requirements { names, satisfied }, associations)
    }

    #[test]
    fn a_suite_reveals_what_any_of_its_groups_does_and_the_first_counts() {
        // Relation r on source input s is group 3 r + s.
        let faults = [bits(&[3, 5]), bits(&[1]), bits(&[8]), bits(&[])];
        let revealed = Revealed::new(3, 3, &faults);
        assert_eq!(revealed.by(&[]), FixedBitSet::with_capacity(4));
        assert_eq!(revealed.by(&[(0, 1), (2, 1), (2, 2)]).ones().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(revealed.first(&[(2, 2), (0, 0), (2, 1), (0, 1)]), [Some(3), None, Some(1), None]);
    }

    #[test]
    fn a_new_numbering_says_the_same_and_groups_get_their_old_numbers_back() {
        let (requirements, associations) = three();
        let mut orders = BTreeSet::new();
        for seed in 0..20 {
            let shuffled = Shuffled::of(&requirements, &associations, seed);
            let measured = adequacy(&shuffled.requirements, &shuffled.associations, 2).degree();
            assert_eq!(measured, adequacy(&requirements, &associations, 2).degree());
            let mut all = shuffled.groups(&all_groups(&shuffled.associations));
            let first = all[0];
            all.sort_unstable();
            assert_eq!(all, [(0, 0), (0, 1), (0, 2), (1, 0), (2, 2)]);
            let selected = select(&shuffled.requirements, &shuffled.associations, 2, 1.0);
            // Of source input 0 a relation of each form, and the one relation of source input 2.
            assert_eq!((selected.groups.len(), selected.degree), (3, 5.0 / 6.0));
            let groups: BTreeSet<_> = shuffled.groups(&selected.groups).into_iter().collect();
            assert!(groups.contains(&(0, 0)) && groups.contains(&(2, 2)));
            orders.insert((first, groups));
        }
        // Between the relations 1 and 2, which have one form, each is taken by some numbering.
        assert!([(0, 1), (0, 2)].iter().all(|group| orders.iter().any(|(_, groups)| groups.contains(group))));
        assert!(orders.len() > 4, "{}", orders.len());
    }

    #[test]
    fn random_groups_are_different_ones_of_those_there_are() {
        let all = all_groups(&three().1);
        assert_eq!(all, [(0, 0), (0, 1), (0, 2), (1, 0), (2, 2)]);
        let drawn: BTreeSet<_> = random_groups(&all, 3, 7).into_iter().collect();
        assert!(drawn.len() == 3 && drawn.iter().all(|group| all.contains(group)));
        assert_eq!(random_groups(&all, 9, 7).len(), 5);
        assert_eq!(random_groups(&all, 3, 7), random_groups(&all, 5, 7)[..3]);
    }
}
