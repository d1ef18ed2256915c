//! A command's process: argument words and standard input, which may be symbolic, and the output that it writes.
//!
//! It answers as the process of concrete runs does, so that a run takes the path that was predicted.

use std::rc::Rc;

use dodona_smt::term::{Term, Terms};
use dodona_target::{Trap, next_splitmix64};

use crate::end::End;
use crate::memory::Memory;

/// Nanoseconds that pass between two readings of the clock.
const TICK: u64 = 1_000_000;

/// The names of the directory that is open from the start, as descriptors 3 and 4.
const ROOTS: [&[u8]; 2] = [b"/", b"."];

const BADF: u32 = 8;
const FAULT: u32 = 21;
const INVAL: u32 = 28;
const NAMETOOLONG: u32 = 37;
const SPIPE: u32 = 70;

/// Every right of the interface.
const ALL_RIGHTS: u64 = (1 << 30) - 1;
/// The rights to seek and to tell, which streams lack.
const SEEK_AND_TELL: u64 = 1 << 2 | 1 << 5;

/// The state of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Process {
    pub words: Rc<Vec<Vec<Term>>>,
    pub stdin: Rc<Vec<Term>>,
    read: usize,
    pub stdout: Vec<Term>,
    pub stderr: Vec<Term>,
    closed: [bool; 5],
    clock: u64,
    random: u64,
}

/// The result of a call of an import.
pub(crate) enum Answered {
    /// It returns this error number.
    Errno(u32),
    /// The path ends.
    End(End),
    /// The 32 bits at this address must be known.
    Symbolic(u64),
    /// The import, or the operation asked for, is not modelled.
    Unsupported(String),
}

type Answer = Result<(), u32>;

impl Process {
    /// Calls a function of WASI preview 1 with concrete arguments, except that the code of `proc_exit` may be symbolic.
    pub(crate) fn call(
        &mut self,
        name: &str,
        arguments: &[Term],
        memory: &mut Memory,
        terms: &mut Terms,
    ) -> Answered {
        if name == "proc_exit" {
            return self.exit(arguments[0]);
        }
        let Some(numbers) =
            arguments.iter().map(|a| a.constant().map(|c| c as u64)).collect::<Option<Vec<_>>>()
        else {
            return Answered::Unsupported(format!("`{name}` with a symbolic argument"));
        };
        let a = |i: usize| numbers.get(i).copied().unwrap_or(0) as u32;
        let mut guest = Guest { memory, terms, symbolic: None };
        let answer = match name {
            "args_sizes_get" => self.words_sizes(&mut guest, a(0), a(1)),
            "args_get" => self.words_get(&mut guest, a(0), a(1)),
            "environ_sizes_get" => guest.word(a(0), 0).and_then(|()| guest.word(a(1), 0)),
            "environ_get" | "sched_yield" => Ok(()),
            "clock_res_get" => check_clock(a(0)).and_then(|()| guest.long(a(1), 1)),
            "clock_time_get" => check_clock(a(0)).and_then(|()| {
                self.clock += TICK;
                guest.long(a(2), self.clock - TICK)
            }),
            "random_get" => self.random_get(&mut guest, a(0), a(1)),
            "fd_close" => self.open(a(0)).map(|()| self.closed[a(0) as usize] = true),
            "fd_fdstat_get" => self.fdstat(&mut guest, a(0), a(1)),
            "fd_fdstat_set_flags" | "fd_advise" | "fd_sync" | "fd_datasync" => self.open(a(0)),
            "fd_filestat_get" => self.filestat(&mut guest, a(0), a(1)),
            "fd_seek" | "fd_tell" => self.open(a(0)).and(Err(SPIPE)),
            "fd_prestat_get" => self.root(a(0)).and_then(|root| {
                guest.word(a(1), 0)?;
                guest.word(a(1).wrapping_add(4), root.len() as u32)
            }),
            "fd_prestat_dir_name" => self.root(a(0)).and_then(|root| match (a(2) as usize) < root.len() {
                true => Err(NAMETOOLONG),
                false => guest.bytes(a(1), root),
            }),
            "fd_read" => self.fd_read(&mut guest, a(0), a(1), a(2), a(3)),
            "fd_write" => self.fd_write(&mut guest, a(0), a(1), a(2), a(3)),
            _ => return Answered::Unsupported(format!("the import `{name}`")),
        };
        if let Some(address) = guest.symbolic {
            return Answered::Symbolic(address);
        }
        Answered::Errno(answer.err().unwrap_or(0))
    }

    /// A command has exited. The caller of a library function that ends the process gets nothing back, which is a trap to it.
    fn exit(&self, code: Term) -> Answered {
        match (self.is_command(), code.constant()) {
            (true, _) => Answered::End(End::Exited(code)),
            (false, Some(code)) => Answered::End(End::Trapped(Trap::Exit(code as i32))),
            (false, None) => Answered::Unsupported("an exit code that depends on the input".to_owned()),
        }
    }

    /// A command has at least one word, its name.
    fn is_command(&self) -> bool {
        !self.words.is_empty()
    }

    fn open(&self, fd: u32) -> Answer {
        match self.closed.get(fd as usize) {
            Some(false) => Ok(()),
            _ => Err(BADF),
        }
    }

