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
}

impl Function {
    /// The parameters that it takes.
    pub fn parameters<'o>(&self, operation: &'o Operation) -> impl Iterator<Item = &'o Parameter> {
        self.given.iter().filter_map(|index| operation.parameters.get(*index))
    }

    /// The signature as a manifest has it: `list_items(q: text) -> [i64]`.
    pub fn written(&self, operation: &Operation) -> String {
        let parameters: Vec<String> = self
            .parameters(operation)
            .map(|parameter| format!("{}: {}", parameter.name, parameter.ty))
            .collect();
        format!("{}({}) -> {}", self.name, parameters.join(", "), self.output.output())
    }

    /// What relations see of it.
    pub fn signature(&self, operation: &Operation) -> Signature {
        let parameters = self.parameters(operation).map(|parameter| Declared {
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
        Some(records) => records.key.unwrap_or(0),
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
    Some(Function { name, operation: index, given, fixed: Vec::new(), output, outputs })
}
