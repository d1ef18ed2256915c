//! The one NaN: a NaN that goes into a call has the same bits, whatever made it and on every host.
//!
//! The relation language does not see the bits of a NaN; only a function under test could see them. So arguments of calls get the
//! canonical NaN, at one place in each engine: `crates/wasm/src/execute/records.rs` and `crates/wasm/src/execute/lower.rs` in runs,
//! `crates/symbolic/src/relation/nan.rs` in proofs, and the preludes of emitted tests. No other code that computes, moves or promotes
//! floats has to agree on the bits of NaNs, on any host, and the evaluation of columns costs nothing more. The price: if a relation
//! passes a NaN from one function to another, its bits are lost.

/// The bits of a float as an argument of type `f64`; of any NaN the canonical ones, `0x7ff8_0000_0000_0000`.
///
/// ```
/// use dodona_target::double_bits;
/// assert_eq!(double_bits(-0.0), 1 << 63);
/// assert_eq!(double_bits(-f64::NAN), 0x7ff8_0000_0000_0000);
/// ```
#[inline]
pub fn double_bits(x: f64) -> u64 {
    if x.is_nan() { 0x7ff8_0000_0000_0000 } else { x.to_bits() }
}

/// The bits of a float as an argument of type `f32`, rounded to nearest; of any NaN the canonical ones, `0x7fc0_0000`.
///
/// ```
/// use dodona_target::single_bits;
/// assert_eq!(single_bits(0.1), 0.1f32.to_bits());
/// assert_eq!(single_bits(-f64::NAN), 0x7fc0_0000);
/// ```
#[inline]
pub fn single_bits(x: f64) -> u32 {
    if x.is_nan() { 0x7fc0_0000 } else { (x as f32).to_bits() }
}
