//! clang's syntax tree as it comes.
//!
//! A place names its file only where that is another one than that of the place before, in the order of the document. So all places are read, those of statements too.

use std::fmt;
use std::io::{BufReader, Read};
use std::ops::Range as Places;
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::texts::{Texts, brackets};
use super::unit::{Enum, Field, Function, Named, Record, Unit};

/// A place, or where a macro is and what it stands for.
#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Place {
    offset: Option<u64>,
    tok_len: u64,
    file: Option<String>,
    line: Option<u32>,
    spelling_loc: Option<Box<Place>>,
    expansion_loc: Option<Box<Place>>,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Range {
    begin: Place,
    end: Place,
}

#[derive(Default, serde::Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Ty {
    qual_type: String,
    desugared_qual_type: String,
}

#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Reference {
    id: String,
}

/// What is kept of a node: a declaration, or what belongs to one.
#[derive(Default)]
struct Node {
    id: String,
    kind: String,
    name: String,
    ty: String,
    file: String,
    line: u32,
    /// The bytes of its file that it is; nothing of what a macro makes.
    place: Option<Places<u64>>,
    /// An array type, where the type is a name for one.
    array: Option<String>,
    is_variadic: bool,
    is_static: bool,
    is_complete: bool,
    is_implicit: bool,
    is_deleted: bool,
    /// Whether it is a class of C++ with others below it.
    has_bases: bool,
    /// `public`, `protected` or `private`, from here on in a class.
    access: String,
    /// `struct`, `union`, `class` or `enum`.
    tag: String,
    value: Option<String>,
    /// Its name in an object file.
    mangled: String,
    /// The type of the values of an enumeration, where it is written.
    underlying: Option<String>,
    /// The declaration of a type without a name that a `typedef` owns.
    owned: Option<String>,
    inner: Vec<Node>,
}

/// Where reading stands.
#[derive(Default)]
struct Position {
    file: String,
    line: u32,
}

impl Position {
    fn pass(&mut self, place: &Place) {
        if let Some(file) = &place.file {
            self.file.clone_from(file);
        }
        self.line = place.line.unwrap_or(self.line);
        for place in [&place.spelling_loc, &place.expansion_loc].into_iter().flatten() {
            self.pass(place);
        }
    }
}

/// Statements are nested as deep as people write them. Of this much memory for the stack only what is used is taken.
const STACK: usize = 1 << 29;

/// Reads a tree, on a thread whose stack is large enough.
pub(super) fn read(tree: impl Read + Send, folder: &Path, unit: &mut Unit) -> Result<(), serde_json::Error> {
    let reading = || {
        let mut position = Position::default();
        let mut tree = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 16, tree));
        tree.disable_recursion_limit();
        let root = Seed { position: &mut position, is_kept: true }.deserialize(&mut tree)?;
        match root.kind.as_str() {
            "TranslationUnitDecl" => Ok(root),
            _ => Err(serde_json::Error::custom("it is no syntax tree")),
        }
    };
    let root = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, reading);
        let thread = thread.map_err(serde_json::Error::io)?;
        thread.join().unwrap_or_else(|_| Err(serde_json::Error::custom("it cannot be followed")))
    })?;
    Reader { unit, texts: Texts::of(folder) }.declarations(&root.inner, "");
    Ok(())
}

/// Reads a node; nothing of one that is not kept but the places that it passes.
struct Seed<'p> {
    position: &'p mut Position,
    is_kept: bool,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Node, D::Error> {
        from.deserialize_map(self)
    }
}

