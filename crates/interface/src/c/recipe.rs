//! Functions as they can be called: each as a signature and the code of a call.

use super::arguments::Arguments;
use super::handles::{Handles, worth_as_maker};
use super::names::{Does, Names};
use super::types::{self, CType, spelled};
use super::unit::{Function, Unit};
use crate::{Callable, Interface, Left};
use dodona_target::Scalar;

/// Which language the code of calls is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// C.
    C,
    /// C++, where texts and sequences are `std::string` and `std::vector`.
    Cxx,
}

/// What is known of a library.
pub(super) struct Library<'u> {
    pub(super) unit: &'u Unit,
    pub(super) dialect: Dialect,
    pub(super) functions: Vec<&'u Function>,
}

/// The functions that stand in some of the files, each as a signature and a call, or with the reason why it has none.
pub fn interface(unit: &Unit, is_of: &dyn Fn(&str) -> bool, dialect: Dialect) -> Interface {
    let functions = unit
        .functions()
        .filter(|function| {
            (is_of(&function.file) || function.also.iter().any(|file| is_of(file)))
                && is_public(&function.name)
        })
        .collect();
    let library = Library { unit, dialect, functions };
    let handles = Handles::of(&library);
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

/// Whether a function is meant for others: names that begin so are the compiler's and the library's own.
fn is_public(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    !last.starts_with("__") && !last.starts_with("operator") && last != "main"
}

/// What a call is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    /// The parameters of the signature, each with its type.
    pub(super) parameters: Vec<(String, String)>,
    /// More keys of the function, a line each.
    pub(super) keys: Vec<String>,
    /// What is done before the call.
    pub(super) before: Vec<String>,
    pub(super) arguments: Vec<String>,
    /// The outputs besides the result, each with its type and the code that gives it.
    pub(super) outputs: Vec<Output>,
    /// What is done last.
    pub(super) after: Vec<String>,
    /// Whether a parameter is an output too, as it is after the call.
    pub(super) is_in_out: bool,
    pub(super) names: Names,
}

/// An output of a call.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) name: String,
    pub(super) ty: String,
    /// The code that sets it, in which `$` is its variable.
    pub(super) set: String,
    /// The value, where that is all.
    pub(super) is_value: bool,
}

impl Output {
    /// An output that is what an expression gives.
    pub(super) fn value(name: String, ty: &str, expression: &str) -> Output {
        Output { name, ty: ty.to_owned(), set: expression.to_owned(), is_value: true }
    }

