//! Relations of functions of this package.

use embedding::{NoTime, Time, haversine, middle};

#[test]
fn metamorphic() {
    dodona::function!(haversine(
        a: f64 in -90.0..=90.0, b: f64 in -180.0..=180.0, c: f64 in -90.0..=90.0, d: f64 in -180.0..=180.0,
    ) -> f64)
    .holds("haversine(c, d, a, b) ~= haversine(a, b, c, d)")
    .holds("haversine(a, b, a, b) == 0")
    .check();
}

#[test]
#[should_panic(expected = "VIOLATED")]
fn a_fault_is_caught() {
    dodona::function!(middle(a: i32, b: i32) -> i32)
        .holds("middle(-a, -b) == -middle(a, b)")
        .sources(100_000)
        .keep_nothing()
        .check();
}

#[test]
fn values_of_other_types_are_seen_as_text() {
    dodona::function!(shown(minutes: u16 in 0..=2000) -> Option<Time> = Time::new(minutes))
        .with(dodona::function!(Time::parse(text: &str) -> Result<Time, NoTime>))
        .holds("shown(minutes) is some iff minutes < 1440")
        .holds("when shown(minutes) is some: parse(shown(minutes)) == ok(shown(minutes))")
        .holds("parse(concat(text, \":60\")) is err")
        .holds("parse(\"24:00\") == err(\"Range\") and len(text) >= 0")
        .check();
}
