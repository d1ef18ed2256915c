//! Draws random values that satisfy a path's constraints.

use dodona_smt::term::{Assignment, Term, Terms, Variable};
use dodona_subject::Function;
use dodona_symbolic::explore::Path;
use dodona_symbolic::input::{Inputs, Shape, float, integer};
use dodona_target::{Column, Kind, Parameter, Sampling, Scalar, Type, Value};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng as _;

use dodona_sources::{EmptyDomain, Sampler, Seed, index, up_to};

/// How many random values are tried for a variable.
const DRAWS: usize = 4;

/// How many values between a variable's own value and an excluded value are tried.
const TRIES: usize = 32;

/// How many times a whole input is drawn before the solver is asked.
const WHOLE_DRAWS: usize = 16;

/// Draws values of a function's parameters.
pub(super) struct Drawer {
    rng: Xoshiro256PlusPlus,
    parameters: Vec<Drawn>,
}

struct Drawn {
    /// Draws one number or one element; `None` for text.
    number: Option<(Type, Sampler)>,
    /// Draws whole values of the parameter; used for text.
    whole: Sampler,
    ty: Type,
}

impl Drawer {
    pub(super) fn new(function: &Function, seed: Seed) -> Result<Drawer, EmptyDomain> {
        let parameters = function.parameters.iter().map(drawn).collect::<Result<_, _>>()?;
        Ok(Drawer { rng: seed.stream(&format!("paths/{}", function.name), 0), parameters })
    }

    /// Puts the shapes into a random order.
    pub(super) fn shuffle(&mut self, shapes: &mut [Shape]) {
        for last in (1..shapes.len()).rev() {
            shapes.swap(last, index(&mut self.rng, last + 1));
        }
    }

    /// A random input of a shape that satisfies the assumptions; `None` if a few draws find none.
    pub(super) fn random(
        &mut self,
        terms: &mut Terms,
        inputs: &Inputs,
        assumptions: &[Term],
    ) -> Option<Assignment> {
        for _ in 0..WHOLE_DRAWS {
            let mut model = Assignment::default();
            for group in inputs.by_parameter(terms) {
                let texts = &self.parameters[group.parameter];
                for (value, variable) in
                    draw(texts, &mut self.rng, group.variables.len()).into_iter().zip(&group.variables)
                {
                    model.set(*variable, value);
                }
            }
            if assumptions.iter().all(|a| terms.evaluate(*a, &model) == 1) {
                return Some(model);
            }
        }
        None
    }

    /// Other values that run the same path as the path's model. Variables are visited one by one. Each takes a
    /// randomly drawn value if all constraints still hold with it, otherwise a value between the drawn one and its
    /// own.
    pub(super) fn other(&mut self, terms: &Terms, inputs: &Inputs, path: &Path) -> Assignment {
        let mut model = path.model.clone();
        for group in inputs.by_parameter(terms) {
            let wanted = &self.parameters[group.parameter];
            for variable in &group.variables {
                let touched: Vec<Term> = path
                    .constraints
                    .iter()
                    .copied()
                    .filter(|c| terms.variables_of(*c).binary_search(variable).is_ok())
                    .collect();
                let drawn = draw(wanted, &mut self.rng, DRAWS);
                let taken =
                    drawn.iter().any(|value| try_value(terms, &touched, &mut model, *variable, *value));
                if !taken && wanted.number.is_none() && !is_readable(model.get(*variable)) {
                    // Replaces an unreadable character by the first printable one that the constraints allow.
                    (u128::from(b' ')..=u128::from(b'~'))
                        .any(|value| try_value(terms, &touched, &mut model, *variable, value));
                }
                if let (false, Some((ty, _)), Some(far)) = (taken, &wanted.number, drawn.last()) {
                    let rng = &mut self.rng;
                    approach(terms, &touched, &mut model, *variable, (*ty, *far), rng);
                }
            }
        }
        model
    }
}

fn is_readable(byte: u128) -> bool {
    (u128::from(b' ')..=u128::from(b'~')).contains(&byte)
}

