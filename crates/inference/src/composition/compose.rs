//! Composes basic relations to one (section 3.2).

use dodona_target::Signature;

use super::basic::Basic;
use super::nesting::Composition;
use super::write_composition::{Composed, Composite, write};
use super::{Incomposable, Sequence};

/// Composes sequences of basic relations.
#[derive(Clone, Debug)]
pub struct Composer<'a> {
    pub(super) functions: &'a [Signature],
    /// The relations that sequences consist of, followed by those of the library.
    basics: Vec<Basic>,
    count: usize,
}

impl<'a> Composer<'a> {
    /// A composer of `basics`, which are the relations that sequences consist of.
    ///
    /// The `library` has further relations, such as those of `cos` where relations of `sin` are composed. They are used where
    /// an expectation calls their function and its input is changed in the way that they change it. All relations were
    /// [read](super::read()) with these functions.
    pub fn new(basics: Vec<Basic>, library: Vec<Basic>, functions: &'a [Signature]) -> Composer<'a> {
        let count = basics.len();
        Composer { functions, basics: basics.into_iter().chain(library).collect(), count }
    }

    /// The relations that sequences consist of. A sequence gives their indices.
    pub fn basics(&self) -> &[Basic] {
        &self.basics[..self.count]
    }

    /// The composition of a sequence m1 … mk: the follow-up input is F_k(… F_1(x)), and the expectation is that of mk,
    /// in which the outputs for F_{k-1}(… F_1(x)) are replaced by what the inner relations expect of them, down to x.
    ///
    /// If no relation of a function has the same change, its output stays, as a call with a changed input. The condition is
    /// that all relations apply, each to its own input, and that the inputs between the steps are in the domains of their
    /// functions, as far as the language can express that. Tolerances add up (see [the module](super)).
    ///
    /// # Errors
    /// When the sequence cannot be composed, and why.
    ///
    /// # Panics
    /// When the sequence is empty or has an index without a relation.
    pub fn compose(&self, sequence: &Sequence) -> Result<Composite, Incomposable> {
        self.composed(sequence).map(|composed| composed.composite)
    }

    /// The composition, together with its checked form.
    pub(super) fn composed(&self, sequence: &Sequence) -> Result<Composed, Incomposable> {
        let mut inwards = sequence.relations().rev().map(|i| &self.basics()[i]);
        let outer = inwards.next().expect("a sequence of at least one relation");
        let mut made = Composition::new(self.functions, &self.basics, outer);
        let mut spoken = 1;
        for (place, inner) in inwards.enumerate() {
            if made.step(inner)? {
                spoken = place + 2;
            }
        }
        let mut composed = write(&made, sequence)?;
        composed.composite.instance_of = (spoken < sequence.layers()).then(|| sequence.last(spoken));
        Ok(composed)
    }
}
