//! Names and sentences for relations that a search found, such as a person would give them.

use dodona_relations::ast::{BinaryOperator, Body, Expression, Node, Relation, UnaryOperator};
use dodona_subject::{Function, Type};

use super::transformation::Transformation;

/// The name of a relation, and what it says in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationWords {
    /// The function, the change, and the expectation: `sin_x_plus_pi_negates`. The expectation is left out where it has no words.
    pub name: String,
    /// A sentence: `adding pi to x negates the result`.
    pub sentence: String,
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
/// use dodona_evolution::discovery::{relation_words, transformations};
/// use dodona_relations::parse;
/// use dodona_subject::Manifest;
///
/// let manifest = "module = \"sin.wasm\"\n[[function]]\nsignature = \"sin(x: f64) -> f64\"\n";
/// let manifest = Manifest::parse(std::path::Path::new("dodona.toml"), manifest).expect("it is valid");
/// let all = transformations(&manifest.functions, 0, &[], 64, 1);
/// let negated = all.iter().find(|t| t.given() == "x' = -x").expect("it is one");
/// let relation = parse("relation r: sin(-x) == -sin(x)").expect("it parses").relations.remove(0);
/// let words = relation_words(&manifest.functions[0], negated, &relation);
/// assert_eq!(words.name, "sin_x_negated_negates");
/// assert_eq!(words.sentence, "negating x negates the result");
/// ```
pub fn relation_words(
    function: &Function,
    transformation: &Transformation,
    relation: &Relation,
) -> RelationWords {
    let expect = match &relation.body {
        Body::Calls(expect) => expect,
        Body::Primed { expect, .. } => expect,
    };
    let place = relation.condition.as_ref().map_or(String::new(), |condition| format!("where {condition}, "));
    let expectation = Expectation { function };
    if !expectation.has(Output::OfFollowUp, expect) {
        let name = identifier(&[&function.name, "result"]);
        return RelationWords { name, sentence: format!("{place}this is true of every result") };
    }
    let change = change(function, transformation);
    let (expected, sentence) = match expectation.words(expect) {
        Some(Words { name, sentence }) => (name, format!("{place}{} {sentence}", change.sentence)),
        // A sentence that says so little does not repeat the condition.
        None => (String::new(), format!("the results before and after {} are related so", change.sentence)),
    };
    let name = identifier(&[&function.name, &change.name, &expected]);
    RelationWords { name, sentence }
}

/// The change of the input.
fn change(function: &Function, transformation: &Transformation) -> Words {
    let changed = transformation.changed();
    let argument = |p: usize| &transformation.arguments[p];
    let name = |p: usize| function.parameters[p].name.as_str();
    if let [p, q] = changed[..]
        && is_name(argument(p), name(q))
        && is_name(argument(q), name(p))
    {
        return Words::new(
            format!("{}_{}_exchanged", name(p), name(q)),
            format!("exchanging {} and {}", name(p), name(q)),
        );
    }
    let (mut names, mut sentences) = (Vec::new(), Vec::new());
    for p in changed {
        let Words { name, sentence } = change_of(name(p), function.parameters[p].ty, argument(p), function);
        names.push(name);
        sentences.push(sentence);
    }
    Words::new(names.join("_and_"), sentences.join(", and "))
}

/// The change of one parameter.
fn change_of(x: &str, ty: Type, argument: &Expression, function: &Function) -> Words {
    let known = simple_change(x, ty, argument, function).or_else(|| double_change(x, ty, argument, function));
    known.unwrap_or_else(|| Words::new(format!("{x}_changed"), format!("replacing {x} by {argument}")))
}

/// Two changes, one after the other: `reverse(remove(x, -1))` is removing the last element of x and reversing it.
fn double_change(x: &str, ty: Type, argument: &Expression, function: &Function) -> Option<Words> {
    // What the second change is applied to is called so. A parameter of this name would be mistaken for it.
    const IT: &str = "it";
    let changed: Vec<&Expression> =
        argument.children().into_iter().filter(|child| mentions(child, x)).collect();
    let [first] = changed[..] else { return None };
    if function.parameter(IT).is_some() {
        return None;
    }
    let second = argument.rewrite(&mut |e| (e == first).then(|| Expression::name(IT)));
    let first = simple_change(x, ty, first, function)?;
    let second = simple_change(IT, ty, &second, function)?;
    let name = second.name.replace("it_", "").replace("_it", "");
    Some(Words::new(format!("{}_{name}", first.name), format!("{} and {}", first.sentence, second.sentence)))
}

