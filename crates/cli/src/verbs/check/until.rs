//! `--until-adequate k=3`: source inputs and relations are added until each requirement is tested by k different relations.

use std::collections::BTreeSet;

use clap::Args;
use dodona_lab::{CodeCriterion, UntilAdequate, until_adequate};
use dodona_records::AdequacyRecord;
use dodona_target::Interruption;
use dodona_wasm::Workbench;
use dodona_workbench::{MadeInputs, takes};

use super::CheckArgs;
use crate::failure::Failure;
use crate::open;

/// The most random source inputs, unless `--sources` says otherwise.
const MOST_SOURCES: u64 = 100_000;

/// When a check is long enough.
#[derive(Debug, Args)]
pub(crate) struct UntilArgs {
    /// Add source inputs, then relations that --relation leaves out, until each statement (k=3,branch: each direction of each branch) is tested
    /// with k different relations; --sources is the most then [default: 100000]
    #[arg(long, value_name = "k=K", value_parser = wanted, conflicts_with_all = ["from", "sources_by"])]
    until_adequate: Option<Wanted>,
}

/// How much is adequate.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    k: u16,
    criterion: CodeCriterion,
}

fn wanted(text: &str) -> Result<Wanted, String> {
    let wrong = || "write k=3, or k=3,branch: the number of different relations, from 1 to 65535".to_owned();
    let (k, criterion) = match text.trim().split_once(',') {
        None => (text.trim(), CodeCriterion::Statement),
        Some((k, "branch")) => (k, CodeCriterion::Branch),
        Some((k, "statement")) => (k, CodeCriterion::Statement),
        Some(_) => return Err(wrong()),
    };
    match k.strip_prefix("k=").unwrap_or(k).parse() {
        Ok(k @ 1..) => Ok(Wanted { k, criterion }),
        _ => Err(wrong()),
    }
}

/// Source inputs that are adequate, or as near to it as can be.
pub(super) struct Adequate {
    pub(super) made: Vec<MadeInputs>,
    /// The names of the relations, with those that were added.
    pub(super) relations: Vec<String>,
    /// What was reached, for each function.
    pub(super) records: Vec<AdequacyRecord>,
}

impl UntilArgs {
    /// Adds source inputs and relations for each function that the relations take inputs of. `None` where the option is not given.
    pub(super) fn add(
        &self,
        workbench: &Workbench,
        args: &CheckArgs,
        interrupted: &Interruption,
    ) -> Result<Option<Adequate>, Failure> {
        let Some(wanted) = self.until_adequate else { return Ok(None) };
        let selected = workbench.select(&args.relations.names).map_err(open::lab_failure)?;
        let options = UntilAdequate {
            k: usize::from(wanted.k),
            criterion: wanted.criterion,
            most: args.sources.unwrap_or(MOST_SOURCES),
            seed: args.seed.seed(),
            jobs: args.jobs.threads(),
        };
        let is_fed = |function: &usize| {
            selected.iter().any(|&index| takes(&workbench.relations[index].relation, *function))
        };
        let functions = (0..workbench.functions().len()).filter(is_fed);
        let mut used: BTreeSet<usize> = selected.iter().copied().collect();
        let (mut made, mut records) = (Vec::new(), Vec::new());
        for function in functions {
            let reached = until_adequate(workbench, function, &selected, &options, interrupted)
                .map_err(open::lab_failure)?;
            used.extend(&reached.added);
            let technique = "adequate".to_owned();
            made.push(MadeInputs { function, technique, columns: reached.columns });
            records.push(reached.record);
        }
        let used: Vec<usize> = used.into_iter().collect();
        Ok(Some(Adequate { made, relations: workbench.relation_names(&used), records }))
    }
}
