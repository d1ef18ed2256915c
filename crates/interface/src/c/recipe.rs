//! What a call is made of, and the function with that call.

use super::names::Names;
use super::unit::Function;
use crate::Callable;

/// What a call is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    /// The parameters of the signature, each with its type.
    pub(super) parameters: Vec<(String, String)>,
    /// More keys of the function, a line each.
    pub(super) keys: Vec<String>,
    /// What is done before the call.
    pub(super) before: Vec<String>,
    /// The outputs besides the result, each with its type and the code that gives it.
    pub(super) outputs: Vec<Output>,
    /// What stands behind pointers that are probed, as outputs.
    pub(super) probes: Vec<Output>,
    /// What is done last.
    pub(super) after: Vec<String>,
    /// Whether a parameter is an output too, as it is after the call.
    pub(super) is_in_out: bool,
    pub(super) names: Names,
}

/// An output of a call.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) name: String,
    pub(super) ty: String,
    /// The code that sets it, in which `$` is its variable.
    pub(super) set: String,
    /// The value, where that is all.
    pub(super) is_value: bool,
}

impl Output {
    /// An output that is what an expression gives.
    pub(super) fn value(name: String, ty: &str, expression: &str) -> Output {
        Output { name, ty: ty.to_owned(), set: expression.to_owned(), is_value: true }
    }

    /// The statement that sets the variable.
    fn statement(&self, variable: &str) -> String {
        match self.is_value {
            true => format!("{variable} = {};", self.set),
            false => self.set.replace('$', variable),
        }
    }
}

/// A text that is not there where its pointer is null.
pub(super) fn may_be_missing(name: String, is_cxx: bool, pointer: &str) -> Output {
    let set = match is_cxx {
        true => format!("if (const char *given = {pointer}) $ = given;"),
        false => pointer.to_owned(),
    };
    Output { name, ty: "Option<text>".to_owned(), set, is_value: !is_cxx }
}

impl Recipe {
    /// The function as a signature with its call.
    pub(super) fn callable(self, name: String, function: &Function) -> Callable {
        let is_plain = self.before.is_empty() && self.after.is_empty();
        let (result, call) = match self.outputs.as_slice() {
            [] => (None, self.code(|_| "")),
            [one] if is_plain && one.is_value => (Some(one.ty.clone()), one.set.clone()),
            [one] => (Some(one.ty.clone()), self.code(|_| "out")),
            several => {
                let named: Vec<String> =
                    several.iter().map(|one| format!("{}: {}", one.name, one.ty)).collect();
                (Some(format!("({})", named.join(", "))), self.code(|one| one.name.as_str()))
            }
        };
        Callable {
            name,
            path: function.name.clone(),
            parameters: self.parameters,
            variants: Vec::new(),
            result,
            call: Some(call),
            about: None,
            keys: self.keys,
        }
    }

    /// The statements of the call, one a line.
    fn code<'r>(&'r self, variable: impl Fn(&'r Output) -> &'r str) -> String {
        let set = self.outputs.iter().map(|output| output.statement(variable(output)));
        let lines: Vec<String> =
            self.before.iter().cloned().chain(set).chain(self.after.iter().cloned()).collect();
        lines.join("\n")
    }
}
