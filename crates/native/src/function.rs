//! A Rust function under test.

use dodona_target::{
    Calls, Column, Domain, Outcome, Output, OutputName, Parameter, Sampling, Shape, Signature, Trap,
};

use crate::argument::Argument;
use crate::domain::Within;
use crate::panics;
use crate::returned::Outputs;

/// Calls a function once for each of some rows.
type Rows = Box<dyn Fn(&[Column], usize) -> Calls + Send + Sync>;

/// A Rust function under test, as [`function!`](crate::function) makes it.
pub struct NativeFunction {
    pub(crate) signature: Signature,
    pub(crate) rows: Rows,
    /// What Rust allows of each parameter, whatever is said of it.
    least: Vec<Domain>,
}

/// A parameter of a type of Rust.
pub struct NativeParameter {
    parameter: Parameter,
    least: Domain,
    is_changed: bool,
}

impl NativeFunction {
    /// A function of this name with these parameters, which returns a value of this shape. The call is that of one row; it adds what is returned to the
    /// outputs, and then the parameters that it may have changed. A call that panics is an outcome.
    #[doc(hidden)]
    pub fn new(
        name: &str,
        parameters: Vec<NativeParameter>,
        returned: Shape,
        call: impl Fn(&[Column], usize, &mut Outputs<'_>) + Send + Sync + 'static,
    ) -> Self {
        let changed = parameters.iter().filter(|parameter| parameter.is_changed).map(|parameter| {
            let Parameter { name, ty, .. } = &parameter.parameter;
            Output::new(OutputName::Parameter(name.clone()), *ty)
        });
        let outputs: Vec<Output> = returned.outputs().into_iter().chain(changed).collect();
        let rows = rows(returned, &outputs, call);
        let (parameters, least) = parameters.into_iter().map(|p| (p.parameter, p.least)).unzip();
        let signature = Signature { name: in_relations(name), parameters, outputs, requires: None };
        NativeFunction { signature, rows, least }
    }

    /// A parameter by its name.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub(crate) fn parameter(&mut self, name: &str) -> &mut Parameter {
        let function = &self.signature.name;
        let found = self.signature.parameters.iter_mut().find(|parameter| parameter.name == name);
        found.unwrap_or_else(|| panic!("`{function}` has no parameter `{name}`"))
    }

    /// What relations see of it, with the domains as far as Rust has their values.
    ///
    /// # Panics
    /// When the domain of a parameter has no value of its type.
    #[track_caller]
    pub(crate) fn narrowed(mut self) -> NativeFunction {
        for (parameter, least) in self.signature.parameters.iter_mut().zip(&self.least) {
            parameter.domain = parameter.domain.intersection(least).unwrap_or_else(|| {
                panic!("no value that is said of `{}` is one of its type in Rust", parameter.name)
            });
        }
        self
    }
}

/// A name as relations have it: a keyword of Rust is an identifier there.
fn in_relations(name: &str) -> String {
    name.strip_prefix("r#").unwrap_or(name).to_owned()
}

/// A parameter of a type of Rust.
pub fn parameter<'a, A: Argument<'a>>(name: &str, within: Option<impl Within>) -> NativeParameter {
    let mut domain = Domain::default();
    within.into_iter().for_each(|within| within.narrow(&mut domain));
    let (name, sampling) = (in_relations(name), Sampling::default());
    NativeParameter {
        parameter: Parameter { name, ty: A::TYPE, domain, sampling },
        least: A::domain(),
        is_changed: A::IS_CHANGED,
    }
}

/// Calls of many rows, made of the call of one.
fn rows(
    returned: Shape,
    outputs: &[Output],
    call: impl Fn(&[Column], usize, &mut Outputs<'_>) + Send + Sync + 'static,
) -> Rows {
    // As they are read, and not as they are numbered.
    let mut types: Vec<_> = outputs.iter().map(|output| output.ty).collect();
    returned.value_last(&mut types);
    Box::new(move |arguments: &[Column], rows: usize| {
        let mut columns: Vec<Column> = types.iter().copied().map(Column::empty).collect();
        let mut one = |row: usize| {
            let returned = panics::caught(|| call(arguments, row, &mut Outputs::of(&mut columns)));
            if returned.is_some() {
                return Outcome::Returned;
            }
            // A value may have been read in part before the panic.
            columns.iter_mut().filter(|column| column.len() <= row).for_each(Column::push_default);
            Outcome::Trapped(Trap::Panicked)
        };
        let outcomes = (0..rows).map(&mut one).collect();
        returned.value_first(&mut columns);
        Calls { outcomes, outputs: columns }
    })
}
