//! A person's own relations as tests of their crate: `dodona init --crate`, `dodona emit`, `cargo test`.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{both, dodona};

/// A crate with something of each kind: a name of its own, a result with and without a value, an error of its own type, a tuple, a method,
/// a slice that is changed.
const CODE: &str = r#"
//! Small change.

/// Half of an even number.
pub fn half(n: u32) -> Option<u32> { if n % 2 == 0 { Some(n / 2) } else { None } }

/// What is wrong with a text.
#[derive(Debug, PartialEq)]
pub enum Wrong { Empty, NoDigit }

/// The digit that a text is.
pub fn digit(text: &str) -> Result<u8, Wrong> {
    match text.as_bytes() {
        [] => Err(Wrong::Empty),
        [digit @ b'0'..=b'9'] => Ok(digit - b'0'),
        _ => Err(Wrong::NoDigit),
    }
}

/// Notes and coins.
pub fn change(cents: u32) -> (u32, u32) { (cents / 100, cents % 100) }

/// An amount of money.
pub struct Money { cents: i64 }

impl Money {
    pub fn new(cents: i32) -> Money { Money { cents: cents.into() } }
    pub fn plus(&self, other: &Money) -> Money { Money { cents: self.cents + other.cents } }
}

impl std::fmt::Display for Money {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}", self.cents) }
}

pub mod lists {
    pub fn sort(mut xs: Vec<i16>) -> Vec<i16> { xs.sort_unstable(); xs }
    pub fn largest(xs: &[u8]) -> u8 { xs.iter().copied().max().unwrap() }
    pub fn turn(xs: &mut [u16]) { xs.reverse(); }
}
"#;

const MANIFEST: &str = r#"
[build]
crate = { path = "../small-change" }

[[function]]
signature = "halved(n: u32) -> Option<u32>"
path = "small_change::half"
domain.n = { range = [0, 4000000000] }
sample.n = { range = [0, 1000], favour = [0, 1] }
relations = ["own.mr"]

[[function]]
signature = "digit(text: &str) -> Result<u8, Wrong>"
domain.text = { length = [0, 2], alphabet = "0123456789x\"\\" }

[[function]]
signature = "change(cents: u32) -> (u32, u32)"

[[function]]
signature = "total(a: i32, b: i32) -> Shown"
call = "small_change::Money::new(a).plus(&small_change::Money::new(b))"

# Called like the arguments of generated code.
[[function]]
signature = "less(a1: i64, a0: i64) -> i64"
call = "a1.wrapping_sub(a0)"
domain.a1 = { range = [0, 1000] }
domain.a0 = { range = [0, 1000] }

[[function]]
signature = "sort(xs: Vec<i16>) -> [i16]"
path = "small_change::lists::sort"
domain.xs = { length = [0, 6] }

[[function]]
signature = "largest(xs: [u8]) -> u8"
path = "small_change::lists::largest"

[[function]]
signature = "turn(xs: [u16])"
path = "small_change::lists::turn"
lower.xs = "in-out"
"#;

/// The relations that hold, and some that do not.
const RELATIONS: &str = r#"
# Doubling undoes halving.
relation doubled:    when n < 2000000000: halved(2 * n) == some(n)
relation odd:        when n < 2000000000: halved(2 * n + 1) == none
relation even:       halved(n) is some iff n mod 2 == 0
relation never:      halved(n) is none
relation silent:     halved(n) traps
relation undefined:  when n mod 2 == 1: halved(n) == n
relation known:      when digit(text) is ok: digit(text) <= 9 and len(text) == 1
relation empty:      digit("") == err("Empty") and text == text
relation quoted:     digit(concat(text, "\"\\")).err == "NoDigit"
relation wrong:      digit(text) is err
relation whole:      100 * change(cents).0 + change(cents).1 == cents
relation same:       change(cents) == change(cents mod 100)
relation swapped:    total(a, b) == total(b, a)
relation taken:      less(a1, a0) == a1 - a0
relation again:      sort(sort(xs)) == sort(xs)
relation ordered:    sort(xs) == reverse(sort(xs))
relation first:      when len(xs) > 0: largest(concat([largest(xs)], xs)) == largest(xs)
relation nothing:    len(xs) == 0 implies largest(xs) traps
relation turned:     turn(turn(xs).xs).xs == xs
"#;

