//! Equations of functions written here in Rust.

use std::convert::Infallible;

use bstr::ByteSlice;
use dodona_inference::equations::{
    Enumeration, Equation, EquationFunction, EquationOutput, EquationVariable, FreshVerdict, Laboratory,
    Limits, Rules, Terms, Values, Vocabulary, Written,
};
use dodona_relations::plan::{Element, Ty};
use dodona_target::{Column, Scalar, Sequence, Type, Value, next_splitmix64};

const ROWS: usize = 200;
const INTS: Ty = Ty::Sequence(Element::Int);

type Signature = fn(&[Value]) -> Option<Value>;

/// Functions, of which every equation that the recorded rows suggest is believed, unless a name on the list is in it.
struct Bench {
    functions: Vec<(Signature, Type)>,
    refused: Vec<&'static str>,
    vocabulary: Vocabulary,
    judged: Vec<String>,
}

impl Laboratory for Bench {
    type Error = Infallible;

    fn call(&mut self, function: usize, arguments: &[&Values]) -> Result<Vec<Values>, Infallible> {
        let (function, ty) = self.functions[function];
        let mut column = Column::empty(ty);
        let mut defined = Vec::new();
        for row in 0..ROWS {
            let is_defined = arguments.iter().all(|values| values.defined().nth(row) == Some(true));
            let values: Vec<Value> = arguments.iter().map(|values| values.column().value(row)).collect();
            let result = if is_defined { function(&values) } else { None };
            defined.push(result.is_some());
            match result {
                Some(value) => column.push(&value),
                None => column.push_default(),
            }
        }
        Ok(vec![Values::new(column, &defined)])
    }

    fn judge(&mut self, terms: &Terms, equation: Equation) -> Result<FreshVerdict, Infallible> {
        let relation = Written::new(&self.vocabulary, terms, equation).relation();
        let verdict = match self.refused.iter().any(|refused| relation.contains(refused)) {
            true => FreshVerdict::Refuted,
            false => FreshVerdict::Holds,
        };
        self.judged.push(relation);
        Ok(verdict)
    }

    fn may_go_on(&self) -> bool {
        true
    }
}

fn ints(value: &Value) -> Vec<i128> {
    match value {
        Value::Sequence(Sequence::Int(items)) => items.clone(),
        other => panic!("{other:?}"),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_str().expect("texts are ASCII").to_owned(),
        other => panic!("{other:?}"),
    }
}

fn sort(arguments: &[Value]) -> Option<Value> {
    let mut items = ints(&arguments[0]);
    items.sort_unstable();
    Some(Value::Sequence(Sequence::Int(items)))
}

fn levenshtein(arguments: &[Value]) -> Option<Value> {
    let [a, b] = [0, 1].map(|place| text(&arguments[place]).into_bytes());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let best = (before + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            before = std::mem::replace(&mut row[j + 1], best);
        }
    }
    Some(Value::Int(row[b.len()] as i128))
}

/// Hexadecimal of bytes.
fn encode(arguments: &[Value]) -> Option<Value> {
    let digits: String = ints(&arguments[0]).iter().map(|byte| format!("{byte:02x}")).collect();
    Some(Value::Text(digits.into()))
}

fn decode(arguments: &[Value]) -> Option<Value> {
    let digits = text(&arguments[0]);
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let byte = |place: usize| i128::from_str_radix(&digits[2 * place..2 * place + 2], 16).ok();
    let bytes: Option<Vec<i128>> = (0..digits.len() / 2).map(byte).collect();
    bytes.map(|bytes| Value::Sequence(Sequence::Int(bytes)))
}

/// Twice a number that is not negative, else 0.
fn ramp(arguments: &[Value]) -> Option<Value> {
    match arguments[0] {
        Value::Int(x) => Some(Value::Int(if x > 0 { 2 * x } else { 0 })),
        _ => None,
    }
}

/// A text, with stars behind it up to a length.
fn pad(arguments: &[Value]) -> Option<Value> {
    let (mut padded, Value::Int(length)) = (text(&arguments[0]), &arguments[1]) else { return None };
    while (padded.len() as i128) < *length {
        padded.push('*');
    }
    Some(Value::Text(padded.into()))
}

