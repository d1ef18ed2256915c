//! The source inputs of a check: kept ones, those of files, those that were made, and random ones, which are drawn batch by
//! batch.

mod feed;

use std::collections::HashMap;
use std::path::Path;

use dodona_records::Provenance;
use dodona_sources::{Sampler, Seed, Xoshiro256PlusPlus, file};
use dodona_target::{Column, Type, Value};

pub(crate) use feed::{DrawnSize, Feed};

use crate::distinct::append_bits;
use crate::inputs::parameter;
use crate::kept::{KeptInput, KeptInputs};
use crate::plan::{BATCH_ROWS, Batch, Origin};
use crate::variables::samplers;
use crate::{CheckOptions, Fed, LabError, LoadedRelation, MadeInputs, Regressions, Workbench, takes};

/// Source inputs that are given before the check, each with its origin.
#[derive(Default)]
struct Given {
    columns: Vec<Column>,
    places: Vec<Provenance>,
}

/// The source inputs of one relation.
struct OfRelation {
    /// The name of its random streams.
    name: String,
    variables: Vec<String>,
    samplers: Vec<Sampler>,
    /// Whether some variable is a sequence or a text.
    has_rows: bool,
    kept: Given,
    /// For each kept source input the group that violated the relation.
    kept_groups: Vec<usize>,
    given: Given,
}

/// The source inputs of a check.
pub struct SourceInputs {
    seed: Seed,
    relations: Vec<OfRelation>,
    /// Kept counterexamples that no relation could be run on.
    unread: u64,
}

impl SourceInputs {
    /// Reads files and regressions, and prepares the drawing of random inputs.
    pub fn read(
        workbench: &Workbench,
        relations: &[usize],
        options: &CheckOptions,
        warnings: &mut Vec<String>,
    ) -> Result<SourceInputs, LabError> {
        let mut of_relations = Vec::new();
        for &index in relations {
            let relation = &workbench.relations[index];
            let samplers = match options.sources {
                0 => Vec::new(),
                _ => samplers(workbench, &relation.relation)?,
            };
            of_relations.push(OfRelation {
                name: relation.relation.name().to_owned(),
                variables: relation.relation.variables().iter().map(|v| v.name.clone()).collect(),
                samplers,
                has_rows: {
                    let is_row = |v| !matches!(parameter(workbench, v).ty, Type::Scalar(_));
                    relation.relation.variables().iter().any(is_row)
                },
                kept: Given::empty(workbench, relation),
                kept_groups: Vec::new(),
                given: Given::empty(workbench, relation),
            });
        }
        let mut sources = SourceInputs { seed: options.seed, relations: of_relations, unread: 0 };
        if options.regressions != Regressions::Ignore {
            sources.read_kept(workbench, relations, options.regressions, warnings)?;
        }
        for path in &options.files {
            sources.read_file(workbench, relations, path, warnings)?;
        }
        for made in &options.made {
            sources.feed_made(workbench, relations, made)?;
        }
        if !options.made.is_empty() && options.sources == 0 {
            warnings.extend(sources.not_fed());
        }
        Ok(sources)
    }

    /// How many kept counterexamples no relation could be run on: damaged ones, and those whose relation has changed or is gone.
    pub fn unread(&self) -> u64 {
        self.unread
    }

    /// The kept source inputs of each relation.
    pub fn kept_rows(&self) -> Vec<usize> {
        self.relations.iter().map(|r| r.kept.places.len()).collect()
    }

    /// The source inputs of each relation that were read from files, or made.
    pub fn given_rows(&self) -> Vec<usize> {
        self.relations.iter().map(|r| r.given.places.len()).collect()
    }

    /// The bits of all source inputs that are not drawn.
    pub(crate) fn append_bits(&self, bits: &mut Vec<u8>) {
        for Given { columns, places } in self.relations.iter().flat_map(|of| [&of.kept, &of.given]) {
            bits.extend((places.len() as u64).to_le_bytes());
            for column in columns {
                (0..column.len()).for_each(|row| append_bits(column, row, bits));
            }
        }
    }

    pub(crate) fn kept_place(&self, relation: usize, row: usize) -> Provenance {
        self.relations[relation].kept.places[row].clone()
    }

    /// The group for which a source input was kept.
    pub(crate) fn kept_group(&self, relation: usize, row: usize) -> usize {
        self.relations[relation].kept_groups[row]
    }

    /// The values of a kept source input.
    pub(crate) fn kept_values(&self, relation: usize, row: usize) -> Vec<Value> {
        self.relations[relation].kept.columns.iter().map(|column| column.value(row)).collect()
    }

    pub(crate) fn given_place(&self, relation: usize, row: usize) -> Provenance {
        self.relations[relation].given.places[row].clone()
    }

    /// The source inputs of a batch, one column for each variable.
    pub fn columns(&self, batch: &Batch) -> Vec<Column> {
        let relation = &self.relations[batch.relation];
        match batch.origin {
            Origin::Regressions => relation.kept.columns.clone(),
            Origin::Given { start } => {
                let rows: Vec<u32> = (start as u32..(start + batch.rows) as u32).collect();
                relation.given.columns.iter().map(|c| c.select(&rows)).collect()
            }
            Origin::Random { chunk } => {
                let draw = |(sampler, mut stream): (&Sampler, Xoshiro256PlusPlus)| {
                    sampler.column(&mut stream, batch.rows)
                };
                self.streams(relation, chunk).map(draw).collect()
            }
        }
    }

