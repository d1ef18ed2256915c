//! The functions of a crate, each as a signature and a call, or with the reason why it has none.

use std::collections::{BTreeMap, HashSet};

use rustdoc_types::{
    Crate, Function, GenericParamDef, GenericParamDefKind, Impl, Item, ItemEnum, Trait, Type, Visibility,
};

use crate::bounds::Bounds;
use crate::conversions::{Conversions, Made, Told, together};
use crate::own_types::{Own, function, own_types, plain};
use crate::public::{self, Public};
use crate::rust_type::written;
use crate::spell::Speller;
use dodona_target::names::{READS_BACK, is_way_back};

/// The public functions of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The version of the crate.
    pub version: Option<String>,
    /// Those that can be called, in the order of their paths.
    pub functions: Vec<Callable>,
    /// Those that cannot.
    pub left: Vec<Left>,
    /// Names that the crate exports and another crate declares, with that crate.
    pub foreign: Vec<(String, String)>,
}

/// A function that can be called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Callable {
    /// Its name in relations.
    pub name: String,
    /// Its path in Rust.
    pub path: String,
    /// The names of its parameters with their types, as a signature has them.
    pub parameters: Vec<(String, String)>,
    /// The parameters that choose among so many variants of an enum, from 0.
    pub variants: Vec<(String, usize)>,
    /// The type of its result, as a signature has it.
    pub result: Option<String>,
    /// The expression over its parameters that calls it; `None` if the path, applied to them, does.
    pub call: Option<String>,
    /// The first line of its documentation.
    pub about: Option<String>,
    /// More keys that a manifest needs of it, a line each.
    pub keys: Vec<String>,
}

impl Callable {
    /// The signature as a manifest has it: `gcd(a: u64, b: u64) -> u64`.
    pub fn signature(&self) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let result = self.result.as_ref().map(|result| format!(" -> {result}")).unwrap_or_default();
        format!("{}({}){result}", self.name, parameters.join(", "))
    }
}

/// A function that cannot be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Its path in Rust.
    pub path: String,
    /// The part of its signature that stands in the way, or what else does.
    pub why: String,
}

/// The functions of a document.
pub(crate) fn interface(document: &Crate, root: &str) -> Interface {
    let primitives: Vec<Type> = PREFERRED.iter().map(|name| Type::Primitive((*name).to_owned())).collect();
    let items = public::items(document, root);
    let own = own_types(document, &items);
    let mut reader = Reader {
        document,
        own: &own,
        primitives: &primitives,
        found: Interface::default(),
        names: HashSet::new(),
    };
    for public in &items {
        reader.item(public);
    }
    reader.found.foreign = public::foreign(document);
    reader.found.version.clone_from(&document.crate_version);
    reader.found
}

struct Reader<'d, 'o> {
    document: &'d Crate,
    own: &'o [Own<'d>],
    /// In the order of [`PREFERRED`].
    primitives: &'d [Type],
    found: Interface,
    names: HashSet<String>,
}

/// A function with where it stands.
struct Place<'d> {
    path: String,
    item: &'d Item,
    function: &'d Function,
    /// The impl or trait that it stands in.
    own: Option<&'d Type>,
    bounds: Bounds<'d>,
    /// The type in whose name it is called, for its name in relations.
    of: Option<String>,
}

/// The primitive types that methods of traits are listed for, those first that have most values.
const PREFERRED: [&str; 14] =
    ["u64", "i64", "f64", "u32", "i32", "str", "f32", "usize", "isize", "u16", "i16", "u8", "i8", "char"];

