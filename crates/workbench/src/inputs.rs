//! Inputs of functions under test: from files, or drawn from the parameters' domains.

use std::path::PathBuf;

use dodona_relations::{Eligibility, Variable};
use dodona_sources::{Sampler, Seed, file};
use dodona_target::{Column, Parameter, Sampling, Signature, Value};

use crate::plan::BATCH_ROWS;
use crate::{LabError, Workbench};

/// Inputs of a function under test: those of files that have a column for each parameter, then `count` random ones. Only
/// eligible inputs are kept, and a warning says how many inputs of a file lie outside the domains. They come in batches with
/// one column for each parameter; no batch is empty. A function without parameters has one input, in a batch without columns.
///
/// # Errors
/// When a file cannot be read, nothing can be drawn, or there is no input at all.
///
/// # Panics
/// When there is no such function.
pub fn inputs(
    workbench: &Workbench,
    function: usize,
    files: &[PathBuf],
    count: u64,
    seed: Seed,
    warnings: &mut Vec<String>,
) -> Result<Vec<Vec<Column>>, LabError> {
    let declared = &workbench.functions()[function];
    let mut batches = from_files(declared, files, warnings)?;
    if count > 0 || declared.parameters.is_empty() {
        batches.extend(eligible(declared, drawn(declared, count, seed)?));
    }
    match batches.is_empty() {
        true => Err(LabError::Sources(none(declared, files, count))),
        false => Ok(batches),
    }
}

/// Rows of values as columns, one for each parameter.
pub fn columns<'v>(function: &Signature, rows: impl IntoIterator<Item = &'v [Value]>) -> Vec<Column> {
    let mut columns: Vec<Column> = function.parameters.iter().map(|p| Column::empty(p.ty)).collect();
    for values in rows {
        columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
    }
    columns
}

/// The eligible rows of inputs, which have one column for each parameter.
pub fn eligible_rows(function: &Signature, columns: &[Column]) -> Vec<u32> {
    let eligible = eligibility(function).rows(columns);
    (0..eligible.len() as u32).filter(|&row| eligible[row as usize]).collect()
}

/// Why there is no input.
pub fn none(function: &Signature, files: &[PathBuf], count: u64) -> String {
    let names: Vec<&str> = function.parameters.iter().map(|p| p.name.as_str()).collect();
    let signature = format!("{}({})", function.name, names.join(", "));
    if count > 0 {
        let requires = function.requires.as_deref().unwrap_or_default();
        return format!(
            "none of {count} random inputs of {signature} meets `{requires}`; raise their number or narrow the domains"
        );
    }
    if files.is_empty() {
        return format!("there is no input of {signature}; give --inputs a number above 0, or --from a file");
    }
    let requires = function.requires.iter().map(|text| format!(" that meet `{text}`"));
    let has = |path: &PathBuf| {
        // The file was read before, so this does not fail.
        let columns = file::columns(path).unwrap_or_default();
        format!("{}, which has {},", path.display(), columns.join(", "))
    };
    format!(
        "no input of {signature} is in {} for it needs a column a parameter, and values in the domains{}",
        files.iter().map(has).collect::<Vec<_>>().join(" or in "),
        requires.collect::<String>()
    )
}

/// The inputs of the files that have a column for each parameter, in batches. Inputs that are not eligible are left out, and a
/// warning says how many these are.
pub fn from_files(
    function: &Signature,
    files: &[PathBuf],
    warnings: &mut Vec<String>,
) -> Result<Vec<Vec<Column>>, LabError> {
    let fails = |e: &dyn std::fmt::Display| LabError::Sources(e.to_string());
    let wanted: Vec<_> =
        function.parameters.iter().map(|p| file::Wanted { name: p.name.clone(), ty: p.ty }).collect();
    let mut found = Vec::new();
    for path in files {
        let names = file::columns(path).map_err(|e| fails(&e))?;
        if wanted.is_empty() || !wanted.iter().all(|w| names.contains(&w.name)) {
            continue;
        }
        let first = found.len();
        let mut columns: Vec<Column> = wanted.iter().map(|w| Column::empty(w.ty)).collect();
        for row in file::read(path, &wanted).map_err(|e| fails(&e))? {
            let row = row.map_err(|e| fails(&e))?;
            columns.iter_mut().zip(&row.values).for_each(|(column, value)| column.push(value));
            if columns[0].len() == BATCH_ROWS {
                let empty = wanted.iter().map(|w| Column::empty(w.ty)).collect();
                found.push(std::mem::replace(&mut columns, empty));
            }
        }
        found.push(columns);
        for (rows, why) in leave_out_ineligible(function, &mut found[first..]) {
            let (path, inputs) = (path.display(), if rows == 1 { "input" } else { "inputs" });
            let them = if rows == 1 { "is" } else { "are" };
            warnings.push(format!("{path}: {rows} {inputs} {them} {why} and left out"));
        }
    }
    found.retain(|columns| columns.first().is_some_and(|c| !c.is_empty()));
    Ok(found)
}

