//! Predicts the outcome and outputs of a path's inputs.

use dodona_smt::term::{Assignment, Term, Terms};
use dodona_subject::Function;
use dodona_symbolic::input::{Inputs, float, integer};
use dodona_symbolic::{End, Symbol, Unreadable, explore::Path};
use dodona_target::{Kind, Malformed, Outcome, Scalar, Sequence, Type, Value};

use super::PathInput;

/// The input of a path that a model gives, with the predicted outcome and outputs.
pub fn predicted(
    terms: &Terms,
    function: &Function,
    inputs: &Inputs,
    path: &Path,
    model: &Assignment,
    constraint: Vec<String>,
) -> PathInput {
    let (outcome, outputs) = match outcome(terms, function, path, model) {
        Some((outcome, outputs)) => (Some(outcome), outputs),
        None => (None, None),
    };
    PathInput {
        values: inputs.values(terms, model),
        constraint,
        path: path.id,
        at: path.at.filter(|_| matches!(outcome, Some(Outcome::Trapped(_)))),
        outcome,
        outputs,
        again: 0,
        way: None,
    }
}

/// The predicted end of a path and the outputs there; `None` if the path was not followed to its end.
fn outcome(
    terms: &Terms,
    function: &Function,
    path: &Path,
    model: &Assignment,
) -> Option<(Outcome, Option<Vec<Value>>)> {
    let ended = match &path.end {
        End::Left(_) => return None,
        End::Trapped(trap) => return Some((Outcome::Trapped(*trap), None)),
        End::Exited(code) => Outcome::Exited(terms.evaluate(*code, model) as u32 as i32),
        End::Returned(_) if function.is_command() => Outcome::Exited(0),
        End::Returned(_) => Outcome::Returned,
    };
    let symbols = match &path.outputs {
        Ok(symbols) => symbols,
        Err(Unreadable::Symbolic | Unreadable::Malformed) => return Some((ended, None)),
    };
    let outputs = &function.outputs;
    let values = symbols.iter().zip(outputs).map(|(symbol, output)| value(terms, symbol, output.ty, model));
    Some(match values.collect::<Option<Vec<_>>>() {
        Some(values) => (ended, Some(values)),
        None => (Outcome::Malformed(Malformed::Range), None),
    })
}

/// The value of an output; `None` if it lies outside its declared type.
fn value(terms: &Terms, symbol: &Symbol, ty: Type, model: &Assignment) -> Option<Value> {
    let evaluate = |term: &Term| terms.evaluate(*term, model);
    Some(match (symbol, ty) {
        (Symbol::Scalar(term), Type::Scalar(scalar)) => scalar_value(scalar, evaluate(term))?,
        (Symbol::Elements(bytes), Type::Text) => {
            Value::Text(bytes.iter().map(|b| evaluate(b) as u8).collect::<Vec<_>>().into())
        }
        (Symbol::Elements(elements), Type::Sequence(scalar)) => {
            let bits: Vec<u128> = elements.iter().map(evaluate).collect();
            Value::Sequence(match scalar.kind() {
                Kind::Bool if bits.iter().any(|b| *b > 1) => return None,
                Kind::Bool => Sequence::Bool(bits.into_iter().map(|b| b != 0).collect()),
                Kind::Int => Sequence::Int(bits.into_iter().map(|b| integer(scalar, b)).collect()),
                Kind::Float => Sequence::Float(bits.into_iter().map(|b| float(scalar, b)).collect()),
            })
        }
        _ => return None,
    })
}

/// The value of a returned scalar, from the bits that WebAssembly returns.
fn scalar_value(scalar: Scalar, bits: u128) -> Option<Value> {
    Some(match scalar {
        Scalar::Bool if bits > 1 => return None,
        Scalar::Bool => Value::Bool(bits != 0),
        Scalar::F32 | Scalar::F64 => Value::Float(float(scalar, bits)),
        Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16 => {
            let passed = integer(if scalar.integer_range()?.0 < 0 { Scalar::I32 } else { Scalar::U32 }, bits);
            let (low, high) = scalar.integer_range()?;
            if passed < low || high < passed {
                return None;
            }
            Value::Int(passed)
        }
        _ => Value::Int(integer(scalar, bits)),
    })
}