fn mentions(e: &Expression, name: &str) -> bool {
    is_name(e, name) || e.children().into_iter().any(|child| mentions(child, name))
}

/// The change of one parameter; `None` where there are no words for it.
fn simple_change(x: &str, ty: Type, argument: &Expression, function: &Function) -> Option<Words> {
    let is_x = |e: &Expression| is_name(e, x);
    match &argument.node {
        Node::Binary(operator, a, b) => match (operator, is_x(a), is_x(b)) {
            (BinaryOperator::Add, true, false) => Some(added(x, b)),
            (BinaryOperator::Add, false, true) => Some(added(x, a)),
            (BinaryOperator::Subtract, true, false) => Some(taken(x, b)),
            (BinaryOperator::Subtract, false, true) => {
                Some(Words::new(format!("{a}_minus_{x}"), format!("taking {x} from {a}")))
            }
            (BinaryOperator::Multiply, true, false) => Some(multiplied(x, b)),
            (BinaryOperator::Multiply, false, true) => Some(multiplied(x, a)),
            _ => None,
        },
        Node::Unary(_, a) if is_x(a) => Some(Words::new(format!("{x}_negated"), format!("negating {x}"))),
        Node::Name(other) if !is_x(argument) => {
            Some(Words::new(format!("{x}_set_to_{other}"), format!("setting {x} to {other}")))
        }
        Node::Call { function: word, arguments } if word.text == function.name => {
            let sentence = match &function.parameters[..] {
                [_] => format!("applying {} to its own result", word.text),
                _ => format!("putting the result in the place of {x}"),
            };
            let words = || Words::new(format!("{x}_fed_back"), sentence);
            is_source(arguments, function).then(words)
        }
        Node::Call { function: word, arguments } => of_word(x, ty, &word.text, arguments),
        _ => None,
    }
}

fn added(x: &str, by: &Expression) -> Words {
    match negated(by) {
        Some(positive) => taken(x, &positive),
        None => Words::new(format!("{x}_plus_{by}"), format!("adding {by} to {x}")),
    }
}

fn taken(x: &str, by: &Expression) -> Words {
    Words::new(format!("{x}_minus_{by}"), format!("taking {by} from {x}"))
}

fn multiplied(x: &str, by: &Expression) -> Words {
    match &by.node {
        Node::Int(2) => Words::new(format!("double_{x}"), format!("doubling {x}")),
        _ => Words::new(format!("{x}_times_{by}"), format!("multiplying {x} by {by}")),
    }
}

/// The change of a parameter by a word of the language.
fn of_word(x: &str, ty: Type, word: &str, arguments: &[Expression]) -> Option<Words> {
    let element = if ty == Type::Text { "character" } else { "element" };
    let is_x = |e: &Expression| is_name(e, x);
    Some(match (word, arguments) {
        ("reverse", [a]) if is_x(a) => Words::new(format!("{x}_reversed"), format!("reversing {x}")),
        ("sorted", [a]) if is_x(a) => Words::new(format!("{x}_sorted"), format!("sorting {x}")),
        ("upper" | "lower", [a]) if is_x(a) => {
            Words::new(format!("{x}_{word}"), format!("putting {x} into {word} case"))
        }
        ("remove", [a, index]) if is_x(a) => {
            let place = match index.node {
                Node::Int(0) => "first",
                Node::Int(1) => "second",
                Node::Int(-1) => "last",
                _ => return None,
            };
            Words::new(format!("{x}_without_{place}"), format!("removing the {place} {element} of {x}"))
        }
        ("concat", [a, b]) if is_x(a) && is_x(b) => {
            Words::new(format!("{x}_twice"), format!("repeating {x}"))
        }
        ("concat", [a, b]) if is_x(a) => Words::new(format!("{x}_with_{b}"), format!("appending {b} to {x}")),
        ("concat", [a, b]) if is_x(b) => {
            Words::new(format!("{x}_after_{a}"), format!("putting {a} before {x}"))
        }
        _ => return None,
    })
}

/// Reads what a relation expects of the output of the follow-up call.
struct Expectation<'f> {
    function: &'f Function,
}

/// What kind of call an expression is.
#[derive(Clone, Copy, PartialEq)]
enum Output {
    OfSource,
    OfFollowUp,
}

