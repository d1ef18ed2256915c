//! A list with its roles, and how relations of it are written.

use dodona_target::{Kind, Type, write_text};

use crate::functions::{Function, Step, function};
use crate::names::Names;
use crate::operation::Operation;
use crate::operations::Left;
use crate::response::Field;
use crate::roles::{Role, greatest, role};

use super::{Candidate, Pattern};

/// How far lists are asked for where the document has no greatest limit.
const LONGEST: i64 = 1000;

/// What tells the records of a call, whatever else there is of them: numbers, or lines of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Elements {
    pub(super) told: Told,
    /// The output: `.price`, or nothing for the value itself.
    output: String,
    /// Where it is found in the answer.
    pointer: String,
    is_text: bool,
}

impl Elements {
    /// The elements of a call, as a sequence.
    pub(super) fn of(&self, call: &str) -> String {
        self.sequence(format!("{call}{}", self.output))
    }

    /// The elements after some requests.
    pub(super) fn after(&self, after: &After) -> String {
        self.sequence(after.output(&self.pointer).unwrap_or_else(|| after.call.clone()))
    }

    fn sequence(&self, output: String) -> String {
        if self.is_text { format!("lines({output})") } else { output }
    }
}

/// The list after some requests.
pub(super) struct After {
    /// The call of its function, with the parameters of the requests.
    pub(super) call: String,
    /// Its outputs, of which the first is its value.
    pub(super) outputs: Vec<Field>,
}

impl After {
    /// An output of the call, by its place in the answer.
    pub(super) fn output(&self, pointer: &str) -> Option<String> {
        let index = self.outputs.iter().position(|field| field.pointer == pointer)?;
        Some(match index {
            0 => self.call.clone(),
            index => format!("{}.{}", self.call, self.outputs[index].name),
        })
    }
}

/// What the elements of an output say of the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// They tell records apart.
    Apart,
    /// Each record has one, and several may have the same.
    Values,
}

/// An operation that returns records, with what is written of it.
pub(super) struct List<'o> {
    pub(super) operation: &'o Operation,
    index: usize,
    names: &'o mut Names,
    pub(super) functions: Vec<Function>,
    pub(super) relations: Vec<Candidate>,
    pub(super) left: Vec<Left>,
}

