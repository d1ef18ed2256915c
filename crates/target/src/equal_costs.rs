//! What calls cost where nothing meters them.

/// The costs of the last calls, each the same.
///
/// A clock would end the shrinking of a violation at another input in each run; so many calls end it in every run, after some seconds of a
/// function that takes ten microseconds.
#[derive(Clone, Debug, Default)]
pub struct EqualCosts(Vec<u64>);

impl EqualCosts {
    /// What each call costs, in units of [`EqualCosts::UNIT`].
    const EACH: u64 = 10_000;

    /// The unit, in the plural, for [`Traits::unit_of_cost`](crate::Traits::unit_of_cost).
    pub const UNIT: &str = "ten-thousandths of a call";

    /// Notes that so many rows were called.
    pub fn note(&mut self, rows: usize) {
        self.0.clear();
        self.0.resize(rows, EqualCosts::EACH);
    }

    /// The cost of each row of the last calls.
    pub fn of_rows(&self) -> &[u64] {
        &self.0
    }
}
