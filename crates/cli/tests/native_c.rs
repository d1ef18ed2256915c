//! C and C++ as they are built for this machine: `dodona check --native`.

mod common;

use std::path::Path;
use std::process::Output;

use common::{both, dodona, unbroken};

const C: &str = r#"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int twice(int x) { return (int)(2u * (unsigned)x); }
bool even(long x) { return x % 2 == 0; }
float half(float x) { return x / 2; }
long total(const int *xs, size_t n) { long sum = 0; for (size_t i = 0; i < n; i++) sum += xs[i]; return sum; }
void fill(int16_t *xs, size_t n, int16_t x) { for (size_t i = 0; i < n; i++) xs[i] = x; }
size_t letters(const char *text) { return strlen(text); }
int upper(const char *text, char *to, size_t most) {
    size_t n = strlen(text);
    if (n > most) return -1;
    for (size_t i = 0; i < n; i++) to[i] = text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i];
    return (int)n;
}
int ascending(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
char *joined(const char *a, const char *b) {
    char *all = malloc(strlen(a) + strlen(b) + 1);
    return strcat(strcpy(all, a), b);
}
int divided(int x, int y, int *rest) { if (y == 0) return -1; *rest = x % y; return x / y; }
size_t width(void) { return sizeof(void *) * 8; }
int past(const int *xs, size_t n) { return *(volatile const int *)(xs + n) & 0; }
int next(int x) { return x + 1; }
int ends(int x) { if (x == 9) abort(); return x; }
struct words { char *data; size_t length; };
struct words stars(int n) {
    struct words all = { malloc(16), (size_t)n };
    memset(all.data, '*', all.length);
    return all;
}
"#;

const MANIFEST: &str = r#"
relations = ["c.mr"]
[build]
c = ["c.c"]
flags = ["-Wl,--stack-first", "-O2"]
prelude = '''
char *joined(const char *a, const char *b);
int divided(int x, int y, int *rest);
#include <stdlib.h>
'''
[[function]]
signature = "twice(x: i32) -> i32"
[[function]]
signature = "even(x: i32) -> bool"
[[function]]
signature = "half(x: f32) -> f32"
[[function]]
signature = "total(xs: [i32]) -> i32"
[[function]]
signature = "fill(xs: [i16], x: i16)"
lower.xs = "in-out"
[[function]]
signature = "letters(t: text) -> u32"
lower.t = "nul-terminated"
[[function]]
signature = "upper(t: text) -> text"
lower.t = "nul-terminated"
result = "out-buffer"
capacity = 16
[[function]]
signature = "qsort(xs: [i32])"
lower.xs = "in-out"
arguments = ["xs.pointer", "xs.length", 4, "&ascending"]
[[function]]
signature = "joined(a: text, b: text) -> text"
call = "char *all = joined(a, b); out = all; out_length = strlen(all);"
[[function]]
signature = "divided(x: i32, y: i32) -> (status: i32, rest: i32)"
call = "status = divided(x, y, &rest);"
[[function]]
signature = "maybe(x: i32) -> Option<text>"
call = "out = x < 0 ? NULL : x < 100 ? \"few\" : \"many\";"
[[function]]
signature = "width() -> u32"
[[function]]
signature = "past(xs: [i32]) -> i32"
[[function]]
signature = "next(x: i32) -> i32"
domain.x = { range = [2147483000, 2147483647] }
[[function]]
signature = "stars(n: i32) -> text"
domain.n = { range = [0, 15] }
[[function]]
signature = "ends(x: i32) -> i32"
domain.x = { range = [0, 15] }
"#;

fn subject(home: &Path, manifest: &str, code: (&str, &str), relations: &str) {
    let write = |name: &str, text: &str| std::fs::write(home.join(name), text).expect("written");
    write("dodona.toml", manifest);
    write(code.0, code.1);
    write("c.mr", relations);
}

fn check(home: &Path, more: &[&str]) -> Output {
    let arguments = ["check", ".", "--native", "--sources", "200", "--keep", "nothing"];
    dodona().args(arguments).args(more).current_dir(home).output().expect("runs")
}

#[test]
fn values_of_all_shapes_cross_to_functions_of_c_on_this_machine_and_are_those_of_webassembly() {
    let home = tempfile::tempdir().expect("a folder");
    let relations = "relation add: when abs(x) < 1000: twice(x) == x + x\n\
        relation odd: when x < 2147483647: even(x) != even(x + 1)\n\
        relation halves: when abs(x) > 1: half(x) + half(x) == x\n\
        relation same: total(reverse(xs)) == total(xs)\n\
        relation filled: len(fill(xs, x).xs) == len(xs)\n\
        relation sorted: qsort(reverse(xs)).xs == qsort(xs).xs\n\
        relation joins: letters(joined(a, b)) == letters(a) + letters(b)\n\
        relation loud: upper(upper(t)) == upper(t)\n\
        relation back: when y != 0 and x > -1000: divided(x, y).status * y + divided(x, y).rest == x\n\
        relation starry: len(stars(n)) == n\n\
        relation some: maybe(x) is some or x < 0\n\
        relation none: when x < 0: maybe(x) is none\n";
    subject(home.path(), MANIFEST, ("c.c", C), relations);
    let said = both(&check(home.path(), &[]));
    for name in
        ["add", "odd", "halves", "same", "filled", "sorted", "joins", "back", "starry", "some", "none"]
    {
        assert!(said.contains(&format!("holds     {name}")), "{name}:\n{said}");
    }
    let loud = unbroken(&said);
    assert!(loud.contains("skipped (malformed output"), "a text that is too long is no output:\n{said}");
    assert!(!said.contains("is not the same in both builds"), "{said}");
}

#[test]
fn builds_that_differ_are_told_apart_and_calls_that_end_their_process_are_outcomes() {
    let home = tempfile::tempdir().expect("a folder");
    let relations = "relation wide: width() == 64\nrelation kept: ends(x) == x\n";
    subject(home.path(), MANIFEST, ("c.c", C), relations);
    let output = check(home.path(), &[]);
    let said = both(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("holds     wide"), "{said}");
    assert!(said.contains("`width` is not the same in both builds"), "{said}");
    assert!(unbroken(&said).contains("skipped (trapped: ended by signal 6 (SIGABRT))"), "{said}");
    assert!(!said.contains("`ends` is not the same"), "it ends in both builds:\n{said}");
}

#[test]
fn what_a_sanitizer_reports_is_the_outcome_of_the_call() {
    let home = tempfile::tempdir().expect("a folder");
    let relations = "relation inside: past(xs) == 0\nrelation more: next(x) != x\nrelation add: when abs(x) < 1000: twice(x) == x + x\nrelation returns: not past(xs) traps\n";
    subject(home.path(), MANIFEST, ("c.c", C), relations);
    let plain = both(&check(home.path(), &[]));
    assert!(plain.contains("holds     inside") && plain.contains("holds     more"), "{plain}");
    let output = check(home.path(), &["--sanitize", "undefined,address", "--all"]);
    let said = unbroken(&both(&output));
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("AddressSanitizer: heap-buffer-overflow, READ of size 4"), "{said}");
    assert!(said.contains("c.c:26"), "{said}");
    assert!(said.contains("UndefinedBehaviorSanitizer: signed integer overflow: 2147483647 + 1"), "{said}");
    assert!(said.contains("c.c:27:"), "{said}");
    assert!(said.contains("holds add"), "{said}");
    assert!(said.contains("VIOLATED returns"), "{said}");
    assert!(
        said.contains(
            "a sanitizer reports source calls, for which the exit code is 1: c.c:26: AddressSanitizer: heap"
        ),
        "{said}"
    );
}

