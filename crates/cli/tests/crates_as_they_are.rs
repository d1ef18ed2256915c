//! Crates in folders under test as they are: their types, features and mistakes, and `dodona init --crate`.

mod common;

use std::path::Path;
use std::process::Output;

use common::{both, dodona};

const SHOP: &str = r#"
use std::fmt;

/// The fee of a parcel.
pub fn fee(grams: u32, zone: u8) -> Option<u32> {
    if zone == 0 || zone > 4 { return None; }
    Some(250 + 40 * (zone as u32) + grams.div_ceil(100).saturating_mul(15))
}

pub fn parse_zone(text: &str) -> Result<u8, std::num::ParseIntError> { text.trim().parse::<u8>() }

/// Bytes as digits.
pub fn encode(bytes: impl AsRef<[u8]>) -> String { bytes.as_ref().iter().map(|b| format!("{b:02x}")).collect() }

#[derive(Debug)]
pub struct Odd;

pub fn decode(digits: &str) -> Result<Vec<u8>, Odd> {
    if digits.len() % 2 != 0 || !digits.is_ascii() { return Err(Odd); }
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).map_err(|_| Odd)).collect()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Money { cents: i64 }

impl Money {
    pub fn new(cents: i32) -> Money { Money { cents: cents.into() } }
    pub fn plus(&self, other: &Money) -> Money { Money { cents: self.cents + other.cents } }
    pub fn cents(&self) -> i64 { self.cents }
    pub fn order(&self, other: &Money) -> std::cmp::Ordering { self.cents.cmp(&other.cents) }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{} cents", self.cents) }
}

#[derive(Clone, Copy)]
pub enum Size { Small, Large }

pub fn weight(size: Size, count: u16) -> u32 { u32::from(count) * match size { Size::Small => 2, Size::Large => 5 } }

pub trait Half { fn half(&self) -> Self; }
impl Half for u64 { fn half(&self) -> u64 { self / 2 } }
impl Half for u8 { fn half(&self) -> u8 { self / 2 } }

pub fn rank(a: u8, b: u8) -> std::cmp::Ordering { a.cmp(&b) }
pub fn within(out: u8, mod_: u8) -> bool { out < mod_ }
pub fn sizes(bytes: &[u8]) -> (Vec<u8>, usize, u8) { (bytes.to_vec(), bytes.len(), bytes.len() as u8) }
pub fn nested(n: i8) -> Result<Option<u8>, String> {
    if n < 0 { Err(format!("{n} is negative")) } else { Ok((n % 2 == 0).then_some(n as u8)) }
}
pub fn parts(n: u32) -> (u32, char) { (n / 10, char::from(b'0' + (n % 10) as u8)) }
pub fn initial(c: char) -> String { c.to_uppercase().collect() }
pub fn checksum(bytes: [u8; 4]) -> u8 { bytes.iter().fold(0, |sum, b| sum ^ b) }
pub fn each<F: Fn(u8) -> u8>(f: F) -> u8 { f(1) }
pub unsafe fn raw(x: u8) -> u8 { x }
mod inner {
    pub fn deep(x: i32) -> i32 { x.wrapping_neg() }
    pub fn unseen(x: i32) -> i32 { x }
}
pub use inner::deep;

#[cfg(feature = "extra")]
pub fn extra(x: u8) -> u8 { !x }
"#;

fn shop(home: &Path, code: &str) {
    let folder = home.join("shop");
    std::fs::create_dir_all(folder.join("src")).expect("folders");
    let crate_file = "[package]\nname = \"the-shop\"\nversion = \"1.2.3\"\nedition = \"2021\"\n[features]\nextra = []\n[workspace]\n";
    std::fs::write(folder.join("Cargo.toml"), crate_file).expect("written");
    std::fs::write(folder.join("src/lib.rs"), code).expect("written");
}

fn run(home: &Path, arguments: &[&str]) -> Output {
    dodona().args(arguments).current_dir(home).output().expect("runs")
}

/// What was printed on both streams, if the exit code is this one.
#[track_caller]
fn exits(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", both(output));
    both(output)
}

