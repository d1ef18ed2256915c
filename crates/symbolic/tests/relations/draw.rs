//! Random values: small numbers that meet each other, and odd ones.

use dodona_target::{Domain, Kind, Parameter, Scalar, Sequence, Type, Value};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

pub(crate) struct Draw(Xoshiro256PlusPlus);

impl Draw {
    pub(crate) fn new(seed: u64) -> Draw {
        Draw(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n
    }

    /// A value of the domain; the last one drawn where none is found.
    pub(crate) fn value(&mut self, parameter: &Parameter) -> Value {
        let domain = &parameter.domain;
        let mut value = self.any(parameter.ty, domain);
        for _ in 0..400 {
            if domain.contains(parameter.ty, &value) {
                break;
            }
            value = self.any(parameter.ty, domain);
        }
        value
    }

    pub(crate) fn any(&mut self, ty: Type, domain: &Domain) -> Value {
        match ty {
            Type::Scalar(scalar) => match scalar.kind() {
                Kind::Bool => Value::Bool(self.below(2) == 1),
                Kind::Int => Value::Int(self.int(scalar, domain)),
                Kind::Float => Value::Float(self.float(scalar, domain)),
            },
            Type::Sequence(scalar) => Value::Sequence(self.sequence(scalar, domain)),
            Type::Text => Value::Text(self.text(domain).into()),
        }
    }

    fn sequence(&mut self, scalar: Scalar, domain: &Domain) -> Sequence {
        let length = self.length(domain);
        match scalar.kind() {
            Kind::Bool => Sequence::Bool((0..length).map(|_| self.below(2) == 1).collect()),
            Kind::Int => Sequence::Int((0..length).map(|_| self.int(scalar, domain)).collect()),
            Kind::Float => Sequence::Float((0..length).map(|_| self.float(scalar, domain)).collect()),
        }
    }

    fn length(&mut self, domain: &Domain) -> u64 {
        let (low, high) = domain.length.unwrap_or((0, 4));
        low + self.below((high - low).min(4) + 1)
    }

    fn int(&mut self, scalar: Scalar, domain: &Domain) -> i128 {
        let (least, greatest) = scalar.integer_range().expect("an integer type");
        let drawn = match (self.below(8), domain.numbers.ranges.first()) {
            (0, _) => [least, greatest, least + 1, greatest - 1][self.below(4) as usize],
            (1, _) => i128::from(self.0.next_u64()) % (greatest - least + 1) + least,
            (2..=4, Some(range)) => {
                let (low, high) = (range.low.as_f64() as i128, range.high.as_f64() as i128);
                low + i128::from(self.0.next_u64()) % (high - low + 1)
            }
            (_, _) => i128::from(self.below(12)) - 4,
        };
        drawn.clamp(least, greatest)
    }

    fn float(&mut self, scalar: Scalar, domain: &Domain) -> f64 {
        let odd = [0.0, -0.0, 1.0, -1.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300, 2.5];
        let x = match (self.below(6), domain.numbers.ranges.first()) {
            (0, _) => odd[self.below(10) as usize],
            (1..=3, Some(range)) => {
                let share = self.below(1 << 20) as f64 / f64::from(1 << 20);
                range.low.as_f64() + share * (range.high.as_f64() - range.low.as_f64())
            }
            _ => (self.below(4000) as f64 - 2000.0) / 16.0,
        };
        if scalar == Scalar::F32 { f64::from(x as f32) } else { x }
    }

    fn text(&mut self, domain: &Domain) -> String {
        if let Some(texts) = &domain.texts {
            return texts[self.below(texts.len() as u64) as usize].clone();
        }
        let ordinary: Vec<char> = "ab Ab.é\n1".chars().collect();
        let alphabet = domain.alphabet.as_ref().unwrap_or(&ordinary);
        (0..self.length(domain)).map(|_| alphabet[self.below(alphabet.len() as u64) as usize]).collect()
    }
}
