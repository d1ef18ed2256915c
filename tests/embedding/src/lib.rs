//! Code under test: what a crate of anybody's may have.

/// The distance between two places on the Earth in kilometres, by the haversine formula.
pub fn haversine(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(f64::to_radians);
    let h = ((c - a) / 2.0).sin().powi(2) + a.cos() * c.cos() * ((d - b) / 2.0).sin().powi(2);
    2.0 * 6371.0 * h.sqrt().min(1.0).asin()
}

/// The number in the middle, with a fault: the sum wraps.
pub fn middle(a: i32, b: i32) -> i32 {
    a.wrapping_add(b) / 2
}

/// What is wrong with a text that is no time of a day.
#[derive(Debug, PartialEq, Eq)]
pub enum NoTime {
    /// It is not `HH:MM`.
    Form,
    /// The day has no such time.
    Range,
}

/// A time of a day, in minutes since midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(u16);

impl Time {
    /// So many minutes after midnight, if the day has them.
    pub fn new(minutes: u16) -> Option<Time> {
        (minutes < 24 * 60).then_some(Time(minutes))
    }

    /// The time that a text says: `07:05`.
    ///
    /// # Errors
    /// When it says none.
    pub fn parse(text: &str) -> Result<Time, NoTime> {
        let (hours, minutes) = text.split_once(':').ok_or(NoTime::Form)?;
        let number = |text: &str| text.parse::<u16>().map_err(|_| NoTime::Form);
        let (hours, minutes) = (number(hours)?, number(minutes)?);
        if hours < 24 && minutes < 60 { Ok(Time(60 * hours + minutes)) } else { Err(NoTime::Range) }
    }
}

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}
