//! The code that calls of functions can run, as bytes that stay the same where other code changes.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dodona_session::KeyBuilder;
use dodona_subject::{Allocator, DebugInfo, Location, Module, reachable};
use wasmparser::{BlockType, ConstExpr, Element, ElementItems, ElementKind, Operator, Parser, Payload};

/// Sections that the code of functions depends on as a whole, and that name no function: tables, memories, data and tags.
const SHARED: [u8; 4] = [4, 5, 11, 13];

/// These functions with those that run before every call: the start function, `_initialize`, and what gives memory for arguments.
pub(crate) fn with_beginning(
    module: &Module,
    allocator: Option<&str>,
    mut functions: BTreeSet<u32>,
) -> BTreeSet<u32> {
    let exported =
        ["_initialize"].into_iter().chain(allocator).filter_map(|name| module.export_function(name));
    let first: BTreeSet<u32> =
        exported.chain(module.start()).chain(Allocator::usual(module).function()).collect();
    functions.extend(reachable(module, &first));
    functions
}

/// Adds the code of these functions to a key, and where a call begins. Functions and types are told by what they are and by their places among these, and not by their numbers, which
/// move when other code is edited.
pub(crate) fn with_code(
    mut key: KeyBuilder,
    module: &Module,
    functions: &BTreeSet<u32>,
    entries: &[u32],
) -> KeyBuilder {
    for import in module.imports() {
        key = key.with(format!("{import:?}"));
    }
    for payload in Parser::new(0).parse_all(module.bytes()).map_while(Result::ok) {
        if let Some((id, range)) = payload.as_section()
            && SHARED.contains(&id)
        {
            key = key.with([id]).with(module.bytes().get(range).unwrap_or_default());
        }
        match payload {
            Payload::GlobalSection(globals) => {
                for global in globals.into_iter().map_while(Result::ok) {
                    key = key.with(format!("{:?}", global.ty)).with(constant(
                        module,
                        functions,
                        &global.init_expr,
                    ));
                }
            }
            Payload::ElementSection(elements) => {
                for element in elements.into_iter().map_while(Result::ok) {
                    key = with_element(key, module, functions, element);
                }
            }
            _ => {}
        }
    }
    for entry in entries.iter().copied().chain(module.start()) {
        key = key.with(function_place(module, functions, entry));
    }
    for &function in functions {
        key = key.with(type_of(module, function)).with(body(module, function, functions));
    }
    key
}

/// A function as its place among those that are reached. Of one that is not reached only its type matters: whoever calls it through a table finds that it is another one.
fn function_place(module: &Module, functions: &BTreeSet<u32>, function: u32) -> String {
    match functions.contains(&function) {
        true => format!("function {}", functions.range(..function).count()),
        false => format!("another function of {}", type_of(module, function)),
    }
}

/// A constant expression, such as the first value of a global.
fn constant(module: &Module, functions: &BTreeSet<u32>, expression: &ConstExpr<'_>) -> String {
    let operator = |operator: Operator<'_>| match operator {
        Operator::RefFunc { function_index } => function_place(module, functions, function_index),
        other => format!("{other:?}"),
    };
    expression.get_operators_reader().into_iter().map_while(Result::ok).map(operator).collect()
}

/// A segment of a table: where it is put, and which functions are in it.
fn with_element(
    key: KeyBuilder,
    module: &Module,
    functions: &BTreeSet<u32>,
    element: Element<'_>,
) -> KeyBuilder {
    let place = match &element.kind {
        ElementKind::Passive => "passive".to_owned(),
        ElementKind::Declared => "declared".to_owned(),
        ElementKind::Active { table_index, offset_expr } => {
            format!("{table_index:?} {}", constant(module, functions, offset_expr))
        }
    };
    let items: Vec<String> = match element.items {
        ElementItems::Functions(items) => items
            .into_iter()
            .map_while(Result::ok)
            .map(|function| function_place(module, functions, function))
            .collect(),
        ElementItems::Expressions(ty, items) => std::iter::once(format!("{ty:?}"))
            .chain(items.into_iter().map_while(Result::ok).map(|item| constant(module, functions, &item)))
            .collect(),
    };
    items.iter().fold(key.with("element").with(place), |key, item| key.with(item))
}

fn type_of(module: &Module, function: u32) -> String {
    module.function_type(function).map(|ty| format!("{ty:?}")).unwrap_or_default()
}

