//! Finds the line that contains a given byte of a file, for a parser that only reports byte offsets.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::rc::Rc;

/// A file that records where lines end in the data that was read. A byte order mark is skipped.
pub(super) struct Watched {
    file: File,
    offset: u64,
    ends: LineEnds,
}

/// The line ends after the last byte that was asked about, up to the end of the data that was read.
#[derive(Clone, Default)]
pub(super) struct LineEnds(Rc<RefCell<Ends>>);

#[derive(Default)]
struct Ends {
    /// The offsets of bytes that end lines, and whether each is counted: a carriage return before a line feed is not.
    ahead: VecDeque<(u64, bool)>,
    passed: u64,
}

impl Watched {
    /// # Errors
    /// When the first bytes cannot be read.
    pub(super) fn new(mut file: File) -> io::Result<(Watched, LineEnds)> {
        use std::io::{Seek, SeekFrom};
        let mut start = Vec::new();
        file.by_ref().take(3).read_to_end(&mut start)?;
        if start != b"\xef\xbb\xbf" {
            file.seek(SeekFrom::Start(0))?;
        }
        let ends = LineEnds::default();
        Ok((Watched { file, offset: 0, ends: ends.clone() }, ends))
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        let mut ends = self.ends.0.borrow_mut();
        for (byte, offset) in buffer[..count].iter().zip(self.offset..) {
            if matches!(byte, b'\n' | b'\r') {
                ends.ahead.push_back((offset, *byte == b'\n'));
            }
        }
        self.offset += count as u64;
        Ok(count)
    }
}

impl LineEnds {
    /// The line, counted from 1, of the first byte at or after `byte` that is not a line end. Must be called with
    /// increasing offsets.
    pub(super) fn line(&self, byte: u64) -> u64 {
        let mut ends = self.0.borrow_mut();
        let mut content = byte;
        while let Some(&(offset, feed)) = ends.ahead.front().filter(|(offset, _)| *offset <= content) {
            if offset == content {
                content += 1;
            }
            ends.passed += u64::from(feed);
            ends.ahead.pop_front();
        }
        ends.passed + 1
    }
}
