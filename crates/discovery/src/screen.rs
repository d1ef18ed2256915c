//! The choice of relations among the candidates of all searches. Each relation is run on new inputs before it counts.

use std::collections::HashMap;
use std::sync::Arc;

use dodona_inference::discovery::Candidate;
use dodona_relations::ast::{self, Expression};
use dodona_simplify::equivalent;
use dodona_target::Signature;
use dodona_workbench::LabError;

use crate::choose::{Admission, ChoiceRule, Contender, Representative, Ruling, choose};
use crate::chosen::{Chosen, ChosenBy};
use crate::filter::SampleSize;
use crate::filter_counts::FilterTest;
use crate::ledger::ScreeningResult;
use crate::search::Searches;
use crate::tuning::{
    LEAST_HELD, LEAST_SCREENED, POOL, SCREENED, SCREENED_IF_FRESH, SCREENING_LEAST_GAIN, SCREENING_SHORTFALL,
};
use crate::watch::TestPace;
use crate::{DiscoverProgress, Stage, overhead, relation_of};

/// A candidate of a search.
struct Offered {
    /// The index of its transformation.
    transformation: usize,
    candidate: Arc<Candidate>,
}

impl Searches<'_> {
    /// Chooses relations greedily by the mutants that they kill; each is run on new inputs first. The searches learn from the
    /// inputs that refute a relation, and the choice is made again from what they offer then.
    pub(super) fn choose(&mut self, progress: &mut dyn FnMut(&DiscoverProgress)) -> Result<(), LabError> {
        loop {
            let screened = self.ledger.screened_count();
            progress(&self.told(Stage::Filter, screened, screened));
            let is_final = self.choose_once()?;
            self.learn();
            // Relations that passed are chosen even when the time is up; the record says that the search for better ones ended early.
            if is_final || !self.watch.may_search() {
                return Ok(());
            }
        }
    }

    /// Chooses once; `true` if no search dropped a relation, so that the choice is final.
    fn choose_once(&mut self) -> Result<bool, LabError> {
        let offered = self.offered();
        let contenders: Vec<Contender<'_>> = offered.iter().map(Offered::contender).collect();
        let rule = self.screening_rule();
        let before = self.forms_kill.clone();
        let mut screening =
            Screening { searches: self, offered: &offered, relations: HashMap::new(), was_dismissed: false };
        let set = choose(&contenders, &rule, &before, &mut screening)?;
        let Screening { mut relations, was_dismissed, .. } = screening;
        let chosen = |place: usize| {
            let Offered { transformation, candidate } = &offered[place];
            let relation = relations.remove(&place)?;
            Some(Chosen { by: ChosenBy::Search(*transformation), relation, candidate: Arc::clone(candidate) })
        };
        let mut killed = set.killed;
        // As long as `reach`: the difference of two sets stops at the end of the shorter set.
        killed.grow(self.reach.len());
        self.ledger.chose(set.places.into_iter().filter_map(chosen).collect(), killed);
        Ok(!was_dismissed)
    }

    /// The candidates of all searches.
    fn offered(&mut self) -> Vec<Offered> {
        let mut all = Vec::new();
        for (transformation, search) in self.under.iter_mut().enumerate() {
            let offer = |candidate| Offered { transformation, candidate: Arc::clone(candidate) };
            all.extend(search.candidates().iter().map(offer));
        }
        all
    }

    fn screening_rule(&self) -> ChoiceRule {
        ChoiceRule {
            most: self.options.relations.saturating_mul(POOL),
            least_gain: self.reach.count_ones(..) / SCREENING_LEAST_GAIN,
            shortfall: SCREENING_SHORTFALL,
            representative: match self.reach.is_clear() {
                _ if !self.forms.is_empty() => None,
                true => Some(Representative::Smallest),
                false => Some(Representative::MostForItsSize),
            },
        }
    }

    /// Runs a relation on new inputs, unless its result is already known. A relation that is not needed is not run when it is late.
    fn screen(
        &mut self,
        transformation: usize,
        relation: &ast::Relation,
        is_needed: bool,
    ) -> Result<ScreeningResult, LabError> {
        let text = relation.to_string();
        if let Some(known) = self.ledger.result(&text) {
            return Ok(known);
        }
        if !is_needed && !self.watch.may_choose() {
            return Ok(ScreeningResult::NotRun);
        }
        let loaded = relation_of::load(relation, self.target.workbench.functions())?;
        let pace = TestPace::of_candidate(self.watch);
        let rows = self.screening_size();
        let ran = self.fresh("screen").run(&loaded, rows, &mut self.caller, &pace)?;
        let result = match &ran.refuted {
            Some(_) => ScreeningResult::Refuted,
            None if ran.held == 0 || (ran.is_cut && ran.held < LEAST_HELD) => ScreeningResult::Vacuous,
            None => ScreeningResult::Passed,
        };
        self.ledger.screened(text, result);
        if let Some(values) = ran.refuted {
            self.refute_under(transformation, &loaded, &values, FilterTest::FreshInputs)?;
        }
        Ok(result)
    }

    /// On how many new inputs a relation is run before it counts.
    fn screening_size(&self) -> SampleSize {
        let is_fresh = overhead::is_fresh(&**self.target.workbench, self.target.function);
        let most = if is_fresh { SCREENED / SCREENED_IF_FRESH } else { SCREENED };
        SampleSize { rows: self.budget.screened(most).min(self.options.fresh), least: LEAST_SCREENED }
    }

    fn functions(&self) -> &[Signature] {
        self.target.workbench.functions()
    }
}