/// The complete pairs of letters, each exchanged.
fn swap(arguments: &[Value]) -> Option<Value> {
    let swapped: Vec<u8> =
        text(&arguments[0]).into_bytes().chunks_exact(2).flat_map(|pair| [pair[1], pair[0]]).collect();
    Some(Value::Text(swapped.into()))
}

/// A text with a star in front.
fn marked(arguments: &[Value]) -> Option<Value> {
    Some(Value::Text(format!("*{}", text(&arguments[0])).into()))
}

/// The vowels of a word, which has letters alone.
fn vowels(arguments: &[Value]) -> Option<Value> {
    let word = text(&arguments[0]);
    let is_vowel = |letter: &char| "aeiou".contains(*letter);
    let are_letters = word.chars().all(|letter| letter.is_ascii_lowercase());
    are_letters.then(|| Value::Int(word.chars().filter(is_vowel).count() as i128))
}

fn declared(name: &str, parameters: &[(&str, Ty)], ty: Ty) -> EquationFunction {
    EquationFunction {
        name: name.to_owned(),
        parameters: parameters.iter().map(|(name, ty)| ((*name).to_owned(), *ty)).collect(),
        outputs: vec![EquationOutput { selector: None, ty }],
    }
}

fn variable(name: &str, ty: Ty, parameters: &[(usize, usize)]) -> EquationVariable {
    EquationVariable { name: name.to_owned(), ty, parameters: parameters.to_vec() }
}

/// Random values: texts over an alphabet, sequences of small integers, small integers, small multiples of a quarter.
fn column(ty: Ty, alphabet: &[u8], seed: u64) -> Column {
    let mut state = seed;
    let mut random = |below: u64| next_splitmix64(&mut state) % below;
    let empty = match ty {
        Ty::Text => Type::Text,
        Ty::Int => Type::Scalar(Scalar::I64),
        Ty::Float => Type::Scalar(Scalar::F64),
        _ => Type::Sequence(Scalar::I64),
    };
    let mut column = Column::empty(empty);
    for _ in 0..ROWS {
        let length = random(9);
        column.push(&match ty {
            Ty::Text => {
                let letters: Vec<u8> =
                    (0..length).map(|_| alphabet[random(alphabet.len() as u64) as usize]).collect();
                Value::Text(letters.into())
            }
            Ty::Int => Value::Int(i128::from(random(41)) - 20),
            Ty::Float => Value::Float(f64::from(random(41) as u32) / 4.0 - 5.0),
            _ => Value::Sequence(Sequence::Int((0..length).map(|_| i128::from(random(256))).collect())),
        });
    }
    column
}

struct Found {
    relations: Vec<String>,
    names: Vec<String>,
    judged: Vec<String>,
}

