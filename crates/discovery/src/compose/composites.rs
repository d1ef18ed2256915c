//! The composite relations that held in the search, grouped by what they say.
//!
//! Relations that say the same are found in two steps: among thousands of sequences by multiplying out arithmetic, among the remaining
//! hundreds by equality saturation, which takes a hundred times as long.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use dodona_inference::composition::{
    Accepted, Composer, Composite, Counts, Group, Groups, Sequence, group, unchanged,
};
use dodona_records::LayerRecord;
use dodona_relations::ast::{Name, Relation};
use dodona_simplify::{is_tautology, simplify};
use dodona_target::{Signature, Until};
use dodona_workbench::{LabError, Worker, pool};

/// A relation that held on enough inputs of the search.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) composite: Composite,
    pub(super) counts: Counts,
}

/// The basic relations, as sequences of one relation each, followed by the composite relations that were accepted.
pub(super) struct Candidates {
    all: Vec<Candidate>,
    basics: usize,
}

/// Accepted sequences whose relations say the same. One of them is tested further.
#[derive(Clone, Debug)]
pub(super) struct Saying {
    /// The index of the tested candidate: the one with the fewest layers, then one whose inner calls do not fail, then the one
    /// with the fewest runs, then with the shortest text.
    pub(super) place: usize,
    /// The relation, with a name that no other has.
    pub(super) relation: Relation,
    /// How many accepted sequences of this number of layers say it.
    pub(super) sequences: usize,
    /// The relation that replaces it if an inner call is seen to fail. `None` if this one is that already, or if there is no
    /// inner call.
    pub(super) lenient: Option<Relation>,
}

impl Saying {
    /// The relation that says the same but does not apply where an inner call fails; `None` if there is none.
    pub(super) fn softened(&self) -> Option<Saying> {
        let relation = Relation { name: self.relation.name.clone(), ..self.lenient.clone()? };
        Some(Saying { relation, lenient: None, ..self.clone() })
    }
}

impl Candidates {
    /// The basic relations.
    pub(super) fn of_basics(composer: &Composer<'_>) -> Candidates {
        let one = |place| composer.compose(&Sequence::new(&[place])).expect("each was composed alone before");
        let alone = |place| Candidate { composite: one(place), counts: Counts::default() };
        let all: Vec<Candidate> = (0..composer.basics().len()).map(alone).collect();
        Candidates { basics: all.len(), all }
    }

    /// Adds relations that were accepted.
    pub(super) fn add(&mut self, accepted: Vec<Accepted>) {
        self.all.extend(
            accepted.into_iter().map(|Accepted { composite, counts, .. }| Candidate { composite, counts }),
        );
    }

    /// The basic relations.
    pub(super) fn basics(&self) -> &[Candidate] {
        &self.all[..self.basics]
    }

    pub(super) fn at(&self, place: usize) -> &Candidate {
        &self.all[place]
    }

    /// One relation for each statement that accepted relations make and basic relations do not, in the order of their layers
    /// and sequences. For each number of layers, the record is told how many sequences say what was said before. At the end of the time relations are no longer
    /// simplified, and more of them count as different.
    ///
    /// # Errors
    /// When the work panics.
    pub(super) fn grouped(
        &self,
        functions: &[Signature],
        jobs: NonZeroUsize,
        until: &Until,
        layers: &mut [LayerRecord],
    ) -> Result<Vec<Saying>, LabError> {
        let groups = self.groups(functions, jobs, until)?;
        for &place in groups.trivial.iter().filter(|&&place| place >= self.basics) {
            self.count(place, layers, |layer| layer.trivial += 1);
        }
        let mut best_of_each = Vec::new();
        for members in groups.groups.iter().map(|group| &group.members) {
            let Some(best) = members.iter().copied().min_by_key(|&place| self.cost(place)) else { continue };
            let fewest = self.layers_of(best);
            for &place in members.iter().filter(|&&place| self.layers_of(place) > fewest) {
                self.count(place, layers, |layer| layer.said_before += 1);
            }
            let is_instance = members.iter().any(|&place| self.is_instance(place, fewest));
            if best >= self.basics && is_instance {
                let shortest = members.iter().filter(|&&place| self.layers_of(place) == fewest);
                shortest.for_each(|&place| self.count(place, layers, |layer| layer.instances += 1));
            } else if best >= self.basics {
                self.count(best, layers, |layer| layer.distinct += 1);
                let sequences = members.iter().filter(|&&place| self.layers_of(place) == fewest).count();
                best_of_each.push((best, sequences));
            }
        }
        best_of_each.sort_unstable();
        let relations = best_of_each.iter().map(|&(place, _)| self.all[place].composite.relation.clone());
        let simple = simplified(relations.collect(), functions, jobs, until)?;
        let sayings = best_of_each.iter().zip(simple);
        let mut sayings: Vec<Saying> =
            sayings.map(|(&(place, sequences), relation)| self.saying(place, sequences, relation)).collect();
        self.name(&mut sayings);
        Ok(sayings)
    }

