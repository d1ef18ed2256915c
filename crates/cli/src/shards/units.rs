//! Divides work whose parts cost about the same into units, which the shards take in turn.

use std::ops::Range;

use dodona_session::{Key, KeyBuilder, ShardNumber};

/// Work that is cut into so many units for each of so many shards. A shard takes a unit from each stretch of the work, so that what costs more in one place than in another costs all of
/// them more, and a shard that was ended goes on with the units that it has not done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    /// How many each shard has.
    pub(crate) each: u32,
    /// How many shards there are.
    pub(crate) shards: u32,
}

impl Units {
    /// Those of one shard, as ranges of the work, which consists of so many items. Units without items are left out.
    pub(crate) fn of(self, shard: ShardNumber, items: u64) -> impl Iterator<Item = Range<u64>> {
        (0..self.each)
            .map(move |turn| turn * self.shards + shard.number() - 1)
            .filter_map(move |unit| self.range(unit, items))
    }

    /// Those of all shards, in the order of the items.
    pub(crate) fn all(self, items: u64) -> impl Iterator<Item = Range<u64>> {
        (0..self.each * self.shards).filter_map(move |unit| self.range(unit, items))
    }

    fn range(self, unit: u32, items: u64) -> Option<Range<u64>> {
        let units = u128::from(self.each) * u128::from(self.shards);
        let cut = |unit: u32| (u128::from(items) * u128::from(unit) / units) as u64;
        let range = cut(unit)..cut(unit + 1);
        (!range.is_empty()).then_some(range)
    }
}

/// The units of the work on one subject, as pieces of a shard.
pub(crate) struct UnitsOf<'a> {
    /// The kind of the pieces: `check`.
    pub(crate) kind: &'a str,
    /// What the items are, in the plural: `source inputs`.
    pub(crate) items: &'a str,
    /// The path of the subject's manifest.
    pub(crate) subject: String,
    pub(crate) subject_name: &'a str,
    /// What all of them depend on. It names the items themselves: the results of a unit are the same in two places only where its items are.
    pub(crate) key: KeyBuilder,
}

impl UnitsOf<'_> {
    /// The key of one of them.
    pub(crate) fn key(&self, unit: &Range<u64>) -> Key {
        self.key.clone().with(unit.start.to_le_bytes()).with(unit.end.to_le_bytes()).key()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_in_one_unit_of_one_shard() {
        for (each, shards, items) in
            [(32, 16, 5000), (32, 16, 3), (1, 1, 7), (4, 3, 0), (32, 100_000, u64::MAX)]
        {
            let units = Units { each, shards };
            let all: Vec<Range<u64>> = units.all(items).collect();
            assert_eq!(all.first().map_or(0, |first| first.start), 0);
            assert_eq!(all.last().map_or(0, |last| last.end), items);
            assert!(all.windows(2).all(|two| two[0].end == two[1].start));
            let mut of_shards: Vec<Range<u64>> =
                ShardNumber::all(shards).flat_map(|shard| units.of(shard, items)).collect();
            of_shards.sort_by_key(|range| range.start);
            assert_eq!(of_shards, all);
        }
    }
}
