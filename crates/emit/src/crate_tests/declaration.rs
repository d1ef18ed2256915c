//! The declaration of a function under test: `dodona::function!(…)`.

use dodona_subject::{
    CrateSource, Function, Lowering, Manifest, Passing, ResultLowering, RustCall, Spelling, Written,
};
use dodona_target::Type;

use super::super::rust::{KEYWORDS, OWN};
use super::{chain, domains, literals, results};

/// So wide may a line of code be.
const WIDTH: usize = 100;

/// Keywords that are no identifiers in any spelling.
const NEVER: [&str; 4] = ["self", "Self", "super", "crate"];

/// The declaration of a function, by its index, with what is said of its parameters.
///
/// # Errors
/// Why Rust has none.
pub(super) fn declaration(manifest: &Manifest, source: &CrateSource, index: usize) -> Result<String, String> {
    let (function, types) = (&manifest.functions[index], &source.types[index]);
    let call = &source.calls[index];
    let spellings: Vec<&Spelling> =
        types.iter().take(function.parameters.len()).filter_map(Written::value).collect();
    if spellings.len() < function.parameters.len() {
        return Err(format!("a type in the signature of `{}` is none of Rust's", function.name));
    }
    let mut parameters = Vec::new();
    let mut steps = Vec::new();
    for ((parameter, lowering), spelling) in function.lowered().zip(&spellings) {
        let (name, ty) = (identifier(&parameter.name)?, passed(&parameter.name, spelling, lowering)?);
        parameters.push(format!("{name}: {ty}{}", domains::within(parameter, spelling)));
        steps.extend(domains::steps(parameter, spelling));
    }
    steps.extend(function.requires.iter().map(|requires| format!(".requires({})", literals::text(requires))));
    let result = match function.result {
        ResultLowering::None => None,
        _ => types.get(function.parameters.len()),
    };
    let declared = declared(function, &parameters, result, call)?;
    Ok(chain(&format!("dodona::function!({declared})"), &steps))
}

fn declared(
    function: &Function,
    parameters: &[String],
    result: Option<&Written>,
    call: &RustCall,
) -> Result<String, String> {
    let returns = result.map(|ty| format!(" -> {}", results::declared(ty))).unwrap_or_default();
    let (name, called) = match call {
        RustCall::Path(path) if path.rsplit("::").next() == Some(&function.name) => {
            let made = result.and_then(|ty| results::made(ty, &applied(path, function).ok()?));
            (if made.is_none() { path_of(path) } else { identifier(&function.name)? }, made)
        }
        _ => {
            let value = match call {
                RustCall::Path(path) => applied(path, function)?,
                // What is called on the value is called on all of the expression.
                RustCall::Expression(expression) => expression.clone(),
            };
            let operand = if is_operand(&value) { value.clone() } else { format!("({value})") };
            let made = result.and_then(|ty| results::made(ty, &operand));
            (identifier(&function.name)?, Some(made.unwrap_or(value)))
        }
    };
    let called = called.map(|called| format!(" = {called}")).unwrap_or_default();
    let line = format!("{name}({}){returns}{called}", parameters.join(", "));
    if line.len() + "    dodona::function!()".len() <= WIDTH || parameters.is_empty() {
        return Ok(line);
    }
    let each: String = parameters.iter().map(|parameter| format!("    {parameter},\n")).collect();
    Ok(format!("{name}(\n{each}){returns}{called}"))
}

/// Whether a method can be called on an expression as it stands: it is one call of a path, or one with methods called on it.
fn is_operand(expression: &str) -> bool {
    let mut depth = 0_i32;
    expression.chars().enumerate().all(|(place, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        let is_word = c.is_alphanumeric() || "_:.".contains(c);
        depth > 0 || is_word || "()[]".contains(c) || (c == '!' && place > 0)
    })
}

