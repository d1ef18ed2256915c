//! `dodona init --openapi DOCUMENT`

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use dodona::Memory;
use dodona_openapi::{Api, Candidates, Draft, candidates, draft, read, relations};
use dodona_records::{Binding, CheckRecord, RelationRecord, RelationVerdict};
use dodona_subject::Manifest;
use dodona_target::{Caller, Column, Sequence, Until, Value, on_one_line};
use dodona_workbench::check::check_until;
use dodona_workbench::{CheckOptions, LabError, Regressions, Relations, Workbench};

use crate::destination::{Destination, OverwriteArgs, write_together};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;
use crate::progress::Progress;
use crate::{interrupt, open};

/// The most bytes of a document. The largest that are public have some ten million.
const MOST_BYTES: u64 = 64 << 20;

/// How long a service may take to give its document.
const FETCHING: Duration = Duration::from_secs(30);

/// How long candidates are tried. A draft is edited by hand: what is known after a minute is enough to begin with.
const TRYING: Duration = Duration::from_secs(60);

/// Source inputs with which each candidate is tried: of twenty, often none had a page that was not full, and a hundred take twice as long.
const INPUTS: u64 = 50;

/// Where a web service is drafted from.
#[derive(Debug, Default, Args)]
pub(super) struct OpenApiArgs {
    /// Draft dodona.toml in this folder for a web service, from its OpenAPI document (3.0 or 3.1, JSON or YAML, a file or an address), with candidate relations that are tried by GET requests
    #[arg(long, value_name = "DOCUMENT", conflicts_with_all = ["module", "of", "python", "frames"])]
    pub(super) openapi: Option<String>,
    /// Where the service is; without it where the document says
    #[arg(long, value_name = "URL", requires = "openapi")]
    pub(super) address: Option<String>,
    /// Write what the document says, and call nothing
    #[arg(long, requires = "openapi")]
    pub(super) untried: bool,
}

/// Writes `dodona.toml` and a file of relations into the current folder; files that exist are kept, unless they may be replaced.
pub(super) fn run(args: &OpenApiArgs, document: &str, overwrite: OverwriteArgs) -> Result<Exit, Failure> {
    for address in args.address.iter().map(String::as_str).chain([document]) {
        no_password(address)?;
    }
    let text = text(document)?;
    let mut api = read(&text).map_err(|error| Failure::usage(format!("{document}: {error}")))?;
    let address = match &args.address {
        Some(address) => address.trim_end_matches('/').to_owned(),
        None => api.address(is_address(document).then(|| dodona_workers::host(document))),
    };
    let name = slug(&api.title);
    let (manifest, mr) = (Path::new("dodona.toml"), format!("{name}.mr"));
    // A file that is in the way is told before the service is called.
    for path in [manifest, Path::new(&mr)] {
        Destination::new(path, overwrite).check()?;
    }
    let found = candidates(&api);
    let mut drafted = Drafted { draft: draft(&api, &name, Some(&address)), found, empty: Vec::new() };
    if drafted.draft.functions == 0 {
        let left = api.left.iter().map(|left| format!("left out {}: {}\n", left.what, left.why));
        let left: String = left.take(SHOWN).collect();
        return Err(Failure::usage(format!(
            "{left}no GET request of {document} returns numbers, texts or lists of them; declare a function by hand (book/targets.md, web services)"
        )));
    }
    // What is drafted can be read; only the address is not of the draft.
    if let Err(problems) = Manifest::parse(manifest, &drafted.draft.manifest) {
        let address = format!("the service would be at {address}");
        let why = problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; ");
        return Err(Failure::usage(format!(
            "{address}: {why}; name its address with --address http://HOST:PORT"
        )));
    }
    let tried = if args.untried {
        Tried::Not("--untried was given".to_owned())
    } else {
        drafted.tried(&mut api, &name, &address)?
    };
    let verdicts = tried.verdicts();
    let told = relations(&name, &drafted.found, |candidate| verdicts.get(candidate.name.as_str()).cloned());
    let files = [(manifest, drafted.draft.manifest.as_bytes()), (Path::new(&mr), told.as_bytes())];
    write_together(&files, overwrite)?;
    write(&drafted.said(&api, &mr, &address, &tried))?;
    Ok(Exit::Success)
}

/// The most lines that are shown of one kind; the files have all of them.
const SHOWN: usize = 8;

/// What is written, with what it was written from.
struct Drafted {
    draft: Draft,
    found: Candidates,
    /// The operations whose lists have no records.
    empty: Vec<String>,
}

/// What became of candidates.
enum Tried {
    /// They were not tried: why.
    Not(String),
    Checked(CheckRecord),
}

