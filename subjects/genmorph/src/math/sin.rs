//! `FastMath.sin(double)`.

/// The sine of `x`, an angle in radians.
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}
