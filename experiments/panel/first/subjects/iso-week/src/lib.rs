//! The week of a date by ISO 8601.

/// Whether a year of the Gregorian calendar has 366 days.
fn is_leap_year(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The number of days of a month, or 0 if there is no such month.
fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap_year(year) => 29,
        2 => 28,
        _ => 0,
    }
}

/// The number of a day within its year, from 1.
fn day_of_year(year: i32, month: u32, day: u32) -> i32 {
    let before: u32 = (1..month).map(|earlier| days_in_month(year, earlier)).sum();
    (before + day) as i32
}

/// The day of the week of 1 January, from 1 (Monday) to 7 (Sunday).
fn first_weekday(year: i32) -> i32 {
    let past = year - 1;
    let days = 365 * past + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400);
    // 1 January of the year 1 was a Monday.
    days.rem_euclid(7) + 1
}

/// The number of weeks of a year: 53 if it begins with a Thursday, or is a leap year that begins with a Wednesday, else 52.
fn weeks_in_year(year: i32) -> u32 {
    let first = first_weekday(year);
    if first == 4 || (first == 3 && is_leap_year(year)) {
        53
    } else {
        52
    }
}

/// The week of a date of the Gregorian calendar as ISO 8601 counts it: the year that the week belongs to, and the number of the
/// week in it, from 1 to 53.
///
/// A week begins with Monday and belongs to the year in which its Thursday is. The result is `None` if there is no such date.
pub fn iso_week(year: i32, month: u32, day: u32) -> Option<(i32, u32)> {
    if day == 0 || day > days_in_month(year, month) {
        return None;
    }
    let ordinal = day_of_year(year, month, day);
    let weekday = (first_weekday(year) - 1 + ordinal - 1) % 7 + 1;
    let week = (ordinal - weekday + 10) / 7;
    if week < 1 {
        Some((year - 1, weeks_in_year(year - 1)))
    } else if week as u32 > weeks_in_year(year) {
        Some((year + 1, 1))
    } else {
        Some((year, week as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::iso_week;

    #[test]
    fn weeks_at_the_turn_of_the_year_belong_to_the_year_of_their_thursday() {
        assert_eq!(iso_week(2021, 1, 1), Some((2020, 53)));
        assert_eq!(iso_week(2024, 12, 31), Some((2025, 1)));
        assert_eq!(iso_week(2018, 1, 1), Some((2018, 1)));
        assert_eq!(iso_week(2012, 1, 1), Some((2011, 52)));
    }

    #[test]
    fn a_date_that_does_not_exist_has_no_week() {
        assert_eq!(iso_week(2023, 2, 29), None);
        assert_eq!(iso_week(2023, 13, 1), None);
    }
}
