//! Partitions of the source inputs of a relation.
//!
//! # Decisions
//! - **Every source input is in exactly one partition, and there are few.** Each variable has [classes](super::classes); a partition is a class of each variable. Variables are divided in
//!   the order of the relation, first in two and then in all their classes, as long as there are no more than [`MOST_PARTITIONS`]. So those of a relation with many parameters do not
//!   tell its later ones apart. Pairwise combinations of classes would, and would not be disjoint.
//! - **Partitions are of values alone**, not of what functions do with them: they are known before the first call.

use dodona_relations::Relation;
use dodona_target::Value;

use super::classes::{Class, Classes};
use crate::inputs::parameter;
use crate::{Workbench, variables};

/// The most partitions of a relation. More of them find narrower faults once each was tried; fewer are all tried sooner. A budget of a hundred groups tries each of these some
/// times for a handful of relations, which is what programs that run for seconds allow.
pub(super) const MOST_PARTITIONS: usize = 12;

/// How finely a variable is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    None,
    Halves,
    Classes,
}

#[derive(Clone, Debug, PartialEq)]
struct Variable {
    name: String,
    /// The parameter that gives it its type: the function and the place.
    parameter: (usize, usize),
    classes: Classes,
    detail: Detail,
}

/// The partitions of the source inputs of relations whose variables are of the same parameters and domains.
#[derive(Clone, Debug)]
pub(super) struct Partitions {
    variables: Vec<Variable>,
}

/// Those of relations over the same parameters are the same, whatever the relations call their variables.
impl PartialEq for Partitions {
    fn eq(&self, other: &Partitions) -> bool {
        let of = |v: &Variable, w: &Variable| v.parameter == w.parameter && v.classes == w.classes;
        self.variables.len() == other.variables.len()
            && self.variables.iter().zip(&other.variables).all(|(v, w)| of(v, w))
    }
}

impl Partitions {
    /// The partitions of the source inputs of a relation. Where no value is in the domains of all parameters that take a variable, the first of them counts: inputs may be given
    /// all the same.
    pub(super) fn of(workbench: &Workbench, relation: &Relation) -> Partitions {
        let variable = |(place, v): (usize, &dodona_relations::Variable)| {
            let classes = match variables::values(workbench, relation, place) {
                Ok(values) => Classes::of(values.ty, &values.domain, &values.sampling),
                Err(_) => {
                    let own = parameter(workbench, v);
                    Classes::of(own.ty, &own.domain, &own.sampling)
                }
            };
            let parameter = (v.function, v.parameter);
            Variable { name: v.name.clone(), parameter, classes, detail: Detail::None }
        };
        Partitions::divided(relation.variables().iter().enumerate().map(variable).collect())
    }

    fn divided(variables: Vec<Variable>) -> Partitions {
        let mut partitions = Partitions { variables };
        for detail in [Detail::Halves, Detail::Classes] {
            for place in 0..partitions.variables.len() {
                let before = std::mem::replace(&mut partitions.variables[place].detail, detail);
                if partitions.count() > MOST_PARTITIONS {
                    partitions.variables[place].detail = before;
                }
            }
        }
        partitions
    }

    /// How many there are: at least one.
    pub(super) fn count(&self) -> usize {
        self.variables.iter().map(Variable::count).product()
    }

    /// The partition of a source input, which has one value for each variable.
    pub(super) fn index(&self, values: &[Value]) -> usize {
        let place = |all: usize, (v, value): (&Variable, &Value)| all * v.count() + v.index(value);
        self.variables.iter().zip(values).fold(0, place)
    }

    /// The partition of a call's arguments, where the call is of a function whose parameters give variables their types. The other variables keep the values of the source
    /// input.
    pub(super) fn of_call(
        &self,
        source: &[Value],
        function: usize,
        arguments: &dyn Fn(usize) -> Value,
    ) -> Option<usize> {
        let is_own = |v: &Variable| v.parameter.0 == function;
        if !self.variables.iter().any(is_own) {
            return None;
        }
        let value = |(v, value): (&Variable, &Value)| match is_own(v) {
            true => arguments(v.parameter.1),
            false => value.clone(),
        };
        let values: Vec<Value> = self.variables.iter().zip(source).map(value).collect();
        Some(self.index(&values))
    }

    /// What lies in a partition: `x negative, y small`.
    pub(super) fn name(&self, mut partition: usize) -> String {
        let mut parts = Vec::new();
        for variable in self.variables.iter().rev() {
            let part = partition % variable.count();
            partition /= variable.count();
            if variable.count() > 1 {
                parts.push(format!("{} {}", variable.name, variable.part(part)));
            }
        }
        parts.reverse();
        if parts.is_empty() { "all".into() } else { parts.join(", ") }
    }
}