impl Expectation<'_> {
    /// `None` where a sentence could only repeat the formula.
    fn words(&self, expect: &Expression) -> Option<Words> {
        let Node::Binary(operator, a, b) = &expect.node else { return None };
        if *operator == BinaryOperator::And {
            let (first, second) = (self.words(a)?, self.words(b)?);
            let sentence = format!("{} and {}", first.sentence, second.sentence);
            return Some(Words::new(format!("{}_and_{}", first.name, second.name), sentence));
        }
        match (self.output(a), self.output(b)) {
            (Some(Output::OfFollowUp), Some(Output::OfSource)) => compared(*operator),
            (Some(Output::OfSource), Some(Output::OfFollowUp)) => compared(flipped(*operator)),
            _ if !matches!(operator, BinaryOperator::Equal | BinaryOperator::Approximate) => None,
            (Some(Output::OfFollowUp), None) => self.equal_to(b),
            (None, Some(Output::OfFollowUp)) => self.equal_to(a),
            (Some(Output::OfSource), None) => self.equal_of(b),
            (None, Some(Output::OfSource)) => self.equal_of(a),
            _ => None,
        }
    }

    /// The follow-up output is equal to this expression of the source output.
    fn equal_to(&self, e: &Expression) -> Option<Words> {
        let is_source = |e: &Expression| self.output(e) == Some(Output::OfSource);
        let is_plain = |e: &Expression| !self.has_calls(e);
        Some(match &e.node {
            _ if is_plain(e) => Words::new(format!("gives_{e}"), format!("makes the result {e}")),
            Node::Unary(UnaryOperator::Negate, a) if is_source(a) => negates(),
            Node::Binary(BinaryOperator::Multiply, a, b) if is_source(a) && is_plain(b) => multiplies(b),
            Node::Binary(BinaryOperator::Multiply, a, b) if is_source(b) && is_plain(a) => multiplies(a),
            Node::Binary(BinaryOperator::Add, a, b) if is_source(a) && is_plain(b) => adds(b),
            Node::Binary(BinaryOperator::Add, a, b) if is_source(b) && is_plain(a) => adds(a),
            Node::Binary(BinaryOperator::Subtract, a, b) if is_source(a) && is_plain(b) => takes(b),
            Node::Binary(BinaryOperator::Subtract, a, b) if is_source(b) && is_plain(a) => taken_from(a),
            Node::Call { function: word, arguments } if word.text == "reverse" => {
                let [a] = &arguments[..] else { return None };
                is_source(a).then(|| Words::new("reverses", "reverses the result"))?
            }
            _ => return None,
        })
    }

    /// The source output is equal to this expression of the follow-up output.
    fn equal_of(&self, e: &Expression) -> Option<Words> {
        let is_follow_up = |e: &Expression| self.output(e) == Some(Output::OfFollowUp);
        let is_plain = |e: &Expression| !self.has_calls(e);
        Some(match &e.node {
            Node::Unary(UnaryOperator::Negate, a) if is_follow_up(a) => negates(),
            Node::Binary(BinaryOperator::Multiply, a, b) if is_follow_up(a) && is_plain(b) => divides(b),
            Node::Binary(BinaryOperator::Multiply, a, b) if is_follow_up(b) && is_plain(a) => divides(a),
            Node::Binary(BinaryOperator::Add, a, b) if is_follow_up(a) && is_plain(b) => takes(b),
            Node::Binary(BinaryOperator::Add, a, b) if is_follow_up(b) && is_plain(a) => takes(a),
            Node::Binary(BinaryOperator::Subtract, a, b) if is_follow_up(a) && is_plain(b) => adds(b),
            Node::Binary(BinaryOperator::Subtract, a, b) if is_follow_up(b) && is_plain(a) => taken_from(a),
            _ => return None,
        })
    }

    /// Which call's output an expression is. Of a function with several outputs a sentence would not say which.
    fn output(&self, e: &Expression) -> Option<Output> {
        match &e.node {
            Node::Call { function, arguments } if function.text == self.function.name => {
                Some(if is_source(arguments, self.function) { Output::OfSource } else { Output::OfFollowUp })
            }
            _ => None,
        }
    }

    fn has_calls(&self, e: &Expression) -> bool {
        self.has(Output::OfSource, e) || self.has(Output::OfFollowUp, e)
    }

    /// Whether such an output is a part of an expression.
    fn has(&self, output: Output, e: &Expression) -> bool {
        self.output(e) == Some(output) || e.children().into_iter().any(|child| self.has(output, child))
    }
}

