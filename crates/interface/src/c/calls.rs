//! The functions of a library, each as a signature and the code of a call, or with the reason why it has none.

use super::arguments::Arguments;
use super::handles::Handles;
use super::library::{Dialect, Library, Pointers};
use super::makers::{handles, worth_as_maker};
use super::names::{Does, Names};
use super::probe::Seen;
use super::recipe::{Output, Recipe, may_be_missing};
use super::sequences;
use super::types::{self, CType, in_cxx, spelled};
use super::unit::{Function, Unit};
use crate::{Interface, Left};
use dodona_target::Scalar;

/// The functions that stand in some of the files, each as a signature and a call, or with the reason why it has none.
pub fn interface(unit: &Unit, is_of: &dyn Fn(&str) -> bool, dialect: Dialect) -> Interface {
    interface_as_seen(unit, is_of, dialect, &Seen::default())
}

/// [`interface`], where [probes](super::Probes) have shown what stands behind pointers.
pub fn interface_as_seen(
    unit: &Unit,
    is_of: &dyn Fn(&str) -> bool,
    dialect: Dialect,
    seen: &Seen,
) -> Interface {
    let library =
        Library { unit, dialect, functions: functions(unit, is_of), pointers: Pointers::Seen(seen) };
    let handles = handles(&library);
    let mut found = Interface::default();
    let mut names = Names::default();
    for function in &library.functions {
        match recipe(&library, &handles, function) {
            Ok(recipe) => {
                let last = function.name.rsplit("::").next().unwrap_or(&function.name);
                found.functions.push(recipe.callable(names.free(last), function));
            }
            Err(why) => found.left.push(Left { path: function.name.clone(), why }),
        }
    }
    found
}

/// The functions that stand in some of the files and are meant for others.
pub(super) fn functions<'u>(unit: &'u Unit, is_of: &dyn Fn(&str) -> bool) -> Vec<&'u Function> {
    let is_wanted = |function: &&Function| {
        (is_of(&function.file) || function.also.iter().any(|file| is_of(file))) && is_public(&function.name)
    };
    unit.functions().filter(is_wanted).collect()
}

/// Whether a function is meant for others: names that begin so are the compiler's and the library's own.
fn is_public(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    !last.starts_with("__") && !last.starts_with("operator") && last != "main"
}

fn recipe(library: &Library<'_>, handles: &Handles<'_>, function: &Function) -> Result<Recipe, String> {
    if library.dialect == Dialect::C && function.ty.ends_with("()") {
        return Err("its prototype does not say which parameters it has: `()` is not `(void)`".to_owned());
    }
    if function.is_variadic {
        return Err(
            "it takes any number of arguments (`...`); write a `call` with those that you mean".to_owned()
        );
    }
    if let Some(what) = library.taken_away(function) {
        return Err(format!("by its name it takes a `{what}` away, and nothing is left to compare"));
    }
    let mut recipe = Recipe::default();
    let arguments = Arguments { library, handles: Some(handles), function }.all(&mut recipe, "")?.join(", ");
    let call = match &function.method_of {
        None => format!("{}({arguments})", function.name),
        Some(class) => {
            let object = object(library, &mut recipe, class)?;
            let method = function.name.rsplit("::").next().unwrap_or(&function.name);
            format!("{object}.{method}({arguments})")
        }
    };
    let has_outputs = !recipe.outputs.is_empty();
    let returned =
        Returned { library, handles, written: types::result(&function.ty), call: &call, has_outputs };
    let outputs = returned.outputs(&mut recipe)?;
    recipe.outputs.splice(0..0, outputs);
    if recipe.outputs.is_empty() && !recipe.is_in_out {
        return Err("it gives nothing that a relation could compare: neither a result nor something through a pointer".to_owned());
    }
    Ok(recipe)
}

