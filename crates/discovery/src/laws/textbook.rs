//! Laws of known forms: those that everybody would ask of a function of its type, tried whatever a search comes across.

use dodona_inference::known_forms::KnownForm;
use dodona_records::{DiscoveryProof, LawRecord};
use dodona_workbench::LabError;

use super::found::FoundLaw;
use super::law_tuning::{FIRST_FRESH, FORM_PRICE};
use super::trial::{AcceptedLaw, FreshTests, LawVerdict};
use crate::known::{Trying, known_forms_that_hold};

/// The known forms of the functions under test that hold on fresh inputs, of those that are wanted.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(super) fn laws_of_known_forms(
    trial: FreshTests<'_>,
    is_wanted: &dyn Fn(&KnownForm) -> bool,
) -> Result<Vec<FoundLaw>, LabError> {
    let FreshTests { workbench, options, until, .. } = trial;
    let sources = options.fresh.min(FIRST_FRESH);
    let trying = Trying { seed: options.seed, sources, jobs: options.jobs };
    let tried = known_forms_that_hold(workbench, is_wanted, trying, &until.share(2))?;
    if tried.left > 0 {
        trial.time_decided.set(true);
    }
    let mut laws = Vec::new();
    for form in tried.held {
        let text = form.to_string();
        let relation = text.trim_start_matches("relation ").trim_start_matches(&form.relation.name.text);
        // On more inputs, and with longer data. Whoever reports a law runs it on all fresh inputs.
        let accepted = match trial.test(relation, sources)? {
            LawVerdict::Accepted(accepted) => accepted,
            LawVerdict::Refuted(_) => continue,
            // It held on the inputs that it was tried on.
            LawVerdict::Open => {
                AcceptedLaw { relation: relation.to_owned(), reading: 0, held: tried.tested, ineligible: 0 }
            }
        };
        laws.push(law(&form, text, &accepted, trial));
    }
    Ok(laws)
}

fn law(form: &KnownForm, text: String, accepted: &AcceptedLaw, trial: FreshTests<'_>) -> FoundLaw {
    let functions = form.functions().map(|function| trial.workbench.functions()[function].name.clone());
    FoundLaw {
        record: LawRecord {
            text,
            name: form.relation.name.text.clone(),
            words: form.words.clone(),
            functions: functions.collect(),
            held: accepted.held,
            ineligible: accepted.ineligible,
            proof: DiscoveryProof::TestedOn { groups: accepted.held },
            kills: Vec::new(),
        },
        price: if form.by_name || form.form.is_law { 0 } else { FORM_PRICE },
        reads_well: true,
    }
}
