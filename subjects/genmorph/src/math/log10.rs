//! `FastMath.log10(double)`.

/// The logarithm of `x` to the base 10; negative infinity for 0, NaN below.
pub fn log10(x: f64) -> f64 {
    libm::log10(x)
}
