//! Calls on descriptors.

use crate::execute::wasi::abi::{Answer, Errno, FileType, Guest};
use crate::execute::wasi::files::{Descriptor, Stat};
use crate::execute::wasi::process::Process;

/// Every right of the interface.
const ALL_RIGHTS: u64 = (1 << 30) - 1;

/// The rights to seek and to tell: a stream without them is not mistaken for a file.
const SEEK_AND_TELL: u64 = 1 << 2 | 1 << 5;

pub(super) fn fd_advise(
    process: &mut Process,
    _: &mut Guest<'_>,
    fd: u32,
    _offset: u64,
    _length: u64,
    _advice: u32,
) -> Answer {
    process.files.descriptor(fd).map(|_| ())
}

pub(super) fn fd_close(process: &mut Process, _: &mut Guest<'_>, fd: u32) -> Answer {
    process.files.close(fd)
}

pub(super) fn fd_sync(process: &mut Process, _: &mut Guest<'_>, fd: u32) -> Answer {
    process.files.descriptor(fd).map(|_| ())
}

pub(super) fn fd_fdstat_get(process: &mut Process, guest: &mut Guest<'_>, fd: u32, out: u32) -> Answer {
    let stat = process.files.stat(fd)?;
    let rights = if stat.kind == FileType::Stream { ALL_RIGHTS & !SEEK_AND_TELL } else { ALL_RIGHTS };
    let append = matches!(process.files.descriptor(fd)?, Descriptor::File { append: true, .. });
    let bytes = guest.slice_mut(out, 24)?;
    bytes.fill(0);
    bytes[0] = stat.kind as u8;
    bytes[2] = append.into();
    bytes[8..16].copy_from_slice(&rights.to_le_bytes());
    bytes[16..24].copy_from_slice(&rights.to_le_bytes());
    Ok(())
}

pub(super) fn fd_fdstat_set_flags(process: &mut Process, _: &mut Guest<'_>, fd: u32, flags: u32) -> Answer {
    process.files.set_append(fd, flags & 1 != 0)
}

pub(super) fn fd_set_rights(
    process: &mut Process,
    _: &mut Guest<'_>,
    fd: u32,
    _base: u64,
    _inheriting: u64,
) -> Answer {
    process.files.descriptor(fd).map(|_| ())
}

/// Writes the 64 bytes of a `filestat`. Times are all zero.
pub(super) fn write_stat(guest: &mut Guest<'_>, out: u32, stat: Stat) -> Answer {
    let bytes = guest.slice_mut(out, 64)?;
    bytes.fill(0);
    bytes[8..16].copy_from_slice(&stat.inode.to_le_bytes());
    bytes[16] = stat.kind as u8;
    bytes[24] = 1;
    bytes[32..40].copy_from_slice(&stat.size.to_le_bytes());
    Ok(())
}

pub(super) fn fd_filestat_get(process: &mut Process, guest: &mut Guest<'_>, fd: u32, out: u32) -> Answer {
    write_stat(guest, out, process.files.stat(fd)?)
}

pub(super) fn fd_filestat_set_size(process: &mut Process, _: &mut Guest<'_>, fd: u32, size: u64) -> Answer {
    process.moved += size;
    process.files.set_size(fd, size)
}

pub(super) fn fd_set_times(
    process: &mut Process,
    _: &mut Guest<'_>,
    fd: u32,
    _accessed: u64,
    _modified: u64,
    _flags: u32,
) -> Answer {
    process.files.descriptor(fd).map(|_| ())
}

pub(super) fn fd_read(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    buffers: u32,
    count: u32,
    out: u32,
) -> Answer {
    let mut total = 0;
    for (at, length) in guest.buffers(buffers, count)? {
        let read = process.read(fd, guest.slice_mut(at, length)?)? as u32;
        total += read;
        if read < length {
            break;
        }
    }
    process.moved += u64::from(total);
    guest.write_u32(out, total)
}

pub(super) fn fd_write(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    buffers: u32,
    count: u32,
    out: u32,
) -> Answer {
    process.files.descriptor(fd)?;
    let mut total = 0;
    for (at, length) in guest.buffers(buffers, count)? {
        process.write(fd, guest.slice(at, length)?)?;
        process.moved += u64::from(length);
        total += length;
    }
    guest.write_u32(out, total)
}

pub(super) fn fd_pread(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    buffers: u32,
    count: u32,
    offset: u64,
    out: u32,
) -> Answer {
    let mut total = 0;
    for (at, length) in guest.buffers(buffers, count)? {
        let from = offset.checked_add(total.into()).ok_or(Errno::INVAL)?;
        let read = process.files.read_at(fd, from, guest.slice_mut(at, length)?)? as u32;
        total += read;
        if read < length {
            break;
        }
    }
    process.moved += u64::from(total);
    guest.write_u32(out, total)
}

pub(super) fn fd_pwrite(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    buffers: u32,
    count: u32,
    offset: u64,
    out: u32,
) -> Answer {
    let mut total: u32 = 0;
    for (at, length) in guest.buffers(buffers, count)? {
        let to = offset.checked_add(total.into()).ok_or(Errno::INVAL)?;
        process.files.write_at(fd, to, guest.slice(at, length)?)?;
        process.moved += u64::from(length);
        total = total.checked_add(length).ok_or(Errno::INVAL)?;
    }
    guest.write_u32(out, total)
}

pub(super) fn fd_seek(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    offset: i64,
    whence: u32,
    out: u32,
) -> Answer {
    let at = process.files.seek(fd, offset, whence)?;
    guest.write_u64(out, at)
}

pub(super) fn fd_tell(process: &mut Process, guest: &mut Guest<'_>, fd: u32, out: u32) -> Answer {
    let at = process.files.seek(fd, 0, 1)?;
    guest.write_u64(out, at)
}

pub(super) fn fd_renumber(process: &mut Process, _: &mut Guest<'_>, from: u32, to: u32) -> Answer {
    process.files.renumber(from, to)
}

fn preopened(process: &Process, fd: u32) -> Result<&'static str, Errno> {
    match process.files.descriptor(fd)? {
        Descriptor::Preopened(name) => Ok(name),
        _ => Err(Errno::BADF),
    }
}

pub(super) fn fd_prestat_get(process: &mut Process, guest: &mut Guest<'_>, fd: u32, out: u32) -> Answer {
    let name = preopened(process, fd)?;
    guest.write_u32(out, 0)?;
    guest.write_u32(out.checked_add(4).ok_or(Errno::FAULT)?, name.len() as u32)
}

pub(super) fn fd_prestat_dir_name(
    process: &mut Process,
    guest: &mut Guest<'_>,
    fd: u32,
    path: u32,
    length: u32,
) -> Answer {
    let name = preopened(process, fd)?;
    if (length as usize) < name.len() {
        return Err(Errno::NAMETOOLONG);
    }
    guest.write(path, name.as_bytes())
}
