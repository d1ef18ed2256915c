//! The search for laws of one group of functions of numbers.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dodona_inference::laws::{
    Calls, Floats, Law, LawFunction, Limits, Listing, Numbers, Prime, Recorded, Ring, Table, Vocabulary,
    Wrapping, Written,
};
use dodona_records::{DiscoveryProof, LawGroup, LawRecord, LookedAt, RefutedLaw};
use dodona_target::{Kind, Scalar, Signature, Type, Until};
use dodona_workbench::LabError;

use super::equations;
use super::found::{FoundLaw, GroupLaws};
use super::judge::{self, Judge};
use super::law_options::{LawsProgress, LawsStage};
use super::law_tuning::PART_FOR_FIRST_LAWS;
use super::numbers::LawNumber;
use super::recorded;
use super::together::Together;
use super::trial::{AcceptedLaw, FreshTests, LawVerdict};
use crate::readable::is_plain_law;
use crate::relation_of::parsed;

/// Searches for laws.
pub(super) struct LawSearch<'a> {
    pub(super) trial: FreshTests<'a>,
}

/// A group of functions whose laws are searched for.
#[derive(Clone, Copy)]
struct GroupOfNumbers<'a> {
    group: &'a Together,
    vocabulary: &'a Vocabulary,
    /// The widest result of the functions, in bits; 0 for floats.
    bits: u32,
}

impl LawSearch<'_> {
    /// The laws of a group: equations, then bounds.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    pub(super) fn run(
        &self,
        group: &Together,
        progress: &mut dyn FnMut(LawsProgress),
    ) -> Result<GroupLaws, LabError> {
        let mut found = self.equations(group, progress)?;
        found.add_bounds(self.trial, group, progress)?;
        Ok(found)
    }

    fn equations(
        &self,
        group: &Together,
        progress: &mut dyn FnMut(LawsProgress),
    ) -> Result<GroupLaws, LabError> {
        let declared: Vec<&Signature> =
            group.functions.iter().map(|&f| &self.trial.workbench.functions()[f]).collect();
        let scalars = || declared.iter().flat_map(|function| scalars(function));
        let is_single = scalars().any(|scalar| scalar == Scalar::F32);
        let numbers = match group.kind {
            Kind::Float => Numbers::Floats { single: is_single },
            _ => Numbers::Integers,
        };
        let vocabulary = Vocabulary::new(declared.iter().map(|f| law_function(f)).collect(), numbers);
        let bits = judge::bits(declared.iter().filter_map(|function| function.returned_scalar()));
        progress(LawsProgress { stage: LawsStage::Executions, laws: 0 });
        let subject = GroupOfNumbers { group, vocabulary: &vocabulary, bits };
        match numbers {
            Numbers::Floats { single } => {
                let ring = if single { Floats::SINGLE } else { Floats::DOUBLE };
                match self.record::<f64>(subject)? {
                    Some((calls, recorded)) => self.over(ring, subject, calls, &recorded, progress),
                    None => Ok(GroupLaws::nothing(&vocabulary)),
                }
            }
            Numbers::Integers => match self.record::<i128>(subject)? {
                Some((calls, recorded)) if wraps(&recorded, bits) => {
                    self.over(Wrapping { bits }, subject, calls, &recorded, progress)
                }
                Some((calls, recorded)) => self.over(Prime, subject, calls, &recorded, progress),
                None => Ok(GroupLaws::nothing(&vocabulary)),
            },
        }
    }

    /// The calls of a group on random values; `None` if the time was up.
    fn record<N: LawNumber>(
        &self,
        GroupOfNumbers { group, vocabulary, .. }: GroupOfNumbers<'_>,
    ) -> Result<Option<(Calls, Recorded<N>)>, LabError> {
        let calls = vocabulary.calls();
        let FreshTests { workbench, options, until, .. } = self.trial;
        let recorded = recorded::record::<N>(workbench, group, vocabulary, &calls, options.seed, until)?;
        Ok(recorded.map(|recorded| (calls, recorded)))
    }

    /// When the tests of laws have to end. The computation of the columns cannot be stopped, and on a busy machine takes all of the time. The first laws are tested
    /// in a few milliseconds, so that they get a part of what the columns took.
    fn until_after_table(&self, took: Duration) -> Until {
        match self.trial.until.is_up() && !self.trial.until.is_interrupted() {
            true => Until::after(Some(took / PART_FOR_FIRST_LAWS), self.trial.interrupted),
            false => self.trial.until.clone(),
        }
    }

    /// The laws of a group with numbers of one kind.
    fn over<R: Ring>(
        &self,
        ring: R,
        GroupOfNumbers { group, vocabulary, bits }: GroupOfNumbers<'_>,
        calls: Calls,
        recorded: &Recorded<R::Input>,
        progress: &mut dyn FnMut(LawsProgress),
    ) -> Result<GroupLaws, LabError> {
        progress(LawsProgress { stage: LawsStage::Columns, laws: 0 });
        let started = Instant::now();
        let table = Table::new(ring, vocabulary, calls, recorded, Limits::default());
        let until = self.until_after_table(started.elapsed());
        let trial = FreshTests { until: &until, ..self.trial };
        let declared = group.functions.iter().map(|&function| &self.trial.workbench.functions()[function]);
        let judge = Judge { trial, kind: group.kind, bits, least: declared.filter_map(judge::least).min() };
        let mut choice =
            LawChoice { table: &table, vocabulary, judge, verdicts: BTreeMap::new(), refuted: Vec::new() };
        let (listing, mut laws) = choice.choose(progress)?;
        laws.retain(|law| is_told(law, group, vocabulary));
        let laws = laws
            .into_iter()
            .map(|record| {
                let reads_well = parsed(&record.text)
                    .is_none_or(|relation| is_plain_law(&relation, self.trial.workbench.functions()));
                FoundLaw { record, price: 0, reads_well }
            })
            .collect();
        let explained = listing.explained(&table);
        let group = LawGroup {
            functions: vocabulary.functions.iter().map(|function| function.name.clone()).collect(),
            variables: vocabulary.variables.clone(),
            rows: table.rows() as u64,
            looked_at: LookedAt::Products {
                calls: table.calls().len() as u64,
                left_out: table.left_out() as u64,
                products: table.len() as u64,
                independent: (table.rank() < table.rows()).then_some(explained.independent as u64),
                explained: explained.explained as u64,
            },
            candidates: table.candidates().len() as u64,
        };
        Ok(GroupLaws { group: Some(group), laws, refuted: choice.refuted })
    }
}