/// A package of somebody else.
struct Package {
    home: PathBuf,
}

impl Package {
    /// The package in a folder of its own. What it is built of stays from run to run.
    fn new(name: &str) -> Package {
        let package = Package { home: built().join(name) };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root");
        let _ = std::fs::remove_dir_all(&package.home);
        std::fs::create_dir_all(package.path("small-change/src")).expect("folders");
        std::fs::create_dir_all(package.path("own")).expect("folders");
        let cargo = format!(
            "[package]\nname = \"small-change\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dev-dependencies]\n\
             dodona = {{ path = {:?}, default-features = false }}\n\n[workspace]\n",
            root.join("crates/dodona")
        );
        package.write("small-change/Cargo.toml", &cargo);
        package.write("small-change/src/lib.rs", CODE);
        // The versions that the package in `tests/embedding` has, all of which are there.
        let lock = std::fs::read_to_string(root.join("tests/embedding/Cargo.lock")).expect("it is there");
        let lock = lock.replace("name = \"embedding\"", "name = \"small-change\"");
        package.write("small-change/Cargo.lock", &lock);
        package
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn dodona(&self, words: &[&str]) -> Output {
        dodona().current_dir(&self.home).args(words).output().expect("it runs")
    }

    /// Runs it, and it succeeds.
    fn succeeds(&self, words: &[&str]) -> Output {
        let output = self.dodona(words);
        assert!(output.status.success(), "{words:?}: {}", both(&output));
        output
    }

    fn cargo_test(&self) -> Output {
        // Packages of one name in folders of one kind are the same to cargo, which runs what another test has built a moment ago.
        let lock = std::fs::File::create(built().join("lock")).expect("a file");
        lock.lock().expect("nobody waits for ever");
        // It goes by times: what another test built while this one waited would be newer than what is written here.
        for file in ["small-change/src/lib.rs", "small-change/tests/metamorphic.rs"] {
            self.write(file, &self.read(file));
        }
        let mut cargo = Command::new("cargo");
        cargo.current_dir(self.path("small-change")).args(["test", "--offline", "--test", "metamorphic"]);
        cargo.env("CARGO_TARGET_DIR", built().join("target"));
        cargo.env_remove("RUSTFLAGS").env_remove("CARGO_TERM_COLOR");
        cargo.output().expect("cargo runs")
    }
}

/// Where the tests of all packages are built, on one build of Dodona.
fn built() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("emitted-crate")
}

/// The relations of which a report says so.
fn told(report: &str, verdict: &str) -> BTreeSet<String> {
    let name = |line: &str| Some(line.trim().strip_prefix(verdict)?.split_whitespace().next()?.to_owned());
    report.lines().filter_map(name).collect()
}

/// The tests that ended so.
fn ended(output: &str, how: &str) -> BTreeSet<String> {
    let name =
        |line: &str| Some(line.strip_prefix("test ")?.strip_suffix(how)?.strip_suffix(" ... ")?.to_owned());
    output.lines().filter_map(name).collect()
}

