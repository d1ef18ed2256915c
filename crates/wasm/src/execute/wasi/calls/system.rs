//! Arguments, environment, time, randomness.

use crate::execute::wasi::abi::{Answer, Errno, Guest};
use crate::execute::wasi::process::Process;

pub(super) fn args_sizes_get(process: &mut Process, guest: &mut Guest<'_>, count: u32, size: u32) -> Answer {
    let bytes: usize = process.words.iter().map(|w| w.len() + 1).sum();
    guest.write_u32(count, process.words.len() as u32)?;
    guest.write_u32(size, bytes as u32)
}

pub(super) fn args_get(process: &mut Process, guest: &mut Guest<'_>, pointers: u32, buffer: u32) -> Answer {
    let (mut pointer, mut at) = (pointers, buffer);
    for word in &process.words {
        let end = at.checked_add(word.len() as u32).ok_or(Errno::FAULT)?;
        guest.write_u32(pointer, at)?;
        guest.write(at, word)?;
        guest.write(end, &[0])?;
        pointer = pointer.checked_add(4).ok_or(Errno::FAULT)?;
        at = end.checked_add(1).ok_or(Errno::FAULT)?;
    }
    process.moved += u64::from(at - buffer);
    Ok(())
}

/// The environment is empty.
pub(super) fn environ_sizes_get(_: &mut Process, guest: &mut Guest<'_>, count: u32, size: u32) -> Answer {
    guest.write_u32(count, 0)?;
    guest.write_u32(size, 0)
}

pub(super) fn environ_get(_: &mut Process, _: &mut Guest<'_>, _pointers: u32, _buffer: u32) -> Answer {
    Ok(())
}

/// Clocks that exist: realtime, monotonic and the two of processor time.
fn check_clock(clock: u32) -> Answer {
    if clock < 4 { Ok(()) } else { Err(Errno::INVAL) }
}

pub(super) fn clock_res_get(_: &mut Process, guest: &mut Guest<'_>, clock: u32, out: u32) -> Answer {
    check_clock(clock)?;
    guest.write_u64(out, 1)
}

pub(super) fn clock_time_get(
    process: &mut Process,
    guest: &mut Guest<'_>,
    clock: u32,
    _precision: u64,
    out: u32,
) -> Answer {
    check_clock(clock)?;
    guest.write_u64(out, process.now())
}

pub(super) fn random_get(process: &mut Process, guest: &mut Guest<'_>, buffer: u32, length: u32) -> Answer {
    process.random(guest.slice_mut(buffer, length)?);
    process.moved += u64::from(length);
    Ok(())
}

pub(super) fn sched_yield(_: &mut Process, _: &mut Guest<'_>) -> Answer {
    Ok(())
}

const SUBSCRIPTION: u32 = 48;
const EVENT: u32 = 32;

/// Everything that is waited for is ready at once: reads and writes never block here, and sleeping takes no time.
pub(super) fn poll_oneoff(
    process: &mut Process,
    guest: &mut Guest<'_>,
    subscriptions: u32,
    events: u32,
    count: u32,
    out: u32,
) -> Answer {
    if count == 0 {
        return Err(Errno::INVAL);
    }
    let bytes = count.checked_mul(SUBSCRIPTION).ok_or(Errno::INVAL)?;
    guest.slice(subscriptions, bytes)?;
    guest.slice(events, count * EVENT)?;
    for index in 0..count {
        let from = subscriptions + index * SUBSCRIPTION;
        let user = guest.read_u64(from)?;
        let kind = guest.slice(from + 8, 1)?[0];
        let event = guest.slice_mut(events + index * EVENT, EVENT)?;
        event.fill(0);
        event[..8].copy_from_slice(&user.to_le_bytes());
        event[10] = kind;
    }
    process.moved += u64::from(bytes);
    guest.write_u32(out, count)
}
