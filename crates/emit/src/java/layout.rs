//! The file around the tests: its package, imports and class.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::super::EmitContext;
use super::super::names::camel;
use super::super::write::indented;

/// What the prelude and the tests use of other packages.
const IMPORTS: [&str; 30] = [
    "java.lang.reflect.Array",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.math.MathContext",
    "java.util.ArrayList",
    "java.util.Arrays",
    "java.util.Collection",
    "java.util.Collections",
    "java.util.EnumSet",
    "java.util.LinkedHashMap",
    "java.util.List",
    "java.util.Locale",
    "java.util.Map",
    "java.util.Random",
    "java.util.Set",
    "java.util.concurrent.Callable",
    "java.util.function.BiPredicate",
    "java.util.function.BinaryOperator",
    "java.util.function.Consumer",
    "java.util.function.DoubleBinaryOperator",
    "java.util.function.DoubleUnaryOperator",
    "java.util.function.Function",
    "java.util.function.IntFunction",
    "java.util.function.Predicate",
    "java.util.function.Supplier",
    "java.util.function.UnaryOperator",
    "java.util.stream.Collectors",
    "java.util.stream.IntStream",
    "java.util.stream.Stream",
    "org.junit.jupiter.api.Test",
];

/// Packages that no class can be added to.
const CLOSED: [&str; 3] = ["java", "javax", "jdk"];

/// The file with these members of the class of tests, which call methods of these classes.
pub(super) fn file(context: &EmitContext<'_>, classes: &[String], members: &str, prelude: &str) -> String {
    let EmitContext { seed, cases, .. } = context;
    let package = package(classes).map(|package| format!("package {package};\n\n")).unwrap_or_default();
    let imports = imports(&format!("{members}{prelude}"));
    let class = class(context.name);
    let (members, prelude) = (indented(members, 4), indented(prelude, 4));
    // The seed is any number of 64 bits, and Java's are signed.
    let seed = *seed as i64;
    format!(
        "{package}{imports}\n/** Metamorphic relations as property tests, written by Dodona. They need JUnit 5, and Java 17 or later. */\n\
         class {class} {{\n    private static final long SEED = {seed}L;\n    private static final int CASES = {cases}; // eligible inputs of each test\n\n\
         {members}\n    // What the words of the relations mean.\n\n{prelude}}}\n"
    )
}

/// The imports that a text needs.
pub(in super::super) fn imports(text: &str) -> String {
    let words: HashSet<&str> = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
    let mut code = String::new();
    let mut before = "java";
    for import in IMPORTS {
        let (root, name) = (import.split('.').next().unwrap_or(import), import.rsplit('.').next());
        if name.is_some_and(|name| words.contains(name)) {
            let gap = if root == before { "" } else { "\n" };
            let _ = writeln!(code, "{gap}import {import};");
            before = root;
        }
    }
    code
}

/// The name of the class of tests in a file of this name, which may be empty.
fn class(file: &str) -> String {
    let name = camel(file);
    let mut letters = name.trim_matches('_').chars();
    let Some(first) = letters.next() else { return "MetamorphicTest".to_owned() };
    let name = format!("{}{}", first.to_ascii_uppercase(), letters.as_str());
    let name = if first.is_ascii_digit() { format!("Test{name}") } else { name };
    // Maven and Gradle take these for classes of tests.
    if name.ends_with("Test") || name.ends_with("Tests") { name } else { format!("{name}Test") }
}

/// The package of the first class, in which tests see what is not public; `None` where it has none, or admits no other class.
fn package(classes: &[String]) -> Option<String> {
    let (path, _) = classes.first()?.rsplit_once('.')?;
    let is_class = |part: &&str| part.starts_with(|c: char| c.is_ascii_uppercase());
    let parts: Vec<&str> = path.split('.').take_while(|part| !is_class(part)).collect();
    let is_open = parts.first().is_some_and(|root| !CLOSED.contains(root));
    is_open.then(|| parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_named_like_its_file() {
        assert_eq!(
            ["", "FooTest", "my_tests", "discovered-2", "2"].map(class),
            ["MetamorphicTest", "FooTest", "MyTests", "Discovered2Test", "Test2Test"]
        );
    }

    #[test]
    fn tests_are_in_the_package_of_the_first_class() {
        let of = |class: &str| package(&[class.to_owned()]);
        assert_eq!(of("org.example.Model").as_deref(), Some("org.example"));
        assert_eq!(of("org.example.Model.Inner").as_deref(), Some("org.example"));
        assert_eq!(
            [of("Model"), of("Model.Inner"), of("java.lang.Math"), package(&[])],
            [None, None, None, None]
        );
    }

    #[test]
    fn a_file_imports_what_it_uses() {
        assert_eq!(
            imports("List.of(1); // Tests\n@Test void Sets()"),
            "import java.util.List;\n\nimport org.junit.jupiter.api.Test;\n"
        );
    }
}
