//! Samplings without effect are told.

use crate::{parse, with};

fn warnings(ty: &str, domain: &str, sample: &str) -> Vec<String> {
    parse(&with(ty, &format!("domain.a = {{ {domain} }}\nsample.a = {{ {sample} }}"))).warnings
}

#[test]
fn a_sampling_wholly_outside_of_the_domain_is_told() {
    let no_effect = |column: usize, what: &str| {
        format!("5:{column}: this {what} has no effect: all of it is outside of the domain")
    };
    for (ty, domain, sample, column, what) in [
        ("i32", "range = [0, 10]", "range = [11, 2000]", 22, "range"),
        ("f64", "ranges = [[0, 1], [5, 6]]", "range = [2, 4.5]", 22, "range"),
        ("[f32]", "values = [0.5, nan]", "range = [1, 2]", 22, "range"),
        ("i32", "except = [7]", "range = [7, 7]", 22, "range"),
        (
            "u64",
            "range = [0, 18446744073709551614]",
            "range = [18446744073709551615, 18446744073709551615]",
            22,
            "range",
        ),
        ("text", "length = [1, 3]", "length = [4, 9]", 23, "length"),
        ("[u8]", "length = 3", "length = 2", 23, "length"),
        ("text", "alphabet = 'abc'", "length = [1, 2], alphabet = 'xyz'", 42, "alphabet"),
        ("text", "alphabet = 'abc'", "alphabet-ranges = ['0-9']", 32, "alphabet"),
        ("text", "values = ['yes', 'no']", "length = 5", 23, "length"),
        ("text", "values = ['yes', 'no']", "alphabet = 'xyz'", 25, "alphabet"),
    ] {
        assert_eq!(warnings(ty, domain, sample), [no_effect(column, what)], "{ty}: {domain}; {sample}");
    }
}

#[test]
fn a_sampling_partly_inside_of_the_domain_is_not_told() {
    for (ty, domain, sample) in [
        ("i32", "range = [0, 10]", "range = [10, 2000]"),
        ("f64", "ranges = [[0, 1], [5, 6]]", "range = [2, 5]"),
        ("f64", "nan = false", "range = [2, 5]"),
        ("i32", "except = [7]", "range = [7, 8]"),
        ("text", "length = [1, 3]", "length = [3, 9]"),
        ("text", "length = [1, 3]", "alphabet = 'xyz'"),
        ("text", "alphabet = 'abc'", "alphabet = 'xyzc', length = 50"),
        ("text", "values = ['yes', 'no']", "length = [0, 2], alphabet = 'noisy'"),
    ] {
        assert!(warnings(ty, domain, sample).is_empty(), "{ty}: {domain}; {sample}");
    }
}
