//! Repeats the experiments of the study of k-MR coverage (Fu, Sun, Zhang, Liu, "Test Adequacy for Metamorphic Testing: Criteria, Measurement, and
//! Implication", 2024, section IV) on one subject with frames, measures what the selection and the order of groups are worth, which it names as
//! future work, and writes all of it as CSV.
//!
//! `adequacy SUBJECT RELATIONS.mr OUTPUT NAME [SUITES [EACH [PARTS]]]`: OUTPUT is a folder, NAME begins the names of the files in it, EACH is the
//! number of inputs of a frame, and PARTS are some of `suites,selection,order`.

mod effect;
mod order;
mod selection;

use std::error::Error;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dodona_frames::{FrameCriterion, Framed, FramesOptions, requirements, samples};
use dodona_generation::adequacy::{Associations, Requirements, adequacy, random_suite};
use dodona_generation::{
    CoveredFunction, GenerateOptions, Instrumented, SearchOptions, StatementScope, generate_with,
};
use dodona_lab::{
    CodeCriterion, Executed, GroupKills, Revealed, all_groups, associate, code_requirements, group_kills,
};
use dodona_mutation::orders::{KillSets, Subsumption};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption, Until, next_splitmix64};
use fixedbitset::FixedBitSet;

/// Random inputs beside those of frames, so that statements that no frame asks for are run.
const RANDOM: u64 = 200;

/// Suites are drawn so often for each one that is kept: a drawn suite may step over the interval of degrees that is asked for.
const DRAWS: usize = 20;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [subject, relations, output, name, rest @ ..] = &arguments[..] else {
        return Err("usage: adequacy SUBJECT RELATIONS.mr OUTPUT NAME [SUITES [EACH [PARTS]]]".into());
    };
    let suites = rest.first().map_or(Ok(100), |text| text.parse())?;
    let each = rest.get(1).map_or(Ok(10), |text| text.parse())?;
    let parts = rest.get(2).map_or("suites,selection,order", String::as_str);
    let study = Study::of(Path::new(subject), Path::new(relations), suites, each)?;
    let folder = PathBuf::from(output);
    let write = |kind: &str, text: String| std::fs::write(folder.join(format!("{name}-{kind}.csv")), text);
    for part in parts.split(',') {
        match part {
            "suites" => {
                write("subject", study.subject(name)?)?;
                write("k", study.by_k(name)?)?;
                let (levels, rates) = study.by_level(name)?;
                write("level", levels)?;
                write("rate", rates)?;
            }
            "selection" => write("selection", selection::measured(&study, name)?)?,
            "order" => write("order", order::measured(&study, name)?)?,
            _ => return Err(format!("`{part}` is no part: there are suites, selection and order").into()),
        }
    }
    Ok(())
}

/// A criterion with its requirements.
struct Criterion {
    name: &'static str,
    requirements: Requirements,
    /// The k that the authors found reasonable for it (section V-A).
    k: usize,
}

/// Everything that was run.
struct Study {
    suites: usize,
    executed: Executed,
    kills: GroupKills,
    /// The mutants that each group reveals.
    revealed: Revealed,
    /// Mutants that an input or a group reveals: the faults.
    faults: FixedBitSet,
    /// One mutant of each group of dominators, among those that a metamorphic group reveals.
    dominators: FixedBitSet,
    criteria: Vec<Criterion>,
    rows: usize,
}

