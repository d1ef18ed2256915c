//! Names and sentences for equations of a call with more than two arguments. They mention only the arguments that are no plain variables:
//! `pad(text, 0, fill) == text` is "pad with size 0 gives text as it is".

use super::Namer;
use crate::equations::equation_term::{Term, TermId};
use crate::equations::head::Head;

impl Namer<'_> {
    /// Names an equation of a call with more than two arguments.
    pub(super) fn of_many(&self, f: &str, call: &Term, right: TermId) -> (String, String) {
        let r = self.terms.get(right);
        if !self.is_named_alike(call) {
            return self.sentence(f, call, right);
        }
        let is_plain_call = self.function(r) == Some(f) && self.special(r).is_empty();
        let special = self.special(call);
        if is_plain_call && special.is_empty() {
            return self.of_irrelevant(f, call, right);
        }
        let parts: Vec<String> = special.iter().map(|&place| self.part(call, place)).collect();
        let described: Vec<String> = special.iter().map(|&place| self.described(call, place)).collect();
        let with = match special.is_empty() {
            true => String::new(),
            false => format!(" with {}", described.join(" and ")),
        };
        let given_back = self.argument(call, right);
        let words = match given_back {
            _ if is_plain_call => format!("{f} stays the same{with}"),
            Some(_) => format!("{f}{with} gives {} as it is", self.written(right)),
            None => format!("{f}{with} is {}", self.written(right)),
        };
        let kind = match (special.is_empty(), given_back) {
            (false, _) => format!("with_{}", parts.join("_and_")),
            (true, Some(place)) => format!("is_{}", self.parameter(call, place)),
            (true, None) => "law".to_owned(),
        };
        (format!("{f}_{kind}"), words)
    }

    /// Names an equation of two calls whose arguments are variables. If one argument differs, it does not matter.
    fn of_irrelevant(&self, f: &str, call: &Term, right: TermId) -> (String, String) {
        let other = self.terms.get(right);
        let differ = |place: &usize| call.operands[*place] != other.operands[*place];
        let places: Vec<usize> = (0..call.operands.len()).filter(differ).collect();
        match places[..] {
            [place] => {
                let name = self.parameter(call, place);
                (format!("{f}_{name}_irrelevant"), format!("{name} does not matter to {f}"))
            }
            _ => self.sentence(f, call, right),
        }
    }

    /// Whether no variable of a call has the name of a parameter at another place than that of the parameter. Else a sentence that names
    /// parameters and variables would be ambiguous: of a function of `a` and `b`, the law `f(0, a) == a` is about what is given for `b`.
    fn is_named_alike(&self, call: &Term) -> bool {
        let names: Vec<&str> = (0..call.operands.len()).map(|place| self.parameter(call, place)).collect();
        call.operands.iter().enumerate().all(|(place, &argument)| match self.terms.get(argument).head {
            Head::Variable(variable) => {
                let name = self.vocabulary.variables[usize::from(variable)].name.as_str();
                let is_repeated = call.operands[..place].contains(&argument);
                name == names[place] || is_repeated || !names.contains(&name)
            }
            _ => true,
        })
    }

    /// The places of a call whose argument is no variable, or one that stands at an earlier place too.
    fn special(&self, call: &Term) -> Vec<usize> {
        let is_special = |place: &usize| {
            let argument = call.operands[*place];
            !self.terms.is_variable(argument) || call.operands[..*place].contains(&argument)
        };
        (0..call.operands.len()).filter(is_special).collect()
    }

    /// The place of a call at which a term is the argument.
    fn argument(&self, call: &Term, term: TermId) -> Option<usize> {
        call.operands.iter().position(|&argument| argument == term && self.terms.is_variable(term))
    }

    /// The name of a parameter of the function that a call calls.
    fn parameter(&self, call: &Term, place: usize) -> &str {
        let Head::Output { function, .. } = call.head else { return "" };
        &self.vocabulary.functions[usize::from(function)].parameters[place].0
    }

    /// A special argument in words: `size len(str)`, or `b equal to a`.
    fn described(&self, call: &Term, place: usize) -> String {
        let (name, argument) = (self.parameter(call, place), call.operands[place]);
        let relation = if self.terms.is_variable(argument) { "equal to " } else { "" };
        format!("{name} {relation}{}", self.written(argument))
    }

    /// A special argument as a part of a name: `size_0`, `size_length`.
    fn part(&self, call: &Term, place: usize) -> String {
        let argument = self.terms.get(call.operands[place]);
        let what = match argument.head {
            Head::Int(value) => value.to_string().replace('-', "minus_"),
            Head::Float(_) => "constant".to_owned(),
            Head::Bool(value) => value.to_string(),
            Head::Empty(_) => "empty".to_owned(),
            Head::Word(operator) => self.word(operator),
            Head::Output { function, .. } => self.called(usize::from(function)).to_owned(),
            Head::Variable(_) => "repeated".to_owned(),
        };
        format!("{}_{what}", self.parameter(call, place))
    }
}
