//! Array references: loads that can be written again at another place of their function.
//!
//! In compiled code an element of an array is the value in memory at an address. The address is computed from locals and constants: `xs[i]` is
//! a load from `xs + (i << 2)`. Where the compiler kept the address in a local, the load is from that local. Such a load is an array reference
//! here; operators of Mothra that replace something by an array reference write it again.

use dodona_subject::wasmparser::{MemArg, ValType};

use crate::Step;
use crate::emit::out_of_bounds_at;

/// A load whose address consists of locals and constants.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The first instruction that loads from there.
    pub at: u32,
    /// The type of the value.
    pub ty: ValType,
    /// The code of the address.
    pub address: Vec<Step>,
    /// The instruction that loads.
    pub load: Step,
    /// Its offset and its memory.
    pub memarg: MemArg,
    /// How many bytes it loads.
    pub width: u32,
}

impl Reference {
    /// The code that loads the value.
    pub(crate) fn code(&self) -> Vec<Step> {
        self.address.iter().chain([&self.load]).cloned().collect()
    }

    /// Steps that say whether the load is out of bounds.
    pub(crate) fn traps(&self) -> Vec<Step> {
        out_of_bounds_at(&self.address, &self.memarg, self.width)
    }
}
