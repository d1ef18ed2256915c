//! Random modules as C compiles to: an exported function with helpers, a frame on the stack or tables in memory, loops and
//! switches, over scalars, sequences and text. No call takes long and no loop runs without end.

mod expression;
mod statement;

use crate::choices::Choices;
use expression::Ty;

/// A module in the text format with the manifest of its one function, `f`.
#[derive(Clone, Debug)]
pub struct RandomModule {
    /// The module.
    pub wat: String,
    /// The manifest; the module is `m.wat`, and it names no relations.
    pub manifest: String,
}

/// What code can name where it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Locals that can be read.
    variables: Vec<(String, Ty)>,
    /// Locals that can be set.
    assignable: Vec<(String, Ty)>,
    helpers: Vec<Helper>,
    sequence: Option<Sequence>,
    /// Whether the function has a frame below the stack pointer; else it uses fixed addresses.
    has_frame: bool,
    result: Option<Ty>,
    open_loops: usize,
}

/// A function that others call.
#[derive(Clone, Debug)]
struct Helper {
    name: String,
    parameters: Vec<Ty>,
    result: Ty,
}

/// A parameter that is a pointer and a length.
#[derive(Clone, Debug)]
struct Sequence {
    /// As the code sees it.
    element: Ty,
    /// Of one element in memory.
    bytes: u32,
    is_written: bool,
}

impl Sequence {
    fn address(&self, index: &str) -> String {
        let at = format!("(i32.rem_u {index} (local.get $length))");
        format!("(i32.add (local.get $pointer) (i32.mul {at} (i32.const {})))", self.bytes)
    }

    fn load(&self, index: &str) -> String {
        let operator =
            if self.bytes == 1 { "i32.load8_u".to_owned() } else { format!("{}.load", self.element.name()) };
        format!("({operator} {})", self.address(index))
    }

    fn store(&self, index: &str, value: &str) -> String {
        let operator =
            if self.bytes == 1 { "i32.store8".to_owned() } else { format!("{}.store", self.element.name()) };
        format!("({operator} {} {value})", self.address(index))
    }
}

impl Scope {
    fn read(&mut self, name: &str, ty: Ty) {
        self.variables.push((name.to_owned(), ty));
    }

    fn prologue(&self) -> &'static str {
        if !self.has_frame {
            return "";
        }
        "(global.set $__stack_pointer (i32.sub (global.get $__stack_pointer) (i32.const 64)))"
    }

    fn epilogue(&self) -> &'static str {
        if !self.has_frame {
            return "";
        }
        "(global.set $__stack_pointer (i32.add (global.get $__stack_pointer) (i32.const 64)))"
    }

    /// A function's body: its own locals, statements, and what it returns.
    fn body(&mut self, choices: &mut Choices<'_>, statements: usize, depth: u32) -> String {
        let own = Ty::ALL.map(|ty| (format!("$own_{}", ty.name()), ty));
        let first: Vec<String> = own
            .iter()
            .map(|(name, ty)| format!("(local.set {name} {})", self.expression(choices, *ty, 1)))
            .collect();
        self.variables.extend(own.iter().cloned());
        self.assignable.extend(own);
        let code = self.statements(choices, statements, depth);
        let value = self.result.map(|ty| self.expression(choices, ty, 3));
        let locals = Ty::ALL.map(|ty| format!("(local $own_{0} {0})", ty.name())).join(" ");
        let result = self.result.map(|ty| format!("(local $value {})", ty.name())).unwrap_or_default();
        let (set, get) = match value {
            Some(value) => (format!("(local.set $value {value})"), "(local.get $value)"),
            None => (String::new(), ""),
        };
        format!(
            "{locals} {result} (local $k0 i32) (local $k1 i32) {} {} {code} {set} {} {get}",
            self.prologue(),
            first.join(" "),
            self.epilogue()
        )
    }
}

/// The parameters of `f` in the manifest's words and in WebAssembly's.
struct Signature {
    /// `(a: i32, b: i64) -> f64`
    declared: String,
    /// Further keys of the manifest.
    keys: String,
    parameters: String,
}

const NARROW: [&str; 7] = ["i32", "u32", "i8", "u8", "i16", "u16", "bool"];

fn scalars(choices: &mut Choices<'_>, scope: &mut Scope) -> Signature {
    let (a, b) = (
        choices.one_of(&["i32", "i32", "u32", "i8", "u8", "i16", "u16", "bool"]),
        choices.one_of(&["i64", "u64"]),
    );
    for (name, ty) in ["$a", "$b", "$c", "$d"].iter().zip(Ty::ALL) {
        scope.read(name, ty);
        scope.assignable.push(((*name).to_owned(), ty));
    }
    let declared = format!("(a: {a}, b: {b}, c: f32, d: f64)");
    let parameters = "(param $a i32) (param $b i64) (param $c f32) (param $d f64)".to_owned();
    Signature { declared, keys: domain(choices, a), parameters }
}

fn domain(choices: &mut Choices<'_>, a: &str) -> String {
    match choices.below(8) {
        1 if a != "bool" => "domain.a = { range = [0, 9] }\n".to_owned(),
        2 => "domain.d = { nan = false }\n".to_owned(),
        3 => "domain.d = { range = [-4.5, 1e9] }\ndomain.c = { except = [0] }\n".to_owned(),
        4 => "domain.c = { values = [0.5, -2, 3e8] }\n".to_owned(),
        5 => "requires = \"d <= b or is_nan(d)\"\n".to_owned(),
        _ => String::new(),
    }
}