#[test]
fn the_functions_of_a_crate_are_listed_with_why_others_are_not() {
    let home = tempfile::tempdir().expect("a folder");
    shop(home.path(), SHOP);
    let said = exits(&run(home.path(), &["init", "--crate", "shop", "--list"]), 0);
    for line in [
        "the-shop 1.2.3: 18 functions can be called, 2 cannot",
        "fee(grams: u32, zone: u8) -> Option<u32>",
        "parse_zone(text: &str) -> Result<u8, Shown>",
        "encode(bytes: &[u8]) -> String",
        "decode(digits: &str) -> Result<Vec<u8>, Shown>",
        "new(cents: i32) -> String",
        "plus(money_cents: i32, other_cents: i32) -> String",
        "cents(money_cents: i32) -> i64",
        "weight(size: u8, count: u16) -> u32",
        "rank(a: u8, b: u8) -> Ordering",
        "within_(out_: u8, mod_: u8) -> bool",
        "sizes(bytes: &[u8]) -> (Vec<u8>, usize, u8)",
        "nested(n: i8) -> Result<Option<u8>, String>",
        "order(money_cents: i32, other_cents: i32) -> Ordering",
        "half(x: &u64) -> u64",
        "parts(n: u32) -> (u32, char)",
        "initial(c: char) -> String",
        "checksum(bytes: [u8; 4]) -> u8",
        "deep(x: i32) -> i32",
        "the_shop::each: `f: F`: the type parameter `F` is no type of a signature",
        "the_shop::raw: it is unsafe",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(!said.contains("unseen") && !said.contains("extra"), "{said}");
    let said = exits(&run(home.path(), &["init", "--crate", "shop", "--list", "--features", "extra"]), 0);
    assert!(said.contains("extra(x: u8) -> u8"), "{said}");
}

#[test]
fn a_manifest_of_a_crate_is_written_with_relations_that_hold() {
    let home = tempfile::tempdir().expect("a folder");
    shop(home.path(), SHOP);
    let said = exits(&run(home.path(), &["init", "--crate", "shop", "--into", "new/one"]), 0);
    assert!(said.contains("wrote new/one/dodona.toml"), "{said}");
    exits(&run(home.path(), &["check", "new/one"]), 0);
    let said = exits(&run(home.path(), &["init", "--crate", "shop"]), 0);
    assert!(said.contains("decode(encode(bytes)) == bytes"), "{said}");
    let written = std::fs::read_to_string(home.path().join("the-shop.mr")).expect("it is written");
    assert!(written.contains("deep(deep(x)) == x"), "{written}");
    assert!(said.contains("wrote dodona.toml and the-shop.mr"), "{said}");
    let relations = "relation known: when fee(grams, zone) is some: fee(grams, zone) >= 290\n\
                     relation unknown: fee(grams, 5) == none\n\
                     relation bad: when parse_zone(text) is err: parse_zone(text).err != \"\"\n\
                     relation digits: decode(\"0g\") == err(\"Odd\") and decode(encode(bytes)) == ok(bytes)\n\
                     relation shown: new(cents) == concat(text(cents), \" cents\")\n\
                     relation sum: plus(money_cents, other_cents) == plus(other_cents, money_cents)\n\
                     relation heavier: weight(1, count) >= weight(0, count)\n\
                     relation ranked: rank(a, b) == -rank(b, a) and order(money_cents, other_cents) == -order(other_cents, money_cents)\n\
                     relation sized: sizes(bytes).0 == bytes and sizes(bytes).1 mod 256 == sizes(bytes).2\n\
                     relation same_: nested(n) == nested(n) and (nested(n) is err iff n < 0)\n\
                     relation halves: 2 * half(x) <= x\n\
                     relation apart: parts(n).0 * 10 + to_number(parts(n).1) == n\n\
                     relation upper_: initial(\"a\") == \"A\" and len(initial(c)) >= 1\n\
                     relation sum_of_bits: checksum(bytes) == bitxor(bitxor(bytes[0], bytes[1]), bitxor(bytes[2], bytes[3]))\n";
    std::fs::write(home.path().join("mine.mr"), relations).expect("written");
    let said = exits(&run(home.path(), &["check", ".", "--relations", "mine.mr"]), 0);
    assert!(said.contains("14 relations: 14 hold"), "{said}");
    // An edit of the crate is seen by the next command, and its code is what is mutated.
    shop(home.path(), &SHOP.replace("self / 2", "self / 2 + 1"));
    let said = exits(&run(home.path(), &["check", ".", "--relations", "mine.mr", "--keep", "nothing"]), 1);
    assert!(said.contains("VIOLATED  halves"), "{said}");
    shop(home.path(), SHOP);
    let said =
        exits(&run(home.path(), &["mutate", ".", "--operators", "AOR", "--list", "--format", "csv"]), 0);
    assert!(said.contains("shop/src/lib.rs") && !said.contains("dodona-glue"), "{said}");
    // Nothing is written over what somebody edited.
    let said = exits(&run(home.path(), &["init", "--crate", "shop"]), 2);
    assert!(said.contains("exists"), "{said}");
}

const KINDS: &str = r#"
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack { items: Vec<i32> }
impl Stack {
    pub fn new(first: i32, second: Option<i32>) -> Stack { Stack { items: std::iter::once(first).chain(second).collect() } }
    pub fn push(&mut self, item: i32) { self.items.push(item); }
    pub fn pop(&mut self) -> Option<i32> { self.items.pop() }
    pub fn len(&self) -> usize { self.items.len() }
    pub fn pushed(&mut self, item: i32) -> &mut Self { self.items.push(item); self }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point { pub x: i32, pub y: i32 }
pub fn turned(point: Point) -> Point { Point { x: point.y, y: point.x } }
pub fn distance((from, to): (u32, u32)) -> u32 { from.abs_diff(to) }

#[derive(Clone, Debug, PartialEq)]
pub struct Pair { left: u8, right: u8 }
impl Pair { pub fn new(left: u8, right: u8) -> Pair { Pair { left, right } } }
impl fmt::Display for Pair { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "{}/{}", self.left, self.right) } }
impl FromStr for Pair {
    type Err = String;
    fn from_str(text: &str) -> Result<Pair, String> {
        let (left, right) = text.split_once('/').ok_or("no slash")?;
        let read = |part: &str| part.trim().parse::<u8>().map_err(|error| error.to_string());
        Ok(Pair { left: read(left)?, right: read(right)? })
    }
}

