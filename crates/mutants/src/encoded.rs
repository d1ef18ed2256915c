//! The encoded instructions of a function.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::OnceLock;

use dodona_subject::Module;
use wasm_encoder::Encode as _;
use wasm_encoder::reencode::{Error, Reencode as _, RoundtripReencoder};

/// The encoded instructions of a function. They are encoded when they are first needed, and only once, because a function has
/// thousands of mutants, each of which differs from it in few instructions.
#[derive(Default)]
pub(crate) struct EncodedOnce(OnceLock<Encoded>);

/// Encoded instructions, one after another.
pub(crate) struct Encoded {
    bytes: Vec<u8>,
    /// Where each instruction ends in the bytes.
    ends: Vec<usize>,
}

impl EncodedOnce {
    /// The instructions of a function, which has to be the same one each time.
    pub(crate) fn of(&self, module: &Module, function: u32) -> Result<&Encoded, Error<Infallible>> {
        if let Some(encoded) = self.0.get() {
            return Ok(encoded);
        }
        let encoded = Encoded::new(module, function)?;
        Ok(self.0.get_or_init(|| encoded))
    }
}

impl Encoded {
    fn new(module: &Module, function: u32) -> Result<Encoded, Error<Infallible>> {
        let mut encoded = Encoded { bytes: Vec::new(), ends: Vec::new() };
        for (operator, _) in module.operators(function) {
            RoundtripReencoder.instruction(operator)?.encode(&mut encoded.bytes);
            encoded.ends.push(encoded.bytes.len());
        }
        Ok(encoded)
    }

    /// How many instructions there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes of some instructions.
    pub(crate) fn range(&self, instructions: Range<usize>) -> &[u8] {
        let start = |instruction: usize| instruction.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start(instructions.start)..start(instructions.end)]
    }
}
