//! How what a Rust function returns becomes an outcome with outputs.

use dodona_target::{Column, Outcome, Trap, Type};

use crate::argument::Element;

/// A type that a function may return.
///
/// `None` and `Err` are calls that do not return a value, as a panic is: `f(x) traps` is true of them.
pub trait Returned {
    /// The type of the output, if there is one.
    const TYPE: Option<Type>;

    /// Adds the value to the output's column, if it is one.
    ///
    /// # Panics
    /// When the column is of another type.
    fn push(self, output: Option<&mut Column>) -> Outcome;
}

/// What is wrong when there is no column for an output. Whoever makes calls has one for each.
const HAS_COLUMN: &str = "an output has a column";

macro_rules! scalars {
    ($($ty:ident)*) => {$(
        impl Returned for $ty {
            const TYPE: Option<Type> = Some(Type::Scalar(<$ty as Element>::SCALAR));

            fn push(self, output: Option<&mut Column>) -> Outcome {
                Element::push(self, output.expect(HAS_COLUMN));
                Outcome::Returned
            }
        }
    )*};
}

scalars!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool);

impl Returned for () {
    const TYPE: Option<Type> = None;

    fn push(self, _: Option<&mut Column>) -> Outcome {
        Outcome::Returned
    }
}

impl<T: Element> Returned for &[T] {
    const TYPE: Option<Type> = Some(Type::Sequence(T::SCALAR));

    fn push(self, output: Option<&mut Column>) -> Outcome {
        let Column::Sequence(column) = output.expect(HAS_COLUMN) else { panic!("{HAS_COLUMN}") };
        T::push_all(self, column);
        Outcome::Returned
    }
}

impl<T: Element> Returned for Vec<T> {
    const TYPE: Option<Type> = Some(Type::Sequence(T::SCALAR));

    fn push(self, output: Option<&mut Column>) -> Outcome {
        Returned::push(&self[..], output)
    }
}

impl Returned for &str {
    const TYPE: Option<Type> = Some(Type::Text);

    fn push(self, output: Option<&mut Column>) -> Outcome {
        let Column::Text(column) = output.expect(HAS_COLUMN) else { panic!("{HAS_COLUMN}") };
        column.push(self.as_bytes());
        Outcome::Returned
    }
}

impl Returned for String {
    const TYPE: Option<Type> = Some(Type::Text);

    fn push(self, output: Option<&mut Column>) -> Outcome {
        Returned::push(&self[..], output)
    }
}

impl<R: Returned> Returned for Option<R> {
    const TYPE: Option<Type> = R::TYPE;

    fn push(self, output: Option<&mut Column>) -> Outcome {
        match self {
            Some(value) => value.push(output),
            None => without(output),
        }
    }
}

impl<R: Returned, E> Returned for Result<R, E> {
    const TYPE: Option<Type> = R::TYPE;

    fn push(self, output: Option<&mut Column>) -> Outcome {
        self.ok().push(output)
    }
}

fn without(output: Option<&mut Column>) -> Outcome {
    output.into_iter().for_each(Column::push_default);
    Outcome::Trapped(Trap::NoValue)
}