impl GroupLaws {
    /// Adds the bounds of those functions of floats that have several parameters. What bounds a function of one parameter is
    /// said by its equations: of the sine, by those with the cosine.
    ///
    /// # Errors
    /// When inputs cannot be drawn or the host fails.
    fn add_bounds(
        &mut self,
        trial: FreshTests<'_>,
        group: &Together,
        progress: &mut dyn FnMut(LawsProgress),
    ) -> Result<(), LabError> {
        let parameters = |function: usize| trial.workbench.functions()[function].parameters.len();
        let is_bounded = group.kind == Kind::Float && group.across.is_none();
        for &function in group.functions.iter().filter(|&&function| is_bounded && parameters(function) > 1) {
            let (laws, refuted) = equations::bounds(trial, function, progress)?;
            self.laws.extend(laws);
            self.refuted.extend(refuted);
        }
        Ok(())
    }

    /// The result if the time was up before anything was run.
    fn nothing(vocabulary: &Vocabulary) -> GroupLaws {
        let group = LawGroup {
            functions: vocabulary.functions.iter().map(|function| function.name.clone()).collect(),
            variables: vocabulary.variables.clone(),
            rows: 0,
            looked_at: LookedAt::Products {
                calls: vocabulary.calls().len() as u64,
                left_out: 0,
                products: 0,
                independent: None,
                explained: 0,
            },
            candidates: 0,
        };
        GroupLaws { group: Some(group), laws: Vec::new(), refuted: Vec::new() }
    }
}

/// Chooses laws that fresh inputs do not refute and that do not follow from each other.
struct LawChoice<'a, R: Ring> {
    table: &'a Table<R>,
    vocabulary: &'a Vocabulary,
    judge: Judge<'a>,
    /// The results of testing candidates, by their index; `None` for a candidate that was refuted.
    verdicts: BTreeMap<usize, Option<AcceptedLaw>>,
    refuted: Vec<RefutedLaw>,
}

impl<'a, R: Ring> LawChoice<'a, R> {
    /// Lists laws and tests them on all fresh inputs. If one is refuted then, the list is made again without it, since laws
    /// that followed from it may be listed now.
    fn choose(
        &mut self,
        progress: &mut dyn FnMut(LawsProgress),
    ) -> Result<(Listing<'a>, Vec<LawRecord>), LabError> {
        loop {
            let (listing, chosen) = self.list(progress)?;
            let laws: Vec<&Law> = chosen.iter().map(|&place| &self.table.candidates()[place]).collect();
            let empty = Listing::new(self.table, self.vocabulary.variables.len());
            let kept = empty.without_special_cases(&laws);
            let places: Vec<usize> = chosen
                .iter()
                .copied()
                .filter(|&place| kept.contains(&&self.table.candidates()[place]))
                .collect();
            let mut records = Vec::new();
            let mut is_refuted = false;
            for place in places {
                match self.confirm(place)? {
                    LawVerdict::Accepted(accepted) => records.push(self.record(place, accepted)),
                    LawVerdict::Refuted(refuted) => {
                        let weaker = self.weaker(place)?;
                        self.verdicts.insert(place, weaker);
                        self.refuted.push(refuted);
                        is_refuted = true;
                    }
                    LawVerdict::Open => records.extend(self.passed_first_test(place)),
                }
            }
            if !is_refuted || !self.judge.trial.until.goes_on() {
                return Ok((listing, records));
            }
        }
    }

