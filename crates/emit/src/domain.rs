//! Types and domains of parameters as conditions.

use dodona_subject::{Domain, Number, NumberRange, Predicate, Scalar, Type};

/// A condition that a value of a parameter satisfies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Check<'d> {
    /// It is of this type.
    Type(Type),
    /// Each number is in one of these ranges.
    Ranges(&'d [NumberRange]),
    /// No number is one of these.
    Except(&'d [Number]),
    /// No number is NaN.
    NoNan,
    /// Its length in elements or characters.
    Length(u64, u64),
    /// It has only these characters.
    Alphabet(&'d [char]),
    /// It is one of these texts.
    Texts(&'d [String]),
    /// Sorted, distinct, without NUL.
    Predicate(Predicate),
}

/// All conditions of a parameter's type and domain.
pub(super) fn checks(ty: Type, domain: &Domain) -> Vec<Check<'_>> {
    let numbers = &domain.numbers;
    let mut checks = vec![Check::Type(ty)];
    if !numbers.ranges.is_empty() {
        checks.push(Check::Ranges(&numbers.ranges));
    }
    if !numbers.except.is_empty() {
        checks.push(Check::Except(&numbers.except));
    }
    if numbers.exclude_nan && numbers.ranges.is_empty() {
        checks.push(Check::NoNan);
    }
    checks.extend(domain.length.map(|(least, most)| Check::Length(least, most)));
    checks.extend(domain.alphabet.as_deref().map(Check::Alphabet));
    checks.extend(domain.texts.as_deref().map(Check::Texts));
    checks.extend(domain.predicates.iter().copied().map(Check::Predicate));
    checks
}

/// Whether a condition, one of these, is on the `f32` that a number stands for and not on the number as it is written.
pub(super) fn is_of_single(checks: &[Check<'_>], check: Check<'_>) -> bool {
    let is_single = |c: &Check<'_>| matches!(c, Check::Type(ty) if ty.scalar() == Some(Scalar::F32));
    checks.iter().any(is_single) && !matches!(check, Check::Type(_) | Check::Length(..))
}

/// The word of the prelude for a type.
pub(super) fn type_word(ty: Type) -> String {
    match ty {
        Type::Scalar(s) => format!("is_{s}"),
        Type::Text => "is_text".to_owned(),
        Type::Sequence(s) => format!("are_{s}"),
    }
}

/// The word of the prelude for a predicate.
pub(super) fn predicate_word(predicate: Predicate) -> &'static str {
    match predicate {
        Predicate::Sorted => "is_sorted",
        Predicate::Distinct => "is_distinct",
        Predicate::NoNul => "has_no_nul",
    }
}
