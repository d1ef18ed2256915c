//! The manifest as a whole.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::de::DeTable;

use super::functions::{self, Entry};
use super::homes::is_another_word_for;
use super::section::{Item, Problems, Section};
use super::source;
use super::{Fuel, Limits, Manifest, ModuleSource};
use crate::function::ALLOCATOR;
use crate::{Function, ResultLowering};
use dodona_target::Diagnostic;

pub(super) fn manifest(path: &Path, text: &str) -> Result<Manifest, Vec<Diagnostic>> {
    let table = DeTable::parse(text).map_err(|e| vec![not_toml(&e)])?;
    let problems = Problems::default();
    let manifest = read(path, table.get_ref(), 0..text.len().min(1), &problems);
    let warnings = problems.warnings(text);
    problems.finish(manifest.map(|manifest| Manifest { warnings, ..manifest }))
}

fn not_toml(error: &toml::de::Error) -> Diagnostic {
    let message = error.message().lines().next().unwrap_or("not TOML").to_owned();
    Diagnostic::new(error.span().unwrap_or(0..0), message)
}

fn read(
    path: &Path,
    table: &DeTable<'_>,
    start: std::ops::Range<usize>,
    problems: &Problems,
) -> Option<Manifest> {
    let section = Section::new("the manifest", table, start, problems);
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut entries = entries(&section, folder);
    let name = section.text("name").map_or_else(|| default_name(path), |(n, _)| n);
    let specification = section.text("specification").map(|(s, _)| s);
    let source = source::source(&section, folder, &mut entries);
    refuse_multi_value(source.as_ref(), &entries);
    let limits = section.section("[limits]", "limits").map_or_else(Limits::default, limits);
    let allocator = section.text("allocator");
    let mut relations = functions::relation_files(&section, folder);
    let mut known: HashSet<PathBuf> = relations.iter().cloned().collect();
    for file in entries.iter().flat_map(|e| &e.function.relations) {
        if known.insert(file.clone()) {
            relations.push(file.clone());
        }
    }
    section.finish();
    let mut functions: Vec<Function> = entries.into_iter().map(|e| e.function).collect();
    let_glue_export(source.as_ref(), &mut functions);
    let allocator = allocator_of(source.as_ref(), &functions, allocator, problems);
    Some(Manifest {
        name,
        path: path.to_owned(),
        specification,
        source: source?,
        limits,
        allocator,
        functions,
        relations,
        warnings: Vec::new(),
    })
}

/// Refuses several values of WebAssembly where what is built returns its parts in another way.
fn refuse_multi_value(source: Option<&ModuleSource>, entries: &[Entry<'_>]) {
    if matches!(source, None | Some(ModuleSource::File(_) | ModuleSource::Rust { .. })) {
        return;
    }
    let several = |entry: &&Entry<'_>| matches!(entry.function.result, ResultLowering::MultiValue(_));
    for entry in entries.iter().filter(several) {
        let message = format!("`{}` cannot return several values of WebAssembly here", entry.function.name);
        let hint = "remove `result`: what is built returns its parts through a pointer";
        entry.problems.add(Diagnostic::new(entry.span.clone(), message).hint(hint));
    }
}

/// Names the exports of functions that are called through generated glue.
fn let_glue_export(source: Option<&ModuleSource>, functions: &mut [Function]) {
    match source {
        Some(ModuleSource::Crate(_)) => functions.iter_mut().for_each(Function::export_from_glue),
        Some(ModuleSource::C(c)) => {
            let called = functions.iter_mut().zip(&c.calls).filter(|(_, call)| call.is_some());
            called.for_each(|(function, _)| function.export_from_glue());
        }
        Some(ModuleSource::AssemblyScript(source)) => {
            for (function, call) in functions.iter_mut().zip(&source.calls) {
                if call.is_some() || function.passes_addresses() {
                    // Several functions may call one export in different ways.
                    function.export = function.signature.name.clone();
                    function.export_from_glue();
                }
            }
        }
        _ => {}
    }
}

/// The export that gives memory for arguments: that of the manifest, or of glue that has its own. Where nothing is passed by its address, nobody
/// asks for memory.
fn allocator_of(
    source: Option<&ModuleSource>,
    functions: &[Function],
    given: Option<(String, std::ops::Range<usize>)>,
    problems: &Problems,
) -> Option<String> {
    let Some(ModuleSource::AssemblyScript(_)) = source else { return given.map(|(name, _)| name) };
    if let Some((_, span)) = given {
        let problem =
            Diagnostic::new(span, "`allocator` says nothing of a module that `assemblyscript` builds");
        let hint = "remove it: memory for arguments comes from the runtime of AssemblyScript";
        problems.add(problem.hint(hint));
    }
    functions.iter().any(Function::passes_addresses).then(|| ALLOCATOR.to_owned())
}

/// The name of the folder of a `dodona.toml`, also where the path does not spell it (`dodona.toml`, `./dodona.toml`); else
/// the name of the file.
fn default_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let name = match whole.parent().and_then(Path::file_name) {
        Some(folder) if stem == "dodona" => folder,
        _ => stem,
    };
    name.to_string_lossy().into_owned()
}

