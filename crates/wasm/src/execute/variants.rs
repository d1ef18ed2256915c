//! Variants: versions of functions that stand beside the originals in one module, chosen at run time.
//!
//! A version costs its compilation once, not an instance or a module of its own: what chooses it is a global that a
//! function with copies reads at its entry.
//!
//! All mutants of a module are versions in one module. A function with copies begins with a jump table over the global, and the chosen
//! copy is reached by a tail call, so that recursion needs as much stack as in the original. The price: the original is slower by one
//! comparison.
//!
//! A copy is the original with patches. It uses the fuel of the original's instructions, and a trap in it is located at the original's
//! instruction. So the two differ by the mutation only, and not by the code that was added to run it.
//!
//! Versions are confined. Whether calls share an instance is decided for the originals and not for every version. If a mutant writes
//! beyond its frame and buffers, the guards stop the row, and it is run again in a fresh instance.

use std::collections::{BTreeMap, BTreeSet};

use dodona_subject::Module;
use wasm_encoder::{Instruction, ValType};
use wasmparser::Operator;

use crate::execute::LoadError;

/// Versions of functions that stand beside the originals in one module, one of them chosen at run time.
///
/// ```
/// use dodona_wasm::execute::{Choice, Executable, FunctionCopy, Options, Original, Patch, Variants};
/// use dodona_subject::*;
/// use dodona_target::*;
/// use wasm_encoder::Instruction;
///
/// let wasm = wat::parse_str(r#"(module (func (export "f") (param i32) (result i32)
///     (i32.add (local.get 0) (i32.const 1))))"#).unwrap();
/// let parameters = vec![(Parameter::new("x", Type::Scalar(Scalar::I32)), Lowering::Value)];
/// let f = Function::new("f", parameters, ResultLowering::Value(Scalar::I32));
/// // Version 1 subtracts where the original adds: instruction 2 of function 0.
/// let minus = Patch { at: 2, code: vec![Instruction::I32Sub], original: Original::Left };
/// let copy = FunctionCopy { version: 1, function: 0, locals: vec![], patches: vec![minus] };
/// let variants = Variants { copies: vec![copy], ..Variants::default() };
/// let module = Module::parse(wasm)?;
/// let executable = Executable::load_with_variants(&module, &[f], &Options::default(), &variants)?;
/// let mut runner = executable.runner();
/// let x = [Column::Int(vec![5])];
/// assert_eq!(runner.call(0, &x)?.outputs, [Column::Int(vec![6])]);
/// runner.choose(Choice { version: 1, alternative: 0 });
/// assert_eq!(runner.call(0, &x)?.outputs, [Column::Int(vec![4])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Variants {
    /// The copies, in any order.
    pub copies: Vec<FunctionCopy>,
    /// Bits of notes that each call (row) has; 0 for none.
    pub note_bits: u32,
    /// Whether each call chooses a version that has a copy of every function in [`Variants::copies`]. Their originals are then
    /// compiled only where the start of an instance or the allocator may run them, and a call that chooses no version traps.
    pub is_always_chosen: bool,
}

impl Variants {
    /// Whether there is nothing beside the originals.
    pub fn is_empty(&self) -> bool {
        self.copies.is_empty() && self.note_bits == 0
    }

    /// Checks what the engine would not.
    ///
    /// # Errors
    /// When a copy is not of a function defined in the module, a version has two of one, or a patch is out of place.
    pub(crate) fn check(&self, module: &Module) -> Result<(), LoadError> {
        if self.note_bits > MOST_NOTE_BITS {
            return refuse(format!("{} bits of notes a row are more than {MOST_NOTE_BITS}", self.note_bits));
        }
        let mut seen = BTreeSet::new();
        let mut operators = BTreeMap::new();
        for copy in &self.copies {
            copy.check_patches(
                operators.entry(copy.function).or_insert_with(|| module.operators(copy.function)),
            )?;
            if !seen.insert((copy.version, copy.function)) {
                return refuse(format!(
                    "version {} has two copies of function {}",
                    copy.version, copy.function
                ));
            }
        }
        self.check_choices(&seen)
    }

