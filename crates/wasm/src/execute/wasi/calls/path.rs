//! Calls on paths and directories.

use wasmtime::Caller;

use super::descriptor::write_stat;
use super::enter;
use crate::execute::host::Host;
use crate::execute::wasi::abi::{Answer, Errno, Guest};
use crate::execute::wasi::files::Opening;
use crate::execute::wasi::process::Process;

/// The right to write, as `path_open` asks for it.
const WRITE: u64 = 1 << 6;

/// `path_open` has more parameters than fit the common form.
#[allow(clippy::too_many_arguments, reason = "the interface has nine parameters")]
pub(super) fn path_open_import(
    mut caller: Caller<'_, Host>,
    fd: u32,
    _lookup: u32,
    path: u32,
    length: u32,
    flags: u32,
    rights: u64,
    _inheriting: u64,
    descriptor_flags: u32,
    out: u32,
) -> wasmtime::Result<i32> {
    let how = Opening {
        create: flags & 1 != 0,
        directory: flags & 2 != 0,
        exclusive: flags & 4 != 0,
        truncate: flags & 8 != 0,
        append: descriptor_flags & 1 != 0,
        write: rights & WRITE != 0,
    };
    enter(&mut caller, |process, guest| {
        let path = process.files.path(fd, &guest.path(path, length)?)?;
        let opened = process.files.open(&path, how)?;
        guest.write_u32(out, opened)
    })
}

fn resolved(process: &Process, guest: &Guest<'_>, fd: u32, path: u32, length: u32) -> Result<String, Errno> {
    process.files.path(fd, &guest.path(path, length)?)
}

pub(super) fn path_create_directory(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    path: u32,
    length: u32,
) -> Answer {
    let path = resolved(process, guest, fd, path, length)?;
    process.files.create_directory(&path)
}

pub(super) fn path_remove_directory(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    path: u32,
    length: u32,
) -> Answer {
    let path = resolved(process, guest, fd, path, length)?;
    process.files.remove_directory(&path)
}

pub(super) fn path_unlink_file(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    path: u32,
    length: u32,
) -> Answer {
    let path = resolved(process, guest, fd, path, length)?;
    process.files.unlink(&path)
}

pub(super) fn path_filestat_get(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    _lookup: u32,
    path: u32,
    length: u32,
    out: u32,
) -> Answer {
    let path = resolved(process, guest, fd, path, length)?;
    write_stat(guest, out, process.files.stat_path(&path)?)
}

#[allow(clippy::too_many_arguments, reason = "the interface has six parameters")]
pub(super) fn path_rename(
    process: &mut Process,
    guest: &mut Guest<'_>,
    from: u32,
    path: u32,
    length: u32,
    to: u32,
    new: u32,
    new_length: u32,
) -> Answer {
    let from = resolved(process, guest, from, path, length)?;
    let to = resolved(process, guest, to, new, new_length)?;
    process.files.rename(&from, &to)
}

/// Fills a buffer with entries from the cookie on; a buffer that is filled to its end asks the guest to
/// come again.
pub(super) fn fd_readdir(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    buffer: u32,
    length: u32,
    cookie: u64,
    out: u32,
) -> Answer {
    let mut bytes = Vec::new();
    let entries = process.files.list(fd)?;
    let first = usize::try_from(cookie).unwrap_or(usize::MAX);
    for (index, entry) in entries.iter().enumerate().skip(first) {
        if bytes.len() >= length as usize {
            break;
        }
        bytes.extend((index as u64 + 1).to_le_bytes());
        bytes.extend(entry.inode.to_le_bytes());
        bytes.extend((entry.name.len() as u32).to_le_bytes());
        bytes.extend([entry.kind as u8, 0, 0, 0]);
        bytes.extend(entry.name.as_bytes());
    }
    bytes.truncate(length as usize);
    process.moved += bytes.len() as u64;
    guest.write(buffer, &bytes)?;
    guest.write_u32(out, bytes.len() as u32)
}
