//! Crates as they are built for this machine: `dodona check --native`.

mod common;

use std::path::Path;
use std::process::Output;

use common::{both, dodona, unbroken};

const CODE: &str = r#"
use std::sync::atomic::{AtomicU32, Ordering};

pub fn double(x: u32) -> u64 { 2 * u64::from(x) }
pub fn width() -> u32 { usize::BITS }
pub fn grown(x: usize) -> usize { x.wrapping_add(1) }
pub fn known(x: i32) -> Option<String> { (x % 2 == 0).then(|| format!("{x} is even")) }
pub fn picky(x: u8) -> u8 { if x > 200 { panic!("{x} is\n too much") } println!("it prints"); x }
pub fn deep(x: u32) -> u32 { if x % 16 == 3 { down(&mut [x; 64]) } else { x } }
fn down(all: &mut [u32; 64]) -> u32 { all[0] = all[0].wrapping_add(1); let mut next = *all; down(&mut next).wrapping_add(all[1]) + next[2] }
pub fn endless(x: u32) -> u32 { let mut y = x; while x % 32 == 7 { y = std::hint::black_box(y) + 0 } y }
pub fn huge(x: u8) -> usize { if x == 9 { std::hint::black_box(vec![x; 1 << 31]).len() } else { 1 } }
pub fn leaves(x: u8) -> u8 { if x == 9 { std::process::exit(3) } x }
pub fn counts(x: u8) -> u32 { static SEEN: AtomicU32 = AtomicU32::new(0); u32::from(x) + SEEN.fetch_add(1, Ordering::Relaxed) }
pub fn starts(x: u8) -> u8 { if x == 9 { std::process::Command::new("sleep").arg("5").spawn().unwrap(); } x }
pub fn crowd(x: u8) -> u8 { (0..64).map(|_| std::thread::spawn(move || x)).collect::<Vec<_>>().into_iter().map(|t| t.join().unwrap()).max().unwrap() }
pub fn fill(xs: &mut [i16], x: i16) { xs.iter_mut().for_each(|y| *y = x); }
pub fn shown(x: f32, y: char, on: bool) -> (f32, char, bool) { (-x, y, !on) }
"#;

const FUNCTIONS: &[(&str, &str)] = &[
    ("double(x: u32) -> u64", ""),
    ("width() -> u32", ""),
    ("grown(x: usize) -> usize", ""),
    ("known(x: i32) -> Option<String>", ""),
    ("picky(x: u8) -> u8", ""),
    ("deep(x: u32) -> u32", "domain.x = { range = [0, 31] }"),
    ("endless(x: u32) -> u32", "domain.x = { range = [0, 63] }"),
    ("huge(x: u8) -> usize", "domain.x = { range = [0, 15] }"),
    ("leaves(x: u8) -> u8", "domain.x = { range = [0, 15] }"),
    ("counts(x: u8) -> u32", ""),
    ("starts(x: u8) -> u8", "domain.x = { range = [0, 15] }"),
    ("crowd(x: u8) -> u8", ""),
    ("fill(xs: [i16], x: i16)", "lower.xs = \"in-out\""),
    ("shown(x: f32, y: char, on: bool) -> (f32, char, bool)", ""),
];

