//! `--until-adequate k=3`: source inputs and relations are added until each requirement is tested by k different relations.

use clap::Args;
use dodona_lab::{CodeCriterion, Criterion, UntilAdequate};

use super::CheckArgs;

/// The most random source inputs, unless `--sources` says otherwise.
const MOST_SOURCES: u64 = 100_000;

/// When a check is long enough.
#[derive(Debug, Args)]
pub(crate) struct UntilArgs {
    /// Add source inputs, then relations that --relation leaves out, until each statement (k=3,branch: each direction of each branch; k=2,io-ctf: each
    /// input-and-output frame) is tested with k different relations; --sources is the most then [default: 100000]
    #[arg(long, value_name = "k=K", value_parser = wanted, conflicts_with_all = ["from", "sources_by"])]
    until_adequate: Option<Wanted>,
}

/// How much is adequate.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    k: u16,
    criterion: Criterion,
}

fn wanted(text: &str) -> Result<Wanted, String> {
    let names = || Criterion::ALL.map(Criterion::name).join(", ");
    let wrong = || {
        format!(
            "write k=3, or k=3,branch: the number of different relations, from 1 to 65535, and one of {}",
            names()
        )
    };
    let (k, criterion) = match text.trim().split_once(',') {
        None => (text.trim(), Some(Criterion::Code(CodeCriterion::Statement))),
        Some((k, name)) => (k, Criterion::ALL.into_iter().find(|criterion| criterion.name() == name)),
    };
    let criterion = criterion.ok_or_else(wrong)?;
    match k.strip_prefix("k=").unwrap_or(k).parse() {
        Ok(k @ 1..) => Ok(Wanted { k, criterion }),
        _ => Err(wrong()),
    }
}

impl UntilArgs {
    /// What is adequate; `None` where the option is not given.
    pub(super) fn options(&self, args: &CheckArgs) -> Option<UntilAdequate> {
        self.until_adequate.map(|wanted| UntilAdequate {
            k: usize::from(wanted.k),
            criterion: wanted.criterion,
            most: args.sources.unwrap_or(MOST_SOURCES),
            seed: args.seed.seed(),
            jobs: args.jobs.threads(),
        })
    }
}
