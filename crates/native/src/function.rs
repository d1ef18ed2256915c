//! A Rust function under test.

use dodona_target::{Calls, Column, Domain, Outcome, Parameter, Signature, Trap};

use crate::argument::Argument;
use crate::domain::Within;
use crate::panics;
use crate::returned::Returned;

/// Calls a function once for each of some rows.
type Rows = Box<dyn Fn(&[Column], usize) -> Calls + Send + Sync>;

/// A Rust function under test, as [`function!`](crate::function) makes it.
pub struct NativeFunction {
    pub(crate) signature: Signature,
    pub(crate) rows: Rows,
}

impl NativeFunction {
    /// A function of this name with these parameters.
    #[doc(hidden)]
    pub fn new(
        name: &str,
        parameters: Vec<Parameter>,
        (rows, returned): (Rows, Option<dodona_target::Type>),
    ) -> Self {
        NativeFunction { signature: Signature::new(name, parameters, returned), rows }
    }

    /// The domain of a parameter, if there is one of this name.
    pub(crate) fn domain(&mut self, parameter: &str) -> Option<&mut Domain> {
        self.signature.parameters.iter_mut().find(|p| p.name == parameter).map(|p| &mut p.domain)
    }
}

/// A parameter of a type of Rust.
pub fn parameter<'a, A: Argument<'a>>(name: &str, within: Option<impl Within>) -> Parameter {
    let mut parameter = Parameter::new(name, A::TYPE);
    within.into_iter().for_each(|within| within.narrow(&mut parameter.domain));
    parameter
}

/// Calls of many rows, made of the call of one, which adds what is returned to the column of the output. `R` is what it returns. A call
/// that panics is an outcome.
pub fn rows<R: Returned>(
    call: impl Fn(&[Column], usize, Option<&mut Column>) -> Outcome + Send + Sync + 'static,
) -> (Rows, Option<dodona_target::Type>) {
    let rows = move |columns: &[Column], rows: usize| {
        let mut outputs: Vec<Column> = R::TYPE.into_iter().map(Column::empty).collect();
        let mut one = |row: usize| {
            let ended = panics::caught(|| call(columns, row, outputs.first_mut()));
            ended.unwrap_or_else(|| {
                outputs.iter_mut().for_each(Column::push_default);
                Outcome::Trapped(Trap::Panicked)
            })
        };
        Calls { outcomes: (0..rows).map(&mut one).collect(), outputs }
    };
    (Box::new(rows), R::TYPE)
}
