//! From which values a variable of a relation is drawn: those that every parameter accepts that takes it.
//!
//! These are the intersection of the domains. No group is eligible in which a plain argument lies outside the domain of its parameter, so
//! nothing is lost that could be tested.

use dodona_relations::Relation;
use dodona_sources::Sampler;
use dodona_target::{Domain, Kind, Parameter, Sampling, Scalar, Type, describe_domain};

use crate::inputs::sampler;
use crate::{LabError, Workbench};

/// The values of a variable.
pub(crate) struct Values {
    pub(crate) ty: Type,
    pub(crate) domain: Domain,
    pub(crate) sampling: Sampling,
    /// The type of integers for which the floats of this variable are passed too, so that they have to be whole.
    whole: Option<Scalar>,
}

/// The values of a variable that lie in the domains of all parameters that take it.
///
/// # Errors
/// When no value lies in all of them, as far as the keys of the manifest show it.
///
/// # Panics
/// When there is no such variable.
pub(crate) fn values(
    workbench: &Workbench,
    relation: &Relation,
    variable: usize,
) -> Result<Values, LabError> {
    let (first, others) = parameters(workbench, relation, variable);
    let ty = first.ty;
    let (mut domain, mut sampling) = (first.domain.clone(), first.sampling.clone());
    for other in others.iter().filter(|other| other.ty != ty || other.domain != first.domain) {
        let both = other.domain.seen_from(ty, other.ty).and_then(|seen| domain.intersection(&seen));
        domain = both.ok_or_else(|| disjoint(workbench, relation, variable))?;
    }
    for other in &others {
        sampling = sampling.intersection(&other.sampling);
    }
    let is_float = ty.scalar().is_some_and(|s| s.kind() == Kind::Float);
    let integers = others.iter().filter_map(|other| other.ty.scalar()).filter(|s| s.kind() == Kind::Int);
    Ok(Values { ty, domain, sampling, whole: integers.min_by_key(|s| s.bytes()).filter(|_| is_float) })
}

/// The sampler of each variable of a relation.
///
/// # Errors
/// When nothing can be drawn for a variable.
pub fn samplers(workbench: &Workbench, relation: &Relation) -> Result<Vec<Sampler>, LabError> {
    (0..relation.variables().len()).map(|variable| of_variable(workbench, relation, variable)).collect()
}

/// The sampler of one variable.
///
/// # Errors
/// When nothing can be drawn for it.
///
/// # Panics
/// When there is no such variable.
pub(crate) fn of_variable(
    workbench: &Workbench,
    relation: &Relation,
    variable: usize,
) -> Result<Sampler, LabError> {
    let values = values(workbench, relation, variable)?;
    let drawn = match values.whole {
        Some(integers) => Sampler::whole(values.ty, integers, &values.domain, &values.sampling),
        None => Sampler::new(values.ty, &values.domain, &values.sampling),
    };
    drawn.or_else(|_| {
        // A parameter whose own domain is empty is told by itself.
        for &(function, parameter) in relation.takers(variable) {
            let declared = &workbench.functions()[function];
            let parameter = &declared.parameters[parameter];
            sampler(declared, parameter, &parameter.sampling)?;
        }
        Err(disjoint(workbench, relation, variable))
    })
}

/// The parameter that gives a variable its type, and the others that take it.
fn parameters<'a>(
    workbench: &'a Workbench,
    relation: &Relation,
    variable: usize,
) -> (&'a Parameter, Vec<&'a Parameter>) {
    let of = |&(function, parameter): &(usize, usize)| &workbench.functions()[function].parameters[parameter];
    let takers = relation.takers(variable);
    (of(&takers[0]), takers[1..].iter().map(of).collect())
}

fn disjoint(workbench: &Workbench, relation: &Relation, variable: usize) -> LabError {
    let described = |&(function, parameter): &(usize, usize)| {
        let function = &workbench.functions()[function];
        let parameter = &function.parameters[parameter];
        format!(
            "`{}` of `{}` ({})",
            parameter.name,
            function.name,
            describe_domain(parameter.ty, &parameter.domain)
        )
    };
    let described: Vec<String> = relation.takers(variable).iter().map(described).collect();
    LabError::DisjointDomains {
        relation: relation.name().to_owned(),
        variable: relation.variables()[variable].name.clone(),
        parameters: described.join(" and "),
    }
}