fn entries<'a>(section: &Section<'a>, folder: &Path) -> Vec<Entry<'a>> {
    let items = declared(section);
    let mut entries: Vec<Entry<'a>> = Vec::new();
    let mut names = HashSet::new();
    for entry in items.iter().filter_map(|item| functions::entry(*item, folder)) {
        if !names.insert(entry.function.name.clone()) {
            let problem =
                Diagnostic::new(entry.span, format!("function `{}` stands twice", entry.function.name));
            section.problems.add(
                problem.hint("each function has one entry; give the other another name and `export = \"…\"`"),
            );
        } else {
            entries.push(entry);
        }
    }
    entries
}

/// The entries under `[[function]]`. That there is none is told once.
fn declared<'a>(section: &Section<'a>) -> Vec<Item<'a>> {
    let item = section.get("function");
    if let Some(item) = item.filter(Item::is_table) {
        let words = "`function` is a list of tables, one for each function";
        item.problem(Diagnostic::new(item.span(), words).hint("write [[function]]"));
        return Vec::new();
    }
    let items = item.map(|item| item.list().unwrap_or_default()).unwrap_or_default();
    if items.is_empty() && !section.keys().any(|key| is_another_word_for(key, "function")) {
        let problem = Diagnostic::new(section.span(), "no function is declared");
        section
            .problems
            .add(problem.hint("add [[function]] with signature = \"gcd(p: i32, q: i32) -> i32\""));
    }
    items
}

fn limits(section: Section<'_>) -> Limits {
    let usual = Limits::default();
    let fuel = section
        .get("fuel")
        .and_then(|item| item.integer::<u64>("a number of instructions", 1..=u64::MAX.into()));
    let processes = section
        .get("processes")
        .and_then(|item| item.integer::<u64>("a number of processes", 1..=u64::from(u32::MAX).into()));
    let limits = Limits {
        fuel: fuel.map_or(usual.fuel, Fuel),
        memory: section.get("memory").and_then(bytes).unwrap_or(usual.memory),
        stack: section.get("stack").and_then(bytes).unwrap_or(usual.stack),
        time: section.get("time").and_then(seconds).unwrap_or(usual.time),
        output: section.get("output").and_then(bytes).unwrap_or(usual.output),
        processes: processes.unwrap_or(usual.processes),
    };
    section.finish();
    limits
}

/// A time in seconds: `2`, `0.5`.
fn seconds(item: Item<'_>) -> Option<Duration> {
    let seconds = item.number()?.as_f64();
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
    if time.is_none() {
        item.problem(Diagnostic::new(item.span(), "a time is a number of seconds above 0"));
    }
    time
}

/// A number of bytes: `65536`, `"64 MiB"`.
fn bytes(item: Item<'_>) -> Option<u64> {
    let wanted = "a number of bytes such as 65536 or \"64 MiB\"";
    let Some(text) = item.as_str() else { return item.integer(wanted, 0..=u64::MAX.into()) };
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let unit = match text[digits..].trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => 0,
    };
    let bytes = text[..digits].parse::<u64>().ok().and_then(|n| n.checked_mul(unit)).filter(|_| unit > 0);
    if bytes.is_none() {
        item.problem(Diagnostic::new(item.span(), format!("`{text}` is not {wanted}")));
    }
    bytes
}