fn compared(operator: BinaryOperator) -> Option<Words> {
    Some(match operator {
        BinaryOperator::Equal | BinaryOperator::Approximate => Words::new("same", "leaves the result"),
        BinaryOperator::NotEqual => Words::new("changes", "changes the result"),
        BinaryOperator::Less => Words::new("lowers", "lowers the result"),
        BinaryOperator::LessEqual => Words::new("never_higher", "never raises the result"),
        BinaryOperator::Greater => Words::new("raises", "raises the result"),
        BinaryOperator::GreaterEqual => Words::new("never_lower", "never lowers the result"),
        BinaryOperator::PrefixOf => Words::new("prefix", "gives a beginning of the result"),
        BinaryOperator::SuffixOf => Words::new("suffix", "gives an end of the result"),
        _ => return None,
    })
}

/// The comparison with its sides exchanged. Words such as `is_prefix_of` have no such comparison, and `and` stands for none here.
fn flipped(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        BinaryOperator::Equal | BinaryOperator::NotEqual | BinaryOperator::Approximate => operator,
        _ => BinaryOperator::And,
    }
}

fn negates() -> Words {
    Words::new("negates", "negates the result")
}

fn multiplies(by: &Expression) -> Words {
    match by.node {
        Node::Int(2) => Words::new("doubles", "doubles the result"),
        _ => Words::new(format!("multiplies_by_{by}"), format!("multiplies the result by {by}")),
    }
}

fn divides(by: &Expression) -> Words {
    match by.node {
        Node::Int(2) => Words::new("halves", "halves the result"),
        _ => Words::new(format!("divides_by_{by}"), format!("divides the result by {by}")),
    }
}

fn adds(by: &Expression) -> Words {
    match negated(by) {
        Some(positive) => takes(&positive),
        None => Words::new(format!("adds_{by}"), format!("adds {by} to the result")),
    }
}

fn takes(by: &Expression) -> Words {
    match negated(by) {
        Some(positive) => adds(&positive),
        None => Words::new(format!("takes_{by}"), format!("takes {by} from the result")),
    }
}

fn taken_from(whole: &Expression) -> Words {
    Words::new(format!("taken_from_{whole}"), format!("takes the result from {whole}"))
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

fn is_name(e: &Expression, name: &str) -> bool {
    matches!(&e.node, Node::Name(found) if found == name)
}

/// Whether the arguments of a call are just the parameters.
fn is_source(arguments: &[Expression], function: &Function) -> bool {
    let mut pairs = arguments.iter().zip(&function.parameters);
    arguments.len() == function.parameters.len() && pairs.all(|(argument, p)| is_name(argument, &p.name))
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

    fn function(signature: &str) -> Vec<Function> {
        let text = format!("module = \"m.wasm\"\n[[function]]\nsignature = \"{signature}\"\n");
        Manifest::parse(Path::new("dodona.toml"), &text).expect("a manifest").functions
    }

    fn words(signature: &str, given: &str, relation: &str) -> (String, String) {
        let functions = function(signature);
        let all = transformations(&functions, 0, &[], 200, 1);
        let of = all.iter().find(|t| t.given() == given);
        let of = of.unwrap_or_else(|| {
            panic!("{given} is none of {:?}", all.iter().map(Transformation::given).collect::<Vec<_>>())
        });
        let relation = parse(&format!("relation r: {relation}")).expect("it parses").relations.remove(0);
        let RelationWords { name, sentence } = relation_words(&functions[0], of, &relation);
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
    fn two_changes_have_words_of_both() {
        let sequence = "f(xs: [i32]) -> i32";
        let (x, ty) = ("xs", Type::Sequence(dodona_subject::Scalar::I32));
        let argument = parse_expression("reverse(remove(xs, -1))").expect("it parses");
        let words = change_of(x, ty, &argument, &function(sequence)[0]);
        assert_eq!(words.name, "xs_without_last_reversed");
        assert_eq!(words.sentence, "removing the last element of xs and reversing it");
        let argument = parse_expression("2 * k + 1").expect("it parses");
        let words = change_of(
            "k",
            Type::Scalar(dodona_subject::Scalar::I32),
            &argument,
            &function("f(k: i32) -> i32")[0],
        );
        assert_eq!(
            (words.name.as_str(), words.sentence.as_str()),
            ("double_k_plus_1", "doubling k and adding 1 to it")
        );
    }

    #[test]
    fn names_are_words_of_the_language() {
        let value = parse_expression("-1.5 / pi").expect("it parses");
        assert_eq!(identifier(&["f", &format!("x_plus_{value}"), ""]), "f_x_plus_minus_1_5_pi");
    }
}
