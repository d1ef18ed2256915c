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

mod argument;
mod domain;
mod function;
mod metamorphic;
mod native_target;
mod panics;
mod returned;

pub use argument::Argument;
pub use domain::Within;
pub use function::NativeFunction;
pub use metamorphic::Metamorphic;
pub use native_target::NativeTarget;
pub use returned::Returned;

/// What the macro needs, and nobody else.
#[doc(hidden)]
pub mod macros {
    pub use dodona_target::Column;

    pub use crate::function::{parameter, rows};
}

/// A function under test, declared as it is written, with the range of a parameter behind `in`: see the [crate].
///
/// Parameters are numbers, `bool`, `&str`, `String`, and slices or vectors of numbers or Booleans. Results are these and `()`, and an `Option` or
/// `Result` of one, whose `None` and `Err` are calls that do not return. The function may have a path: `function!(text::width(line: &str) ->
/// usize)` is called `width` in relations.
#[macro_export]
macro_rules! function {
    ($($path:ident)::+ ( $($parameters:tt)* ) -> $returned:ty) => {
        $crate::function!(@parameters [($($path)::+) ($returned)] [] [] ($($parameters)*))
    };
    ($($path:ident)::+ ( $($parameters:tt)* )) => {
        $crate::function!(@parameters [($($path)::+) (())] [] [] ($($parameters)*))
    };
    // All parameters are taken.
    (@parameters [($($path:ident)::+) ($returned:ty)] [$(($name:ident ($($ty:tt)+) ($($domain:tt)*)))*] [] ()) => {{
        let parameters = ::std::vec![$($crate::macros::parameter::<$($ty)+>(
            ::core::stringify!($name),
            $crate::function!(@within $($domain)*),
        )),*];
        let name = [$(::core::stringify!($path)),+];
        #[allow(unused_mut, unused_variables, reason = "a function without parameters takes no column")]
        let rows = $crate::macros::rows::<$returned>(|columns, row, output| {
            let mut columns = columns.iter();
            $(
                let column = columns.next().expect("a column for each parameter");
                let mut $name = <$($ty)+ as $crate::Argument>::hold(column, row);
            )*
            $crate::Returned::push($($path)::+($(<$($ty)+ as $crate::Argument>::pass(&mut $name)),*), output)
        });
        $crate::Metamorphic::of(
            $crate::NativeFunction::new(name[name.len() - 1], parameters, rows),
            ::core::env!("CARGO_MANIFEST_DIR"),
            ::core::file!(),
        )
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
