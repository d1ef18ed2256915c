//! The points from which a search begins: special values, constants of the constraints, and random values.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;
use rustc_hash::FxHashMap;

use super::tape::Tape;
use crate::term::Sort;

/// Floats that code treats specially, and sizes that it distinguishes.
const FLOATS: [f64; 15] = [
    0.0,
    1.0,
    0.5,
    2.0,
    3.0,
    10.0,
    100.0,
    1e6,
    1e-6,
    1e15,
    1e-300,
    5e-324,
    f64::MAX,
    f64::INFINITY,
    f64::NAN,
];

/// Values worth trying, for each sort of variable.
#[derive(Debug)]
pub(super) struct Starts {
    special: FxHashMap<Sort, Vec<u128>>,
}

impl Starts {
    pub(super) fn new(tape: &Tape) -> Starts {
        let mut special = FxHashMap::default();
        for index in 0..tape.variables() {
            let sort = tape.sort(index);
            special.entry(sort).or_insert_with(|| special_values(sort, tape));
        }
        Starts { special }
    }

    /// Special values of a sort of variable, each once.
    pub(super) fn special(&self, sort: Sort) -> impl Iterator<Item = u128> {
        self.special.get(&sort).into_iter().flatten().copied()
    }

    /// A random point.
    pub(super) fn any(&self, tape: &Tape, rng: &mut Xoshiro256PlusPlus) -> Vec<u128> {
        (0..tape.variables()).map(|index| self.value(tape.sort(index), rng)).collect()
    }

    /// A point that differs from another in a few variables.
    pub(super) fn near(&self, point: &[u128], tape: &Tape, rng: &mut Xoshiro256PlusPlus) -> Vec<u128> {
        let mut near = point.to_vec();
        for _ in 0..1 + rng.next_u64() % 3 {
            let index = below(near.len(), rng);
            near[index] = self.value(tape.sort(index), rng);
        }
        near
    }

    fn value(&self, sort: Sort, rng: &mut Xoshiro256PlusPlus) -> u128 {
        let special = &self.special[&sort];
        if rng.next_u64().is_multiple_of(3) {
            return special[below(special.len(), rng)];
        }
        let random = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
        // Numbers of all sizes. Uniform draws would nearly all be large.
        let bits = 1 + below(sort.width().into(), rng) as u32;
        random & (u128::MAX >> (128 - bits)) & sort.mask()
    }
}

fn below(bound: usize, rng: &mut Xoshiro256PlusPlus) -> usize {
    (rng.next_u64() % bound.max(1) as u64) as usize
}

fn special_values(sort: Sort, tape: &Tape) -> Vec<u128> {
    let sign = sort.mask() ^ sort.mask() >> 1;
    let mut values =
        vec![0, 1, sort.mask(), sign, sign - 1, 10, u128::from(b' '), u128::from(b'0'), u128::from(b'a')];
    values.extend(tape.constants().flat_map(|(of, value)| as_bits_of(of, value, sort)));
    match sort.width() {
        32 => values.extend(FLOATS.map(|float| u128::from((float as f32).to_bits()))),
        64 => values.extend(FLOATS.map(|float| u128::from(float.to_bits()))),
        _ => {}
    }
    let negative: Vec<u128> = values.iter().map(|value| value ^ sign).collect();
    values.extend(negative);
    values.iter_mut().for_each(|value| *value &= sort.mask());
    let mut seen = rustc_hash::FxHashSet::default();
    values.retain(|&value| seen.insert(value));
    values
}

/// The values that a constant suggests for a variable: the constant, its neighbours, and the same number in the other
/// representations.
fn as_bits_of(of: Sort, value: u128, sort: Sort) -> Vec<u128> {
    let number = match of {
        Sort::Bool => return Vec::new(),
        Sort::F32 => f64::from(f32::from_bits(value as u32)),
        Sort::F64 => f64::from_bits(value as u64),
        Sort::Bits(width) => ((value << (128 - width)) as i128 >> (128 - width)) as f64,
    };
    let same = if of.width() <= sort.width() {
        vec![value, value.wrapping_add(1), value.wrapping_sub(1)]
    } else {
        Vec::new()
    };
    let float = match sort.width() {
        32 => Some(u128::from((number as f32).to_bits())),
        64 => Some(u128::from(number.to_bits())),
        _ => None,
    };
    let integer = of.is_float().then_some(number as i128 as u128);
    same.into_iter().chain(float).chain(integer).collect()
}