#[test]
fn tests_of_a_crate_pass_and_fail_with_a_fault() {
    let package = Package::new("faults");
    let folder = "small-change/dodona";
    package.succeeds(&["init", "--crate", "small-change", "--into", folder]);
    let relations = format!("{folder}/small-change.mr");
    let own = "# Doubling undoes halving.\nrelation doubled: when n < 2000000000: half(2 * n) == some(n)\n\
               relation digits: when digit(text) is ok: digit(text) <= 9\n";
    package.write(&relations, &format!("{}\n{own}", package.read(&relations)));
    let file = "small-change/tests/metamorphic.rs";
    let output = package.succeeds(&["emit", folder, "--output", file]);
    let told = both(&output);
    assert!(told.contains("wrote small-change/tests/metamorphic.rs, tests of "), "{told}");
    assert!(told.contains("dodona = { version = \"0.1\", default-features = false }"), "{told}");
    assert!(told.contains("small-change/Cargo.toml"), "it says where the line belongs: {told}");
    let tests = package.read(file);
    assert!(tests.contains("dodona::function!(small_change::half(n: u32) -> Option<u32>)"), "{tests}");
    assert!(tests.contains("/// Doubling undoes halving.\n#[test]\nfn doubled() {"), "{tests}");
    let output = package.cargo_test();
    assert!(output.status.success() && both(&output).contains("test doubled ... ok"), "{}", both(&output));
    package.write("small-change/src/lib.rs", &CODE.replace("n / 2)", "(n / 2).min(1000))"));
    let output = package.cargo_test();
    let failed = ended(&both(&output), "FAILED");
    assert!(!output.status.success() && failed.contains("doubled"), "{}", both(&output));
    assert!(both(&output).contains("n = 1001"), "the smallest counterexample: {}", both(&output));
}

#[test]
fn tests_of_a_crate_judge_as_the_command_does() {
    let package = Package::new("verdicts");
    package.write("own/dodona.toml", MANIFEST);
    package.write("own/own.mr", RELATIONS);
    package.succeeds(&["emit", "own", "--output", "small-change/tests/metamorphic.rs"]);
    let checked = package.dodona(&["check", "own", "--keep", "nothing", "--all"]);
    let checked = both(&checked);
    let (held, violated) = (told(&checked, "holds "), told(&checked, "VIOLATED "));
    assert_eq!(held.len() + violated.len(), RELATIONS.matches("relation ").count(), "{checked}");
    assert!(
        violated.contains("undefined") && violated.contains("silent") && held.contains("nothing"),
        "{checked}"
    );
    let tested = both(&package.cargo_test());
    assert_eq!(ended(&tested, "FAILED"), violated, "{tested}\n{checked}");
    assert_eq!(ended(&tested, "ok"), held, "{tested}\n{checked}");
    let formatted = Command::new("rustfmt")
        .args(["--edition", "2024", "--check"])
        .arg(package.path("small-change/tests/metamorphic.rs"))
        .output()
        .expect("rustfmt runs");
    assert!(formatted.status.success(), "{}", both(&formatted));
}

#[test]
fn what_a_person_wrote_is_kept() {
    let package = Package::new("kept");
    package.write("own/dodona.toml", MANIFEST);
    package.write("own/own.mr", RELATIONS);
    let file = "small-change/tests/metamorphic.rs";
    let emit = ["emit", "own", "--relation", "doubled", "--output", file];
    package.succeeds(&emit);
    let first = package.read(file);
    // A file of the command's own is written anew.
    package.succeeds(&["emit", "own", "--relation", "odd", "--output", file]);
    assert!(package.read(file).contains("fn odd()") && !package.read(file).contains("fn doubled()"));
    package.succeeds(&emit);
    assert_eq!(package.read(file), first);
    let edited = first.replace(".check()", ".sources(10).check()");
    package.write(file, &edited);
    let refused = package.dodona(&emit);
    assert_eq!(refused.status.code(), Some(2), "{}", both(&refused));
    assert!(
        both(&refused).contains("metamorphic.rs exists and is kept; --overwrite replaces it"),
        "{}",
        both(&refused)
    );
    assert_eq!(package.read(file), edited);
    package.succeeds(&[&emit[..], &["--overwrite"]].concat());
    assert_eq!(package.read(file), first);
    // Nothing is left behind where nothing can be written.
    let refused = package.dodona(&["emit", "own", "--output", "no/such/folder.rs"]);
    assert_eq!(refused.status.code(), Some(2), "{}", both(&refused));
    assert!(!package.path("no").exists());
}
