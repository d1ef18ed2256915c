//! C and C++ that is called through generated code, with files named by patterns and flags of the project's own build.

use dodona_subject::build::{BuildError, Rebuild, load};
use dodona_subject::{Manifest, Module};

use super::Files;

const FRACTIONS: &[(&str, &str)] = &[
    (
        "lib/include/fraction.h",
        "struct fraction { int over, under; };\nint reduce(const struct fraction *f, struct fraction *r);\n\
      const char *shown(struct fraction f);\nint largest(const int *xs, int n);\n",
    ),
    (
        "lib/src/reduce.c",
        "#include \"fraction.h\"\n#include SCALE\nint reduce(const struct fraction *f, struct fraction *r) { r->over = f->over * UNIT; return 0; }\n",
    ),
    (
        "lib/src/deep/shown.c",
        "#include \"fraction.h\"\nconst char *shown(struct fraction f) { return f.under ? \"?\" : 0; }\n",
    ),
    ("lib/src/largest.c", "int largest(const int *xs, int n) { return n ? xs[0] : 0; }\n"),
    ("lib/src/main.c", "int main(void) { return 1; }\n"),
    ("lib/src/unit.h", "#define UNIT 1\n"),
];

const BUILD: &str = "name = 's'\n[build]\nc = ['../lib/src/**/*.c']\nexclude = ['**/main.c']\ninclude = ['../lib/include']\n\
     define = ['SCALE=\"unit.h\"']\nheaders = ['fraction.h']\n";

fn of(build: &str, functions: &[(&str, &str)]) -> Files {
    let functions = functions
        .iter()
        .map(|(signature, call)| format!("[[function]]\nsignature = '{signature}'\ncall = '''{call}'''\n"));
    let files = Files::new(FRACTIONS);
    files.write("subject/dodona.toml", &(build.to_owned() + &functions.collect::<String>()));
    files
}

fn built(files: &Files) -> Result<Module, BuildError> {
    let manifest = Manifest::read(&files.subject).unwrap_or_else(|error| panic!("{error:?}"));
    load(&manifest, Rebuild::WhenStale)
}

#[test]
fn files_are_named_by_patterns_and_calls_are_exports() {
    let files = of(
        BUILD,
        &[
            (
                "reduce(over: i32, under: i32) -> (status: i32, top: i32, bottom: i32)",
                "struct fraction f = { over, under }, r;\nstatus = reduce(&f, &r);\ntop = r.over; bottom = r.under;",
            ),
            ("shown(over: i32, under: i32) -> Option<text>", "shown((struct fraction){ over, under })"),
            ("largest(xs: [i32]) -> i32", "largest(xs, xs_length)"),
        ],
    );
    let module = built(&files).unwrap_or_else(|error| panic!("{error}"));
    for name in ["reduce", "shown", "largest"] {
        assert!(module.export_function(&format!("dodona_glue_{name}")).is_some(), "{name}");
    }
}

#[test]
fn what_does_not_compile_is_told_of_the_call() {
    let told = |signature: &str, call: &str| {
        let files = of(BUILD, &[(signature, call)]);
        built(&files).expect_err("refused").to_string()
    };
    let said = told("f(x: i32) -> i32", "x +\n  missing(x)");
    assert!(
        said.contains("the `call` of `f` does not compile: line 2, column 3: ") && said.contains("'missing'"),
        "{said}"
    );
    assert!(said.contains("`headers` of [build]") && !said.contains("dodona-glue"), "{said}");
    let said = told("f(x: i32) -> i32", "missing(x)");
    assert!(said.contains("line 1, column 1: "), "{said}");
    let said = told("f(xs: [i32]) -> [i32]", "xs");
    assert!(said.contains("a sequence needs statements that set out and out_length"), "{said}");
    let said = told("f(x: i32) -> i32", "out = x + 1; /* more */ // of it\n out = unknown;");
    assert!(said.contains("line 2, column 8: "), "{said}");
    let said = told("f(x: i32) -> i32", "struct unknown u; out = u.x;");
    assert!(said.contains("line 1, column 16: variable has incomplete type"), "{said}");
    let said = told("f(x: i32) -> i32", "extern int nowhere(int); out = nowhere(x);");
    assert!(said.contains("the `call` of `f` needs `nowhere`, which no file of `c` defines"), "{said}");
}

