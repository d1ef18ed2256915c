//! Types and domains as conditions: tests accept a value as inside exactly where [`Domain::contains`] does.

use dodona_target::{
    Domain, Number, NumberRange, Numbers, Parameter, Predicate, Scalar, Sequence, Type, Value,
};

/// A value, and whether it lies in the type and domain of a parameter.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) parameter: Parameter,
    pub(super) value: Value,
    pub(super) inside: bool,
}

fn parameter(ty: Type, domain: Domain) -> Parameter {
    Parameter { domain, ..Parameter::new("p", ty) }
}

fn numbers(ranges: &[(Number, Number)], except: &[Number], exclude_nan: bool) -> Domain {
    let ranges = ranges.iter().map(|(low, high)| NumberRange { low: *low, high: *high }).collect();
    Domain { numbers: Numbers { ranges, except: except.to_vec(), exclude_nan }, ..Domain::default() }
}

fn parameters() -> Vec<Parameter> {
    use Number::{Float, Int};
    let of_numbers = [
        Domain::default(),
        numbers(&[(Int(-2), Int(3)), (Float(7.5), Float(9.0))], &[Int(0), Float(8.0)], false),
        numbers(&[], &[Int(1)], true),
        numbers(&[(Float(f64::NAN), Float(f64::NAN)), (Float(3.0), Float(3.5))], &[], false),
        numbers(&[(Float(f64::from(0.1f32)), Float(f64::from(0.1f32))), (Int(-2), Int(0))], &[], false),
        numbers(&[], &[Float(f64::from(0.1f32))], false),
        Domain { length: Some((1, 3)), predicates: vec![Predicate::Sorted], ..Domain::default() },
        Domain { predicates: vec![Predicate::Distinct, Predicate::NoNul], ..Domain::default() },
    ];
    let of_texts = [
        Domain::default(),
        Domain { length: Some((1, 2)), alphabet: Some(vec!['a', 'b', 'é']), ..Domain::default() },
        Domain { texts: Some(vec!["a".into(), "éa".into()]), ..Domain::default() },
        Domain { predicates: Predicate::ALL.to_vec(), ..Domain::default() },
    ];
    let scalars = [Scalar::Bool, Scalar::I8, Scalar::U64, Scalar::F32, Scalar::F64];
    let types = scalars.into_iter().flat_map(|s| [Type::Scalar(s), Type::Sequence(s)]);
    let mut all: Vec<Parameter> = types.flat_map(|ty| of_numbers.clone().map(|d| parameter(ty, d))).collect();
    // Only sequences have predicates and lengths.
    all.retain(|p| matches!(p.ty, Type::Sequence(_)) || p.domain.predicates.is_empty());
    all.extend(of_texts.map(|domain| parameter(Type::Text, domain)));
    all
}

fn values(ty: Type) -> Vec<Value> {
    match ty {
        Type::Scalar(scalar) => scalars(scalar),
        Type::Text => {
            ["", "a", "b", "éa", "aé", "aa", "abé", "c", "\0a", "ba"].map(|t| Value::Text(t.into())).to_vec()
        }
        Type::Sequence(scalar) => sequences(scalar).into_iter().map(Value::Sequence).collect(),
    }
}

fn scalars(scalar: Scalar) -> Vec<Value> {
    let ints = [-129, -128, -2, 0, 1, 3, 4, 8, 127, 128, i128::from(u64::MAX), 1 << 64];
    let floats = [
        0.0,
        -0.0,
        1.0,
        0.1,
        f64::from(0.1f32),
        -1e-60,
        1e-60,
        3.0,
        3.5,
        8.0,
        8.5,
        9.5,
        1e39,
        f64::INFINITY,
        f64::NAN,
    ];
    match scalar {
        Scalar::Bool => [true, false].map(Value::Bool).to_vec(),
        Scalar::F32 | Scalar::F64 => floats.map(Value::Float).to_vec(),
        _ => ints.map(Value::Int).to_vec(),
    }
}

fn sequences(of: Scalar) -> Vec<Sequence> {
    match of {
        Scalar::Bool => [vec![], vec![true], vec![false, true], vec![true, false], vec![false; 4]]
            .map(Sequence::Bool)
            .to_vec(),
        Scalar::F32 | Scalar::F64 => [
            vec![],
            vec![1.0],
            vec![2.0, 8.5],
            vec![3.0, -0.5],
            vec![f64::NAN],
            vec![f64::NAN, f64::NAN],
            vec![0.0, -0.0],
            vec![0.1, f64::from(0.1f32)],
            vec![f64::from(0.1f32), 0.1],
            vec![1e39],
            vec![1.0; 4],
        ]
        .map(Sequence::Float)
        .to_vec(),
        _ => [
            vec![],
            vec![1],
            vec![2, 3],
            vec![3, 2],
            vec![0, 2],
            vec![2, 2],
            vec![-1, 8],
            vec![1 << 64],
            vec![1, 2, 3, 4],
        ]
        .map(Sequence::Int)
        .to_vec(),
    }
}

/// All questions, the same in every run.
pub(super) fn questions() -> Vec<Question> {
    let ask = |parameter: &Parameter, value: Value| {
        let inside = parameter.domain.contains(parameter.ty, &value);
        Question { parameter: parameter.clone(), value, inside }
    };
    let of = |p: &Parameter| values(p.ty).into_iter().map(|v| ask(p, v)).collect::<Vec<_>>();
    parameters().iter().flat_map(of).collect()
}
