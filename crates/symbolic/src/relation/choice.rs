//! `if … then … else …` on terms.

use dodona_relations::plan::Op as Word;
use dodona_smt::term::{Term, Terms};

use super::arithmetic::Result;
use super::number::Number;
use super::register::{Data, Register};
use super::{integer, no_terms};

/// The value of `then` where the condition is true, else that of `otherwise`; undefined where the condition is, or the value that is taken.
///
/// # Errors
/// When sequences or texts of different lengths are chosen between: lengths are constants here.
pub(super) fn choose(
    terms: &mut Terms,
    condition: &Register,
    then: &Register,
    otherwise: Option<&Register>,
) -> Result<Register> {
    let is_first = condition.data.truth();
    let Some(otherwise) = otherwise else {
        let given = terms.and(condition.defined, is_first);
        // The value is passed on as it is, to the last bit.
        return Ok(Register { defined: terms.and(given, then.defined), ..then.clone() });
    };
    let taken = terms.ite(is_first, then.defined, otherwise.defined);
    let defined = terms.and(condition.defined, taken);
    if let Some(known) = is_first.constant() {
        let taken = if known != 0 { then } else { otherwise };
        return Ok(Register { defined, ..taken.clone() });
    }
    let data = data(terms, is_first, &then.data, &otherwise.data)?;
    Ok(Register { defined, ..Register::new(data) })
}

fn data(terms: &mut Terms, is_first: Term, a: &Data, b: &Data) -> Result<Data> {
    type Choose = fn(&mut Terms, Term, Term, Term) -> Term;
    let all = |terms: &mut Terms, choose: Choose, a: &[Term], b: &[Term]| -> Result<Vec<Term>> {
        if a.len() != b.len() {
            return Err(no_terms(Word::If));
        }
        Ok(a.iter().zip(b).map(|(a, b)| choose(terms, is_first, *a, *b)).collect())
    };
    Ok(match (a, b) {
        (Data::Bool(a), Data::Bool(b)) => Data::Bool(terms.ite(is_first, *a, *b)),
        (Data::Int(a), Data::Int(b)) => Data::Int(integer::choose(terms, is_first, *a, *b)),
        (Data::Float(a), Data::Float(b)) => Data::Float(terms.ite(is_first, *a, *b)),
        (Data::Text(a), Data::Text(b)) => Data::Text(all(terms, Terms::ite, a, b)?),
        (Data::Bools(a), Data::Bools(b)) => Data::Bools(all(terms, Terms::ite, a, b)?),
        (Data::Ints(a), Data::Ints(b)) => Data::Ints(all(terms, integer::choose, a, b)?),
        (Data::Floats(a), Data::Floats(b)) => Data::Floats(all(terms, Terms::ite, a, b)?),
        (a, b) => {
            let (a, b) = (Number::of(a), Number::of(b));
            Number {
                is_float: terms.ite(is_first, a.is_float, b.is_float),
                int: integer::choose(terms, is_first, a.int, b.int),
                float: terms.ite(is_first, a.float, b.float),
            }
            .data()
        }
    })
}
