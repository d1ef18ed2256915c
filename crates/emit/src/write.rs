//! Expressions as text: the part that all languages share, and a trait for the differences.

use dodona_relations::ast::Bound;
use dodona_relations::plan::{Cause, Element, Precision};
use dodona_subject::{Function, ResultLowering};
use dodona_target::Value;

use super::script::{AgainName, Expr};

/// The name of the repetition by which numbers are moved, in what computes sides again.
pub(super) const REPETITION: &str = "mr_repetition";

/// How a language writes expressions.
pub(super) trait Dialect {
    /// The prefix of every word of the prelude, such as `mr_`.
    const WORDS: &'static str;

    /// A local variable, as an operand.
    fn local(name: &str) -> String;

    /// A constant, as an operand; `None` is the undefined value.
    ///
    /// # Errors
    /// Why the language has no such constant.
    fn constant(value: Option<&Value>) -> Result<String, String>;

    /// An output of a call.
    fn output(call: &str, output: usize) -> String;

    /// Whether a call ended in a certain way; `what` is `returned` or `traps`.
    fn about(call: &str, what: &str) -> String;

    /// A sequence of values.
    fn sequence(element: Element, items: &[String]) -> String;

    /// A float.
    fn float(x: f64) -> String;

    /// The name of a word of the prelude.
    fn word(word: &str) -> String {
        format!("{}{word}", Self::WORDS)
    }

    /// The name of the repetition by which numbers are moved.
    fn repetition() -> &'static str {
        REPETITION
    }

    /// A number of units in the last place.
    fn natural(n: u64) -> String {
        n.to_string()
    }

    /// `true` or `false`.
    fn truth(truth: bool) -> &'static str {
        if truth { "true" } else { "false" }
    }

    /// A `~=` that also holds where rounding explains the difference of its sides. `near` says whether it holds without.
    fn rounded(near: String, relative: String, again: &AgainName) -> String;
}

/// An expression written in the language `D`.
///
/// # Errors
/// Why the language cannot express it.
pub(super) fn expression<D: Dialect>(e: &Expr) -> Result<String, String> {
    let all = |items: &[Expr]| items.iter().map(expression::<D>).collect::<Result<Vec<String>, String>>();
    Ok(match e {
        Expr::Local(name) => D::local(name),
        Expr::Constant(value) => D::constant(value.as_ref())?,
        Expr::Output(call, output) => D::output(call, *output),
        Expr::Returned(call) => D::about(call, "returned"),
        Expr::Traps(call) => D::about(call, "traps"),
        Expr::Apply(word, operands) => apply::<D>(word, &all(operands)?),
        Expr::Sequence(element, items) => D::sequence(*element, &all(items)?),
        Expr::Near { sides, bound, single, again } => {
            let mut operands = all(&**sides)?;
            let word = match (bound, single) {
                (Bound::Relative(_), _) => "near",
                (Bound::Either { .. }, _) => "near_either",
                (Bound::Ulps(_), false) => "near_ulps",
                (Bound::Ulps(_), true) => "near_single_ulps",
            };
            operands.extend(match bound {
                Bound::Relative(relative) => vec![D::float(*relative)],
                Bound::Either { relative, absolute } => vec![D::float(*relative), D::float(*absolute)],
                Bound::Ulps(ulps) => vec![D::natural(*ulps)],
            });
            let near = apply::<D>(word, &operands);
            match (bound, again) {
                (Bound::Relative(relative) | Bound::Either { relative, .. }, Some(again)) => {
                    D::rounded(near, D::float(*relative), again)
                }
                _ => near,
            }
        }
        Expr::Moved(place, value) => {
            let value = expression::<D>(value)?;
            let single = D::truth(place.precision == Precision::Single);
            let word = match place.cause {
                Cause::Rounded => "moved",
                Cause::Made => "moved_made",
            };
            apply::<D>(word, &[D::repetition().to_owned(), place.index.to_string(), single.to_owned(), value])
        }
    })
}

/// A word of the prelude applied to operands.
pub(super) fn apply<D: Dialect>(word: &str, operands: &[String]) -> String {
    format!("{}({})", D::word(word), operands.join(", "))
}

/// The text with this many spaces before each line that is not empty.
pub(super) fn indented(text: &str, spaces: usize) -> String {
    let line = |line: &str| match line {
        "" => "\n".to_owned(),
        line => format!("{:spaces$}{line}\n", ""),
    };
    text.lines().map(line).collect()
}

/// A finite float with as many digits as it needs, in a form that C, Java, Python and Rust all read as the same number.
pub(super) fn finite(x: f64) -> String {
    format!("{x:?}")
}

/// The signature of a function in the notation of the manifest.
pub(super) fn signature(function: &Function) -> String {
    let parameters: Vec<String> =
        function.parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
    let result = match &function.result {
        ResultLowering::None => String::new(),
        ResultLowering::Value(s) => format!(" -> {s}"),
        ResultLowering::ReturnPointer(ty)
        | ResultLowering::NulTerminated(ty)
        | ResultLowering::OutBuffer { ty, .. } => {
            format!(" -> {ty}")
        }
        ResultLowering::Record(_) | ResultLowering::MultiValue(_) => " -> …".to_owned(),
        ResultLowering::Command => " -> command".to_owned(),
    };
    format!("{}({}){result}", function.name, parameters.join(", "))
}
