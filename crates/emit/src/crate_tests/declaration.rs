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
