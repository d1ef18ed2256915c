//! The functions as WebAssembly exports. Sequences and text come as a pointer and a length;
//! text goes back as a struct of both, which the C calling convention of WebAssembly writes
//! through a pointer passed before the arguments.
//!
//! The exports carry a prefix: plain names such as `sin` and `pow` belong to the C library,
//! which calls them by those names.

use crate::{guava, lang, math};

/// Text that was returned: `length` bytes of UTF-8 at `data`. It is never freed.
#[repr(C)]
pub struct Text {
    data: *const u8,
    length: usize,
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        let text: &'static str = text.leak();
        Text { data: text.as_ptr(), length: text.len() }
    }
}

/// # Safety
/// `length` elements lie at `data`; nothing is read where `length` is 0.
unsafe fn items<'a, T>(data: *const T, length: usize) -> &'a [T] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(data, length) }
}

/// # Safety
/// As [`items`].
unsafe fn text<'a>(data: *const u8, length: usize) -> &'a str {
    // SAFETY: the caller's promise.
    std::str::from_utf8(unsafe { items(data, length) }).expect("text is UTF-8")
}

macro_rules! by_value {
    ($($export:ident: $module:ident::$name:ident($($p:ident: $t:ty),*) -> $r:ty;)*) => {$(
        #[doc = concat!("[`", stringify!($module), "::", stringify!($name), "`]")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $export($($p: $t),*) -> $r {
            $module::$name($($p),*)
        }
    )*};
}

by_value! {
    genmorph_next_prime: math::next_prime(n: i32) -> i32;
    genmorph_is_prime: math::is_prime(n: i32) -> bool;
    genmorph_gcd: math::gcd(p: i32, q: i32) -> i32;
    genmorph_pow: math::pow(k: i32, e: i32) -> i32;
    genmorph_stirling: math::stirling(n: i32, k: i32) -> i64;
    genmorph_acos: math::acos(x: f64) -> f64;
    genmorph_log10: math::log10(x: f64) -> f64;
    genmorph_sin: math::sin(x: f64) -> f64;
    genmorph_sinh: math::sinh(x: f64) -> f64;
    genmorph_tan: math::tan(x: f64) -> f64;
}

macro_rules! by_pointer {
    ($($export:ident: $module:ident::$name:ident($($d:ident, $l:ident: $read:ident::<$t:ty>),*; $($p:ident),*) -> $r:ty;)*) => {$(
        #[doc = concat!("[`", stringify!($module), "::", stringify!($name), "`]")]
        ///
        /// # Safety
        /// Each pointer is followed by the number of elements there (bytes of UTF-8 for text).
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $export($($d: *const $t, $l: usize,)* $($p: i32),*) -> $r {
            // SAFETY: the caller's promise.
            unsafe { $module::$name($($read($d, $l),)* $($p),*) }.into()
        }
    )*};
}

by_pointer! {
    genmorph_abbreviate: lang::abbreviate(str, str_length: text::<u8>, marker, marker_length: text::<u8>; offset, max_width) -> Text;
    genmorph_capitalize: lang::capitalize(str, str_length: text::<u8>;) -> Text;
    genmorph_difference: lang::difference(str1, str1_length: text::<u8>, str2, str2_length: text::<u8>;) -> Text;
    genmorph_is_sorted: lang::is_sorted(array, array_length: items::<i32>;) -> bool;
    genmorph_index_of: guava::index_of(array, array_length: items::<bool>, target, target_length: items::<bool>;) -> i32;
    genmorph_join: guava::join(separator, separator_length: text::<u8>, array, array_length: items::<bool>;) -> Text;
    genmorph_mean_of: guava::mean_of(values, values_length: items::<i32>;) -> f64;
    genmorph_min: guava::min(array, array_length: items::<i32>;) -> i32;
    genmorph_repeat: guava::repeat(string, string_length: text::<u8>; count) -> Text;
}

/// [`lang::center`]
///
/// # Safety
/// Each pointer is followed by the number of bytes of UTF-8 there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn genmorph_center(
    str: *const u8,
    str_length: usize,
    size: i32,
    pad: *const u8,
    pad_length: usize,
) -> Text {
    // SAFETY: the caller's promise.
    unsafe { lang::center(text(str, str_length), size, text(pad, pad_length)) }.into()
}

/// [`guava::pad_start`]
///
/// # Safety
/// Each pointer is followed by the number of bytes of UTF-8 there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn genmorph_pad_start(
    string: *const u8,
    string_length: usize,
    min_length: i32,
    pad: *const u8,
    pad_length: usize,
) -> Text {
    // SAFETY: the caller's promise.
    unsafe { guava::pad_start(text(string, string_length), min_length, text(pad, pad_length)) }.into()
}

/// [`guava::truncate`]
///
/// # Safety
/// Each pointer is followed by the number of bytes of UTF-8 there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn genmorph_truncate(
    seq: *const u8,
    seq_length: usize,
    max_length: i32,
    indicator: *const u8,
    indicator_length: usize,
) -> Text {
    // SAFETY: the caller's promise.
    unsafe { guava::truncate(text(seq, seq_length), max_length, text(indicator, indicator_length)) }.into()
}

/// [`guava::sort`]
///
/// # Safety
/// `array_length` bytes lie at `array`, and nothing else refers to them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn genmorph_sort(array: *mut u8, array_length: usize, from_index: i32, to_index: i32) {
    if array_length == 0 {
        return guava::sort(&mut [], from_index, to_index);
    }
    // SAFETY: the caller's promise.
    guava::sort(unsafe { std::slice::from_raw_parts_mut(array, array_length) }, from_index, to_index);
}