impl Drafted {
    /// Asks the service for values that name something, and tries each candidate.
    fn tried(&mut self, api: &mut Api, name: &str, address: &str) -> Result<Tried, Failure> {
        let workbench = match opened(&self.draft.manifest) {
            Err(LabError::Opening(error)) => return Ok(Tried::Not(error.to_string())),
            workbench => workbench.map_err(open::lab_failure)?,
        };
        let lists = lists(api, &self.found, &workbench);
        let empty = lists.iter().filter(|(_, records)| records.is_empty());
        self.empty = empty.map(|(name, _)| name.clone()).collect();
        if values(api, &lists) {
            (self.draft, self.found) = (draft(api, name, Some(address)), candidates(api));
        }
        let workbench = opened(&self.draft.manifest).map_err(open::lab_failure)?;
        let loaded =
            Relations::of_text(&self.draft.relations, workbench.functions()).map_err(open::lab_failure)?;
        let options =
            CheckOptions { sources: INPUTS, regressions: Regressions::Ignore, ..CheckOptions::default() };
        let until = Until::after(Some(TRYING), interrupt::listen());
        let mut bar = Progress::new("sources");
        let checked = check_until(workbench.about(loaded), &options, &until, &mut |p| {
            bar.update(name, p.run, p.planned)
        });
        bar.finish();
        match checked {
            Ok(record) => Ok(Tried::Checked(record)),
            Err(LabError::CutShort(record)) => Ok(Tried::Checked(*record)),
            Err(error) if error.is_stopped() => Ok(Tried::Not("nothing was answered in time".to_owned())),
            Err(error) => Err(open::lab_failure(error)),
        }
    }

    /// What is said at the end.
    fn said(&self, api: &Api, mr: &str, address: &str, tried: &Tried) -> String {
        let Draft { functions, candidates, .. } = self.draft;
        let mut text = format!(
            "wrote dodona.toml with {functions} functions, and {mr} with {candidates} candidate relations\n"
        );
        match tried {
            Tried::Not(why) => text += &format!("not tried on {address}: {}\n", on_one_line(why)),
            Tried::Checked(record) => text += &summary(record, address),
        }
        if !api.left.is_empty() {
            let left = api.left.len();
            text += &format!("left out: {left} parts of the document, with why, at the end of dodona.toml\n");
        }
        if !self.empty.is_empty() {
            let lists = self.empty.join(", ");
            text += &format!("no records: {lists}; what is said of an empty list was hardly tested\n");
        }
        text + match candidates {
            0 => "read both and write relations, then: dodona check .\nlaws that hold: dodona discover .\n",
            _ => "read both, delete what your service does not promise, then: dodona check .\n",
        }
    }
}

impl Tried {
    /// What is told of each relation, by its name.
    fn verdicts(&self) -> HashMap<&str, String> {
        match self {
            Tried::Not(_) => HashMap::new(),
            Tried::Checked(record) => {
                record.relations.iter().map(|relation| (relation.name.as_str(), verdict(relation))).collect()
            }
        }
    }
}

/// What a trial says of a relation.
fn verdict(relation: &RelationRecord) -> String {
    let groups = relation.tally.groups();
    match relation.verdict() {
        RelationVerdict::Holds if relation.tally.held == groups => {
            format!("held on {groups} of {groups} inputs when it was drafted")
        }
        RelationVerdict::Holds => format!(
            "held on {} of {groups} inputs when it was drafted; the others did not fulfil its conditions",
            relation.tally.held
        ),
        RelationVerdict::Violated => {
            let source = relation.counterexample.as_ref().map(|found| Binding::list(&found.source));
            let with = source.filter(|source| !source.is_empty()).map(|source| format!(", as with {source}"));
            format!(
                "VIOLATED on {} of {groups} inputs when it was drafted{}",
                relation.tally.violated,
                with.unwrap_or_default()
            )
        }
        RelationVerdict::NotRun => "not tried: the time was up".to_owned(),
        RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed => {
            let why = reason(relation).map(|why| format!(": {why}")).unwrap_or_default();
            format!("never eligible on {groups} inputs when it was drafted, so nothing is known of it{why}")
        }
    }
}

/// Why no group of a relation was eligible, where a call or a domain was the reason.
fn reason(relation: &RelationRecord) -> Option<String> {
    relation.outside.clone().or_else(|| relation.skipped().next().map(|(outcome, _)| outcome.to_owned()))
}

