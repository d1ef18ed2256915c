//! Random relations as text, over whatever functions there are: conditions, calls in calls, words, domains that calls leave.

use std::collections::BTreeMap;

use dodona_target::{Kind, Scalar, Signature, Type, Value};

use crate::choices::Choices;

/// The kind of value that an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A whole number of any width.
    Int,
    /// A float of either width.
    Float,
    /// True or false.
    Truth,
    /// A sequence of whole numbers.
    Ints,
    /// A sequence of floats.
    Floats,
    /// A text.
    Text,
}

impl ValueKind {
    /// The kind of the values of a type.
    pub fn of(ty: Type) -> ValueKind {
        let float = ty.scalar().map(Scalar::kind) == Some(Kind::Float);
        match ty {
            Type::Text => ValueKind::Text,
            Type::Sequence(_) if float => ValueKind::Floats,
            Type::Sequence(_) => ValueKind::Ints,
            Type::Scalar(scalar) if scalar.kind() == Kind::Bool => ValueKind::Truth,
            Type::Scalar(_) if float => ValueKind::Float,
            Type::Scalar(_) => ValueKind::Int,
        }
    }
}

/// A call as it can be written: the function, what its parameters are, and the output that is taken.
#[derive(Clone)]
struct Callee {
    name: String,
    parameters: Vec<(String, ValueKind)>,
    output: String,
    is: ValueKind,
}

/// Draws expressions over variables and functions.
#[derive(Clone)]
pub struct Grammar {
    callees: Vec<Callee>,
    variables: Vec<(String, ValueKind)>,
    /// Whether calls are of the source input alone, as they are in conditions.
    sources_only: bool,
}

const INTS: [&str; 12] =
    ["0", "1", "-1", "2", "3", "7", "10", "127", "255", "2147483647", "-2147483648", "9007199254740993"];
const FLOATS: [&str; 14] = [
    "0.5",
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "1e-9",
    "1e300",
    "nan",
    "inf",
    "-inf",
    "2147483648.0",
    "5e-324",
    "3.4028234663852886e38",
];

/// A variable as it is marked in a draft, so that [`with_values`] can replace it.
pub fn marked(variable: &str) -> String {
    format!("‹{variable}›")
}

/// The text with values in place of its variables.
pub fn with_values(text: &str, point: &BTreeMap<String, Value>) -> String {
    point
        .iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(&marked(name), &format!("({value})")))
}

/// Functions through which bits are seen that no word of the language shows: the sign of NaN, and of zero.
pub const OBSERVERS: [&str; 3] = ["bits", "bits32", "sign"];

impl Grammar {
    /// The grammar over the functions with the indices in `called`; its variables are their parameters. Expressions are given with their
    /// variables marked: see [`Grammar::relation`] and [`with_values`].
    pub fn new(functions: &[Signature], called: &[usize]) -> Grammar {
        let callee = |&index: &usize| {
            let function = &functions[index];
            let parameters: Vec<_> =
                function.parameters.iter().map(|p| (p.name.clone(), ValueKind::of(p.ty))).collect();
            let outputs = &function.outputs;
            let named = outputs.iter().map(move |output| Callee {
                name: function.name.clone(),
                parameters: parameters.clone(),
                output: output.name.selector().map(|name| format!(".{name}")).unwrap_or_default(),
                is: ValueKind::of(output.ty),
            });
            named.collect::<Vec<_>>()
        };
        let parameters = called.iter().flat_map(|&index| &functions[index].parameters);
        let mut variables: Vec<(String, ValueKind)> =
            parameters.map(|p| (p.name.clone(), ValueKind::of(p.ty))).collect();
        variables.sort_by(|a, b| a.0.cmp(&b.0));
        variables.dedup();
        Grammar { callees: called.iter().flat_map(callee).collect(), variables, sources_only: false }
    }

    /// The grammar of conditions.
    pub fn conditions(&self) -> Grammar {
        Grammar { sources_only: true, ..self.clone() }
    }

    /// A relation: its variables are bound in its header, and a relation without a call gets one.
    pub fn relation(&self, name: &str, condition: &str, expected: &str) -> String {
        let is_call = |callee: &Callee| {
            [condition, expected].iter().any(|text| text.contains(&format!("{}(", callee.name)))
        };
        let call = match self.callees.iter().any(is_call) {
            true => String::new(),
            false => format!(" and defined({})", self.source_call(&self.callees[0])),
        };
        let text = format!("{condition}({expected}){call}");
        let used = self.variables.iter().filter(|(name, _)| text.contains(&marked(name)));
        let bound = |(name, _): &(String, ValueKind)| {
            let has = |callee: &&Callee| callee.parameters.iter().any(|(parameter, _)| parameter == name);
            self.callees.iter().find(has).map(|callee| format!("{name}: {}.{name}", callee.name))
        };
        let header: Vec<String> = used.filter_map(bound).collect();
        let header = if header.is_empty() { String::new() } else { format!(" ({})", header.join(", ")) };
        format!("relation {name}{header}: {text}\n").replace(['‹', '›'], "")
    }