impl Variable {
    /// The parts that are told apart.
    fn count(&self) -> usize {
        match self.detail {
            Detail::None => 1,
            Detail::Halves => self.classes.all.len().clamp(1, 2),
            Detail::Classes => self.classes.all.len().max(1),
        }
    }

    fn index(&self, value: &Value) -> usize {
        match self.detail {
            Detail::None => 0,
            Detail::Halves => usize::from(self.classes.index(value) >= self.half()),
            Detail::Classes => self.classes.index(value),
        }
        .min(self.count() - 1)
    }

    /// The first class of the second half. Negative numbers are a half by themselves, because zero is nearer to small ones than to them.
    fn half(&self) -> usize {
        match self.classes.all.first() {
            Some(Class::Negative) => 1,
            _ => self.classes.all.len().div_ceil(2),
        }
    }

    fn part(&self, part: usize) -> String {
        let names: Vec<String> = self.classes.all.iter().map(Class::name).collect();
        match (self.detail, part) {
            (Detail::Classes, _) => names[part].clone(),
            (_, 0) => names[..self.half()].join(" or "),
            _ => names[self.half()..].join(" or "),
        }
    }
}

#[cfg(test)]
mod tests {
    use dodona_target::{Domain, Sampling};
    use proptest::prelude::*;

    use super::*;

    fn partitions(types: &[&str]) -> Partitions {
        let variable = |(place, ty): (usize, &&str)| Variable {
            name: format!("x{place}"),
            parameter: (0, place),
            classes: Classes::of(ty.parse().expect("a type"), &Domain::default(), &Sampling::default()),
            detail: Detail::None,
        };
        Partitions::divided(types.iter().enumerate().map(variable).collect())
    }

    fn names(types: &[&str]) -> Vec<String> {
        let all = partitions(types);
        (0..all.count()).map(|partition| all.name(partition)).collect()
    }

    #[test]
    fn there_are_few() {
        assert_eq!(names(&[]), ["all"]);
        assert_eq!(names(&["i32"]), ["x0 negative", "x0 zero", "x0 small", "x0 large"]);
        assert_eq!(names(&["i32", "i32"]).len(), 8);
        assert_eq!(names(&["i32", "i32"])[3], "x0 zero, x1 zero or small or large");
        assert_eq!(names(&["i32", "i32", "i32"]).len(), 8);
        assert_eq!(names(&["text", "bool"])[1], "x0 empty, x1 true");
        for count in 0..9 {
            for ty in ["bool", "u8", "f64", "text", "[f64]"] {
                assert!(partitions(&vec![ty; count]).count() <= MOST_PARTITIONS);
            }
        }
    }

    #[test]
    fn names_are_of_their_partitions() {
        let both = partitions(&["i32", "text"]);
        let of = |x: i128, text: &str| both.name(both.index(&[Value::Int(x), Value::Text(text.into())]));
        assert_eq!(of(-3, ""), "x0 negative, x1 empty or short");
        assert_eq!(of(0, "é"), "x0 zero, x1 long or non-ASCII");
        assert_eq!(of(1_000_000, "ab"), "x0 large, x1 empty or short");
    }

    #[test]
    fn a_call_is_where_its_arguments_are() {
        let both = partitions(&["i32", "i32"]);
        let source = [Value::Int(-3), Value::Int(-4)];
        let negated = |place: usize| if place == 0 { Value::Int(3) } else { Value::Int(-4) };
        let found = both.of_call(&source, 0, &negated).expect("its function");
        assert_eq!(both.name(found), "x0 small, x1 negative");
        assert_eq!(both.of_call(&source, 1, &negated), None, "another function");
    }

    proptest! {
        #[test]
        fn every_source_input_is_in_one_partition(x: i64, y: f64, flag: bool, text: String, items: Vec<i32>) {
            let types = ["i64", "f64", "bool", "text", "[i32]"];
            let items: Vec<i128> = items.into_iter().map(i128::from).collect();
            let values = [
                Value::Int(x.into()),
                Value::Float(y),
                Value::Bool(flag),
                Value::Text(text.into()),
                Value::Sequence(dodona_target::Sequence::Int(items)),
            ];
            for from in 0..types.len() {
                for to in from..=types.len() {
                    let all = partitions(&types[from..to]);
                    prop_assert!(all.index(&values[from..to]) < all.count());
                }
            }
        }
    }
}
