//! How much sooner groups reveal faults in the order of k-MR coverage than in a random one.

use std::fmt::Write as _;

use dodona_generation::adequacy::order;
use dodona_lab::statistics::{Summary, Undetected, apfd};
use dodona_lab::{Shuffled, all_groups, random_groups};
use fixedbitset::FixedBitSet;

use super::effect::{between, heads};
use super::{Criterion, Outcome, Study};

/// The groups of a list: as many as `dodona select --order` prints.
const MOST: usize = 10_000;

/// Shares of the faults that groups reveal, whose first groups are counted.
const SHARES: [f64; 2] = [0.5, 0.9];

/// A line for each criterion: APFD over the faults that some group reveals, and how many groups reveal half and nine tenths of these. A fault
/// that is not among those of the list counts as if a group behind the last revealed it.
pub(crate) fn measured(study: &Study, name: &str) -> Outcome<String> {
    let mut text = format!("subject,criterion,k,suites,groups,{}", heads("apfd", "ordered", "random"));
    for share in SHARES {
        write!(text, ",{share} ordered,{share} random")?;
    }
    text.push('\n');
    let all = all_groups(study.associations());
    let faults = study.revealed.by(&all);
    let groups = all.len().min(MOST);
    let random: Vec<Soon> = (0..study.suites)
        .map(|suite| Soon::of(study, &random_groups(&all, groups, suite as u64), &faults))
        .collect();
    for criterion in &study.criteria {
        let ordered: Vec<Soon> = (0..study.suites)
            .map(|suite| Soon::of(study, &in_order(study, criterion, groups, suite as u64), &faults))
            .collect();
        write!(text, "{name},{},{},{},{groups}", criterion.name, criterion.k, study.suites)?;
        let apfd = |soon: &[Soon]| soon.iter().map(|soon| soon.apfd).collect::<Vec<f64>>();
        write!(text, ",{}", between(&apfd(&ordered), &apfd(&random)))?;
        for share in 0..SHARES.len() {
            write!(text, ",{},{}", median(&ordered, share), median(&random, share))?;
        }
        text.push('\n');
    }
    Ok(text)
}

/// The groups in the order of a criterion, of source inputs, relations and forms numbered anew. Groups that the order leaves out, since their
/// source inputs satisfy no requirement, follow at random.
fn in_order(study: &Study, criterion: &Criterion, groups: usize, seed: u64) -> Vec<(usize, usize)> {
    let shuffled = Shuffled::of(&criterion.requirements, study.associations(), seed * 4);
    let ordered = order(&shuffled.requirements, &shuffled.associations, criterion.k, groups).groups;
    let mut ordered = shuffled.groups(&ordered);
    if ordered.len() < groups {
        let known: std::collections::HashSet<(usize, usize)> = ordered.iter().copied().collect();
        let all = all_groups(study.associations());
        let rest =
            random_groups(&all, all.len(), seed * 4 + 3).into_iter().filter(|group| !known.contains(group));
        ordered.extend(rest.take(groups - known.len()));
    }
    ordered
}

/// How soon a list of groups reveals faults.
struct Soon {
    apfd: f64,
    /// For each of [`SHARES`] how many groups reveal it; infinite where the list does not.
    needed: [f64; 2],
}

impl Soon {
    fn of(study: &Study, groups: &[(usize, usize)], faults: &FixedBitSet) -> Soon {
        let first = study.revealed.first(groups);
        let first: Vec<Option<u64>> = faults.ones().map(|fault| first[fault]).collect();
        let mut sorted: Vec<f64> =
            first.iter().map(|first| first.map_or(f64::INFINITY, |number| number as f64)).collect();
        sorted.sort_by(f64::total_cmp);
        let needed = SHARES.map(|share| {
            let last = (share * sorted.len() as f64).ceil() as usize;
            last.checked_sub(1).map_or(0.0, |last| sorted[last])
        });
        Soon { apfd: apfd(groups.len() as u64, &first, Undetected::Last).unwrap_or(0.0), needed }
    }
}

/// The median over lists of how many groups a share needs; empty where it is beyond the list.
fn median(lists: &[Soon], share: usize) -> String {
    let needed: Vec<f64> = lists.iter().map(|soon| soon.needed[share]).collect();
    let median = Summary::of(&needed).map(|summary| summary.median);
    median.filter(|median| median.is_finite()).map_or(String::new(), |median| median.to_string())
}
