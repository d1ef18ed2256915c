//! The names and sentences of what a relation expects of the follow-up output, such as `negates the result`.

use dodona_relations::ast::{BinaryOperator, Expression, Node, UnaryOperator};

use super::{Words, negated};

/// Reads what a relation expects.
pub(super) struct Expectation {
    /// The name of the function.
    pub(super) function: String,
    /// The source call.
    pub(super) source: Expression,
}

/// What kind of call an expression is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Output {
    OfSource,
    OfFollowUp,
}

/// How an expression is made of an output and an expression without outputs.
enum Made<'e> {
    Negated,
    Times(&'e Expression),
    Plus(&'e Expression),
    Minus(&'e Expression),
    TakenFrom(&'e Expression),
}

impl Expectation {
    /// `None` where a sentence could only repeat the formula.
    pub(super) fn words(&self, expect: &Expression) -> Option<Words> {
        let Node::Binary(operator, a, b) = &expect.node else { return None };
        if *operator == BinaryOperator::And {
            let (first, second) = (self.words(a)?, self.words(b)?);
            let sentence = format!("{} and {}", first.sentence, second.sentence);
            return Some(Words::new(format!("{}_and_{}", first.name, second.name), sentence));
        }
        match (self.output(a), self.output(b)) {
            (Some(Output::OfFollowUp), Some(Output::OfSource)) => compared(*operator),
            (Some(Output::OfSource), Some(Output::OfFollowUp)) => compared(operator.flipped()?),
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
        if self.is_plain(e) {
            return Some(Words::new(format!("gives_{e}"), format!("makes the result {e}")));
        }
        if let Node::Call { function: word, arguments } = &e.node
            && word.text == "reverse"
            && matches!(&arguments[..], [a] if self.output(a) == Some(Output::OfSource))
        {
            return Some(Words::new("reverses", "reverses the result"));
        }
        Some(match self.made_of(Output::OfSource, e)? {
            Made::Negated => negates(),
            Made::Times(by) => multiplies(by),
            Made::Plus(by) => adds(by),
            Made::Minus(by) => takes(by),
            Made::TakenFrom(whole) => taken_from(whole),
        })
    }

    /// The source output is equal to this expression of the follow-up output.
    fn equal_of(&self, e: &Expression) -> Option<Words> {
        Some(match self.made_of(Output::OfFollowUp, e)? {
            Made::Negated => negates(),
            Made::Times(by) => divides(by),
            Made::Plus(by) => takes(by),
            Made::Minus(by) => adds(by),
            Made::TakenFrom(whole) => taken_from(whole),
        })
    }

    /// How an expression is made of this output.
    fn made_of<'e>(&self, output: Output, e: &'e Expression) -> Option<Made<'e>> {
        let is = |e: &Expression| self.output(e) == Some(output);
        match &e.node {
            Node::Unary(UnaryOperator::Negate, a) if is(a) => Some(Made::Negated),
            Node::Binary(operator, a, b) => match operator {
                BinaryOperator::Multiply if is(a) && self.is_plain(b) => Some(Made::Times(b)),
                BinaryOperator::Multiply if is(b) && self.is_plain(a) => Some(Made::Times(a)),
                BinaryOperator::Add if is(a) && self.is_plain(b) => Some(Made::Plus(b)),
                BinaryOperator::Add if is(b) && self.is_plain(a) => Some(Made::Plus(a)),
                BinaryOperator::Subtract if is(a) && self.is_plain(b) => Some(Made::Minus(b)),
                BinaryOperator::Subtract if is(b) && self.is_plain(a) => Some(Made::TakenFrom(a)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Which call's output an expression is. Of a function with several outputs a sentence would not say which.
    fn output(&self, e: &Expression) -> Option<Output> {
        match &e.node {
            _ if *e == self.source => Some(Output::OfSource),
            Node::Call { function, .. } if function.text == self.function => Some(Output::OfFollowUp),
            _ => None,
        }
    }

    fn is_plain(&self, e: &Expression) -> bool {
        !self.has(Output::OfSource, e) && !self.has(Output::OfFollowUp, e)
    }

    /// Whether such an output is a part of an expression.
    pub(super) fn has(&self, output: Output, e: &Expression) -> bool {
        e.has(&|part| self.output(part) == Some(output))
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
