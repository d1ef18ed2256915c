//! A survey of a whole subject: what relations its functions have, within one time that is shared between them.
//!
//! # Decisions
//! * **What is cheap comes first for all functions.** Known forms, then laws of each function by itself, then mutants of each; searches come last, where mutants are
//!   left that no relation catches. A hundred functions do not starve, because each step has an equal share of the time that is left.
//! * **Nothing is listed that further inputs refute.** Whatever found a relation, it is run on as many inputs of another seed, and again on those of the
//!   mutation analysis.
//! * **Mutants choose.** A person reads and commits what is proposed, so that a relation has to catch what no other one does. What the names of two functions
//!   promise is listed in any case.

mod candidate;
mod choice;
mod judge;
mod outcomes;
mod searches;
mod survey_options;
mod survey_record;
mod survey_tuning;
mod trials;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use dodona_inference::known_forms::{KnownForm, known_forms};
use dodona_records::SurveyRecord;
use dodona_relations::ast::Relation;
use dodona_relations::parse;
use dodona_target::{Interruption, Until};
use dodona_wasm::Workbench;
use dodona_workbench::LabError;

use candidate::{Candidate, Origin, Pool};
use judge::{Judge, Judged};
use outcomes::Outcomes;
use survey_tuning::{JUDGED_SHARE, KNOWN_SHARE, LAWS_SHARE, MUTANTS_SHARE, RUN_ON_MUTANTS};
use trials::{Counts, Trials};

pub use survey_options::{SurveyOptions, SurveyProgress, SurveyStage};

use crate::LawsOptions;
use crate::hard_inputs::HardInputs;
use crate::known::{Trying, known_forms_that_hold};
use crate::laws::{laws_of_each, with_longer_data};

/// Surveys a subject. Relations that it has already are run on mutants beside those that are found, and none is proposed that says the same.
///
/// # Errors
/// When inputs cannot be drawn, mutants cannot be made, or the host fails.
pub fn survey(
    workbench: &Arc<Workbench>,
    options: &SurveyOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(SurveyProgress),
) -> Result<SurveyRecord, LabError> {
    let longer = with_longer_data(&workbench.any())?;
    let bare = Arc::new(workbench.with_relations("")?);
    let hard = HardInputs::new(&bare.any(), options.seed, options.jobs);
    let trials = Trials { workbench: &bare, longer: longer.as_deref(), hard, options, interrupted };
    let functions = workbench.functions();
    let accepted: Vec<Relation> =
        workbench.relations.iter().map(|loaded| loaded.relation.tree().clone()).collect();
    let declined =
        options.declined.iter().filter_map(|text| parse(text).ok()).flat_map(|file| file.relations);
    let pool = Pool::without(accepted.iter().cloned().chain(declined).collect(), functions);
    let mut survey = Survey {
        workbench,
        bare: &bare,
        trials,
        options,
        interrupted,
        started: Instant::now(),
        accepted,
        pool,
        counts: Counts::default(),
        undone: Vec::new(),
        judged: None,
        outcomes: Vec::new(),
        progress,
    };
    survey.run()
}

/// A survey that is going on.
struct Survey<'a, 'p> {
    workbench: &'a Arc<Workbench>,
    /// The same without relations.
    bare: &'a Arc<Workbench>,
    trials: Trials<'a>,
    options: &'a SurveyOptions,
    interrupted: &'a Interruption,
    started: Instant,
    accepted: Vec<Relation>,
    pool: Pool,
    counts: Counts,
    undone: Vec<String>,
    judged: Option<Judged>,
    /// What each function does at all.
    outcomes: Vec<Outcomes>,
    progress: &'p mut dyn FnMut(SurveyProgress),
}

impl Survey<'_, '_> {
    fn run(&mut self) -> Result<SurveyRecord, LabError> {
        self.outcomes()?;
        self.known_forms()?;
        self.laws()?;
        self.note();
        if self.until(1.0).goes_on() {
            let judge = Judge::new(self.bare, self.options)?;
            self.mutants(&judge, MUTANTS_SHARE)?;
            // Of a large module, making the mutants may take what was meant for running them.
            if self.judged.as_ref().is_some_and(Judged::is_empty) {
                self.mutants(&judge, JUDGED_SHARE)?;
            }
            self.note();
            if self.searches(&judge)? {
                self.mutants(&judge, JUDGED_SHARE)?;
            }
        }
        self.last_trials()?;
        Ok(self.record())
    }

