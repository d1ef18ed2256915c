//! What each mistake in a manifest says.

use std::path::Path;

use dodona_subject::Manifest;

use crate::{problem, with};

#[test]
fn mistakes_are_named_at_their_place() {
    let one = |entry: &str| {
        problem(&format!("module = \"a.wasm\"\n[[function]]\nsignature = \"f(x: i8) -> i8\"\n{entry}\n"))
    };
    let is = |found: (String, String, String), message: &str, at: &str, hint: &str| {
        assert_eq!((found.0.as_str(), found.1.as_str(), found.2.as_str()), (message, at, hint));
    };
    is(one("domian.x = {}"), "unknown key `domian` in [[function]]", "domian", "did you mean `domain`?");
    is(one("domain.y = {}"), "`f` has no parameter `y`", "y", "did you mean `x`?");
    is(
        one("domain.x = { rang = [0, 1] }"),
        "unknown key `rang` in a domain",
        "rang",
        "did you mean `range`?",
    );
    is(
        one("domain.x = { range = [5, 1] }"),
        "this range contains nothing",
        "[5, 1]",
        "write [least, greatest]; both ends are inside",
    );
    is(one("domain.x = { range = [0, 300] }"), "300 is not a value of i8 (-128 to 127)", "300", "");
    is(one("domain.x = { range = [0.5, 1] }"), "expected an integer, found float", "0.5", "");
    is(one("domain.x = { length = 3 }"), "a i8 has no length", "3", "");
    is(
        one("domain.x = { values = [4], except = [4] }"),
        "4 is listed here and kept out by `except`; keep one",
        "4",
        "",
    );
    is(
        one("domain.x = { ranges = [[4, 4]], except = [4] }"),
        "the domain contains nothing: `except` takes every value away",
        "{ ranges = [[4, 4]], except = [4] }",
        "",
    );
    is(
        one("sample.x = { distribution = \"unifrom\" }"),
        "`unifrom` is not a distribution",
        "\"unifrom\"",
        "did you mean `uniform`? one of: mixed, uniform, logarithmic",
    );
    is(one("sample.x = { favour = [1, 999] }"), "this is not a value of i8", "999", "");
    is(one("lower.x = \"in-out\""), "`in-out` is no lowering of i8 here", "\"in-out\"", "write \"value\"");
    is(
        one("[[function]]\nsignature = \"g() -> (a: i8, b: text)\"\nresult = \"multi-value\""),
        "a text is no value of WebAssembly",
        "\"multi-value\"",
        "the parts of (a: i8, b: text) have to be numbers or bool, or remove this",
    );
    is(
        one("[[function]]\nsignature = \"g() -> (a: i8, b: i8)\"\nresult = \"out-buffer\""),
        "(a: i8, b: i8) is returned by its parts; remove this",
        "\"out-buffer\"",
        "a function of WebAssembly that returns several values has result = \"multi-value\"",
    );
    is(
        problem(
            "[build]\nc = []\n[[function]]\nsignature = \"g() -> (a: i8, b: i8)\"\nresult = \"multi-value\"",
        ),
        "`g` cannot return several values of WebAssembly here",
        "\"g() -> (a: i8, b: i8)\"",
        "remove `result`: what is built returns its parts through a pointer",
    );
    is(
        one("[[function]]\nsignature = \"f() -> i8\""),
        "function `f` stands twice",
        "\"f() -> i8\"",
        "each function has one entry; give the other another name and `export = \"…\"`",
    );
    is(
        problem("module = \"a.wasm\""),
        "no function is declared",
        "m",
        "add [[function]] with signature = \"gcd(p: i32, q: i32) -> i32\"",
    );
    let (message, ..) = problem("[[function]]\nsignature = \"f(x: i8)\"");
    assert_eq!(message, "neither `module` nor `[build]` says where the module is");
    let (message, ..) =
        problem("module = \"a.wasm\"\n[build]\nc = []\n[[function]]\nsignature = \"f(x: i8)\"");
    assert_eq!(message, "both `module` and `[build]` are given; keep one");
    let (message, at, _) =
        problem("module = \"a.wasm\"\n[limits]\nfuel = 0\n[[function]]\nsignature = \"f()\"");
    assert_eq!(
        (message.as_str(), at.as_str()),
        ("expected a number of instructions, from 1 to 18446744073709551615, found 0", "0")
    );
    let (message, ..) = problem("module = ");
    assert!(!message.is_empty());
}

#[test]
fn bad_signatures_point_into_the_string() {
    let at = |signature: &str| {
        let found = problem(&format!("module = \"a.wasm\"\n[[function]]\nsignature = \"{signature}\"\n"));
        (found.0, found.1)
    };
    assert_eq!(at("f(x: i33)").1, "i33");
    assert_eq!(at("f(x)"), ("a parameter needs its type: `x: i32`".into(), "x".into()));
    assert_eq!(at("f(x: i8, x: i8)").0, "parameter `x` stands twice");
    assert_eq!(at("f x: i8").0, "a signature needs `(`: gcd(p: i32, q: i32) -> i32");
    assert_eq!(at("f(x: i8) i8"), ("expected `-> TYPE`, found `i8`".into(), "i8".into()));
    let (message, place) = at("f(when: i8)");
    assert_eq!(place, "when");
    assert!(message.contains("word of the relation language"), "{message}");
    assert!(at("9(x: i8)").0.contains("a function name"));
    assert!(at("function::beta::beta(x: i8)").0.contains("write `beta(…)`"));
}

