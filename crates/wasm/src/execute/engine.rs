//! The engine: one configuration, chosen so that every run of a call gives the same bits.
//!
//! A fresh instance changes no memory mapping, because protecting pages or giving them back costs more than the call and stops every
//! other thread of the process. So if some function of the manifest needs fresh instances, the code tests its accesses itself, and memory
//! has no guard pages. On Linux from 6.7 on, if nothing is swapped, only the pages that a call wrote are restored, up to 256 KiB; two
//! threads make five times as many fresh calls in this way. On other systems the first 256 KiB are restored and the rest is given back.

use std::num::NonZeroUsize;

use dodona_subject::Limits;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig,
    WasmBacktraceDetails,
};

use crate::execute::LoadError;
use crate::execute::compiled_cache;
use crate::execute::limits::{MOST_MEMORY, MOST_STACK, PAGE, TrapPlaces};

/// Instances that may live at once, over all threads. A thread has up to sixteen: five that are reused, five that are restored with one
/// that is never called beside each, and a fresh one.
const INSTANCES: u32 = 1536;

/// Memory that stays mapped between two instances in the same slot: zeroing this much by hand costs
/// less than the page faults after giving it back.
const RESIDENT: usize = 256 << 10;

/// Calls that led to a trap which are looked at, to find one in the code of the user. Rust's standard library has about ten between a
/// panic and the function that panics; the rest of a deep recursion is only slow to walk.
const MOST_CALLERS: usize = 64;

/// How code traps. The outcome is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trapping {
    /// By faults of the processor, which the operating system turns into signals: free until one happens.
    BySignals,
    /// By tests in the code that call the host: every access and division pays a little, and a trap is no matter
    /// for the operating system. Mutants trap often: those of `gcd` run in less than half the time so.
    ByTests,
}

/// The largest function that is optimised, in bytes of its instrumented code. Optimising takes time and memory that grow faster than
/// the function: one of 1.3 MB with a counter a branch took over 20 seconds and 1.9 GB, of 380 kB 5 seconds and 1.7 GB. Functions that
/// people write have a few kilobytes, so that the bound can stand far above them and below those.
const MOST_OPTIMISED: usize = 128 << 10;

/// How much code is compiled, in bytes, once it is instrumented.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code {
    /// Of the largest function.
    pub(crate) largest: usize,
    /// Of the whole module.
    pub(crate) bytes: usize,
}

/// An engine for the limits, for so much code; `gives_up` says whether its calls can be given up
/// in their midst.
///
/// # Errors
/// When a limit is out of range, or the host cannot reserve the address space.
pub(crate) fn engine(
    limits: &Limits,
    trapping: Trapping,
    code: Code,
    gives_up: bool,
    places: TrapPlaces,
) -> Result<Engine, LoadError> {
    check(limits)?;
    let mut config = configuration(limits);
    match places {
        TrapPlaces::Known => {}
        TrapPlaces::WithCallers => {
            config.wasm_backtrace_max_frames(NonZeroUsize::new(MOST_CALLERS));
        }
        TrapPlaces::Unknown => {
            config.wasm_backtrace_max_frames(None);
        }
    }
    config.cache(compiled_cache::cache(code.bytes));
    if code.largest > MOST_OPTIMISED {
        config.cranelift_opt_level(OptLevel::None);
    }
    config.signals_based_traps(trapping == Trapping::BySignals);
    config.epoch_interruption(gives_up);
    if trapping == Trapping::ByTests {
        // Nothing relies on a page that faults: memory that a call grew stays mapped for the next.
        config.memory_guard_size(0);
    }
    let pooled =
        config.clone().allocation_strategy(InstanceAllocationStrategy::Pooling(pool(limits))).clone();
    // Without the address space for a pool (a container with little of it) instances still work, slower.
    Engine::new(&pooled)
        .or_else(|_| Engine::new(&config))
        .map_err(|e| LoadError::Engine { message: format!("{e:#}") })
}

fn check(limits: &Limits) -> Result<(), LoadError> {
    let refuse = |what, limit, most| Err(LoadError::Limit { what, limit, most });
    if limits.memory > MOST_MEMORY {
        return refuse("memory", limits.memory, MOST_MEMORY);
    }
    if limits.stack > MOST_STACK {
        return refuse("stack", limits.stack, MOST_STACK);
    }
    if limits.fuel.0 > i64::MAX as u64 {
        return refuse("fuel", limits.fuel.0, i64::MAX as u64);
    }
    Ok(())
}

/// How code is compiled, and with what it runs.
pub(crate) fn configuration(limits: &Limits) -> Config {
    let mut config = Config::new();
    config
        .cranelift_nan_canonicalization(true)
        .cranelift_opt_level(OptLevel::Speed)
        .relaxed_simd_deterministic(true)
        .wasm_multi_memory(true)
        // Backtraces follow frame pointers; tables for unwinding are for debuggers and profilers, and take time to make.
        .native_unwind_info(false)
        .wasm_memory64(false)
        .max_wasm_stack((limits.stack as usize).max(16 << 10))
        .memory_init_cow(true)
        // One frame says where a trap happened; the rest of a deep recursion is only slow to walk.
        .wasm_backtrace_max_frames(NonZeroUsize::new(1))
        .wasm_backtrace_details(WasmBacktraceDetails::Disable);
    config
}

fn pool(limits: &Limits) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(INSTANCES)
        .total_memories(2 * INSTANCES)
        .max_memories_per_module(4)
        .total_tables(2 * INSTANCES)
        .max_tables_per_module(4)
        .table_elements(100_000)
        .max_core_instance_size(8 << 20)
        .max_memory_size(slot_bytes(limits))
        .linear_memory_keep_resident(RESIDENT)
        .table_keep_resident(RESIDENT)
        .pagemap_scan(if may_swap() { Enabled::No } else { Enabled::Auto })
        .max_unused_warm_slots(INSTANCES);
    pool
}

/// Whether the kernel may swap pages out. It then no longer counts them as present, and a scan for the pages that a call wrote would
/// miss them; nobody has seen one that was being moved in memory at the very moment, which would be missed too.
fn may_swap() -> bool {
    // The first line is a header.
    std::fs::read_to_string("/proc/swaps").map_or(true, |swaps| swaps.lines().count() > 1)
}

/// A slot holds what the module may use and as much again for arguments.
fn slot_bytes(limits: &Limits) -> usize {
    let bytes = (2 * limits.memory.max(PAGE)).next_multiple_of(PAGE);
    // Modules that start larger than the limit are refused with their own message, not the pool's.
    bytes.max(64 << 20) as usize
}