    /// Checks that no version runs an original that is not compiled. A copy is known by its version and its function.
    fn check_choices(&self, copies: &BTreeSet<(u32, u32)>) -> Result<(), LoadError> {
        if !self.is_always_chosen {
            return Ok(());
        }
        let versions: BTreeSet<u32> = copies.iter().map(|(version, _)| *version).collect();
        let functions: BTreeSet<u32> = copies.iter().map(|(_, function)| *function).collect();
        let mut all = versions.iter().flat_map(|&version| functions.iter().map(move |&f| (version, f)));
        match all.find(|copy| !copies.contains(copy)) {
            None => Ok(()),
            Some((version, function)) => refuse(format!(
                "version {version} has no copy of function {function}, whose original is not compiled"
            )),
        }
    }
}

/// The most bits of notes that a row may have: a MiB.
const MOST_NOTE_BITS: u32 = 8 << 20;

fn refuse(problem: String) -> Result<(), LoadError> {
    Err(LoadError::Variants { problem })
}

impl FunctionCopy {
    /// Checks a copy against the operators of its function.
    fn check_patches(&self, operators: &[(Operator<'_>, usize)]) -> Result<(), LoadError> {
        let FunctionCopy { version, function, patches, .. } = self;
        let of = format!("the copy of function {function} in version {version}");
        if *version == 0 {
            return refuse(format!("{of} takes the version of the originals; versions start at 1"));
        }
        if operators.is_empty() {
            return refuse(format!("{of} has no original: the module defines no such function"));
        }
        if let Some(pair) = patches.windows(2).find(|pair| pair[0].at >= pair[1].at) {
            return refuse(format!("{of} has a patch at {} before one at {}", pair[0].at, pair[1].at));
        }
        for patch in patches {
            match operators.get(patch.at as usize) {
                None => return refuse(format!("{of} has a patch at {}, past its end", patch.at)),
                Some((operator, _)) if patch.original == Original::Left && is_structure(operator) => {
                    return refuse(format!(
                        "{of} leaves out {}, which opens, divides or ends a block",
                        patch.at
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

fn is_structure(operator: &Operator<'_>) -> bool {
    use Operator as O;
    matches!(
        operator,
        O::Block { .. } | O::Loop { .. } | O::If { .. } | O::Else | O::End | O::TryTable { .. }
    )
}

/// A patched copy of a defined function, run in its place (wherever it is called from: exports, calls, tables, itself)
/// while its version is chosen.
///
/// It uses the fuel of the original's instructions: patches are free, but for the turns of their own loops and the
/// lengths of bulk operations. A trap in it is located at the original instruction.
#[derive(Clone, Debug)]
pub struct FunctionCopy {
    /// The version, at least 1. Copies of different functions may share one; there is at most one copy of a function
    /// in a version.
    pub version: u32,
    /// The function's index in the module.
    pub function: u32,
    /// Scratch locals behind the function's own parameters and locals.
    pub locals: Vec<ValType>,
    /// What differs, in ascending order of [`Patch::at`].
    pub patches: Vec<Patch>,
}

/// Instructions before an instruction of the original, or in its place.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The instruction's number in the function's body, in code order; the function's final `end` counts.
    pub at: u32,
    /// What runs before it. Labels count from where it stands in the original.
    pub code: Vec<Instruction<'static>>,
    /// What becomes of the instruction itself.
    pub original: Original,
}

/// What becomes of an instruction at which a patch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Original {
    /// It follows the patch's code.
    Kept,
    /// It is left out. Never for an instruction that opens, divides or ends a block.
    Left,
}

/// Which version runs; the default is the original.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The version of [`FunctionCopy::version`]; functions without a copy in it run as they are.
    pub version: u32,
    /// What patches read from [`Additions::alternative`](crate::execute::Additions::alternative).
    pub alternative: u32,
}
