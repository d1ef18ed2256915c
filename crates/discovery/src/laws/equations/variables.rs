//! The variables of equations, and values that are drawn for them.

use super::super::law_tuning::{FEW_ROWS_OF_TERMS, MOST_VARIABLES_OF_TERMS, ROWS_OF_TERMS};
use crate::overhead;
use dodona_inference::equations::{EquationFunction, EquationOutput, EquationVariable, Vocabulary};
use dodona_relations::plan::Ty;
use dodona_sources::Seed;
use dodona_target::{Column, Domain, Kind, Parameter, Sampling, Type};
use dodona_workbench::{LabError, Workbench, inputs::sampler};

/// The vocabulary of some functions. Parameters with the same type, domain and sampling share their variables.
pub(super) fn vocabulary(workbench: &Workbench, functions: &[usize]) -> Vocabulary {
    let declared = |place: usize| &workbench.functions()[functions[place]];
    let mut classes: Vec<(&Parameter, Vec<(usize, usize)>)> = Vec::new();
    for place in 0..functions.len() {
        for (index, parameter) in declared(place).parameters.iter().enumerate() {
            let is_same = |other: &Parameter| {
                (other.ty, &other.domain, &other.sampling)
                    == (parameter.ty, &parameter.domain, &parameter.sampling)
            };
            match classes.iter_mut().find(|(other, _)| is_same(other)) {
                Some((_, members)) => members.push((place, index)),
                None => classes.push((parameter, vec![(place, index)])),
            }
        }
    }
    let functions: Vec<EquationFunction> = (0..functions.len())
        .map(|place| {
            let function = declared(place);
            let output = |output: dodona_target::Output| EquationOutput {
                selector: output.name.selector().map(str::to_owned),
                ty: output.ty.into(),
            };
            EquationFunction {
                name: function.name.clone(),
                parameters: function.parameters.iter().map(|p| (p.name.clone(), p.ty.into())).collect(),
                outputs: function.outputs.iter().cloned().map(output).collect(),
            }
        })
        .collect();
    let variables = variables(&classes, &functions);
    Vocabulary::new(functions, variables)
}

/// For each class of parameters as many variables as some function has parameters of it, for texts and sequences at least two,
/// and twice as many where all parameters are floats.
fn variables(
    classes: &[(&Parameter, Vec<(usize, usize)>)],
    functions: &[EquationFunction],
) -> Vec<EquationVariable> {
    let own: Vec<&str> =
        functions.iter().flat_map(|f| &f.parameters).map(|(name, _)| name.as_str()).collect();
    let mut taken: Vec<String> = functions.iter().map(|function| function.name.clone()).collect();
    // A sum of arguments has two of each.
    let is_summed = functions.iter().flat_map(|f| &f.parameters).all(|(_, ty)| *ty == Ty::Float);
    let mut variables = Vec::new();
    for (parameter, members) in classes {
        let of_function = |place: usize| members.iter().filter(|(other, _)| *other == place).count();
        let most = (0..functions.len()).map(of_function).max().unwrap_or(1);
        let count = match parameter.ty {
            Type::Scalar(_) if is_summed => 2 * most,
            Type::Scalar(_) => most,
            _ => (most + 1).min(3),
        };
        let named = members.iter().map(|&(place, index)| functions[place].parameters[index].0.clone());
        let letters = letters(parameter).iter().map(|letter| (*letter).to_owned());
        let spare = letters.filter(|letter| !own.contains(&letter.as_str()));
        let numbered = (2..).map(|number| format!("{}{number}", parameter.name));
        let mut names = named.chain(spare).chain(numbered);
        for _ in 0..count.min(MOST_VARIABLES_OF_TERMS.saturating_sub(variables.len())) {
            let Some(name) = names.by_ref().find(|name| !taken.contains(name)) else { break };
            taken.push(name.clone());
            variables.push(EquationVariable {
                name,
                ty: Ty::from(parameter.ty),
                parameters: members.clone(),
            });
        }
    }
    variables
}

/// Names that people use for a second and third value.
fn letters(parameter: &Parameter) -> &'static [&'static str] {
    match (parameter.ty, parameter.name.as_str()) {
        (Type::Text, _) => &["t", "u", "v"],
        (Type::Sequence(_), "xs") => &["ys", "zs"],
        (Type::Sequence(_), _) => &["more", "rest"],
        (Type::Scalar(scalar), "a" | "b") if scalar.kind() == Kind::Float => &["c", "d"],
        (Type::Scalar(scalar), _) if scalar.kind() == Kind::Float => &["z", "w", "u", "v"],
        (Type::Scalar(_), _) => &["n", "m", "k"],
    }
}

/// Values of the variables, drawn like their parameters. Second, values drawn from all values of their types.
///
/// # Errors
/// When the domain of a parameter is empty.
pub(super) fn draw(
    workbench: &Workbench,
    functions: &[usize],
    vocabulary: &Vocabulary,
    seed: Seed,
) -> Result<(Vec<Column>, Vec<Column>), LabError> {
    let is_slow = |&function: &usize| overhead::is_fresh(workbench, function);
    let rows = if functions.iter().any(is_slow) { FEW_ROWS_OF_TERMS } else { ROWS_OF_TERMS };
    let (mut drawn, mut unrestricted) = (Vec::new(), Vec::new());
    for variable in &vocabulary.variables {
        let (place, index) = variable.parameters[0];
        let function = &workbench.functions()[functions[place]];
        let parameter = &function.parameters[index];
        let mut stream = seed.stream(&format!("values of the variable {}", variable.name), 0);
        drawn.push(sampler(function, parameter, &parameter.sampling)?.column(&mut stream, rows));
        let free = Parameter { domain: Domain::default(), ..parameter.clone() };
        unrestricted.push(sampler(function, &free, &Sampling::default())?.column(&mut stream, rows));
    }
    Ok((drawn, unrestricted))
}
