//! Sets of rows as bits: mutants get their ids one after the other, so that a set of them is dense.

/// A set of ids as its least id and a bit for each id from there.
///
/// ```
/// use dodona_session::{from_bits, to_bits};
/// let (first, bits) = to_bits(&[12, 9, 30]);
/// assert_eq!((first, bits.len()), (9, 3));
/// assert_eq!(from_bits(first, &bits), [9, 12, 30]);
/// ```
pub fn to_bits(ids: &[i64]) -> (i64, Vec<u8>) {
    let Some(first) = ids.iter().copied().min() else { return (0, Vec::new()) };
    let last = ids.iter().copied().max().unwrap_or(first);
    let mut bits = vec![0_u8; ((last - first) / 8 + 1) as usize];
    for id in ids {
        let place = id - first;
        bits[(place / 8) as usize] |= 1 << (place % 8);
    }
    (first, bits)
}

/// The ids of a set, in ascending order.
pub fn from_bits(first: i64, bits: &[u8]) -> Vec<i64> {
    let of_byte = |(place, byte): (usize, &u8)| {
        let (place, byte) = (place as i64, *byte);
        (0..8).filter(move |bit| byte & (1 << bit) != 0).map(move |bit| first + place * 8 + bit)
    };
    bits.iter().enumerate().flat_map(of_byte).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_comes_back(ids in proptest::collection::btree_set(1_i64..5000, 0..200)) {
            let (first, bits) = to_bits(&ids.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(from_bits(first, &bits).into_iter().collect::<BTreeSet<_>>(), ids);
        }
    }

    #[test]
    fn no_id_is_no_byte() {
        assert_eq!(to_bits(&[]), (0, Vec::new()));
        assert!(from_bits(0, &[]).is_empty());
    }
}
