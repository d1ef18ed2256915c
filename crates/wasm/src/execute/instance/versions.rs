//! What the host does for versions: it chooses one, and clears and reads the rows' notes.

use std::ops::Range;

use wasmtime::Val;

use super::Instance;
use crate::execute::Choice;
use crate::execute::instrument::Notes;
use crate::execute::shared::Shared;

impl Instance {
    /// Lets this version run from now on.
    pub(crate) fn choose(&mut self, shared: &Shared, choice: Choice) {
        if let Some((version, alternative)) = &shared.compiled.exports.choice
            && choice != self.choice
        {
            self.set(version, choice.version);
            self.set(alternative, choice.alternative);
            self.choice = choice;
        }
    }

    /// Forgets the notes of the first rows.
    pub(crate) fn clear_notes(&mut self, shared: &Shared, rows: usize) {
        let Notes { base, words, .. } = shared.compiled.notes;
        self.records()[base..base + rows * words * 8].fill(0);
    }

    /// The notes of the rows at these records, as bytes.
    pub(crate) fn notes(&self, shared: &Shared, records: Range<usize>) -> &[u8] {
        let Notes { base, words, .. } = shared.compiled.notes;
        &self.columns.data(&self.store)[base + records.start * words * 8..base + records.end * words * 8]
    }

    /// Takes away fuel so that, with what starting used, no more than the limit is used.
    pub(crate) fn limit_fuel(&mut self, shared: &Shared, limit: u64) {
        let spare = shared.compiled.limits.fuel.0.saturating_sub(limit);
        if spare > 0 {
            let left = self.fuel_left(shared).saturating_sub_unsigned(spare);
            self.set_value(&shared.compiled.exports.fuel, Val::I64(left));
        }
    }
}
