//! What a check found in words, which are the same in the report for people and in those for continuous integration.

use dodona_records::{CheckRecord, RelationRecord, RelationVerdict, ScheduleRecord, StopReason, Tally};

use crate::text::{counted, grouped};

/// The word for a verdict.
pub(crate) fn word(verdict: RelationVerdict) -> &'static str {
    match verdict {
        RelationVerdict::Holds => "holds",
        RelationVerdict::Violated => "VIOLATED",
        RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed => "UNTESTED",
        RelationVerdict::NotRun => "not run",
    }
}

/// The groups that a relation was tested on, and why it was not on others: `23 groups; 977 skipped (trapped: unreachable)`.
pub(crate) fn counts(relation: &RelationRecord) -> String {
    let tally = &relation.tally;
    let eligible = tally.eligible();
    let mut text = match tally.violated {
        0 => format!("{} groups", grouped(tally.held)),
        violated => format!("{} of {} groups violate it", grouped(violated), grouped(eligible)),
    };
    let mut notes = Vec::new();
    let mut note = |count: u64, words: &str| {
        if count > 0 {
            notes.push(format!("{} {words}", grouped(count)));
        }
    };
    note(tally.rounded, "equal up to rounding only");
    note(tally.absolute, "by the absolute tolerance only");
    note(tally.undefined, "undefined");
    note(tally.follow_up_failed, "by a follow-up that did not return");
    note(tally.condition_false, "ineligible by `when`");
    note(tally.condition_undefined, "ineligible by an undefined `when`");
    note(tally.out_of_domain, "out of domain");
    for (ended, count) in relation.skipped() {
        note(count, &format!("skipped ({ended})"));
    }
    if !notes.is_empty() {
        text += &format!("; {}", notes.join(", "));
    }
    text
}

fn untested_hint(tally: &Tally) -> &'static str {
    let skipped = tally.skipped.values().sum::<u64>();
    if tally.groups() == 0 {
        "give it sources with --sources, or columns for its variables in --from"
    } else if skipped >= tally.out_of_domain && skipped >= tally.condition_false {
        of_statuses(tally).unwrap_or("its source calls never return; look at the domains, or at the function")
    } else if tally.out_of_domain >= tally.condition_false {
        "its inputs are never in the domain; look at domain.NAME and `requires`, or narrow sample.NAME"
    } else {
        "its `when` condition is never true of the sampled inputs; narrow sample.NAME towards it"
    }
}

/// What to do where a web service answers nothing but statuses that say what is wrong.
fn of_statuses(tally: &Tally) -> Option<&'static str> {
    let all = |statuses: &[&str]| {
        let is_one = |ended: &String| {
            ended.strip_prefix("trapped: status ").is_some_and(|status| statuses.contains(&status))
        };
        !tally.skipped.is_empty() && tally.skipped.keys().all(is_one)
    };
    if all(&["401", "403"]) {
        Some("the service does not know who asks; name a header under [target] secrets")
    } else if all(&["404", "405"]) {
        Some("the service has no such path; look at [target] http, and at `request`")
    } else {
        None
    }
}

/// Why a relation was never tested, and what to do.
pub(crate) fn never_tested(relation: &RelationRecord) -> String {
    if relation.verdict() == RelationVerdict::OnlyAllowed {
        let why = match (relation.tally.absolute, relation.tally.rounded) {
            (_, 0) => {
                "only the absolute tolerance decides, so nothing was tested: make it smaller than the values"
            }
            (0, _) => {
                "rounding is as large as the difference of the sides, so nothing was tested: take inputs whose terms do not \
                 cancel each other, or compare something else"
            }
            _ => {
                "only the absolute tolerance or rounding decides, so nothing was tested: take inputs with larger results"
            }
        };
        return format!("in every group {why}");
    }
    format!("no source input was eligible, so nothing was tested: {}", untested_hint(&relation.tally))
}

/// Where a check ended before its end, in words.
pub(crate) fn stopped(record: &CheckRecord) -> Option<String> {
    let StopReason::Interrupted { run, planned } = record.stop else { return None };
    let noun = if record.schedule.is_some() { "runs" } else { "sources" };
    Some(match &record.failure {
        Some(why) => {
            format!("the target failed after {run} of {planned} {noun}, and the counts are of those: {why}")
        }
        None => format!("interrupted after {run} of {planned} {noun}; the counts are of those"),
    })
}

/// How the runs of a budget were spent, in words.
pub(crate) fn scheduled(spent: &ScheduleRecord) -> String {
    let ScheduleRecord { schedule, budget, runs, beside, .. } = spent;
    let explained =
        if *beside > 0 { format!(", and {beside} beside to explain violations") } else { String::new() };
    format!("{runs} of {budget} runs were made, in the order of {schedule}{explained}")
}

/// Why nothing of a subject was checked.
pub(crate) fn not_checked(record: &CheckRecord) -> Option<&String> {
    record.failure.as_ref().filter(|_| record.stop == StopReason::NotStarted)
}

/// That some kept counterexamples were not judged.
pub(crate) fn unread(record: &CheckRecord) -> Option<String> {
    let files = counted(record.unread, "kept counterexample");
    (record.unread > 0).then(|| format!("{files} could not be run or judged; the warnings say why"))
}

/// The relations of all records by verdict: `2 relations: 1 hold, 1 violated; 1,023 metamorphic groups`.
pub(crate) fn sum(records: &[CheckRecord]) -> String {
    let relations: Vec<&RelationRecord> = records.iter().flat_map(|r| &r.relations).collect();
    let count = |v: RelationVerdict| relations.iter().filter(|r| word(r.verdict()) == word(v)).count();
    let groups: u64 = relations.iter().map(|r| r.tally.eligible()).sum();
    let mut parts = vec![format!("{} hold", count(RelationVerdict::Holds))];
    let others = [
        (RelationVerdict::Violated, "violated"),
        (RelationVerdict::NeverEligible, "untested"),
        (RelationVerdict::NotRun, "not run"),
    ];
    let some = others.iter().filter(|(verdict, _)| count(*verdict) > 0);
    parts.extend(some.map(|(verdict, word)| format!("{} {word}", count(*verdict))));
    let all = counted(relations.len() as u64, "relation");
    format!("{all}: {}; {} metamorphic groups", parts.join(", "), grouped(groups))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_of_a_web_service_say_what_to_do() {
        let hint = |ended: &[&str]| {
            let skipped = ended.iter().map(|ended| ((*ended).to_owned(), 5)).collect();
            untested_hint(&Tally { skipped, ..Tally::default() })
        };
        assert!(hint(&["trapped: status 401"]).contains("[target] secrets"));
        assert!(hint(&["trapped: status 404", "trapped: status 405"]).contains("[target] http"));
        for other in [&["trapped: status 404", "trapped: status 500"][..], &["trapped: unreachable"]] {
            assert!(hint(other).contains("look at the domains"), "{other:?}");
        }
    }
}