/// The kinds of nodes that declarations are made of.
const KEPT: [&str; 18] = [
    "TranslationUnitDecl",
    "NamespaceDecl",
    "LinkageSpecDecl",
    "FunctionDecl",
    "ParmVarDecl",
    "TypedefDecl",
    "TypeAliasDecl",
    "RecordDecl",
    "CXXRecordDecl",
    "CXXMethodDecl",
    "CXXConstructorDecl",
    "AccessSpecDecl",
    "FieldDecl",
    "EnumDecl",
    "EnumConstantDecl",
    "ConstantExpr",
    "ImplicitCastExpr",
    "ElaboratedType",
];

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node of a syntax tree")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Node, M::Error> {
        let Seed { position, is_kept } = self;
        let mut node = Node::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => node.id = map.next_value()?,
                "kind" => node.kind = map.next_value()?,
                "loc" => {
                    let place: Place = map.next_value()?;
                    position.pass(&place);
                    // Of what a macro makes, the place is where the macro stands.
                    (node.file, node.line) = (position.file.clone(), position.line);
                }
                "range" => {
                    let range: Range = map.next_value()?;
                    position.pass(&range.begin);
                    position.pass(&range.end);
                    let ends = range.begin.offset.zip(range.end.offset);
                    node.place = ends.map(|(begin, end)| begin..end.saturating_add(range.end.tok_len));
                }
                "inner" => {
                    let is_kept = is_kept && KEPT.contains(&node.kind.as_str());
                    node.inner = map.next_value_seed(Inner { position: &mut *position, is_kept })?;
                }
                "name" => node.name = map.next_value()?,
                "type" => {
                    let ty: Ty = map.next_value()?;
                    node.ty = ty.qual_type;
                    node.array = Some(ty.desugared_qual_type).filter(|ty| ty.ends_with(']'));
                }
                "mangledName" => node.mangled = map.next_value()?,
                "fixedUnderlyingType" => node.underlying = Some(map.next_value::<Ty>()?.qual_type),
                "variadic" => node.is_variadic = map.next_value()?,
                "storageClass" => node.is_static = map.next_value::<String>()? == "static",
                "completeDefinition" => node.is_complete = map.next_value()?,
                "isImplicit" => node.is_implicit = map.next_value()?,
                "explicitlyDeleted" => node.is_deleted = map.next_value()?,
                "access" => node.access = map.next_value()?,
                "bases" => node.has_bases = !map.next_value::<Vec<IgnoredAny>>()?.is_empty(),
                "tagUsed" => node.tag = map.next_value()?,
                "value" if node.kind == "ConstantExpr" => node.value = map.next_value()?,
                "ownedTagDecl" => node.owned = Some(map.next_value::<Reference>()?.id),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(node)
    }
}

/// Reads the nodes inside another one.
struct Inner<'p> {
    position: &'p mut Position,
    is_kept: bool,
}

impl<'de> DeserializeSeed<'de> for Inner<'_> {
    type Value = Vec<Node>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Vec<Node>, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Inner<'_> {
    type Value = Vec<Node>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nodes of a syntax tree")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut nodes: S) -> Result<Vec<Node>, S::Error> {
        let Inner { position, is_kept } = self;
        let mut kept = Vec::new();
        while let Some(node) = nodes.next_element_seed(Seed { position: &mut *position, is_kept })? {
            if is_kept && KEPT.contains(&node.kind.as_str()) {
                kept.push(node);
            }
        }
        Ok(kept)
    }
}

/// Takes declarations out of nodes.
struct Reader<'u> {
    unit: &'u mut Unit,
    texts: Texts,
}

impl Reader<'_> {
    /// Those of a scope, whose name ends in `::` where it has one.
    fn declarations(&mut self, nodes: &[Node], scope: &str) {
        for node in nodes.iter().filter(|node| !node.is_implicit) {
            let name = format!("{scope}{}", node.name);
            match node.kind.as_str() {
                // What stands in a namespace without a name is named as what stands around it.
                "NamespaceDecl" if node.name.is_empty() => self.declarations(&node.inner, scope),
                "NamespaceDecl" => self.declarations(&node.inner, &format!("{name}::")),
                "LinkageSpecDecl" => self.declarations(&node.inner, scope),
                "FunctionDecl" if !node.is_deleted => {
                    let function = self.function(node, name);
                    self.unit.add_function(function);
                }
                "TypedefDecl" | "TypeAliasDecl" => {
                    let owned = node.inner.iter().find_map(|ty| ty.owned.clone());
                    self.unit.add_alias(name, node.ty.clone(), owned);
                }
                "RecordDecl" | "CXXRecordDecl" if node.is_complete => {
                    self.record(node, name);
                }
                "EnumDecl" => self.unit.add_enum(&node.id, name, enumeration(node)),
                _ => {}
            }
        }
    }
}