#[test]
fn several_mistakes_are_reported_together_in_order() {
    let text = "module = \"a.wasm\"\nnme = \"x\"\n[[function]]\nsignature = \"f(x: i8)\"\ndomain.x = { rnge = [1, 2] }\n";
    let problems = Manifest::parse(Path::new("d/dodona.toml"), text).expect_err("refused");
    let messages: Vec<_> = problems.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(messages, ["unknown key `nme` in the manifest", "unknown key `rnge` in a domain"]);
    assert_eq!(problems[0].line_column(text), (2, 1));
    assert_eq!(problems[1].line_column(text), (5, 14));
}

#[test]
fn a_number_out_of_bounds_is_told_with_the_bounds() {
    for (key, message, at) in [
        ("domain.a = { length = 3.5 }", "expected a length or [least, most], found float", "3.5"),
        ("domain.a = { length = [0] }", "expected a length or [least, most], found array", "[0]"),
        ("domain.a = { length = [0, '9'] }", "expected a length, found string", "'9'"),
        (
            "domain.a = { length = [0, 99999999999] }",
            "expected a length, from 0 to 4294967295, found 99999999999",
            "99999999999",
        ),
        ("sample.a = { length = -1 }", "expected a length, from 0 to 4294967295, found -1", "-1"),
        ("sample.a = { favour-rate = 1.5 }", "expected a share from 0 to 1, found 1.5", "1.5"),
        ("sample.a = { favour-rate = -1 }", "expected a share from 0 to 1, found -1", "-1"),
        (
            "limits.fuel = 0xffff_ffff_ffff_ffff_ff",
            "expected a number of instructions, from 1 to 18446744073709551615, found 4722366482869645213695",
            "0xffff_ffff_ffff_ffff_ff",
        ),
        (
            "limits.memory = -1",
            "expected a number of bytes such as 65536 or \"64 MiB\", from 0 to 18446744073709551615, found -1",
            "-1",
        ),
    ] {
        let text = match key.starts_with("limits") {
            true => format!("{key}\n{}", with("text", "")),
            false => with("text", key),
        };
        let (found, place, _) = problem(&text);
        assert_eq!((found.as_str(), place.as_str()), (message, at), "{key}");
    }
    let wide = "1".repeat(40);
    let (message, at, hint) = problem(&with("f64", &format!("domain.a = {{ range = [0, {wide}] }}")));
    assert_eq!((message, at), (format!("{wide} is too large"), wide));
    assert_eq!(hint, "integers are 128 bits wide; write a float such as 1e40");
}

#[test]
fn a_wrong_choice_is_told_with_the_choices() {
    for (key, message, hint) in [
        (
            "sample.a = { distribution = 'normal' }",
            "`normal` is not a distribution",
            "one of: mixed, uniform, logarithmic",
        ),
        (
            "domain.a = { is = ['sortd'] }",
            "`sortd` is not a predicate",
            "did you mean `sorted`? one of: sorted, distinct, no-nul",
        ),
        (
            "domain.a = { is = ['increasing'] }",
            "`increasing` is not a predicate",
            "one of: sorted, distinct, no-nul",
        ),
        ("domain.a = { alphabet-ranges = ['z-a'] }", "no character is from `z` to `a`", "write \"a-z\""),
        (
            "domain.a = { alphabet-ranges = ['abc'] }",
            "`abc` is not a range of characters",
            "write each range by itself, as in [\"a-z\", \"0-9\"]; single characters stand in `alphabet`",
        ),
        (
            "domain.a = { range = [0, 1] }",
            "text has no numbers",
            "it has `length`, `alphabet`, `values` and `is`",
        ),
    ] {
        let (found, _, help) = problem(&with("text", key));
        assert_eq!((found.as_str(), help.as_str()), (message, hint), "{key}");
    }
}

