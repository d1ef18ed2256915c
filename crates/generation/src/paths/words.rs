//! Writes path constraints as text.

use std::collections::HashMap;

use dodona_smt::term::{Assignment, Evaluator, Sort, Term, Terms, Variable};

/// Writes conditions as text. Sets of characters are cached, because many paths have the same conditions on a
/// character.
#[derive(Default)]
pub(super) struct Words {
    sets: HashMap<Vec<Term>, String>,
}

impl Words {
    /// The conditions of a path as text, in their order. All conditions on a single character are written as one set:
    /// twenty comparisons that a lexer makes on one byte become `text[0] in '0'..'9'`.
    pub(super) fn of(&mut self, terms: &Terms, conditions: &[Term]) -> Vec<String> {
        let mut told: Vec<Variable> = Vec::new();
        let mut words = Vec::new();
        for condition in conditions {
            match alone(terms, *condition) {
                Some(variable) if told.contains(&variable) => {}
                Some(variable) => {
                    told.push(variable);
                    let own = conditions.iter().copied().filter(|c| alone(terms, *c) == Some(variable));
                    let own: Vec<Term> = own.collect();
                    let set = self.sets.entry(own);
                    words.push(set.or_insert_with_key(|own| set_of(terms, variable, own)).clone());
                }
                None => words.push(terms.render(*condition)),
            }
        }
        words
    }
}

/// The character that a condition depends on, if it depends on nothing else.
fn alone(terms: &Terms, condition: Term) -> Option<Variable> {
    match terms.variables_of(condition) {
        [only] if terms.is_character(*only) && terms.sort_of(*only) == Sort::Bits(8) => Some(*only),
        _ => None,
    }
}

/// The set of bytes that satisfy the conditions, or the set that does not, whichever is smaller.
fn set_of(terms: &Terms, variable: Variable, conditions: &[Term]) -> String {
    let name = &terms.name_of(variable);
    let holds = |byte: u8| {
        let mut model = Assignment::default();
        model.set(variable, byte.into());
        let mut evaluator = Evaluator::new(terms, &model);
        conditions.iter().all(|condition| evaluator.holds(*condition))
    };
    let (inside, outside): (Vec<u8>, Vec<u8>) = (0..=u8::MAX).partition(|byte| holds(*byte));
    let ascii = |bytes: &[u8]| bytes.iter().filter(|b| b.is_ascii()).count();
    match (&inside[..], &outside[..]) {
        ([], _) | (_, []) => format!("{name} is any byte"),
        ([byte], _) => format!("{name} == {}", character(*byte)),
        (_, [byte]) => format!("{name} != {}", character(*byte)),
        _ if ascii(&inside) <= ascii(&outside) => format!("{name} in {}", ranges(&inside)),
        _ => format!("{name} not in {}", ranges(&outside)),
    }
}

/// Bytes as ranges: `'0'..'9', '_'`.
fn ranges(bytes: &[u8]) -> String {
    let mut runs: Vec<(u8, u8)> = Vec::new();
    for byte in bytes {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*byte) => *last = *byte,
            _ => runs.push((*byte, *byte)),
        }
    }
    let run = |(first, last): &(u8, u8)| match last - first {
        0 => character(*first),
        1 => format!("{}, {}", character(*first), character(*last)),
        _ => format!("{}..{}", character(*first), character(*last)),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}

/// A byte as a character literal in the notation of the relation language and C.
fn character(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'\\' => r"'\\'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        b' '..=b'~' => format!("'{}'", byte as char),
        _ => format!("0x{byte:02x}"),
    }
}

#[cfg(test)]
mod tests {
    use dodona_smt::term::Op;

    use super::*;

    fn words(terms: &Terms, conditions: &[Term]) -> Vec<String> {
        Words::default().of(terms, conditions)
    }

    #[test]
    fn what_is_said_of_one_character_is_one_set() {
        let mut terms = Terms::new();
        let x = terms.variable("text[0]", Sort::Bits(8));
        let n = terms.variable("n", Sort::Bits(8));
        terms.mark_character(x);
        let byte = |b: u8| Term::bits(8, b.into());
        let digit = terms.compare(Op::UnsignedLessEqual, byte(b'0'), x);
        let most = terms.compare(Op::UnsignedLessEqual, x, byte(b'9'));
        let five = terms.equal(x, byte(b'5'));
        let not_five = terms.not(five);
        let small = terms.compare(Op::UnsignedLess, n, byte(3));
        assert_eq!(words(&terms, &[digit, small, most, not_five]).remove(0), "text[0] in '0'..'4', '6'..'9'");
        assert_eq!(words(&terms, &[digit, small, most]).len(), 2);
        assert_eq!(words(&terms, &[not_five]), ["text[0] != '5'"]);
        assert_eq!(words(&terms, &[five]), ["text[0] == '5'"]);
        let low = terms.compare(Op::UnsignedLess, x, byte(b' '));
        let not_low = terms.not(low);
        assert_eq!(words(&terms, &[not_low]), ["text[0] not in 0x00..0x1f"]);
    }
}
