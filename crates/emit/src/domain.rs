//! The conditions that the type and domain of a parameter put on its values.

use dodona_target::{Domain, Number, NumberRange, Predicate, Scalar, Type};

/// A condition that every value of a parameter satisfies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Check<'d> {
    /// The value is of this type.
    Type(Type),
    /// Each number lies in one of these ranges.
    Ranges(&'d [NumberRange]),
    /// No number equals any of these.
    Except(&'d [Number]),
    /// No number is NaN.
    NoNan,
    /// The least and greatest length, in elements or characters.
    Length(u64, u64),
    /// Every character is one of these.
    Alphabet(&'d [char]),
    /// The text is one of these.
    Texts(&'d [String]),
    /// The value is sorted, has distinct elements, or contains no NUL.
    Predicate(Predicate),
}

/// All conditions of a parameter's type and domain, starting with the type.
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

/// Whether `check`, one of the parameter's `checks`, applies to the number rounded to `f32` and not to the number as
/// written. For an `f32` parameter that is every condition except type and length.
pub(super) fn is_of_single(checks: &[Check<'_>], check: Check<'_>) -> bool {
    let is_single = |c: &Check<'_>| matches!(c, Check::Type(ty) if ty.scalar() == Some(Scalar::F32));
    checks.iter().any(is_single) && !matches!(check, Check::Type(_) | Check::Length(..))
}

/// The prelude's word that tests whether a value is of the type.
pub(super) fn type_word(ty: Type) -> String {
    match ty {
        Type::Scalar(s) => format!("is_{s}"),
        Type::Text => "is_text".to_owned(),
        Type::Sequence(s) => format!("are_{s}"),
    }
}

/// The prelude's word that tests the predicate.
pub(super) fn predicate_word(predicate: Predicate) -> &'static str {
    match predicate {
        Predicate::Sorted => "is_sorted",
        Predicate::Distinct => "is_distinct",
        Predicate::NoNul => "has_no_nul",
    }
}
