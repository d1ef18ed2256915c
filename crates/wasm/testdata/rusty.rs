//! cargo build --release --target wasm32-unknown-unknown
//! (edition 2024, crate-type cdylib, libm 0.2, panic = "abort", strip = "debuginfo")

/// Only its frame.
#[unsafe(no_mangle)]
pub extern "C" fn sine(x: f64) -> f64 {
    libm::sin(x)
}

/// A bounds check and a division that panic.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn picked(xs: *const i32, n: usize, index: usize) -> i32 {
    let xs = unsafe { std::slice::from_raw_parts(xs, n) };
    xs[index] / xs[0]
}

#[repr(C)]
pub struct Slice {
    data: *const i32,
    length: usize,
}

/// A result in memory of the allocator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn doubled(xs: *const i32, n: usize) -> Slice {
    let xs = unsafe { std::slice::from_raw_parts(xs, n) };
    let out: Vec<i32> = xs.iter().flat_map(|x| [*x, *x]).collect();
    let out = out.leak();
    Slice { data: out.as_ptr(), length: out.len() }
}

/// Writes only to its argument.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sort(xs: *mut i32, n: usize) {
    unsafe { std::slice::from_raw_parts_mut(xs, n) }.sort_unstable();
}
