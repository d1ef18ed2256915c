//! The functions of WASI preview 1 as imports.

mod descriptor;
mod path;
mod system;

use wasmtime::{Caller, FuncType, Linker, Val, ValType};

use super::abi::{Answer, Errno, Exit, Guest};
use super::process::Process;
use crate::execute::host::Host;

const MODULE: &str = "wasi_snapshot_preview1";

/// Functions that exist in the interface and are answered with "not supported", with their parameters
/// (`i` for i32, `l` for i64).
const NOT_SUPPORTED: [(&str, &str); 10] = [
    ("fd_allocate", "ill"),
    ("path_link", "iiiiiii"),
    ("path_readlink", "iiiiii"),
    ("path_symlink", "iiiii"),
    ("proc_raise", "i"),
    ("sock_accept", "iii"),
    ("sock_recv", "iiiiii"),
    ("sock_send", "iiiii"),
    ("sock_shutdown", "ii"),
    ("path_filestat_set_times", "iiiilli"),
];

const SUPPORTED: [&str; 36] = [
    "args_get",
    "args_sizes_get",
    "clock_res_get",
    "clock_time_get",
    "environ_get",
    "environ_sizes_get",
    "fd_advise",
    "fd_close",
    "fd_datasync",
    "fd_fdstat_get",
    "fd_fdstat_set_flags",
    "fd_fdstat_set_rights",
    "fd_filestat_get",
    "fd_filestat_set_size",
    "fd_filestat_set_times",
    "fd_pread",
    "fd_prestat_dir_name",
    "fd_prestat_get",
    "fd_pwrite",
    "fd_read",
    "fd_readdir",
    "fd_renumber",
    "fd_seek",
    "fd_sync",
    "fd_tell",
    "fd_write",
    "path_create_directory",
    "path_filestat_get",
    "path_open",
    "path_remove_directory",
    "path_rename",
    "path_unlink_file",
    "poll_oneoff",
    "proc_exit",
    "random_get",
    "sched_yield",
];

/// Whether an import is one of the functions that the host offers.
pub(crate) fn offers(module: &str, name: &str) -> bool {
    module == MODULE && (SUPPORTED.contains(&name) || NOT_SUPPORTED.iter().any(|(known, _)| *known == name))
}

/// Runs a call on the process and the guest's memory, and charges what it moved as fuel.
fn enter(
    caller: &mut Caller<'_, Host>,
    call: impl FnOnce(&mut Process, &mut Guest<'_>) -> Answer,
) -> wasmtime::Result<i32> {
    let Some(memory) = caller.data().memory else { return Ok(Errno::FAULT.0.into()) };
    let (bytes, host) = memory.data_and_store_mut(&mut *caller);
    let answer = call(&mut host.process, &mut Guest { bytes });
    let moved = std::mem::take(&mut host.process.moved);
    charge(caller, moved)?;
    Ok(answer.err().unwrap_or(Errno::SUCCESS).0.into())
}

/// Charges a call of the host that moved so many bytes.
///
/// # Errors
/// When the fuel is used up.
pub(crate) fn charge(caller: &mut Caller<'_, Host>, moved: u64) -> wasmtime::Result<()> {
    let Some(fuel) = caller.data().fuel else { return Ok(()) };
    let left = fuel.get(&mut *caller).i64().unwrap_or(0).saturating_sub((moved / 8 + 1) as i64);
    fuel.set(&mut *caller, Val::I64(left))?;
    if left < 0 { Err(wasmtime::Error::msg("out of fuel in the host")) } else { Ok(()) }
}

/// Offers one function: its implementation takes the process, the guest's memory and the arguments.
macro_rules! offer {
    ($linker:ident, $name:literal, $call:path, $($argument:ident: $ty:ty),*) => {
        $linker.func_wrap(MODULE, $name, |mut caller: Caller<'_, Host>, $($argument: $ty),*| {
            enter(&mut caller, |process, guest| $call(process, guest, $($argument),*))
        })?;
    };
}

/// Offers every function to a linker.
pub(crate) fn offer(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    offer_system(linker)?;
    offer_descriptors(linker)?;
    offer_paths(linker)?;
    for (name, parameters) in NOT_SUPPORTED {
        let parameters = parameters.chars().map(|c| if c == 'l' { ValType::I64 } else { ValType::I32 });
        let ty = FuncType::new(linker.engine(), parameters, [ValType::I32]);
        linker.func_new(MODULE, name, ty, |_, _, results| {
            results[0] = Val::I32(Errno::NOSYS.0.into());
            Ok(())
        })?;
    }
    Ok(())
}

