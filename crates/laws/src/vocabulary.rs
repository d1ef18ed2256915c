//! What laws are made of: functions, variables and constants.

use super::tuning::MOST_VARIABLES;

/// The numbers that laws are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Floats.
    Floats {
        /// Whether some function computes with single precision.
        single: bool,
    },
    /// Integers.
    Integers,
}

/// A function of numbers to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawFunction {
    /// Its name in relations.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
}

/// A constant that is not a fraction, such as pi.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// How relations write it.
    pub name: String,
    /// Its value, which is positive.
    pub value: f64,
}

/// What laws are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// The functions.
    pub functions: Vec<LawFunction>,
    /// The names of the variables.
    pub variables: Vec<String>,
    /// Constants beside fractions.
    pub constants: Vec<Constant>,
    /// What variables stand for.
    pub numbers: Numbers,
}

/// Constants that laws of textbooks have, as relations write them.
const CONSTANTS: [(&str, f64); 6] = [
    ("pi", std::f64::consts::PI),
    ("e", std::f64::consts::E),
    ("ln(2)", std::f64::consts::LN_2),
    ("sqrt(2)", std::f64::consts::SQRT_2),
    ("sqrt(3)", 1.732_050_807_568_877_2),
    ("sqrt(5)", 2.236_067_977_499_79),
];

/// The letters that people use beside a given one: y and z beside x, m beside n.
fn letters_after(name: &str) -> Vec<String> {
    let letters: &[&str] = match name {
        "n" => &["m", "k", "l"],
        "p" => &["q", "r", "s"],
        "q" => &["r", "s", "t"],
        "a" => &["b", "c", "d"],
        "b" => &["c", "d", "f"],
        "y" => &["z", "u", "v"],
        _ => &["x", "y", "z"],
    };
    letters.iter().chain(&["u", "v", "w"]).map(|letter| (*letter).to_owned()).collect()
}

impl Vocabulary {
    /// The vocabulary of some functions. Variables are named like the functions' parameters, further ones by letters that have
    /// no other meaning.
    pub fn new(functions: Vec<LawFunction>, numbers: Numbers) -> Vocabulary {
        let most = functions.iter().map(|f| f.parameters.len()).max().unwrap_or(1);
        let count = (most + 1).clamp(2, MOST_VARIABLES);
        let own = functions.iter().flat_map(|f| f.parameters.clone()).collect::<Vec<_>>();
        let letters = own.last().into_iter().flat_map(|last| letters_after(last));
        let mut variables: Vec<String> = Vec::new();
        for name in own.iter().cloned().chain(letters) {
            let is_free =
                functions.iter().all(|f| f.name != name) && !["pi", "e", "nan", "inf"].contains(&&*name);
            if variables.len() < count && !variables.contains(&name) && is_free {
                variables.push(name);
            }
        }
        let constants = match numbers {
            Numbers::Floats { .. } => CONSTANTS
                .iter()
                .map(|(name, value)| Constant { name: (*name).to_owned(), value: *value })
                .collect(),
            Numbers::Integers => Vec::new(),
        };
        // A name that the subject uses cannot be used for the constant: a function `ln` of the subject hides the word `ln` of
        // the language.
        let is_free = |constant: &Constant| {
            let word = constant.name.split('(').next().unwrap_or_default();
            !variables.iter().any(|v| v == word) && functions.iter().all(|f| f.name != word)
        };
        let constants = constants.into_iter().filter(is_free).collect();
        Vocabulary { functions, variables, constants, numbers }
    }

    /// The number of a constant.
    pub(super) fn constant(&self, name: &str) -> Option<u8> {
        self.constants.iter().position(|constant| constant.name == name).map(|index| index as u8)
    }
}
