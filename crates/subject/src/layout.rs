//! Where a call's sequences and texts lie in linear memory.

use crate::{Function, Lowering, ResultLowering};
use dodona_target::{Scalar, Type};

/// The least size of an arena in bytes.
const LEAST: u64 = 64 << 10;

const ALIGNMENT: u64 = 16;

/// Bytes of each output that a callee writes through the pointer to its results.
pub const RECORD_SLOT: u64 = 8;

/// Where the arguments of one call lie, in bytes from the start of the memory that they are given (an *arena*): parameters
/// in order, then the return pair, then the out buffer, each at a multiple of 16 bytes, and zeros everywhere else. It
/// depends on the lengths alone, so every engine lays out a call alike.
///
/// ```
/// use dodona_subject::ArgumentLayout;
/// # let text = "name = 's'\n[build]\nc = ['s.c']\n[[function]]\nsignature = 'sum(xs: [i32], text: text) -> i32'";
/// # let manifest = dodona_subject::Manifest::parse(std::path::Path::new("dodona.toml"), text).unwrap();
/// # let function = &manifest.functions[0];
/// let mut layout = ArgumentLayout::default();
/// layout.lay_out(function, |_| 5);
/// assert_eq!(layout.parameters, [(0, 5), (32, 5)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ArgumentLayout {
    /// For each parameter, where its data begin, with the length in elements (bytes for text).
    pub parameters: Vec<(u64, usize)>,
    /// The pair of pointer and length that the callee writes, or the slots of several outputs.
    pub pair: u64,
    /// The out buffer.
    pub out: u64,
    /// The end of it all.
    pub end: u64,
    /// The size of the arena.
    capacity: u64,
}

impl ArgumentLayout {
    /// Lays out a call; `length` tells the length of a parameter, by index, in elements (bytes for text).
    pub fn lay_out(&mut self, function: &Function, length: impl Fn(usize) -> usize) {
        self.parameters.clear();
        self.end = 0;
        for (index, parameter) in function.parameters.iter().enumerate() {
            let (length, terminator) = match function.lowerings[index] {
                Lowering::PointerLength(_) => (length(index), 0),
                Lowering::NulTerminated(_) => (length(index), 1),
                _ => (0, 0),
            };
            let at = self.place((length + terminator) as u64 * element_bytes(parameter.ty) as u64);
            self.parameters.push((at, length));
        }
        self.pair = self.end;
        self.out = self.end;
        match &function.result {
            ResultLowering::ReturnPointer(_) => self.pair = self.place(RECORD_SLOT),
            ResultLowering::Record(outputs) => {
                self.pair = self.place(RECORD_SLOT * outputs.len().max(1) as u64)
            }
            ResultLowering::OutBuffer { ty, capacity } => {
                self.out = self.place(u64::from(*capacity) * element_bytes(*ty) as u64);
            }
            _ => {}
        }
        self.capacity = match function.passes_addresses() {
            true => (self.end + ALIGNMENT).next_power_of_two().max(LEAST),
            false => 0,
        };
    }

    /// [`ArgumentLayout::lay_out`] for a further call of the function that was laid out last. Calls of the same lengths lie alike, and in
    /// a column most follow one of the same.
    #[inline]
    pub fn lay_out_next(&mut self, function: &Function, length: impl Fn(usize) -> usize) {
        let mut places = function.lowerings.iter().zip(&self.parameters).enumerate();
        let is_same = |(index, (lowering, (_, known))): (usize, (&Lowering, &(u64, usize)))| match lowering {
            Lowering::PointerLength(_) | Lowering::NulTerminated(_) => length(index) == *known,
            _ => true,
        };
        if !places.all(is_same) {
            self.lay_out(function, length);
        }
    }

    fn place(&mut self, bytes: u64) -> u64 {
        let at = self.end.next_multiple_of(ALIGNMENT);
        self.end = at + bytes;
        at
    }

    /// The size of the arena that this call is given: a power of two, or 0 where nothing is passed by its address; an empty sequence has
    /// one too. A call without an arena asks the module's allocator for nothing: what it does may depend on how often that was asked.
    #[inline]
    pub fn capacity(&self) -> u64 {
        self.capacity
    }
}

/// Bytes of one element of a value of this type in linear memory; 1 for text.
pub fn element_bytes(ty: Type) -> usize {
    ty.scalar().map_or(1, Scalar::bytes)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Manifest;

    #[test]
    fn the_next_call_lies_as_if_it_were_the_only_one() {
        let text = "name = 's'\n[build]\nc = ['s.c']\n[[function]]\nsignature = 'f(xs: [i32], n: i32, t: text) -> i32'";
        let manifest = Manifest::parse(Path::new("dodona.toml"), text).expect("a manifest");
        let function = &manifest.functions[0];
        let mut next = ArgumentLayout::default();
        next.lay_out(function, |_| 0);
        for lengths in [[3, 1, 5], [3, 1, 5], [3, 9, 5], [4, 1, 5], [4, 1, 0], [40_000, 1, 0], [0, 1, 0]] {
            let mut alone = ArgumentLayout::default();
            alone.lay_out(function, |parameter| lengths[parameter]);
            next.lay_out_next(function, |parameter| lengths[parameter]);
            assert_eq!(format!("{next:?}"), format!("{alone:?}"));
        }
    }
}