impl Reader<'_> {
    /// A struct with those that are declared in it, of which some have no name but that of their field. The key by which it is known.
    fn record(&mut self, node: &Node, name: String) -> String {
        let (mut fields, mut inside) = (Vec::new(), None);
        let mut is_public = node.tag != "class";
        for inner in &node.inner {
            match inner.kind.as_str() {
                // Types of a class go by its name too.
                "TypedefDecl" | "TypeAliasDecl" | "EnumDecl" => {
                    self.declarations(std::slice::from_ref(inner), &format!("{name}::"))
                }
                "AccessSpecDecl" => is_public = inner.access == "public",
                "CXXMethodDecl" if is_public && !inner.is_implicit && !inner.is_deleted => {
                    let method = self.function(inner, format!("{name}::{}", inner.name));
                    let of = (!method.is_static).then(|| name.clone());
                    // Such a method is no function of a file: it is called as others are.
                    let (is_static, is_member) = (false, true);
                    self.unit.add_function(Function { method_of: of, is_static, is_member, ..method });
                }
                "CXXConstructorDecl" if !inner.is_implicit && is_public && !inner.is_deleted => {
                    let constructor = self.function(inner, name.clone());
                    self.unit.add_constructor(&name, constructor);
                }
                "CXXConstructorDecl" if !inner.is_implicit => self.unit.add_private_constructor(&name),
                "RecordDecl" | "CXXRecordDecl" if inner.is_complete && !inner.is_implicit => {
                    // In C the name of a struct inside another one is as any other; in C++ it is inside.
                    let is_inside = inner.kind == "CXXRecordDecl" && !inner.name.is_empty();
                    let scope = if is_inside { format!("{name}::") } else { String::new() };
                    inside = Some(self.record(inner, format!("{scope}{}", inner.name)));
                }
                "FieldDecl" => {
                    let is_nameless = inner.ty.contains("(unnamed") || inner.ty.contains("(anonymous");
                    let ty = match (&inside, inner.ty.rsplit_once(')')) {
                        // Behind it stands whether the field is a pointer to it, or an array.
                        (Some(key), Some((_, behind))) if is_nameless => format!("struct {key}{behind}"),
                        _ => inner.array.clone().unwrap_or_else(|| inner.ty.clone()),
                    };
                    fields.push(Field { name: inner.name.clone(), ty });
                }
                _ => {}
            }
        }
        let record =
            Record { fields, is_union: node.tag == "union", is_class: node.tag == "class" || node.has_bases };
        self.unit.add_record(&node.id, name, record)
    }
}

/// What stands in the names that object files have of what a namespace without a name holds.
const IN_NAMELESS: &str = "_GLOBAL__N_1";

impl Reader<'_> {
    fn function(&mut self, node: &Node, name: String) -> Function {
        let parameters = node.inner.iter().filter(|inner| inner.kind == "ParmVarDecl");
        let parameters = parameters.map(|one| (one.name.clone(), self.parameter(one))).collect();
        Function {
            name,
            ty: node.ty.clone(),
            parameters,
            file: node.file.clone(),
            also: Vec::new(),
            line: node.line,
            is_variadic: node.is_variadic,
            is_static: node.is_static || node.mangled.contains(IN_NAMELESS),
            is_of_c: node.mangled == node.name,
            is_member: false,
            method_of: None,
        }
    }

    /// The type of a parameter. That of an array is shown as a pointer, and is written as an array again here.
    fn parameter(&mut self, node: &Node) -> String {
        let element = node.ty.strip_suffix('*').filter(|_| !node.ty.contains("(*"));
        match element.and_then(|element| Some((element, self.brackets_of(node)?))) {
            Some((element, brackets)) => format!("{}{brackets}", element.trim_end()),
            None => node.ty.clone(),
        }
    }

    /// The brackets of a parameter that is declared as an array, or by a name for a type of arrays.
    fn brackets_of(&mut self, node: &Node) -> Option<String> {
        let text = self.texts.at(&node.file, node.place.clone()?)?;
        let of_name = |word: &str| match self.unit.alias(word) {
            Some(Named::Alias(ty)) if !word.is_empty() && ty.ends_with(']') => brackets(ty),
            _ => None,
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
        let mut words = text.split(|c| !is_part(c)).filter(|word| *word != node.name);
        brackets(&text).or_else(|| if text.contains('*') { None } else { words.find_map(of_name) })
    }
}

