//! The domains that are written behind `in`.

use std::ops::{Range, RangeFull, RangeInclusive};

use dodona_target::{Domain, Number, NumberRange};

/// What can stand behind `in`: a range of numbers, several ranges, or a list of the only values. Of a slice or vector it is what its elements are in.
pub trait Within {
    /// Narrows a domain to this.
    fn narrow(self, domain: &mut Domain);
}

impl Within for RangeFull {
    fn narrow(self, _: &mut Domain) {}
}

fn range(domain: &mut Domain, low: Number, high: Number) {
    domain.numbers.ranges.push(NumberRange { low, high });
}

macro_rules! numbers {
    ($($ty:ident $number:expr);*) => {$(
        impl Within for RangeInclusive<$ty> {
            fn narrow(self, domain: &mut Domain) {
                range(domain, $number(*self.start()), $number(*self.end()));
            }
        }

        impl<const N: usize> Within for [RangeInclusive<$ty>; N] {
            fn narrow(self, domain: &mut Domain) {
                self.into_iter().for_each(|one| one.narrow(domain));
            }
        }

        impl<const N: usize> Within for [$ty; N] {
            fn narrow(self, domain: &mut Domain) {
                self.into_iter().for_each(|x| range(domain, $number(x), $number(x)));
            }
        }
    )*};
}

numbers!(
    i8 |x| Number::Int(i128::from(x)); i16 |x| Number::Int(i128::from(x)); i32 |x| Number::Int(i128::from(x));
    i64 |x| Number::Int(i128::from(x)); isize |x| Number::Int(x as i128); u8 |x| Number::Int(i128::from(x));
    u16 |x| Number::Int(i128::from(x)); u32 |x| Number::Int(i128::from(x)); u64 |x| Number::Int(i128::from(x));
    usize |x| Number::Int(x as i128); f32 |x| Number::Float(f64::from(x)); f64 Number::Float
);

macro_rules! half_open {
    ($($ty:ident)*) => {$(
        impl Within for Range<$ty> {
            fn narrow(self, domain: &mut Domain) {
                range(domain, Number::Int(self.start as i128), Number::Int(self.end as i128 - 1));
            }
        }
    )*};
}

half_open!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<const N: usize> Within for [&str; N] {
    fn narrow(self, domain: &mut Domain) {
        domain.texts = Some(self.map(str::to_owned).into());
    }
}