    /// Whether a candidate is an instance of a basic relation, or of another candidate, that has fewer layers than `layers`.
    /// Two candidates with the same number of layers might be instances of each other, and both would be left out.
    fn is_instance(&self, place: usize, layers: usize) -> bool {
        let of = self.all[place].composite.instance_of.as_ref().filter(|of| of.layers() < layers);
        of.is_some_and(|of| self.all.iter().any(|candidate| candidate.composite.sequence == *of))
    }

    /// The relation of a candidate, simplified: `--p` becomes `p`.
    fn saying(&self, place: usize, sequences: usize, relation: Relation) -> Saying {
        let Candidate { composite, counts } = &self.all[place];
        let saying = Saying { place, relation, sequences, lenient: composite.lenient.clone() };
        match counts.failing {
            0 => saying,
            _ => saying.softened().unwrap_or(saying),
        }
    }

    /// Groups of candidates that say the same. Multiplying out arithmetic finds most of them at once. One relation of each
    /// group is then simplified, which takes a hundred times as long and finds the rest.
    fn groups(&self, functions: &[Signature], jobs: NonZeroUsize, until: &Until) -> Result<Groups, LabError> {
        let composites: Vec<&Composite> = self.all.iter().map(|candidate| &candidate.composite).collect();
        let written: Vec<Relation> = composites.iter().map(|c| c.unguarded.clone()).collect();
        let Groups { groups: rough, mut trivial } = group(&composites, &written);
        let first: Vec<&Composite> = rough.iter().map(|group| composites[group.members[0]]).collect();
        let unguarded = first.iter().map(|c| c.unguarded.clone()).collect();
        let simple = simplified(unguarded, functions, jobs, until)?;
        let fine = group(&first, &simple);
        let joined = |of: &[usize]| {
            let mut members: Vec<usize> = of.iter().flat_map(|&g| rough[g].members.iter().copied()).collect();
            members.sort_unstable();
            members
        };
        trivial.extend(joined(&fine.trivial));
        let changes_nothing = |place: usize| {
            let asked = unchanged(composites[place], functions).filter(|_| until.goes_on());
            asked.is_some_and(|asked| is_tautology(&asked, functions))
        };
        let mut groups = Vec::new();
        for members in fine.groups.iter().map(|group| joined(&group.members)) {
            match members[0] >= self.basics && changes_nothing(members[0]) {
                true => trivial.extend(members),
                false => groups.push(Group { representative: members[0], members }),
            }
        }
        trivial.sort_unstable();
        Ok(Groups { groups, trivial })
    }

    /// Gives relations with the same name different names. This can occur because names of basic relations may contain
    /// `_then_`.
    fn name(&self, sayings: &mut [Saying]) {
        let basics = self.basics().iter().map(|basic| basic.composite.relation.name.text.clone());
        let mut taken: BTreeSet<String> = basics.collect();
        for saying in sayings {
            let name = saying.relation.name.text.clone();
            let numbered = (2..).map(|n| format!("{name}_{n}"));
            let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
            let free = free.unwrap_or(name);
            saying.relation.name = Name::new(free.clone());
            taken.insert(free);
        }
    }

    fn layers_of(&self, place: usize) -> usize {
        self.all[place].composite.sequence.layers()
    }

    /// The order by which the best of a group is chosen: the fewest layers, then relations whose inner calls were not seen to
    /// fail, then the fewest runs and the shortest text.
    fn cost(&self, place: usize) -> (usize, bool, usize, usize, usize) {
        let Candidate { composite, counts } = &self.all[place];
        let length = composite.relation.body.to_string().len();
        (self.layers_of(place), counts.failing > 0, composite.runs, length, place)
    }

    /// Counts a candidate in the record of its layers.
    pub(super) fn count(&self, place: usize, layers: &mut [LayerRecord], add: impl Fn(&mut LayerRecord)) {
        let own = self.layers_of(place) as u64;
        layers.iter_mut().filter(|layer| layer.layers == own).for_each(add);
    }
}

/// The relations, simplified, in their order, on `jobs` threads. At the end of the time the rest stays as it is.
fn simplified(
    relations: Vec<Relation>,
    functions: &[Signature],
    jobs: NonZeroUsize,
    until: &Until,
) -> Result<Vec<Relation>, LabError> {
    let mut all = relations;
    let work = |_: usize, relation: &mut Relation| {
        if until.goes_on() {
            *relation = simplify(relation, functions);
        }
        Ok(())
    };
    pool::each((Worker::Confirmation, jobs.get()), &mut all, work, &mut |_| {})?;
    Ok(all)
}
