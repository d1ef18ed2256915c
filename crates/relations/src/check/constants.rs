//! The constants of the language that have a name.

/// The value of a named constant such as `pi`.
pub(crate) fn constant(name: &str) -> Option<f64> {
    Some(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    })
}

/// The names of all constants.
pub(crate) const CONSTANTS: [&str; 4] = ["pi", "e", "inf", "nan"];
