//! k-MR coverage and selections of groups, for people and for programs.

use std::fmt;

use dodona_records::{AdequacyRecord, Binding, RequirementRecord, SelectionRecord};

use crate::Styles;
use crate::layout::fitted;
use crate::pieces::as_many_as_fit;
use crate::text::{Styled, counted, grouped};

/// Requirements and groups that a first screen lists one by one.
const MOST_LISTED: usize = 20;

impl crate::Report for AdequacyRecord {
    /// How adequately a function is tested, with as many of the requirements that lack tests as a screen has room for.
    fn terminal(&self, styles: Styles) -> String {
        as_many_as_fit(MOST_LISTED, styles, |most| Adequacy { record: self, styles, most }.to_string())
    }

    /// The same with all of them.
    fn whole(&self, styles: Styles) -> String {
        fitted(&Adequacy { record: self, styles, most: usize::MAX }.to_string(), styles.width)
    }
}

impl crate::Report for SelectionRecord {
    /// The first of the groups that were selected.
    fn terminal(&self, styles: Styles) -> String {
        as_many_as_fit(MOST_LISTED, styles, |most| Selection { record: self, styles, most }.to_string())
    }

    /// All groups that were selected.
    fn whole(&self, styles: Styles) -> String {
        fitted(&Selection { record: self, styles, most: usize::MAX }.to_string(), styles.width)
    }
}

struct Adequacy<'a> {
    record: &'a AdequacyRecord,
    styles: Styles,
    most: usize,
}

impl fmt::Display for Adequacy<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Adequacy { record, styles, most } = self;
        if record.requirements.is_empty() {
            writeln!(
                f,
                "{}: no requirement of the criterion {}",
                Styled(styles.strong, &record.function),
                record.criterion
            )?;
            return notes(f, record, *styles);
        }
        let full = record.requirements.iter().filter(|r| r.missing == 0).count() as u64;
        writeln!(
            f,
            "{}: {}-MR coverage of {} {:.3}; {} of {} {} by at least {}",
            Styled(styles.strong, &record.function),
            record.k,
            record.criterion,
            record.degree,
            grouped(full),
            counted(record.requirements.len() as u64, "requirement"),
            if full == 1 { "is tested" } else { "are tested" },
            match record.k {
                1 => "1 relation".to_owned(),
                k => format!("{k} different relations"),
            },
        )?;
        writeln!(
            f,
            "  {} of {}, {}, {}",
            counted(record.relations, "relation"),
            counted(record.forms.len() as u64, "form"),
            counted(record.sources, "source input"),
            counted(record.associations, "association"),
        )?;
        missing(f, record, *styles, *most)?;
        reached(f, record, *styles)?;
        neighbours(f, record)?;
        notes(f, record, *styles)
    }
}

/// The greatest k that all requirements reach, and that one of them reaches.
fn reached(f: &mut fmt::Formatter<'_>, record: &AdequacyRecord, styles: Styles) -> fmt::Result {
    if record.reachable < record.k {
        let words = match record.reachable {
            0 => {
                "no k is reached by every requirement: some are satisfied by no source input with a relation"
                    .to_owned()
            }
            k => format!("every requirement reaches k = {k}; a greater one needs relations of other forms"),
        };
        writeln!(f, "  {}", Styled(styles.doubtful, words))?;
    }
    if (1..record.k).contains(&record.greatest) {
        let words = format!("no requirement reaches more than k = {} with these relations", record.greatest);
        writeln!(f, "  {}", Styled(styles.doubtful, words))?;
    }
    Ok(())
}