#[test]
fn exceptions_of_cxx_are_caught_on_this_machine_and_those_that_nothing_catches_are_told() {
    let home = tempfile::tempdir().expect("a folder");
    let code = "#include <stdexcept>\n#include <string>\n#include <vector>\n\
        static int inner(int x) { if (x < 0) throw std::out_of_range(\"too small\"); return x; }\n\
        int caught(int x) { try { return inner(x); } catch (const std::exception &) { return 0; } }\n\
        std::string twice(const std::string &text) { if (text.size() > 9) throw std::length_error(\"too long\"); return text + text; }\n\
        double sum(const std::vector<double> &xs) { double all = 0; for (double x : xs) all += x; return all; }\n\
        extern \"C\" short plain(short x) { if (x > 100) throw std::out_of_range(\"too large\"); return -x; }\n\
        extern \"C\" void halves(float *xs, size_t n) { if (n > 20) throw 5; for (size_t i = 0; i < n; i++) xs[i] /= 2; }\n";
    let manifest = "relations = [\"c.mr\"]\n[build]\nc = []\nheaders = [\"code.cpp\"]\n\
        [[function]]\nsignature = \"caught(x: i32) -> i32\"\ncall = \"caught(x)\"\n\
        [[function]]\nsignature = \"twice(text: text) -> text\"\ncall = \"twice(text)\"\n\
        [[function]]\nsignature = \"sum(xs: [f64]) -> f64\"\ncall = \"sum(xs)\"\ndomain.xs = { range = [0.0, 1000.0] }\n\
        [[function]]\nsignature = \"plain(x: i16) -> i16\"\n\
        [[function]]\nsignature = \"halves(xs: [f32])\"\nlower.xs = \"in-out\"\n";
    let relations = "relation plain: plain(x) == -x\nrelation halves: len(halves(xs).xs) == len(xs)\nrelation never: caught(x) >= 0\nrelation doubled: len(twice(text)) == 2 * len(text)\n\
        relation same: sum(reverse(xs)) ~= sum(xs)\n";
    subject(home.path(), manifest, ("code.cpp", code), relations);
    let said = unbroken(&both(&check(home.path(), &[])));
    assert!(said.contains("holds never"), "{said}");
    assert!(said.contains("uncaught exception std::length_error: too long"), "{said}");
    assert!(said.contains("uncaught exception std::out_of_range: too large"), "{said}");
    assert!(said.contains("uncaught exception int"), "{said}");
    assert!(
        said.contains("holds plain") && said.contains("holds halves"),
        "what throws has no group:\n{said}"
    );
    assert!(!said.contains("`plain` is not") && !said.contains("`halves` is not"), "{said}");
    assert!(
        said.contains("`caught` is not the same in both builds"),
        "nothing is caught in WebAssembly:\n{said}"
    );
    assert!(!said.contains("`twice` is not the same") && !said.contains("`sum` is not the same"), "{said}");
}

