//! Finds, among the mutants that the program has now, those that the entries of the file of accepted mutants describe.

use std::collections::BTreeMap;

use super::{Accepted, Fingerprint};

/// The result of matching the entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// The entry of each mutant that has one, both as indices.
    pub matched: BTreeMap<usize, usize>,
    /// Entries that describe no mutant any more, by index, with the reason.
    pub stale: Vec<(usize, Stale)>,
}

/// Why an entry describes no mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// No mutant of this operator has its source line and shape.
    Gone,
    /// Several mutants have its source line and shape, and none of them has its occurrence number.
    Ambiguous(usize),
    /// Another entry describes the same mutant.
    Repeated,
}

impl std::fmt::Display for Stale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stale::Gone => f.write_str("no mutant changes this line so any more"),
            Stale::Ambiguous(count) => {
                write!(f, "{count} mutants change this line so now, and which is meant cannot be told")
            }
            Stale::Repeated => f.write_str("another entry stands for the same mutant"),
        }
    }
}

/// Finds the mutant that each entry describes.
///
/// An entry describes a mutant of its operator with its source line and shape (without a source line: in its function). If
/// there are several such mutants, it is the one with the same description, otherwise the one with the same occurrence number.
/// If only one is left, its number may differ.
pub fn match_entries(entries: &[Accepted], mutants: &[Fingerprint]) -> Matches {
    if entries.is_empty() {
        return Matches::default();
    }
    let mut alike: BTreeMap<Key<'_>, Vec<usize>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        alike.entry(key(mutant)).or_default().push(index);
    }
    let mut matches = Matches::default();
    for (entry, accepted) in entries.iter().enumerate() {
        let candidates = alike.get(&key(&accepted.fingerprint)).map_or(&[][..], Vec::as_slice);
        match choose(&accepted.fingerprint, candidates, mutants) {
            Err(stale) => matches.stale.push((entry, stale)),
            Ok(mutant) if matches.matched.contains_key(&mutant) => {
                matches.stale.push((entry, Stale::Repeated));
            }
            Ok(mutant) => {
                matches.matched.insert(mutant, entry);
            }
        }
    }
    matches
}

type Key<'a> = (&'a str, Result<&'a str, &'a str>, u64);

fn key(fingerprint: &Fingerprint) -> Key<'_> {
    let line = fingerprint.source_line.as_deref().ok_or(fingerprint.function.as_str());
    (&fingerprint.operator, line, fingerprint.shape)
}

fn choose(wanted: &Fingerprint, candidates: &[usize], mutants: &[Fingerprint]) -> Result<usize, Stale> {
    let same: Vec<usize> =
        candidates.iter().copied().filter(|&m| mutants[m].change == wanted.change).collect();
    let left = if same.is_empty() { candidates } else { &same };
    let numbered = left.iter().find(|&&m| mutants[m].occurrence == wanted.occurrence);
    match (left, numbered) {
        ([], _) => Err(Stale::Gone),
        ([only], _) => Ok(*only),
        (_, Some(numbered)) => Ok(*numbered),
        _ => Err(Stale::Ambiguous(left.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(line: Option<&str>, shape: u64, after: &str, occurrence: u32) -> Fingerprint {
        Fingerprint {
            operator: "ROR".into(),
            function: "f".into(),
            change: ("a < b".into(), after.into()),
            source_line: line.map(str::to_owned),
            shape,
            occurrence,
        }
    }

    fn entry(fingerprint: &Fingerprint) -> Accepted {
        Accepted { fingerprint: fingerprint.clone(), reason: "same".into(), line: None }
    }

    fn one(entry_of: &Fingerprint, mutants: &[Fingerprint]) -> Result<usize, Stale> {
        let matches = match_entries(&[entry(entry_of)], mutants);
        match matches.stale.first() {
            Some((_, stale)) => Err(*stale),
            None => Ok(*matches.matched.keys().next().expect("matched or stale")),
        }
    }

    #[test]
    fn an_entry_finds_its_mutant_wherever_it_moved() {
        let wanted = mutant(Some("if (a < b)"), 7, "a <= b", 0);
        let others =
            [mutant(Some("x"), 7, "a <= b", 0), mutant(Some("if (a < b)"), 8, "a <= b", 0), wanted.clone()];
        assert_eq!(one(&wanted, &others), Ok(2));
        // The function was renamed, or its code is inlined elsewhere now.
        let renamed = Fingerprint { function: "g".into(), ..wanted.clone() };
        assert_eq!(one(&wanted, &[renamed]), Ok(0));
    }

    #[test]
    fn an_edited_line_operator_or_shape_makes_it_stale() {
        let wanted = mutant(Some("if (a < b)"), 7, "a <= b", 0);
        let operator = Fingerprint { operator: "COI".into(), ..wanted.clone() };
        for other in
            [mutant(Some("if (a < c)"), 7, "a <= b", 0), mutant(Some("if (a < b)"), 8, "a <= b", 0), operator]
        {
            assert_eq!(one(&wanted, &[other]), Err(Stale::Gone));
        }
    }

    #[test]
    fn occurrences_tell_equal_ones_apart_and_may_move_for_a_single_one() {
        let at = |occurrence| mutant(Some("x"), 7, "a <= b", occurrence);
        assert_eq!(one(&at(1), &[at(0), at(1), at(2)]), Ok(1));
        assert_eq!(one(&at(1), &[at(0)]), Ok(0));
        assert_eq!(one(&at(2), &[at(0), at(1)]), Err(Stale::Ambiguous(2)));
    }

    #[test]
    fn of_equal_shapes_the_one_that_reads_the_same_is_meant() {
        let mutants = [mutant(Some("x"), 7, "a <= b", 0), mutant(Some("x"), 7, "a == b", 1)];
        assert_eq!(one(&mutant(Some("x"), 7, "a == b", 0), &mutants), Ok(1));
    }

    #[test]
    fn without_a_line_the_function_counts() {
        let wanted = mutant(None, 7, "a <= b", 0);
        let elsewhere = Fingerprint { function: "g".into(), ..wanted.clone() };
        assert_eq!(one(&wanted, std::slice::from_ref(&elsewhere)), Err(Stale::Gone));
        assert_eq!(one(&wanted, &[elsewhere, wanted.clone()]), Ok(1));
    }

    #[test]
    fn two_entries_never_share_a_mutant() {
        let wanted = mutant(Some("x"), 7, "a <= b", 0);
        let matches = match_entries(&[entry(&wanted), entry(&wanted)], &[wanted]);
        assert_eq!(matches.matched, BTreeMap::from([(0, 0)]));
        assert_eq!(matches.stale, [(1, Stale::Repeated)]);
    }
}
