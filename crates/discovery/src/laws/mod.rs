//! The search for laws over several calls and functions: executions are recorded, laws are found in their columns, tested on
//! fresh inputs, and run on mutants.

mod catch;
mod each;
mod equations;
mod found;
mod judge;
mod last_tests;
mod law_options;
mod law_tuning;
mod numbers;
mod of_numbers;
mod recorded;
mod textbook;
mod together;
mod trial;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use dodona_inference::known_forms::KnownForm;
use dodona_records::{FORMAT_VERSION, LawRecord, LawsRecord, LawsStop, SkippedFunction};
use dodona_target::{Interruption, Target, Until};
use dodona_workbench::{LabError, Workbench};

use crate::DiscoverOptions;
use crate::distinct::Distinct;
use crate::relation_of::{free, functions_of, load, parsed};
use crate::target::DiscoveryTarget;

pub(crate) use each::laws_of_each;
use found::{FoundLaw, GroupLaws};
pub use law_options::{LawsOptions, LawsProgress, LawsStage};
use law_tuning::{
    FUEL_OF_LONGEST_DATA, KNOWN_FORMS_SHARE, LAWS_MUTANTS_SHARE, LAWS_PROOFS_SHARE, LAWS_SEARCH_SHARE,
    LAWS_TESTS_SHARE, LONGEST_DATA,
};
use of_numbers::LawSearch;
use textbook::laws_of_known_forms;
use together::Together;
use trial::FreshTests;

/// Searches for laws of some functions under test, given by their indices.
///
/// Functions of the same kind of numbers are searched together. Each is called at the arguments that laws of textbooks have,
/// with the same random values of the variables, and laws of few terms are read off the columns of results
/// ([`dodona_inference::laws`]). A law that does not follow from earlier ones is tested on random inputs of its own, drawn as
/// the manifest says, and is listed if none of them refutes it, and no proof does. A law whose tests did not come to their end is not
/// listed: it stands among those that are not confirmed.
///
/// # Errors
/// When inputs cannot be drawn, mutants cannot be made, or the host fails.
pub fn laws<T: Target + ?Sized>(
    workbench: &Workbench<T>,
    functions: &[usize],
    options: &LawsOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(LawsProgress),
) -> Result<LawsRecord, LabError> {
    let workbench = &*workbench.any();
    let started = Instant::now();
    // A share of the whole time, counted from the start.
    let until = |share: f64| Until::after(options.time.map(|time| time.mul_f64(share)), interrupted);
    let (searching, mutants, tests, end) =
        (until(LAWS_SEARCH_SHARE), until(LAWS_MUTANTS_SHARE), until(LAWS_TESTS_SHARE), until(1.0));
    let longer = with_longer_data(workbench)?;
    let trial = FreshTests {
        workbench,
        longer: longer.as_deref(),
        options,
        interrupted,
        until: &searching,
        time_decided: &Cell::new(false),
        are_tested_again: false,
    };
    let Plan { of_numbers, of_any, skipped } = Plan::new(workbench, functions);
    let mut record = without_laws(workbench, options, skipped);
    let mut known = BTreeMap::new();
    let mut distinct = Distinct::default();
    let share = searching.share(KNOWN_FORMS_SHARE);
    let is_wanted = |form: &KnownForm| form.functions().all(|function| functions.contains(&function));
    let of_known_forms = laws_of_known_forms(FreshTests { until: &share, ..trial }, &is_wanted)?;
    let mut add = |record: &mut LawsRecord, mut found: GroupLaws| {
        found.laws.retain(|law| {
            is_new(&law.record, &mut distinct, workbench) && (options.everything || law.reads_well)
        });
        known.extend(add(record, found));
        options.so_far.note(untested(record, started));
    };
    for group in of_numbers.iter().take_while(|_| searching.goes_on()) {
        add(&mut record, LawSearch { trial }.run(group, progress)?);
    }
    for functions in of_any.iter().take_while(|_| searching.goes_on()) {
        add(&mut record, equations::search(trial, functions, progress)?);
    }
    add(&mut record, GroupLaws { group: None, laws: of_known_forms, refuted: Vec::new() });
    let mut is_time_spent = searching.is_up();
    let mut stage = |stage: LawsStage, record: &LawsRecord| {
        progress(LawsProgress { stage, laws: record.laws.len() as u64 });
    };
    if mutants.goes_on() {
        stage(LawsStage::Mutants, &record);
        catch::catch(workbench, &mut record, options, &mutants)?;
    }
    is_time_spent |= mutants.is_up();
    catch::leave_out(&mut record, &known);
    catch::leave_most(&mut record, options.relations.saturating_mul(functions.len()));
    stage(LawsStage::Filter, &record);
    last_tests::confirm(FreshTests { until: &tests, ..trial }, &mut record)?;
    options.so_far.note(LawsRecord { seconds: started.elapsed().as_secs_f64(), ..record.clone() });
    stage(LawsStage::Proofs, &record);
    let proofs = options.time.map_or_else(|| end.clone(), |time| end.within(time.mul_f64(LAWS_PROOFS_SHARE)));
    last_tests::put_to_proof(trial, &mut record, &proofs, interrupted)?;
    let taken = record.unconfirmed.iter().map(|law| law.name.clone()).collect();
    number_anew(&mut record.laws, taken, &known);
    is_time_spent |= trial.time_decided.get() || !record.unconfirmed.is_empty();
    record.stop = match (end.is_interrupted(), is_time_spent) {
        (true, _) => LawsStop::Interrupted,
        (false, true) => LawsStop::TimeSpent,
        (false, false) => LawsStop::Finished,
    };
    record.seconds = started.elapsed().as_secs_f64();
    Ok(record)
}

