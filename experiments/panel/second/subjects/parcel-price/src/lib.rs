//! What sending a parcel costs. Prices are in cents, lengths in millimetres, weights in grams.

/// What a parcel of a class costs to zone 1, and up to which weight.
const CLASSES: [(u32, u32); 5] = [(1_000, 499), (2_000, 649), (5_000, 799), (10_000, 1_049), (31_500, 1_849)];
/// How many millimetres the longest side may have.
const LONGEST: u32 = 1_200;
/// How many millimetres the longest side and the girth around the others may have together.
const LONGEST_AND_GIRTH: u32 = 3_000;
/// How many cubic millimetres count as one gram, of parcels that are large for their weight.
const VOLUME_OF_GRAM: u64 = 5_000;
/// The longest side from which a parcel is bulky, and what that costs.
const BULKY: (u32, u32) = (1_000, 400);

/// What of the zone is paid in percent: 100 for 1, the own country.
fn percent(zone: u8) -> Option<u32> {
    match zone {
        1 => Some(100),
        2 => Some(180),
        3 => Some(260),
        _ => None,
    }
}

/// The price of a parcel with three sides and a weight, to a zone from 1 to 3, with an insurance for a value in cents.
///
/// The weight that counts is that of the parcel or, if it is more, that of its volume. Nothing if the parcel is too large or too heavy,
/// if a side or the weight is 0, or if there is no such zone.
pub fn parcel_price(sides: [u32; 3], weight: u32, zone: u8, value: u32) -> Option<u32> {
    let percent = percent(zone)?;
    let mut sorted = sides;
    sorted.sort_unstable();
    let [least, middle, longest] = sorted;
    if least == 0 || weight == 0 || longest > LONGEST || longest + 2 * (least + middle) > LONGEST_AND_GIRTH {
        return None;
    }
    let volume = sides.iter().map(|&side| u64::from(side)).product::<u64>();
    let counted = u64::from(weight).max(volume.div_ceil(VOLUME_OF_GRAM));
    let (_, class_price) = CLASSES.into_iter().find(|&(limit, _)| counted <= u64::from(limit))?;
    let bulky = if longest > BULKY.0 { BULKY.1 } else { 0 };
    // The first 100.00 are insured with every parcel; each further 100.00, also if it is only begun, costs 0.60.
    let insurance = value.saturating_sub(10_000).div_ceil(10_000) * 60;
    Some((class_price + bulky) * percent / 100 + insurance)
}

#[cfg(test)]
mod tests {
    use super::parcel_price;

    #[test]
    fn weight_or_volume_counts() {
        assert_eq!(parcel_price([300, 200, 100], 900, 1, 0), Some(649));
        assert_eq!(parcel_price([200, 200, 100], 900, 1, 0), Some(499));
        assert_eq!(parcel_price([200, 200, 100], 1_001, 1, 0), Some(649));
    }

    #[test]
    fn zones_bulk_and_insurance_cost_more() {
        assert_eq!(parcel_price([200, 100, 100], 500, 3, 10_000), Some(1_297));
        assert_eq!(parcel_price([100, 1_100, 100], 500, 1, 10_001), Some(799 + 400 + 60));
    }

    #[test]
    fn some_parcels_are_not_sent() {
        assert_eq!(parcel_price([1_201, 10, 10], 500, 1, 0), None);
        assert_eq!(parcel_price([0, 10, 10], 500, 1, 0), None);
        assert_eq!(parcel_price([10, 10, 10], 31_501, 1, 0), None);
        assert_eq!(parcel_price([10, 10, 10], 500, 4, 0), None);
    }
}
