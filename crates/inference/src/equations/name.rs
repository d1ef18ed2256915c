//! Names and sentences for equations, as a person would give them, made from the structure of the equation.

use super::equation::Equation;
use super::equation_term::{Term, TermId, Terms};
use super::expression::expression;
use super::head::Head;
use super::vocabulary::Vocabulary;
use crate::discovery::Operator;

mod arguments;
mod many;

/// The name of an equation and what it says.
pub(super) fn of(vocabulary: &Vocabulary, terms: &Terms, equation: Equation) -> (String, String) {
    Namer { vocabulary, terms }.name(equation)
}

struct Namer<'a> {
    vocabulary: &'a Vocabulary,
    terms: &'a Terms,
}

impl Namer<'_> {
    fn name(&self, Equation { left, right, .. }: Equation) -> (String, String) {
        let (l, r) = (self.terms.get(left), self.terms.get(right));
        match (l.head, r.head) {
            (Head::Word(Operator::LessEqual), _) => self.of_bound(l),
            (Head::Word(Operator::Equal), Head::Bool(true)) => self.of_indiscernible(l),
            (Head::Word(Operator::PrefixOf), Head::Bool(true)) => self.of_part(l, "beginning"),
            (Head::Word(Operator::SuffixOf), Head::Bool(true)) => self.of_part(l, "end"),
            (Head::Output { .. }, _) => self.of_call(l, right),
            (_, Head::Output { .. }) if self.is_word_of_call(l) => self.of_call_below(l, right),
            (Head::Word(operator), _) if self.is_word_of_call(l) => {
                let f = self.function(self.terms.get(l.operands[0])).unwrap_or_default();
                let word = self.word(operator);
                let right = self.written(right);
                (format!("{f}_{word}"), format!("{} of what {f} gives is {right}", noun(operator)))
            }
            _ => self.other(left, right),
        }
    }

    /// Names the law that a call gives a constant only at equal arguments, `(f(a, b) == 0) == (a == b)`.
    fn of_indiscernible(&self, law: &Term) -> (String, String) {
        let sides = [0, 1].map(|place| self.terms.get(law.operands[place]));
        // The sides, and the two parts of each, stand in any order.
        let called = |id: TermId| self.function(self.terms.get(id)).map(|name| (id, name));
        let call = sides.iter().find_map(|side| side.operands.iter().find_map(|&id| called(id)));
        let Some((call, f)) = call else { return self.other(law.operands[0], law.operands[1]) };
        let [is_constant, are_equal] = match sides[0].operands.contains(&call) {
            true => sides,
            false => [sides[1], sides[0]],
        };
        let constant = is_constant.operands.iter().find(|&&id| id != call).map(|&id| self.written(id));
        let [a, b] = [are_equal.operands[0], are_equal.operands[1]].map(|id| self.written(id));
        let constant = constant.unwrap_or_default();
        (
            format!("{f}_tells_apart"),
            format!("{f} is {constant} where {a} and {b} are equal, and nowhere else"),
        )
    }

    /// Names the law that a call for a part of its data gives that part of what it gives for all, `f(x) is_prefix_of f(concat(x, y))`.
    fn of_part(&self, comparison: &Term, part: &str) -> (String, String) {
        let f = self.function(self.terms.get(comparison.operands[0])).unwrap_or_default();
        (format!("{f}_of_{part}"), format!("{f} of the {part} of data gives the {part} of the whole result"))
    }

    /// Names a bound: `f(x) <= len(x)`, `len(x) <= f(x)`, or the triangle inequality.
    fn of_bound(&self, comparison: &Term) -> (String, String) {
        let [low, high] = [0, 1].map(|place| comparison.operands[place]);
        let of = |term: TermId| self.function(self.terms.get(term));
        match (of(low), of(high)) {
            (Some(f), Some(_)) => self.between_calls(f, low, high),
            (Some(f), _) if self.terms.calls(high) == 2 => self.triangle(f, low),
            (Some(f), _) => (format!("{f}_at_most"), format!("{f} is at most {}", self.written(high))),
            (None, f) => {
                let f = f.unwrap_or_default();
                (format!("{f}_at_least"), format!("{f} is at least {}", self.written(low)))
            }
        }
    }

    /// Names the triangle inequality of a distance, `f(a, b) <= f(a, c) + f(c, b)`, or of a norm, `f(a + b) <= f(a) + f(b)`.
    fn triangle(&self, f: &str, low: TermId) -> (String, String) {
        match self.is_changed(low) {
            true => (
                format!("{f}_subadditive"),
                format!("{f} of sums is at most the sum of both, up to rounding"),
            ),
            false => (
                format!("{f}_triangle"),
                format!("{f} obeys the triangle inequality: no way round is shorter"),
            ),
        }
    }

    /// Names an inequality between a call and the same call with changed arguments.
    fn between_calls(&self, f: &str, low: TermId, high: TermId) -> (String, String) {
        let (changed, way) = match self.is_changed(high) {
            true => (high, ("lowered", "lowers")),
            false => (low, ("raised", "raises")),
        };
        if let Some(part) = self.common_part(self.terms.get(changed)) {
            return (
                format!("{f}_not_{}_by_common_{part}", way.0),
                format!("a common {part} of all arguments never {} {f}", way.1),
            );
        }
        let heads = self.terms.get(changed).operands.iter().map(|&argument| self.terms.get(argument).head);
        let mut operators = heads.filter_map(|head| if let Head::Word(o) = head { Some(o) } else { None });
        let (word, noun) =
            operators.next().map_or(("change".to_owned(), "change"), |o| (self.word(o), noun(o)));
        (
            format!("{f}_not_{}_by_{word}", way.0),
            format!("{noun}, applied to all arguments, never {} {f}", way.1),
        )
    }

    /// The part that all arguments of a call have in common: the beginning in `f(concat(t, a), concat(t, b))`.
    fn common_part(&self, call: &Term) -> Option<&'static str> {
        let joined: Vec<&Term> = call.operands.iter().map(|&argument| self.terms.get(argument)).collect();
        let is_common = |place: usize| {
            joined.iter().all(|term| {
                term.head == Head::Word(Operator::Concat) && term.operands[place] == joined[0].operands[place]
            })
        };
        [(0, "beginning"), (1, "end")].into_iter().find(|(place, _)| is_common(*place)).map(|(_, part)| part)
    }

    /// Whether a call has an argument that is not a variable or a constant.
    fn is_changed(&self, call: TermId) -> bool {
        self.terms.get(call).operands.iter().any(|&argument| !self.terms.get(argument).operands.is_empty())
    }

    /// Names an equation whose left side is a call, by what stands on the right side.
    fn of_call(&self, call: &Term, right: TermId) -> (String, String) {
        let f = self.function(call).unwrap_or_default();
        if let [argument] = call.operands[..] {
            return self.of_one(f, argument, right);
        }
        if let Some(known) = self.of_word_within(f, call, right) {
            return known;
        }
        if call.operands.len() > 2 {
            let known = self.by_itself(f, call, right);
            return known.unwrap_or_else(|| self.of_many(f, call, right));
        }
        let known = self.by_arguments(f, call, right).or_else(|| self.by_itself(f, call, right));
        known.or_else(|| self.of_own_result(f, call, right)).unwrap_or_else(|| self.sentence(f, call, right))
    }

    /// Names an equation of a call with one argument, `f(a)`, by what stands on the right side.
    fn of_one(&self, f: &str, argument: TermId, right: TermId) -> (String, String) {
        let (a, r) = (self.terms.get(argument), self.terms.get(right));
        let inner = self.function(a);
        let of_right = self.function(r);
        let written = self.written(right);
        if let Some(g) = inner {
            return self.of_result(f, g, right);
        }
        if self.terms.is_variable(argument) {
            return match (of_right, r.head) {
                (None, Head::Variable(_)) => {
                    (format!("{f}_identity"), format!("{f} gives back what it is given"))
                }
                (Some(g), _) => (format!("{f}_agrees_with_{g}"), format!("{f} and {g} give the same")),
                (None, Head::Word(operator)) => {
                    (format!("{f}_is_{}", self.word(operator)), format!("{f} gives {written}"))
                }
                (None, _) => (format!("{f}_constant"), format!("{f} always gives {written}")),
            };
        }
        match (a.head, r.head) {
            (Head::Empty(_), _) => (format!("{f}_of_empty"), format!("{f} of nothing is {written}")),
            (Head::Int(value), _) => {
                let value = value.to_string().replace('-', "minus_");
                (format!("{f}_of_{value}"), format!("what {f} is for {value}"))
            }
            (Head::Word(operator), Head::Word(other)) if operator == other => {
                let word = self.word(operator);
                (
                    format!("{f}_keeps_{word}"),
                    format!("{} before {f} is the same as after it", noun(operator)),
                )
            }
            (Head::Word(operator), _) => {
                let word = self.word(operator);
                match of_right == Some(f) {
                    true if self.is_word_of_call(a) => self.sentence_of(f, &word),
                    true => (
                        format!("{f}_unchanged_by_{word}"),
                        format!("{f} stays the same for {} and {}", self.written(argument), self.inside(r)),
                    ),
                    false => {
                        (format!("{f}_of_{word}"), format!("{f} of {} is {written}", self.written(argument)))
                    }
                }
            }
            _ => self.sentence_of(f, "law"),
        }
    }

    /// Names an equation of a call of a call, `f(g(x))`, by what stands on the right side.
    fn of_result(&self, f: &str, g: &str, right: TermId) -> (String, String) {
        let of_right = self.function(self.terms.get(right));
        match (g == f, of_right) {
            _ if self.terms.is_variable(right) && g == f => {
                (format!("{f}_undoes_itself"), format!("{f} undoes itself"))
            }
            _ if self.terms.is_variable(right) => (format!("{f}_undoes_{g}"), format!("{f} undoes {g}")),
            (true, Some(h)) if h == f => {
                (format!("{f}_idempotent"), format!("{f} of its own result leaves it as it is"))
            }
            (false, Some(h)) if h == f => {
                (format!("{f}_after_{g}"), format!("{f} gives the same after {g} as without it"))
            }
            (false, Some(h)) if h == g => {
                (format!("{f}_leaves_{g}"), format!("{f} leaves what {g} gives as it is"))
            }
            _ => (format!("{f}_of_{g}"), format!("{f} of a result of {g} is {}", self.written(right))),
        }
    }

    /// Names an equation of a word applied to a call: `w(f(x)) == f(y)`.
    fn of_call_below(&self, left: &Term, right: TermId) -> (String, String) {
        let Head::Word(operator) = left.head else { return self.sentence_of("", "law") };
        let inner = self.terms.get(left.operands[0]);
        let (f, r) = (self.function(inner).unwrap_or_default(), self.terms.get(right));
        let word = self.word(operator);
        match self.function(r) == Some(f) && inner.operands == r.operands {
            true => (
                format!("{f}_is_{word}_already"),
                format!("{} leaves what {f} gives as it is", noun(operator)),
            ),
            false => (
                format!("{f}_{word}"),
                format!("{} of what {f} gives is {}", noun(operator), self.written(right)),
            ),
        }
    }

    fn other(&self, left: TermId, right: TermId) -> (String, String) {
        let mut names: Vec<&str> = self.terms.functions(left).into_iter().map(|f| self.called(f)).collect();
        for function in self.terms.functions(right) {
            if !names.contains(&self.called(function)) {
                names.push(self.called(function));
            }
        }
        (
            format!("{}_law", names.join("_")),
            match &names[..] {
                [f] => format!("how results of {f} are related"),
                _ => format!("how {} are related", names.join(" and ")),
            },
        )
    }

    fn sentence(&self, f: &str, call: &Term, right: TermId) -> (String, String) {
        let arguments: Vec<String> = call.operands.iter().map(|&a| self.written(a)).collect();
        let r = self.written(right);
        (format!("{f}_law"), format!("{f} for {} is {r}", arguments.join(" and ")))
    }

    fn sentence_of(&self, f: &str, word: &str) -> (String, String) {
        (format!("{f}_{word}"), format!("how results of {f} are related"))
    }

    /// The arguments of a call, in words.
    fn inside(&self, call: &Term) -> String {
        call.operands.iter().map(|&operand| self.written(operand)).collect::<Vec<_>>().join(" and ")
    }

    fn written(&self, term: TermId) -> String {
        expression(self.vocabulary, self.terms, term).to_string()
    }

    /// Whether a term is a word whose only operand is a call.
    fn is_word_of_call(&self, term: &Term) -> bool {
        matches!(term.head, Head::Word(_))
            && matches!(term.operands[..], [inner] if self.function(self.terms.get(inner)).is_some())
    }

    fn called(&self, function: usize) -> &str {
        &self.vocabulary.functions[function].name
    }

    /// The name of the function that a call calls.
    fn function(&self, term: &Term) -> Option<&str> {
        match term.head {
            Head::Output { function, .. } => Some(self.called(usize::from(function))),
            _ => None,
        }
    }

    fn word(&self, operator: Operator) -> String {
        noun(operator).replace(' ', "_")
    }
}

/// A name for what an operator gives.
fn noun(operator: Operator) -> &'static str {
    match operator {
        Operator::Len => "length",
        Operator::Concat => "concatenation",
        Operator::Reverse => "reversal",
        Operator::Sorted => "sorting",
        Operator::Upper => "upper case",
        Operator::Lower => "lower case",
        Operator::Sum | Operator::Add => "sum",
        Operator::Subtract => "difference",
        Operator::Multiply => "product",
        Operator::Quotient => "quotient",
        Operator::Min => "minimum",
        Operator::Max => "maximum",
        Operator::Abs => "absolute value",
        _ => "combination",
    }
}