/// The number that is written, which may be converted to the type of the enumeration.
fn written(value: &Node) -> Option<&String> {
    value.value.as_ref().or_else(|| value.inner.iter().find_map(written))
}

/// An enumeration. Each constant has the number behind that of the one before, where none is written.
fn enumeration(node: &Node) -> Enum {
    let mut next = Some(0_i128);
    let constants = node.inner.iter().filter(|constant| constant.kind == "EnumConstantDecl");
    let numbered = constants.filter_map(|constant| {
        let written = constant.inner.iter().find_map(written);
        let value = written.map_or(next, |value| value.parse().ok());
        next = value.and_then(|value| value.checked_add(1));
        Some((constant.name.clone(), value?))
    });
    Enum { constants: numbered.collect(), underlying: node.underlying.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_names_its_file_only_where_that_is_another_one_also_inside_of_statements() {
        let tree = r#"{"kind": "TranslationUnitDecl", "loc": {}, "inner": [
            {"kind": "FunctionDecl", "loc": {"file": "a.h", "line": 3}, "name": "f", "type": {"qualType": "int (int)"}, "inner": [
                {"kind": "ParmVarDecl", "loc": {"line": 4}, "name": "x", "type": {"qualType": "int"}},
                {"kind": "CompoundStmt", "range": {"begin": {"offset": 1}, "end": {"spellingLoc": {"file": "m.h", "line": 9}, "expansionLoc": {"file": "b.h", "line": 5}}},
                 "inner": [{}, {"kind": "FunctionDecl", "name": "inside"}]}]},
            {"kind": "FunctionDecl", "loc": {"line": 6}, "name": "g", "type": {"qualType": "int (int, ...)"}, "variadic": true, "storageClass": "static"},
            {"kind": "NamespaceDecl", "name": "n", "inner": [{"kind": "LinkageSpecDecl", "inner": [{"kind": "FunctionDecl", "loc": {"line": 6}, "name": "h", "type": {"qualType": "void ()"}}]}]}]}"#;
        let mut unit = Unit::default();
        read(tree.as_bytes(), Path::new("."), &mut unit).expect("read");
        let found: Vec<_> = unit.functions().map(|f| (f.name.as_str(), f.file.as_str(), f.line)).collect();
        assert_eq!(found, [("f", "a.h", 3), ("g", "b.h", 6), ("n::h", "b.h", 6)]);
        assert!(unit.functions().nth(1).is_some_and(|g| g.is_variadic && g.is_static));
        for wrong in ["", "[]", "{}", "{\"kind\": 3}", "{\"kind\": \"FunctionDecl\"}", "{\"inner\": [3]}"] {
            assert!(read(wrong.as_bytes(), Path::new("."), &mut Unit::default()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn statements_may_be_nested_deeper_than_other_documents() {
        let deep = "{\"kind\": \"IfStmt\", \"inner\": [".repeat(5000) + &"]}".repeat(5000);
        let tree = format!("{{\"kind\": \"TranslationUnitDecl\", \"inner\": [{deep}]}}");
        read(tree.as_bytes(), Path::new("."), &mut Unit::default()).expect("read");
    }
}
