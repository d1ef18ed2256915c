//! What the words of the page mean, and what it could show besides.

use maud::{Markup, html};

/// Words of the field and of Dodona that a person may meet here for the first time.
const WORDS: [(&str, &str); 14] = [
    (
        "relation",
        "A metamorphic relation: what has to hold between several calls of a function, whatever the right result of each is.",
    ),
    (
        "metamorphic group",
        "The calls that a relation makes for one source input: that input and those that follow from it.",
    ),
    (
        "eligible",
        "A group that fulfils the conditions of its relation and lies in its domains. A relation says nothing of others, and they count as no success.",
    ),
    ("holds", "No eligible group violates the relation, and there was one. It is no proof."),
    ("proved", "No input at all violates it, on any path through the code."),
    ("accepted, found", "A person put an accepted relation into a file. One that was found waits for that."),
    ("fault", "A small change of the code, a mutant, for which some input gives something else than before."),
    (
        "reveals, kills",
        "An input reveals, or kills, a mutant whose output for it differs from that of the code as it is. A test kills what it can tell.",
    ),
    (
        "catches",
        "A relation catches a fault if it holds on the code and is violated on the changed code for some input: no right output is known for it.",
    ),
    (
        "AOR, ROR, CRP, …",
        "The kinds of changes that mutants are: an arithmetic or relational operator, a constant. `dodona mutate --help` has them.",
    ),
    (
        "form",
        "What a relation says of outputs, whatever it does to inputs: that two are equal, say. Relations of the same form find much of the same.",
    ),
    (
        "APFD",
        "The average percentage of faults detected: how soon inputs in an order detect faults; 1 would be at once.",
    ),
    ("requirement", "A direction of a branch, or a statement, that some input should take."),
    (
        "degree",
        "What all requirements reach together, each at most k relations of different forms, of k times their number.",
    ),
];

/// Commands whose results stand on a page if they are given with `--with`, and what they show.
const MORE: [(&str, &str); 4] = [
    ("dodona mutate SUBJECT --matrix kills.matrix", "which input reveals which fault, and how soon"),
    ("dodona hierarchy SUBJECT --format json > hierarchy.json", "which faults stand for all others"),
    (
        "dodona compare SUBJECT --format json > compare.json",
        "how soon inputs detect faults that are made in several ways",
    ),
    ("dodona adequacy SUBJECT --k 3 --format json > adequacy.json", "other criteria, other k"),
];

pub(crate) fn glossary() -> Markup {
    html! {
        dl.words { @for (word, meaning) in WORDS { dt { (word) } dd { (meaning) } } }
        h3 { "What this page can show besides" }
        p { "Each of these writes a file; " code { "dodona report --with FILE" } " adds it." }
        ul { @for (command, shows) in MORE { li { code { (command) } ": " (shows) } } }
    }
}
