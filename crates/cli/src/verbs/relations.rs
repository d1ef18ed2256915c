//! `dodona relations SUBJECT`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dodona_relations::{ast, to_calls, to_primed};

use crate::args::SubjectArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;
use crate::several::Failed;

/// Print a subject's relations in either notation
#[derive(Debug, Args)]
pub(crate) struct RelationsArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Equations over calls, or given … expect … with primes where a relation splits that way
    #[arg(long, value_enum, default_value_t)]
    pub(crate) notation: Notation,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// gcd(p, q) == gcd(q, p)
    #[default]
    Calls,
    /// given p' = q, q' = p expect out' == out
    Primed,
}

/// Prints every relation of the subject in the notation asked for.
pub(crate) fn run(args: &RelationsArgs) -> Result<Exit, Failure> {
    let manifest = open::manifest(&args.subject.path)?;
    let signatures = manifest.signatures();
    let shown = |path: &PathBuf| path.display().to_string();
    let (texts, failed) = Failed::run("files", &manifest.relations, shown, |path| {
        let text = dodona_target::user_file::text(path)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        let refuse = |problems| Failure::problems(path, &text, problems);
        let file = dodona_relations::parse(&text).map_err(refuse)?;
        dodona_relations::check(&file, &signatures).map_err(refuse)?;
        let printed = |relation| format!("{}\n", printed(relation, &signatures, args.notation));
        Ok(file.relations.iter().map(printed).collect::<String>())
    });
    write(&texts.concat())?;
    Ok(failed.or(Exit::Success))
}

/// The relation in a notation; one that does not split into source and follow-up stays as it is.
fn printed(
    relation: &ast::Relation,
    functions: &[dodona_target::Signature],
    notation: Notation,
) -> ast::Relation {
    match notation {
        Notation::Calls => to_calls(relation, functions).unwrap_or_else(|_| relation.clone()),
        Notation::Primed => to_primed(relation, functions).unwrap_or_else(|| relation.clone()),
    }
}
