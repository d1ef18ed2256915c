//! Names and sentences for relations that a search found, such as a person would give them.

mod change_words;
mod expectation;

use dodona_relations::ast::{Body, Expression, Node, Relation, UnaryOperator};
use dodona_target::Signature;

use super::transformation::Transformation;
use change_words::change;
use expectation::{Expectation, Output};

/// The name of a relation, and what it says in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationWords {
    /// The function, the change, and the expectation: `sin_x_plus_pi_negates`. The expectation is left out where it has no words.
    pub name: String,
    /// A sentence: `adding pi to x negates the result`.
    pub sentence: String,
    /// Whether the sentence says all that the relation does, and not only how the input is changed.
    pub says_all: bool,
}

/// A part of a name, and the part of a sentence that says the same.
struct Words {
    name: String,
    sentence: String,
}

impl Words {
    fn new(name: impl Into<String>, sentence: impl Into<String>) -> Words {
        Words { name: name.into(), sentence: sentence.into() }
    }
}

/// Names a relation between a source call and the follow-up call that a transformation makes.
///
/// ```
/// use dodona_inference::discovery::{relation_words, transformations};
/// use dodona_relations::parse;
/// use dodona_subject::Manifest;
///
/// let manifest = "module = \"sin.wasm\"\n[[function]]\nsignature = \"sin(x: f64) -> f64\"\n";
/// let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).expect("it is valid");
/// let all = transformations(&manifest.signatures(), 0, &[], 64, 1);
/// let negated = all.iter().find(|t| t.given() == "x' = -x").expect("it is one");
/// let relation = parse("relation r: sin(-x) == -sin(x)").expect("it parses").relations.remove(0);
/// let words = relation_words(&manifest.functions[0], negated, &relation);
/// assert_eq!(words.name, "sin_x_negated_negates");
/// assert_eq!(words.sentence, "negating x negates the result");
/// ```
pub fn relation_words(
    function: &Signature,
    transformation: &Transformation,
    relation: &Relation,
) -> RelationWords {
    let expect = match &relation.body {
        Body::Calls(expect) => expect,
        Body::Primed { expect, .. } => expect,
    };
    let place = relation.condition.as_ref().map_or(String::new(), |condition| format!("where {condition}, "));
    let expectation = Expectation { function: function.name.clone(), source: transformation.source() };
    if !expectation.has(Output::OfFollowUp, expect) {
        let name = identifier(&[&function.name, "result"]);
        return RelationWords {
            name,
            sentence: format!("{place}this is true of every result"),
            says_all: false,
        };
    }
    let change = change(function, transformation);
    let words = expectation.words(expect);
    let says_all = words.is_some();
    let (expected, sentence) = match words {
        Some(Words { name, sentence }) => (name, format!("{place}{} {sentence}", change.sentence)),
        // A sentence that says so little does not repeat the condition.
        None => (String::new(), format!("the results before and after {} are related so", change.sentence)),
    };
    let name = identifier(&[&function.name, &change.name, &expected]);
    RelationWords { name, sentence, says_all }
}

/// The positive number of which this is the negative.
fn negated(e: &Expression) -> Option<Expression> {
    match &e.node {
        Node::Int(i) if *i < 0 => Some(Expression::new(Node::Int(i.checked_neg()?))),
        Node::Float(x) if *x < 0.0 => Some(Expression::new(Node::Float(-x))),
        Node::Unary(UnaryOperator::Negate, a) => Some((**a).clone()),
        _ => None,
    }
}

