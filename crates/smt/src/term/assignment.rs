//! Values of variables.

use super::Variable;

/// A value for each variable. It is complete: a variable that was not set is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    values: Vec<u128>,
}

impl Assignment {
    /// The value of a variable; 0 unless it was set.
    pub fn get(&self, variable: Variable) -> u128 {
        self.values.get(variable.0 as usize).copied().unwrap_or(0)
    }

    /// Sets the value of a variable: its bits, without any above its width.
    pub fn set(&mut self, variable: Variable, value: u128) {
        let index = variable.0 as usize;
        if self.values.len() <= index {
            self.values.resize(index + 1, 0);
        }
        self.values[index] = value;
    }
}
