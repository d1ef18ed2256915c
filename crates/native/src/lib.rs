//! Rust functions under test where they are: relations are checked by a test of the crate itself.
//!
//! ```
//! fn haversine(a: f64, b: f64, c: f64, d: f64) -> f64 {
//!     let [a, b, c, d] = [a, b, c, d].map(f64::to_radians);
//!     let h = ((c - a) / 2.0).sin().powi(2) + a.cos() * c.cos() * ((d - b) / 2.0).sin().powi(2);
//!     2.0 * 6371.0 * h.sqrt().min(1.0).asin()
//! }
//!
//! dodona_native::function!(haversine(
//!     a: f64 in -90.0..=90.0, b: f64 in -180.0..=180.0, c: f64 in -90.0..=90.0, d: f64 in -180.0..=180.0,
//! ) -> f64)
//! .holds("haversine(c, d, a, b) ~= haversine(a, b, c, d)")
//! .holds("haversine(a, b, a, b) == 0")
//! .check();
//! ```
//!
//! A failed test prints the shrunk counterexample as the command does. Violations are kept in `dodona-regressions/` beside the
//! package's `Cargo.toml` and tried first in the next run. A panic of the function is an outcome: `f(x) traps`.
//!
//! Relations mean what they mean for a manifest. What an `Option` or a `Result` has inside is the value of the call, `f(x) is some` asks whether
//! there is one, and `f(x).err` is the error; a tuple has the parts `f(x).0` and `f(x).1`:
//!
//! ```
//! use std::num::ParseIntError;
//!
//! fn parsed(text: &str) -> Result<i64, ParseIntError> {
//!     text.parse()
//! }
//!
//! dodona_native::function!(parsed(text: &str) -> Result<i64, ParseIntError>)
//!     .with(dodona_native::function!(written(n: i64) -> String = n.to_string()))
//!     .holds("parsed(written(n)) == ok(n)")
//!     .holds("parsed(concat(text, \"x\")) is err")
//!     .check();
//! ```

mod argument;
mod domain;
mod element;
mod function;
mod metamorphic;
mod native_target;
mod panics;
mod read;
mod returned;

pub use argument::Argument;
pub use domain::Within;
pub use element::Element;
pub use function::{NativeFunction, NativeParameter};
pub use metamorphic::Metamorphic;
pub use native_target::NativeTarget;
pub use returned::{Outputs, Returned};

/// What the macros need, and nobody else.
#[doc(hidden)]
pub mod macros {
    pub use crate::function::parameter;
    pub use crate::read::{Read, Shown, ways};
}

