//! A list with its roles, and how relations of it are written.

use dodona_target::{Kind, Type, write_text};

use crate::functions::{Function, function};
use crate::names::Names;
use crate::operations::{Left, Operation};
use crate::roles::{Role, greatest, role};

use super::{Candidate, Pattern};

/// How far lists are asked for where the document has no greatest limit.
const LONGEST: i64 = 1000;

/// What the numbers of an output say of the records.
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

    /// What numbers say of the records, and which output has them: `f(x)` itself or `f(x).price`. `None` where there are only texts.
    pub(super) fn numbers(&self) -> Option<(Told, String)> {
        let records = self.operation.response.records.as_ref()?;
        let function = self.functions.first()?;
        if matches!(function.output.output(), Type::Sequence(_)) && records.key.is_some() {
            return Some((Told::Apart, String::new()));
        }
        if is_number(function.output.output()) {
            return Some((Told::Values, String::new()));
        }
        let field = function.outputs.iter().find(|field| is_number(field.output()))?;
        Some((Told::Values, format!(".{}", field.name)))
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

    /// The condition that the longest page had all records.
    pub(super) fn all_came(&self, call: &str) -> String {
        match (self.longest(), self.numbers()) {
            (Some((_, most)), Some((_, output))) => format!("len({call}{output}) < {most}"),
            _ => String::new(),
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
