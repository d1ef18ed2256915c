//! Drafts that are read again.

use std::path::Path;

use dodona_openapi::{Api, Called, Changes, Draft, candidates, draft};
use dodona_subject::Manifest;
use dodona_target::Signature;

/// Drafts, and reads what was drafted: the manifest as it is, and relations against its signatures.
pub(crate) fn drafted(api: &Api, changes: Changes) -> Draft {
    let reset = (changes == Changes::Undone).then_some("POST /reset");
    let draft = draft(api, "drafted", Called { address: Some("http://127.0.0.1:8000"), reset });
    if draft.functions > 0 {
        let read = Manifest::parse(Path::new("dodona.toml"), &draft.manifest);
        assert!(read.is_ok(), "{:#?}\n{}", read.err(), draft.manifest);
    }
    let found = candidates(api, changes);
    let signatures: Vec<Signature> =
        found.functions.iter().map(|function| function.signature(&api.operations)).collect();
    let file = dodona_relations::parse(&draft.relations);
    let file = file.unwrap_or_else(|problems| panic!("{problems:#?}\n{}", draft.relations));
    let checked = dodona_relations::check(&file, &signatures);
    assert!(checked.is_ok(), "{:#?}\n{}", checked.err(), draft.relations);
    draft
}
