//! How values of the language become arguments in Rust.

use dodona_target::{Column, Scalar, SequenceColumn, Type};

/// A type that a parameter may have.
///
/// A value is held for a call, in a form of its own, and passed from there: a slice is borrowed from a vector that is made for the row.
pub trait Argument<'a>: Sized {
    /// What is held.
    type Held: 'a;

    /// The type in the relation language. `usize` and `isize` have 64 bits.
    const TYPE: Type;

    /// The value of a row.
    ///
    /// # Panics
    /// When the column has another kind of values, or no such row.
    fn hold(column: &Column, row: usize) -> Self::Held;

    /// The argument.
    fn pass(held: &'a mut Self::Held) -> Self;
}

/// A scalar of Rust that the language has.
pub trait Element: Copy + 'static {
    /// The type in the relation language.
    const SCALAR: Scalar;

    /// The value of a row of scalars.
    fn scalar(column: &Column, row: usize) -> Self;

    /// The values of a row of a sequence.
    fn sequence(column: &SequenceColumn, row: usize) -> Vec<Self>;

    /// Adds a value to a column of scalars.
    fn push(self, column: &mut Column);

    /// Adds a row to a column of sequences.
    fn push_all(items: &[Self], column: &mut SequenceColumn);
}

/// What is wrong when a column has another kind of values than its parameter's type says. Whoever makes calls looks that it fits.
const FITS: &str = "a column fits its parameter or output";

macro_rules! integers {
    ($($ty:ident $scalar:ident),*) => {$(
        impl Element for $ty {
            const SCALAR: Scalar = Scalar::$scalar;

            fn scalar(column: &Column, row: usize) -> $ty {
                let Column::Int(values) = column else { panic!("{FITS}") };
                $ty::try_from(values[row]).expect(FITS)
            }

            fn sequence(column: &SequenceColumn, row: usize) -> Vec<$ty> {
                let SequenceColumn::Int(rows) = column else { panic!("{FITS}") };
                rows.row(row).iter().map(|x| $ty::try_from(*x).expect(FITS)).collect()
            }

            fn push(self, column: &mut Column) {
                let Column::Int(values) = column else { panic!("{FITS}") };
                values.push(self as i128);
            }

            fn push_all(items: &[$ty], column: &mut SequenceColumn) {
                let SequenceColumn::Int(rows) = column else { panic!("{FITS}") };
                rows.push_from(items.iter().map(|x| *x as i128));
            }
        }
    )*};
}

integers!(i8 I8, i16 I16, i32 I32, i64 I64, isize I64, u8 U8, u16 U16, u32 U32, u64 U64, usize U64);

macro_rules! others {
    ($($ty:ident $scalar:ident $kind:ident $from:expr, $to:expr);*) => {$(
        impl Element for $ty {
            const SCALAR: Scalar = Scalar::$scalar;

            fn scalar(column: &Column, row: usize) -> $ty {
                let Column::$kind(values) = column else { panic!("{FITS}") };
                $from(values[row])
            }

            fn sequence(column: &SequenceColumn, row: usize) -> Vec<$ty> {
                let SequenceColumn::$kind(rows) = column else { panic!("{FITS}") };
                rows.row(row).iter().map(|x| $from(*x)).collect()
            }

            fn push(self, column: &mut Column) {
                let Column::$kind(values) = column else { panic!("{FITS}") };
                values.push($to(self));
            }

            fn push_all(items: &[$ty], column: &mut SequenceColumn) {
                let SequenceColumn::$kind(rows) = column else { panic!("{FITS}") };
                rows.push_from(items.iter().map(|x| $to(*x)));
            }
        }
    )*};
}

others!(
    f64 F64 Float |x: f64| x, |x: f64| x;
    // The value of an `f32` parameter is one that an `f32` has.
    f32 F32 Float |x: f64| x as f32, f64::from;
    bool Bool Bool |x: bool| x, |x: bool| x
);

macro_rules! scalars {
    ($($ty:ident)*) => {$(
        impl<'a> Argument<'a> for $ty {
            type Held = $ty;

            const TYPE: Type = Type::Scalar(<$ty as Element>::SCALAR);

            fn hold(column: &Column, row: usize) -> $ty {
                <$ty as Element>::scalar(column, row)
            }

            fn pass(held: &'a mut $ty) -> $ty {
                *held
            }
        }
    )*};
}

scalars!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool);

fn sequence<T: Element>(column: &Column, row: usize) -> Vec<T> {
    let Column::Sequence(column) = column else { panic!("{FITS}") };
    T::sequence(column, row)
}

fn text(column: &Column, row: usize) -> String {
    let Column::Text(rows) = column else { panic!("{FITS}") };
    String::from_utf8_lossy(rows.row(row)).into_owned()
}

impl<'a, T: Element> Argument<'a> for &'a [T] {
    type Held = Vec<T>;

    const TYPE: Type = Type::Sequence(T::SCALAR);

    fn hold(column: &Column, row: usize) -> Vec<T> {
        sequence(column, row)
    }

    fn pass(held: &'a mut Vec<T>) -> &'a [T] {
        held
    }
}

impl<'a, T: Element> Argument<'a> for Vec<T> {
    type Held = Vec<T>;

    const TYPE: Type = Type::Sequence(T::SCALAR);

    fn hold(column: &Column, row: usize) -> Vec<T> {
        sequence(column, row)
    }

    fn pass(held: &'a mut Vec<T>) -> Vec<T> {
        std::mem::take(held)
    }
}

impl<'a> Argument<'a> for &'a str {
    type Held = String;

    const TYPE: Type = Type::Text;

    fn hold(column: &Column, row: usize) -> String {
        text(column, row)
    }

    fn pass(held: &'a mut String) -> &'a str {
        held
    }
}

impl<'a> Argument<'a> for String {
    type Held = String;

    const TYPE: Type = Type::Text;

    fn hold(column: &Column, row: usize) -> String {
        text(column, row)
    }

    fn pass(held: &'a mut String) -> String {
        std::mem::take(held)
    }
}
