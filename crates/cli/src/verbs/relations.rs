//! `dodona relations SUBJECT`

use dodona_relations::{ast, to_calls, to_primed};

use crate::args::{Notation, RelationsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;

/// Prints every relation of the subject in the notation asked for.
pub(crate) fn run(args: &RelationsArgs) -> Result<Exit, Failure> {
    let manifest = open::manifest(&args.subject)?;
    let mut out = String::new();
    for path in &manifest.relations {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
        let refuse = |problems| Failure::problems(path, &text, problems);
        let file = dodona_relations::parse(&text).map_err(refuse)?;
        dodona_relations::check(&file, &manifest.functions).map_err(refuse)?;
        for relation in &file.relations {
            let printed = printed(relation, &manifest.functions, args.notation);
            out += &format!("{printed}\n");
        }
    }
    write(&out)?;
    Ok(Exit::Success)
}

/// The relation in a notation; one that does not split into source and follow-up stays as it is.
fn printed(
    relation: &ast::Relation,
    functions: &[dodona_subject::Function],
    notation: Notation,
) -> ast::Relation {
    match notation {
        Notation::Calls => to_calls(relation, functions).unwrap_or_else(|_| relation.clone()),
        Notation::Primed => to_primed(relation, functions).unwrap_or_else(|| relation.clone()),
    }
}