/// The code of a function. A call of a function is the place of that function among those that are reached.
fn body(module: &Module, function: u32, all: &BTreeSet<u32>) -> Vec<u8> {
    let mut out = Vec::new();
    let (Some(range), Some(body)) = (module.body_range(function), module.body(function)) else {
        // An import: which one is in the section of imports, by its place.
        out.extend(function.to_le_bytes());
        return out;
    };
    if let Ok(locals) = body.get_locals_reader() {
        for local in locals.into_iter().map_while(Result::ok) {
            out.extend(format!("{local:?}").into_bytes());
        }
    }
    let place = |callee: u32| all.range(..callee).count() as u32;
    let type_at = |index: u32| format!("{:?}", module.type_at(index)).into_bytes();
    let operators = module.operators(function);
    for (number, (operator, start)) in operators.iter().enumerate() {
        let end = operators.get(number + 1).map_or(range.end, |(_, next)| *next);
        let bytes = module.bytes().get(*start..end).unwrap_or_default();
        match operator {
            Operator::Call { function_index }
            | Operator::ReturnCall { function_index }
            | Operator::RefFunc { function_index } => {
                out.push(bytes.first().copied().unwrap_or_default());
                out.extend(place(*function_index).to_le_bytes());
            }
            Operator::CallIndirect { type_index, table_index }
            | Operator::ReturnCallIndirect { type_index, table_index } => {
                out.push(bytes.first().copied().unwrap_or_default());
                out.extend(type_at(*type_index));
                out.extend(table_index.to_le_bytes());
            }
            Operator::Block { blockty: BlockType::FuncType(index) }
            | Operator::Loop { blockty: BlockType::FuncType(index) }
            | Operator::If { blockty: BlockType::FuncType(index) } => {
                out.push(bytes.first().copied().unwrap_or_default());
                out.extend(type_at(*index));
            }
            _ => out.extend(bytes),
        }
    }
    out
}

/// Adds the source lines of these functions to a key: their numbers and, where their files are at hand, their text.
pub(crate) fn with_lines(
    mut key: KeyBuilder,
    module: &Module,
    debug: Option<&DebugInfo>,
    functions: &BTreeSet<u32>,
    source: &mut SourceLines,
) -> KeyBuilder {
    for &function in functions {
        // Places without a source line are told by the names of their functions.
        key = key.with(module.function_name(function));
    }
    let Some(debug) = debug else { return key };
    for &function in functions {
        let mut before = None;
        for (_, offset) in module.operators(function) {
            let location = debug.location_at(offset);
            if location == before {
                continue;
            }
            before = location;
            let Some(at) = location else {
                key = key.with("nowhere");
                continue;
            };
            key = key.with(&at.file).with(at.line.to_le_bytes()).with(at.column.to_le_bytes());
            key = key.with(source.line(debug, at));
        }
    }
    key
}

/// The lines of source files, each file read once.
pub(crate) struct SourceLines {
    folder: PathBuf,
    files: std::collections::HashMap<String, Vec<String>>,
}

impl SourceLines {
    /// Of files whose relative paths are from a folder.
    pub(crate) fn from(folder: PathBuf) -> SourceLines {
        SourceLines { folder, files: std::collections::HashMap::new() }
    }

