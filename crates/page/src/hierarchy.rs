//! Which faults stand for all: the dominators, each with what it brings down.

use std::collections::{BTreeMap, HashMap};

use dodona_records::{Binding, DominatorGroup, HierarchyRecord, MutantId, MutantRecord, Place};
use maud::{Markup, html};

use crate::faults::changed;
use crate::words::{counted, filter, inert, plain, sortable};

/// The dominators of one record.
pub(crate) fn hierarchy(file: &str, record: &HierarchyRecord) -> Markup {
    let below = Below::of(record);
    let mut groups: Vec<(&DominatorGroup, Vec<MutantId>)> =
        record.dominators.iter().map(|group| (group, below.brought_down(group))).collect();
    groups.sort_by_key(|(_, down)| std::cmp::Reverse(down.len()));
    let killed: usize = record.graph.nodes.iter().map(|node| node.mutants.len()).sum();
    let table = format!("table-{}", plain(file));
    html! {
        h3 { "Which mutants stand for all, of " (record.subject) }
        @if groups.is_empty() {
            p { "No input kills a mutant, so that there is nothing to put in order." }
        } @else {
            p {
                (counted(groups.len(), "group")) " of mutants stand" (if groups.len() == 1 { "s" } else { "" }) " for all " (killed) " that inputs kill: whatever kills one of each kills every other. "
                "A group has mutants that the same inputs kill, and it brings down those that each of these inputs kills besides. "
                (counted(record.enough_inputs as usize, "input")) " chosen one after the other kill all of them. Every mutant counts here, also those of the same code and those that crash or never end, which a run leaves out. " code { "dodona mutate SUBJECT --list" } " says what each number is."
            }
            @if groups.len() > 10 { (filter(&table, "a place or a change")) }
            div.scroll.tall tabindex="0" role="region" aria-label={ "Dominators of " (record.subject) } {
                table id=(table) data-groups {
                    (sortable(&["Place", "#Mutants", "#Killed by inputs", "#Brings down", "First input"]))
                    @for (group, down) in &groups { (row(group, down, &below)) }
                }
            }
        }
    }
}

fn row(group: &DominatorGroup, down: &[MutantId], below: &Below<'_>) -> Markup {
    let first = group.mutants.first().and_then(|id| below.mutants.get(id));
    html! {
        tbody {
            tr {
                th scope="row" { @match first { Some(mutant) => (place(mutant)), None => "–" } }
                td.number { (group.mutants.len()) }
                td.number { (group.inputs) }
                td.number { (down.len()) }
                td { code { (group.function) "(" (Binding::list(&group.input)) ")" } }
            }
            tr.more { td colspan="5" {
                @if let Some(mutant) = first { (changed(mutant.source_line.as_deref(), &mutant.before, &mutant.after)) }
                (list("Killed by the same inputs", &group.mutants, below))
                (list("Brought down", down, below))
            } }
        }
    }
}

fn place(mutant: &MutantRecord) -> Markup {
    html! { @match mutant.places.first() { Some(place) => (place), None => "–" } " " span.aside { (mutant.operator) } }
}

/// Mutants by the line that they change.
fn list(title: &str, mutants: &[MutantId], below: &Below<'_>) -> Markup {
    let mut lines: BTreeMap<String, Vec<MutantId>> = BTreeMap::new();
    for id in mutants {
        let place = below.mutants.get(id).and_then(|mutant| mutant.places.first());
        let line = place.map(|place| Place { column: None, ..place.clone() });
        let line = line.map_or_else(|| "–".to_owned(), |line| line.to_string());
        lines.entry(line).or_default().push(*id);
    }
    html! {
        @if !mutants.is_empty() {
            details {
                summary { (title) ": " (counted(mutants.len(), "mutant")) " in " (counted(lines.len(), "line")) }
                (inert(&html! { ul { @for (line, mutants) in &lines { li { (line) ": " (ids(mutants)) } } } }))
            }
        }
    }
}

fn ids(mutants: &[MutantId]) -> String {
    mutants.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// What each group of mutants brings down.
struct Below<'r> {
    record: &'r HierarchyRecord,
    mutants: HashMap<MutantId, &'r MutantRecord>,
    /// The node of each mutant.
    nodes: HashMap<MutantId, u32>,
    weaker: HashMap<u32, Vec<u32>>,
}

impl<'r> Below<'r> {
    fn of(record: &'r HierarchyRecord) -> Below<'r> {
        let mut nodes = HashMap::new();
        for (place, node) in (0_u32..).zip(&record.graph.nodes) {
            nodes.extend(node.mutants.iter().map(|id| (*id, place)));
        }
        let mut weaker: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(stronger, one) in &record.graph.edges {
            weaker.entry(stronger).or_default().push(one);
        }
        let mutants = record.mutants.iter().map(|mutant| (mutant.id, mutant)).collect();
        Below { record, mutants, nodes, weaker }
    }

    /// The mutants of all nodes that one can walk down to from that of a group, by ascending number.
    fn brought_down(&self, group: &DominatorGroup) -> Vec<MutantId> {
        let Some(&top) = group.mutants.first().and_then(|id| self.nodes.get(id)) else { return Vec::new() };
        let mut seen = vec![false; self.record.graph.nodes.len()];
        let mut open = vec![top];
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            for &next in self.weaker.get(&node).into_iter().flatten() {
                if let Some(is_seen @ false) = seen.get_mut(next as usize) {
                    *is_seen = true;
                    found.extend(&self.record.graph.nodes[next as usize].mutants);
                    open.push(next);
                }
            }
        }
        found.sort_unstable();
        found
    }
}