    /// The statement that sets the variable.
    fn statement(&self, variable: &str) -> String {
        match self.is_value {
            true => format!("{variable} = {};", self.set),
            false => self.set.replace('$', variable),
        }
    }
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
    let mut recipe = Recipe::default();
    Arguments { library, handles: Some(handles), function }.all(&mut recipe, "")?;
    let arguments = recipe.arguments.join(", ");
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
        let leaves = library.leaves(class).unwrap_or_default();
        leaves.iter().for_each(|leaf| leaf.parameter(recipe, &last, &local, library.dialect));
        return Ok(local);
    };
    let worth = constructors.iter().filter_map(|one| Some((worth_as_maker(library, one)?, one)));
    let (_, best) = worth.max_by_key(|(worth, _)| *worth).ok_or_else(|| {
        format!("no constructor of `{class}` makes one out of numbers and texts; write a `call` that does")
    })?;
    let given = std::mem::take(&mut recipe.arguments);
    Arguments { library, handles: None, function: best }.all(recipe, &last)?;
    let arguments = std::mem::replace(&mut recipe.arguments, given);
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
        let ty = match library.unit.ty(written) {
            // What is referred to is copied.
            CType::Reference { to, .. } => *to,
            ty => ty,
        };
        if let Some(scalar) = ty.scalar() {
            let is_enum = matches!(ty, CType::Enum { .. });
            let is_status = self.has_outputs && (is_enum || scalar == Scalar::I32);
            let name = recipe.names.free(if is_status { "status" } else { "value" });
            let call = if is_cxx && is_enum { format!("static_cast<int>({call})") } else { call.to_owned() };
            return Ok(vec![Output::value(name, &spelled(scalar), &call)]);
        }
        match &ty {
            CType::Void => {
                recipe.before.push(format!("{call};"));
                Ok(Vec::new())
            }
            CType::Text { .. } => Ok(vec![Output::value(recipe.names.free("text"), "text", call)]),
            CType::Sequence { of, is_view, .. } => {
                let ty = format!("[{}]", spelled(*of));
                let name = recipe.names.free("values");
                let copied = format!("{{ auto given = {call}; $.assign(given.begin(), given.end()); }}");
                Ok(vec![match is_view {
                    false => Output::value(name, &ty, call),
                    true => Output { name, ty, set: copied, is_value: false },
                }])
            }
            CType::Pointer { to, .. } if **to == CType::Char => {
                // The text may lie in what would be freed; all that a call takes is given back behind it anyway.
                recipe.after.clear();
                Ok(vec![may_be_missing(recipe.names.free("text"), is_cxx, call)])
            }
            CType::Record { key, spelled } => {
                let leaves = library.leaves(key).ok_or_else(|| library.why_no_fields(key, spelled))?;
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

/// A text that is not there where its pointer is null.
pub(super) fn may_be_missing(name: String, is_cxx: bool, pointer: &str) -> Output {
    let set = match is_cxx {
        true => format!("if (const char *given = {pointer}) $ = given;"),
        false => pointer.to_owned(),
    };
    Output { name, ty: "Option<text>".to_owned(), set, is_value: !is_cxx }
}

impl Library<'_> {
    /// Why a struct has no fields that could be parameters or outputs.
    pub(super) fn why_no_fields(&self, key: &str, spelled: &str) -> String {
        match self.unit.record(key) {
            None => format!("the fields of `{spelled}` are declared in no header that was read"),
            Some(record) if record.is_union => {
                format!("`{spelled}` is a union, and nothing tells which of its parts is there")
            }
            Some(record) if record.is_class => {
                format!(
                    "`{spelled}` is a class, whose fields are its own; write a `call` that shows what you compare"
                )
            }
            Some(_) => format!("`{spelled}` has fields that are neither numbers nor arrays of numbers"),
        }
    }

    /// The fields of a struct down to numbers; `None` where some are something else.
    pub(super) fn leaves(&self, key: &str) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.add_leaves(key, "", &mut leaves, DEEPEST)?;
        (!leaves.is_empty()).then_some(leaves)
    }

    fn add_leaves(&self, key: &str, path: &str, leaves: &mut Vec<Leaf>, depth: usize) -> Option<()> {
        let record = self.unit.record(key)?;
        if record.is_union || record.is_class || depth == 0 {
            return None;
        }
        for field in &record.fields {
            let path = if path.is_empty() { field.name.clone() } else { format!("{path}.{}", field.name) };
            // A length in brackets stands behind the type of the elements.
            let (element, count) = match field.ty.strip_suffix(']').and_then(|ty| ty.split_once('[')) {
                Some((element, count)) => (element.trim_end(), Some(count.parse().ok()?)),
                None => (field.ty.as_str(), None),
            };
            match (self.unit.ty(element), count) {
                (CType::Char, Some(count)) => leaves.push(Leaf { path, kind: LeafKind::Text(count) }),
                (CType::Record { key, .. }, None) => self.add_leaves(&key, &path, leaves, depth - 1)?,
                (ty, count) => {
                    let scalar = ty.scalar()?;
                    let kind = count.map_or(LeafKind::Number(scalar), |count| LeafKind::Array(scalar, count));
                    leaves.push(Leaf { path, kind });
                }
            }
        }
        Some(())
    }
}

/// Structs are nested so deep at most.
const DEEPEST: usize = 8;

/// A number, or an array of some, in a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its fields, from the outermost one: `in.a`.
    path: String,
    kind: LeafKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LeafKind {
    Number(Scalar),
    Array(Scalar, u32),
    /// An array of so many characters, which a NUL ends.
    Text(u32),
}

