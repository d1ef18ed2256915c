//! Outcomes, outputs, fuel and trap places of calls, recorded so that two engines can be compared.

use dodona_subject::{Calls, CodePoint, Outcome, Value};
use dodona_workbench::Workbench;

use crate::Defect;
use crate::inputs::shown;

/// What calls showed, as text where floats count bit by bit: the sign of zero does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) outputs: Vec<String>,
    fuel: Vec<u64>,
    pub(crate) places: Vec<Option<CodePoint>>,
}

impl Seen {
    pub(crate) fn of(calls: &Calls, fuel: &[u64], places: Vec<Option<CodePoint>>) -> Seen {
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

    pub(crate) fn row(&self, row: usize) -> String {
        let at = self.places[row].map(|at| format!(" at {at:?}")).unwrap_or_default();
        format!("{}{at} ({}), fuel {}", self.outcomes[row], self.outputs[row], self.fuel[row])
    }
}

/// Fails with the first row in which two engines differ.
pub(crate) fn same(
    workbench: &Workbench,
    rows: &[Vec<Value>],
    a: (&str, &Seen),
    b: (&str, &Seen),
) -> Result<(), Defect> {
    if a.1 == b.1 {
        return Ok(());
    }
    let row = (0..rows.len()).find(|&row| a.1.row(row) != b.1.row(row)).unwrap_or(0);
    let input = shown(&workbench.manifest.functions[0], &rows[row]);
    Err(Defect::new(format!("at {input}: {} says {}, {} says {}", a.0, a.1.row(row), b.0, b.1.row(row))))
}
