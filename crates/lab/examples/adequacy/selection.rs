//! What the selection of groups loses against all groups, and what it gains over random suites.

use std::fmt::Write as _;

use dodona_generation::adequacy::{random_suite, select};
use dodona_lab::statistics::Summary;
use dodona_lab::{Shuffled, all_groups, random_groups};

use super::effect::{between, heads};
use super::{Criterion, Outcome, Study};

/// The degrees that are asked for; 0.9 is what `dodona select` reaches where nothing else is said, and 1 ends where no group adds anything.
const DEGREES: [f64; 3] = [0.5, 0.9, 1.0];

/// A line for each criterion and degree. Each selection is of source inputs, relations and forms numbered anew, and is compared with as many
/// random groups of all that were executed, and with a random suite of the same degree (the study's, section IV-E).
pub(crate) fn measured(study: &Study, name: &str) -> Outcome<String> {
    let mut text = String::from("subject,criterion,k,wanted,suites,all groups,all fde,all dominators,");
    text += &[heads("fde", "selected", "random"), heads("dominators", "selected", "random")].join(",");
    text += &format!(",groups,least,degree,grown groups,{}\n", heads("grown fde", "selected", "grown"));
    for criterion in &study.criteria {
        for degree in DEGREES {
            line(study, name, criterion, degree, &mut text)?;
        }
    }
    Ok(text)
}

fn line(study: &Study, name: &str, criterion: &Criterion, degree: f64, text: &mut String) -> Outcome<()> {
    let all = all_groups(study.associations());
    let [all_faults, all_dominators] = study.shares(&all);
    let mut made = Suites::default();
    for suite in 0..study.suites {
        made.add(study, criterion, degree, &all, suite as u64);
    }
    let mean = |values: &[f64]| Summary::of(values).map_or(0.0, |summary| summary.mean);
    write!(text, "{name},{},{},{degree},{}", criterion.name, criterion.k, study.suites)?;
    write!(text, ",{},{all_faults:.4},{all_dominators:.4}", all.len())?;
    for figure in 0..2 {
        write!(text, ",{}", between(&made.selected[figure], &made.random[figure]))?;
    }
    write!(text, ",{:.1},{},{:.4}", mean(&made.groups), made.least, mean(&made.degrees))?;
    let grown = between(&made.selected[0], &made.grown);
    writeln!(text, ",{:.1},{grown}", mean(&made.grown_groups))?;
    Ok(())
}

/// What suites come to: shares of the faults and of the dominators, sizes and degrees.
#[derive(Default)]
struct Suites {
    selected: [Vec<f64>; 2],
    random: [Vec<f64>; 2],
    grown: Vec<f64>,
    groups: Vec<f64>,
    grown_groups: Vec<f64>,
    degrees: Vec<f64>,
    least: usize,
}

impl Suites {
    fn add(&mut self, study: &Study, criterion: &Criterion, degree: f64, all: &[(usize, usize)], suite: u64) {
        let shuffled = Shuffled::of(&criterion.requirements, study.associations(), suite * 4);
        let selection = select(&shuffled.requirements, &shuffled.associations, criterion.k, degree);
        let drawn = random_groups(all, selection.groups.len(), suite * 4 + 3);
        let selected = study.shares(&shuffled.groups(&selection.groups));
        for (figure, values) in study.shares(&drawn).into_iter().enumerate() {
            self.selected[figure].push(selected[figure]);
            self.random[figure].push(values);
        }
        self.groups.push(selection.groups.len() as f64);
        self.degrees.push(selection.degree);
        self.least = selection.least;
        // A suite of the same degree, whose groups are drawn one after the other as long as they add something. The margin is for rounding.
        let range = (selection.degree - 1e-9, 1.0);
        let grown =
            random_suite(&criterion.requirements, study.associations(), criterion.k, range, suite + 1);
        if let Some(grown) = grown {
            self.grown.push(study.shares(&grown.groups)[0]);
            self.grown_groups.push(grown.groups.len() as f64);
        }
    }
}
