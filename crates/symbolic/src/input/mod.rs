//! Symbolic source inputs: a variable for each scalar and element, domains as assumptions, and values of models as inputs.

mod domain_assumptions;
mod shape;
mod text;

use dodona_target::{Kind, Parameter, Scalar, Sequence, Signature, Type, Value, double_bits, single_bits};

use dodona_smt::term::{Assignment, Op, Sort, Term, Terms, Variable};
pub use shape::{Shape, Size};

use crate::call::Symbol;

/// The symbolic inputs of one shape.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The arguments of a call, one a parameter.
    pub symbols: Vec<Symbol>,
    /// What the domains assume of them.
    pub assumptions: Vec<Term>,
    parameters: Vec<Parsed>,
}

/// The variables of one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterVariables {
    /// The parameter, by index.
    pub parameter: usize,
    /// Its variables: one, or one an element.
    pub variables: Vec<Variable>,
}

/// A parameter's variables with its type.
#[derive(Clone, Debug)]
struct Parsed {
    ty: Type,
    /// Bool for Booleans, else bits of the scalar's own width.
    variables: Vec<Term>,
}

impl Inputs {
    /// Variables for a function's parameters in a shape, named `a`, `xs[0]`, `text[3]`. A longer shape has the same variables
    /// and additional ones.
    pub fn new(terms: &mut Terms, function: &Signature, shape: &Shape) -> Inputs {
        let mut inputs = Inputs { symbols: Vec::new(), assumptions: Vec::new(), parameters: Vec::new() };
        for (parameter, size) in function.parameters.iter().zip(&shape.sizes) {
            inputs.add(terms, parameter, size);
        }
        inputs
    }

    fn add(&mut self, terms: &mut Terms, parameter: &Parameter, size: &Size) {
        let length = size.length();
        let name = &parameter.name;
        let (scalar, count) = match parameter.ty {
            Type::Scalar(scalar) => (Some(scalar), None),
            Type::Sequence(scalar) => (Some(scalar), Some(length)),
            Type::Text => (None, Some(length)),
        };
        let sort = scalar.map_or(Sort::Bits(8), variable_sort);
        let variables: Vec<Term> = match count {
            None => vec![named(terms, name, sort)],
            Some(count) => (0..count).map(|i| named(terms, &format!("{name}[{i}]"), sort)).collect(),
        };
        if scalar.is_none() {
            variables.iter().for_each(|variable| terms.mark_character(*variable));
        }
        if scalar.and_then(Scalar::integer_range).is_some_and(|(low, _)| low == 0) {
            variables.iter().for_each(|variable| terms.mark_unsigned(*variable));
        }
        let symbol = match (parameter.ty, &variables[..]) {
            (Type::Scalar(scalar), [variable]) => Symbol::Scalar(passed(terms, scalar, *variable)),
            (Type::Sequence(scalar), elements) => {
                Symbol::Elements(elements.iter().map(|v| stored(terms, scalar, *v)).collect())
            }
            _ => Symbol::Elements(variables.clone()),
        };
        domain_assumptions::assume(terms, parameter, size, &variables, &mut self.assumptions);
        self.symbols.push(symbol);
        self.parameters.push(Parsed { ty: parameter.ty, variables });
    }

    /// All variables, parameter by parameter.
    pub fn variables<'t>(&'t self, terms: &'t Terms) -> impl Iterator<Item = Variable> + 't {
        let all = self.parameters.iter().flat_map(|parameter| &parameter.variables);
        all.filter_map(|term| variable(terms, *term))
    }

    /// The variables of each parameter that has some.
    pub fn by_parameter(&self, terms: &Terms) -> Vec<ParameterVariables> {
        let group = |(index, parameter): (usize, &Parsed)| ParameterVariables {
            parameter: index,
            variables: parameter.variables.iter().filter_map(|term| variable(terms, *term)).collect(),
        };
        self.parameters.iter().enumerate().map(group).filter(|group| !group.variables.is_empty()).collect()
    }

    /// The values of the parameters under a model.
    pub fn values(&self, terms: &Terms, model: &Assignment) -> Vec<Value> {
        self.parameters.iter().map(|parameter| value(terms, parameter, model)).collect()
    }

    /// Sets variables to values; `None` when they are not of this shape or of their types.
    pub fn assign(&self, terms: &Terms, values: &[Value], model: &mut Assignment) -> Option<()> {
        for (parameter, value) in self.parameters.iter().zip(values) {
            let numbers = numbers(parameter.ty, value)?;
            if numbers.len() != parameter.variables.len() {
                return None;
            }
            for (term, number) in parameter.variables.iter().zip(numbers) {
                model.set(variable(terms, *term)?, number & term.sort().mask());
            }
        }
        Some(())
    }
}

