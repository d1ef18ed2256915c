//! How what a Rust function returns becomes outputs of a call.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::error::Error;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dodona_target::{Column, Shape, Type};

use crate::element::Element;

/// The columns of a call's outputs, in the order in which a value is read: whether something is there, and then what is there.
pub struct Outputs<'c>(std::slice::IterMut<'c, Column>);

impl<'c> Outputs<'c> {
    /// These columns.
    pub(crate) fn of(columns: &'c mut [Column]) -> Outputs<'c> {
        Outputs(columns.iter_mut())
    }

    /// The column of the next output.
    pub(crate) fn column(&mut self) -> &mut Column {
        self.0.next().expect("an output has a column")
    }

    fn flag(&mut self, flag: bool) {
        Element::push(flag, self.column());
    }

    /// Adds a text, or the default for a value that is not there.
    fn text(&mut self, text: Option<&str>) {
        match self.column() {
            Column::Text(column) => column.push(text.unwrap_or_default().as_bytes()),
            _ => panic!("{IS_TEXT}"),
        }
    }

    /// Adds a sequence, or the default for a value that is not there.
    fn sequence<T: Element>(&mut self, items: Option<&[T]>) {
        match self.column() {
            Column::Sequence(column) => T::push_all(items.unwrap_or_default(), column),
            _ => panic!("{IS_SEQUENCE}"),
        }
    }
}

/// Whoever makes columns makes them of the type of the output.
const IS_TEXT: &str = "the column of a text is one of texts";
const IS_SEQUENCE: &str = "the column of a sequence is one of sequences";

/// A type that a function may return, and what relations see of it: the same as of a function of a manifest.
///
/// Values inside an `Option`, a `Result` or a tuple are outputs of their own: `f(x)` is the value inside, `f(x) is some` says whether it is there,
/// `f(x).err` is the error, `f(x).0` a part.
#[diagnostic::on_unimplemented(
    message = "relations cannot see a value of the type `{Self}`",
    note = "a result is made of numbers, `bool`, `char`, texts, slices and vectors of numbers, `Option`, `Result` and tuples; a value of another type is \
            shown as text, or as far as relations are about it: `dodona::function!(f(x: u32) -> Option<String> = f(x).map(|y| y.to_string()))`"
)]
pub trait Returned: Sized {
    /// How a value is made of plain values.
    fn shape() -> Shape;

    /// Adds the value to its outputs; one that is not there has the defaults of their types.
    ///
    /// # Panics
    /// When the columns are of other types.
    fn push(value: Option<Self>, outputs: &mut Outputs<'_>);
}

/// Types that are returned as another one is.
macro_rules! returned_as {
    ($([$($generics:tt)*] $ty:ty => $as:ty, $convert:expr;)*) => {$(
        impl<$($generics)*> Returned for $ty {
            fn shape() -> Shape {
                <$as as Returned>::shape()
            }

            fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
                <$as as Returned>::push(value.map($convert), outputs);
            }
        }
    )*};
}

macro_rules! scalars {
    ($($ty:ident)*) => {$(
        impl Returned for $ty {
            fn shape() -> Shape {
                Shape::Value(Type::Scalar(<$ty as Element>::SCALAR))
            }

            fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
                Element::push(value.unwrap_or_default(), outputs.column());
            }
        }

        returned_as! {
            [] &$ty => $ty, |value| *value;
        }
    )*};
}

scalars!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool);

macro_rules! non_zeros {
    ($($ty:ident)*) => {
        returned_as! {
            $([] NonZero<$ty> => $ty, NonZero::get; [] &NonZero<$ty> => $ty, |value| value.get();)*
        }
    };
}

non_zeros!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<T: Element> Returned for &[T] {
    fn shape() -> Shape {
        Shape::Value(Type::Sequence(T::SCALAR))
    }

    fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
        outputs.sequence(value);
    }
}

impl Returned for &str {
    fn shape() -> Shape {
        Shape::Value(Type::Text)
    }

    fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
        outputs.text(value);
    }
}

impl Returned for () {
    fn shape() -> Shape {
        Shape::Tuple(Vec::new())
    }