/// An object of a class, made by the constructor that takes most values, in a variable whose name this is.
fn object(library: &Library<'_>, recipe: &mut Recipe, class: &str) -> Result<String, String> {
    let last = class.rsplit("::").next().unwrap_or(class).to_ascii_lowercase();
    let local = recipe.names.free(&format!("{last}_made"));
    let Some(constructors) = library.unit.constructors(class) else {
        // Without one of its own its fields are what they are set to.
        recipe.before.push(format!("{class} {local}{{}};"));
        let leaves = library.fields(class, class).unwrap_or_default();
        leaves.iter().for_each(|leaf| leaf.parameter(recipe, &last, &local, library.dialect));
        return Ok(local);
    };
    let worth = constructors.iter().filter_map(|one| Some((worth_as_maker(library, one)?, one)));
    let (_, best) = worth.max_by_key(|(worth, _)| *worth).ok_or_else(|| {
        format!("no constructor of `{class}` makes one out of numbers and texts; write a `call` that does")
    })?;
    let arguments = Arguments { library, handles: None, function: best }.all(recipe, &last)?;
    recipe.before.push(match arguments.is_empty() {
        true => format!("{class} {local};"),
        false => format!("{class} {local}({});", arguments.join(", ")),
    });
    Ok(local)
}

/// What a function returns.
struct Returned<'a> {
    library: &'a Library<'a>,
    handles: &'a Handles<'a>,
    /// Its type, as clang writes it.
    written: &'a str,
    /// The code of the call.
    call: &'a str,
    /// Whether there are outputs through pointers besides.
    has_outputs: bool,
}

impl Returned<'_> {
    /// The outputs that it is made of. The call itself is in the code of the first of them, or in what is done before all.
    fn outputs(&self, recipe: &mut Recipe) -> Result<Vec<Output>, String> {
        let &Returned { library, written, call, .. } = self;
        let is_cxx = library.dialect == Dialect::Cxx;
        if ["auto", "decltype(auto)"].contains(&written) {
            return Err(format!(
                "its result is `{written}`, and what that is stands in its code alone; write a `call` with a signature that says it"
            ));
        }
        let ty = match library.unit.ty(written) {
            // What is referred to is copied.
            CType::Reference { to, .. } => *to,
            ty => ty,
        };
        if let Some(scalar) = ty.scalar() {
            let is_enum = matches!(ty, CType::Enum { .. });
            let is_status = self.has_outputs && (is_enum || scalar == Scalar::I32);
            let name = recipe.names.free(if is_status { "status" } else { "value" });
            let call = match is_cxx && is_enum {
                true => format!("static_cast<{}>({call})", in_cxx(scalar)),
                false => call.to_owned(),
            };
            return Ok(vec![Output::value(name, &spelled(scalar), &call)]);
        }
        match &ty {
            CType::Void => {
                recipe.before.push(format!("{call};"));
                Ok(Vec::new())
            }
            CType::Text { .. } => Ok(vec![Output::value(recipe.names.free("text"), "text", call)]),
            CType::Sequence { element, is_view, .. } => {
                let name = recipe.names.free("values");
                Ok(vec![sequences::told(recipe, name, element, *is_view, call)])
            }
            CType::Pointer { to, .. } if **to == CType::Char => {
                // The text may lie in what would be freed; all that a call takes is given back behind it anyway.
                recipe.after.clear();
                Ok(vec![may_be_missing(recipe.names.free("text"), is_cxx, call)])
            }
            CType::Record { key, spelled } => {
                let leaves = library.fields(key, spelled)?;
                let local = recipe.names.free("returned");
                recipe.before.push(format!("{spelled} {local} = {call};"));
                Ok(leaves.iter().map(|leaf| leaf.output(recipe, "", &local, library.dialect)).collect())
            }
            CType::Pointer { to, .. } => match &**to {
                CType::Record { key, spelled } => {
                    let shower = self.handles.of_kind(Does::Shows, key).ok_or_else(|| {
                        format!("it gives a `{spelled} *`, and no function shows one as a text; write a `call` that does")
                    })?;
                    recipe.after.clear();
                    let shown = format!("{}({call})", shower.name);
                    Ok(vec![may_be_missing(recipe.names.free("shown"), is_cxx, &shown)])
                }
                _ => Err(format!("it gives a `{written}`, and nothing tells how many elements stand there")),
            },
            _ => Err(format!("it gives a `{written}`, which is no value of a relation")),
        }
    }
}