    /// The end of a share of the whole time, counted from the start.
    fn until(&self, share: f64) -> Until {
        let whole = Until::interrupted(self.interrupted);
        match self.options.time {
            Some(time) => whole.within(time.mul_f64(share).saturating_sub(self.started.elapsed())),
            None => whole,
        }
    }

    fn tell(&mut self, stage: SurveyStage, done: usize, planned: usize) {
        let relations = self.pool.held.len() as u64;
        (self.progress)(SurveyProgress { stage, done: done as u64, planned: planned as u64, relations });
    }

    /// Notes what is known by now, for whoever has to end the survey in the middle of a step.
    fn note(&self) {
        self.options.so_far.note(self.record());
    }

    /// Tries what textbooks have names for, of functions of these types and names.
    fn known_forms(&mut self) -> Result<(), LabError> {
        let until = self.until(KNOWN_SHARE);
        self.tell(SurveyStage::KnownForms, 0, 0);
        let trying =
            Trying { seed: self.options.seed, sources: survey_tuning::TRIED, jobs: self.options.jobs };
        // What is told where it is broken has to be run on all inputs that there is time for.
        let is_told = |form: &KnownForm| form.by_name || trials::is_promised(form);
        let bare = self.bare.any();
        let found = known_forms_that_hold(&bare, &|form| !is_told(form), trying, &until.share(2))?;
        let promised: Vec<KnownForm> =
            known_forms(self.workbench.functions()).into_iter().filter(is_told).collect();
        let (count, mut left) = (promised.len() + found.held.len(), found.left);
        let promised = promised.into_iter().map(|form| (form, false));
        let forms = promised.chain(found.held.into_iter().map(|form| (form, true)));
        for (place, (form, is_tried)) in forms.enumerate() {
            self.tell(SurveyStage::KnownForms, place, count);
            let share = until.share(count - place);
            if !share.goes_on() {
                left += 1;
                continue;
            }
            let Some(candidate) = self.pool.known_form(&form, self.workbench.functions()) else { continue };
            let tried = match is_tried {
                true => self.trials.confirm(candidate, &share)?,
                false => self.trials.guess(candidate, &share)?,
            };
            let held = self.counts.note(tried);
            self.pool.held.extend(held);
        }
        if left > 0 {
            self.undone.push(format!("{left} relations of known forms were not tried"));
        }
        Ok(())
    }

    /// Looks for laws, and tries those that are found on fresh inputs.
    fn laws(&mut self) -> Result<(), LabError> {
        let until = self.until(LAWS_SHARE);
        let laws = LawsOptions {
            seed: self.options.seed,
            time: None,
            fresh: survey_tuning::TRIED,
            everything: true,
            mutants: 0,
            jobs: self.options.jobs,
            ..LawsOptions::default()
        };
        let (mut found, mut cut, mut searched) = (Vec::new(), BTreeSet::new(), 0);
        let count = self.workbench.functions().len();
        let bare = self.bare.any();
        laws_of_each((&bare, self.trials.longer), &laws, self.interrupted, &until, &mut |search| {
            searched += 1;
            if !search.is_complete && search.functions.len() == 1 {
                cut.extend(search.functions.iter().copied());
            }
            found.extend(search.laws);
            let done = searched.min(count) as u64;
            let stage = SurveyStage::Laws;
            let (planned, relations) = (count as u64, (self.pool.held.len() + found.len()) as u64);
            (self.progress)(SurveyProgress { stage, done, planned, relations });
        })?;
        // Laws have held on some inputs: they are tried on others in what the shares of the time leave.
        let until = self.until((LAWS_SHARE + MUTANTS_SHARE) / 2.0);
        let many = found.len();
        for (place, law) in found.into_iter().enumerate() {
            let origin = if law.price == 0 { Origin::Law } else { Origin::Other };
            self.add(&law.record.text, (origin, law.price), &until.share(many - place))?;
        }
        if !cut.is_empty() {
            let (cut, all) = (cut.len(), count);
            self.undone
                .push(format!("the search for laws of {cut} of {all} functions did not come to its end"));
        }
        Ok(())
    }

