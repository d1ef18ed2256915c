//! Which numbers, characters and rows of a source input are tried as linked.

use dodona_target::Value;

use super::cuts::{Cut, cuts};
use super::moves::{Keeps, between};
use super::slots::{Slot, is_same};

/// All choices of three and more are tried among so many numbers; of more, those that are equal, those of one sequence, and
/// all together.
const MOST_FOR_CHOICES: usize = 6;

/// What changes together.
#[derive(Clone, Debug)]
pub(super) enum Link {
    /// Rows that lose elements.
    Cut(Cut),
    /// Slots, by index, that follow one of them.
    Move {
        /// The slot that is made simpler.
        lead: usize,
        /// The other slots.
        followers: Vec<usize>,
        /// What the followers keep.
        keeps: Keeps,
    },
}

/// The links that are tried: shorter rows first, then many numbers together, then each two of them.
pub(super) fn links(values: &[Value], slots: &[Slot]) -> Vec<Link> {
    let cuts = cuts(values, slots).into_iter().map(Link::Cut);
    let groups = groups(slots, values.len());
    cuts.chain(groups.iter().flat_map(|group| together(group))).chain(pairs(slots)).collect()
}

/// The links of a group, led by each of its slots.
fn together(group: &[usize]) -> impl Iterator<Item = Link> {
    let keeps = [Keeps::Rest(1), Keeps::Signs, Keeps::Ratio];
    let of = move |keeps| {
        group.iter().map(move |&lead| {
            let followers = group.iter().copied().filter(|i| *i != lead).collect();
            Link::Move { lead, followers, keeps }
        })
    };
    keeps.into_iter().flat_map(of)
}

/// Choices of three and more slots, the largest first.
fn groups(slots: &[Slot], variables: usize) -> Vec<Vec<usize>> {
    let count = slots.len();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    if count <= MOST_FOR_CHOICES {
        let chosen = |bits: usize| (0..count).filter(|i| bits >> i & 1 == 1).collect::<Vec<_>>();
        groups.extend((0..1usize << count).rev().map(chosen));
    } else {
        let those =
            |is: &dyn Fn(&Slot) -> bool| (0..count).filter(|&i| is(&slots[i])).collect::<Vec<usize>>();
        groups.push(those(&|_| true));
        groups.extend((0..variables).map(|variable| those(&|slot| slot.variable == variable)));
        let equal = slots.iter().enumerate().map(|(i, a)| (i, those(&|b| is_same(a.unit, b.unit))));
        groups.extend(equal.filter(|(i, group)| group[0] == *i).map(|(_, group)| group));
    }
    groups.retain(|group| group.len() > 2);
    groups
}

/// Each two slots, neighbours first, with the links that are possible between them.
fn pairs(slots: &[Slot]) -> impl Iterator<Item = Link> {
    let count = slots.len();
    let pairs = (1..count).flat_map(move |gap| (gap..count).map(move |i| (i - gap, i)));
    pairs.flat_map(|(i, j)| [(i, j), (j, i)]).flat_map(|(lead, follower)| {
        let links = between(slots[lead].unit, slots[follower].unit);
        links.into_iter().map(move |keeps| Link::Move { lead, followers: vec![follower], keeps })
    })
}
