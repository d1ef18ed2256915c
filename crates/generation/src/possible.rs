//! Whether any input satisfies a condition: a solver says, over the domains and the precondition of the function.

use std::rc::Rc;

use dodona_symbolic::explore::{Explorer, Starts};
use dodona_symbolic::{Code, input::Shape, solver::Solver};
use dodona_target::{Signature, Until, Value};

use crate::search::SearchOptions;

/// Whether an input satisfies a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Possible {
    /// This one does.
    Yes(Vec<Value>),
    /// No input does: proved.
    No,
    /// Nobody knows, and why.
    Unknown(String),
}

/// Asks a solver about inputs of one function.
pub struct Asking<'s> {
    explorer: Explorer<'s>,
    function: Signature,
    shapes: Vec<Shape>,
    /// Whether these are all shapes that the domains allow.
    complete: bool,
    until: Until,
}

impl<'s> Asking<'s> {
    /// Asks about inputs of a function under test. Its code does not matter.
    pub fn new(
        function: &Signature,
        solver: &'s mut dyn Solver,
        options: &SearchOptions,
        until: &Until,
    ) -> Asking<'s> {
        let code = Rc::new(Code::none());
        let (shapes, complete) = Shape::all(function, options.longest);
        Asking {
            explorer: Explorer::new(&code, solver, options.bounds),
            function: function.clone(),
            shapes,
            complete,
            until: until.clone(),
        }
    }

    /// Whether some input satisfies a condition over the parameters.
    pub fn about(&mut self, condition: &str) -> Possible {
        let requires = restricted(&self.function, condition);
        let function = Signature { requires, ..self.function.clone() };
        let mut unknown = (!self.complete).then(|| "longer inputs were not tried (--max-len)".to_owned());
        for shape in &self.shapes {
            if !self.until.goes_on() {
                return Possible::Unknown("the time was up (--time gives more)".to_owned());
            }
            let shapes = std::slice::from_ref(shape);
            let starts = Starts::new(&mut self.explorer, &function, shapes, &mut |_, _, _| None);
            if let Some(why) = starts.unassumed {
                return Possible::Unknown(why);
            }
            if let (Some(start), Some(inputs)) = (starts.starts.first(), starts.inputs.first()) {
                let values = inputs.values(self.explorer.terms(), &start.model);
                return Possible::Yes(values);
            }
            if starts.unknown > 0 {
                unknown = Some("the solver does not know (--query-time gives it more)".to_owned());
            }
        }
        unknown.map_or(Possible::No, Possible::Unknown)
    }
}

/// The precondition of a function that is meant to work on inputs alone that satisfy a condition besides.
pub(crate) fn restricted(function: &Signature, condition: &str) -> Option<String> {
    Some(match &function.requires {
        Some(requires) => format!("({requires}) and ({condition})"),
        None => condition.to_owned(),
    })
}