/// The variable of a name, made when it is first asked for.
fn named(terms: &mut Terms, name: &str, sort: Sort) -> Term {
    match terms.find_variable(name, sort) {
        Some(variable) => terms.variable_term(variable),
        None => terms.variable(name, sort),
    }
}

fn variable(terms: &Terms, term: Term) -> Option<Variable> {
    match term {
        Term::Node(_, id) => match terms.node(id).op {
            Op::Variable(variable) => Some(variable),
            _ => None,
        },
        Term::Constant(..) => None,
    }
}

/// The sort of a scalar's variable.
fn variable_sort(scalar: Scalar) -> Sort {
    match scalar {
        Scalar::Bool => Sort::Bool,
        other => Sort::Bits(8 * other.bytes() as u8),
    }
}

/// A scalar as WebAssembly passes it.
fn passed(terms: &mut Terms, scalar: Scalar, variable: Term) -> Term {
    match scalar {
        Scalar::Bool => terms.ite(variable, Term::bits(32, 1), Term::bits(32, 0)),
        Scalar::I8 | Scalar::I16 => terms.sign_extend(variable, 32),
        Scalar::U8 | Scalar::U16 => terms.zero_extend(variable, 32),
        other => stored(terms, other, variable),
    }
}

/// A scalar as it lies in memory.
fn stored(terms: &mut Terms, scalar: Scalar, variable: Term) -> Term {
    match scalar {
        Scalar::Bool => terms.ite(variable, Term::bits(8, 1), Term::bits(8, 0)),
        Scalar::F32 => terms.apply(Op::FromBits, Sort::F32, &[variable]),
        Scalar::F64 => terms.apply(Op::FromBits, Sort::F64, &[variable]),
        _ => variable,
    }
}

fn value(terms: &Terms, parameter: &Parsed, model: &Assignment) -> Value {
    let bits: Vec<u128> = parameter.variables.iter().map(|v| terms.evaluate(*v, model)).collect();
    match parameter.ty {
        Type::Text => Value::Text(bits.into_iter().map(|b| b as u8).collect::<Vec<_>>().into()),
        Type::Scalar(scalar) => match scalar.kind() {
            Kind::Bool => Value::Bool(bits[0] != 0),
            Kind::Int => Value::Int(integer(scalar, bits[0])),
            Kind::Float => Value::Float(float(scalar, bits[0])),
        },
        Type::Sequence(scalar) => Value::Sequence(match scalar.kind() {
            Kind::Bool => Sequence::Bool(bits.into_iter().map(|b| b != 0).collect()),
            Kind::Int => Sequence::Int(bits.into_iter().map(|b| integer(scalar, b)).collect()),
            Kind::Float => Sequence::Float(bits.into_iter().map(|b| float(scalar, b)).collect()),
        }),
    }
}

/// The integer that bits of a scalar's width are.
pub fn integer(scalar: Scalar, bits: u128) -> i128 {
    let signed = scalar.integer_range().is_some_and(|(low, _)| low < 0);
    let unused = 128 - 8 * scalar.bytes() as u32;
    if signed { ((bits << unused) as i128) >> unused } else { bits as i128 }
}

/// The float that bits of a scalar's width are.
pub fn float(scalar: Scalar, bits: u128) -> f64 {
    match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits as u64),
    }
}

/// The bits of a number of a scalar type; `None` for other values.
pub fn bits(ty: Type, value: &Value) -> Option<u128> {
    let width = Sort::Bits(8 * ty.scalar()?.bytes() as u8);
    match numbers(ty, value)?[..] {
        [bits] => Some(bits & width.mask()),
        _ => None,
    }
}

/// The bits of a value's scalars.
fn numbers(ty: Type, value: &Value) -> Option<Vec<u128>> {
    let bits = |scalar: Scalar, x: f64| match scalar {
        Scalar::F32 => u128::from(single_bits(x)),
        _ => u128::from(double_bits(x)),
    };
    Some(match (ty, value) {
        (_, Value::Bool(b)) => vec![u128::from(*b)],
        (_, Value::Int(i)) => vec![*i as u128],
        (Type::Scalar(scalar), Value::Float(x)) => vec![bits(scalar, *x)],
        (_, Value::Text(text)) => text.iter().map(|b| u128::from(*b)).collect(),
        (_, Value::Sequence(Sequence::Bool(v))) => v.iter().map(|b| u128::from(*b)).collect(),
        (_, Value::Sequence(Sequence::Int(v))) => v.iter().map(|i| *i as u128).collect(),
        (Type::Sequence(scalar), Value::Sequence(Sequence::Float(v))) => {
            v.iter().map(|x| bits(scalar, *x)).collect()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
