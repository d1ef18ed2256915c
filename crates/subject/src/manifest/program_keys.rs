//! The keys of a function's entry that say how a program is run for it.

use super::section::{Item, Section};

/// The keys of a function that say how a program is run for it.
#[derive(Clone, Copy, Default)]
pub(super) struct ProgramKeys<'a> {
    pub(super) command: Option<Item<'a>>,
    pub(super) stdin: Option<Item<'a>>,
    pub(super) files: Option<Item<'a>>,
    pub(super) output: Option<Item<'a>>,
    pub(super) outputs: Option<Item<'a>>,
}

impl<'a> ProgramKeys<'a> {
    /// Those of an entry.
    pub(super) fn of(section: &Section<'a>) -> ProgramKeys<'a> {
        ProgramKeys {
            command: section.get("command"),
            stdin: section.get("stdin"),
            files: section.get("files"),
            output: section.get("output"),
            outputs: section.get("outputs"),
        }
    }

    /// Those that are there.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, Item<'a>)> {
        let ProgramKeys { command, stdin, files, output, outputs } = *self;
        let all = [
            ("command", command),
            ("stdin", stdin),
            ("files", files),
            ("output", output),
            ("outputs", outputs),
        ];
        all.into_iter().filter_map(|(key, item)| Some((key, item?)))
    }
}