impl<'d> Reader<'d, '_> {
    fn item(&mut self, public: &Public<'d>) {
        let path = public.path.join("::");
        match &public.item.inner {
            ItemEnum::Function(function) => {
                let bounds = Bounds::of(&[&function.generics]);
                self.add(Place { path, item: public.item, function, own: None, bounds, of: None });
            }
            ItemEnum::Trait(declared) => self.of_trait(declared, &path),
            ItemEnum::Struct(_) | ItemEnum::Enum(_) => {
                let Some(own) = self.own.iter().find(|own| own.path == path) else { return };
                let impls: Vec<&'d Impl> = own.inherent().collect();
                for own in impls {
                    self.of_type(own, &path);
                }
                self.of_text(&path);
            }
            _ => {}
        }
    }

    fn of_type(&mut self, own: &'d Impl, path: &str) {
        for item in own.items.iter().filter_map(|id| self.document.index.get(id)) {
            let Some(function) = function(item) else { continue };
            let Some(name) = item.name.as_ref().filter(|_| matches!(item.visibility, Visibility::Public))
            else {
                continue;
            };
            let bounds = Bounds::of(&[&own.generics, &function.generics]);
            let of = path.rsplit("::").next().map(str::to_owned);
            self.add(Place {
                path: format!("{path}::{name}"),
                item,
                function,
                own: Some(&own.for_),
                bounds,
                of,
            });
        }
    }

    /// What a type that is read from text and shown as text promises, of which no function of the crate says anything: its text is read again,
    /// and what is read and shown is the same for another text that means the same.
    fn of_text(&mut self, path: &str) {
        let Some(own) = self.own.iter().find(|own| own.path == path) else { return };
        let Some(shown) = own.shown("value").filter(|_| own.has("FromStr") && own.has("Display")) else {
            return;
        };
        let of = path.rsplit("::").next().unwrap_or(path).to_ascii_lowercase();
        let name = self.name(&format!("{of}_parsed"), None);
        self.found.functions.push(Callable {
            name,
            path: format!("{path}::from_str"),
            parameters: vec![("text".to_owned(), "&str".to_owned())],
            result: Some("Result<String, Shown>".to_owned()),
            call: Some(format!("text.parse::<{path}>().map(|value| {shown})")),
            about: Some("The text that a value shows itself as which is read from a text.".to_owned()),
            ..Callable::default()
        });
        let speller = Speller::new(self.document, Bounds::default(), None);
        let conversions = Conversions::new(self.document, self.own, speller);
        let Some(made) =
            conversions.of_own(own, &of).filter(|made| !made.parameters.is_empty() && made.after.is_empty())
        else {
            return;
        };
        // What is made of its own text is the function above.
        if !own.has("PartialEq") || made.expression.contains(".parse::<") {
            return;
        }
        let name = self.name(&format!("{of}{READS_BACK}"), None);
        self.found.functions.push(Callable {
            name,
            path: format!("{path}::to_string"),
            parameters: made.parameters,
            variants: made.variants,
            result: Some("bool".to_owned()),
            call: Some(format!(
                "{{ {}let value = {}; value.to_string().parse::<{path}>().is_ok_and(|read| read == value) }}",
                made.before, made.expression
            )),
            about: Some("Whether the text that a value shows itself as is read as that value.".to_owned()),
            keys: Vec::new(),
        });
    }

    /// The methods of a trait, of that primitive type it is implemented for which has most values.
    fn of_trait(&mut self, declared: &'d Trait, path: &str) {
        let implemented =
            declared.implementations.iter().filter_map(|id| match &self.document.index.get(id)?.inner {
                ItemEnum::Impl(own) if !own.is_negative => Some(own),
                _ => None,
            });
        let mut by_type: BTreeMap<usize, &'d Type> = BTreeMap::new();
        for own in implemented {
            let name = match &own.for_ {
                Type::Primitive(name) => name.clone(),
                Type::BorrowedRef { type_, .. } if matches!(&**type_, Type::Primitive(name) if name == "str") => {
                    "str".to_owned()
                }
                // For all types of some kind: the one that stands for them.
                Type::Generic(name) => match Bounds::of(&[&own.generics]).stand_in(name) {
                    Some(name) => name,
                    None => continue,
                },
                _ => continue,
            };
            if let Some(rank) = PREFERRED.iter().position(|preferred| *preferred == name) {
                let ty = if let Type::Generic(_) = own.for_ { &self.primitives[rank] } else { &own.for_ };
                by_type.entry(rank).or_insert(ty);
            }
        }
        let Some(own) = by_type.into_values().next() else { return };
        for item in declared.items.iter().filter_map(|id| self.document.index.get(id)) {
            let (Some(function), Some(name)) = (function(item), &item.name) else { continue };
            let bounds = Bounds::of(&[&function.generics]);
            let path = format!("{path}::{name}");
            self.add(Place { path, item, function, own: Some(own), bounds, of: None });
        }
    }

    fn add(&mut self, place: Place<'d>) {
        let path = place.path.clone();
        match self.callable(place) {
            Ok(callable) => self.found.functions.push(callable),
            Err(why) => self.found.left.push(Left { path, why }),
        }
    }

    fn callable(&mut self, place: Place<'d>) -> Result<Callable, String> {
        let Place { path, item, function, own, bounds, of } = place;
        if function.header.is_unsafe {
            return Err("it is unsafe".to_owned());
        }
        if function.header.is_async {
            return Err("it is async".to_owned());
        }
        if let Some(open) = open_parameter(function) {
            return Err(format!(
                "nothing in a call says what its parameter `{open}` is; name it in a `call` of your own"
            ));
        }
        let method = item.name.clone().unwrap_or_default();
        let bounds = if is_way_back(&method) { bounds.of_text() } else { bounds };
        let speller = Speller::new(self.document, bounds, own);
        let mut conversions = Conversions::new(self.document, self.own, speller);
        let inputs = function.sig.inputs.iter().enumerate();
        let named = inputs.map(|(index, (name, ty))| (parameter_name(index, name, of.as_deref()), ty));
        let (all, arguments) = conversions.arguments(named)?;
        let applied = format!("{path}({})", arguments.join(", "));
        let told = told(&mut conversions, function, &applied)?;
        let names: Vec<&str> = all.parameters.iter().map(|(name, _)| name.as_str()).collect();
        // A path is called with the parameters in order, each as its type says; all else is an expression.
        let is_path = all.before.is_empty() && arguments == names;
        let (result, call) = returned(&all, told, &applied);
        let call = Some(call).filter(|call| !is_path || *call != applied);
        let name = self.name(&method, of.as_deref());
        let about = item.docs.as_ref().and_then(|docs| docs.lines().find(|line| !line.trim().is_empty()));
        Ok(Callable {
            name,
            path,
            parameters: all.parameters,
            variants: all.variants,
            result,
            call,
            about: about.map(str::to_owned),
            keys: Vec::new(),
        })
    }

    /// The name in relations: that of the function; where there are several, with its type before it.
    fn name(&mut self, method: &str, of: Option<&str>) -> String {
        let longer = of.map(|of| format!("{}_{method}", of.to_ascii_lowercase()));
        let numbered = (2..).map(|number| format!("{method}_{number}"));
        let mut names = std::iter::once(method.to_owned()).chain(longer).chain(numbered);
        let names_taken = &mut self.names;
        names
            .find(|name| names_taken.insert(name.clone()))
            .unwrap_or_else(|| unreachable!("numbers do not end"))
    }
}