impl Offered {
    fn contender(&self) -> Contender<'_> {
        let killed = &self.candidate.caught;
        Contender { transformation: Some(self.transformation), candidate: &self.candidate, killed }
    }
}

/// Decides on the relations that a choice proposes by whether they pass on new inputs.
struct Screening<'s, 'a> {
    searches: &'s mut Searches<'a>,
    offered: &'s [Offered],
    /// The accepted relations, by their index in `offered`.
    relations: HashMap<usize, ast::Relation>,
    /// Whether a search dropped a relation, so that it may have other relations to offer.
    was_dismissed: bool,
}

impl Admission for Screening<'_, '_> {
    type Error = LabError;

    /// Accepts a relation if all its parts pass on new inputs and it says something else than those chosen so far.
    fn decide(&mut self, place: usize, chosen: &[usize]) -> Result<Ruling, LabError> {
        let offered = self.offered;
        let Offered { transformation, candidate } = &offered[place];
        match self.run(&offered[place])? {
            ScreeningResult::Passed => {}
            ScreeningResult::NotRun => return Ok(Ruling::NotNeeded),
            ScreeningResult::Refuted | ScreeningResult::Vacuous => {
                self.was_dismissed = true;
                return Ok(Ruling::Refuted);
            }
        }
        let Some(relation) = relation_of::whole(candidate, self.searches.functions()) else {
            return Ok(Ruling::NotNeeded);
        };
        let is_dropped = self.searches.ledger.is_dropped(&relation.to_string());
        let is_form = || {
            let Searches { forms, .. } = &*self.searches;
            forms.iter().any(|form| equivalent(form, &relation, self.searches.functions()))
        };
        if is_dropped || chosen.iter().any(|&other| self.is_same(place, &relation, other)) || is_form() {
            return Ok(Ruling::NotNeeded);
        }
        self.searches.under[*transformation].passed(candidate);
        self.relations.insert(place, relation);
        Ok(Ruling::Accepted)
    }
}

impl Screening<'_, '_> {
    /// Runs all parts of a candidate on new inputs, until one does not pass. The search learns from inputs that refute a part. No
    /// execution shows what else may be wrong, for example that it is vacuous, so the search has to drop it.
    fn run(&mut self, offered: &Offered) -> Result<ScreeningResult, LabError> {
        let Offered { transformation, candidate } = offered;
        for part in &candidate.parts {
            let result = self.screen_part(offered, part)?;
            if matches!(result, ScreeningResult::Refuted | ScreeningResult::Vacuous) {
                self.searches.under[*transformation].dismiss(candidate.condition.as_ref(), part);
            }
            if result != ScreeningResult::Passed {
                return Ok(result);
            }
        }
        Ok(ScreeningResult::Passed)
    }

    fn screen_part(&mut self, offered: &Offered, part: &Expression) -> Result<ScreeningResult, LabError> {
        match relation_of::part(&offered.candidate, part, self.searches.functions()) {
            // Something has to be chosen, however late it is.
            Some(relation) => {
                self.searches.screen(offered.transformation, &relation, self.relations.is_empty())
            }
            // A tautology says nothing.
            None => Ok(ScreeningResult::Vacuous),
        }
    }

    /// Whether a relation says the same as a chosen one.
    fn is_same(&self, place: usize, relation: &ast::Relation, other: usize) -> bool {
        let (mine, others) = (&self.offered[place], &self.offered[other]);
        let Some(chosen) = self.relations.get(&other) else { return false };
        chosen == relation
            // Only compared if both kill the same mutants, because proving equivalence is work.
            || mine.transformation == others.transformation
                && mine.candidate.caught == others.candidate.caught
                && equivalent(chosen, relation, self.searches.functions())
    }
}
