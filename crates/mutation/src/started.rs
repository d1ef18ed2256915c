//! Runs a mutant on the strong tests, before it is run on all others.
//!
//! Where code is compared after the strong tests (`crates/mutation/src/late.rs`), a mutant is run on all of them, because all that they
//! show tells mutants apart. Elsewhere its first kill suffices.

use std::hash::{DefaultHasher, Hash, Hasher};

use dodona_wasm::execute::Runner;
use dodona_workbench::LabError;

use crate::result::{Kill, Started};
use crate::run::{Tests, Version};
use crate::strong::Test;
use crate::suite::TestKind;

impl Tests<'_> {
    /// Runs a mutant on the strong tests, one at a time.
    pub(crate) fn start(&self, version: &Version<'_>, runner: &mut Runner) -> Result<Started, LabError> {
        let mut started = Started::new(self.suite.sections.len());
        self.one_by_one(self.strong.iter(), version, runner, &mut started)?;
        Ok(started)
    }

    /// [`Tests::start`] on all strong inputs, so that the mutant's signature tells it from others, and then on the groups. After an
    /// input on which the mutant traps or runs out of fuel no more inputs of the function are run: it mostly does so on every
    /// input, and each such call is expensive.
    pub(crate) fn start_telling(
        &self,
        version: &Version<'_>,
        runner: &mut Runner,
    ) -> Result<Started, LabError> {
        let mut started = Started::new(self.suite.sections.len());
        let mut hasher = DefaultHasher::new();
        let mut inputs: Vec<Test> =
            self.strong.iter().filter(|test| self.is_input(**test)).copied().collect();
        inputs.sort_by_key(|(batch, _)| *batch);
        for tests in inputs.chunk_by(|(a, _), (b, _)| a == b) {
            let index = tests[0].0 as usize;
            let rows: Vec<u32> =
                tests.iter().filter(|test| self.infects(**test, version)).map(|(_, row)| *row).collect();
            let Some((first, rest)) = rows.split_first() else { continue };
            let mut ran = 1;
            let mut kills = self.slice(index, &[*first], version, runner, &mut started.result)?;
            if !rest.is_empty() && kills.iter().all(Kill::returns) {
                ran = rows.len();
                kills.extend(self.slice(index, rest, version, runner, &mut started.result)?);
            }
            started.executed.extend(rows[..ran].iter().map(|row| (index as u32, *row)));
            // A mutant of the same machine code may have been run on other inputs that show nothing, and so may have gone on past this
            // trap or stopped at it: what comes after the first trap tells nothing.
            let told = kills.iter().position(|kill| !kill.returns()).map_or(kills.len(), |place| place + 1);
            for kill in &kills[..told] {
                format!("{index} {} {:?}", kill.row, kill.found).hash(&mut hasher);
                started.signature.note(kill);
            }
            if let Some(kill) = kills.first() {
                started.result.class.get_or_insert((index as u32, kill.row as u32));
            }
            self.note(&mut started.result, index, kills);
        }
        started.signature.hash = hasher.finish();
        started.result.executed += started.executed.len() as u64;
        let groups = self.strong.iter().filter(|test| !self.is_input(**test));
        self.one_by_one(groups, version, runner, &mut started)?;
        Ok(started)
    }

    fn is_input(&self, (batch, _): Test) -> bool {
        matches!(self.suite.batches[batch as usize].kind, TestKind::Inputs { .. })
    }

    /// Whether a test infects a mutant.
    fn infects(&self, (batch, row): Test, version: &Version<'_>) -> bool {
        let of = &self.suite.batches[batch as usize];
        version.may_be_infected(self, batch as usize, row as usize)
            && version.can_run_in(self.suite, of.section)
    }

    /// Runs a mutant on those of some tests that infect it, one at a time, until it is killed.
    fn one_by_one<'t>(
        &self,
        tests: impl Iterator<Item = &'t Test>,
        version: &Version<'_>,
        runner: &mut Runner,
        Started { result, executed, .. }: &mut Started,
    ) -> Result<(), LabError> {
        for &(batch, row) in tests {
            let index = batch as usize;
            if self.is_done(result, &self.suite.batches[index]) || !self.infects((batch, row), version) {
                continue;
            }
            result.executed += 1;
            executed.push((batch, row));
            let kills = self.slice(index, &[row], version, runner, result)?;
            if !kills.is_empty() {
                // Relations come after inputs, and if both are run, relations decide.
                result.class = Some((batch, row));
            }
            self.note(result, index, kills);
        }
        Ok(())
    }
}
