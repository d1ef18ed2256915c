//! What the host keeps for one instance.

use wasmtime::{Global, Memory, ResourceLimiter};

use crate::execute::limits::PAGE;
use crate::execute::wasi::Process;
use dodona_target::Until;

/// The data of a store.
pub(crate) struct Host {
    pub cap: MemoryCap,
    pub process: Process,
    /// The module's memory and fuel, for host functions.
    pub memory: Option<Memory>,
    pub fuel: Option<Global>,
    /// When calls are given up, where they may take seconds.
    pub until: Until,
}

/// Stops memory that grows past the limit.
pub(crate) struct MemoryCap {
    /// Bytes that the module may use.
    pub limit: u64,
    /// The maximum that the module declares for its memory, in bytes.
    pub declared: Option<u64>,
    /// Bytes that the host added for arguments; neither limit counts them.
    pub arguments: u64,
    /// Bytes of the columns memory, which no limit counts.
    pub columns: u64,
}

/// Memory would have grown past the limit.
#[derive(Debug, thiserror::Error)]
#[error("memory would grow to {desired} bytes, past the limit of {limit}; raise [limits] memory")]
pub(crate) struct MemoryLimitReached {
    desired: u64,
    limit: u64,
}

impl MemoryLimitReached {
    /// Whether so many bytes are past a limit.
    pub(crate) fn by(desired: u64, limit: u64) -> Option<MemoryLimitReached> {
        (desired > limit.next_multiple_of(PAGE)).then_some(MemoryLimitReached { desired, limit })
    }
}

impl ResourceLimiter for MemoryCap {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        // Made at this size, and the only memory here with its size for its maximum.
        if current == 0 && desired as u64 == self.columns && maximum == Some(desired) {
            return Ok(true);
        }
        let desired = (desired as u64).saturating_sub(self.arguments);
        if maximum.is_some_and(|m| desired > m as u64) {
            return Ok(false);
        }
        // A declared maximum is the module's own: growing past it fails without a trap. It is known here only
        // for modules with one memory, and the memory of columns never grows.
        if current > 0 && self.declared.is_some_and(|d| desired > d) {
            return Ok(false);
        }
        match MemoryLimitReached::by(desired, self.limit) {
            Some(reached) => Err(reached.into()),
            None => Ok(true),
        }
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= 100_000 && maximum.is_none_or(|m| desired <= m))
    }
}