/// How many candidates held, and which did not.
fn summary(record: &CheckRecord, address: &str) -> String {
    let of = |wanted: &[RelationVerdict]| -> Vec<&RelationRecord> {
        record.relations.iter().filter(|relation| wanted.contains(&relation.verdict())).collect()
    };
    let held = of(&[RelationVerdict::Holds]).len();
    let violated = of(&[RelationVerdict::Violated]);
    let never = of(&[RelationVerdict::NeverEligible, RelationVerdict::OnlyAllowed]);
    let not = of(&[RelationVerdict::NotRun]);
    let mut text = format!(
        "tried on {address} with {INPUTS} inputs each: {held} held, {} violated, {} never eligible",
        violated.len(),
        never.len()
    );
    if !not.is_empty() {
        text += &format!(", {} not tried in {} s", not.len(), TRYING.as_secs());
    }
    text.push('\n');
    if let Some(failure) = &record.failure {
        text += &format!("  it ended early: {}\n", on_one_line(failure));
    }
    for (word, relations) in [("violated", violated), ("never eligible", never)] {
        for relation in relations.iter().take(SHOWN) {
            let found = relation.counterexample.as_ref().map(|found| Binding::list(&found.source));
            let why = on_one_line(&found.or_else(|| reason(relation)).unwrap_or_default()).into_owned();
            let why: String = why.chars().take(100).collect();
            text += format!("  {word}: {}  {why}", relation.name).trim_end();
            text.push('\n');
        }
        if relations.len() > SHOWN {
            text += &format!("  {word}: {} more\n", relations.len() - SHOWN);
        }
    }
    text
}

/// The service of a manifest that was not written yet, without relations.
fn opened(manifest: &str) -> Result<Arc<Workbench>, LabError> {
    let path = Path::new("dodona.toml");
    let parsed = Manifest::parse(path, manifest).map_err(|problems| LabError::Relations {
        path: path.to_owned(),
        text: manifest.to_owned(),
        problems,
    })?;
    dodona::open_outside(&Manifest { relations: Vec::new(), ..parsed }, &[], Memory::Kept)
}

/// What tells the records of each list apart, as far as the service gives lists without parameters; by the names of operations.
fn lists(api: &Api, found: &Candidates, workbench: &Workbench) -> BTreeMap<String, Vec<Value>> {
    let mut caller = workbench.caller();
    let mut lists = BTreeMap::new();
    for function in found.functions.iter().filter(|function| function.given.is_empty()) {
        let Some(operation) = api.operations.get(function.operation) else { continue };
        if operation.response.records.is_none() {
            continue;
        }
        let Ok(index) = workbench.function(&function.name) else { continue };
        let Ok(calls) = caller.call(index, &[]) else { continue };
        let is_value = calls.outcomes.first().is_some_and(|outcome| outcome.has_outputs());
        if let Some(output) = calls.outputs.first().filter(|_| is_value) {
            lists.entry(operation.name.clone()).or_insert_with(|| elements(output));
        }
    }
    lists
}

/// Takes the values of identifiers from lists. Whether there were any.
fn values(api: &mut Api, lists: &BTreeMap<String, Vec<Value>>) -> bool {
    let mut any = false;
    for parameter in api.operations.iter_mut().flat_map(|operation| &mut operation.parameters) {
        let listed = parameter.values_from.as_ref().and_then(|list| lists.get(list));
        if let Some(listed) = listed.filter(|listed| !listed.is_empty()) {
            parameter.takes(listed);
            any = true;
        }
    }
    any
}

/// The elements of a sequence, or the lines of a text.
fn elements(output: &Column) -> Vec<Value> {
    match output.value(0) {
        Value::Sequence(Sequence::Int(values)) => values.into_iter().map(Value::Int).collect(),
        Value::Sequence(Sequence::Float(values)) => values.into_iter().map(Value::Float).collect(),
        Value::Text(text) => {
            String::from_utf8_lossy(&text).lines().map(|line| Value::Text(line.into())).collect()
        }
        _ => Vec::new(),
    }
}

/// The text of a document.
fn text(document: &str) -> Result<String, Failure> {
    let bytes = match is_address(document) {
        true => dodona_workers::fetch(document, MOST_BYTES, FETCHING)
            .map_err(|error| Failure::new(Exit::Subject, error))?,
        false => {
            return dodona_target::user_file::text(Path::new(document))
                .map_err(|error| Failure::usage(format!("{document} cannot be read: {error}")));
        }
    };
    String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{document} is no text of UTF-8")))
}

/// A password in an address would stand in the manifest, and in what is printed.
///
/// # Errors
/// When there is one.
fn no_password(address: &str) -> Result<(), Failure> {
    let host = dodona_workers::host(address);
    match is_address(address) && host.contains('@') {
        true => Err(Failure::usage(
            "an address has no user and password here; name a variable of the environment under [target] secrets, as Authorization",
        )),
        false => Ok(()),
    }
}

fn is_address(document: &str) -> bool {
    document.starts_with("http://") || document.starts_with("https://")
}

/// A title as the name of a subject: `Pet Store 3.0` is `pet_store_3_0`.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_");
    if name.is_empty() { "service".to_owned() } else { name }
}