fn subject(home: &Path, relations: &str) {
    let folder = home.join("odd");
    std::fs::create_dir_all(folder.join("src")).expect("folders");
    std::fs::write(
        folder.join("Cargo.toml"),
        "[package]\nname = \"odd\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    )
    .expect("written");
    std::fs::write(folder.join("src/lib.rs"), CODE).expect("written");
    let mut manifest = "relations = [\"odd.mr\"]\n[build]\ncrate = { path = \"odd\" }\n".to_owned();
    for (signature, more) in FUNCTIONS {
        manifest += &format!("[[function]]\nsignature = \"{signature}\"\n{more}\n");
    }
    std::fs::write(home.join("dodona.toml"), manifest).expect("written");
    std::fs::write(home.join("odd.mr"), relations).expect("written");
}

fn check(home: &Path, more: &[&str]) -> Output {
    let arguments = ["check", ".", "--native", "--sources", "200", "--keep", "nothing"];
    dodona().args(arguments).args(more).current_dir(home).output().expect("runs")
}

#[test]
fn relations_hold_or_are_violated_natively_and_calls_that_end_their_process_are_outcomes() {
    let home = tempfile::tempdir().expect("a folder");
    subject(
        home.path(),
        "relation doubled: double(x) == 2 * x\n\
         relation wide: grown(x) == x + 1\n\
         relation even: known(x) is some iff x mod 2 == 0\n\
         relation told: when known(x) is some: known(x) == concat(text(x), \" is even\")\n\
         relation panics: picky(x) traps iff x > 200\n\
         relation overflows: deep(x) traps iff x mod 16 == 3\n\
         relation loops: when x mod 32 != 7: endless(x) == x\n\
         relation hoards: huge(x) traps iff x == 9\n\
         relation ends: leaves(x) traps iff x == 9\n\
         relation counted: counts(x) == x\n\
         relation started: starts(x) == x\n\
         relation crowded: crowd(x) == x\n\
         relation filled: fill(xs, x).xs == xs * 0 + x\n\
         relation turned: shown(x, y, on).0 == -x and shown(x, y, on).1 == y and shown(x, y, on).2 != on\n",
    );
    let output = check(home.path(), &[]);
    let said = unbroken(&both(&output));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("14 relations: 14 hold"), "{said}");
    // Of all that differs between the builds one thing is a result: where `x + 1` does not fit into 32 bits.
    assert!(said.contains("`grown` is not the same in both builds"), "{said}");
    assert!(
        said.contains("grown(4294967295) gives 4294967296 on this machine and 0 in WebAssembly"),
        "{said}"
    );
    assert!(
        !said.contains("`counts` is not") && !said.contains("(thread") && !said.contains("`picky` is not"),
        "{said}"
    );
}

#[test]
fn a_violation_says_why_a_native_call_did_not_return() {
    let home = tempfile::tempdir().expect("a folder");
    subject(
        home.path(),
        "relation widths: width() == 32\n\
         relation returns: picky(x) == x or x < 300\n\
         relation deeper: deep(x) == x or x < 40\n",
    );
    let output = check(home.path(), &["--jobs", "2"]);
    let said = unbroken(&both(&output));
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in ["VIOLATED widths", "width() = 64", "width() gives 64 on this machine and 32 in WebAssembly"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn a_module_has_no_native_build() {
    let home = tempfile::tempdir().expect("a folder");
    let manifest =
        "module = \"f.wat\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\nrelations = [\"f.mr\"]\n";
    std::fs::write(home.path().join("dodona.toml"), manifest).expect("written");
    std::fs::write(
        home.path().join("f.wat"),
        "(module (func (export \"f\") (param i32) (result i32) local.get 0))",
    )
    .expect("written");
    std::fs::write(home.path().join("f.mr"), "relation same: f(x) == x\n").expect("written");
    let output = check(home.path(), &[]);
    let said = unbroken(&both(&output));
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("only C, with [build] c = […], and a crate that is called as it is"), "{said}");
}

#[test]
fn a_crate_that_does_not_compile_to_webassembly_is_checked_natively() {
    let home = tempfile::tempdir().expect("a folder");
    subject(home.path(), "relation doubled: double(x) == 2 * x\n");
    let code = format!("#[cfg(target_arch = \"wasm32\")]\ncompile_error!(\"no wasm\");\n{CODE}");
    std::fs::write(home.path().join("odd/src/lib.rs"), code).expect("written");
    let output = check(home.path(), &[]);
    let said = unbroken(&both(&output));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("1 hold;") && said.contains("(error: no wasm)"), "{said}");
}
