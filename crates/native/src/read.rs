//! How the macro reads what a call returns, whose type it knows: as it is, or as the text that values of the type show themselves as.

use std::fmt::{Debug, Display};
use std::marker::PhantomData;

use dodona_target::Shape;

use crate::returned::{Outputs, Returned};

/// Stands for a type that a function returns.
///
/// The type is read in the first of the ways below that it allows. The compiler adds references one at a time in its search for a method, so the way
/// is that of the trait for the most references whose bounds the type meets.
pub struct Read<R>(PhantomData<fn() -> R>);

impl<R> Read<R> {
    /// The type itself.
    #[allow(clippy::new_without_default, reason = "for the macro alone")]
    pub fn new() -> Read<R> {
        Read(PhantomData)
    }
}

macro_rules! ways {
    ($($name:ident ($($reference:tt)*) [$($generics:tt)*] $ty:ty => $as:ty, $convert:expr;)*) => {$(
        /// One of the ways.
        pub trait $name<R> {
            /// How a value is made of plain values.
            fn shape(&self) -> Shape;

            /// Adds a value to its outputs.
            fn push(&self, value: R, outputs: &mut Outputs<'_>);
        }

        impl<$($generics)*> $name<$ty> for $($reference)* Read<$ty> {
            fn shape(&self) -> Shape {
                <$as as Returned>::shape()
            }

            fn push(&self, value: $ty, outputs: &mut Outputs<'_>) {
                let convert: fn($ty) -> $as = $convert;
                <$as as Returned>::push(Some(convert(value)), outputs);
            }
        }
    )*};
}

ways! {
    AsItIs (&&&&&&&&&&&) [R: Returned] R => R, |value| value;
    ErrorDisplayed (&&&&&&&&&&) [T: Returned, E: Display] Result<T, E> => Result<T, String>, |value| value.map_err(displayed);
    ErrorDebugged (&&&&&&&&&) [T: Returned, E: Debug] Result<T, E> => Result<T, String>, |value| value.map_err(debugged);
    BothDisplayed (&&&&&&&&) [T: Display, E: Display] Result<T, E> => Result<String, String>, |value| value.map(displayed).map_err(displayed);
    ValueDisplayed (&&&&&&&) [T: Display, E: Debug] Result<T, E> => Result<String, String>, |value| value.map(displayed).map_err(debugged);
    ValueDebugged (&&&&&&) [T: Debug, E: Display] Result<T, E> => Result<String, String>, |value| value.map(debugged).map_err(displayed);
    BothDebugged (&&&&&) [T: Debug, E: Debug] Result<T, E> => Result<String, String>, |value| value.map(debugged).map_err(debugged);
    OptionDisplayed (&&&&) [T: Display] Option<T> => Option<String>, |value| value.map(displayed);
    OptionDebugged (&&&) [T: Debug] Option<T> => Option<String>, |value| value.map(debugged);
    Displayed (&&) [T: Display] T => String, displayed;
    Debugged (&) [T: Debug] T => String, debugged;
}

/// All ways, to be in scope without names.
pub mod ways {
    pub use super::{
        AsItIs as _, BothDebugged as _, BothDisplayed as _, ByDebug as _, ByDisplay as _, Debugged as _,
        Displayed as _, ErrorDebugged as _, ErrorDisplayed as _, OptionDebugged as _, OptionDisplayed as _,
        Unreadable as _, ValueDebugged as _, ValueDisplayed as _,
    };
}

/// What is left: the compiler says why the type cannot be read.
pub trait Unreadable<R> {
    /// There is none.
    fn shape(&self) -> Shape
    where
        R: Returned;

    /// There is none.
    fn push(&self, value: R, outputs: &mut Outputs<'_>)
    where
        R: Returned;
}

impl<R> Unreadable<R> for Read<R> {
    fn shape(&self) -> Shape
    where
        R: Returned,
    {
        R::shape()
    }

    fn push(&self, value: R, outputs: &mut Outputs<'_>)
    where
        R: Returned,
    {
        <R as Returned>::push(Some(value), outputs);
    }
}

fn displayed(value: impl Display) -> String {
    value.to_string()
}

fn debugged(value: impl Debug) -> String {
    format!("{value:?}")
}

/// A value that is shown, by the macro [`shown!`](crate::shown).
pub struct Shown<'v, T: ?Sized>(pub &'v T);

/// By `Display`.
pub trait ByDisplay {
    /// The text.
    fn shown(&self) -> String;
}

/// Else by `Debug`.
pub trait ByDebug {
    /// The text.
    fn shown(&self) -> String;
}

impl<T: Display + ?Sized> ByDisplay for &Shown<'_, T> {
    fn shown(&self) -> String {
        displayed(self.0)
    }
}

impl<T: Debug + ?Sized> ByDebug for Shown<'_, T> {
    fn shown(&self) -> String {
        debugged(self.0)
    }
}