/// The same subject with longer sequences and texts, where the domains allow some that are longer than what is usually drawn. The calls of a module are
/// compiled with the fuel for them; other targets have no such limit that could be raised.
pub(crate) fn with_longer_data(workbench: &Workbench) -> Result<Option<Arc<Workbench>>, LabError> {
    let Some(module) = dodona_wasm::of(workbench) else { return Ok(None) };
    let longer = dodona_wasm::with_data_up_to(&module, LONGEST_DATA, FUEL_OF_LONGEST_DATA)?;
    Ok(longer.map(|longer| -> Arc<Workbench> { Arc::new(longer) }))
}

/// What is known in the middle of a search: laws whose last tests are still to come.
fn untested(record: &LawsRecord, started: Instant) -> LawsRecord {
    LawsRecord {
        laws: Vec::new(),
        unconfirmed: record.laws.iter().cloned().map(LawRecord::unconfirmed).collect(),
        seconds: started.elapsed().as_secs_f64(),
        ..record.clone()
    }
}

/// The record of a search that has not found anything yet.
fn without_laws(workbench: &Workbench, options: &LawsOptions, skipped: Vec<SkippedFunction>) -> LawsRecord {
    LawsRecord {
        format_version: FORMAT_VERSION,
        subject: workbench.target.name().to_owned(),
        manifest: workbench.target.declared_in().display().to_string(),
        seed: options.seed.0,
        groups: Vec::new(),
        laws: Vec::new(),
        unconfirmed: Vec::new(),
        refuted: Vec::new(),
        skipped,
        mutants: Vec::new(),
        stop: LawsStop::Finished,
        seconds: 0.0,
        warnings: Vec::new(),
        contradictions: Vec::new(),
    }
}

/// Which functions are searched together, and by which method.
struct Plan {
    /// Functions of numbers, whose laws are polynomials.
    of_numbers: Vec<Together>,
    /// Other functions, whose laws are equations between terms.
    of_any: Vec<Vec<usize>>,
    skipped: Vec<SkippedFunction>,
}

impl Plan {
    fn new(workbench: &Workbench, functions: &[usize]) -> Plan {
        let (of_numbers, left) = together::groups(workbench, functions);
        let others: Vec<usize> = left.iter().map(|(function, _)| *function).collect();
        let (of_any, too_large) = equations::connected(workbench, &others);
        let skipped = left
            .into_iter()
            .filter(|(function, _)| too_large.contains(function))
            .map(|(function, why)| SkippedFunction {
                function: workbench.functions()[function].name.clone(),
                why: why.to_owned(),
            })
            .collect();
        Plan { of_numbers, of_any, skipped }
    }
}

/// What is known of a law besides its record.
struct ReportedLaw {
    /// Its name before a number was appended to tell it from another law with the same name.
    name: String,
    /// [`found::FoundLaw::price`].
    price: usize,
    /// Whether it is of the table of known forms.
    is_tabled: bool,
}

/// Adds laws to a record. Returns what else is known of each law, with the name that it has in the record.
fn add(record: &mut LawsRecord, GroupLaws { group, laws, refuted }: GroupLaws) -> Vec<(String, ReportedLaw)> {
    let taken: Vec<String> = record.laws.iter().map(|law| law.name.clone()).collect();
    let before: Vec<ReportedLaw> = laws
        .iter()
        .map(|law| ReportedLaw {
            name: law.record.name.clone(),
            price: law.price,
            is_tabled: group.is_none(),
        })
        .collect();
    let laws = named(laws.into_iter().map(|law| law.record).collect(), taken);
    let known = laws.iter().map(|law| law.name.clone()).zip(before).collect();
    record.laws.extend(laws);
    record.groups.extend(group);
    record.refuted.extend(refuted);
    known
}

