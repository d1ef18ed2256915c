//! Runs the functions under test for the enumeration of terms.

use std::collections::BTreeMap;

use dodona_inference::equations::{Equation, FreshVerdict, Laboratory, Terms, Values, Vocabulary, Written};
use dodona_records::RefutedLaw;
use dodona_target::{Caller as _, Column, Outcome, Type};
use dodona_workbench::{LabError, SubjectCaller, inputs::eligible_rows};

use super::super::law_tuning::{FEW_FRESH, FIRST_FRESH};
use super::super::trial::{AcceptedLaw, FreshTests, LawVerdict};
use super::super::{LawsProgress, LawsStage};

/// What first tests on fresh inputs showed of equations.
#[derive(Default)]
pub(super) struct Tested {
    /// Those that held, by their text.
    pub(super) accepted: BTreeMap<String, AcceptedLaw>,
    pub(super) refuted: Vec<RefutedLaw>,
}

/// Runs functions, and tests equations on fresh inputs.
pub(super) struct Bench<'a> {
    trial: FreshTests<'a>,
    /// The indices of the functions in the manifest.
    functions: &'a [usize],
    vocabulary: &'a Vocabulary,
    caller: SubjectCaller,
    progress: &'a mut dyn FnMut(LawsProgress),
    tested: &'a mut Tested,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        trial: FreshTests<'a>,
        functions: &'a [usize],
        vocabulary: &'a Vocabulary,
        tested: &'a mut Tested,
        progress: &'a mut dyn FnMut(LawsProgress),
    ) -> Bench<'a> {
        let caller = trial.workbench.caller().until(trial.until);
        Bench { trial, functions, vocabulary, caller, progress, tested }
    }

    /// Ends the search: notes whether the clock ended it.
    pub(super) fn end(self) {
        if self.trial.until.is_up() {
            self.trial.time_decided.set(true);
        }
    }
}

impl Laboratory for Bench<'_> {
    type Error = LabError;

    fn call(&mut self, function: usize, arguments: &[&Values]) -> Result<Vec<Values>, LabError> {
        let index = self.functions[function];
        let declared = &self.trial.workbench.functions()[index];
        let rows = arguments.first().map_or(0, |values| values.rows());
        let mut is_defined = vec![true; rows];
        for values in arguments {
            is_defined.iter_mut().zip(values.defined()).for_each(|(all, one)| *all &= one);
        }
        let defined: Vec<u32> = (0..rows as u32).filter(|&row| is_defined[row as usize]).collect();
        let columns: Vec<Column> = arguments.iter().map(|values| values.column().select(&defined)).collect();
        let eligible = eligible_rows(declared, &columns);
        let columns: Vec<Column> = columns.iter().map(|column| column.select(&eligible)).collect();
        let types: Vec<Type> = declared.outputs.iter().map(|output| output.ty).collect();
        let none = |ty: Type| {
            let mut column = Column::empty(ty);
            (0..rows).for_each(|_| column.push_default());
            Values::new(column, &vec![false; rows])
        };
        let ran = self.caller.call(index, &columns);
        let ran = match ran.map_err(LabError::from) {
            Ok(ran) => ran,
            // A call without a value is dropped, and the search asks by itself whether to go on.
            Err(error) if error.is_stopped() => return Ok(types.into_iter().map(none).collect()),
            Err(error) => return Err(error),
        };
        let mut place_of = vec![None; rows];
        for (place, &row) in eligible.iter().enumerate() {
            if ran.outcomes[place] == Outcome::Returned {
                place_of[defined[row as usize] as usize] = Some(place);
            }
        }
        let returned: Vec<bool> = place_of.iter().map(Option::is_some).collect();
        let values = |(output, ty): (&Column, Type)| {
            let mut column = Column::empty(ty);
            for place in &place_of {
                match place {
                    Some(place) => column.push(&output.value(*place)),
                    None => column.push_default(),
                }
            }
            Values::new(column, &returned)
        };
        Ok(ran.outputs.iter().zip(types).map(values).collect())
    }

    fn judge(&mut self, terms: &Terms, equation: Equation) -> Result<FreshVerdict, LabError> {
        (self.progress)(LawsProgress { stage: LawsStage::Filter, laws: self.tested.accepted.len() as u64 });
        let relation = Written::new(self.vocabulary, terms, equation).relation();
        // A few inputs refute most equations that do not hold.
        let judged = match self.trial.test(&relation, FEW_FRESH)? {
            LawVerdict::Accepted(_) => self.trial.test(&relation, FIRST_FRESH)?,
            other => other,
        };
        Ok(match judged {
            LawVerdict::Accepted(accepted) => {
                self.tested.accepted.insert(relation, accepted);
                FreshVerdict::Holds
            }
            LawVerdict::Refuted(refuted) => {
                self.tested.refuted.push(refuted);
                FreshVerdict::Refuted
            }
            LawVerdict::Open => FreshVerdict::Stopped,
        })
    }

    fn may_go_on(&self) -> bool {
        self.trial.until.goes_on()
    }
}
