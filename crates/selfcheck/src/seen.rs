//! Outcomes, outputs, fuel and trap places of calls, recorded so that two engines can be compared.

use dodona_subject::CodePoint;
use dodona_target::{Calls, Outcome, Value};
use dodona_wasm::Workbench;

use crate::counts::Defect;
use crate::inputs::shown;

/// What calls showed, as text where floats count bit by bit: the sign of zero does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// How each call ended.
    pub outcomes: Vec<Outcome>,
    /// The outputs of each call that returned; the empty text for the others.
    pub outputs: Vec<String>,
    fuel: Vec<u64>,
    /// Where each call trapped, where that is known.
    pub places: Vec<Option<CodePoint>>,
}

impl Seen {
    /// Calls with the fuel that each used and the place where it trapped.
    pub fn of(calls: &Calls, fuel: &[u64], places: Vec<Option<CodePoint>>) -> Seen {
        let row = |row: usize| {
            let values: Vec<String> =
                calls.outputs.iter().map(|column| column.value(row).to_string()).collect();
            values.join(", ")
        };
        let returned = |row: &usize| calls.outcomes[*row] == Outcome::Returned;
        let all = 0..calls.outcomes.len();
        let outputs = all.map(|at| if returned(&at) { row(at) } else { String::new() });
        Seen { outcomes: calls.outcomes.clone(), outputs: outputs.collect(), fuel: fuel.to_vec(), places }
    }

    /// One call, in words.
    pub fn row(&self, row: usize) -> String {
        let at = self.places[row].map(|at| format!(" at {at:?}")).unwrap_or_default();
        format!("{}{at} ({}), fuel {}", self.outcomes[row], self.outputs[row], self.fuel[row])
    }
}

/// Compares what two engines, or two versions of the code, each with its name, showed of the same rows of the first function under test.
///
/// # Errors
/// With the first row in which they differ.
pub fn must_agree(
    workbench: &Workbench,
    rows: &[Vec<Value>],
    a: (&str, &Seen),
    b: (&str, &Seen),
) -> Result<(), Defect> {
    if a.1 == b.1 {
        return Ok(());
    }
    let row = (0..rows.len()).find(|&row| a.1.row(row) != b.1.row(row)).unwrap_or(0);
    let input = shown(&workbench.functions()[0], &rows[row]);
    Err(Defect::new(format!("at {input}: {} says {}, {} says {}", a.0, a.1.row(row), b.0, b.1.row(row))))
}
