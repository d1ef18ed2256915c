//! Isolation: whether calls of a function may share an instance, decided by what its code can write.
//!
//! A call leaves no trace when everything it writes is its own stack frame (zeroed afterwards) or the
//! memory that the host gives it for arguments (written anew for each call). The analysis follows
//! addresses from the stack pointer and from arguments through the call graph. Where it finds only such
//! stores the instance is reused, and the stores are checked at run time all the same, so that a mistake of the
//! analysis costs speed and never a verdict.
//!
//! A row that breaks its guard is run again in a fresh instance. All other functions get a fresh instance for each call, or one that is
//! restored after each (`crates/wasm/src/execute/instance/restored.rs`).

mod fixed_point;
mod flow;
mod graph;
mod origin;
mod transfer;

use std::collections::BTreeSet;
use std::fmt;

use dodona_subject::{Argument, CodePoint, Function, Module};

pub(crate) use graph::pointed_at;
use origin::Origins;

/// Whether calls of a function share an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// The calls leave no trace: one instance serves many.
    Reused(Reused),
    /// The calls can leave a trace: each gets a fresh instance, or one in which everything that the last call changed was undone.
    Fresh {
        /// Why, in code order; never empty.
        because: Vec<Reason>,
    },
}

/// How calls leave no trace.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reused {
    /// The functions that a returning call can run.
    pub functions: BTreeSet<u32>,
    /// Whether some of them store to memory: the stack is zeroed after each call.
    pub stores: bool,
    /// Whether there is code that can write anything but always traps in the end, such as a panic: after a trap the
    /// instance is given up.
    pub discards_after_trap: bool,
}

/// Why calls need fresh instances.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// Where in the module, when it is at one place.
    pub point: Option<CodePoint>,
    /// What happens there.
    pub effect: Effect,
}

/// What code does beyond its own stack frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It stores to an address that comes neither from the stack pointer nor from an argument.
    StoresElsewhere,
    /// It sets a global variable other than the stack pointer.
    SetsGlobal(u32),
    /// It grows memory.
    GrowsMemory,
    /// It writes to a table.
    WritesTable,
    /// It drops a segment.
    DropsSegment,
    /// It calls the host.
    CallsHost(String),
    /// It uses an instruction that the analysis does not follow.
    NotFollowed,
    /// Following it would take too long.
    TooLong,
    /// It is a command: its whole process is the call.
    Command,
    /// There is no zeroed stack below the stack pointer that could be restored.
    NoStack,
}

/// The instances that calls of a function run in. They decide what a short call costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallInstances {
    /// Calls share an instance: some hundred nanoseconds beside the call itself.
    Reused,
    /// Calls share an instance in which the host undoes what each call changed: some microseconds.
    Restored,
    /// Each call gets a new instance: more than ten microseconds.
    Fresh,
}

impl Isolation {
    /// Whether calls share an instance.
    pub fn is_reused(&self) -> bool {
        matches!(self, Isolation::Reused(_))
    }

    /// Whether what its calls change can usually be undone: they call neither the host nor what is not known.
    pub(crate) fn is_restorable(&self) -> bool {
        let Isolation::Fresh { because } = self else { return false };
        because.iter().all(|reason| match reason.effect {
            Effect::StoresElsewhere | Effect::SetsGlobal(_) | Effect::GrowsMemory | Effect::NoStack => true,
            Effect::WritesTable
            | Effect::DropsSegment
            | Effect::CallsHost(_)
            | Effect::NotFollowed
            | Effect::TooLong
            | Effect::Command => false,
        })
    }

    /// Whether its calls need fresh instances because they grow memory, or also because of that.
    pub(crate) fn grows_memory(&self) -> bool {
        matches!(self, Isolation::Fresh { because } if because.iter().any(|reason| reason.effect == Effect::GrowsMemory))
    }

    pub(crate) fn fresh(effect: Effect) -> Isolation {
        Isolation::Fresh { because: vec![Reason { point: None, effect }] }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::StoresElsewhere => f.write_str("stores outside its stack frame and its arguments"),
            Effect::SetsGlobal(global) => write!(f, "sets global {global}"),
            Effect::GrowsMemory => f.write_str("grows memory"),
            Effect::WritesTable => f.write_str("writes to a table"),
            Effect::DropsSegment => f.write_str("drops a segment"),
            Effect::CallsHost(name) => write!(f, "calls the host's {name}"),
            Effect::NotFollowed => f.write_str("uses an instruction that the analysis does not follow"),
            Effect::TooLong => f.write_str("has more code than the analysis follows"),
            Effect::Command => f.write_str("is a command"),
            Effect::NoStack => f.write_str("has no zeroed stack to restore"),
        }
    }
}

/// Decides the isolation of a function under test.
///
/// A function that the module does not export is reported as not followed.
///
/// ```
/// use dodona_wasm::execute::analyse;
/// # use dodona_subject::*;
/// # use dodona_target::*;
/// let wasm = wat::parse_str(r#"(module (func (export "twice") (param i32) (result i32)
///     (i32.add (local.get 0) (local.get 0))))"#).unwrap();
/// let module = Module::parse(wasm).unwrap();
/// let twice = Function::new("twice", vec![], ResultLowering::Value(Scalar::I32));
/// let twice = Function { arguments: vec![Argument::Constant(21)], ..twice };
/// assert!(analyse(&module, &twice).is_reused());
/// ```
pub fn analyse(module: &Module, function: &Function) -> Isolation {
    analyse_with(module, function, &pointed_at(module, std::slice::from_ref(function)))
}

/// [`analyse`] where these functions too may be called indirectly.
pub(crate) fn analyse_with(module: &Module, function: &Function, pointers: &[u32]) -> Isolation {
    if function.is_command() {
        return Isolation::fresh(Effect::Command);
    }
    let Some(root) = module.export_function(&function.export) else {
        return Isolation::fresh(Effect::NotFollowed);
    };
    let parameters: Vec<Origins> = function
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Pointer(_) | Argument::ReturnPointer | Argument::OutPointer => Origins::ARGUMENT,
            _ => Origins::NONE,
        })
        .collect();
    fixed_point::run(module, root, &parameters, pointers)
}
