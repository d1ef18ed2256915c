//! Laws over several calls and functions, for people, for programs, and as a file of relations.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use dodona_records::{LawGroup, LawRecord, LawsRecord, LawsStop, LookedAt, MutantId, Share};

use crate::Styles;
use crate::discovery::discovery_words::{proof, score};
use crate::first_screen::{MOST_SHOWN, others, shown};
use crate::pieces::as_many_as_fit;
use crate::text::{Styled, clipped, comment, counted, grouped, heading, one_line};
use crate::unconfirmed::{comment_unconfirmed, unconfirmed_count, write_unconfirmed};
use crate::warnings::{MOST_WARNINGS, write_warnings};

/// Refuted laws that are shown; the record has more.
const MOST_REFUTED: usize = 3;
/// Characters of a refuted law and its counterexample.
const LONGEST: usize = 100;

/// A file of relations (`.mr`): a comment on how it was made, then each law under a sentence and its evidence.
///
/// `command` is how the laws were asked for.
pub fn laws_file(record: &LawsRecord, command: &str) -> String {
    // Writing to a `String` cannot fail.
    let mut out = String::new();
    let LawsRecord { subject, seed, .. } = record;
    comment(&mut out, &format!("Laws of {subject}, found with seed {seed}: read before they are relied on."));
    for group in &record.groups {
        comment(&mut out, &format!("{}.", columns(group)));
    }
    if record.stop != LawsStop::Finished {
        comment(&mut out, "A clock or somebody ended the search, so that another run may find other laws.");
    }
    let _ = writeln!(out, "#   {}", command.replace(char::is_control, " "));
    for law in &record.laws {
        out.push('\n');
        comment(&mut out, &format!("{}: {}", law.words, evidence(record, law)));
        let _ = writeln!(out, "{}", law.text.trim_end());
    }
    comment_unconfirmed(&mut out, &record.unconfirmed);
    out
}

/// `sin, cos: 42 calls, 494 products, 640 executions; 393 of 393 independent laws that these obey follow from those listed`
fn columns(group: &LawGroup) -> String {
    let (functions, rows) = (group.functions.join(", "), counted(group.rows, "execution"));
    match group.looked_at {
        LookedAt::Terms { terms, size } => {
            let terms = counted(terms, "term");
            format!(
                "{functions}: {terms} of sizes up to {size}, {rows}; none of the laws listed is known to follow from the others"
            )
        }
        LookedAt::Products { calls, products, independent, explained, .. } => {
            let (calls, products) = (counted(calls, "call"), counted(products, "product"));
            let explained = match independent {
                Some(independent) => {
                    let (some, all) =
                        (grouped(explained.min(independent)), counted(independent, "independent law"));
                    format!("{some} of {all} that these obey follow from those listed")
                }
                None => "too few executions to say how many independent laws these obey".to_owned(),
            };
            format!("{functions}: {calls}, {products}, {rows}; {explained}")
        }
    }
}

/// `proved; held on 100,000 groups, catches 12 of 300 mutants`
fn evidence(record: &LawsRecord, law: &LawRecord) -> String {
    let held = format!("{}; held on {}", proof(law.proof), counted(law.held, "group"));
    match record.mutants.is_empty() {
        true => held,
        false => format!(
            "{held}, catches {} of {}",
            grouped(law.kills.len() as u64),
            counted(record.mutants.len() as u64, "mutant")
        ),
    }
}

struct Report<'a> {
    record: &'a LawsRecord,
    styles: Styles,
    /// Whether it tells all, and not only what the first screen has room for.
    is_explained: bool,
    /// The most relations that it shows.
    most: usize,
}

impl crate::Report for LawsRecord {
    /// The first screen: the laws that say the most with a sentence each, and what all laws together catch.
    fn terminal(&self, styles: Styles) -> String {
        let report = |most| Report { record: self, styles, is_explained: false, most }.to_string();
        as_many_as_fit(MOST_SHOWN, styles, report)
    }
}

