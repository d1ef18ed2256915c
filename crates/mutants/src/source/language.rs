//! The languages of source text, and how tightly their operators bind.

/// The languages whose precedences differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// C, C++ and what follows them.
    C,
    /// Rust, whose bitwise operators bind tighter than its relations.
    Rust,
}

impl Language {
    /// By the name of a source file.
    pub(crate) fn of(file: &str) -> Language {
        if file.ends_with(".rs") || file.ends_with(".zig") { Language::Rust } else { Language::C }
    }

    /// How tightly an operator between two values binds; more is tighter. `None` where it is none.
    pub(crate) fn precedence(self, symbol: &str) -> Option<u8> {
        let bits = match self {
            Language::C => [5, 4, 3],
            Language::Rust => [10, 9, 8],
        };
        Some(match symbol {
            "*" | "/" | "%" => 13,
            "+" | "-" => 12,
            "<<" | ">>" => 11,
            "<" | "<=" | ">" | ">=" => 7,
            "==" | "!=" => 6,
            "&" => bits[0],
            "^" => bits[1],
            "|" => bits[2],
            "&&" => 2,
            "||" => 1,
            _ => return None,
        })
    }
}

/// The binding of what needs no parentheses anywhere.
pub(crate) const ATOM: u8 = 20;
/// The binding of prefix operators.
pub(crate) const PREFIX: u8 = 15;
/// The binding of `c ? a : b` and of assignments.
pub(crate) const CONDITIONAL: u8 = 0;
