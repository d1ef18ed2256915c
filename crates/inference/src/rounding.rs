//! What rounding may change in recorded numbers, of which nobody knows how they were computed.
//!
//! `~=` of the relation language asks the functions themselves how much of a difference rounding explains. A search that reads columns
//! of recorded executions cannot, and must not lose a relation because some of its numbers are almost 0. So it permits a small share of the
//! largest number of the columns; the filter tests what the search finds with the meaning that the language gives it.

/// The share. Numbers that cancel each other to almost 0 keep four of sixteen digits of the largest; a larger share lets a search
/// take small numbers for 0.
const SHARE: f64 = 1e-12;

/// The change that rounding may make to numbers like these, which are of correct executions: mutants return numbers of any size.
pub(crate) fn rounding<'x>(numbers: impl IntoIterator<Item = &'x f64>) -> f64 {
    let finite = |x: &f64| if x.abs() < f64::INFINITY { x.abs() } else { 0.0 };
    SHARE * numbers.into_iter().map(finite).fold(0.0, |most: f64, x| if x > most { x } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_have_a_small_change() {
        assert_eq!(rounding(&[1.0, -4.0, f64::INFINITY, f64::NAN]), 4e-12);
        assert!(rounding(&[1e-19, 2e-19]) < 1e-30);
        assert_eq!(rounding(&[]), 0.0);
    }
}
