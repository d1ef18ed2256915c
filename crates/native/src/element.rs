//! Scalars of Rust, alone and in sequences.

use dodona_target::{Column, Scalar, SequenceColumn};

/// A scalar of Rust that the language has.
pub trait Element: Copy + Default + Send + Sync + 'static {
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
pub(crate) const FITS: &str = "a column fits its parameter or output";

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
