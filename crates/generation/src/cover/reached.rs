//! Which code some inputs reach.
//!
//! Of a module that is much larger than what inputs run of it, most mutants are such that no input can reveal: whoever can only look at a part of the mutants
//! looks at those that are reached.

use std::collections::BTreeSet;

use dodona_subject::CodePoint;
use dodona_target::{Column, Until};
use dodona_wasm::execute::{Called, CoverageMap, Executable, Options};
use dodona_wasm::{Workbench, runs};
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use super::instrumented::{Uncovered, rows_at_once};

/// The code that some inputs of functions under test reach.
#[derive(Debug)]
pub struct ReachedCode {
    map: CoverageMap,
    /// The blocks that some input entered.
    entered: FixedBitSet,
}

impl ReachedCode {
    /// Runs inputs, each batch of a function under test, given by its index, with a column a parameter. Inputs for which there is no time are left out.
    ///
    /// # Errors
    /// When the module with counters cannot be loaded, an input does not fit its function, or the host fails.
    ///
    /// # Panics
    /// When there is no such function.
    pub fn of(
        workbench: &Workbench,
        inputs: &[(usize, Vec<Column>)],
        until: &Until,
    ) -> Result<ReachedCode, LabError> {
        let functions: BTreeSet<usize> = inputs.iter().map(|(function, _)| *function).collect();
        let (manifest, module) = (&workbench.target.manifest, &workbench.target.module);
        let map = CoverageMap::of(module, &runs(workbench, functions.iter().copied()));
        let called = Called::Only(functions);
        let options = Options { called, ..Options::of(manifest) };
        let executable =
            Executable::load_with_variants(module, &manifest.functions, &options, &map.variants(module))
                .map_err(|error| LabError::engine(Uncovered(error)))?;
        let mut runner = executable.runner();
        let mut entered = FixedBitSet::with_capacity(map.blocks().len());
        let most = rows_at_once(&map);
        for (function, columns) in inputs {
            let rows = columns.first().map_or(1, Column::len) as u32;
            for start in (0..rows).step_by(most as usize) {
                if !until.goes_on() {
                    return Ok(ReachedCode { map, entered });
                }
                let chosen: Vec<u32> = (start..rows.min(start + most)).collect();
                let batch: Vec<Column> = columns.iter().map(|column| column.select(&chosen)).collect();
                runner.choose(map.choice());
                let fails = dodona_target::CallError::new;
                let calls = runner.call_noting(*function, &batch).map_err(fails)?;
                for row in 0..calls.outcomes.len() {
                    let counts = map.read(runner.notes(row)).blocks;
                    entered.extend((0..counts.len()).filter(|&block| counts[block] > 0));
                }
            }
        }
        Ok(ReachedCode { map, entered })
    }

    /// Whether some input reached the block of an instruction, given by its function's index in the module and its number there.
    pub fn has(&self, function: u32, instruction: u32) -> bool {
        let point = CodePoint { function, instruction };
        self.map.block_of(point).is_some_and(|block| self.entered.contains(block))
    }
}