    fn source_call(&self, callee: &Callee) -> String {
        let arguments: Vec<String> = callee.parameters.iter().map(|(name, _)| marked(name)).collect();
        format!("{}({})", callee.name, arguments.join(", "))
    }

    /// An expression of a kind.
    pub fn expression(&self, choices: &mut Choices<'_>, is: ValueKind, depth: u32) -> String {
        if depth == 0 || !choices.has_more() || choices.one_in(5) {
            return self.leaf(choices, is);
        }
        if choices.below(5) < 2 {
            return self.call(choices, is, depth - 1);
        }
        match is {
            ValueKind::Int => self.int(choices, depth - 1),
            ValueKind::Float => self.float(choices, depth - 1),
            ValueKind::Truth => self.truth(choices, depth - 1),
            ValueKind::Ints | ValueKind::Floats => self.sequence(choices, is, depth - 1),
            ValueKind::Text => self.text(choices, depth - 1),
        }
    }

    /// The bits of a float that is computed in the relation, where a function shows them.
    pub fn observed(&self, choices: &mut Choices<'_>, depth: u32) -> Option<String> {
        let shows_bits = |callee: &&Callee| OBSERVERS.contains(&callee.name.as_str());
        let all: Vec<&Callee> = self.callees.iter().filter(shows_bits).collect();
        let callee = (!all.is_empty()).then(|| choices.one_of(&all))?;
        Some(format!("{}({})", callee.name, self.float(choices, depth)))
    }

    fn leaf(&self, choices: &mut Choices<'_>, is: ValueKind) -> String {
        let known: Vec<&str> =
            self.variables.iter().filter(|(_, of)| *of == is).map(|(name, _)| name.as_str()).collect();
        if !known.is_empty() && choices.below(4) < 3 {
            return marked(choices.one_of(&known));
        }
        let literal = match is {
            ValueKind::Int => choices.one_of(&INTS),
            ValueKind::Float => choices.one_of(&FLOATS),
            ValueKind::Truth => choices.one_of(&["true", "false"]),
            ValueKind::Ints => choices.one_of(&["[]", "[1]", "[0, -1]", "[2147483647, 1]"]),
            ValueKind::Floats => choices.one_of(&["[]", "[0.5]", "[-0.0, 1]", "[nan, inf]"]),
            ValueKind::Text => choices.one_of(&["\"\"", "\"a\"", "\"ab\"", "\"A \\n\""]),
        };
        if literal.starts_with('-') { format!("({literal})") } else { literal.to_owned() }
    }

    /// A call that gives such a value.
    fn call(&self, choices: &mut Choices<'_>, is: ValueKind, depth: u32) -> String {
        let known: Vec<&Callee> = self.callees.iter().filter(|callee| callee.is == is).collect();
        if known.is_empty() {
            return self.leaf(choices, is);
        }
        self.called(choices, &known, depth)
    }

    fn called(&self, choices: &mut Choices<'_>, known: &[&Callee], depth: u32) -> String {
        let callee = choices.one_of(known);
        if self.sources_only || choices.one_in(4) {
            return format!("{}{}", self.source_call(callee), callee.output);
        }
        format!("{}{}", self.follow_up(choices, callee, depth), callee.output)
    }

    fn follow_up(&self, choices: &mut Choices<'_>, callee: &Callee, depth: u32) -> String {
        let arguments: Vec<String> =
            callee.parameters.iter().map(|(_, is)| self.expression(choices, *is, depth)).collect();
        format!("{}({})", callee.name, arguments.join(", "))
    }

    fn number(&self, choices: &mut Choices<'_>, depth: u32) -> String {
        let is = choices.one_of(&[ValueKind::Float, ValueKind::Int]);
        self.expression(choices, is, depth)
    }

    fn int(&self, choices: &mut Choices<'_>, depth: u32) -> String {
        let int = |choices: &mut Choices<'_>| self.expression(choices, ValueKind::Int, depth);
        match choices.below(9) {
            0..=2 => format!("({} {} {})", int(choices), choices.one_of(&["+", "-", "*"]), int(choices)),
            3 => format!("({} {} {})", int(choices), choices.one_of(&["div", "mod"]), int(choices)),
            4 => format!("(-{})", int(choices)),
            5 => format!("{}({}, {})", choices.one_of(&["min", "max"]), int(choices), int(choices)),
            6 => format!("abs({})", int(choices)),
            7 => format!(
                "{}({})",
                choices.one_of(&["floor", "ceil"]),
                self.expression(choices, ValueKind::Float, depth)
            ),
            _ => {
                let of = choices.one_of(&[ValueKind::Ints, ValueKind::Text, ValueKind::Floats]);
                let sequence = self.expression(choices, of, depth);
                match (of, choices.below(4)) {
                    (ValueKind::Ints, 1) => format!("sum({sequence})"),
                    (ValueKind::Ints, 2) => format!("({sequence})[{}]", int(choices)),
                    (ValueKind::Text, 3) => {
                        format!("count({sequence}, {})", self.expression(choices, of, depth))
                    }
                    (_, 3) => format!("count({sequence}, {})", self.number(choices, depth)),
                    _ => format!("len({sequence})"),
                }
            }
        }
    }

