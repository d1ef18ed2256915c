//! Times with a unit, as people write them.

use std::time::Duration;

/// The longest time: what a clock can wait for.
const LONGEST: f64 = 1e9;

/// Reads `90`, `90s`, `1.5m` or `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is no time: write seconds, or 90s, 2m, 1h")),
    };
    match digits.parse::<f64>() {
        Ok(number) if number > 0.0 && number * unit <= LONGEST => Ok(Duration::from_secs_f64(number * unit)),
        _ => Err(format!("`{text}` is no time above 0: write seconds, or 90s, 2m, 1h")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_or_is_in_seconds() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("90"), Ok(90.0));
        assert_eq!([seconds("90s"), seconds("1.5m"), seconds("1h")], [Ok(90.0), Ok(90.0), Ok(3600.0)]);
        for text in ["", "0", "-1", "m", "2d", "nan", "inf", "1e30", "1e10m"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