/// Sets a variable to a value if the constraints on the variable still hold, and returns whether they do.
fn try_value(
    terms: &Terms,
    touched: &[Term],
    model: &mut Assignment,
    variable: Variable,
    value: u128,
) -> bool {
    let before = model.get(variable);
    model.set(variable, value);
    let holds = touched.iter().all(|c| terms.evaluate(*c, model) == 1);
    if !holds {
        model.set(variable, before);
    }
    holds
}

/// Moves a variable to a random value between its own value and a far value that the constraints exclude. After each
/// failed try the excluded value becomes the new far value: the shrinking of slice sampling (Neal, 2003). A solver's
/// values are mostly zeros and bounds; values in between test more.
fn approach(
    terms: &Terms,
    touched: &[Term],
    model: &mut Assignment,
    variable: Variable,
    (ty, mut far): (Type, u128),
    rng: &mut Xoshiro256PlusPlus,
) {
    let Type::Scalar(scalar) = ty else { return };
    let own = model.get(variable);
    for _ in 0..TRIES {
        let Some(next) = between(scalar, own, far, rng) else { return };
        if next == own || try_value(terms, touched, model, variable, next) {
            return;
        }
        far = next;
    }
}

/// A random number between the two; `None` if there is none, as between Booleans.
fn between(scalar: Scalar, own: u128, far: u128, rng: &mut Xoshiro256PlusPlus) -> Option<u128> {
    let value = match scalar.kind() {
        Kind::Bool => return None,
        Kind::Int => {
            let (own, far) = (integer(scalar, own), integer(scalar, far));
            let steps = u64::try_from(own.abs_diff(far)).ok()?;
            let step = i128::from(up_to(rng, steps));
            Value::Int(if own < far { own + step } else { own - step })
        }
        Kind::Float => {
            let (own, far) = (float(scalar, own), float(scalar, far));
            let share = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            Some(own + share * (far - own)).filter(|x| x.is_finite()).map(Value::Float)?
        }
    };
    dodona_symbolic::input::bits(Type::Scalar(scalar), &value)
}

fn drawn(parameter: &Parameter) -> Result<Drawn, EmptyDomain> {
    let whole = Sampler::new(parameter.ty, &parameter.domain, &parameter.sampling)?;
    let number = match parameter.ty {
        Type::Text => None,
        Type::Scalar(scalar) | Type::Sequence(scalar) => {
            let ty = Type::Scalar(scalar);
            let domain =
                dodona_target::Domain { numbers: parameter.domain.numbers.clone(), ..Default::default() };
            let favour = match parameter.ty {
                Type::Scalar(_) => parameter.sampling.favour.clone(),
                _ => Vec::new(),
            };
            let sampling = Sampling { length: None, alphabet: None, favour, ..parameter.sampling.clone() };
            Some((ty, Sampler::new(ty, &domain, &sampling)?))
        }
    };
    Ok(Drawn { number, whole, ty: parameter.ty })
}

/// Draws `count` values as bits: numbers, or for text the characters that are one byte long.
fn draw(drawn: &Drawn, rng: &mut Xoshiro256PlusPlus, count: usize) -> Vec<u128> {
    match &drawn.number {
        Some((ty, sampler)) => bits(*ty, &sampler.column(rng, count)),
        None => {
            let mut bytes = Vec::new();
            // Empty texts have no characters, so a few more are drawn; if all are empty, spaces are used.
            for _ in 0..8 {
                let column = drawn.whole.column(rng, 4);
                for row in 0..4 {
                    if let Value::Text(text) = column.value(row) {
                        bytes.extend(text.iter().filter(|b| b.is_ascii()).map(|b| u128::from(*b)));
                    }
                }
                if bytes.len() >= 4 * count {
                    break;
                }
            }
            debug_assert_eq!(drawn.ty, Type::Text);
            (0..count).map(|_| if bytes.is_empty() { 32 } else { bytes[index(rng, bytes.len())] }).collect()
        }
    }
}

fn bits(ty: Type, column: &Column) -> Vec<u128> {
    (0..column.len()).filter_map(|row| dodona_symbolic::input::bits(ty, &column.value(row))).collect()
}