#[test]
fn flags_of_the_projects_own_build_are_taken() {
    let commands = "[{\"directory\": \".\", \"file\": \"src/reduce.c\", \"command\": \"cc -O3 -Iinclude -DSCALE='\\\"unit.h\\\"' -c src/reduce.c\"},\
         {\"directory\": \".\", \"file\": \"src/main.c\", \"arguments\": [\"cc\", \"-Iinclude\", \"-c\", \"src/main.c\"]}]";
    let build = "name = 's'\n[build]\ncompile-commands = '../lib/compile_commands.json'\nexclude = ['**/main.c']\n\
                 headers = ['../lib/include/fraction.h']\n";
    let files = of(build, &[("f(x: i32) -> i32", "struct fraction f = { x, 1 }; out = reduce(&f, &f);")]);
    files.write("lib/compile_commands.json", commands);
    built(&files).unwrap_or_else(|error| panic!("{error}"));
    files.write("lib/compile_commands.json", &commands.replace("-DSCALE", "-DOTHER"));
    assert!(built(&files).is_err(), "other flags make it anew");
}

#[test]
fn a_header_that_a_flag_includes_is_found_in_folders_of_headers_for_the_calls_too() {
    let commands = "[{\"directory\": \".\", \"file\": \"src/largest.c\", \"command\": \"cc -Iinclude -include fraction.h -c src/largest.c\"}]";
    let build = "name = 's'\n[build]\ncompile-commands = '../lib/compile_commands.json'\n";
    let files =
        of(build, &[("f(x: i32) -> i32", "struct fraction f = { x, 1 }; out = largest(&f.over, 1);")]);
    files.write("lib/compile_commands.json", commands);
    built(&files).unwrap_or_else(|error| panic!("{error}"));
    files.write("lib/compile_commands.json", &commands.replace("-include fraction.h", "-include made.h"));
    let said = built(&files).expect_err("nowhere").to_string();
    assert!(
        said.contains("/src/largest.c is compiled with the flag -include made.h, and made.h stands neither"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_named_twice_is_built_once() {
    let build = "name = 's'\n[build]\nc = ['../lib/src/largest.c', '../lib/src/../src/largest.c', '../lib/src/larg*.c']\n\
                 include = ['../lib/include']\nheaders = ['fraction.h']\n";
    let files = of(build, &[("largest(xs: [i32]) -> i32", "largest(xs, xs_length)")]);
    built(&files).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn setjmp_is_told_with_what_to_do() {
    let build = "name = 's'\n[build]\nc = ['jump.c']\n";
    let files = of(build, &[("f(x: i32) -> i32", "x")]);
    let told = |code: &str| {
        files.write("subject/jump.c", code);
        built(&files).expect_err("refused").to_string()
    };
    let words = "uses setjmp, which does not work in WebAssembly as it is built here; leave the file out with `exclude`";
    let include = "#include <setjmp.h>\njmp_buf place;\nint tried(void) { return setjmp(place); }\n";
    // As the header of some versions of the C library says it.
    let refused = "#error Setjmp/longjmp support requires Exception handling support\n";
    for code in [include, refused] {
        assert!(told(code).contains(&format!("jump.c {words}")), "{}", told(code));
    }
    let undefined = "extern int setjmp(long *); long place; int tried(void) { return setjmp(&place); }\n\
                     __attribute__((export_name(\"g\"))) int g(void) { return tried(); }\n";
    assert!(told(undefined).contains(words), "{}", told(undefined));
}

#[test]
fn cxx_has_its_library_and_what_stands_for_exceptions() {
    let library = "#include <map>\n#include <string>\n#include <vector>\n#include <stdexcept>\n\
         namespace text { inline std::string twice(const std::string &s) { if (s.empty()) throw std::out_of_range(\"nothing\"); return s + s; } }\n\
         template <class T> std::vector<T> sorted(std::vector<T> xs) { std::map<T, int> m; for (T x : xs) m[x]++; xs.clear();\n\
         for (auto &e : m) xs.push_back(e.first); return xs; }\n";
    let build = "name = 's'\n[build]\nc = []\nheaders = ['text.hpp']\n";
    let files = of(
        build,
        &[
            ("twice(s: text) -> text", "text::twice(s)"),
            ("sorted(xs: [i32]) -> [i32]", "sorted(xs)"),
            (
                "both(s: text) -> (first: Option<text>, count: u32)",
                "if (!s.empty()) first = s.substr(0, 1); count = s.size();",
            ),
        ],
    );
    files.write("subject/text.hpp", library);
    let module = match built(&files) {
        Err(BuildError::ToolMissing { tool, .. }) if std::env::var_os("DODONA_NO_SKIPS").is_none() => {
            assert!(tool.contains("libc++"), "{tool}");
            return eprintln!("skipped: C++ has no standard library for WebAssembly here");
        }
        built => built.unwrap_or_else(|error| panic!("{error}")),
    };
    assert!(module.export_function("__dodona_panic_hook").is_some());
    assert_eq!(module.imports().iter().find(|import| import.name.contains("cxa")), None);
}

#[test]
fn what_a_call_cannot_have_is_refused_where_it_stands() {
    let refused = |function: &str| {
        let text = format!("{BUILD}[[function]]\n{function}");
        let text = text.replace("'../lib/src/**/*.c'", "'f.c'");
        match Manifest::parse(std::path::Path::new("dodona.toml"), &text) {
            Ok(_) => panic!("accepted: {function}"),
            Err(problems) => {
                problems.iter().map(|problem| problem.message.clone() + "\n").collect::<String>()
            }
        }
    };
    for (function, why) in [
        ("signature = 'f(x: i32) -> i32'\ncall = ' '", "`call` is empty"),
        ("signature = 'f(x: i32) -> i32'\ncall = 'g(x)'\nexport = 'g'", "stands beside `call`"),
        (
            "signature = 'f(x: i32) -> text'\ncall = 'g(x)'\nresult = 'nul-terminated'",
            "say nothing beside `call`",
        ),
        ("signature = 'f(x: i32) -> (i32, i32)'\ncall = 'g(x)'", "a call in C cannot give (i32, i32)"),
        ("signature = 'f(x: i32) -> Option<i32>'\ncall = 'g(x)'", "a call in C cannot give Option<i32>"),
        ("signature = 'f(x: i32) -> (x: i32)'\ncall = 'g(x)'", "`x` is a parameter and an output"),
        ("signature = 'f(x: i32) -> (a: i32, a: i32)'\ncall = 'g(x)'", "output `a` stands twice"),
        ("signature = 'f(x: i32) -> (in: i32)'\ncall = 'g(x)'", "is a word of the relation language"),
    ] {
        assert!(refused(function).contains(why), "{function}: {}", refused(function));
    }
    let text = "[build]\nc = []\nexclude = ['']\n[[function]]\nsignature = 'f(x: i32) -> i32'\n";
    let problems = Manifest::parse(std::path::Path::new("/s/dodona.toml"), text).expect_err("refused");
    assert!(problems[0].message.contains("an empty pattern names no file"), "{problems:?}");
    let text = "[build]\nc = ['nowhere/*.c']\n[[function]]\nsignature = 'f(x: i32) -> i32'\n";
    let problems = Manifest::parse(std::path::Path::new("/s/dodona.toml"), text).expect_err("refused");
    assert!(problems[0].message.contains("no file is named as `nowhere/*.c` says"), "{problems:?}");
}