    fn line(&mut self, debug: &DebugInfo, at: &Location) -> &str {
        let folder = &self.folder;
        let lines = self.files.entry(at.file.clone()).or_insert_with(|| {
            let paths = debug.source_paths(at).into_iter().map(|path| folder.join(path));
            let text = paths.filter_map(|path| std::fs::read_to_string(path).ok()).next();
            text.unwrap_or_default().lines().map(str::to_owned).collect()
        });
        lines.get((at.line as usize).saturating_sub(1)).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use dodona_session::Key;

    use super::*;

    /// The key of the code that calls of the export `f` can run.
    fn key(wat: &str) -> Key {
        let module = Module::parse(wat::parse_str(wat).expect("a module")).expect("a valid module");
        let root = module.export_function("f").expect("f is exported");
        let functions = with_beginning(&module, None, reachable(&module, &[root].into()));
        with_code(KeyBuilder::new("test"), &module, &functions, &[root]).key()
    }

    /// `f` calls `g`; `h` is called by nobody.
    fn module(before: &str, g: &str, h: &str, rest: &str) -> String {
        format!(
            "(module {before}
            (func $g (param i32) (result i32) {g})
            (func (export \"h\") (param i32) (result i32) {h})
            (func (export \"f\") (param i32) (result i32) (call $g (local.get 0)))
            {rest})"
        )
    }

    const ADD: &str = "(i32.add (local.get 0) (i32.const 1))";
    const SUB: &str = "(i32.sub (local.get 0) (i32.const 1))";

    #[test]
    fn code_that_is_not_called_and_the_numbers_of_functions_and_types_are_no_part_of_the_key() {
        let usual = key(&module("", ADD, ADD, ""));
        assert_eq!(key(&module("", ADD, SUB, "")), usual);
        // A function and a type before the others move all their numbers.
        let moved = "(type (func (param f64))) (func (param f64))";
        assert_eq!(key(&module(moved, ADD, ADD, "")), usual);
        assert_eq!(key(&module("", ADD, ADD, "(func (result f32) (f32.const 1))")), usual);
    }

    #[test]
    fn all_that_a_call_can_depend_on_is_part_of_the_key() {
        let usual = key(&module("", ADD, ADD, ""));
        let others = [
            module("", SUB, ADD, ""),
            module("", "(i32.add (local.get 0) (i32.const 2))", ADD, ""),
            module("(memory 1)", ADD, ADD, ""),
            module("(memory 1)", ADD, ADD, "(data (i32.const 0) \"a\")"),
            module("(memory 1)", ADD, ADD, "(data (i32.const 0) \"b\")"),
            module("(memory 2)", ADD, ADD, ""),
            module("(global (mut i32) (i32.const 1))", ADD, ADD, ""),
            module("(global (mut i32) (i32.const 2))", ADD, ADD, ""),
            module("(func $start) (start $start)", ADD, ADD, ""),
            module("(import \"env\" \"x\" (func (param i32)))", ADD, ADD, ""),
            module("", "(local i32) (i32.add (local.get 0) (i32.const 1))", ADD, ""),
        ];
        let keys: BTreeSet<Key> = others.iter().map(|text| key(text)).chain([usual]).collect();
        assert_eq!(keys.len(), others.len() + 1);
    }

    #[test]
    fn a_start_function_is_part_of_what_every_call_depends_on() {
        let with = |body: &str| {
            key(&module(
                &format!("(global $g (mut i32) (i32.const 0)) (func $start {body}) (start $start)"),
                "(i32.add (local.get 0) (global.get $g))",
                ADD,
                "",
            ))
        };
        assert_ne!(with("(global.set $g (i32.const 1))"), with("(global.set $g (i32.const 2))"));
    }

    #[test]
    fn what_a_table_holds_is_part_of_what_an_indirect_call_depends_on() {
        let with = |target: &str, body: &str| {
            key(&module(
                "(table 1 funcref) (type $t (func (param i32) (result i32)))",
                "(call_indirect (type $t) (local.get 0) (i32.const 0))",
                ADD,
                &format!(
                    "(func $one (type $t) {body}) (func $two (type $t) {ADD}) (elem (i32.const 0) ${target})"
                ),
            ))
        };
        assert_ne!(with("one", ADD), with("one", SUB));
        assert_ne!(with("one", SUB), with("two", SUB));
    }

    #[test]
    fn which_function_is_called_first_is_part_of_the_key() {
        let with = |entry: &str| {
            key(&format!(
                "(module
                (func $even (param i32) (result i32) (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 1)) (else (call $odd (local.get 0)))))
                (func $odd (param i32) (result i32) (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0)) (else (call $even (local.get 0)))))
                (export \"f\" (func ${entry})))"
            ))
        };
        assert_ne!(with("even"), with("odd"));
    }

    #[test]
    fn a_slot_of_a_table_that_holds_a_function_of_another_type_is_part_of_the_key() {
        let with = |second: &str, third: &str| {
            key(&format!(
                "(module (type $t (func (param i32) (result i32))) (type $u (func (param f32) (result f32)))
                (table 3 funcref) (elem (i32.const 0) $a $x $y)
                (func $a (type $t) (local.get 0)) (func $x (type ${second}) (local.get 0)) (func $y (type ${third}) (local.get 0))
                (func (export \"f\") (type $t) (call_indirect (type $t) (local.get 0) (i32.const 1))))"
            ))
        };
        assert_ne!(with("t", "u"), with("u", "t"));
    }
}
