//: each
/// Whether a test is true for a value, or for every element of a sequence. True for undefined.
fn each(a: &Value, truth: impl Fn(&Value) -> bool) -> bool {
    match a {
        Undefined => true,
        Bool(_) | Int(_) | Float(_) => truth(a),
        a => items(a).is_some_and(|items| items.iter().all(truth)),
    }
}

//: whole
/// Whether numbers are integers between `low` and `high`.
fn whole(a: &Value, low: i128, high: i128) -> bool {
    each(a, |x| integer(x).is_some_and(|i| low <= i && i <= high))
}

//: is_i8 are_i8 is_i16 are_i16 is_i32 are_i32 is_i64 are_i64 is_u8 are_u8 is_u16 are_u16 is_u32 are_u32 is_u64 are_u64
macro_rules! integer_types {
    ($($is:ident $are:ident $t:ty;)*) => {$(
        /// Whether `a` is a value of the type; true for undefined.
        pub fn $is(a: &Value) -> bool {
            whole(a, <$t>::MIN.into(), <$t>::MAX.into())
        }

        /// Whether `a` is a sequence of the type; true for undefined.
        pub fn $are(a: &Value) -> bool {
            whole(a, <$t>::MIN.into(), <$t>::MAX.into())
        }
    )*};
}
integer_types! {
    is_i8 are_i8 i8;
    is_i16 are_i16 i16;
    is_i32 are_i32 i32;
    is_i64 are_i64 i64;
    is_u8 are_u8 u8;
    is_u16 are_u16 u16;
    is_u32 are_u32 u32;
    is_u64 are_u64 u64;
}

//: is_f64 are_f64 is_bool are_bool is_text
/// Whether `a` is a value of the type; true for every value that reaches this test.
pub fn is_f64(_: &Value) -> bool {
    true
}
pub use is_f64 as are_f64;
pub use is_f64 as is_bool;
pub use is_f64 as are_bool;
pub use is_f64 as is_text;

//: is_f32 are_f32
/// Whether finite floats stay finite in single precision; infinities and NaN pass.
pub fn is_f32(a: &Value) -> bool {
    each(a, |x| number(x).is_some_and(|x| !x.is_finite() || (x as f32).is_finite()))
}
pub use is_f32 as are_f32;

//: Bound order
/// A bound of a range; compared exactly with integers.
#[derive(Clone, Copy)]
pub enum Bound {
    I(i128),
    F(f64),
}

impl Bound {
    fn value(self) -> Value {
        match self {
            Bound::I(i) => Int(i),
            Bound::F(x) => Float(x),
        }
    }
}

/// The order of a number and a bound: exact between integers, otherwise that of floats.
fn order(a: &Value, bound: Bound) -> Option<std::cmp::Ordering> {
    match (a, bound.value()) {
        (Bool(a), Int(b)) => Some(i128::from(*a).cmp(&b)),
        (Int(a), Int(b)) => Some(a.cmp(&b)),
        (a, b) => number(a)?.partial_cmp(&number(&b)?),
    }
}

//: in_ranges
/// Whether each number lies in one of these closed ranges; a range of NaN contains NaN alone.
pub fn in_ranges(a: &Value, ranges: &[(Bound, Bound)]) -> bool {
    let is_nan = |x: &Value| matches!(x, Float(x) if x.is_nan());
    each(a, |x| {
        ranges.iter().any(|(low, high)| {
            let between =
                order(x, *low).is_some_and(|o| o.is_ge()) && order(x, *high).is_some_and(|o| o.is_le());
            between || (is_nan(x) && is_nan(&low.value()))
        })
    })
}

//: is_none_of
/// Whether no number equals any of these bounds.
pub fn is_none_of(a: &Value, except: &[Bound]) -> bool {
    each(a, |x| except.iter().all(|e| order(x, *e) != Some(std::cmp::Ordering::Equal)))
}

//: has_no_nan
pub fn has_no_nan(a: &Value) -> bool {
    each(a, |x| !matches!(x, Float(x) if x.is_nan()))
}

//: has_length
/// Whether the length lies between `least` and `most`.
pub fn has_length(s: &Value, least: usize, most: usize) -> bool {
    items(s).is_none_or(|items| least <= items.len() && items.len() <= most)
}

//: has_alphabet
/// Whether all characters belong to the alphabet.
pub fn has_alphabet(s: &Value, alphabet: &str) -> bool {
    !matches!(s, Text(t) if t.chars().any(|c| !alphabet.contains(c)))
}

//: is_one_of
pub fn is_one_of(s: &Value, texts: &[&str]) -> bool {
    !matches!(s, Text(t) if !texts.contains(&t.as_str()))
}

//: is_sorted
/// Whether no element is smaller than its predecessor.
pub fn is_sorted(s: &Value) -> bool {
    match s {
        Text(t) => t.chars().is_sorted(),
        Bools(v) => v.is_sorted(),
        Ints(v) => v.is_sorted(),
        Floats(v) => v.is_sorted(),
        _ => true,
    }
}

//: is_distinct
/// Whether no two elements are equal.
pub fn is_distinct(s: &Value) -> bool {
    let items = items(s).unwrap_or_default();
    items.iter().enumerate().all(|(i, a)| items[..i].iter().all(|b| !same(a, b)))
}

//: has_no_nul
/// Whether a text has no NUL character, or a sequence no integer 0.
pub fn has_no_nul(s: &Value) -> bool {
    match s {
        Text(t) => !t.contains('\0'),
        Ints(v) => !v.contains(&0),
        _ => true,
    }
}
