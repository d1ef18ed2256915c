//! The report of a comparison of techniques for people.

use std::fmt;

use dodona_records::{ComparisonRecord, Difference, FaultyVersions, Spread};

use super::csv_comparison;
use crate::layout::fitted;
use crate::pieces::LINES;
use crate::table::Table;
use crate::text::{Styled, counted, grouped, name, widest};
use crate::{Format, Styles};

/// The most faults whose shares are listed one by one.
const MOST_FAULTS: usize = 12;

struct Report<'a> {
    record: &'a ComparisonRecord,
    styles: Styles,
    is_whole: bool,
}

impl crate::Report for ComparisonRecord {
    const OTHERS: &'static [Format] = &[Format::Csv];

    /// Tables of a comparison: means a technique, detection rates, and the first technique against the others. Where that is longer than a screen, the tables of
    /// single faults and of tests are left out.
    fn terminal(&self, styles: Styles) -> String {
        let report = |is_whole| Report { record: self, styles, is_whole }.to_string();
        let whole = report(true);
        if fitted(&whole, styles.width).lines().count() <= LINES { whole } else { report(false) }
    }

    /// The same with all tables.
    fn whole(&self, styles: Styles) -> String {
        fitted(&Report { record: self, styles, is_whole: true }.to_string(), styles.width)
    }

    fn other(&self, format: Format) -> Option<String> {
        match format {
            Format::Csv => Some(csv_comparison(self)),
            _ => None,
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        if self.record.faults.is_empty() {
            writeln!(f, "  no input of any suite detects one of them")?;
        } else {
            writeln!(
                f,
                "\n  {}",
                self.words("detected by the first so many of a suite, in % of all faulty versions")
            )?;
            self.rates(f)?;
        }
        writeln!(f)?;
        self.techniques(f)?;
        if self.is_whole {
            self.differences(f)?;
            self.faults(f)?;
        } else {
            writeln!(f, "  {}", self.words("the first technique against the others, and each fault: --all"))?;
        }
        let doubtful = self.styles.doubtful;
        let mut warnings = self.record.warnings.iter();
        warnings.try_for_each(|words| writeln!(f, "  {}", Styled(doubtful, format!("warning: {words}"))))
    }
}

impl Report<'_> {
    fn words<'a>(&self, words: &'a str) -> Styled<&'a str> {
        Styled(self.styles.faint, words)
    }

    fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ComparisonRecord { subject, function, manifest, seed, .. } = self.record;
        let (subject, origin) = (name(subject), name(&format!("{manifest}, seed {seed}")));
        writeln!(f, "{} of {subject} {}", Styled(self.styles.strong, function), self.words(&origin))?;
        let ComparisonRecord { repeats, count, different_inputs, relations, .. } = self.record;
        writeln!(
            f,
            "  {} a technique, of {} each; {} different ones in all",
            counted(*repeats, "suite"),
            counted(*count, "input"),
            grouped(*different_inputs),
        )?;
        writeln!(
            f,
            "  {} by {}, of {}",
            counted(self.record.faults.len() as u64, "fault"),
            counted(relations.len() as u64, "relation"),
            self.versions(),
        )
    }

    /// `137 mutants that are not proved equivalent or duplicates, of 162`.
    fn versions(&self) -> String {
        let candidates = self.record.candidates;
        match &self.record.versions {
            FaultyVersions::Mutants { mutants, equivalent, duplicates, .. } => format!(
                "{}: {mutants} in all - {equivalent} equivalent - {duplicates} duplicate",
                counted(candidates, "mutant"),
            ),
            FaultyVersions::Folders { .. } => counted(candidates, "faulty version"),
        }
    }

    fn rates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Table::new(&["technique", "10%", "20%", "30%", "40%", "50%", "60%", "70%", "80%", "90%", "100%"]);
        for row in &self.record.techniques {
            let rates = row.rates.iter().map(|rate| percent(*rate));
            let cells: Vec<String> = [row.technique.clone()].into_iter().chain(rates).collect();
            if cells.len() > ComparisonRecord::PERCENT.len() {
                table.push(cells);
            }
        }
        table.write(f, self.styles)
    }

    fn techniques(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&[
            "technique",
            "order",
            "inputs",
            "APFD",
            "sd",
            "score",
            "sd",
            "generated in",
            "ordered in",
            "PO",
        ]);
        for row in &self.record.techniques {
            let both = |spread: Option<Spread>| {
                let mean = spread.map_or_else(|| "-".to_owned(), |spread| percent(spread.mean));
                (mean, spread.and_then(|spread| spread.sd).map_or_else(|| "-".to_owned(), percent))
            };
            let ((apfd, apfd_sd), (score, score_sd)) = (both(row.apfd), both(row.score));
            table.push(vec![
                row.technique.clone(),
                row.order.clone(),
                format!("{:.1}", row.inputs.mean),
                apfd,
                apfd_sd,
                score,
                score_sd,
                format!("{:.3} ms", row.generation.mean),
                format!("{:.3} ms", row.ordering.mean),
                row.overhead.map_or_else(|| "-".to_owned(), |share| format!("{:.3}%", 100.0 * share)),
            ]);
        }
        table.write(f, self.styles)
    }

    fn differences(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defined = self.record.differences.iter().any(|row| row.apfd.is_some());
        if !defined {
            return Ok(());
        }
        let mut tests = Table::new(&["APFD", "t", "df", "p", "Cohen's d"]);
        let mut rates = Table::new(&[
            "p of rates",
            "10%",
            "20%",
            "30%",
            "40%",
            "50%",
            "60%",
            "70%",
            "80%",
            "90%",
            "100%",
        ]);
        for row in &self.record.differences {
            let name = format!("{} against {}", row.technique, row.against);
            let Some(Difference { t, df, p, d }) = row.apfd else { continue };
            tests.push(vec![name.clone(), short(t), format!("{df:.1}"), p_value(p), short(d)]);
            let ps = row.rates.iter().map(|test| test.map_or_else(|| "-".to_owned(), |test| p_value(test.p)));
            rates.push([name].into_iter().chain(ps).collect());
        }
        writeln!(f)?;
        tests.write(f, self.styles)?;
        writeln!(f)?;
        rates.write(f, self.styles)
    }

    /// The share of suites that detect each fault, where there are few.
    fn faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = &self.record.faults;
        if faults.is_empty() || faults.len() > MOST_FAULTS {
            return Ok(());
        }
        let width = widest(faults.iter().map(|fault| &fault.fault));
        writeln!(f, "\n  {}", self.words("suites that detect each fault"))?;
        for fault in faults {
            let shares = self.record.techniques.iter().zip(&fault.detected);
            let shares: Vec<String> =
                shares.map(|(row, share)| format!("{} {}%", row.technique, percent(*share))).collect();
            writeln!(f, "  {:<width$}  {}", fault.fault, shares.join("  "))?;
        }
        Ok(())
    }
}

/// A share as per cent with two digits.
fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

fn short(x: f64) -> String {
    format!("{x:.3}")
}

fn p_value(p: f64) -> String {
    if p == 0.0 || p >= 1e-3 { format!("{p:.3}") } else { format!("{p:.1e}") }
}
