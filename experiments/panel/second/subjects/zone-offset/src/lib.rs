//! Central European Time, by the rules that hold in the European Union since 1996.

/// How many seconds an hour and a day have.
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// The number of days from 1 January 1970 to a date of the Gregorian calendar.
fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the day that may be missing is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// The year that a day lies in, which is given by its distance from 1 January 1970.
fn year_of(days: i64) -> i64 {
    // A guess that is wrong by one at most: 400 years have 146097 days.
    let guess = 1970 + (days * 400).div_euclid(146_097);
    if days < days_from_epoch(guess, 1, 1) {
        guess - 1
    } else if days >= days_from_epoch(guess + 1, 1, 1) {
        guess + 1
    } else {
        guess
    }
}

/// When the last Sunday of a month with 31 days begins, in seconds from the epoch, by UTC.
fn last_sunday(year: i64, month: i64) -> i64 {
    let last = days_from_epoch(year, month, 31);
    // 1 January 1970 was a Thursday, the fourth day after a Sunday.
    (last - (last + 4).rem_euclid(7)) * DAY
}

/// How many seconds the clocks are ahead of UTC, at a time in seconds from 1 January 1970 by UTC.
///
/// Summer time begins on the last Sunday of March, and ends on the last Sunday of October, both at 1:00 UTC.
pub fn offset_at(time: i64) -> i32 {
    let year = year_of(time.div_euclid(DAY));
    let summer = last_sunday(year, 3) + HOUR..last_sunday(year, 10) + HOUR;
    if summer.contains(&time) { 7_200 } else { 3_600 }
}

#[cfg(test)]
mod tests {
    use super::{days_from_epoch, offset_at, year_of};

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(days_from_epoch(1970, 1, 1), 0);
        assert_eq!(days_from_epoch(2000, 3, 1), 11_017);
        for year in 1990..2500 {
            assert_eq!(year_of(days_from_epoch(year, 1, 1)), year);
            assert_eq!(year_of(days_from_epoch(year, 12, 31)), year);
        }
    }

    #[test]
    fn clocks_change_at_one_o_clock() {
        // 31 March 2024 and 27 October 2024, 1:00 UTC.
        assert_eq!(offset_at(1_711_846_799), 3_600);
        assert_eq!(offset_at(1_711_846_800), 7_200);
        assert_eq!(offset_at(1_729_990_799), 7_200);
        assert_eq!(offset_at(1_729_990_800), 3_600);
    }
}
