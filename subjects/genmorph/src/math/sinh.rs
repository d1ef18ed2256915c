//! `FastMath.sinh(double)`.

/// The hyperbolic sine of `x`.
pub fn sinh(x: f64) -> f64 {
    libm::sinh(x)
}
