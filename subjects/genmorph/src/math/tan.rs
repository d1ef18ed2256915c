//! `FastMath.tan(double)`.

/// The tangent of `x`, an angle in radians.
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}
