//! What of a long list stands on the first screen: the relations that say the most, and in a line how many more there are.

use std::collections::BTreeSet;

use dodona_records::MutantId;

/// With a sentence each, no more relations fit into 25 lines; fewer are shown where there are more lines around them.
pub(crate) const MOST_SHOWN: usize = 10;

/// Which relations are shown, by their places: one after the other the one that catches the most mutants that none before it catches, and then the first of those
/// that add none.
pub(crate) fn shown(catches: &[&[MutantId]], most: usize) -> BTreeSet<usize> {
    let mut chosen = BTreeSet::new();
    let mut caught: BTreeSet<MutantId> = BTreeSet::new();
    while chosen.len() < most.min(catches.len()) {
        let added = |place: &usize| catches[*place].iter().filter(|mutant| !caught.contains(mutant)).count();
        let left = (0..catches.len()).filter(|place| !chosen.contains(place));
        // Of several that add as much, the first.
        let Some(next) = left.rev().max_by_key(added) else { break };
        caught.extend(catches[next]);
        chosen.insert(next);
    }
    chosen
}

/// `and 6 more in the file, which catch 17 further mutants`; nothing where all are shown.
pub(crate) fn others(catches: &[&[MutantId]], shown: &BTreeSet<usize>) -> Option<String> {
    let of = |is_shown: bool| {
        let wanted = catches.iter().enumerate().filter(|(place, _)| shown.contains(place) == is_shown);
        wanted.flat_map(|(_, caught)| caught.iter().copied()).collect::<BTreeSet<MutantId>>()
    };
    let further = of(false).difference(&of(true)).count();
    match catches.len() - shown.len() {
        0 => None,
        more if further == 0 => Some(format!("and {more} more in the file (--explain)")),
        more => {
            let verb = if more == 1 { "catches" } else { "catch" };
            let mutants = crate::text::counted(further as u64, "further mutant");
            Some(format!("and {more} more in the file, which {verb} {mutants} (--explain)"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(numbers: &[u32]) -> Vec<MutantId> {
        numbers.iter().map(|&number| MutantId(number)).collect()
    }

    #[test]
    fn those_that_add_the_most_are_shown_and_then_the_first() {
        let all = [ids(&[1]), ids(&[1, 2]), ids(&[]), ids(&[3, 4, 5]), ids(&[2, 3])];
        let all: Vec<&[MutantId]> = all.iter().map(Vec::as_slice).collect();
        assert_eq!(shown(&all, 1), [3].into());
        assert_eq!(shown(&all, 2), [1, 3].into());
        assert_eq!(shown(&all, 3), [0, 1, 3].into());
        assert_eq!(shown(&all, 9), [0, 1, 2, 3, 4].into());
        assert_eq!(
            others(&all, &[3].into()),
            Some("and 4 more in the file, which catch 2 further mutants (--explain)".to_owned())
        );
        assert_eq!(others(&all, &[1, 3].into()), Some("and 3 more in the file (--explain)".to_owned()));
        assert_eq!(others(&all, &[0, 1, 2, 3, 4].into()), None);
    }
}