    /// Tries a relation that was found on fresh inputs.
    fn add(&mut self, text: &str, kind: (Origin, usize), until: &Until) -> Result<(), LabError> {
        let Some(candidate) = self.pool.candidate(text, kind, self.workbench.functions()) else {
            return Ok(());
        };
        // Of what is hardly ever seen, that it is never there would hold.
        let is_seen = |function: &usize| !self.outcomes[*function].hardly_gives;
        if !candidate.is_example && !candidate.functions.iter().all(is_seen) {
            return Ok(());
        }
        let held = match until.goes_on() {
            true => self.counts.note(self.trials.confirm(candidate, until)?),
            false => self.counts.note(trials::Tried::Open),
        };
        self.pool.held.extend(held);
        Ok(())
    }

    /// Runs the relations on mutants.
    fn mutants(&mut self, judge: &Judge<'_>, share: f64) -> Result<(), LabError> {
        let until = self.until(share);
        let mut relations = self.accepted.clone();
        relations.extend(self.best().into_iter().map(|place| self.pool.held[place].relation.clone()));
        let held = self.pool.held.len() as u64;
        let progress = &mut *self.progress;
        let mut told = |done, planned| {
            progress(SurveyProgress { stage: SurveyStage::Mutants, done, planned, relations: held });
        };
        let judged = judge.run(&mut relations, &until, &mut told)?;
        let run: BTreeSet<&str> = relations.iter().map(|relation| relation.name.text.as_str()).collect();
        self.pool.held.retain(|candidate| judged.refuted.iter().all(|name| name != candidate.name()));
        for candidate in &mut self.pool.held {
            let is_run = run.contains(candidate.name()) && !judged.is_empty();
            let kills = || judged.kills.get(candidate.name()).cloned().unwrap_or_default();
            candidate.kills = is_run.then(kills);
        }
        self.judged = Some(judged);
        Ok(())
    }

    /// Runs what would be listed on as many more inputs as the time allows, each in an equal share of it. What is refuted leaves its place to another
    /// one, which is tried too.
    fn last_trials(&mut self) -> Result<(), LabError> {
        let until = self.until(1.0);
        let mut tried: BTreeSet<String> = BTreeSet::new();
        loop {
            let listed = self.record().relations.into_iter().map(|one| one.name);
            let rest: Vec<String> = listed.filter(|name| !tried.contains(name)).collect();
            if rest.is_empty() || !until.goes_on() {
                return Ok(());
            }
            for (place, name) in rest.iter().enumerate() {
                self.tell(SurveyStage::Trials, place, rest.len());
                tried.insert(name.clone());
                let Some(at) = self.pool.held.iter().position(|held| held.name() == name) else { continue };
                let share = until.share(rest.len() - place);
                if let Some(refuted) = self.trials.last(&mut self.pool.held[at], &share)? {
                    self.counts.note(refuted);
                    self.pool.held.remove(at);
                }
            }
        }
    }

    /// The relations that are run on mutants: of each function the best by what is known before, by their places.
    fn best(&self) -> Vec<usize> {
        let held = &self.pool.held;
        let mut order: Vec<usize> = (0..held.len()).collect();
        order.sort_by_key(|&place| held[place].rank());
        let mut counts = vec![0; self.workbench.functions().len()];
        order.retain(|&place| {
            let count = &mut counts[held[place].function()];
            *count += 1;
            *count <= RUN_ON_MUTANTS
        });
        order.sort_unstable();
        order
    }

    /// The mutants that relations catch: the subject's own, and those that hold.
    fn caught(&self) -> BTreeSet<dodona_records::MutantId> {
        let Some(judged) = &self.judged else { return BTreeSet::new() };
        judged.kills.values().flatten().copied().collect()
    }
}

/// The candidates that were run on mutants, and those that were not since others of the function came before them.
fn proposed(candidates: &[Candidate], is_judged: bool) -> Vec<Candidate> {
    let is_known = |candidate: &&Candidate| !is_judged || candidate.kills.is_some();
    candidates.iter().filter(is_known).cloned().collect()
}