    fn root(&self, fd: u32) -> Result<&'static [u8], u32> {
        self.open(fd)?;
        fd.checked_sub(3).and_then(|i| ROOTS.get(i as usize)).copied().ok_or(BADF)
    }

    fn words_sizes(&self, guest: &mut Guest<'_>, count: u32, size: u32) -> Answer {
        guest.word(count, self.words.len() as u32)?;
        guest.word(size, self.words.iter().map(|w| w.len() as u32 + 1).sum())
    }

    fn words_get(&self, guest: &mut Guest<'_>, pointers: u32, buffer: u32) -> Answer {
        let (mut pointer, mut at) = (pointers, buffer);
        for word in self.words.iter() {
            guest.word(pointer, at)?;
            guest.terms_at(at, word)?;
            let end = at.checked_add(word.len() as u32).ok_or(FAULT)?;
            guest.bytes(end, &[0])?;
            pointer = pointer.checked_add(4).ok_or(FAULT)?;
            at = end.checked_add(1).ok_or(FAULT)?;
        }
        Ok(())
    }

    /// The seeded source of the concrete runs: SplitMix64 from zero.
    fn random_get(&mut self, guest: &mut Guest<'_>, buffer: u32, length: u32) -> Answer {
        // A call that fails draws no bytes, and a length beyond the memory takes no memory here.
        guest.check(buffer, length)?;
        let mut bytes = vec![0; length as usize];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&next_splitmix64(&mut self.random).to_le_bytes()[..chunk.len()]);
        }
        guest.bytes(buffer, &bytes)
    }

    fn fdstat(&self, guest: &mut Guest<'_>, fd: u32, out: u32) -> Answer {
        self.open(fd)?;
        let rights = if fd < 3 { ALL_RIGHTS & !SEEK_AND_TELL } else { ALL_RIGHTS };
        let mut bytes = [0; 24];
        bytes[0] = kind(fd);
        bytes[8..16].copy_from_slice(&rights.to_le_bytes());
        bytes[16..].copy_from_slice(&rights.to_le_bytes());
        guest.bytes(out, &bytes)
    }

    fn filestat(&self, guest: &mut Guest<'_>, fd: u32, out: u32) -> Answer {
        self.open(fd)?;
        let mut bytes = [0; 64];
        bytes[8] = if fd < 3 { fd as u8 + 1 } else { 10 };
        bytes[16] = kind(fd);
        bytes[24] = 1;
        guest.bytes(out, &bytes)
    }

    fn fd_read(&mut self, guest: &mut Guest<'_>, fd: u32, buffers: u32, count: u32, out: u32) -> Answer {
        let mut total = 0;
        for (at, length) in guest.buffers(buffers, count)? {
            self.open(fd)?;
            guest.check(at, length)?;
            if fd != 0 {
                return Err(SPIPE);
            }
            let read = (self.stdin.len() - self.read).min(length as usize);
            guest.terms_at(at, &self.stdin[self.read..self.read + read])?;
            self.read += read;
            total += read as u32;
            if (read as u32) < length {
                break;
            }
        }
        guest.word(out, total)
    }

    fn fd_write(&mut self, guest: &mut Guest<'_>, fd: u32, buffers: u32, count: u32, out: u32) -> Answer {
        self.open(fd)?;
        let mut total = 0;
        for (at, length) in guest.buffers(buffers, count)? {
            guest.check(at, length)?;
            let stream = match fd {
                1 => &mut self.stdout,
                2 => &mut self.stderr,
                _ => return Err(SPIPE),
            };
            stream.extend((0..u64::from(length)).map(|i| guest.memory.byte(u64::from(at) + i)));
            total += length;
        }
        guest.word(out, total)
    }
}

/// The type of a descriptor: a stream of no known kind, or a directory.
fn kind(fd: u32) -> u8 {
    if fd < 3 { 0 } else { 3 }
}

fn check_clock(clock: u32) -> Answer {
    if clock < 4 { Ok(()) } else { Err(INVAL) }
}

/// The memory that calls read and write.
struct Guest<'a> {
    memory: &'a mut Memory,
    terms: &'a mut Terms,
    /// The place of a number that has to be concrete and is not.
    symbolic: Option<u64>,
}

impl Guest<'_> {
    fn check(&self, at: u32, length: u32) -> Answer {
        if self.memory.holds(at.into(), length.into()) { Ok(()) } else { Err(FAULT) }
    }

    fn bytes(&mut self, at: u32, bytes: &[u8]) -> Answer {
        self.check(at, bytes.len() as u32)?;
        self.memory.set_all(at.into(), bytes);
        Ok(())
    }

    fn terms_at(&mut self, at: u32, bytes: &[Term]) -> Answer {
        self.check(at, bytes.len() as u32)?;
        for (i, byte) in bytes.iter().enumerate() {
            self.memory.set(u64::from(at) + i as u64, *byte);
        }
        Ok(())
    }

    fn word(&mut self, at: u32, value: u32) -> Answer {
        self.bytes(at, &value.to_le_bytes())
    }

    fn long(&mut self, at: u32, value: u64) -> Answer {
        self.bytes(at, &value.to_le_bytes())
    }

    /// The number at an address. If it is symbolic, the call is delayed until it is concrete.
    fn number(&mut self, at: u64) -> Result<u32, u32> {
        let number = self.memory.read(self.terms, at, 4);
        number.constant().map(|number| number as u32).ok_or_else(|| {
            self.symbolic = Some(at);
            FAULT
        })
    }

    fn buffers(&mut self, at: u32, count: u32) -> Result<Vec<(u32, u32)>, u32> {
        let length = count.checked_mul(8).ok_or(FAULT)?;
        self.check(at, length)?;
        let mut buffers = Vec::new();
        for i in 0..u64::from(count) {
            let place = u64::from(at) + 8 * i;
            let address = self.number(place)?;
            buffers.push((address, self.number(place + 4)?));
        }
        Ok(buffers)
    }
}
