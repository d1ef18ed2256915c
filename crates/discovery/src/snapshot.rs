//! The record of a discovery before its end: what it is about, and the relations that are known by now.

use dodona_records::{
    DiscoveryPairs, DiscoveryRecord, DiscoveryStop, DiscoveryWork, FORMAT_VERSION, LeftOut,
    UnconfirmedRelation,
};

use crate::DiscoverOptions;
use crate::analysis::named;
use crate::chosen::{Chosen, Form};
use crate::relation_of::free;
use crate::sources::SourceInputs;
use crate::target::DiscoveryTarget;

/// The record of a discovery that has its source inputs, and has not found anything yet.
pub(super) fn begun(
    target: &DiscoveryTarget<'_>,
    options: &DiscoverOptions,
    sources: &SourceInputs,
) -> DiscoveryRecord {
    let manifest = &target.workbench.target.manifest;
    DiscoveryRecord {
        format_version: FORMAT_VERSION,
        subject: manifest.name.clone(),
        manifest: manifest.path.display().to_string(),
        function: manifest.functions[target.function].name.clone(),
        seed: options.seed.0,
        stop: DiscoveryStop::Interrupted { generations: 0 },
        time_decided: true,
        sources: sources.from.clone(),
        transformations: 0,
        searched_mutants: Vec::new(),
        held_out: Vec::new(),
        held_out_caught: Vec::new(),
        revealed: Vec::new(),
        not_run: Vec::new(),
        versions: Vec::new(),
        pairs: DiscoveryPairs::default(),
        work: DiscoveryWork::default(),
        searches: Vec::new(),
        filter: Vec::new(),
        relations: Vec::new(),
        left_out: LeftOut::default(),
        unconfirmed: Vec::new(),
        refuted: Vec::new(),
        warnings: sources.warnings.clone(),
        contradictions: sources.contradictions.clone(),
    }
}

/// Relations of known forms that were found, and whose tests are still to come.
pub(super) fn untested(forms: &[Chosen]) -> Vec<UnconfirmedRelation> {
    let mut all: Vec<UnconfirmedRelation> = Vec::new();
    for (one, Form { name, words, held, ineligible, .. }) in
        forms.iter().filter_map(|one| Some((one, one.form()?)))
    {
        let taken: Vec<&str> = all.iter().map(|other| other.name.as_str()).collect();
        let name = free(name.clone(), &taken);
        all.push(UnconfirmedRelation {
            text: named(one, &name).to_string(),
            name,
            words: words.clone(),
            held: *held,
            ineligible: *ineligible,
        });
    }
    all
}