/// A parameter of a function, of types or of constants, that no argument decides.
fn open_parameter(function: &Function) -> Option<&str> {
    let is_said = |name: &str| {
        function.sig.inputs.iter().any(|(_, ty)| {
            written(ty).split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
        })
    };
    let is_open = |parameter: &&GenericParamDef| match &parameter.kind {
        GenericParamDefKind::Type { is_synthetic, .. } => !is_synthetic && !is_said(&parameter.name),
        GenericParamDefKind::Const { .. } => !is_said(&parameter.name),
        GenericParamDefKind::Lifetime { .. } => false,
    };
    function.generics.params.iter().find(is_open).map(|parameter| parameter.name.as_str())
}

/// The name of a parameter; that of `self` is that of its type.
fn parameter_name(index: usize, name: &str, of: Option<&str>) -> String {
    match (name, of) {
        ("self", Some(of)) => of.to_ascii_lowercase(),
        ("self", None) => "x".to_owned(),
        ("" | "_", _) => format!("x{index}"),
        // A pattern has no name.
        (name, _) if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => format!("x{index}"),
        (name, _) => plain(name),
    }
}

/// What is told of the result of a function, if it has one.
fn told<'d>(
    conversions: &mut Conversions<'d, '_>,
    function: &'d Function,
    applied: &str,
) -> Result<Option<Told>, String> {
    let Some(output) = &function.sig.output else { return Ok(None) };
    // A method that changes its value and returns it: the value afterwards is told once.
    if let Type::BorrowedRef { is_mutable: true, .. } = output {
        return Ok(None);
    }
    let told = conversions.told(output, applied);
    told.map(Some)
        .map_err(|part| format!("the result `{}`: {part} is no type of a signature", written(output)))
}

/// The type of what a call returns and of what it leaves behind, with the call.
fn returned(all: &Made, told: Option<Told>, applied: &str) -> (Option<String>, String) {
    if all.after.is_empty() {
        let (result, call) = match told {
            // What a value is made for does not outlive it.
            Some(told) if !all.before.is_empty() && told.ty == "&str" => {
                (Some("String".to_owned()), format!("{}.to_string()", told.expression))
            }
            Some(told) => (Some(told.ty), told.expression),
            None => (None, applied.to_owned()),
        };
        let call = if all.before.is_empty() { call } else { format!("{{ {}{call} }}", all.before) };
        return (result, call);
    }
    let (first, last) = match &told {
        Some(told) => (
            format!("let returned = {}; ", told.expression),
            Some(Told { ty: told.ty.clone(), expression: "returned".to_owned() }),
        ),
        None => (format!("{applied}; "), None),
    };
    let told = together(last.into_iter().chain(all.after.iter().cloned()).collect());
    (Some(told.ty), format!("{{ {}{first}{} }}", all.before, told.expression))
}
