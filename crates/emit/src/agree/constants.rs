//! Replaces the numbers in a text of C by elements of one array. Each number is a call that returns a structure, and clang takes most
//! of its time for these calls, though thousands of cases share some hundred numbers.

use std::collections::HashMap;

/// The calls that make a number.
const MAKERS: [&str; 2] = ["mr_whole(", "mr_real("];

/// A text of C in which each number is an element of an array, and the definition of the array with a function that fills it.
pub(super) fn shared(text: &str) -> (String, String) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let (mut written, mut rest) = (String::new(), text);
    while let Some((before, number, after)) = next(rest) {
        let count = numbers.len();
        let index = *numbers.entry(number).or_insert(count);
        written += &format!("{before}numbers[{index}]");
        rest = after;
    }
    let mut set: Vec<(usize, &str)> = numbers.into_iter().map(|(number, index)| (index, number)).collect();
    set.sort_unstable();
    let assignments: String =
        set.iter().map(|(i, number)| format!("    numbers[{i}] = {number};\n")).collect();
    let array = format!("static mr_value numbers[{}];\n", set.len());
    (written + rest, format!("{array}static void make_numbers(void) {{\n{assignments}}}\n"))
}

/// The text before the first number, the number, and the text behind it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let at = MAKERS.iter().filter_map(|maker| text.find(maker)).min()?;
    let mut depth = 0;
    let mut is_last = |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ')' && depth == 0
    };
    let end = at + text[at..].find(&mut is_last)? + 1;
    Some((&text[..at], &text[at..end], &text[end..]))
}

#[test]
fn equal_numbers_are_one_element() {
    let (text, numbers) = shared("f(mr_whole(wide(1, 2)), mr_real(0.5), mr_whole(wide(1, 2)));");
    assert_eq!(text, "f(numbers[0], numbers[1], numbers[0]);");
    assert!(
        numbers.contains("numbers[0] = mr_whole(wide(1, 2));\n    numbers[1] = mr_real(0.5);\n"),
        "{numbers}"
    );
    assert!(numbers.starts_with("static mr_value numbers[2];"), "{numbers}");
}
