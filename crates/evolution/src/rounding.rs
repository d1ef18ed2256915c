//! What rounding may change in recorded numbers, of which nobody knows how they were computed.
//!
//! `~=` of the relation language asks the functions themselves how much of a difference rounding explains. A search that reads columns
//! of recorded executions cannot, and must not lose a relation because some of its numbers are almost 0. So it permits a small share of the
//! usual size of the numbers of the columns; the filter tests what the search finds with the meaning that the language gives it.

/// The share. Sums of numbers of the usual size keep four of sixteen digits where they cancel each other; a larger share lets a search
/// take small numbers for 0.
const SHARE: f64 = 1e-12;

/// The change that rounding may make to numbers like these. Their usual size is their geometric mean, as far as their exponents tell it: some
/// mutants return numbers of any size, and these must not make the others count as equal.
pub(crate) fn rounding<'x>(numbers: impl IntoIterator<Item = &'x f64>) -> f64 {
    let (mut sum, mut count) = (0_i64, 0_i64);
    for x in numbers {
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as i64;
        // Neither zeros and subnormal numbers, nor infinities and NaN.
        let is_sized = exponent != 0 && exponent != 0x7ff;
        sum += if is_sized { exponent - 1023 } else { 0 };
        count += i64::from(is_sized);
    }
    if count == 0 { 0.0 } else { SHARE * 2_f64.powi((sum / count) as i32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_have_a_small_change() {
        assert_eq!(rounding(&[1.0, -4.0, f64::INFINITY, f64::NAN, 0.0]), 2e-12);
        assert!(rounding(&[1e-19, 2e-19]) < 1e-30);
        assert_eq!(rounding(&[]), 0.0);
    }

    #[test]
    fn one_huge_number_among_many_changes_little() {
        let mut numbers = vec![1.0; 1000];
        numbers.push(1e300);
        assert_eq!(rounding(&numbers), 1e-12);
    }
}
