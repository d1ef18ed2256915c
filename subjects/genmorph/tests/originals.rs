//! Values that the Java originals gave (Commons Math 3.6.1, Commons Lang 3.12, Guava 31.1, Java 17):
//! a line of `originals.tsv` is the method, its arguments and its result, with tabs between. Sequences have commas
//! between their elements, floats are their bits, and `!` is an exception. No text there holds a character above U+FFFF.
//!
//! `GENMORPH_ORIGINALS` names another file of the same form to compare with.

#![cfg(not(feature = "faulty"))]

use genmorph::{guava, lang, math};
use std::panic::catch_unwind;

/// The arguments of one line, as the signature wants them.
struct Arguments<'l>(&'l [&'l str]);

impl Arguments<'_> {
    fn text(&self, i: usize) -> &str {
        self.0[i]
    }

    fn int(&self, i: usize) -> i32 {
        self.0[i].parse().unwrap()
    }

    fn float(&self, i: usize) -> f64 {
        float(self.0[i])
    }

    fn items<T: std::str::FromStr<Err: std::fmt::Debug>>(&self, i: usize) -> Vec<T> {
        self.0[i].split(',').filter(|item| !item.is_empty()).map(|item| item.parse().unwrap()).collect()
    }
}

fn float(bits: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(bits.trim_start_matches("0x"), 16).unwrap())
}

fn bits(x: f64) -> String {
    format!("0x{:x}", x.to_bits())
}

fn sorted(mut array: Vec<u8>, from: i32, to: i32) -> String {
    guava::sort(&mut array, from, to);
    array.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

/// The result as the file writes it.
fn call(method: &str, a: &Arguments<'_>) -> String {
    match method {
        "nextPrime" => math::next_prime(a.int(0)).to_string(),
        "isPrime" => math::is_prime(a.int(0)).to_string(),
        "gcd" => math::gcd(a.int(0), a.int(1)).to_string(),
        "pow" => math::pow(a.int(0), a.int(1)).to_string(),
        "stirling" => math::stirling(a.int(0), a.int(1)).to_string(),
        "acos" => bits(math::acos(a.float(0))),
        "log10" => bits(math::log10(a.float(0))),
        "sin" => bits(math::sin(a.float(0))),
        "sinh" => bits(math::sinh(a.float(0))),
        "tan" => bits(math::tan(a.float(0))),
        "abbreviate" => lang::abbreviate(a.text(0), a.text(1), a.int(2), a.int(3)),
        "capitalize" => lang::capitalize(a.text(0)),
        "center" => lang::center(a.text(0), a.int(1), a.text(2)),
        "difference" => lang::difference(a.text(0), a.text(1)),
        "isSorted" => lang::is_sorted(&a.items(0)).to_string(),
        "indexOf" => guava::index_of(&a.items(0), &a.items(1)).to_string(),
        "join" => guava::join(a.text(0), &a.items(1)),
        "meanOf" => bits(guava::mean_of(&a.items(0))),
        "min" => guava::min(&a.items(0)).to_string(),
        "padStart" => guava::pad_start(a.text(0), a.int(1), a.text(2)),
        "repeat" => guava::repeat(a.text(0), a.int(1)),
        "sort" => sorted(a.items(0), a.int(1), a.int(2)),
        "truncate" => guava::truncate(a.text(0), a.int(1), a.text(2)),
        _ => panic!("no method {method}"),
    }
}

/// Both libraries are within an ulp or so of the true value; everything else is exact.
fn agree(method: &str, ours: &str, theirs: &str) -> bool {
    if !["acos", "log10", "sin", "sinh", "tan"].contains(&method) {
        return ours == theirs;
    }
    let (ours, theirs) = (float(ours), float(theirs));
    (ours.is_nan() && theirs.is_nan()) || (ours - theirs).abs() <= 4.0 * f64::EPSILON * theirs.abs()
}

#[test]
fn values_are_those_of_the_originals() {
    let file = std::env::var("GENMORPH_ORIGINALS").map_or_else(
        |_| include_str!("originals.tsv").to_owned(),
        |path| std::fs::read_to_string(path).unwrap(),
    );
    std::panic::set_hook(Box::new(|_| {}));
    let mut wrong = Vec::new();
    let mut methods = std::collections::BTreeSet::new();
    for line in file.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let (method, theirs) = (cells[0], cells[cells.len() - 1]);
        let arguments = Arguments(&cells[1..cells.len() - 1]);
        let ours = catch_unwind(|| call(method, &arguments)).unwrap_or_else(|_| "!".to_owned());
        let same = if ours == "!" || theirs == "!" { ours == theirs } else { agree(method, &ours, theirs) };
        if !same {
            wrong.push(format!("{line} but ours is {ours}"));
        }
        methods.insert(method);
    }
    let _ = std::panic::take_hook();
    assert_eq!(methods.len(), 23);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}