impl Study {
    fn of(subject: &Path, relations: &Path, suites: usize, each: usize) -> Outcome<Study> {
        let (seed, jobs, interrupted) = (Seed(1), NonZeroUsize::MIN, Interruption::default());
        let mut manifest = Manifest::find(subject)?;
        manifest.relations = vec![relations.to_path_buf()];
        manifest.functions.iter_mut().for_each(|function| function.relations.clear());
        let workbench = Arc::new(dodona_wasm::open(manifest)?);
        let framed = Framed::open(&workbench, None, None)?;
        let function = framed.function;
        let frames =
            samples(&framed, &FramesOptions { each, seed, ..FramesOptions::default() }, &interrupted)?;
        let instrumented = Arc::new(Instrumented::new(&workbench, function, StatementScope::AtHand)?);
        let mut columns = frames.columns.clone();
        let drawn = dodona_workbench::inputs(&*workbench, function, &[], RANDOM, seed, &mut Vec::new())?;
        drawn.iter().for_each(|batch| append(&mut columns, batch));
        let search =
            SearchOptions { time: Some(std::time::Duration::from_secs(30)), ..SearchOptions::default() };
        let along = GenerateOptions { count: Some(200), seed, search, ..GenerateOptions::default() };
        append(&mut columns, &generate_with(&workbench, &instrumented, &along, &interrupted)?.columns);
        let all: Vec<usize> = (0..workbench.relations.len()).collect();
        let until = Until::interrupted(&interrupted);
        let executed = associate(&workbench.any(), function, &all, &columns, seed, &until)?;
        let covered = CoveredFunction::Module(Arc::clone(&instrumented));
        let code = |criterion| code_requirements(&covered, criterion, &columns, jobs, &interrupted);
        let choices =
            |criterion| requirements(&framed, &frames, criterion, &columns).map(|asked| asked.requirements);
        let criteria = vec![
            Criterion { name: "statement", requirements: code(CodeCriterion::Statement)?, k: 3 },
            Criterion { name: "branch", requirements: code(CodeCriterion::Branch)?, k: 3 },
            Criterion { name: "i-choice", requirements: choices(FrameCriterion::Choice)?, k: 3 },
            Criterion { name: "i-choice-pair", requirements: choices(FrameCriterion::ChoicePair)?, k: 3 },
            Criterion { name: "io-ctf", requirements: choices(FrameCriterion::IoFrame)?, k: 2 },
        ];
        let kills = group_kills(&workbench, function, &executed, &columns, (seed, jobs), &interrupted)?;
        let rows = columns.first().map_or(1, Column::len);
        let mutants = kills.mutants.len();
        let (mut faults, mut dominators) =
            (FixedBitSet::with_capacity(mutants), FixedBitSet::with_capacity(mutants));
        for (mutant, groups) in kills.groups.iter().enumerate() {
            faults.set(mutant, !groups.is_clear() || !kills.inputs[mutant].is_clear());
        }
        let revealed = Revealed::new(executed.relations.len(), rows, &kills.groups);
        let sets = KillSets::from_tests(
            executed.relations.len() * rows,
            kills.groups.iter().map(FixedBitSet::ones),
        )?;
        dominators.extend(Subsumption::of(&sets).dominators().map(|group| group.mutants[0]));
        Ok(Study { suites, executed, kills, revealed, faults, dominators, criteria, rows })
    }

    /// What is measured on: a line.
    fn subject(&self, name: &str) -> Outcome<String> {
        let reach = self.revealed.by(&all_groups(self.associations()));
        let mut text = String::from(
            "subject,mutants,equivalent,duplicates,faults,by groups,dominators,relations,forms,sources,associations,statement,branch,i-choice,i-choice-pair,io-ctf\n",
        );
        let counts = [
            self.kills.mutants.len() + (self.kills.equivalent + self.kills.duplicates) as usize,
            self.kills.equivalent as usize,
            self.kills.duplicates as usize,
            self.faults.count_ones(..),
            reach.count_ones(..),
            self.dominators.count_ones(..),
            self.executed.relations.len(),
            self.executed.forms.len(),
            self.rows,
            self.associations().len(),
        ];
        let sizes = self.criteria.iter().map(|criterion| criterion.requirements.names.len());
        write!(text, "{name}")?;
        for count in counts.into_iter().chain(sizes) {
            write!(text, ",{count}")?;
        }
        Ok(text + "\n")
    }

    /// Suites that are adequate for k = 1, 2, 3, 4, and all relations of source inputs that just satisfy a criterion (section IV-E, RQ1).
    fn by_k(&self, name: &str) -> Outcome<String> {
        let mut text = String::from("subject,criterion,k,suite,sources,groups,degree,fde,dominators\n");
        for criterion in &self.criteria {
            for suite in 0..self.suites {
                let mut state = suite as u64 + 1;
                let sources = self.satisfying(&criterion.requirements, &mut state);
                for k in [1, 2, 3, 4, usize::MAX] {
                    let groups: Vec<_> =
                        sources.iter().flat_map(|source| self.relations_of(*source, k, &mut state)).collect();
                    let degree = self.degree(&criterion.requirements, &groups, k.min(4));
                    let k = if k == usize::MAX { "all".to_owned() } else { k.to_string() };
                    write!(text, "{name},{},{k},{suite},{}", criterion.name, sources.len())?;
                    self.effect(&mut text, &groups, degree)?;
                }
            }
        }
        Ok(text)
    }

