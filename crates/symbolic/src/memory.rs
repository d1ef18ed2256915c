//! Linear memory: concrete bytes, some of which are covered by symbolic ones. Blocks are copied when they are written.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use dodona_smt::term::{Term, Terms};

/// The number of bytes in a block, which is copied at once.
const BLOCK: u64 = 256;

/// Linear memory. A clone shares all blocks until one of the two is written.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    blocks: FxHashMap<u32, Rc<Block>>,
    size: u64,
}

/// A block: a symbolic byte stands over the concrete one at its offset.
#[derive(Clone, Debug)]
struct Block {
    bytes: [u8; BLOCK as usize],
    symbols: BTreeMap<u8, Term>,
}

impl Block {
    const ZERO: Block = Block { bytes: [0; BLOCK as usize], symbols: BTreeMap::new() };
}

impl Memory {
    /// Zeros, so many bytes.
    pub(crate) fn new(size: u64) -> Memory {
        Memory { blocks: FxHashMap::default(), size }
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn grow_to(&mut self, size: u64) {
        self.size = size;
    }

    /// Whether so many bytes from an address lie inside.
    pub(crate) fn holds(&self, address: u64, bytes: u64) -> bool {
        address.checked_add(bytes).is_some_and(|end| end <= self.size)
    }

    /// The byte at an address inside.
    pub(crate) fn byte(&self, address: u64) -> Term {
        let (block, offset) = place(address);
        match self.blocks.get(&block) {
            None => Term::bits(8, 0),
            Some(block) => match block.symbols.get(&offset) {
                Some(symbol) => *symbol,
                None => Term::bits(8, block.bytes[usize::from(offset)].into()),
            },
        }
    }

    /// Bytes that are all concrete, the lowest first; `None` where one is not.
    #[cfg(test)]
    pub(crate) fn concrete(&self, address: u64, bytes: u64) -> Option<Vec<u8>> {
        (address..address + bytes).map(|at| self.byte(at).constant().map(|b| b as u8)).collect()
    }

    /// So many bytes (at most 16) from an address inside, as one bit vector, the lowest byte lowest.
    pub(crate) fn read(&self, terms: &mut Terms, address: u64, bytes: u8) -> Term {
        if let Some(value) = self.read_concrete(address, bytes) {
            return Term::bits(8 * bytes, value);
        }
        let mut value = self.byte(address);
        for at in 1..u64::from(bytes) {
            let high = self.byte(address + at);
            value = terms.concat(high, value);
        }
        value
    }

    fn read_concrete(&self, address: u64, bytes: u8) -> Option<u128> {
        let mut value = 0;
        let mut at = address;
        let end = address + u64::from(bytes);
        while at < end {
            let (number, offset) = place(at);
            let stop = end.min((u64::from(number) + 1) * BLOCK);
            if let Some(block) = self.blocks.get(&number) {
                let last = offset + (stop - at - 1) as u8;
                if !block.symbols.is_empty() && block.symbols.range(offset..=last).next().is_some() {
                    return None;
                }
                for (i, byte) in block.bytes[usize::from(offset)..=usize::from(last)].iter().enumerate() {
                    value |= u128::from(*byte) << (8 * (at - address + i as u64));
                }
            }
            at = stop;
        }
        Some(value)
    }

    /// Writes the bytes of a bit vector, its low ones first, to an address inside.
    pub(crate) fn write(&mut self, terms: &mut Terms, address: u64, bytes: u8, value: Term) {
        for i in 0..bytes {
            let byte = match value.constant() {
                Some(value) => Term::bits(8, value >> (8 * i)),
                None if value.sort().width() == 8 => value,
                None => terms.extract(value, 8 * i, 8),
            };
            self.set(address + u64::from(i), byte);
        }
    }

    /// Writes one byte to an address inside.
    pub(crate) fn set(&mut self, address: u64, byte: Term) {
        let (block, offset) = place(address);
        let block = Rc::make_mut(self.blocks.entry(block).or_insert_with(|| Rc::new(Block::ZERO)));
        match byte.constant() {
            Some(value) => {
                block.bytes[usize::from(offset)] = value as u8;
                block.symbols.remove(&offset);
            }
            None => {
                block.symbols.insert(offset, byte);
            }
        }
    }

    /// Writes concrete bytes to an address inside.
    pub(crate) fn set_all(&mut self, address: u64, bytes: &[u8]) {
        let (mut at, mut rest) = (address, bytes);
        while !rest.is_empty() {
            let (block, offset) = place(at);
            let first = usize::from(offset);
            let (within, beyond) = rest.split_at(rest.len().min(BLOCK as usize - first));
            let block = Rc::make_mut(self.blocks.entry(block).or_insert_with(|| Rc::new(Block::ZERO)));
            block.bytes[first..first + within.len()].copy_from_slice(within);
            block.symbols.retain(|symbol, _| !(first..first + within.len()).contains(&usize::from(*symbol)));
            (at, rest) = (at + within.len() as u64, beyond);
        }
    }

    /// Copies bytes within, as if through a buffer of their own.
    pub(crate) fn copy(&mut self, to: u64, from: u64, bytes: u64) {
        let moved: Vec<Term> = (from..from + bytes).map(|at| self.byte(at)).collect();
        for (at, byte) in (to..).zip(moved) {
            self.set(at, byte);
        }
    }
}

fn place(address: u64) -> (u32, u8) {
    ((address / BLOCK) as u32, (address % BLOCK) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dodona_smt::term::Sort;

    #[test]
    fn clones_do_not_see_each_others_writes() {
        let mut terms = Terms::new();
        let mut a = Memory::new(1024);
        a.write(&mut terms, 254, 4, Term::bits(32, 0x0403_0201));
        let mut b = a.clone();
        b.write(&mut terms, 255, 1, Term::bits(8, 9));
        assert_eq!(a.read(&mut terms, 254, 4), Term::bits(32, 0x0403_0201));
        assert_eq!(b.read(&mut terms, 254, 4), Term::bits(32, 0x0403_0901));
    }

    #[test]
    fn a_symbol_stored_is_the_symbol_loaded() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(32));
        let mut memory = Memory::new(1024);
        memory.write(&mut terms, 10, 4, x);
        assert_eq!(memory.read(&mut terms, 10, 4), x);
        let low = terms.extract(x, 0, 8);
        assert_eq!(memory.byte(10), low);
        assert_eq!(memory.concrete(10, 1), None);
        memory.set(10, Term::bits(8, 7));
        assert_eq!(memory.concrete(8, 3), Some(vec![0, 0, 7]));
    }

    #[test]
    fn bytes_take_the_place_of_symbols_over_the_ends_of_blocks() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(32));
        let mut memory = Memory::new(1024);
        for place in [252, 510, 600] {
            memory.write(&mut terms, place, 4, x);
        }
        let bytes: Vec<u8> = (0..300).map(|i| (i % 251) as u8).collect();
        memory.set_all(254, &bytes);
        assert_eq!(memory.concrete(254, 300), Some(bytes));
        let low = terms.extract(x, 0, 8);
        assert_eq!((memory.byte(252), memory.byte(600)), (low, low));
        assert_eq!(memory.concrete(253, 1), None);
    }

    #[test]
    fn copies_may_overlap() {
        let mut memory = Memory::new(1024);
        memory.set_all(0, b"abcdef");
        memory.copy(2, 0, 4);
        assert_eq!(memory.concrete(0, 6), Some(b"ababcd".to_vec()));
    }
}
