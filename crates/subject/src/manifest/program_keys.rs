//! The keys of a function's entry that say how a program is run for it, or how a request is made.

use super::section::{Item, Section};

/// The keys of a function that say how a program is run for it, or how a request is made.
#[derive(Clone, Copy, Default)]
pub(super) struct ProgramKeys<'a> {
    pub(super) command: Option<Item<'a>>,
    pub(super) stdin: Option<Item<'a>>,
    pub(super) files: Option<Item<'a>>,
    pub(super) request: Option<Item<'a>>,
    pub(super) query: Option<Item<'a>>,
    pub(super) headers: Option<Item<'a>>,
    pub(super) json: Option<Item<'a>>,
    pub(super) form: Option<Item<'a>>,
    pub(super) setup: Option<Item<'a>>,
    pub(super) output: Option<Item<'a>>,
    pub(super) outputs: Option<Item<'a>>,
}

type Given<'a> = Vec<(&'static str, Item<'a>)>;

impl<'a> ProgramKeys<'a> {
    /// Those of an entry.
    pub(super) fn of(section: &Section<'a>) -> ProgramKeys<'a> {
        ProgramKeys {
            command: section.get("command"),
            stdin: section.get("stdin"),
            files: section.get("files"),
            request: section.get("request"),
            query: section.get("query"),
            headers: section.get("headers"),
            json: section.get("json"),
            form: section.get("form"),
            setup: section.get("setup"),
            output: section.get("output"),
            outputs: section.get("outputs"),
        }
    }

    /// Those of a program alone that are there.
    pub(super) fn of_program(&self) -> Given<'a> {
        there([("command", self.command), ("stdin", self.stdin), ("files", self.files)])
    }

    /// Those of a request alone that are there.
    pub(super) fn of_request(&self) -> Given<'a> {
        there([
            ("request", self.request),
            ("query", self.query),
            ("headers", self.headers),
            ("json", self.json),
            ("form", self.form),
            ("setup", self.setup),
        ])
    }

    /// All that are there.
    pub(super) fn given(&self) -> Given<'a> {
        let outputs = there([("output", self.output), ("outputs", self.outputs)]);
        [self.of_program(), self.of_request(), outputs].concat()
    }
}

fn there<'a, const N: usize>(keys: [(&'static str, Option<Item<'a>>); N]) -> Given<'a> {
    keys.into_iter().filter_map(|(key, item)| Some((key, item?))).collect()
}