/// The parameter that a variable takes its values from.
pub(crate) fn parameter<'a>(workbench: &'a Workbench, variable: &Variable) -> &'a Parameter {
    &workbench.functions()[variable.function].parameters[variable.parameter]
}

/// Draws values of a parameter.
pub fn sampler(
    function: &Signature,
    parameter: &Parameter,
    sampling: &Sampling,
) -> Result<Sampler, LabError> {
    Sampler::new(parameter.ty, &parameter.domain, sampling).map_err(|error| LabError::EmptyDomain {
        function: function.name.clone(),
        parameter: parameter.name.clone(),
        error,
    })
}

/// Random inputs in batches, each from a stream of its own. A function without parameters has one input.
pub fn drawn(function: &Signature, count: u64, seed: Seed) -> Result<Vec<Vec<Column>>, LabError> {
    if function.parameters.is_empty() {
        return Ok(vec![Vec::new()]);
    }
    let each = function.parameters.iter().map(|p| sampler(function, p, &p.sampling));
    let samplers = each.collect::<Result<Vec<_>, _>>()?;
    let chunks = count.div_ceil(BATCH_ROWS as u64);
    let batch = |chunk: u64| {
        let rows = (count - chunk * BATCH_ROWS as u64).min(BATCH_ROWS as u64) as usize;
        let columns = function.parameters.iter().zip(&samplers).map(|(parameter, sampler)| {
            let name = format!("inputs of {}/{}", function.name, parameter.name);
            sampler.column(&mut seed.stream(&name, chunk), rows)
        });
        columns.collect()
    };
    Ok((0..chunks).map(batch).collect())
}

/// The conditions for inputs of a function. The precondition of every function in a workbench compiles.
pub fn eligibility(function: &Signature) -> Eligibility<'_> {
    Eligibility::of(function).unwrap_or_else(|problems| unreachable!("compiled before: {problems:?}"))
}

/// The eligible inputs among these. Batches without any are left out.
pub fn eligible(function: &Signature, batches: Vec<Vec<Column>>) -> Vec<Vec<Column>> {
    let eligibility = eligibility(function);
    let allowed = |columns: Vec<Column>| match columns.is_empty() {
        true => columns,
        false => kept(&columns, &eligibility.rows(&columns)),
    };
    let left = |columns: &Vec<Column>| columns.first().is_none_or(|column| !column.is_empty());
    batches.into_iter().map(allowed).filter(left).collect()
}

/// The rows that are kept.
fn kept(columns: &[Column], rows: &[bool]) -> Vec<Column> {
    let rows: Vec<u32> = (0..rows.len() as u32).filter(|&row| rows[row as usize]).collect();
    columns.iter().map(|column| column.select(&rows)).collect()
}

/// Leaves out the inputs that are not eligible; returns how many these are, for each reason that occurs.
fn leave_out_ineligible(function: &Signature, batches: &mut [Vec<Column>]) -> Vec<(usize, String)> {
    let eligibility = eligibility(function);
    let (mut outside, mut unmet) = (0, 0);
    for columns in batches {
        let within = eligibility.in_domains(columns);
        let eligible = eligibility.rows(columns);
        outside += within.iter().filter(|row| !**row).count();
        unmet += within.iter().zip(&eligible).filter(|(within, eligible)| **within && !**eligible).count();
        *columns = kept(columns, &eligible);
    }
    let name = &function.name;
    let requires = function.requires.as_deref().unwrap_or_default();
    let reasons = [
        (outside, format!("outside the domains of `{name}`")),
        (unmet, format!("not allowed by `requires = \"{requires}\"` of `{name}`")),
    ];
    reasons.into_iter().filter(|(rows, _)| *rows > 0).collect()
}
