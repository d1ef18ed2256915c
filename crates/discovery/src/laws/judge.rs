//! Tests laws of numbers on fresh inputs, and finds the strictest way to write each of them.
//!
//! A law is written as strictly as fresh inputs allow. If its terms may cancel each other and are not bounded, its tolerance is relative
//! to the terms: random inputs hardly ever meet the cancellation that would refute `~=`.

use dodona_inference::laws::Written;
use dodona_target::{Kind, Parameter, Scalar, Signature, Type};
use dodona_workbench::LabError;

use super::law_tuning::FIRST_FRESH;
use super::trial::{AcceptedLaw, FreshTests, LawVerdict};
use crate::tuning::LARGEST_OUTPUT;

/// Tests laws of numbers on fresh inputs.
pub(super) struct Judge<'a> {
    pub(super) trial: FreshTests<'a>,
    pub(super) kind: Kind,
    /// The widest result of the functions, in bits.
    pub(super) bits: u32,
    /// The least integer of a parameter's type, if it lies in the parameter's domain. Its negative and its absolute value do
    /// not fit into the type.
    pub(super) least: Option<i128>,
}

impl Judge<'_> {
    /// The law in its strictest form that no fresh input refutes. `first` is the index, in the list of all its forms from the
    /// strictest on, of the first form that is tried.
    ///
    /// # Errors
    /// When the host fails.
    pub(super) fn judge(&self, written: &Written, first: usize) -> Result<LawVerdict, LabError> {
        let mut refuted = None;
        for (reading, relation) in self.readings(written).into_iter().enumerate().skip(first) {
            if !self.trial.until.goes_on() {
                return Ok(LawVerdict::Open);
            }
            match self.trial.test(&relation, FIRST_FRESH)? {
                LawVerdict::Refuted(first) => refuted = refuted.or(Some(first)),
                LawVerdict::Accepted(accepted) => {
                    return Ok(LawVerdict::Accepted(AcceptedLaw { reading, ..accepted }));
                }
                LawVerdict::Open => return Ok(LawVerdict::Open),
            }
        }
        Ok(refuted.map_or(LawVerdict::Open, LawVerdict::Refuted))
    }

    /// The forms in which a law can be written, the strictest first.
    fn readings(&self, written: &Written) -> Vec<String> {
        let Written { header, left, right, .. } = written;
        if self.kind == Kind::Int {
            let modulus =
                if self.bits >= 32 { "4294967296".to_owned() } else { (1_u64 << self.bits).to_string() };
            let equation = written.equation("==");
            let above = self.least.map(|least| {
                let above: Vec<String> = written.arguments.iter().map(|a| format!("{a} > {least}")).collect();
                format!("{header}: when {}: {equation}", above.join(" and "))
            });
            let modular = format!("{header}: ({}) mod {modulus} == 0", written.reduced);
            return std::iter::once(format!("{header}: {equation}")).chain(above).chain([modular]).collect();
        }
        let plain = written.is_plain.then(|| format!("{header}: {left} == {right}"));
        let bounded: Vec<String> =
            written.plain_calls.iter().map(|call| format!("abs({call}) < {LARGEST_OUTPUT}")).collect();
        let bounded = (!bounded.is_empty())
            .then(|| format!("{header}: when {}: {left} ~= {right} within 1e-6", bounded.join(" and ")));
        let near = format!("{header}: {left} ~= {right}");
        match &written.magnitude {
            // If large terms cancel each other, the error may be large relative to the result, so that the tolerance has to be
            // relative to the terms.
            Some(magnitude) => {
                let is_bounded = format!("{header}: {magnitude} < {LARGEST_OUTPUT}");
                let relative = format!("{header}: abs({left} - ({right})) <= 1e-9 * ({magnitude})");
                match self.trial.test(&is_bounded, FIRST_FRESH) {
                    Ok(LawVerdict::Accepted(_)) => vec![near, relative],
                    _ => vec![relative],
                }
            }
            None => {
                let wide = format!("{header}: {left} ~= {right} within 1e-6");
                plain.into_iter().chain([near, wide]).chain(bounded).collect()
            }
        }
    }
}

/// The least integer of a parameter's type, if it lies in the parameter's domain.
pub(super) fn least(function: &Signature) -> Option<i128> {
    let of = |parameter: &Parameter| {
        let Type::Scalar(scalar) = parameter.ty else { return None };
        let least = match scalar {
            Scalar::I8 => i128::from(i8::MIN),
            Scalar::I16 => i128::from(i16::MIN),
            Scalar::I32 => i128::from(i32::MIN),
            Scalar::I64 => i128::from(i64::MIN),
            _ => return None,
        };
        parameter.domain.contains_int(scalar, least).then_some(least)
    };
    function.parameters.iter().filter_map(of).min()
}

/// The widest result of some functions, in bits; 0 for floats.
pub(super) fn bits(results: impl Iterator<Item = Scalar>) -> u32 {
    let bits = |scalar: Scalar| match scalar {
        Scalar::I8 | Scalar::U8 => 8,
        Scalar::I16 | Scalar::U16 => 16,
        Scalar::I32 | Scalar::U32 => 32,
        Scalar::I64 | Scalar::U64 => 64,
        Scalar::Bool | Scalar::F32 | Scalar::F64 => 0,
    };
    results.map(bits).max().unwrap_or(0)
}