#[test]
fn a_draft_of_cxx_17_with_both_kinds_of_64_bits_is_checked_natively() {
    let home = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).expect("written");
    write("code.hpp", "#include <cstdint>\nlong long rest(long long &cents, std::int64_t by);\n");
    write(
        "code.cpp",
        "#include \"code.hpp\"\n#include <optional>\nlong long rest(long long &cents, std::int64_t by) {\n\
         if (by == 0) throw by;\nstd::optional<long long> left = cents % by; cents -= *left; return *left; }\n",
    );
    let init = dodona()
        .args(["init", "--c", "code.hpp", "code.cpp", "--into", "."])
        .current_dir(home.path())
        .output();
    let said = both(&init.expect("runs"));
    assert!(said.contains("rest(cents: i64, by: i64) -> (value: i64, cents_after: i64)"), "{said}");
    write(
        "code.mr",
        "relation half: abs(rest(cents, 2).value) < 2\nrelation even: rest(cents, 2).cents_after mod 2 == 0\n",
    );
    let output = check(home.path(), &[]);
    let said = unbroken(&both(&output));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("holds half") && !said.contains("not the same"), "{said}");
}

#[test]
fn one_call_is_made_natively_and_differences_are_told() {
    let home = tempfile::tempdir().expect("a folder");
    let code = "int word(int x) { return (int)sizeof(long) + x; }\n";
    let manifest = "[build]\nc = [\"code.c\"]\n[[function]]\nsignature = \"word(x: i32) -> i32\"\n";
    subject(home.path(), manifest, ("code.c", code), "");
    let arguments = ["call", "--native", ".", "word(1)"];
    let output = dodona().args(arguments).current_dir(home.path()).output().expect("runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "9\n");
    let said = unbroken(&both(&output));
    assert!(said.contains("`word` is not the same in both builds, in 1 of 1 calls"), "{said}");
}

#[test]
fn a_process_that_a_function_makes_out_of_its_own_answers_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let code = "#include <unistd.h>\nint twin(int x) { if (x % 5 == 0) fork(); return x; }\n";
    let manifest = "relations = [\"c.mr\"]\n[build]\nc = [\"code.c\"]\n[[function]]\nsignature = \"twin(x: i32) -> i32\"\n";
    subject(home.path(), manifest, ("code.c", code), "relation same: twin(x) == x\n");
    let output = check(home.path(), &[]);
    let said = unbroken(&both(&output));
    assert!(said.contains("holds same"), "{said}");
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn a_build_for_this_machine_that_fails_says_why() {
    let home = tempfile::tempdir().expect("a folder");
    subject(
        home.path(),
        MANIFEST,
        ("c.c", &C.replace("return x + 1;", "return y + 1;")),
        "relation more: next(x) != x\n",
    );
    let output = check(home.path(), &[]);
    let said = both(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("c.c:27") && said.contains("undeclared"), "{said}");
    assert!(!said.contains("COLLECT_GCC") && !said.contains("-fPIC"), "{said}");
    subject(
        home.path(),
        &MANIFEST.replace("divided(x, y, &rest)", "divided(x, z, &rest)"),
        ("c.c", C),
        "relation more: next(x) != x\n",
    );
    let said = both(&check(home.path(), &[]));
    assert!(said.contains("the `call` of `divided` does not compile"), "{said}");
}

#[test]
fn a_linked_object_that_changes_is_linked_again() {
    let home = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).expect("written");
    let object = |part: u8| {
        write("part.c", &format!("int part(int x) {{ return x * {part}; }}"));
        let status = std::process::Command::new("cc")
            .args(["-c", "-fPIC", "part.c"])
            .current_dir(home.path())
            .status();
        assert!(status.expect("cc runs").success());
    };
    write(
        "dodona.toml",
        "relations = [\"c.mr\"]\n[build]\nc = [\"part.o\"]\n[[function]]\nsignature = \"part(x: i32) -> i32\"\n",
    );
    write("c.mr", "relation same: when x > 0 and x < 1000: part(x) == x\n");
    object(1);
    let said = both(&check(home.path(), &[]));
    assert!(said.contains("holds     same") && said.contains("does not compile to WebAssembly"), "{said}");
    object(2);
    let said = both(&check(home.path(), &[]));
    assert!(said.contains("VIOLATED  same"), "{said}");
    let stamp = || {
        let folder = std::fs::read_dir(home.path().join(".dodona")).expect("a folder");
        folder.flatten().any(|file| file.file_name().to_string_lossy().ends_with(".native.stamp"))
    };
    assert!(stamp());
    // There is no module of it; the program is forgotten all the same.
    let _ = dodona().args(["build", "--force", "."]).current_dir(home.path()).output().expect("runs");
    assert!(!stamp(), "it is built again when it is called");
}