    /// Suites of ten levels of adequacy, and how reliably suites of a level reveal each fault (RQ2, RQ3).
    fn by_level(&self, name: &str) -> Outcome<(String, String)> {
        let mut text = String::from("subject,criterion,k,level,suite,groups,degree,fde,dominators\n");
        let mut rates = String::from(
            "subject,criterion,level,suites,mean,lower quartile,median,upper quartile,never,always\n",
        );
        for criterion in &self.criteria {
            for level in 1..=10 {
                let range = ((level - 1) as f64 / 10.0, f64::from(level) / 10.0);
                let mut times = vec![0_usize; self.kills.mutants.len()];
                let mut made = 0;
                for draw in 0..self.suites * DRAWS {
                    if made == self.suites {
                        break;
                    }
                    let seed = (draw as u64 + 1) * 100 + level as u64;
                    let Some(suite) =
                        random_suite(&criterion.requirements, self.associations(), criterion.k, range, seed)
                    else {
                        continue;
                    };
                    self.revealed.by(&suite.groups).ones().for_each(|mutant| times[mutant] += 1);
                    write!(text, "{name},{},{},{level},{made}", criterion.name, criterion.k)?;
                    self.effect(&mut text, &suite.groups, suite.degree)?;
                    made += 1;
                }
                let each: Vec<f64> =
                    self.faults.ones().map(|m| times[m] as f64 / made.max(1) as f64).collect();
                writeln!(rates, "{name},{},{level},{made},{}", criterion.name, quartiles(each))?;
            }
        }
        Ok((text, rates))
    }

    fn associations(&self) -> &Associations {
        &self.executed.associations
    }

    /// Source inputs in a random order, those that satisfy a requirement that none before does.
    fn satisfying(&self, requirements: &Requirements, state: &mut u64) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows).collect();
        for left in (1..order.len()).rev() {
            order.swap(left, (next_splitmix64(state) % (left as u64 + 1)) as usize);
        }
        let mut satisfied = FixedBitSet::with_capacity(requirements.names.len());
        let is_new = |source: &usize| {
            let adds = !requirements.satisfied[*source].is_subset(&satisfied);
            satisfied.union_with(&requirements.satisfied[*source]);
            adds
        };
        order.into_iter().filter(is_new).collect()
    }

    /// At most k relations of different forms of a source input, at random; all its relations for the greatest k.
    fn relations_of(&self, source: usize, k: usize, state: &mut u64) -> Vec<(usize, usize)> {
        let mut left: Vec<usize> = self.associations().of_source(source).collect();
        if k == usize::MAX {
            return left.into_iter().map(|relation| (source, relation)).collect();
        }
        let mut taken = Vec::new();
        while taken.len() < k && !left.is_empty() {
            let relation = left[(next_splitmix64(state) % left.len() as u64) as usize];
            let form = self.associations().form(relation);
            left.retain(|other| self.associations().form(*other) != form);
            taken.push((source, relation));
        }
        taken
    }

    fn degree(&self, requirements: &Requirements, groups: &[(usize, usize)], k: usize) -> f64 {
        let all = self.associations();
        let forms: Vec<u32> = (0..all.relations()).map(|relation| all.form(relation)).collect();
        let mut some = Associations::new(all.sources(), &forms);
        groups.iter().for_each(|(source, relation)| some.add(*source, *relation));
        adequacy(requirements, &some, k).degree()
    }

    /// The shares of the faults and of the dominators that some of these groups reveals.
    fn shares(&self, groups: &[(usize, usize)]) -> [f64; 2] {
        let revealed = self.revealed.by(groups);
        let share =
            |of: &FixedBitSet| revealed.intersection_count(of) as f64 / of.count_ones(..).max(1) as f64;
        [&self.faults, &self.dominators].map(share)
    }

    /// The rest of a line: groups, degree, and the shares of the faults and of the dominators that they reveal.
    fn effect(&self, text: &mut String, groups: &[(usize, usize)], degree: f64) -> Outcome<()> {
        let [faults, dominators] = self.shares(groups);
        writeln!(text, ",{},{degree:.4},{faults:.4},{dominators:.4}", groups.len())?;
        Ok(())
    }
}

/// `mean,lower quartile,median,upper quartile,share of 0,share of 1`.
fn quartiles(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let count = values.len().max(1) as f64;
    let at = |share: f64| values.get((share * (count - 1.0)).round() as usize).copied().unwrap_or(0.0);
    let share = |wanted: f64| values.iter().filter(|value| **value == wanted).count() as f64 / count;
    let mean = values.iter().sum::<f64>() / count;
    format!("{mean:.4},{:.4},{:.4},{:.4},{:.4},{:.4}", at(0.25), at(0.5), at(0.75), share(0.0), share(1.0))
}

fn append(to: &mut [Column], from: &[Column]) {
    for (to, from) in to.iter_mut().zip(from) {
        (0..from.len()).for_each(|row| to.push(&from.value(row)));
    }
}