impl Leaf {
    /// The output that it is, of a struct in a variable. Its name is that of the field, where nothing else has it.
    pub(super) fn output(&self, recipe: &mut Recipe, prefix: &str, local: &str, dialect: Dialect) -> Output {
        let field = self.path.replace('.', "_");
        let wanted = match recipe.names.is_taken(&field) && !prefix.is_empty() {
            true => format!("{prefix}_{field}"),
            false => field,
        };
        let name = recipe.names.free(&wanted);
        let value = format!("{local}.{}", self.path);
        match (self.kind, dialect) {
            (LeafKind::Number(scalar), Dialect::C) => Output::value(name, &spelled(scalar), &value),
            // An enumeration of C++ is no number by itself.
            (LeafKind::Number(scalar), Dialect::Cxx) => Output {
                name,
                ty: spelled(scalar),
                set: format!("$ = static_cast<decltype($)>({value});"),
                is_value: false,
            },
            // Characters that fill the whole array have no end.
            (LeafKind::Text(_), dialect) => {
                let set = match dialect {
                    Dialect::C => format!("$ = {value}; $_length = strnlen({value}, sizeof {value});"),
                    Dialect::Cxx => format!("$.assign({value}, strnlen({value}, sizeof {value}));"),
                };
                Output { name, ty: "text".to_owned(), set, is_value: false }
            }
            (LeafKind::Array(scalar, count), Dialect::C) => {
                let set = format!("$ = (void *){value}; $_length = {count};");
                Output { name, ty: format!("[{}]", spelled(scalar)), set, is_value: false }
            }
            (LeafKind::Array(scalar, count), Dialect::Cxx) => {
                let set = format!("$.assign({value}, {value} + {count});");
                Output { name, ty: format!("[{}]", spelled(scalar)), set, is_value: false }
            }
        }
    }

    /// The parameter that it is, and the statement that puts it into the struct.
    pub(super) fn parameter(&self, recipe: &mut Recipe, prefix: &str, local: &str, dialect: Dialect) {
        let name = recipe.names.free(&format!("{prefix}_{}", self.path.replace('.', "_")));
        let place = format!("{local}.{}", self.path);
        let data = if dialect == Dialect::Cxx { format!("{name}.data()") } else { name.clone() };
        let (ty, put) = match (self.kind, dialect) {
            (LeafKind::Number(scalar), Dialect::C) => (spelled(scalar), format!("{place} = {name};")),
            (LeafKind::Number(scalar), Dialect::Cxx) => {
                (spelled(scalar), format!("{place} = static_cast<decltype({place})>({name});"))
            }
            (LeafKind::Array(scalar, count), _) => {
                recipe.keys.push(format!("domain.{name} = {{ length = {count} }}"));
                (format!("[{}]", spelled(scalar)), format!("memcpy({place}, {data}, sizeof {place});"))
            }
            (LeafKind::Text(count), _) => {
                recipe.keys.push(format!("lower.{name} = \"nul-terminated\""));
                recipe.keys.push(format!(
                    "domain.{name} = {{ length = [0, {}], alphabet-ranges = [\" -~\"] }}",
                    count.saturating_sub(1)
                ));
                ("text".to_owned(), format!("strncpy({place}, {data}, sizeof {place} - 1);"))
            }
        };
        recipe.parameters.push((name, ty));
        recipe.before.push(put);
    }
}

impl Recipe {
    /// The function as a signature with its call.
    fn callable(self, name: String, function: &Function) -> Callable {
        let is_plain = self.before.is_empty() && self.after.is_empty();
        let (result, call) = match self.outputs.as_slice() {
            [] => (None, self.code(|_| "")),
            [one] if is_plain && one.is_value => (Some(one.ty.clone()), one.set.clone()),
            [one] => (Some(one.ty.clone()), self.code(|_| "out")),
            several => {
                let named: Vec<String> =
                    several.iter().map(|one| format!("{}: {}", one.name, one.ty)).collect();
                (Some(format!("({})", named.join(", "))), self.code(|one| one.name.as_str()))
            }
        };
        Callable {
            name,
            path: function.name.clone(),
            parameters: self.parameters,
            variants: Vec::new(),
            result,
            call: Some(call),
            about: None,
            keys: self.keys,
        }
    }

    /// The statements of the call, one a line.
    fn code<'r>(&'r self, variable: impl Fn(&'r Output) -> &'r str) -> String {
        let set = self.outputs.iter().map(|output| output.statement(variable(output)));
        let lines: Vec<String> =
            self.before.iter().cloned().chain(set).chain(self.after.iter().cloned()).collect();
        lines.join("\n")
    }
}
