//! Whether an equation uses the variables in their usual order. Of equations that differ only in the names of variables, one is
//! enough.

use super::enumerate::Enumeration;
use super::equation::Equation;
use super::head::Head;

impl Enumeration<'_> {
    /// Whether the variables of an equation, in the order in which a reader meets them, are the first ones of their kind. The
    /// equation may be read from either side.
    pub(super) fn is_first_in_names(&self, equation: Equation) -> bool {
        let Equation { left, right, condition } = equation;
        [[left, right], [right, left]].into_iter().any(|sides| {
            let mut met: Vec<u8> = Vec::new();
            for term in sides.into_iter().chain(condition) {
                self.terms.visit(term, &mut |id| match self.terms.get(id).head {
                    Head::Variable(v) if !met.contains(&v) => met.push(v),
                    _ => {}
                });
            }
            self.are_first(&met)
        })
    }

    fn are_first(&self, met: &[u8]) -> bool {
        let kind = |v: u8| {
            let variable = &self.vocabulary.variables[usize::from(v)];
            let (function, parameter) = variable.parameters[0];
            (variable.ty, self.kinds.parameter(function, parameter), variable.parameters.as_slice())
        };
        let is_same = |a: u8, b: u8| {
            let ((a_ty, a_kind, a_class), (b_ty, b_kind, b_class)) = (kind(a), kind(b));
            a_ty == b_ty && if a_kind.is_some() { a_kind == b_kind } else { a_class == b_class }
        };
        let all = 0..self.vocabulary.variables.len() as u8;
        met.iter().enumerate().all(|(place, &v)| {
            let before = met[..place].iter().filter(|other| is_same(**other, v)).count();
            all.clone().filter(|&other| is_same(other, v)).nth(before) == Some(v)
        })
    }
}
