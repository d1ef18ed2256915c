//! A process: its words, streams, files and sources of time and randomness.

use dodona_target::next_splitmix64;

use super::abi::Errno;
use super::files::{Descriptor, Files};

/// Output that a process may write before it is refused: a faulty program must not fill the host.
const MOST_OUTPUT: usize = 16 << 20;

/// Nanoseconds that pass between two readings of the clock.
const TICK: u64 = 1_000_000;

/// The state of a process.
#[derive(Debug, Default)]
pub(crate) struct Process {
    pub(super) words: Vec<Vec<u8>>,
    stdin: Vec<u8>,
    read: usize,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    pub(super) files: Files,
    clock: u64,
    random: u64,
    /// Bytes moved by the current call, to be charged as fuel.
    pub(super) moved: u64,
}

impl Process {
    /// A process that is called by this name.
    pub(crate) fn new(name: &[u8]) -> Process {
        Process { words: vec![name.to_vec()], ..Process::default() }
    }

    /// Appends an argument word. What follows a NUL cannot be seen by C programs.
    pub(crate) fn add_word(&mut self, word: Vec<u8>) {
        self.words.push(word);
    }

    /// Sets what the process reads.
    pub(crate) fn set_stdin(&mut self, text: Vec<u8>) {
        self.stdin = text;
    }

    /// Puts a file into the directory.
    pub(crate) fn add_file(&mut self, name: &str, contents: Vec<u8>) {
        self.files.add(name, contents);
    }

    /// What it wrote to its standard output.
    pub(crate) fn stdout(&self) -> &[u8] {
        &self.stdout
    }

    /// What it wrote to its standard error.
    pub(crate) fn stderr(&self) -> &[u8] {
        &self.stderr
    }

    /// The next reading of the clock in nanoseconds: a constant further each time.
    pub(super) fn now(&mut self) -> u64 {
        let now = self.clock;
        self.clock += TICK;
        now
    }

    /// Fills a buffer from the seeded source (SplitMix64 from zero).
    pub(crate) fn random(&mut self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            chunk.copy_from_slice(&next_splitmix64(&mut self.random).to_le_bytes()[..chunk.len()]);
        }
    }

    /// Reads from a descriptor at its own position; the number of bytes read.
    pub(super) fn read(&mut self, fd: u32, buffer: &mut [u8]) -> Result<usize, Errno> {
        if *self.files.descriptor(fd)? != Descriptor::Stdin {
            return self.files.read(fd, buffer);
        }
        let rest = &self.stdin[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }

    /// Writes all of a buffer to a descriptor at its own position.
    pub(super) fn write(&mut self, fd: u32, bytes: &[u8]) -> Result<(), Errno> {
        let stream = match self.files.descriptor(fd)? {
            Descriptor::Stdout => &mut self.stdout,
            Descriptor::Stderr => &mut self.stderr,
            _ => return self.files.write(fd, bytes),
        };
        if stream.len() + bytes.len() > MOST_OUTPUT {
            return Err(Errno::FBIG);
        }
        stream.extend_from_slice(bytes);
        Ok(())
    }
}
