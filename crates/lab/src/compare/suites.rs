//! The suites: each technique's inputs of each repeat, in the order in which they are run, with the time that it took.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dodona_generation::{GenerateOptions, Generated, Instrumented, Technique, generate_with, prioritise};
use dodona_records::GenerationRecord;
use dodona_sources::Seed;
use dodona_target::{Column, Interruption};
use dodona_wasm::Workbench;
use dodona_workbench::{DistinctInputs, LabError, Worker, pool};

use super::{CompareOptions, CompareProgress, Contender};

/// What suites are generated from.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) workbench: &'a Workbench,
    pub(super) instrumented: &'a Instrumented,
    pub(super) options: &'a CompareOptions,
    /// The relations, for the technique that makes inputs for them.
    pub(super) relations: &'a [usize],
    /// Inputs a suite.
    pub(super) count: usize,
}

/// The inputs of one technique and repeat.
pub(super) struct Suite {
    pub(super) contender: Contender,
    pub(super) repeat: u64,
    pub(super) seed: Seed,
    /// Numbers of the pool, in the order in which they are run.
    pub(super) inputs: Vec<usize>,
    pub(super) generation: Duration,
    pub(super) ordering: Duration,
}

/// What a technique makes in a repeat, before its inputs are numbered. It is made once, whatever number of orders it is put in.
struct Made {
    columns: Vec<Column>,
    generation: Duration,
    record: GenerationRecord,
    orders: Vec<Ordered>,
}

/// An order of the inputs.
struct Ordered {
    /// The place of the technique with this order among those of the options.
    place: usize,
    order: Vec<usize>,
    ordering: Duration,
}

/// The seed of a repeat.
pub(super) fn seed(first: Seed, repeat: u64) -> Seed {
    Seed(first.0.wrapping_add(repeat))
}

/// Generates every suite, by technique and then by repeat; `None` when it was interrupted.
pub(super) fn generate(
    asked: &Asked<'_>,
    pool: &mut DistinctInputs,
    (warnings, contradictions): (&mut Vec<String>, &mut Vec<String>),
    interrupted: &Interruption,
    progress: &mut dyn FnMut(CompareProgress),
) -> Result<Option<Vec<Suite>>, LabError> {
    let made = all(asked, interrupted, progress)?;
    if interrupted.is_raised() {
        return Ok(None);
    }
    let mut said = BTreeMap::new();
    let mut suites = Vec::new();
    for (index, made) in made.into_iter().enumerate() {
        let (technique, repeat) = asked.made(index);
        let numbers = pool.add(&made.columns, made.record.inputs as usize);
        contradictions.extend(made.record.contradictions());
        for words in made.record.remarks() {
            *said.entry((technique, words)).or_insert(0_u64) += 1;
        }
        for Ordered { place, order, ordering } in made.orders {
            let suite = Suite {
                contender: asked.options.techniques[place],
                repeat,
                seed: seed(asked.options.generate.seed, repeat),
                inputs: order.iter().map(|&input| numbers[input]).collect(),
                generation: made.generation,
                ordering,
            };
            suites.push((place, suite));
        }
    }
    suites.sort_by_key(|(place, suite)| (*place, suite.repeat));
    let repeats = asked.options.repeats;
    warnings.extend(said.into_iter().map(|((technique, words), suites)| {
        format!("{}, {suites} of {repeats} suites: {words}", technique.name())
    }));
    Ok(Some(suites.into_iter().map(|(_, suite)| suite).collect()))
}

/// Generates every suite, some at a time; after an interruption some are missing.
fn all(
    asked: &Asked<'_>,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(CompareProgress),
) -> Result<Vec<Made>, LabError> {
    let planned = asked.techniques().len() * asked.options.repeats.get();
    let mut made: Vec<Option<Made>> = (0..planned).map(|_| None).collect();
    let make = |index: usize, suite: &mut Option<Made>| {
        if !interrupted.is_raised() {
            match asked.make(index, interrupted) {
                Err(error) if error.is_stopped() && interrupted.is_raised() => {}
                made => *suite = Some(made?),
            }
        }
        Ok(())
    };
    pool::each((Worker::Suites, asked.options.jobs.get()), &mut made, make, &mut |done| {
        progress(CompareProgress { step: "suites", done: done as u64, planned: planned as u64 });
    })?;
    Ok(made.into_iter().flatten().collect())
}

impl Asked<'_> {
    /// The techniques, each once.
    fn techniques(&self) -> Vec<Technique> {
        let mut techniques: Vec<Technique> = Vec::new();
        for contender in &self.options.techniques {
            if !techniques.contains(&contender.technique) {
                techniques.push(contender.technique);
            }
        }
        techniques
    }

    /// The technique and repeat of what is made.
    fn made(&self, index: usize) -> (Technique, u64) {
        let repeats = self.options.repeats.get();
        (self.techniques()[index / repeats], (index % repeats) as u64)
    }

    /// Generates the inputs of a technique and repeat, and puts them in every order that is asked for.
    fn make(&self, index: usize, interrupted: &Interruption) -> Result<Made, LabError> {
        let (technique, repeat) = self.made(index);
        let seed = seed(self.options.generate.seed, repeat);
        let (count, relations) = (Some(self.count), Some(self.relations.to_vec()));
        let how = GenerateOptions { technique, seed, count, relations, ..self.options.generate.clone() };
        let started = Instant::now();
        let generated = generate_with(self.workbench, self.instrumented, &how, interrupted)?;
        let generation = started.elapsed();
        let contenders = self.options.techniques.iter().enumerate();
        let own = contenders.filter(|(_, contender)| contender.technique == technique);
        let orders =
            own.map(|(place, &contender)| self.ordered(place, contender, &generated, seed)).collect();
        Ok(Made { columns: generated.columns, generation, record: generated.record, orders })
    }

    fn ordered(&self, place: usize, contender: Contender, generated: &Generated, seed: Seed) -> Ordered {
        let function = &self.workbench.functions()[self.instrumented.function()];
        let started = Instant::now();
        let by = self.options.order_of(contender);
        let order = prioritise(by, function, &generated.columns, &generated.coverage, seed, &|| true);
        Ordered { place, order, ordering: started.elapsed() }
    }
}
