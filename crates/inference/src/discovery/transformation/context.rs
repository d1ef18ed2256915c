//! The context in which transformations of one function are written.

use dodona_relations::ast::{Expression, call};
use dodona_relations::plan::Ty;
use dodona_target::{Parameter, Signature, Value};

use super::{Template, Transformation};

/// A function under test, and the constants of its code.
pub(super) struct SignatureContext<'a> {
    pub(super) function: &'a Signature,
    functions: &'a [Signature],
    /// The constants of the code, and how often each occurs.
    pub(super) constants: &'a [(Value, u64)],
}

impl<'a> SignatureContext<'a> {
    pub(super) fn new(functions: &'a [Signature], function: usize, constants: &'a [(Value, u64)]) -> Self {
        SignatureContext { function: &functions[function], functions, constants }
    }

    /// The parameters with their indices and types.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (usize, &'a Parameter, Ty)> + use<'a> {
        self.function.parameters.iter().enumerate().map(|(i, p)| (i, p, p.ty.into()))
    }

    /// The name of a parameter, as an expression.
    pub(super) fn name(&self, parameter: usize) -> Expression {
        Expression::name(&self.function.parameters[parameter].name)
    }

    /// A transformation that changes some parameters and keeps the others. Its name consists of the template, the changed
    /// parameters and `constant`.
    pub(super) fn change(
        &self,
        template: Template,
        changes: Vec<(usize, Expression)>,
        constant: Option<&str>,
    ) -> Transformation {
        let mut arguments: Vec<Expression> =
            (0..self.function.parameters.len()).map(|i| self.name(i)).collect();
        let mut words: Vec<String> = Vec::new();
        for (parameter, value) in changes {
            words.push(self.function.parameters[parameter].name.clone());
            arguments[parameter] = value;
        }
        words.extend(constant.map(str::to_owned));
        Transformation::new(self, template, format!("{template:?}({})", words.join(", ")), arguments)
    }

    /// A built-in function of the language, applied to arguments; `None` if a function under test with the same name and arity hides it.
    pub(super) fn word(&self, word: &str, arguments: Vec<Expression>) -> Option<Expression> {
        let hides = |f: &Signature| f.name == word && f.parameters.len() == arguments.len();
        let is_hidden = self.functions.iter().any(hides);
        (!is_hidden).then(|| call(word, arguments))
    }

    /// `pi`; `None` where a parameter has that name.
    pub(super) fn pi(&self) -> Option<Expression> {
        self.function.parameter("pi").is_none().then(|| Expression::name("pi"))
    }
}