    /// For each variable of a random chunk its sampler and its stream.
    fn streams<'a>(
        &'a self,
        relation: &'a OfRelation,
        chunk: u64,
    ) -> impl Iterator<Item = (&'a Sampler, Xoshiro256PlusPlus)> {
        let streams = relation.variables.iter().map(move |v| format!("{}/{v}", relation.name));
        relation.samplers.iter().zip(streams.map(move |name| self.seed.stream(&name, chunk)))
    }

    /// The source inputs of a batch, a few rows at a time. `known` is what was drawn for the relation before.
    pub(crate) fn feed(&self, batch: &Batch, known: DrawnSize) -> Feed<'_> {
        let relation = &self.relations[batch.relation];
        match batch.origin {
            Origin::Random { chunk } if relation.has_rows => {
                let streams = self.streams(relation, chunk).collect();
                Feed::Drawn { streams, size: known }
            }
            _ => Feed::Whole { columns: self.columns(batch), at: 0 },
        }
    }

    /// Adds kept counterexamples to their relations, those that are checked.
    fn read_kept(
        &mut self,
        workbench: &Workbench,
        relations: &[usize],
        regressions: Regressions,
        warnings: &mut Vec<String>,
    ) -> Result<(), LabError> {
        let kept = match regressions {
            Regressions::KeepOwn | Regressions::TryOwn => KeptInputs::read_own(workbench, relations)?,
            _ => KeptInputs::read(workbench, relations)?,
        };
        let places = relations.iter().enumerate();
        let places: HashMap<usize, usize> =
            places.map(|(position, &relation)| (relation, position)).collect();
        for (KeptInput { relation, group, values }, path) in kept.inputs {
            if let Some(&position) = places.get(&relation) {
                let of = &mut self.relations[position];
                of.kept.push(&values, Provenance::Regression { path });
                of.kept_groups.push(group);
            }
        }
        self.unread = kept.not_run.len() as u64;
        warnings.extend(kept.not_run);
        Ok(())
    }

    /// Adds the rows of a file to each relation whose variables it has.
    fn read_file(
        &mut self,
        workbench: &Workbench,
        relations: &[usize],
        path: &Path,
        warnings: &mut Vec<String>,
    ) -> Result<(), LabError> {
        let fails = |e: &dyn std::fmt::Display| LabError::Sources(e.to_string());
        let names = file::columns(path).map_err(|e| fails(&e))?;
        let mut used = false;
        for (of, &index) in self.relations.iter_mut().zip(relations) {
            let missing: Vec<&str> =
                of.variables.iter().filter(|v| !names.contains(v)).map(String::as_str).collect();
            if !missing.is_empty() {
                let words =
                    format!("`{}` takes no source from it: it has no {}", of.name, missing.join(", "));
                warnings.push(format!("{}: {words}", path.display()));
                continue;
            }
            used = true;
            let wanted: Vec<_> = workbench.relations[index]
                .relation
                .variables()
                .iter()
                .map(|v| file::Wanted { name: v.name.clone(), ty: parameter(workbench, v).ty })
                .collect();
            for row in file::read(path, &wanted).map_err(|e| fails(&e))? {
                let row = row.map_err(|e| fails(&e))?;
                let place = Provenance::File { path: path.display().to_string(), line: row.line };
                of.given.push(&row.values, place);
            }
        }
        if used {
            return Ok(());
        }
        Err(LabError::Sources(format!(
            "{} has columns for no relation: it has {}, the variables are {}",
            path.display(),
            names.join(", "),
            self.variables().join(", ")
        )))
    }

    /// Adds inputs that were made for a function to each relation that takes them. A relation without variables has one source.
    fn feed_made(
        &mut self,
        workbench: &Workbench,
        relations: &[usize],
        made: &MadeInputs,
    ) -> Result<(), LabError> {
        let place = |row: usize| Provenance::Made {
            technique: made.technique.clone(),
            function: workbench.functions()[made.function].name.clone(),
            seed: self.seed.0,
            row: row as u64,
        };
        let all = made.columns.first().map_or(0, Column::len);
        for (of, &index) in self.relations.iter_mut().zip(relations) {
            let loaded = &workbench.relations[index];
            if of.variables.is_empty() && of.given.places.is_empty() {
                of.given.push(&[], place(0));
            }
            if !takes(&loaded.relation, made.function) {
                continue;
            }
            let fed = Fed::of(workbench, loaded, made.function)?;
            for start in (0..all).step_by(BATCH_ROWS) {
                let rows = BATCH_ROWS.min(all - start);
                let columns = fed.columns(&made.columns, start, rows, self.seed);
                for row in 0..rows {
                    let values: Vec<Value> = columns.iter().map(|column| column.value(row)).collect();
                    of.given.push(&values, place(start + row));
                }
            }
        }
        Ok(())
    }

    /// The warning that names relations which take none of the inputs that were made.
    fn not_fed(&self) -> impl Iterator<Item = String> + '_ {
        let left_out = self.relations.iter().filter(|of| of.given.places.is_empty());
        left_out.map(|of| {
            format!(
                "`{}` takes no source that was made: it calls no function with a variable of its parameters",
                of.name
            )
        })
    }

    fn variables(&self) -> Vec<String> {
        let mut all: Vec<String> = self.relations.iter().flat_map(|r| r.variables.clone()).collect();
        all.sort();
        all.dedup();
        all
    }
}

impl Given {
    fn empty(workbench: &Workbench, relation: &LoadedRelation) -> Given {
        let columns = relation.relation.variables().iter().map(|v| Column::empty(parameter(workbench, v).ty));
        Given { columns: columns.collect(), places: Vec::new() }
    }

    fn push(&mut self, values: &[Value], place: Provenance) {
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
        self.places.push(place);
    }
}