/// Words as a name that the relation language accepts, without two underscores in a row.
fn identifier(parts: &[&str]) -> String {
    let mut name = String::new();
    for c in parts.join("_").replace('-', "_minus_").chars() {
        match c {
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ if name.ends_with('_') || name.is_empty() => {}
            _ => name.push('_'),
        }
    }
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dodona_relations::{parse, parse_expression};
    use dodona_subject::Manifest;

    use super::*;
    use crate::discovery::transformations;

    pub(super) fn function(signature: &str) -> Vec<Signature> {
        let text = format!("module = \"m.wasm\"\n[[function]]\nsignature = \"{signature}\"\n");
        Manifest::parse(Path::new("dodona.toml"), &text).expect("a manifest").signatures()
    }

    fn words(signature: &str, given: &str, relation: &str) -> (String, String) {
        let functions = function(signature);
        let all = transformations(&functions, 0, &[], 200, 1);
        let of = all.iter().find(|t| t.given() == given);
        let of = of.unwrap_or_else(|| {
            panic!("{given} is none of {:?}", all.iter().map(Transformation::given).collect::<Vec<_>>())
        });
        let relation = parse(&format!("relation r: {relation}")).expect("it parses").relations.remove(0);
        let RelationWords { name, sentence, .. } = relation_words(&functions[0], of, &relation);
        (name, sentence)
    }

    #[track_caller]
    fn check(signature: &str, given: &str, relation: &str, name: &str, sentence: &str) {
        assert_eq!(words(signature, given, relation), (name.to_owned(), sentence.to_owned()));
    }

    #[test]
    fn changes_of_numbers_have_words() {
        let sin = "sin(x: f64) -> f64";
        check(
            sin,
            "x' = x + pi",
            "sin(x + pi) ~= -sin(x)",
            "sin_x_plus_pi_negates",
            "adding pi to x negates the result",
        );
        check(
            sin,
            "x' = pi - x",
            "sin(pi - x) ~= sin(x)",
            "sin_pi_minus_x_same",
            "taking x from pi leaves the result",
        );
        check(
            sin,
            "x' = 2 * x",
            "sin(2 * x) <= 2",
            "sin_double_x",
            "the results before and after doubling x are related so",
        );
        check(sin, "x' = -x", "sin(x) == -sin(-x)", "sin_x_negated_negates", "negating x negates the result");
    }

    #[test]
    fn conditions_and_factors_have_words() {
        let pow = "pow(k: i32, e: i32) -> i32";
        check(
            pow,
            "k' = k, e' = e - 1",
            "when e != 0: pow(k, e) == k * pow(k, e - 1)",
            "pow_e_minus_1_divides_by_k",
            "where e != 0, taking 1 from e divides the result by k",
        );
        let gcd = "gcd(p: i32, q: i32) -> i32";
        check(
            gcd,
            "p' = q, q' = p",
            "gcd(q, p) == gcd(p, q)",
            "gcd_p_q_exchanged_same",
            "exchanging p and q leaves the result",
        );
        check(
            gcd,
            "p' = q, q' = p",
            "gcd(p, q) <= gcd(q, p) + 1",
            "gcd_p_q_exchanged",
            "the results before and after exchanging p and q are related so",
        );
    }

    #[test]
    fn changes_of_sequences_and_texts_have_words() {
        let title = "title(str: text) -> text";
        check(
            title,
            "str' = remove(str, -1)",
            "title(remove(str, -1)) is_prefix_of title(str)",
            "title_str_without_last_prefix",
            "removing the last character of str gives a beginning of the result",
        );
        check(
            title,
            "str' = reverse(str)",
            "title(reverse(str)) == reverse(title(str))",
            "title_str_reversed_reverses",
            "reversing str reverses the result",
        );
        check(
            title,
            "str' = title(str)",
            "title(title(str)) == title(str)",
            "title_str_fed_back_same",
            "applying title to its own result leaves the result",
        );
    }

    #[test]
    fn what_is_true_of_each_result_names_no_change() {
        check(
            "sin(x: f64) -> f64",
            "x' = -x",
            "abs(sin(x)) <= 1",
            "sin_result",
            "this is true of every result",
        );
    }

    #[test]
    fn names_are_words_of_the_language() {
        let value = parse_expression("-1.5 / pi").expect("it parses");
        assert_eq!(identifier(&["f", &format!("x_plus_{value}"), ""]), "f_x_plus_minus_1_5_pi");
    }
}
