//! The two kinds of numbers in recorded executions: integers and floats.

use dodona_inference::laws::{Atom, Form};
use dodona_sources::Seed;
use dodona_target::{Column, Value, next_splitmix64};

use super::together::Window;

/// A kind of number in recorded executions.
pub(super) trait LawNumber: Copy {
    /// Random numbers between two bounds.
    fn draw(window: Window, rows: usize, seed: Seed, variable: u64) -> Vec<Self>;
    fn absolute(self) -> Self;
    /// The value of a constant that is not a fraction.
    fn constant(value: f64) -> Option<Self>;
    fn evaluate(form: &Form, atom: impl Fn(Atom) -> Option<Self>) -> Option<Self>;
    fn column(values: Vec<Self>) -> Column;
    fn of(value: &Value) -> Option<Self>;
}

/// From 0 up to but not including 1.
fn unit(state: &mut u64) -> f64 {
    (next_splitmix64(state) >> 11) as f64 / (1_u64 << 53) as f64
}

fn state(seed: Seed, variable: u64) -> u64 {
    let mut state = seed.0 ^ 0x6c61_7773 ^ variable << 32;
    next_splitmix64(&mut state)
}

impl LawNumber for f64 {
    fn draw(Window { low, high }: Window, rows: usize, seed: Seed, variable: u64) -> Vec<f64> {
        let mut state = state(seed, variable);
        // Rounded to single precision too, so that a function of single precision gets the same numbers as the others.
        (0..rows).map(|_| f64::from((low + unit(&mut state) * (high - low)) as f32)).collect()
    }

    fn absolute(self) -> f64 {
        self.abs()
    }

    fn constant(value: f64) -> Option<f64> {
        Some(value)
    }

    fn evaluate(form: &Form, atom: impl Fn(Atom) -> Option<f64>) -> Option<f64> {
        form.float(atom)
    }

    fn column(values: Vec<f64>) -> Column {
        Column::Float(values)
    }

    fn of(value: &Value) -> Option<f64> {
        match value {
            Value::Float(value) => Some(*value).filter(|value| value.is_finite()),
            _ => None,
        }
    }
}

impl LawNumber for i128 {
    fn draw(Window { low, high }: Window, rows: usize, seed: Seed, variable: u64) -> Vec<i128> {
        let mut state = state(seed, variable);
        let width = (high - low).floor() as u64 + 1;
        (0..rows).map(|_| low.ceil() as i128 + i128::from(next_splitmix64(&mut state) % width)).collect()
    }

    fn absolute(self) -> i128 {
        self.saturating_abs()
    }

    fn constant(_: f64) -> Option<i128> {
        None
    }

    fn evaluate(form: &Form, atom: impl Fn(Atom) -> Option<i128>) -> Option<i128> {
        form.integer(atom)
    }

    fn column(values: Vec<i128>) -> Column {
        Column::Int(values)
    }

    fn of(value: &Value) -> Option<i128> {
        match value {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }
}