/// The call of a path with the parameters in order.
fn applied(path: &str, function: &Function) -> Result<String, String> {
    let names: Result<Vec<String>, String> =
        function.parameters.iter().map(|parameter| identifier(&parameter.name)).collect();
    Ok(format!("{}({})", path_of(path), names?.join(", ")))
}

/// A path whose words may be keywords.
fn path_of(path: &str) -> String {
    let words: Vec<String> =
        path.split("::").map(|word| identifier(word).unwrap_or_else(|_| word.to_owned())).collect();
    words.join("::")
}

fn identifier(name: &str) -> Result<String, String> {
    if NEVER.contains(&name) || name == "_" {
        return Err(format!(
            "`{name}` is no name in Rust; give it another in the manifest, where names are free"
        ));
    }
    let is_keyword = KEYWORDS.contains(&name) && !OWN.contains(&name);
    Ok(if is_keyword { format!("r#{name}") } else { name.to_owned() })
}

/// The type of a parameter.
fn passed(name: &str, spelling: &Spelling, lowering: &Lowering) -> Result<String, String> {
    match (lowering, spelling.ty) {
        (Lowering::Value | Lowering::PointerLength(Passing::In), _)
            if spelling.form != dodona_subject::Form::Shown =>
        {
            Ok(spelling.in_rust())
        }
        (Lowering::PointerLength(Passing::InOut), Type::Sequence(_)) => {
            Ok(format!("&mut [{}]", spelling.scalar))
        }
        _ => Err(format!("the glue of a crate cannot pass its parameter `{name}`, and so cannot a test")),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dodona_subject::ModuleSource;

    use super::*;

    /// The declaration of the one function of a manifest, without the macro's name.
    fn told(entry: &str) -> String {
        let text = format!("[build]\ncrate = \"own\"\n[[function]]\n{entry}");
        let manifest = Manifest::parse(Path::new("dodona.toml"), &text).unwrap_or_else(|e| panic!("{e:?}"));
        let ModuleSource::Crate(source) = &manifest.source else { panic!("a crate") };
        match declaration(&manifest, source, 0) {
            Ok(declared) => declared.replacen("dodona::function!", "", 1),
            Err(why) => why,
        }
    }

    #[test]
    fn a_function_is_a_path_where_its_name_and_values_are_those_of_rust() {
        for (entry, declared) in [
            ("signature = 'f(a: u64, b: &str) -> Option<f64>'", "(own::f(a: u64, b: &str) -> Option<f64>)"),
            ("signature = 'f(xs: [u8])'", "(own::f(xs: &[u8]))"),
            ("signature = 'f(xs: Vec<u8>)'\npath = 'own::in_it::f'", "(own::in_it::f(xs: Vec<u8>))"),
            ("signature = 'f(t: Cow<str>) -> Box<str>'", "(own::f(t: std::borrow::Cow<str>) -> Box<str>)"),
            (
                "signature = 'f(n: NonZeroU8, o: Ordering, c: &char, a: [i8; 3])'",
                "(own::f(n: std::num::NonZero<u8>, o: std::cmp::Ordering, c: &char, a: [i8; 3]))",
            ),
            ("signature = 'f(xs: [i32]) -> u8'\nlower.xs = 'in-out'", "(own::f(xs: &mut [i32]) -> u8)"),
            ("signature = 'match(type: u8)'", "(own::r#match(r#type: u8))"),
        ] {
            assert_eq!(told(entry), declared, "{entry}");
        }
    }

    #[test]
    fn what_is_otherwise_is_an_expression() {
        for (entry, declared) in [
            ("signature = 'f(a: u8) -> u8'\npath = 'own::g'", "(f(a: u8) -> u8 = own::g(a))"),
            (
                "signature = 'f(a: u8) -> u8'\ncall = 'own::N::new(a).get()'",
                "(f(a: u8) -> u8 = own::N::new(a).get())",
            ),
            ("signature = 'f() -> text'", "(f() -> String = own::f().into())"),
            ("signature = 'f() -> Shown'", "(f() -> String = dodona::shown!(own::f()))"),
            (
                "signature = 'f() -> Result<u8, Own>'",
                "(f() -> Result<u8, String> = own::f().map_err(|e| dodona::shown!(e)))",
            ),
            (
                "signature = 'f() -> Option<(u8, [i64], Shown)>'",
                "(f() -> Option<(u8, Vec<i64>, String)> = own::f().map(|x| { let (part_0, part_1, part_2) = x; \
                 (part_0, part_1.into(), dodona::shown!(part_2)) }))",
            ),
            (
                "signature = 'f(a: u8) -> Option<Shown>'\ncall = 'if a > 1 { Some(a) } else { None }'",
                "(f(a: u8) -> Option<String> = (if a > 1 { Some(a) } else { None }).map(|x| dodona::shown!(x)))",
            ),
        ] {
            assert_eq!(told(entry), declared, "{entry}");
        }
    }

    #[test]
    fn domains_stand_behind_in_or_in_steps() {
        let signature = "signature = 'f(n: NAME) -> u8'\n";
        for (ty, more, declared) in [
            ("u64", "domain.n = { range = [1, 9] }", " in 1..=9) -> u8)"),
            ("u64", "domain.n = { range = [0, 18446744073709551615] }", " in 0..=u64::MAX) -> u8)"),
            ("i64", "domain.n = { range = [-5000000000, 0] }", " in -5000000000_i64..=0) -> u8)"),
            ("i32", "domain.n = { values = [1, 5] }", " in [1, 5]) -> u8)"),
            ("i32", "domain.n = { ranges = [[1, 2], [5, 5]] }", " in [1..=2, 5..=5]) -> u8)"),
            ("f32", "domain.n = { range = [0, 0.5] }", " in 0.0..=0.5) -> u8)"),
            ("f64", "domain.n = { range = [0, inf] }", " in 0.0..=f64::INFINITY) -> u8)"),
            ("bool", "domain.n = { values = [true] }", " in [true]) -> u8)"),
            ("&str", "domain.n = { values = ['a', '\"'] }", " in [\"a\", r#\"\"\"#]) -> u8)"),
            ("usize", "", " in 0..=u32::MAX as usize) -> u8)"),
            ("[isize]", "", " in i32::MIN as isize..=i32::MAX as isize) -> u8)"),
            ("Ordering", "", ") -> u8)"),
            ("NonZeroU8", "domain.n = { except = [0] }", ") -> u8)"),
            ("char", "", ") -> u8)"),
            (
                "u8",
                "domain.n = { except = [3] }",
                ") -> u8).domain(\"n\", |it| it.numbers.except = vec![dodona::target::Number::Int(3)])",
            ),
            ("[u8]", "domain.n = { length = [1, 4] }", ") -> u8).length(\"n\", 1..=4)"),
            (
                "[u8]",
                "domain.n = { is = ['sorted'] }\nsample.n = { length = [0, 2] }",
                ") -> u8).domain(\"n\", |it| it.predicates = vec![dodona::target::Predicate::Sorted])\
                 .sampling(\"n\", |it| it.length = Some((0, 2)))",
            ),
            ("u8", "requires = 'n != \"a\"'", ") -> u8).requires(r#\"n != \"a\"\"#)"),
        ] {
            let told = told(&format!("{}{more}", signature.replace("NAME", ty)));
            // Steps stand on lines of their own.
            let told = told.replace("\n    .", ".");
            assert!(told.ends_with(declared), "{ty}, {more}: {told}");
        }
    }

    #[test]
    fn what_rust_has_no_name_for_is_refused() {
        assert!(told("signature = 'f(self: u8)'").contains("`self` is no name in Rust"));
        assert!(
            told("signature = 'f(t: text)'\nlower.t = 'in-out'").contains("cannot pass its parameter `t`")
        );
    }
}