/// The equations of some functions over variables, whose texts are drawn from these alphabets.
fn found(
    functions: Vec<(EquationFunction, Signature, Type)>,
    variables: Vec<(EquationVariable, &[u8])>,
    refused: &[&'static str],
) -> Found {
    let (declared, run): (Vec<_>, Vec<_>) =
        functions.into_iter().map(|(declared, run, ty)| (declared, (run, ty))).unzip();
    let drawn: Vec<Column> = (1..)
        .zip(&variables)
        .map(|(seed, (variable, alphabet))| column(variable.ty, alphabet, seed))
        .collect();
    let free: Vec<Column> =
        (100..).zip(&variables).map(|(seed, (v, _))| column(v.ty, b"aB z9\t.F", seed)).collect();
    let vocabulary = Vocabulary::new(declared, variables.into_iter().map(|(variable, _)| variable).collect());
    let mut bench = Bench {
        functions: run,
        refused: refused.to_vec(),
        vocabulary: vocabulary.clone(),
        judged: Vec::new(),
    };
    let mut enumeration = Enumeration::new(&vocabulary, &drawn, &free, Limits::default());
    if vocabulary.variables.iter().all(|variable| variable.ty == Ty::Float) {
        let Ok(()) = enumeration.run_plain(&mut bench);
        let Ok(()) = enumeration.run_bounds(&mut bench);
    } else {
        let Ok(()) = enumeration.run(&mut bench);
        let Ok(()) = enumeration.run_bounds(&mut bench);
        let Ok(()) = enumeration.run_conditional(&mut bench);
        let Ok(()) = enumeration.run_parts(&mut bench);
    }
    let written: Vec<Written> = enumeration
        .equations()
        .into_iter()
        .map(|equation| Written::new(&vocabulary, enumeration.terms(), equation))
        .collect();
    Found {
        relations: written.iter().map(Written::relation).collect(),
        names: written.into_iter().map(|written| written.name).collect(),
        judged: bench.judged,
    }
}

fn of_distance(refused: &[&'static str]) -> Found {
    let both = [(0, 0), (0, 1)];
    let function = declared("distance", &[("a", Ty::Text), ("b", Ty::Text)], Ty::Int);
    let variables = ["a", "b", "c"].map(|name| (variable(name, Ty::Text, &both), b"abcAB ".as_slice()));
    found(vec![(function, levenshtein, Type::Scalar(Scalar::U32))], variables.to_vec(), refused)
}

fn has_all(found: &Found, laws: &[&str]) {
    for law in laws {
        assert!(
            found.relations.iter().any(|relation| relation == law),
            "{law} is not in {:#?}",
            found.relations
        );
    }
}

#[test]
fn the_laws_of_the_edit_distance_are_those_of_a_textbook() {
    let found = of_distance(&[]);
    has_all(
        &found,
        &[
            ": (distance(a, b) == 0) == (a == b)",
            ": distance(a, \"\") == len(a)",
            ": distance(b, a) == distance(a, b)",
            ": distance(reverse(a), reverse(b)) == distance(a, b)",
            "(c: distance.a): distance(concat(c, a), concat(c, b)) == distance(a, b)",
            ": distance(a, b) <= max(len(a), len(b))",
            ": abs(len(a) - len(b)) <= distance(a, b)",
            "(c: distance.a): distance(a, b) <= distance(a, c) + distance(c, b)",
        ],
    );
    assert!(found.names.contains(&"distance_symmetric".to_owned()), "{:?}", found.names);
}

#[test]
fn what_the_laws_of_the_edit_distance_say_is_not_listed_again() {
    let found = of_distance(&[]);
    let again = [": distance(b, reverse(a)) == distance(a, reverse(b))"];
    for law in again {
        assert!(
            !found.relations.iter().any(|relation| relation == law),
            "{law} is in {:#?}",
            found.relations
        );
    }
}

#[test]
fn an_equation_that_other_inputs_refute_is_neither_listed_nor_built_upon() {
    let found = of_distance(&["reverse"]);
    assert!(found.judged.iter().any(|relation| relation.contains("reverse")));
    assert!(found.relations.iter().all(|relation| !relation.contains("reverse")), "{:#?}", found.relations);
}

#[test]
fn what_a_word_of_the_language_says_is_said_by_it() {
    let function = || declared("sort", &[("xs", INTS)], INTS);
    let ty = Type::Sequence(Scalar::I64);
    let variables = ["xs", "ys"].map(|name| (variable(name, INTS, &[(0, 0)]), b"".as_slice()));
    let found = found(vec![(function(), sort, ty)], variables.to_vec(), &[]);
    assert_eq!(found.relations, [": sort(xs) == sorted(xs)"]);
    assert_eq!(found.names, ["sort_is_sorting"]);
}

/// `encode` and `decode` undo each other, so that the digits of the one are of the kind of the other's parameter.
fn of_codec() -> Found {
    let encoder = declared("encode", &[("bytes", INTS)], Ty::Text);
    let decoder = declared("decode", &[("digits", Ty::Text)], INTS);
    let variables = vec![
        (variable("bytes", INTS, &[(0, 0)]), b"".as_slice()),
        (variable("more", INTS, &[(0, 0)]), b"".as_slice()),
        (variable("digits", Ty::Text, &[(1, 0)]), b"0123456789abcdefABCDEF".as_slice()),
    ];
    found(vec![(encoder, encode, Type::Text), (decoder, decode, Type::Sequence(Scalar::I64))], variables, &[])
}

#[test]
fn a_codec_has_its_round_trips_lengths_and_its_homomorphism() {
    let found = of_codec();
    has_all(
        &found,
        &[
            ": decode(encode(bytes)) == bytes",
            ": encode(decode(digits)) == lower(digits)",
            ": len(encode(bytes)) == 2 * len(bytes)",
            "(more: encode.bytes): encode(concat(bytes, more)) == concat(encode(bytes), encode(more))",
        ],
    );
    assert!(found.names.iter().any(|name| name == "decode_undoes_encode"), "{:?}", found.names);
}

#[test]
fn what_a_function_gives_for_a_part_may_be_a_part_of_what_it_gives_for_all() {
    let of = |run: Signature| {
        let function = declared("f", &[("t", Ty::Text)], Ty::Text);
        let variables = ["t", "u"].map(|name| (variable(name, Ty::Text, &[(0, 0)]), b"abcABC".as_slice()));
        found(vec![(function, run, Type::Text)], variables.to_vec(), &[])
    };
    let beginning = "(u: f.t): f(t) is_prefix_of f(concat(t, u))";
    let swapped = of(swap);
    has_all(&swapped, &[beginning]);
    assert!(swapped.names.contains(&"f_of_beginning".to_owned()), "{:?}", swapped.names);
    // That the result begins with a star and goes on with the text says more.
    let marked = of(marked);
    assert!(marked.relations.iter().all(|relation| !relation.contains("fix_of")), "{:#?}", marked.relations);
}

#[test]
fn a_norm_has_its_bounds_and_its_triangle_inequality() {
    let both = [(0, 0), (0, 1)];
    let function = declared("norm", &[("x", Ty::Float), ("y", Ty::Float)], Ty::Float);
    let norm: Signature = |arguments| match arguments {
        [Value::Float(x), Value::Float(y)] => Some(Value::Float(x.hypot(*y))),
        _ => None,
    };
    let variables = ["x", "y", "z", "w"].map(|name| (variable(name, Ty::Float, &both), b"".as_slice()));
    let found = found(vec![(function, norm, Type::Scalar(Scalar::F64))], variables.to_vec(), &[]);
    assert_eq!(
        found.relations,
        [
            ": norm(x, y) <= abs(x) + abs(y)",
            ": max(abs(x), abs(y)) <= norm(x, y)",
            "(z: norm.x, w: norm.x): norm(x + z, y + w) <= 1.000000001 * (norm(x, y) + norm(z, w))",
        ]
    );
    assert_eq!(found.names, ["norm_at_most", "norm_at_least", "norm_subadditive"]);
}

#[test]
fn a_common_beginning_never_lowers_how_alike_two_texts_are() {
    let both = [(0, 0), (0, 1)];
    let function = declared("alike", &[("a", Ty::Text), ("b", Ty::Text)], Ty::Int);
    // The length of the common beginning.
    let alike: Signature = |arguments| {
        let [a, b] = [0, 1].map(|place| text(&arguments[place]).into_bytes());
        Some(Value::Int(a.iter().zip(&b).take_while(|(x, y)| x == y).count() as i128))
    };
    let variables = ["a", "b", "c"].map(|name| (variable(name, Ty::Text, &both), b"ab".as_slice()));
    let found = found(vec![(function, alike, Type::Scalar(Scalar::U32))], variables.to_vec(), &[]);
    has_all(&found, &["(c: alike.a): alike(a, b) <= alike(concat(c, a), concat(c, b))"]);
    assert!(found.names.contains(&"alike_not_lowered_by_common_beginning".to_owned()), "{:?}", found.names);
}

#[test]
fn an_equation_that_holds_for_some_inputs_alone_has_the_condition() {
    let function = declared("ramp", &[("n", Ty::Int)], Ty::Int);
    let variables = vec![(variable("n", Ty::Int, &[(0, 0)]), b"".as_slice())];
    let found = found(vec![(function, ramp, Type::Scalar(Scalar::I64))], variables, &[]);
    assert!(
        found
            .relations
            .iter()
            .any(|relation| relation.contains("max(n, 0)") || relation.contains("when n <= 0: ramp(n) == 0")),
        "{:#?}",
        found.relations
    );
}

#[test]
fn the_condition_of_an_equation_is_the_most_general_one_and_stands_once() {
    let function = declared("pad", &[("word", Ty::Text), ("n", Ty::Int)], Ty::Text);
    let variables = vec![
        (variable("word", Ty::Text, &[(0, 0)]), b"abc".as_slice()),
        (variable("n", Ty::Int, &[(0, 1)]), b"".as_slice()),
    ];
    let found = found(vec![(function, pad, Type::Text)], variables, &[]);
    has_all(
        &found,
        &[": when n <= len(word): pad(word, n) == word", ": len(pad(word, n)) == max(n, len(word))"],
    );
    let conditional = found.relations.iter().filter(|relation| relation.contains("when"));
    assert_eq!(conditional.count(), 1, "{:#?}", found.relations);
    // At 0 and at `len(word)` the condition is true, so that these are instances.
    let special = found.relations.iter().filter(|relation| relation.ends_with(") == word"));
    assert_eq!(special.count(), 1, "{:#?}", found.relations);
}

#[test]
fn laws_of_words_within_and_of_a_call_of_itself_have_names() {
    let repeat: Signature = |arguments| {
        let Value::Int(count) = arguments[1] else { return None };
        Some(Value::Text(text(&arguments[0]).repeat(usize::try_from(count).unwrap_or(0)).into()))
    };
    let function = declared("repeat", &[("word", Ty::Text), ("n", Ty::Int)], Ty::Text);
    let variables = vec![
        (variable("word", Ty::Text, &[(0, 0)]), b"aBc".as_slice()),
        (variable("n", Ty::Int, &[(0, 1)]), b"".as_slice()),
    ];
    let found = found(vec![(function, repeat, Type::Text)], variables, &[]);
    let named: Vec<(&str, &str)> =
        found.names.iter().zip(&found.relations).map(|(name, law)| (name.as_str(), law.as_str())).collect();
    for expected in [
        ("repeat_keeps_upper_case", ": repeat(upper(word), n) == upper(repeat(word, n))"),
        ("repeat_keeps_reversal", ": repeat(reverse(word), n) == reverse(repeat(word, n))"),
    ] {
        assert!(named.contains(&expected), "{expected:?} is not in {named:#?}");
    }
    let of_itself = named.iter().filter(|(name, _)| name.starts_with("repeat_of_itself"));
    assert!(of_itself.count() > 0, "{named:#?}");
}

#[test]
fn equations_that_follow_where_a_text_is_empty_and_where_it_is_not_are_left_out() {
    // The first letter of a text is made a capital one.
    let capitalize: Signature = |arguments| {
        let word = text(&arguments[0]);
        let first = word.get(..1).unwrap_or_default().to_ascii_uppercase();
        Some(Value::Text((first + word.get(1..).unwrap_or_default()).into()))
    };
    let function = declared("capitalize", &[("word", Ty::Text)], Ty::Text);
    let both = [(0, 0)];
    let variables = ["word", "t"].map(|name| (variable(name, Ty::Text, &both), b"aBc".as_slice()));
    let found = found(vec![(function, capitalize, Type::Text)], variables.to_vec(), &[]);
    has_all(
        &found,
        &[
            r#": capitalize("") == """#,
            ": capitalize(capitalize(word)) == capitalize(word)",
            "(t: capitalize.word): when 0 < len(word): capitalize(concat(word, t)) == concat(capitalize(word), t)",
        ],
    );
    let concatenation = found.relations.iter().filter(|relation| relation.contains("concat"));
    assert_eq!(concatenation.count(), 1, "{:#?}", found.relations);
}

#[test]
fn texts_of_different_kinds_are_not_put_together() {
    let decoder = declared("decode", &[("digits", Ty::Text)], INTS);
    let counter = declared("vowels", &[("word", Ty::Text)], Ty::Int);
    let variables = vec![
        (variable("digits", Ty::Text, &[(0, 0)]), b"0123456789abcdef".as_slice()),
        (variable("word", Ty::Text, &[(1, 0)]), b"ghijklmnopqrstuvwxyz".as_slice()),
    ];
    let functions = vec![
        (decoder, decode as Signature, Type::Sequence(Scalar::I64)),
        (counter, vowels as Signature, Type::Scalar(Scalar::U32)),
    ];
    let found = found(functions, variables, &[]);
    let mixed = |relation: &&String| relation.contains("decode") && relation.contains("word");
    assert_eq!(found.judged.iter().find(mixed), None, "of different kinds");
    assert!(!found.relations.is_empty());
}

/// The terms of a vocabulary with one function of two texts, for rules.
mod rules {
    use dodona_inference::discovery::{EmptyKind, Operator};
    use dodona_inference::equations::{Head, TermId};

    use super::*;

    struct Language {
        vocabulary: Vocabulary,
        terms: Terms,
    }

    impl Language {
        fn new() -> Language {
            let both = [(0, 0), (0, 1)];
            let function = declared("f", &[("a", Ty::Text), ("b", Ty::Text)], Ty::Text);
            let variables = ["a", "b", "c"].map(|name| variable(name, Ty::Text, &both));
            Language {
                vocabulary: Vocabulary::new(vec![function], variables.to_vec()),
                terms: Terms::default(),
            }
        }

        fn term(&mut self, head: Head, operands: &[TermId]) -> TermId {
            self.terms.insert(&self.vocabulary, head, operands).expect("it is typed")
        }

        fn f(&mut self, a: TermId, b: TermId) -> TermId {
            self.term(Head::Output { function: 0, output: 0 }, &[a, b])
        }

        fn word(&mut self, operator: Operator, operands: &[TermId]) -> TermId {
            self.term(Head::Word(operator), operands)
        }
    }

    #[test]
    fn concatenation_associates() {
        let mut l = Language::new();
        let rules = Rules::new(&l.vocabulary.words, &[Ty::Text, Ty::Int]);
        let [a, b, c] = [0, 1, 2].map(|v| l.term(Head::Variable(v), &[]));
        let ab = l.word(Operator::Concat, &[a, b]);
        let bc = l.word(Operator::Concat, &[b, c]);
        let (left, right) = (l.word(Operator::Concat, &[ab, c]), l.word(Operator::Concat, &[a, bc]));
        assert!(rules.follows(&l.terms, Equation::new(left, right), &[]));
        let ba = l.word(Operator::Concat, &[b, a]);
        assert!(!rules.follows(&l.terms, Equation::new(ab, ba), &[]));
    }

    #[test]
    fn a_rule_holds_for_all_terms_of_its_variables() {
        let mut l = Language::new();
        let mut rules = Rules::new(&l.vocabulary.words, &[Ty::Text, Ty::Int]);
        let [a, b, c] = [0, 1, 2].map(|v| l.term(Head::Variable(v), &[]));
        let (ab, ba) = (l.f(a, b), l.f(b, a));
        let (inner, other) = (l.f(ab, c), l.f(c, ba));
        let symmetric = Equation::new(ba, ab);
        assert!(!rules.follows(&l.terms, Equation::new(inner, other), &[]));
        rules.add(&l.terms, symmetric);
        assert!(rules.follows(&l.terms, Equation::new(inner, other), &[]));
        assert!(!rules.follows(&l.terms, Equation::new(ab, a), &[]));
    }

    #[test]
    fn a_rule_under_a_condition_holds_where_the_condition_is_met() {
        let mut l = Language::new();
        let mut rules = Rules::new(&l.vocabulary.words, &[Ty::Text, Ty::Int]);
        let [a, b, c] = [0, 1, 2].map(|v| l.term(Head::Variable(v), &[]));
        let zero = l.term(Head::Int(0), &[]);
        let mut has_some = |term| {
            let length = l.word(Operator::Len, &[term]);
            l.word(Operator::Less, &[zero, length])
        };
        let (of_a, of_c) = (has_some(a), has_some(c));
        let (ab, cb) = (l.f(a, b), l.f(c, b));
        rules.add(&l.terms, Equation { left: ab, right: a, condition: Some(of_a) });
        assert!(rules.follows(&l.terms, Equation::new(ab, a), &[of_a]));
        assert!(rules.follows(&l.terms, Equation::new(cb, c), &[of_c]));
        assert!(!rules.follows(&l.terms, Equation::new(cb, c), &[]));
        assert!(!rules.follows(&l.terms, Equation::new(cb, c), &[of_a]));
    }

    #[test]
    fn numbers_are_computed() {
        let mut l = Language::new();
        let rules = Rules::new(&l.vocabulary.words, &[Ty::Text, Ty::Int]);
        let a = l.term(Head::Variable(0), &[]);
        let [two, four] = [2, 4].map(|number| l.term(Head::Int(number), &[]));
        let length = l.word(Operator::Len, &[a]);
        let twice = l.word(Operator::Multiply, &[two, length]);
        let (left, right) =
            (l.word(Operator::Multiply, &[two, twice]), l.word(Operator::Multiply, &[four, length]));
        assert!(rules.follows(&l.terms, Equation::new(left, right), &[]));
        assert!(!rules.follows(&l.terms, Equation::new(twice, right), &[]));
    }

    #[test]
    fn words_of_nothing_are_known() {
        let mut l = Language::new();
        let mut rules = Rules::new(&l.vocabulary.words, &[Ty::Text, Ty::Int]);
        let [a, b] = [0, 1].map(|v| l.term(Head::Variable(v), &[]));
        let nothing = l.term(Head::Empty(EmptyKind::Text), &[]);
        let (ab, of_nothing) = (l.f(a, b), l.f(nothing, b));
        let [length, of_a, of_b, least] = [ab, a, b, of_nothing].map(|term| l.word(Operator::Len, &[term]));
        let sum = l.word(Operator::Add, &[of_a, of_b]);
        rules.add(&l.terms, Equation::new(length, sum));
        assert!(rules.follows(&l.terms, Equation::new(least, of_b), &[]));
        let upper = l.word(Operator::Upper, &[nothing]);
        assert!(rules.follows(&l.terms, Equation::new(upper, nothing), &[]));
        assert!(!rules.follows(&l.terms, Equation::new(of_nothing, b), &[]));
    }

    #[test]
    fn what_a_word_makes_of_a_call_with_two_constants_is_a_special_case() {
        let mut l = Language::new();
        let a = l.term(Head::Variable(0), &[]);
        let nothing = l.term(Head::Empty(EmptyKind::Text), &[]);
        let mut is_of_textbook = |first, second| {
            let call = l.f(first, second);
            let upper = l.word(Operator::Upper, &[call]);
            Written::new(&l.vocabulary, &l.terms, Equation::new(upper, call)).is_of_textbook
        };
        assert!(is_of_textbook(a, nothing));
        assert!(!is_of_textbook(nothing, nothing));
    }

    #[test]
    fn what_is_true_of_all_numbers_is_no_property_of_a_function() {
        let vocabulary = {
            let function = declared("mean", &[("values", Ty::Sequence(Element::Float))], Ty::Float);
            Vocabulary::new(vec![function], vec![variable("values", Ty::Sequence(Element::Float), &[(0, 0)])])
        };
        let mut terms = Terms::default();
        let mut term =
            |head, operands: &[TermId]| terms.insert(&vocabulary, head, operands).expect("it is typed");
        let values = term(Head::Variable(0), &[]);
        let mean = term(Head::Output { function: 0, output: 0 }, &[values]);
        let zero = term(Head::Float(0.0_f64.to_bits()), &[]);
        let mut word = |operator| term(Head::Word(operator), &[mean, mean]);
        let [difference, least, greatest] = [Operator::Subtract, Operator::Min, Operator::Max].map(&mut word);
        let rules = Rules::new(&vocabulary.words, &[Ty::Float]);
        for (left, right) in [(difference, zero), (least, mean), (greatest, mean)] {
            assert!(rules.follows(&terms, Equation::new(left, right), &[]));
        }
        assert!(!rules.follows(&terms, Equation::new(mean, zero), &[]));
    }
}