impl crate::Explained for LawsRecord {
    /// All laws, then what was looked at and what was refuted.
    fn explained(&self, styles: Styles) -> String {
        Report { record: self, styles, is_explained: true, most: usize::MAX }.to_string()
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles, is_explained, .. } = self;
        let origin = format!("{}, seed {}", record.manifest, record.seed);
        writeln!(f, "{}", heading(&format!("laws of {}", record.subject), &origin, *styles))?;
        self.laws(f)?;
        if *is_explained || record.laws.is_empty() {
            for group in &record.groups {
                writeln!(f, "  {}", columns(group))?;
            }
            write_unconfirmed(f, &record.unconfirmed, *styles)?;
        } else if let Some(some) = unconfirmed_count(&record.unconfirmed, "more law") {
            writeln!(f, "  {some}")?;
        }
        for skipped in &record.skipped {
            writeln!(f, "  {} was left out: {}", skipped.function, skipped.why)?;
        }
        if *is_explained {
            self.refuted(f)?;
        }
        let most = if *is_explained { usize::MAX } else { MOST_WARNINGS };
        write_warnings(f, &record.warnings, most, *styles)?;
        self.summary(f)?;
        match *is_explained {
            true => Ok(()),
            false => writeln!(f, "  {}", Styled(styles.faint, "--explain tells what was tried and refuted")),
        }
    }
}

impl Report<'_> {
    fn laws(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let laws = &self.record.laws;
        let catches: Vec<&[MutantId]> = laws.iter().map(|law| law.kills.as_slice()).collect();
        let shown = shown(&catches, self.most);
        for (_, law) in laws.iter().enumerate().filter(|(place, _)| shown.contains(place)) {
            writeln!(f, "  {}", Styled(self.styles.strong, law.text.trim_end()))?;
            let sentence = format!("{}; {}", law.words, evidence(self.record, law));
            writeln!(f, "      {}", Styled(self.styles.faint, sentence))?;
        }
        match others(&catches, &shown) {
            Some(others) => writeln!(f, "  {others}"),
            None => Ok(()),
        }
    }
}

impl Report<'_> {
    fn refuted(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for refuted in self.record.refuted.iter().take(MOST_REFUTED) {
            let text = clipped(&one_line(&refuted.text), LONGEST);
            let counterexample = clipped(&one_line(&refuted.counterexample), LONGEST);
            writeln!(f, "  {} {text}", Styled(self.styles.faint, "refuted"))?;
            writeln!(f, "      by {counterexample}")?;
        }
        match self.record.refuted.len().saturating_sub(MOST_REFUTED) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more that were refuted, in the record (--format json)"),
        }
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { record, styles, .. } = self;
        match record.stop {
            LawsStop::Finished => {}
            LawsStop::TimeSpent => writeln!(f, "  the time was up: what is left was not looked at (--time)")?,
            LawsStop::Interrupted => writeln!(f, "  interrupted: what is left was not looked at")?,
        }
        let found = record.laws.len() as u64;
        if found == 0 {
            let tried: u64 = record.groups.iter().map(|group| group.candidates).sum();
            if let Some(some) = unconfirmed_count(&record.unconfirmed, "law") {
                let words = format!("no law was confirmed; {some}");
                return writeln!(f, "{}", Styled(styles.doubtful, words));
            }
            let words = format!(
                "no law was found; {} of recorded executions were tried",
                counted(tried, "candidate")
            );
            return writeln!(f, "{}", Styled(styles.doubtful, words));
        }
        let words = Styled(styles.good, counted(found, "law"));
        if record.mutants.is_empty() {
            return writeln!(f, "{words} in {:.1} s", record.seconds);
        }
        let caught: BTreeSet<_> = record.laws.iter().flat_map(|law| &law.kills).collect();
        let share = Share { covered: caught.len() as u64, total: record.mutants.len() as u64 };
        writeln!(f, "{words} in {:.1} s; together they catch {}", record.seconds, score(share, "mutant"))
    }
}