fn sequence(choices: &mut Choices<'_>, scope: &mut Scope) -> Signature {
    let (declared, element, bytes) = choices.one_of(&[
        ("[i32]", Ty::I32, 4),
        ("[i64]", Ty::I64, 8),
        ("[f64]", Ty::F64, 8),
        ("[f32]", Ty::F32, 4),
        ("text", Ty::I32, 1),
    ]);
    let is_written = bytes > 1 && choices.one_in(2);
    scope.sequence = Some(Sequence { element, bytes, is_written });
    scope.read("$length", Ty::I32);
    scope.read("$n", Ty::I32);
    scope.assignable.push(("$n".to_owned(), Ty::I32));
    Signature {
        declared: format!("(xs: {declared}, n: i32)"),
        keys: if is_written { "lower.xs = \"in-out\"\n".to_owned() } else { String::new() },
        parameters: "(param $pointer i32) (param $length i32) (param $n i32)".to_owned(),
    }
}

fn helper(choices: &mut Choices<'_>, number: usize, known: &[Helper], has_frame: bool) -> (Helper, String) {
    let parameters: Vec<Ty> = (0..1 + choices.below(2)).map(|_| choices.one_of(&Ty::ALL)).collect();
    let helper = Helper { name: format!("$helper{number}"), parameters, result: choices.one_of(&Ty::ALL) };
    let mut scope =
        Scope { helpers: known.to_vec(), has_frame, result: Some(helper.result), ..Scope::default() };
    let mut declared = String::new();
    for (i, ty) in helper.parameters.iter().enumerate() {
        scope.read(&format!("$p{i}"), *ty);
        declared += &format!("(param $p{i} {}) ", ty.name());
    }
    let body = scope.body(choices, 1, 1);
    let text = format!("(func {} {declared} (result {}) {body})", helper.name, helper.result.name());
    (helper, text)
}

/// A module with its manifest.
pub fn draw(choices: &mut Choices<'_>) -> RandomModule {
    with_exports(choices, |_| Exports::default())
}

/// The same module, but its helpers are functions under test too.
pub fn draw_with_helpers(choices: &mut Choices<'_>) -> RandomModule {
    with_exports(choices, |helpers| {
        let exports = helpers.iter().map(Helper::exports);
        exports.fold(Exports::default(), |all, one| Exports {
            wat: all.wat + &one.wat,
            manifest: all.manifest + &one.manifest,
        })
    })
}

/// What a module exports besides `f`, and what the manifest says of it.
#[derive(Default)]
struct Exports {
    wat: String,
    manifest: String,
}

impl Helper {
    fn exports(&self) -> Exports {
        let name = self.name.trim_start_matches('$');
        let parameters: Vec<String> =
            self.parameters.iter().enumerate().map(|(i, ty)| format!("p{i}: {}", ty.name())).collect();
        Exports {
            wat: format!("(export \"{name}\" (func {}))", self.name),
            manifest: format!(
                "[[function]]\nsignature = \"{name}({}) -> {}\"\n",
                parameters.join(", "),
                self.result.name()
            ),
        }
    }
}

fn with_exports(choices: &mut Choices<'_>, exports: impl FnOnce(&[Helper]) -> Exports) -> RandomModule {
    let has_frame = choices.one_in(3);
    let (mut helpers, mut texts) = (Vec::new(), String::new());
    for number in 0..choices.below(3) {
        let helper_has_frame = has_frame && choices.one_in(2);
        let (helper, text) = helper(choices, number, &helpers, helper_has_frame);
        helpers.push(helper);
        texts += &text;
    }
    let exports = exports(&helpers);
    let mut scope = Scope { helpers, has_frame, ..Scope::default() };
    let signature =
        if choices.one_in(3) { sequence(choices, &mut scope) } else { scalars(choices, &mut scope) };
    let declared = result(choices, &mut scope);
    let body = scope.body(choices, 4, 2);
    let returned = scope.result.map(|ty| format!("(result {})", ty.name())).unwrap_or_default();
    let pointer = if has_frame { "(global $__stack_pointer (mut i32) (i32.const 65536))" } else { "" };
    let wat = format!(
        "(module (memory 2) {pointer}
        (data (i32.const 64) \"\\01\\00\\00\\00\\00\\00\\f0\\3f\\ff\\ff\\ff\\ff\\ff\\ff\\ff\\ff\\07\\00\\00\\80\\00\\00\\f8\\7f\\00\\00\\00\\00\\00\\00\\00\\80\")
        {texts}
        (func (export \"f\") {} {returned} {body}) {})",
        signature.parameters, exports.wat
    );
    let manifest = format!(
        "name = \"random\"\nmodule = \"m.wat\"\n[limits]\nfuel = 100_000\nmemory = \"1 MiB\"\n[[function]]\nsignature = \"f{}{declared}\"\n{}{}",
        signature.declared, signature.keys, exports.manifest
    );
    RandomModule { wat, manifest }
}

/// What `f` returns, in the manifest's words.
fn result(choices: &mut Choices<'_>, scope: &mut Scope) -> String {
    let is_written = scope.sequence.as_ref().is_some_and(|sequence| sequence.is_written);
    if is_written && choices.one_in(2) {
        return String::new();
    }
    let ty = choices.one_of(&[Ty::I64, Ty::I32, Ty::F64, Ty::F32]);
    scope.result = Some(ty);
    let declared = match ty {
        Ty::I32 => choices.one_of(&NARROW),
        Ty::I64 => choices.one_of(&["i64", "u64"]),
        _ => ty.name(),
    };
    format!(" -> {declared}")
}