pub fn or(x: Option<u8>, other: u8) -> u8 { x.unwrap_or(other) }
pub fn wide(x: u128) -> u128 { x + 1 }
pub fn longest(lines: &[&str]) -> usize { lines.iter().map(|line| line.len()).max().unwrap_or(0) }
pub fn twice(words: Vec<String>) -> Vec<String> { words.into_iter().map(|word| format!("{word}{word}")).collect() }
pub fn sort(values: &mut [i32]) { values.sort() }
pub fn bump(value: &mut u8) -> u8 { let old = *value; *value = value.wrapping_add(1); old }
pub fn letters(text: &str) -> impl Iterator<Item = char> + '_ { text.chars().filter(|c| c.is_alphabetic()) }
pub fn numbers(up: u8) -> impl Iterator<Item = u8> { 0..up }
#[derive(Debug)]
pub struct Digits(u32);
impl Iterator for Digits {
    type Item = u8;
    fn next(&mut self) -> Option<u8> { let digit = (self.0 % 10) as u8; let is_there = self.0 > 0; self.0 /= 10; is_there.then_some(digit) }
}
#[derive(Default)]
pub struct Buffer { text: String }
impl Buffer { pub fn format(&mut self, n: u8) -> &str { self.text = n.to_string(); &self.text } }
pub fn digits(n: u32) -> Digits { Digits(n) }
pub fn fill(out: &mut [u8], within: u8) { out.fill(within) }
pub fn entangled<T>(x: T) -> usize where for<'a> &'a T: IntoIterator<Item = &'a u8> { (&x).into_iter().count() }
"#;