    fn push(_: Option<Self>, _: &mut Outputs<'_>) {}
}

/// Types that hold a slice or a text, by value and by reference.
macro_rules! holders {
    ($([$($generics:tt)*] $ty:ty => $held:ty;)*) => {$(
        impl<$($generics)*> Returned for $ty {
            fn shape() -> Shape {
                <&$held as Returned>::shape()
            }

            fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
                <&$held as Returned>::push(value.as_ref().map(|value| value.as_ref()), outputs);
            }
        }

        impl<$($generics)*> Returned for &$ty {
            fn shape() -> Shape {
                <&$held as Returned>::shape()
            }

            fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
                <&$held as Returned>::push(value.map(|value| value.as_ref()), outputs);
            }
        }
    )*};
}

holders! {
    [T: Element] Vec<T> => [T];
    [T: Element, const N: usize] [T; N] => [T];
    [T: Element] Cow<'_, [T]> => [T];
    [T: Element] Box<[T]> => [T];
    [T: Element] Rc<[T]> => [T];
    [T: Element] Arc<[T]> => [T];
    [] String => str;
    [] Cow<'_, str> => str;
    [] Box<str> => str;
    [] Rc<str> => str;
    [] Arc<str> => str;
}

returned_as! {
    [] char => String, String::from;
    [] &char => String, |value| String::from(*value);
    [] Ordering => i8, |value| value as i8;
    [] &Ordering => i8, |value| *value as i8;
    // Longer ones, of more than five centuries, are all the longest.
    [] Duration => u64, |value| u64::try_from(value.as_nanos()).unwrap_or(u64::MAX);
    [] &Duration => u64, |value| u64::try_from(value.as_nanos()).unwrap_or(u64::MAX);
    // Errors, as they show themselves.
    [] Box<dyn Error + '_> => String, |error| error.to_string();
    [] Box<dyn Error + Send + Sync + '_> => String, |error| error.to_string();
}

macro_rules! shown {
    ($($ty:ty),*) => { returned_as! { $([] $ty => String, |error| error.to_string();)* } };
}

// The errors that functions of the standard library return.
shown!(
    std::num::ParseIntError,
    std::num::ParseFloatError,
    std::num::TryFromIntError,
    std::str::ParseBoolError,
    std::str::Utf8Error,
    std::string::FromUtf8Error,
    std::char::ParseCharError,
    std::char::CharTryFromError,
    std::array::TryFromSliceError,
    std::io::Error,
    std::fmt::Error
);

impl<R: Returned> Returned for Option<R> {
    fn shape() -> Shape {
        Shape::Option(Box::new(R::shape()))
    }

    fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
        let value = value.flatten();
        outputs.flag(value.is_some());
        <R as Returned>::push(value, outputs);
    }
}

impl<R: Returned, E: Returned> Returned for Result<R, E> {
    fn shape() -> Shape {
        Shape::Result(Box::new(R::shape()), Box::new(E::shape()))
    }

    fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
        outputs.flag(matches!(value, Some(Ok(_))));
        let (ok, error) = match value {
            Some(Ok(ok)) => (Some(ok), None),
            Some(Err(error)) => (None, Some(error)),
            None => (None, None),
        };
        <R as Returned>::push(ok, outputs);
        <E as Returned>::push(error, outputs);
    }
}

macro_rules! tuples {
    ($(($($part:ident $name:ident),+))*) => {$(
        impl<$($part: Returned),+> Returned for ($($part,)+) {
            fn shape() -> Shape {
                Shape::Tuple(vec![$($part::shape()),+])
            }

            fn push(value: Option<Self>, outputs: &mut Outputs<'_>) {
                let ($($name,)+) = match value {
                    Some(($($name,)+)) => ($(Some($name),)+),
                    None => Default::default(),
                };
                $(<$part as Returned>::push($name, outputs);)+
            }
        }
    )*};
}

tuples!(
    (A a)
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
    (A a, B b, C c, D d, E e)
    (A a, B b, C c, D d, E e, F f)
    (A a, B b, C c, D d, E e, F f, G g)
    (A a, B b, C c, D d, E e, F f, G g, H h)
);