#[test]
fn a_key_in_another_table_is_told_where_it_belongs() {
    for (text, message, at, hint) in [
        (
            "[build]\ncrate = 'libm'\npath = 'libm::sin'\n[[function]]\nsignature = 'sin(x: f64) -> f64'",
            "unknown key `path` in [build]",
            "path",
            "`path` belongs to [[function]]: it is the path of that function inside the crate, as in \
             path = \"libm::sin\"",
        ),
        (
            "[build]\nc = ['a.c']\nsignature = 'f(x: i8)'\n[[function]]\nsignature = 'f(x: i8)'",
            "unknown key `signature` in [build]",
            "signature",
            "`signature` belongs to [[function]]",
        ),
        (
            "module = 'a.wasm'\nrequires = 'x > 0'\n[[function]]\nsignature = 'f(x: i8)'",
            "unknown key `requires` in the manifest",
            "requires",
            "`requires` belongs to [[function]]",
        ),
        (
            "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8)'\nfuel = 9",
            "unknown key `fuel` in [[function]]",
            "fuel",
            "`fuel` belongs to [limits]",
        ),
        (
            "c = ['a.c']\n[[function]]\nsignature = 'f(x: i8)'",
            "unknown key `c` in the manifest",
            "c",
            "`c` belongs to [build]",
        ),
        (
            "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8)'\nrange = [0, 9]",
            "unknown key `range` in [[function]]",
            "range",
            "`range` belongs to a domain or a sampling: domain.x = { … }, sample.x = { … }",
        ),
        (
            "module = 'a.wasm'\n[[function]]\nsignature = 'f(x: i8)'\ndomain.x = { favour = [1] }",
            "unknown key `favour` in a domain",
            "favour",
            "`favour` belongs to a sampling: sample.x = { … }",
        ),
    ] {
        // What is unknown is a problem beside others, such as a source that is missing.
        let problems = Manifest::parse(Path::new("/s/dodona.toml"), text).expect_err("refused");
        let found = problems.iter().find(|p| p.message.starts_with("unknown key")).expect("an unknown key");
        let help = found.hint.as_deref().unwrap_or_default();
        assert_eq!((found.message.as_str(), &text[found.span.clone()], help), (message, at, hint), "{text}");
    }
}

#[test]
fn each_known_key_is_listed_once() {
    let (_, _, hint) = problem(&with("text", "sample.a = { zzzzzz = 1 }"));
    assert_eq!(
        hint,
        "known keys: range, distribution, length, alphabet, alphabet-ranges, favour, favour-rate"
    );
    let (_, _, hint) = problem("[build]\nc = ['a.c']\nzzzzzz = 1\n[[function]]\nsignature = 'f(x: i8)'");
    assert_eq!(
        hint,
        "known keys: c, rust, crate, assemblyscript, version, features, default-features, package, checks, dependencies, flags, include, define, headers, prelude, exclude, compile-commands"
    );
}

#[test]
fn one_pair_of_brackets_for_another_is_told() {
    let (message, at, hint) = problem("module = 'a.wasm'\n[function]\nsignature = 'f(x: i8)'\n");
    assert_eq!(
        (message.as_str(), at.as_str()),
        ("`function` is a list of tables, one for each function", "[function]")
    );
    assert_eq!(hint, "write [[function]]");
    for (module, table) in [("", "build"), ("module = 'a.wasm'\n", "limits")] {
        let text = format!("{module}[[{table}]]\n[[function]]\nsignature = 'f(x: i8)'\n");
        let (message, at, hint) = problem(&text);
        assert_eq!((message, at), (format!("`{table}` is one table"), format!("[[{table}]]")));
        assert_eq!(hint, format!("write [{table}]"));
    }
    let text = "module = 'a.wasm'\n[function]\nsignature = 'f(x: i8)'\n";
    let problems = Manifest::parse(Path::new("/s/dodona.toml"), text).expect_err("refused");
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[test]
fn other_words_for_the_tables_of_a_manifest_are_told_how_they_are_written() {
    let with =
        |table: &str| problem(&format!("module = \"a.wasm\"\n{table}\nsignature = \"f(x: i8) -> i8\"\n"));
    for word in ["functions", "Function", "func", "fn", "fucntion"] {
        for table in [format!("[[{word}]]"), format!("[{word}]"), format!("[{word}.f]")] {
            let (message, at, hint) = with(&table);
            assert_eq!(message, format!("unknown key `{word}` in the manifest"));
            assert_eq!((at.as_str(), hint.as_str()), (word, "write [[function]], once for each function"));
        }
    }
    let other = |key: &str| {
        problem(&format!("{key}\nmodule = \"a.wasm\"\n[[function]]\nsignature = \"f() -> i8\"\n"))
    };
    assert_eq!(other("relation = \"a.mr\"").2, "write relations = [\"NAME.mr\"]");
    assert_eq!(other("limit = 4").2, "write [limits]");
    assert_eq!(other("builds = 4").2, "write [build]");
}

#[test]
fn a_kind_of_target_that_a_manifest_cannot_declare_is_named() {
    let function = "[[function]]\nsignature = \"f(x: i8) -> i8\"\n";
    let of = |target: &str| problem(&format!("{target}\n{function}"));
    let (message, at, hint) = of("[target]\ngrpc = \"http://127.0.0.1:8000\"");
    assert_eq!((message.as_str(), at.as_str()), ("`grpc` is not a kind of target", "grpc"));
    assert!(hint.starts_with("write one of command = ") && hint.contains("module = \"NAME.wasm\""), "{hint}");
    let (message, ..) = of("[target]");
    assert_eq!(message, "[target] names no kind of target");
    let (message, ..) = of("module = \"f.wasm\"\n[target]\npython = \"m\"");
    assert_eq!(message, "[target] declares what is under test, and this does too");
    let (message, ..) = of("target = \"native\"");
    assert_eq!(message, "expected a table, found string");
}