#[test]
fn own_types_and_what_is_changed_in_place_are_made_of_plain_values() {
    let home = tempfile::tempdir().expect("a folder");
    shop(home.path(), KINDS);
    let said = exits(&run(home.path(), &["init", "--crate", "shop", "--list"]), 0);
    for line in [
        "the-shop 1.2.3: 21 functions can be called, 1 cannot",
        "format(n: u8) -> String",
        "digits(n: u32) -> Vec<u8>",
        "fill(out_: Vec<u8>, within_: u8) -> Vec<u8>",
        "the_shop::entangled: `x: T`",
        "stack_new(first: i32, second_is_some: bool, second: i32) -> String",
        "push(stack_first: i32, stack_second_is_some: bool, stack_second: i32, item: i32) -> String",
        "pop(stack_first: i32, stack_second_is_some: bool, stack_second: i32) -> (Option<i32>, String)",
        "turned(point_x: i32, point_y: i32) -> String",
        "distance(x0_0: u32, x0_1: u32) -> u32",
        "or_(x_is_some: bool, x: u8, other: u8) -> u8",
        "wide(x: u64) -> String",
        "longest(lines: &str) -> usize",
        "twice(words: &str) -> String",
        "sort(values: Vec<i32>) -> Vec<i32>",
        "bump(value: u8) -> (u8, u8)",
        "letters(text: &str) -> String",
        "numbers(up: u8) -> Vec<u8>",
        "pair_parsed(text: &str) -> Result<String, Shown>",
        "pair_reads_back(pair_left: u8, pair_right: u8) -> bool",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let said = exits(&run(home.path(), &["init", "--crate", "shop"]), 0);
    assert!(said.contains("pair_reads_back(pair_left, pair_right)"), "{said}");
    let relations = "relation pushed_(a: push.stack_first): push(a, false, 0, item) == stack_new(a, true, item)\n\
                     relation popped(a: pop.stack_first, b: pop.stack_second): pop(a, true, b).0 == some(b) and pop(a, true, b).1 == stack_new(a, false, 0)\n\
                     relation turns(x: turned.point_x, y: turned.point_y): when x != y: turned(x, y) != turned(y, x)\n\
                     relation apart(x: distance.x0_0, y: distance.x0_1): distance(x, y) == distance(y, x)\n\
                     relation given_(x: or_.x): or_(true, x, other) == x and or_(false, x, other) == other\n\
                     relation wider(x: wide.x): to_number(wide(x)) == x + 1\n\
                     relation lines_(line: longest.lines): longest(concat(line, \"\\n\")) <= 4 * len(line)\n\
                     relation doubled: twice(\"a\\nb\") == \"aa\\nbb\"\n\
                     relation sorted_: sort(reverse(values)) == sort(values)\n\
                     relation bumped: bump(value).0 == value and bump(value).1 == (value + 1) mod 256\n\
                     relation counted: len(numbers(up)) == up\n\
                     relation written(n: format.n): format(n) == text(n)\n\
                     relation digit: digits(123) == [3, 2, 1]\n\
                     relation filled: fill(out_, within_) == out_ * 0 + within_\n\
                     relation read: pair_parsed(\" 7/8\") == ok(\"7/8\")\n";
    std::fs::write(home.path().join("mine.mr"), relations).expect("written");
    let said = exits(&run(home.path(), &["check", ".", "--relations", "mine.mr"]), 0);
    assert!(said.contains("15 relations: 15 hold"), "{said}");
    let said = exits(&run(home.path(), &["check", ".", "--relations", "mine.mr", "--native"]), 0);
    assert!(said.contains("15 relations: 15 hold") && !said.contains("warning"), "{said}");
}

#[test]
fn mistakes_in_naming_a_crate_are_told() {
    let home = tempfile::tempdir().expect("a folder");
    shop(home.path(), SHOP);
    let root = "[workspace]\nmembers = [\"shop\"]\n";
    std::fs::write(home.path().join("Cargo.toml"), root).expect("written");
    let declared = |build: &str, function: &str| {
        let text =
            format!("[build]\n{build}\n[[function]]\nsignature = \"{function}\"\nrelations = [\"x.mr\"]\n");
        std::fs::write(home.path().join("dodona.toml"), text).expect("written");
        std::fs::write(home.path().join("x.mr"), "relation r: deep(deep(x)) == x\n").expect("written");
        run(home.path(), &["check", "."])
    };
    for (build, function, code, words) in [
        ("crate = { path = \"nowhere\" }", "deep(x: i32) -> i32", 2, "cannot read"),
        ("crate = { path = \".\" }", "deep(x: i32) -> i32", 2, "declares a workspace, and no package"),
        (
            "crate = { path = \"shop\", package = \"shop\" }",
            "deep(x: i32) -> i32",
            4,
            "has no member `shop`; its members are: the-shop",
        ),
        ("crate = { path = \"shop\", version = \"1\" }", "deep(x: i32) -> i32", 2, "`version` has no effect"),
        (
            "crate = { path = \"shop\", feature = [\"extra\"] }",
            "deep(x: i32) -> i32",
            2,
            "did you mean `features`?",
        ),
        ("crate = \"./shop\"", "deep(x: i32) -> i32", 2, "write crate = { path = "),
        (
            "crate = { path = \"shop\" }\nfeatures = [\"extra\"]",
            "deep(x: i32) -> i32",
            2,
            "stands beside the table",
        ),
        ("crate = {}", "deep(x: i32) -> i32", 2, "neither the name nor the path"),
        ("c = []\nfeatures = [\"extra\"]", "deep(x: i32) -> i32", 2, "`features` has no effect here"),
        ("crate = { path = \"shop\" }", "deep(x: Option<i32>) -> i32", 2, "a parameter is one value"),
        ("crate = { path = \"shop\" }", "deep(x: i32) -> Vec<String>", 2, "`Vec<String>` is not a type"),
        ("crate = { path = \"shop\" }", "deep(x: i64) -> i64", 4, "the signature of `deep` does not fit"),
        ("crate = { path = \"shop\", features = [\"none\"] }", "deep(x: i32) -> i32", 4, "none"),
    ] {
        let said = exits(&declared(build, function), code);
        assert!(said.contains(words), "{build} {function}: {words}: {said}");
    }
    std::fs::remove_file(home.path().join("Cargo.toml")).expect("removed");
    for (arguments, words) in [
        (&["init", "--crate", "shop", "--functions", "depe"][..], "no public function `depe`"),
        (&["init", "--crate", "shop", "--functions", "each"], "`the_shop::each` cannot be called"),
        (&["init", "--crate", "./nowhere"], "cannot read"),
        (&["init"], "required"),
    ] {
        let said = exits(&run(home.path(), arguments), 2);
        assert!(said.contains(words), "{arguments:?}: {words}: {said}");
    }
    // What does not compile is the compiler's to tell.
    shop(home.path(), "pub fn deep(x: i32) -> i32 { y }");
    let said = exits(&run(home.path(), &["init", "--crate", "shop"]), 4);
    assert!(said.contains("cannot find value `y`"), "{said}");
}