fn offer_system(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    offer!(linker, "args_get", system::args_get, pointers: u32, buffer: u32);
    offer!(linker, "args_sizes_get", system::args_sizes_get, count: u32, size: u32);
    offer!(linker, "environ_get", system::environ_get, pointers: u32, buffer: u32);
    offer!(linker, "environ_sizes_get", system::environ_sizes_get, count: u32, size: u32);
    offer!(linker, "clock_res_get", system::clock_res_get, clock: u32, out: u32);
    offer!(linker, "clock_time_get", system::clock_time_get, clock: u32, precision: u64, out: u32);
    offer!(linker, "random_get", system::random_get, buffer: u32, length: u32);
    offer!(linker, "sched_yield", system::sched_yield,);
    offer!(linker, "poll_oneoff", system::poll_oneoff, subscriptions: u32, events: u32, count: u32, out: u32);
    linker.func_wrap(MODULE, "proc_exit", |code: i32| -> wasmtime::Result<()> { Err(Exit(code).into()) })?;
    Ok(())
}

fn offer_descriptors(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    offer!(linker, "fd_advise", descriptor::fd_advise, fd: u32, offset: u64, length: u64, advice: u32);
    offer!(linker, "fd_close", descriptor::fd_close, fd: u32);
    offer!(linker, "fd_datasync", descriptor::fd_sync, fd: u32);
    offer!(linker, "fd_sync", descriptor::fd_sync, fd: u32);
    offer!(linker, "fd_fdstat_get", descriptor::fd_fdstat_get, fd: u32, out: u32);
    offer!(linker, "fd_fdstat_set_flags", descriptor::fd_fdstat_set_flags, fd: u32, flags: u32);
    offer!(linker, "fd_fdstat_set_rights", descriptor::fd_set_rights, fd: u32, base: u64, inheriting: u64);
    offer!(linker, "fd_filestat_get", descriptor::fd_filestat_get, fd: u32, out: u32);
    offer!(linker, "fd_filestat_set_size", descriptor::fd_filestat_set_size, fd: u32, size: u64);
    offer!(linker, "fd_filestat_set_times", descriptor::fd_set_times, fd: u32, a: u64, m: u64, flags: u32);
    offer!(linker, "fd_pread", descriptor::fd_pread, fd: u32, buffers: u32, count: u32, offset: u64, out: u32);
    offer!(linker, "fd_pwrite", descriptor::fd_pwrite, fd: u32, buffers: u32, count: u32, offset: u64, out: u32);
    offer!(linker, "fd_read", descriptor::fd_read, fd: u32, buffers: u32, count: u32, out: u32);
    offer!(linker, "fd_write", descriptor::fd_write, fd: u32, buffers: u32, count: u32, out: u32);
    offer!(linker, "fd_seek", descriptor::fd_seek, fd: u32, offset: i64, whence: u32, out: u32);
    offer!(linker, "fd_tell", descriptor::fd_tell, fd: u32, out: u32);
    offer!(linker, "fd_renumber", descriptor::fd_renumber, from: u32, to: u32);
    offer!(linker, "fd_prestat_get", descriptor::fd_prestat_get, fd: u32, out: u32);
    offer!(linker, "fd_prestat_dir_name", descriptor::fd_prestat_dir_name, fd: u32, path: u32, length: u32);
    offer!(linker, "fd_readdir", path::fd_readdir, fd: u32, buffer: u32, length: u32, cookie: u64, out: u32);
    Ok(())
}

fn offer_paths(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    offer!(linker, "path_create_directory", path::path_create_directory, fd: u32, path: u32, length: u32);
    offer!(linker, "path_remove_directory", path::path_remove_directory, fd: u32, path: u32, length: u32);
    offer!(linker, "path_unlink_file", path::path_unlink_file, fd: u32, path: u32, length: u32);
    offer!(linker, "path_filestat_get", path::path_filestat_get,
        fd: u32, flags: u32, path: u32, length: u32, out: u32);
    offer!(linker, "path_rename", path::path_rename,
        from: u32, path: u32, length: u32, to: u32, new: u32, new_length: u32);
    linker.func_wrap(MODULE, "path_open", path::path_open_import)?;
    Ok(())
}