/// What the neighbours of k-MR coverage say: ECCEM, APCEM and APPCEM.
fn neighbours(f: &mut fmt::Formatter<'_>, record: &AdequacyRecord) -> fmt::Result {
    if let Some(eccem) = record.eccem {
        writeln!(f, "  a relation covers {:.1} % of the frames on average (ECCEM)", 100.0 * eccem)?;
    }
    if let Some(paths) = &record.paths {
        writeln!(
            f,
            "  a relation covers {:.1} % of {} that the groups take on average (APCEM), {:.1} % of their pairs (APPCEM)",
            100.0 * paths.apcem,
            counted(paths.paths, "path"),
            100.0 * paths.appcem,
        )?;
    }
    Ok(())
}

/// Violated relations and warnings.
fn notes(f: &mut fmt::Formatter<'_>, record: &AdequacyRecord, styles: Styles) -> fmt::Result {
    for name in &record.violated {
        writeln!(f, "  {}", Styled(styles.bad, format!("violated: {name}; `dodona check` shows it")))?;
    }
    for warning in &record.warnings {
        writeln!(f, "  {}", Styled(styles.doubtful, format!("warning: {warning}")))?;
    }
    Ok(())
}

/// The requirements that are not tested enough, those that lack most first.
fn missing(f: &mut fmt::Formatter<'_>, record: &AdequacyRecord, styles: Styles, most: usize) -> fmt::Result {
    let mut open: Vec<&RequirementRecord> = record.requirements.iter().filter(|r| r.missing > 0).collect();
    open.sort_by_key(|requirement| std::cmp::Reverse(requirement.missing));
    for requirement in open.iter().take(most) {
        let words = match (&requirement.best, &requirement.shown) {
            (None, None) => "no source input satisfies it".to_owned(),
            (None, Some(shown)) => {
                format!("no source input satisfies it; {} would", Binding::input(shown))
            }
            (Some(best), _) => {
                format!("{} more for {}", counted(requirement.missing, "relation"), Binding::input(best))
            }
        };
        writeln!(f, "  {}: {}", requirement.name, Styled(styles.faint, words))?;
    }
    match open.len().checked_sub(most) {
        Some(more @ 1..) => writeln!(f, "  … and {more} more (--all)"),
        _ => Ok(()),
    }
}

struct Selection<'a> {
    record: &'a SelectionRecord,
    styles: Styles,
    most: usize,
}

impl fmt::Display for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Selection { record, styles, most } = self;
        let adequacy = &record.adequacy;
        write!(f, "{}: ", Styled(styles.strong, &adequacy.function))?;
        let degree = format!("{}-MR coverage of {} {:.3}", adequacy.k, adequacy.criterion, record.degree);
        let groups = counted(record.groups.len() as u64, "group");
        let enough = record.enough.unwrap_or(record.groups.len() as u64);
        match record.enough {
            None => {
                write!(f, "{groups} of {} reach {degree}", counted(adequacy.associations, "association"))?
            }
            Some(enough) => write!(f, "{groups} in order; the first {enough} reach {degree}")?,
        }
        match record.least {
            least if least == enough && least > 0 => writeln!(f, "; no fewer do")?,
            0 | 1 => writeln!(f)?,
            least => writeln!(f, "; at least {least} are needed")?,
        }
        if record.degree < record.wanted {
            let words = format!("{:.3} was asked for; no group adds anything", record.wanted);
            writeln!(f, "  {}", Styled(styles.doubtful, words))?;
        }
        if let Some(shares) = record.paths {
            let [apc, apcem, appcem] = shares.map(|share| 100.0 * share);
            writeln!(
                f,
                "  they cover {apc:.1} % of the paths that the groups of this run take (APC), {apcem:.1} % of those that each relation takes (APCEM), {appcem:.1} % of their pairs (APPCEM)"
            )?;
        }
        notes(f, adequacy, *styles)?;
        for (number, group) in record.groups.iter().take(*most).enumerate() {
            writeln!(f, "  {}. {}: {}", number + 1, group.relation, Binding::list(&group.source))?;
        }
        match record.groups.len().checked_sub(*most) {
            Some(more @ 1..) => writeln!(f, "  … and {more} more (--all)"),
            _ => Ok(()),
        }
    }
}
