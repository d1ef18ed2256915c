//! Names and sentences for equations of a call with two arguments or more, by how the arguments are related to each other and to those on the
//! right side: `f(a, b) == f(b, a)` is "symmetric".

use super::{Namer, noun};
use crate::discovery::Operator;
use crate::equations::equation_term::{Term, TermId};
use crate::equations::head::Head;

impl Namer<'_> {
    /// Names an equation by which a word may be applied to one argument or to the result, `f(w(a), b) == w(f(a, b))`.
    pub(super) fn of_word_within(&self, f: &str, call: &Term, right: TermId) -> Option<(String, String)> {
        let r = self.terms.get(right);
        let Head::Word(operator) = r.head else { return None };
        let inner = self.terms.get(*r.operands.first()?);
        if !self.is_word_of_call(r) || inner.head != call.head {
            return None;
        }
        let different = call.operands.iter().zip(&inner.operands).filter(|(own, other)| own != other);
        let [(&changed, &plain)] = different.collect::<Vec<_>>()[..] else { return None };
        let changed = self.terms.get(changed);
        let is_kept = changed.head == r.head && changed.operands[..] == [plain];
        is_kept.then(|| {
            let (word, noun, plain) = (self.word(operator), noun(operator), self.written(plain));
            (format!("{f}_keeps_{word}"), format!("{noun} of {plain} before {f} is the same as after it"))
        })
    }

    /// Names an equation by which two calls, one of the result of the other, are one call: `f(f(a, b), c) == f(a, g(b, c))`.
    pub(super) fn of_own_result(&self, f: &str, call: &Term, right: TermId) -> Option<(String, String)> {
        let is_own = |&&argument: &&TermId| self.function(self.terms.get(argument)) == Some(f);
        let is_one = call.operands.iter().filter(is_own).count() == 1 && self.terms.calls(right) == 1;
        (is_one && self.function(self.terms.get(right)) == Some(f))
            .then(|| (format!("{f}_of_itself"), format!("{f} of its own result is {}", self.written(right))))
    }

    /// Names an equation of a call whose arguments are equal, or of which one is a constant or contains another.
    pub(super) fn by_arguments(&self, f: &str, call: &Term, right: TermId) -> Option<(String, String)> {
        let sentence = || format!("{f} for {} is {}", self.inside(call), self.written(right));
        if call.operands.windows(2).all(|two| two[0] == two[1]) {
            return Some((format!("{f}_of_equals"), sentence()));
        }
        let arguments = || call.operands.iter().map(|&argument| self.terms.get(argument).head);
        let constant = arguments().find_map(|head| match head {
            Head::Int(value) => Some(value.to_string().replace('-', "minus_")),
            Head::Empty(_) => Some("empty".to_owned()),
            _ => None,
        });
        if let Some(constant) = constant {
            return Some((format!("{f}_with_{constant}"), sentence()));
        }
        let has_part = arguments().any(|head| head == Head::Word(Operator::Concat));
        (has_part && self.terms.calls(right) == 0).then(|| (format!("{f}_with_part"), sentence()))
    }

    /// Names an equation between two calls of the same function.
    pub(super) fn by_itself(&self, f: &str, call: &Term, right: TermId) -> Option<(String, String)> {
        let r = self.terms.get(right);
        if self.function(r) != Some(f) {
            return None;
        }
        let is_plain = |term: &Term| term.operands.iter().all(|&o| self.terms.is_variable(o));
        let is_nested =
            |term: &Term| term.operands.iter().any(|&o| self.function(self.terms.get(o)) == Some(f));
        let is_joined = |&o: &TermId| self.terms.get(o).head == Head::Word(Operator::Concat);
        let mut heads = call.operands.iter().map(|&argument| self.terms.get(argument).head);
        let first = heads.next();
        let same_word = match first {
            Some(Head::Word(operator)) if heads.all(|head| Some(head) == first) => Some(operator),
            _ => None,
        };
        let (kind, words) = match same_word {
            _ if call.operands.len() == 2
                && is_plain(r)
                && is_plain(call)
                && same_set(&call.operands, &r.operands) =>
            {
                (
                    "symmetric".to_owned(),
                    "is symmetric: exchanging its arguments leaves the result".to_owned(),
                )
            }
            Some(operator) if is_plain(r) => match self.common_part(call) {
                Some(part) => (
                    format!("unchanged_by_common_{part}"),
                    format!("stays the same without a common {part} of all arguments"),
                ),
                None => {
                    let words = format!("stays the same if {} is applied to all arguments", noun(operator));
                    (format!("unchanged_by_{}", self.word(operator)), words)
                }
            },
            _ if is_nested(call) && is_nested(r) => (
                "associative".to_owned(),
                "is associative: it does not matter which two come first".to_owned(),
            ),
            _ if is_nested(call) && r.operands.iter().any(is_joined) => (
                "continued".to_owned(),
                "can be continued: of one part after the other it is what it is of both together".to_owned(),
            ),
            _ => return None,
        };
        Some((format!("{f}_{kind}"), format!("{f} {words}")))
    }
}

fn same_set(a: &[TermId], b: &[TermId]) -> bool {
    let sorted = |terms: &[TermId]| {
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms
    };
    sorted(a) == sorted(b)
}
