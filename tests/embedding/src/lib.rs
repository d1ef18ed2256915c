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
