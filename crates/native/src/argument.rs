//! How values of the language become arguments in Rust.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dodona_target::{Column, Domain, Scalar, Type};

use crate::element::{Element, FITS};
use crate::returned::{Outputs, Returned};

/// A type that a parameter may have.
///
/// A value is held for a call, in a form of its own, and passed from there: a slice is borrowed from a vector that is made for the row.
#[diagnostic::on_unimplemented(
    message = "relations have no value for a parameter of the type `{Self}`",
    note = "a parameter is a number, `bool`, `char`, a text, or a slice or vector of numbers; a value of another type is made of these by the call: \
            `dodona::function!(f(a: u32, b: u32) -> u32 = f(Point {{ a, b }}))`"
)]
pub trait Argument<'a>: Sized {
    /// What is held.
    type Held: 'a;

    /// The type in the relation language. `usize` and `isize` have 64 bits.
    const TYPE: Type;

    /// Whether the function may change the value. What it is after the call is an output then: `f(xs).xs`.
    const IS_CHANGED: bool = false;

    /// What Rust allows of the values that the language has.
    fn domain() -> Domain {
        Domain::default()
    }

    /// The value of a row.
    ///
    /// # Panics
    /// When the column has another kind of values, or no such row.
    fn hold(column: &Column, row: usize) -> Self::Held;

    /// The argument.
    fn pass(held: &'a mut Self::Held) -> Self;

    /// Adds the value after the call to its outputs, if it may be changed.
    fn after(_held: &Self::Held, _outputs: &mut Outputs<'_>) {}
}

fn sequence<T: Element>(column: &Column, row: usize) -> Vec<T> {
    let Column::Sequence(column) = column else { panic!("{FITS}") };
    T::sequence(column, row)
}

fn text(column: &Column, row: usize) -> String {
    let Column::Text(rows) = column else { panic!("{FITS}") };
    String::from_utf8_lossy(rows.row(row)).into_owned()
}

/// Values that are passed as they are, and by shared reference.
macro_rules! values {
    ($([$($generics:tt)*] $ty:ty, $kind:expr, $domain:expr, $make:expr;)*) => {$(
        impl<'a, $($generics)*> Argument<'a> for $ty {
            type Held = Self;

            const TYPE: Type = $kind;

            fn domain() -> Domain {
                $domain
            }

            fn hold(column: &Column, row: usize) -> Self {
                $make(column, row)
            }

            fn pass(held: &'a mut Self) -> Self {
                held.clone()
            }
        }

        impl<'a, $($generics)*> Argument<'a> for &'a $ty {
            type Held = $ty;

            const TYPE: Type = $kind;

            fn domain() -> Domain {
                $domain
            }

            fn hold(column: &Column, row: usize) -> $ty {
                $make(column, row)
            }

            fn pass(held: &'a mut $ty) -> &'a $ty {
                held
            }
        }
    )*};
}

macro_rules! numbers {
    ($($ty:ident)*) => {
        values! {
            $([] $ty, Type::Scalar(<$ty as Element>::SCALAR), Domain::default(), <$ty as Element>::scalar;)*
        }
    };
}

numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool);

macro_rules! non_zeros {
    ($($ty:ident)*) => {
        values! {
            $(
                [] NonZero<$ty>, Type::Scalar(<$ty as Element>::SCALAR), Domain::without_zero(),
                |column, row| NonZero::new(<$ty as Element>::scalar(column, row)).expect(FITS);
            )*
        }
    };
}

non_zeros!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

values! {
    [] String, Type::Text, Domain::default(), text;
    [] Box<str>, Type::Text, Domain::default(), |column, row| text(column, row).into();
    [] Rc<str>, Type::Text, Domain::default(), |column, row| text(column, row).into();
    [] Arc<str>, Type::Text, Domain::default(), |column, row| text(column, row).into();
    [] char, Type::Text, Domain::of_length(1), |column, row| text(column, row).chars().next().expect(FITS);
    [T: Element] Vec<T>, Type::Sequence(T::SCALAR), Domain::default(), sequence;
    [T: Element] Box<[T]>, Type::Sequence(T::SCALAR), Domain::default(),
        |column, row| sequence(column, row).into();
    [T: Element] Rc<[T]>, Type::Sequence(T::SCALAR), Domain::default(), |column, row| sequence(column, row).into();
    [T: Element] Arc<[T]>, Type::Sequence(T::SCALAR), Domain::default(), |column, row| sequence(column, row).into();
    [T: Element, const N: usize] [T; N], Type::Sequence(T::SCALAR), Domain::of_length(N as u64),
        |column, row| sequence(column, row).try_into().unwrap_or_else(|_| panic!("{FITS}"));
    [] Ordering, Type::Scalar(Scalar::I8), Domain::of_signs(), |column, row| i8::scalar(column, row).cmp(&0);
    [] Duration, Type::Scalar(Scalar::U64), Domain::default(),
        |column, row| Duration::from_nanos(u64::scalar(column, row));
}

/// Values that are borrowed from what is held.
macro_rules! borrowed {
    ($([$($generics:tt)*] $ty:ty, $held:ty, $kind:expr, $hold:expr, $pass:expr;)*) => {$(
        impl<'a, $($generics)*> Argument<'a> for $ty {
            type Held = $held;

            const TYPE: Type = $kind;

            fn hold(column: &Column, row: usize) -> $held {
                $hold(column, row)
            }

            fn pass(held: &'a mut $held) -> $ty {
                $pass(held)
            }
        }
    )*};
}

borrowed! {
    [] &'a str, String, Type::Text, text, |held: &'a mut String| held.as_str();
    [] Cow<'a, str>, String, Type::Text, text, |held: &'a mut String| Cow::Borrowed(held.as_str());
    [] &'a Cow<'a, str>, Cow<'static, str>, Type::Text, |column, row| Cow::Owned(text(column, row)), |held| held;
    [T: Element] &'a [T], Vec<T>, Type::Sequence(T::SCALAR), sequence, |held: &'a mut Vec<T>| held.as_slice();
    [T: Element] Cow<'a, [T]>, Vec<T>, Type::Sequence(T::SCALAR), sequence,
        |held: &'a mut Vec<T>| Cow::Borrowed(held.as_slice());
}

/// Values that the function may change.
macro_rules! changed {
    ($([$($generics:tt)*] $ty:ty, $held:ty, $kind:expr, $hold:expr;)*) => {$(
        impl<'a, $($generics)*> Argument<'a> for &'a mut $ty {
            type Held = $held;

            const TYPE: Type = $kind;

            const IS_CHANGED: bool = true;

            fn hold(column: &Column, row: usize) -> $held {
                $hold(column, row)
            }

            fn pass(held: &'a mut $held) -> &'a mut $ty {
                held
            }

            fn after(held: &$held, outputs: &mut Outputs<'_>) {
                Returned::push(Some(held), outputs);
            }
        }
    )*};
}

changed! {
    [T: Element] [T], Vec<T>, Type::Sequence(T::SCALAR), sequence;
    [T: Element] Vec<T>, Vec<T>, Type::Sequence(T::SCALAR), sequence;
    [] String, String, Type::Text, text;
}
