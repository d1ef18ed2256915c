//! `FastMath.acos(double)`.

/// The arc cosine of `x`, an angle in radians from 0 to pi; NaN outside -1 to 1.
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}
