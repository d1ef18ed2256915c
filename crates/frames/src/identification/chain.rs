//! What follows from two relations that are applied one after the other. Most relations of two parameters that change at once follow from
//! the relations of each parameter in this way.

use crate::identification::cover::{Cube, Literal};
use crate::identification::expectation::Expectation;
use crate::identification::specification::Frame;

impl Expectation {
    /// The relation between the outputs of the first and the third of three inputs, if this relation holds from the first to the second and
    /// `next` from the second to the third. Rounding is neglected. `None` if nothing follows.
    ///
    /// ```
    /// use dodona_frames::identification::Expectation as E;
    ///
    /// assert_eq!(E::Greater.then(E::AtLeast), Some(E::Greater));
    /// assert_eq!(E::Difference(3.0).then(E::Difference(-1.0)), Some(E::Difference(2.0)));
    /// assert_eq!(E::Greater.then(E::Less), None);
    /// ```
    pub fn then(self, next: Expectation) -> Option<Expectation> {
        use Expectation as E;
        match (self, next) {
            (E::Equal | E::Approximate, other) | (other, E::Equal | E::Approximate) => Some(other),
            (E::Difference(a), E::Difference(b)) if a + b == 0.0 => Some(E::Equal),
            (E::Difference(a), E::Difference(b)) => Some(E::Difference(a + b)),
            (E::Ratio(a), E::Ratio(b)) if a * b == 1.0 => Some(E::Equal),
            (E::Ratio(a), E::Ratio(b)) => Some(E::Ratio(a * b)),
            _ => {
                // An order is strict if one of the two steps is strict: `<` and `<=` give `<`. For prefixes, both steps have to be
                // prefixes; otherwise only `contains` follows.
                let chains = [
                    [E::Less, E::AtMost],
                    [E::Greater, E::AtLeast],
                    [E::Extends, E::Contains],
                    [E::PrefixOf, E::PartOf],
                ];
                let [strong, weak] =
                    chains.into_iter().find(|[_, weak]| self.implies(*weak) && next.implies(*weak))?;
                let implies = |e: E| e.implies(strong);
                let is_order = matches!(strong, E::Less | E::Greater);
                let is_strong =
                    if is_order { implies(self) || implies(next) } else { implies(self) && implies(next) };
                Some(if is_strong { strong } else { weak })
            }
        }
    }
}

impl Cube {
    /// Whether it holds for a source input of the frame `source`, whose output has the choices `output`, and a follow-up input of the frame
    /// `follow_up`.
    pub fn allows(&self, source: &Frame, output: &Frame, follow_up: &Frame) -> bool {
        self.literals.iter().all(|(literal, choices)| {
            choices.contains(match literal {
                Literal::Source(category) => &source.0[*category],
                Literal::FollowUp(category) => &follow_up.0[*category],
                Literal::Output(category) => &output.0[*category],
            })
        })
    }
}
