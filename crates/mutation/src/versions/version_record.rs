//! What tests say of faulty versions, as records.

use std::sync::Arc;

use dodona_records::{Judgement, Proof, SameCodeAs, VersionRecord};

use super::{FaultyVersion, SameCode};
use crate::record::Maker;
use crate::result::MutantResult;

/// The result of each version; `None` for versions that were not run.
pub(crate) type VersionResults = Vec<Option<MutantResult>>;

impl Maker<'_, '_> {
    /// The faulty versions, each with its result.
    pub(crate) fn versions(&self) -> Vec<VersionRecord> {
        let versions = &self.options.versions;
        let record = |(version, result): (&Arc<FaultyVersion>, &Option<MutantResult>)| {
            let same_as = version.same_as().map(|same| match same {
                SameCode::Subject => SameCodeAs::Subject,
                SameCode::Version(place) => SameCodeAs::Version { name: versions[*place].name().to_owned() },
            });
            self.version(version, same_as, result.as_ref())
        };
        versions.iter().zip(&self.found.versions).map(record).collect()
    }

    fn version(
        &self,
        version: &FaultyVersion,
        same_as: Option<SameCodeAs>,
        result: Option<&MutantResult>,
    ) -> VersionRecord {
        let (revealed_by, killed_by) = result.map(|result| self.kills(result)).unwrap_or_default();
        let failed = result.and_then(|result| Some(self.failed(result.failure.as_ref()?)));
        let untested = result.and_then(MutantResult::untested);
        let judgement = match (&same_as, result) {
            (Some(SameCodeAs::Subject), _) => Judgement::Equivalent { proof: Proof::SameCode },
            (_, None) => Judgement::NotRun,
            _ => {
                let (revealed, failed) = (revealed_by.as_ref(), failed.as_ref());
                Judgement::of_tests(self.against, &killed_by, revealed, failed, untested.is_some())
            }
        };
        VersionRecord {
            name: version.name().to_owned(),
            path: version.path().display().to_string(),
            untested: untested.filter(|_| judgement == Judgement::Untested).cloned(),
            same_as,
            judgement,
            revealed_by,
            killed_by,
            failed,
        }
    }
}
