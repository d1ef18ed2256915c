//! `dodona init --openapi DOCUMENT`

mod trial;

use std::path::Path;
use std::time::Duration;

use clap::Args;
use dodona_openapi::{Api, Called, Draft, draft, read, relations};
use dodona_subject::Manifest;
use dodona_target::on_one_line;
use dodona_workbench::LabError;

use crate::destination::{Destination, OverwriteArgs, write_together};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;
use trial::{Tried, summary};

/// The most bytes of a document. The largest that are public have some ten million.
const MOST_BYTES: u64 = 64 << 20;

/// How long a service may take to give its document.
const FETCHING: Duration = Duration::from_secs(30);

/// Where a web service is drafted from.
#[derive(Debug, Default, Args)]
pub(super) struct OpenApiArgs {
    /// Draft dodona.toml in this folder for a web service, from its OpenAPI document (3.0 or 3.1, JSON or YAML, a file or an address), with candidate relations that are tried by GET requests
    #[arg(long, value_name = "DOCUMENT", conflicts_with_all = ["module", "of", "python", "frames"])]
    pub(super) openapi: Option<String>,
    /// Where the service is; without it where the document says
    #[arg(long, value_name = "URL", requires = "openapi")]
    pub(super) address: Option<String>,
    /// The request that brings the service into its first state before each call, as "POST /reset": then what creates and deletes is tried too
    #[arg(long, value_name = "REQUEST", requires = "openapi")]
    pub(super) reset: Option<String>,
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
    let called = Called { address: Some(&address), reset: args.reset.as_deref() };
    let mut drafted = Drafted { draft: draft(&api, &name, called), empty: Vec::new() };
    if drafted.draft.functions == 0 {
        let left = api.left.iter().map(|left| format!("left out {}: {}\n", left.what, left.why));
        let left: String = left.take(SHOWN).collect();
        return Err(Failure::usage(format!(
            "{left}no GET request of {document} returns numbers, texts or lists of them; declare a function by hand (book/targets.md, web services)"
        )));
    }
    // What is drafted can be read; only the address is not of the draft.
    if let Err(problems) = Manifest::parse(manifest, &drafted.draft.manifest) {
        let why = problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; ");
        let reset =
            args.reset.as_ref().map(|reset| format!(" and is reset by {reset:?}")).unwrap_or_default();
        return Err(Failure::usage(format!(
            "the service would be at {address}{reset}: {why}; name its address with --address http://HOST:PORT, and a reset as --reset \"POST /reset\""
        )));
    }
    let tried = if args.untried {
        Tried::Not("--untried was given".to_owned())
    } else {
        drafted.tried(&mut api, &name, called)?
    };
    let verdicts = tried.verdicts();
    let told = relations(&name, &drafted.draft.candidates, |candidate| {
        verdicts.get(candidate.name.as_str()).cloned()
    });
    let files = [(manifest, drafted.draft.manifest.as_bytes()), (Path::new(&mr), told.as_bytes())];
    write_together(&files, overwrite)?;
    write(&drafted.said(&api, &mr, called, &tried))?;
    Ok(Exit::Success)
}

/// The most lines that are shown of one kind; the files have all of them.
const SHOWN: usize = 8;

/// What is written.
struct Drafted {
    draft: Draft,
    /// The operations whose lists have no records.
    empty: Vec<String>,
}

impl Drafted {
    /// Asks the service for values that name something, and tries each candidate.
    fn tried(&mut self, api: &mut Api, name: &str, called: Called<'_>) -> Result<Tried, Failure> {
        let mut workbench = match trial::opened(&self.draft.manifest) {
            Err(LabError::Opening(error)) => return Ok(Tried::Not(error.to_string())),
            workbench => workbench.map_err(open::lab_failure)?,
        };
        let lists = trial::lists(api, &self.draft.candidates, &workbench);
        let empty = lists.iter().filter(|(_, listed)| listed.keys.is_empty());
        self.empty = empty.map(|(name, _)| name.clone()).collect();
        if trial::take_values(api, &lists) {
            self.draft = draft(api, name, called);
            workbench = trial::opened(&self.draft.manifest).map_err(open::lab_failure)?;
        }
        Tried::of(&workbench, name, &self.draft.relations)
    }

    /// What is said at the end.
    fn said(&self, api: &Api, mr: &str, called: Called<'_>, tried: &Tried) -> String {
        let address = called.address.unwrap_or_default();
        let (functions, candidates) = (self.draft.functions, self.draft.candidates.relations.len());
        let mut text = format!(
            "wrote dodona.toml with {functions} functions, and {mr} with {candidates} candidate relations\n"
        );
        match tried {
            Tried::Not(why) => text += &format!("not tried on {address}: {}\n", on_one_line(why)),
            Tried::Checked(record) => text += &summary(record, address),
        }
        if !api.left.is_empty() {
            let parts = match api.left.len() {
                1 => "1 part".to_owned(),
                left => format!("{left} parts"),
            };
            text += &format!("left out: {parts} of the document, with why, at the end of dodona.toml\n");
        }
        let changing = api.operations.iter().filter(|operation| !operation.is_safe()).count();
        if changing > 0 && called.reset.is_none() {
            let requests =
                if changing == 1 { "1 request changes" } else { &format!("{changing} requests change") };
            text += &format!(
                "not tried: {requests} something; with --reset \"POST /reset\", a request that brings the service into its first state, they are\n"
            );
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