/// A function under test, declared as it is written, with the range of a parameter behind `in`: see the [crate].
///
/// Parameters are numbers, `bool`, `char`, `&str`, `String`, slices, vectors and arrays of numbers or Booleans, `NonZero`, `Ordering`, `Duration`, references to
/// these, and `Cow` and boxes of slices and `str`. A `&mut` slice, vector or `String` is an output, too: `f(xs).xs`. Results are these, `()`, and `Option`,
/// `Result` and tuples of results. A value of another type is seen as the text that it shows itself as, by `Display`, else by `Debug`: all of what is returned, what
/// is in an `Option` or a `Result`, and errors; elsewhere write [`shown!`].
///
/// The function may have a path: `function!(text::width(line: &str) -> usize)` is called `width` in relations. What is no call of one path, or has another name in
/// relations, is an expression over the parameters behind `=`:
///
/// ```
/// struct Ratio(u64, u64);
///
/// impl Ratio {
///     fn value(&self) -> Option<u64> {
///         self.0.checked_div(self.1)
///     }
/// }
///
/// dodona_native::function!(ratio(a: u64 in 0..1000, b: u64 in 0..1000) -> Option<u64> = Ratio(a, b).value())
///     .holds("when b > 0: ratio(a * b, b) == some(a)")
///     .holds("ratio(a, 0) == none")
///     .check();
/// ```
#[macro_export]
macro_rules! function {
    ($($path:ident)::+ ( $($parameters:tt)* ) -> $returned:ty = $call:expr) => {
        $crate::function!(@parameters [($($path)::+) ($returned) (= $call)] [] [] ($($parameters)*))
    };
    ($($path:ident)::+ ( $($parameters:tt)* ) = $call:expr) => {
        $crate::function!(@parameters [($($path)::+) (()) (; = $call)] [] [] ($($parameters)*))
    };
    ($($path:ident)::+ ( $($parameters:tt)* ) -> $returned:ty) => {
        $crate::function!(@parameters [($($path)::+) ($returned) ($($path)::+)] [] [] ($($parameters)*))
    };
    ($($path:ident)::+ ( $($parameters:tt)* )) => {
        $crate::function!(@parameters [($($path)::+) (()) (; $($path)::+)] [] [] ($($parameters)*))
    };
    // All parameters are taken.
    (
        @parameters [($($path:ident)::+) ($returned:ty) $call:tt]
        [$(($name:ident ($($ty:tt)+) ($($domain:tt)*)))*] [] ()
    ) => {{
        #[allow(unused_imports, reason = "one of the ways to read what is returned is taken")]
        use $crate::macros::ways::*;
        let parameters = ::std::vec![$($crate::macros::parameter::<$($ty)+>(
            ::core::stringify!($name),
            $crate::function!(@within $($domain)*),
        )),*];
        let name = [$(::core::stringify!($path)),+];
        #[allow(unused_mut, unused_variables, reason = "a function without parameters takes no column")]
        let function = $crate::NativeFunction::new(
            name[name.len() - 1],
            parameters,
            (&&&&&&&&&&&&$crate::macros::Read::<$returned>::new()).shape(),
            |columns, row, outputs| {
                let mut columns = columns.iter();
                let mut held = ($({
                    let column = columns.next().expect("a column for each parameter");
                    <$($ty)+ as $crate::Argument>::hold(column, row)
                },)*);
                {
                    let ($($name,)*) = &mut held;
                    $(let $name = <$($ty)+ as $crate::Argument>::pass($name);)*
                    (&&&&&&&&&&&&$crate::macros::Read::<$returned>::new())
                        .push($crate::function!(@call $call $($name)*), outputs);
                }
                let ($($name,)*) = &held;
                $(<$($ty)+ as $crate::Argument>::after($name, outputs);)*
            },
        );
        $crate::Metamorphic::of(function, ::core::env!("CARGO_MANIFEST_DIR"), ::core::file!())
    }};
    (@call (= $call:expr) $($name:ident)*) => { $call };
    (@call ($($path:ident)::+) $($name:ident)*) => { $($path)::+($($name),*) };
    // Nobody asks for what is returned.
    (@call (; $($call:tt)+) $($name:ident)*) => {{
        let _ = $crate::function!(@call ($($call)+) $($name)*);
    }};
    // The tokens of one type, up to `in`, a comma or the end.
    (@parameters $head:tt [$($done:tt)*] [] ($name:ident : $($rest:tt)*)) => {
        $crate::function!(@parameters $head [$($done)*] [$name :] ($($rest)*))
    };
    (@parameters $head:tt [$($done:tt)*] [$name:ident : $($ty:tt)+] (in $($rest:tt)*)) => {
        $crate::function!(@domain $head [$($done)*] [$name ($($ty)+)] [] ($($rest)*))
    };
    (@parameters $head:tt [$($done:tt)*] [$name:ident : $($ty:tt)+] (, $($rest:tt)*)) => {
        $crate::function!(@parameters $head [$($done)* ($name ($($ty)+) ())] [] ($($rest)*))
    };
    (@parameters $head:tt [$($done:tt)*] [$name:ident : $($ty:tt)+] ()) => {
        $crate::function!(@parameters $head [$($done)* ($name ($($ty)+) ())] [] ())
    };
    (@parameters $head:tt [$($done:tt)*] [$name:ident : $($ty:tt)*] ($next:tt $($rest:tt)*)) => {
        $crate::function!(@parameters $head [$($done)*] [$name : $($ty)* $next] ($($rest)*))
    };
    // The tokens of a domain, up to a comma or the end.
    (@domain $head:tt [$($done:tt)*] [$name:ident $ty:tt] [$($domain:tt)+] (, $($rest:tt)*)) => {
        $crate::function!(@parameters $head [$($done)* ($name $ty ($($domain)+))] [] ($($rest)*))
    };
    (@domain $head:tt [$($done:tt)*] [$name:ident $ty:tt] [$($domain:tt)+] ()) => {
        $crate::function!(@parameters $head [$($done)* ($name $ty ($($domain)+))] [] ())
    };
    (@domain $head:tt [$($done:tt)*] [$name:ident $ty:tt] [$($domain:tt)*] ($next:tt $($rest:tt)*)) => {
        $crate::function!(@domain $head [$($done)*] [$name $ty] [$($domain)* $next] ($($rest)*))
    };
    (@within) => { ::core::option::Option::<::core::ops::RangeFull>::None };
    (@within $($domain:tt)+) => { ::core::option::Option::Some($($domain)+) };
}

/// A value as the text that it shows itself as, by `Display`, else by `Debug`: what a relation sees of a value of another type.
///
/// ```
/// #[derive(Debug)]
/// struct Place(i32, i32);
///
/// assert_eq!(dodona_native::shown!(Place(1, -2)), "Place(1, -2)");
/// assert_eq!(dodona_native::shown!(0.5), "0.5");
/// ```
#[macro_export]
macro_rules! shown {
    ($value:expr) => {{
        #[allow(unused_imports, reason = "one of the ways is taken")]
        use $crate::macros::ways::*;
        (&&$crate::macros::Shown(&$value)).shown()
    }};
}
