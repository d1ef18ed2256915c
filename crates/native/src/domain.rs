//! The domains that are written behind `in`.

use std::ops::{Range, RangeFull, RangeInclusive};

use dodona_target::{Domain, Number, NumberRange};

/// What can stand behind `in`: a range of numbers, several ranges, or a list of the only values. Of a slice or vector it is what its
/// elements are in.
pub trait Within {
    /// Narrows a domain to this.
    fn narrow(self, domain: &mut Domain);
}

impl Within for RangeFull {
    fn narrow(self, _: &mut Domain) {}
}

macro_rules! numbers {
    ($($ty:ident)*) => {$(
        impl Within for RangeInclusive<$ty> {
            fn narrow(self, domain: &mut Domain) {
                domain.numbers.ranges.push(self.into());
            }
        }

        impl<const N: usize> Within for [RangeInclusive<$ty>; N] {
            fn narrow(self, domain: &mut Domain) {
                self.into_iter().for_each(|range| range.narrow(domain));
            }
        }

        impl<const N: usize> Within for [$ty; N] {
            fn narrow(self, domain: &mut Domain) {
                self.map(|x| x..=x).narrow(domain);
            }
        }
    )*};
}

numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

impl<const N: usize> Within for [bool; N] {
    fn narrow(self, domain: &mut Domain) {
        self.map(u8::from).narrow(domain);
    }
}

macro_rules! half_open {
    ($($ty:ident)*) => {$(
        impl Within for Range<$ty> {
            fn narrow(self, domain: &mut Domain) {
                let (low, high) = (Number::Int(self.start as i128), Number::Int(self.end as i128 - 1));
                domain.numbers.ranges.push(NumberRange { low, high });
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
