//! Which input reveals which mutant, as a heat map, and how soon a suite in its order does.

use std::collections::BTreeMap;

use dodona_records::{KillMatrix, Section, SectionKind};
use maud::{Markup, html};

use crate::chart;
use crate::detection::{area, curve, greedy, line};
use crate::heat::{Heat, Row};
use crate::words::counted;

/// The sections of a matrix: inputs as they are, the groups of relations folded away.
pub(crate) fn kills(matrix: &KillMatrix) -> Markup {
    let parts: Vec<Part<'_>> = (0..matrix.sections().len()).map(|place| Part::of(matrix, place)).collect();
    let (inputs, relations): (Vec<&Part<'_>>, Vec<&Part<'_>>) =
        parts.iter().partition(|part| part.section.kind == SectionKind::Inputs);
    html! {
        @for part in inputs { h3 { (part.title()) } (part.content()) }
        @for part in relations { details { summary { (part.title()) } (part.content()) } }
    }
}

/// One section of a matrix: the tests of a function or a relation.
struct Part<'m> {
    matrix: &'m KillMatrix,
    section: &'m Section,
    /// For each test the rows that it kills, ascending.
    tests: Vec<Vec<usize>>,
    /// The rows that some test kills.
    killed: Vec<usize>,
}

impl<'m> Part<'m> {
    fn of(matrix: &'m KillMatrix, place: usize) -> Part<'m> {
        let kills = |test: usize| (0..matrix.rows()).filter(|row| matrix.kills(*row, test)).collect();
        let tests: Vec<Vec<usize>> =
            (matrix.first_test(place)..matrix.first_test(place + 1)).map(kills).collect();
        let mut killed: Vec<usize> = tests.iter().flatten().copied().collect();
        killed.sort_unstable();
        killed.dedup();
        Part { matrix, section: &matrix.sections()[place], tests, killed }
    }

    fn title(&self) -> String {
        let name = &self.section.name;
        match self.section.kind {
            SectionKind::Inputs => format!("Which input of {name} reveals which mutant"),
            SectionKind::Relation => format!("Which metamorphic group of {name} catches which mutant"),
        }
    }

    fn test(&self) -> &'static str {
        if self.section.kind == SectionKind::Inputs { "input" } else { "group" }
    }

    fn content(&self) -> Markup {
        html! {
            @if self.killed.is_empty() {
                p.weak { "None of " (counted(self.tests.len(), self.test())) " tells one of " (counted(self.matrix.rows(), "mutant")) " from the original." }
            } @else {
                (self.detection())
                (self.heat().figure())
            }
        }
    }

    /// How many of the mutants that some test kills the first tests kill, in their order and in the best order that a greedy choice finds.
    fn detection(&self) -> Markup {
        let (all, test) = (self.killed.len(), self.test());
        let in_order = curve(&self.tests, &(0..self.tests.len()).collect::<Vec<_>>());
        let best = curve(&self.tests, &greedy(&self.tests));
        let enough = best.iter().take_while(|killed| **killed < all).count() + 1;
        let lines = [("in the order of the run", &in_order), ("best first, chosen greedily", &best)].map(
            |(name, curve)| {
                let apfd = area(curve).map_or_else(String::new, |apfd| format!(": APFD {apfd:.3}"));
                line(format!("{name}{apfd}"), curve, all)
            },
        );
        let title = format!("Mutants that the first {test}s kill, percent of those that some {test} kills");
        html! {
            p {
                (all) " of " (counted(self.matrix.rows(), "mutant")) " are killed by " (counted(self.tests.len(), test)) "; "
                (counted(enough, test)) " " (if enough == 1 { "is" } else { "are" }) " enough. "
                "APFD is the average percentage of faults detected: the area below a curve. Every mutant counts here, also those of the same code and those that crash or never end, which a run leaves out. " code { "dodona mutate SUBJECT --list" } " says what each number is."
            }
            @if let Some(chart) = chart::growth(&title, self.tests.len() as f64, "", &lines) { (chart) }
        }
    }

    /// The map. Tests that kill the same mutants are one row, mutants that the same tests kill one column: a person reads families, and there are fewer of them.
    fn heat(&self) -> Heat {
        let killing = self.tests.iter().enumerate().filter(|(_, kills)| !kills.is_empty());
        let mut rows = families(killing.map(|(test, kills)| (kills.clone(), test)));
        rows.sort_by_key(|(kills, tests)| (std::cmp::Reverse(kills.len()), tests[0]));
        // Which rows of the map kill each mutant.
        let mut killers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (row, (kills, _)) in rows.iter().enumerate() {
            kills.iter().for_each(|mutant| killers.entry(*mutant).or_default().push(row));
        }
        let columns = families(killers.into_iter().map(|(mutant, rows)| (rows, mutant)));
        let test = self.test();
        let said = format!(
            "{}, merged where they kill the same mutants, and {}, merged where the same {test}s kill them: {} by {}",
            counted(self.tests.len(), test),
            counted(self.killed.len(), "mutant"),
            counted(rows.len(), "row"),
            counted(columns.len(), "column")
        );
        let row = |(kills, tests): &(Vec<usize>, Vec<usize>)| Row {
            name: and_others(format!("{test} {}", tests[0] + 1), tests.len()),
            more: counted(kills.len(), "mutant"),
            link: None,
        };
        let name = |mutants: &[usize]| and_others(self.matrix.row_name(mutants[0]), mutants.len());
        let columns = columns.iter().map(|(rows, mutants)| (name(mutants), rows.as_slice())).collect();
        let verbs = match self.section.kind {
            SectionKind::Inputs => ["reveals", "does not reveal"],
            SectionKind::Relation => ["catches", "does not catch"],
        };
        Heat::new(rows.iter().map(row).collect(), columns, verbs, said)
    }
}

/// Things with the same key, in the order of the keys.
fn families(all: impl Iterator<Item = (Vec<usize>, usize)>) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut families: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (key, one) in all {
        families.entry(key).or_default().push(one);
    }
    families.into_iter().collect()
}

/// `M3`, `M3 and 1 other`, `M3 and 5 others`
fn and_others(name: String, count: usize) -> String {
    if count == 1 { name } else { format!("{name} and {}", counted(count - 1, "other")) }
}
