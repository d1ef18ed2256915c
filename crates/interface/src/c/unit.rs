//! The declarations of headers and sources, each once.

use std::collections::BTreeMap;

/// A declared function, with types as clang writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Function {
    /// With its namespaces.
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) file: String,
    /// Other files that declare it again.
    pub(super) also: Vec<String>,
    pub(super) line: u32,
    pub(super) is_variadic: bool,
    /// Whether no other file can call it.
    pub(super) is_static: bool,
    /// Whether its name in an object file is its name in C: all of C, and of C++ what is `extern "C"`.
    pub(super) is_of_c: bool,
    /// Whether it is declared in a class.
    pub(super) is_member: bool,
    /// The class of a method that is called of one of its objects.
    pub(super) method_of: Option<String>,
}

/// A struct or union that is declared with its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) fields: Vec<Field>,
    pub(super) is_union: bool,
    pub(super) is_class: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: String,
}

/// An enumeration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Enum {
    pub(super) constants: Vec<(String, i128)>,
    /// The type of its values, where that is written.
    pub(super) underlying: Option<String>,
}

/// What a name of a type stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// Another type, as clang writes it.
    Alias(String),
    /// The declaration of this key.
    Tag(String),
}

/// The declarations of a library's headers and sources.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    functions: Vec<Function>,
    /// The places of the functions of each name.
    places: BTreeMap<String, Vec<usize>>,
    aliases: BTreeMap<String, Named>,
    /// By name, and those without one by a key of their own.
    records: BTreeMap<String, Record>,
    enums: BTreeMap<String, Enum>,
    /// The constructors that others may call, by class. A class that is not there has the one of the language.
    constructors: BTreeMap<String, Vec<Function>>,
    /// The keys of declarations without a name, by their numbers in the tree that is being read.
    nameless: BTreeMap<String, String>,
}

impl Unit {
    /// The functions, each once.
    pub(super) fn functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter()
    }

    /// Whether a function of this name is declared.
    pub fn declares(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// The functions of a name, of which C++ may have several.
    pub(super) fn named_so(&self, name: &str) -> impl Iterator<Item = &Function> {
        self.places.get(name).into_iter().flatten().map(|place| &self.functions[*place])
    }

    /// A function that is declared again, as a definition or in another header, has its names from whichever has them.
    pub(super) fn add_function(&mut self, function: Function) {
        let places = self.places.entry(function.name.clone()).or_default();
        let Some(place) = places.iter().find(|place| self.functions[**place].ty == function.ty) else {
            places.push(self.functions.len());
            self.functions.push(function);
            return;
        };
        let known = &mut self.functions[*place];
        known.also.push(function.file);
        for ((name, _), (other, _)) in known.parameters.iter_mut().zip(function.parameters) {
            if name.is_empty() {
                *name = other;
            }
        }
    }

    pub(super) fn add_constructor(&mut self, class: &str, constructor: Function) {
        self.constructors.entry(class.to_owned()).or_default().push(constructor);
    }

    /// Notes that a class has constructors of its own, which others may not call.
    pub(super) fn add_private_constructor(&mut self, class: &str) {
        self.constructors.entry(class.to_owned()).or_default();
    }

    /// The constructors of a class that others may call; nothing where it declares none, and has that of the language.
    pub(super) fn constructors(&self, class: &str) -> Option<&[Function]> {
        self.constructors.get(class).map(Vec::as_slice)
    }

    pub(super) fn add_alias(&mut self, name: String, ty: String, owned: Option<String>) {
        let nameless = owned.and_then(|id| self.nameless.get(&id));
        let named = nameless.map_or(Named::Alias(ty), |key| Named::Tag(key.clone()));
        self.aliases.entry(name).or_insert(named);
    }

    /// Adds a struct, and gives the key that it has from now on.
    pub(super) fn add_record(&mut self, id: &str, name: String, record: Record) -> String {
        let key = self.key(id, name);
        self.records.insert(key.clone(), record);
        key
    }

    /// Adds an enumeration. One that is declared again has no constants there.
    pub(super) fn add_enum(&mut self, id: &str, name: String, one: Enum) {
        let key = self.key(id, name);
        let is_again = one.constants.is_empty() && self.enums.contains_key(&key);
        if !is_again {
            self.enums.insert(key, one);
        }
    }

    /// The key of a declaration: its name, or one of its own. Numbers are of one tree, and another may have them for something else.
    fn key(&mut self, id: &str, name: String) -> String {
        if !name.is_empty() && !name.ends_with("::") {
            return name;
        }
        let key = format!("{name}<{}>", self.records.len() + self.enums.len());
        self.nameless.insert(id.to_owned(), key.clone());
        key
    }

    /// The whole name of a struct or an enumeration that is written without what stands around it.
    pub(super) fn full(&self, name: &str) -> Option<&str> {
        let inside = format!("::{name}");
        let known = || self.enums.keys().chain(self.records.keys());
        known()
            .find(|key| *key == name)
            .or_else(|| known().find(|key| key.ends_with(&inside)))
            .map(String::as_str)
    }

    /// What a name stands for. Inside of a namespace or class clang writes it without what stands around it there.
    pub(super) fn alias(&self, name: &str) -> Option<&Named> {
        self.aliases.get(name).or_else(|| {
            let inside = format!("::{name}");
            self.aliases.iter().find(|(known, _)| known.ends_with(&inside)).map(|(_, named)| named)
        })
    }

    pub(super) fn record(&self, key: &str) -> Option<&Record> {
        self.records.get(key)
    }

    pub(super) fn enumeration(&self, key: &str) -> Option<&Enum> {
        self.enums.get(key)
    }
}
