//! Checks relations that a tester writes, at once.

use dodona_records::Binding;
use dodona_target::Column;
use dodona_workbench::{LabError, Relations, SubjectCaller};

use super::fresh::{Stage, inputs, verdict};
use crate::framed::Framed;
use crate::options::IdentifyOptions;
use crate::record::bound;
use crate::samples::Samples;

/// The inputs that a tester's relations are checked on: the samples, and fresh random ones.
pub struct FreshCheck<'f> {
    framed: &'f Framed,
    inputs: Vec<Vec<Column>>,
    caller: SubjectCaller,
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreshEvidence {
    /// The number of metamorphic groups that held.
    pub held: u64,
    /// An input that violates the relation.
    pub violating: Option<Vec<Binding>>,
}

impl<'f> FreshCheck<'f> {
    /// Draws the inputs.
    ///
    /// # Errors
    /// When no input can be drawn.
    pub fn new(
        framed: &'f Framed,
        options: &IdentifyOptions,
        samples: &Samples,
    ) -> Result<FreshCheck<'f>, LabError> {
        let mut all = vec![samples.columns.clone()];
        all.extend(inputs(framed, options, Stage::Last)?);
        Ok(FreshCheck { framed, inputs: all, caller: framed.workbench.caller() })
    }

    /// Checks the one relation of a text.
    ///
    /// # Errors
    /// When the text is no valid relation of the function, or the host fails.
    pub fn check(&mut self, text: &str) -> Result<FreshEvidence, LabError> {
        let relations = Relations::of_text(text, self.framed.workbench.functions())?;
        let mut evidence = FreshEvidence { held: 0, violating: None };
        for loaded in relations.iter() {
            let verdict = verdict(loaded, &self.inputs, &mut self.caller)?;
            evidence.held += verdict.held;
            let first = verdict.refuting.first().map(|input| bound(self.framed, input));
            evidence.violating = evidence.violating.or(first);
        }
        Ok(evidence)
    }
}