    fn float(&self, choices: &mut Choices<'_>, depth: u32) -> String {
        let float = |choices: &mut Choices<'_>| self.expression(choices, ValueKind::Float, depth);
        match choices.below(10) {
            0..=3 => {
                let operator = choices.one_of(&["+", "-", "*", "/"]);
                format!("({} {operator} {})", float(choices), self.number(choices, depth))
            }
            4 => format!("(-{})", float(choices)),
            5 => format!("sqrt({})", float(choices)),
            6 => format!("abs({})", float(choices)),
            7 => format!(
                "{}({}, {})",
                choices.one_of(&["min", "max"]),
                float(choices),
                self.number(choices, depth)
            ),
            8 => format!("({}^2)", float(choices)),
            _ => {
                let sequence = self.expression(choices, ValueKind::Floats, depth);
                match choices.below(2) {
                    0 => format!("sum({sequence})"),
                    _ => format!("({sequence})[{}]", self.expression(choices, ValueKind::Int, depth)),
                }
            }
        }
    }

    /// A condition, or what is expected.
    pub fn truth(&self, choices: &mut Choices<'_>, depth: u32) -> String {
        let truth = |choices: &mut Choices<'_>| self.expression(choices, ValueKind::Truth, depth);
        match choices.below(12) {
            0..=2 => {
                let (a, b) = (self.number(choices, depth), self.number(choices, depth));
                format!("({a} {} {b})", choices.one_of(&["==", "!=", "~="]))
            }
            3 | 4 => {
                let (a, b) = (self.number(choices, depth), self.number(choices, depth));
                format!("({a} {} {b})", choices.one_of(&["<", "<=", ">", ">="]))
            }
            5 | 6 => {
                let operator = choices.one_of(&["and", "or", "xor", "iff", "implies"]);
                format!("({} {operator} {})", truth(choices), truth(choices))
            }
            7 => format!("(not {})", truth(choices)),
            8 => format!("is_nan({})", self.expression(choices, ValueKind::Float, depth)),
            9 => {
                let is = choices.one_of(&[ValueKind::Ints, ValueKind::Floats, ValueKind::Text]);
                let (a, b) = (self.expression(choices, is, depth), self.expression(choices, is, depth));
                let operator = choices.one_of(&["==", "!=", "contains", "is_prefix_of", "is_suffix_of"]);
                format!("({a} {operator} {b})")
            }
            10 => format!("({} traps)", self.any_call(choices, depth)),
            _ => format!("defined({})", self.any_call(choices, depth)),
        }
    }

    fn any_call(&self, choices: &mut Choices<'_>, depth: u32) -> String {
        let callee = &self.callees[choices.below(self.callees.len())];
        if self.sources_only { self.source_call(callee) } else { self.follow_up(choices, callee, depth) }
    }

    fn sequence(&self, choices: &mut Choices<'_>, is: ValueKind, depth: u32) -> String {
        let same = |choices: &mut Choices<'_>| self.expression(choices, is, depth);
        let int = |choices: &mut Choices<'_>| self.expression(choices, ValueKind::Int, depth);
        match choices.below(8) {
            0 => format!("reverse({})", same(choices)),
            7 => format!("distinct({})", same(choices)),
            1 => format!("sorted({})", same(choices)),
            2 => format!("concat({}, {})", same(choices), same(choices)),
            3 => format!("remove({}, {})", same(choices), int(choices)),
            4 => format!("truncate({}, {})", same(choices), int(choices)),
            5 => {
                let by = if is == ValueKind::Ints { int(choices) } else { self.number(choices, depth) };
                format!("({} {} {by})", same(choices), choices.one_of(&["+", "-", "*"]))
            }
            _ => format!("({})[1..]", same(choices)),
        }
    }

    fn text(&self, choices: &mut Choices<'_>, depth: u32) -> String {
        let text = |choices: &mut Choices<'_>| self.expression(choices, ValueKind::Text, depth);
        match choices.below(7) {
            0 => format!("reverse({})", text(choices)),
            6 => format!("trim({})", text(choices)),
            1 => format!("concat({}, {})", text(choices), text(choices)),
            2 => format!("upper({})", text(choices)),
            3 => format!("lower({})", text(choices)),
            4 => format!("truncate({}, {})", text(choices), self.expression(choices, ValueKind::Int, depth)),
            _ => format!("({})[1..]", text(choices)),
        }
    }
}