impl<'o> List<'o> {
    pub(super) fn new(index: usize, operation: &'o Operation, names: &'o mut Names) -> List<'o> {
        let mut list =
            List { operation, index, names, functions: Vec::new(), relations: Vec::new(), left: Vec::new() };
        // The outputs are those of every function of the operation, and are read off this one.
        list.function("whole", &[]);
        list
    }

    /// A name for a second value, which no parameter has.
    pub(super) fn fresh(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.operation.parameters.iter().any(|parameter| parameter.name == name) {
            name.push('_');
        }
        name
    }

    /// The name of a parameter in signatures.
    pub(super) fn name(&self, parameter: usize) -> &'o str {
        &self.operation.parameters[parameter].name
    }

    /// The parameters with a role, by their indices.
    pub(super) fn with(&self, wanted: Role) -> Vec<usize> {
        let parameters = self.operation.parameters.iter().enumerate();
        parameters.filter(|(_, p)| role(self.operation, p) == Some(wanted)).map(|(index, _)| index).collect()
    }

    /// The most records that one call returns, if a parameter limits it.
    pub(super) fn longest(&self) -> Option<(usize, i64)> {
        let index = *self.with(Role::Limit).first()?;
        let parameter = &self.operation.parameters[index];
        let is_assumed = parameter
            .notes
            .iter()
            .any(|note| note.contains("no greatest value") || note.contains("no bounds"));
        let most = greatest(&parameter.domain).unwrap_or(LONGEST);
        Some((index, if is_assumed { most.min(LONGEST) } else { most }))
    }

    /// The function that takes these parameters besides those that are required, and asks for the longest page if it takes none of pages.
    pub(super) fn function(&mut self, suffix: &str, given: &[usize]) -> Option<String> {
        let parameters = self.operation.parameters.iter().enumerate();
        let taken: Vec<usize> = parameters
            .filter(|(index, p)| p.is_required || given.contains(index))
            .map(|(index, _)| index)
            .collect();
        let longest = self.longest().filter(|(index, _)| !taken.contains(index));
        if let Some(present) = self.functions.iter().find(|f| f.given == taken) {
            return Some(present.name.clone());
        }
        let name = self.names.free(&format!("{}_{suffix}", self.operation.name));
        let mut made = function(self.index, self.operation, name.clone(), taken)?;
        made.fixed.extend(longest.map(|(index, most)| (index, most.to_string())));
        self.functions.push(made);
        Some(name)
    }

    /// The function without any parameter that need not be given.
    pub(super) fn whole(&mut self) -> Option<String> {
        self.function("whole", &[])
    }

    /// A call of the function, with expressions for some of its parameters in place of their names.
    pub(super) fn call(&self, function: &str, with: &[(usize, String)]) -> String {
        let given =
            self.functions.iter().find(|f| f.name == function).map(|f| f.given.clone()).unwrap_or_default();
        let argument = |index: usize| match with.iter().find(|(other, _)| *other == index) {
            Some((_, expression)) => expression.clone(),
            None => self.operation.parameters[index].name.clone(),
        };
        let arguments: Vec<String> = given.into_iter().map(argument).collect();
        format!("{function}({})", arguments.join(", "))
    }

    /// The output that tells records: what tells them apart if there is such, else the first numbers, else the first text. `None` where there is no output.
    pub(super) fn elements(&self) -> Option<Elements> {
        let records = self.operation.response.records.as_ref()?;
        let function = self.functions.first()?;
        let own = function.output.output();
        let is_text = own == Type::Text;
        let pointer = function.output.pointer.clone();
        let of_value = |told| Elements { told, output: String::new(), pointer, is_text };
        if records.key.is_some() && (is_text || matches!(own, Type::Sequence(_))) {
            return Some(of_value(Told::Apart));
        }
        if is_number(own) {
            return Some(of_value(Told::Values));
        }
        let number = function.outputs.iter().find(|field| is_number(field.output()));
        match number {
            Some(field) => {
                let (output, pointer) = (format!(".{}", field.name), field.pointer.clone());
                Some(Elements { told: Told::Values, output, pointer, is_text: false })
            }
            None => is_text.then(|| of_value(Told::Values)),
        }
    }

    /// The output that says how many records there are in all.
    pub(super) fn total(&self) -> Option<String> {
        let total = self.operation.response.total.as_ref()?;
        let outputs = &self.functions.first()?.outputs;
        outputs.iter().find(|field| field.pointer == total.pointer).map(|field| format!(".{}", field.name))
    }

    /// The name of an output with the numbers of a field of each record.
    pub(super) fn field(&self, original: &str) -> Option<String> {
        let records = self.operation.response.records.as_ref()?;
        let field = records.fields.iter().find(|field| field.original == original)?;
        let function = self.functions.first()?;
        if function.output.pointer == field.pointer {
            return is_number(function.output.output()).then(String::new);
        }
        let output = function.outputs.iter().find(|output| output.pointer == field.pointer)?;
        is_number(output.output()).then(|| format!(".{}", output.name))
    }

    /// The condition that a call returned, and, where it is the longest page, had all records. A relation of calls that all fail says nothing.
    pub(super) fn all_came(&self, call: &str) -> String {
        self.came(call, |elements| elements.of(call))
    }

    /// [`List::all_came`] of the list after some requests.
    pub(super) fn all_came_after(&self, after: &After) -> String {
        self.came(&after.call, |elements| elements.after(after))
    }

    fn came(&self, call: &str, of: impl Fn(&Elements) -> String) -> String {
        match (self.longest(), self.elements()) {
            (Some((_, most)), Some(elements)) => format!("len({}) < {most}", of(&elements)),
            _ => format!("defined({call})"),
        }
    }

    /// Adds a relation: its header, its conditions and what it expects.
    pub(super) fn add(
        &mut self,
        suffix: &str,
        pattern: Pattern,
        states: String,
        (header, conditions, expected): (&str, &[String], String),
    ) {
        let name = self.names.free(&format!("{}_{suffix}", self.operation.name));
        let header = if header.is_empty() { String::new() } else { format!("({header})") };
        let conditions: Vec<&str> = conditions.iter().map(String::as_str).filter(|c| !c.is_empty()).collect();
        let when = match conditions.is_empty() {
            true => String::new(),
            false => format!(" when {}:", conditions.join(" and ")),
        };
        let text = format!("relation {name}{header}:{when}\n    {expected}\n");
        self.relations.push(Candidate { name, pattern, states, text });
    }

    /// Adds the function whose value is the whole list after some requests.
    pub(super) fn after(
        &mut self,
        suffix: &str,
        setup: Vec<Step>,
        operations: &[Operation],
    ) -> Option<After> {
        let whole = self.whole()?;
        let mut made = self.functions.iter().find(|function| function.name == whole)?.clone();
        made.name = self.names.free(&format!("{}_after_{suffix}", self.operation.name));
        made.setup = setup;
        let names: Vec<&str> = made.parameters(operations).iter().map(|p| p.name.as_str()).collect();
        let call = format!("{}({})", made.name, names.join(", "));
        // An output beside a parameter of its name would be taken for the parameter.
        for output in made.outputs.iter_mut().filter(|output| names.contains(&output.name.as_str())) {
            output.name.push('_');
        }
        let outputs = std::iter::once(&made.output).chain(&made.outputs).cloned().collect();
        self.functions.push(made);
        Some(After { call, outputs })
    }

    /// Tells a relation that is not written.
    pub(super) fn leave(&mut self, what: &str, why: impl Into<String>) {
        self.left.push(Left { what: format!("{}: {what}", self.operation.name), why: why.into() });
    }
}

pub(super) fn is_number(ty: Type) -> bool {
    matches!(ty, Type::Sequence(scalar) if scalar.kind() != Kind::Bool)
}

/// That each record of the first is one of the second.
pub(super) fn among(part: &str, whole: &str) -> String {
    format!("{part} is_subset_of {whole}")
}

/// That no record is in both.
pub(super) fn apart(one: &str, other: &str) -> String {
    format!("{one} is_disjoint_from {other}")
}

/// Several sequences as one.
pub(super) fn joined(parts: &[String]) -> String {
    match parts {
        [] => "[]".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("concat({first}, {})", joined(rest)),
    }
}

/// A text as the relation language writes it.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_text(&mut out, text.as_bytes());
    out
}