    /// The indices of the candidates that do not follow from earlier ones and that no fresh input refutes.
    fn list(
        &mut self,
        progress: &mut dyn FnMut(LawsProgress),
    ) -> Result<(Listing<'a>, Vec<usize>), LabError> {
        let mut listing = Listing::new(self.table, self.vocabulary.variables.len());
        let mut chosen = Vec::new();
        for (place, law) in self.table.candidates().iter().enumerate() {
            if !self.judge.trial.until.goes_on() {
                break;
            }
            if matches!(self.verdicts.get(&place), Some(None)) || listing.follows_and_is_noted(law) {
                continue;
            }
            progress(LawsProgress { stage: LawsStage::Filter, laws: chosen.len() as u64 });
            if !self.verdicts.contains_key(&place) {
                match self.judge.judge(&self.written(law), 0)? {
                    LawVerdict::Accepted(accepted) => {
                        self.verdicts.insert(place, Some(accepted));
                    }
                    LawVerdict::Refuted(refuted) => {
                        self.verdicts.insert(place, None);
                        self.refuted.push(refuted);
                    }
                    LawVerdict::Open => break,
                }
            }
            if let Some(Some(_)) = self.verdicts.get(&place) {
                listing.add(law);
                chosen.push(place);
            }
        }
        Ok((listing, chosen))
    }

    /// The law in a weaker form than the one that an input refuted, if it holds in a weaker form.
    fn weaker(&self, place: usize) -> Result<Option<AcceptedLaw>, LabError> {
        let Some(Some(AcceptedLaw { reading, .. })) = self.verdicts.get(&place) else { return Ok(None) };
        match self.judge.judge(&self.written(&self.table.candidates()[place]), reading + 1)? {
            LawVerdict::Accepted(accepted) => Ok(Some(accepted)),
            LawVerdict::Refuted(_) | LawVerdict::Open => Ok(None),
        }
    }

    fn confirm(&self, place: usize) -> Result<LawVerdict, LabError> {
        match self.verdicts.get(&place) {
            Some(Some(accepted)) => self.judge.trial.confirm(&accepted.relation),
            _ => Ok(LawVerdict::Open),
        }
    }

    /// The record of a law that passed its first test alone. Whoever reports it sees that it held on few groups.
    fn passed_first_test(&self, place: usize) -> Option<LawRecord> {
        self.verdicts.get(&place)?.as_ref().map(|accepted| self.record(place, accepted.clone()))
    }

    fn written(&self, law: &Law) -> Written {
        Written::new(law, self.vocabulary, self.table.constants(), self.table.calls())
    }

    fn record(&self, place: usize, accepted: AcceptedLaw) -> LawRecord {
        let written = self.written(&self.table.candidates()[place]);
        let name = |&function: &usize| self.vocabulary.functions[function].name.clone();
        LawRecord {
            text: format!("relation {}{}", written.name, accepted.relation),
            name: written.name,
            words: written.words,
            functions: written.functions.iter().map(name).collect(),
            held: accepted.held,
            ineligible: accepted.ineligible,
            proof: DiscoveryProof::TestedOn { groups: accepted.held },
            kills: Vec::new(),
        }
    }
}

/// Whether a law is reported by this group. In a group of functions with different windows, only laws that combine such
/// functions are.
fn is_told(law: &LawRecord, group: &Together, vocabulary: &Vocabulary) -> bool {
    let Some(windows) = &group.across else { return true };
    let of = |(place, function): (usize, &LawFunction)| {
        law.functions.contains(&function.name).then_some(windows[place])
    };
    let mut used = vocabulary.functions.iter().enumerate().filter_map(of);
    used.next().is_some_and(|first| used.any(|other| other != first))
}

/// Whether small inputs already give outputs near the limit of their type, so that sums and products of outputs wrap around.
fn wraps(recorded: &Recorded<i128>, bits: u32) -> bool {
    let outputs = recorded.calls.iter().flatten().flatten();
    outputs.map(|output| output.saturating_abs()).any(|output| output >= 1 << bits.saturating_sub(2).max(4))
}

fn law_function(function: &Signature) -> LawFunction {
    LawFunction {
        name: function.name.clone(),
        parameters: function.parameters.iter().map(|p| p.name.clone()).collect(),
    }
}

fn scalars(function: &Signature) -> Vec<Scalar> {
    let of_parameter = |ty: Type| match ty {
        Type::Scalar(scalar) => Some(scalar),
        _ => None,
    };
    function
        .parameters
        .iter()
        .filter_map(|parameter| of_parameter(parameter.ty))
        .chain(function.returned_scalar())
        .collect()
}
