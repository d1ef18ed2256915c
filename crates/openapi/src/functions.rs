//! Functions of a manifest: an operation with some of its parameters.
//!
//! # Decisions
//! * **A function for each set of parameters.** A filter that is not given is no value that a relation could pass, and with all filters at once nearly every
//!   list is empty. So relations are about functions that give one filter, and what is left of the rest has its default. The price is several
//!   functions for one operation, which all call it.
//! * **The longest page.** What a filter leaves is compared with what it is taken from, and pages would cut both at different places. So functions that
//!   are no pages ask for the longest page, and relations are eligible where it was not full.

use dodona_target::{Given, Kind, Output, OutputName, Parameter as Declared, Signature, Type};

use crate::operation::Operation;
use crate::parameter::Parameter;
use crate::response::Field;

/// An operation as a function: some parameters are given, some have one value.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name in relations.
    pub name: String,
    /// The index of its operation in [`Api::operations`](crate::Api::operations).
    pub operation: usize,
    /// The indices of the parameters of the operation that it takes, in order.
    pub given: Vec<usize>,
    /// Parameters of the operation that always have one value, as text.
    pub fixed: Vec<(usize, String)>,
    /// The value of a call.
    pub output: Field,
    /// Further outputs: `list_items(q).total`.
    pub outputs: Vec<Field>,
    /// Requests that are made before its own, in the same call.
    pub setup: Vec<Step>,
}

/// A request that is made before that of a function, so that its value is what is there *after* something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The index of its operation in [`Api::operations`](crate::Api::operations).
    pub operation: usize,
    /// The indices of the parameters of that operation that the function takes, in order.
    pub given: Vec<usize>,
    /// The parameter that takes what a step before this one keeps, with the name of that.
    pub takes: Option<(usize, String)>,
    /// What later steps have of its answer: a name, and where it is found, as a JSON Pointer.
    pub keeps: Option<(String, String)>,
}

impl Function {
    /// The parameters that it takes: those of its setup, then its own.
    pub fn parameters<'o>(&self, operations: &'o [Operation]) -> Vec<&'o Parameter> {
        let steps = self.setup.iter().map(|step| (step.operation, &step.given));
        let of = |(operation, given): (usize, &Vec<usize>)| -> Vec<&'o Parameter> {
            let parameters = operations.get(operation).map_or(&[][..], |operation| &operation.parameters);
            given.iter().filter_map(|index| parameters.get(*index)).collect()
        };
        steps.chain([(self.operation, &self.given)]).flat_map(of).collect()
    }

    /// Whether calls leave everything as it was.
    pub fn is_safe(&self, operations: &[Operation]) -> bool {
        let mut all = self.setup.iter().map(|step| step.operation).chain([self.operation]);
        all.all(|operation| operations.get(operation).is_some_and(Operation::is_safe))
    }

    /// The signature as a manifest has it: `list_items(q: text) -> [i64]`.
    pub fn written(&self, operations: &[Operation]) -> String {
        let parameters: Vec<String> = self
            .parameters(operations)
            .into_iter()
            .map(|parameter| format!("{}: {}", parameter.name, parameter.ty))
            .collect();
        format!("{}({}) -> {}", self.name, parameters.join(", "), self.output.output())
    }

    /// What relations see of it.
    pub fn signature(&self, operations: &[Operation]) -> Signature {
        let parameters = self.parameters(operations).into_iter().map(|parameter| Declared {
            name: parameter.name.clone(),
            ty: parameter.ty,
            domain: parameter.domain.clone(),
            sampling: parameter.sampling.clone(),
        });
        let always: Option<Given> = None;
        let output = |name: OutputName, ty: Type| Output { name, ty, given: always };
        let more =
            self.outputs.iter().map(|field| output(OutputName::Part(field.name.clone()), field.output()));
        let outputs = std::iter::once(output(OutputName::Return, self.output.output())).chain(more).collect();
        Signature { name: self.name.clone(), parameters: parameters.collect(), outputs, requires: None }
    }
}

/// The function of an operation with these parameters. Its value is what tells records apart, else the first number or text.
pub(crate) fn function(
    index: usize,
    operation: &Operation,
    name: String,
    given: Vec<usize>,
) -> Option<Function> {
    let response = &operation.response;
    let fields = response.records.as_ref().map_or(&response.fields, |records| &records.fields);
    let main = match &response.records {
        Some(records) => {
            records.key.or_else(|| fields.iter().position(|field| !field.may_be_null)).unwrap_or(0)
        }
        // Of an object the first number that is no identifier: relations say more of numbers.
        None => {
            let is_number =
                |field: &Field| matches!(field.ty, Type::Scalar(scalar) if scalar.kind() != Kind::Bool);
            let is_told = |field: &Field| is_number(field) && !field.original.to_lowercase().ends_with("id");
            fields.iter().position(is_told).or_else(|| fields.iter().position(is_number)).unwrap_or(0)
        }
    };
    let output = fields.get(main)?.clone();
    let taken: Vec<&str> = operation.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let others = fields.iter().enumerate().filter(|(index, _)| *index != main).map(|(_, field)| field);
    let mut outputs: Vec<Field> = Vec::new();
    for field in response.total.iter().chain(others) {
        let mut field = field.clone();
        // An output beside a parameter of its name would be taken for the parameter after the call.
        while taken.contains(&field.name.as_str()) || outputs.iter().any(|other| other.name == field.name) {
            field.name.push('_');
        }
        outputs.push(field);
    }
    Some(Function { name, operation: index, given, fixed: Vec::new(), output, outputs, setup: Vec::new() })
}