/// Numbers laws with the same name again, after some laws were left out. None gets a name that is taken.
fn number_anew(laws: &mut Vec<LawRecord>, taken: Vec<String>, known: &BTreeMap<String, ReportedLaw>) {
    for law in &mut *laws {
        if let Some(ReportedLaw { name, .. }) = known.get(&law.name) {
            law.text = law.text.replacen(&format!("relation {}", law.name), &format!("relation {name}"), 1);
            law.name.clone_from(name);
        }
    }
    *laws = named(std::mem::take(laws), taken);
}

/// The laws of one function, found for a discovery.
pub(crate) struct LawsOfFunction {
    pub(crate) laws: Vec<LawRecord>,
    /// How many of them, the first ones, are reported whatever they kill; the others are so if they kill what others do not.
    pub(crate) textbook: usize,
    /// Whether a clock ended a part of the search, so that another run may find other laws.
    pub(crate) time_decided: bool,
}

/// The laws of one function, and its laws of known forms with other functions. Known forms and laws of numbers were run on
/// `fresh` new inputs, equations on a few; all are tested again by whoever reports them. A law that there was no time to run on as many
/// held on the groups of its first test.
///
/// # Errors
/// When inputs cannot be drawn or the host fails.
pub(crate) fn laws_of(
    target: &DiscoveryTarget<'_>,
    options: &DiscoverOptions,
    fresh: u64,
    until: &Until,
) -> Result<LawsOfFunction, LabError> {
    let workbench: &Workbench = &**target.workbench;
    let (seed, jobs) = (options.seed, options.jobs);
    let how =
        LawsOptions { seed, time: None, fresh, everything: true, mutants: 0, jobs, ..LawsOptions::default() };
    let interrupted = Interruption::default();
    let longer = with_longer_data(workbench)?;
    let trial = FreshTests {
        workbench,
        longer: longer.as_deref(),
        options: &how,
        interrupted: &interrupted,
        until,
        time_decided: &Cell::new(false),
        are_tested_again: true,
    };
    let Plan { of_numbers, of_any, .. } = Plan::new(workbench, &[target.function]);
    let is_wanted = |form: &KnownForm| form.functions().any(|function| function == target.function);
    let share = until.share(KNOWN_FORMS_SHARE);
    let of_known_forms = laws_of_known_forms(FreshTests { until: &share, ..trial }, &is_wanted)?;
    let mut laws = Vec::new();
    for group in &of_numbers {
        laws.extend(LawSearch { trial }.run(group, &mut |_| {})?.laws);
    }
    for functions in &of_any {
        laws.extend(equations::search(trial, functions, &mut |_| {})?.laws);
    }
    let mut distinct = Distinct::default();
    let is_wanted = |law: &FoundLaw| law.price == 0 && (options.everything || law.reads_well);
    let found = laws.into_iter().filter(is_wanted).chain(of_known_forms);
    let (mut records, mut others) = (Vec::new(), Vec::new());
    for law in found.filter(|law| is_new(&law.record, &mut distinct, workbench)) {
        if law.price == 0 { records.push(law.record) } else { others.push(law.record) }
    }
    let textbook = records.len();
    records.extend(others);
    let time_decided = until.is_up() || trial.time_decided.get();
    Ok(LawsOfFunction { laws: named(records, Vec::new()), textbook, time_decided })
}

/// Whether a law says what none before it says.
fn is_new(law: &LawRecord, distinct: &mut Distinct, workbench: &Workbench) -> bool {
    let functions = workbench.functions();
    let Some(relation) = parsed(&law.text) else { return false };
    load(&relation, functions)
        .is_ok_and(|loaded| distinct.add(&relation, &functions_of(&loaded.relation), functions))
}

/// The laws, renamed so that no two have the same name.
fn named(laws: Vec<LawRecord>, mut taken: Vec<String>) -> Vec<LawRecord> {
    let rename = |mut law: LawRecord| {
        let free = free(law.name.clone(), &taken);
        law.text = law.text.replacen(&format!("relation {}", law.name), &format!("relation {free}"), 1);
        taken.push(free.clone());
        law.name = free;
        law
    };
    laws.into_iter().map(rename).collect()
}
