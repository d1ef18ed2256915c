//! The binary interface: error numbers, types, and memory of the guest.

/// An error number of WASI preview 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Errno(pub u16);

impl Errno {
    pub(super) const SUCCESS: Errno = Errno(0);
    pub(super) const BADF: Errno = Errno(8);
    pub(super) const EXIST: Errno = Errno(20);
    pub(super) const FAULT: Errno = Errno(21);
    pub(super) const FBIG: Errno = Errno(22);
    pub(super) const INVAL: Errno = Errno(28);
    pub(super) const ISDIR: Errno = Errno(31);
    pub(super) const NAMETOOLONG: Errno = Errno(37);
    pub(super) const NOENT: Errno = Errno(44);
    pub(super) const NOSYS: Errno = Errno(52);
    pub(super) const NOTDIR: Errno = Errno(54);
    pub(super) const NOTEMPTY: Errno = Errno(55);
    pub(super) const SPIPE: Errno = Errno(70);
    pub(super) const NOTCAPABLE: Errno = Errno(76);
}

/// The process ended with this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("exit with code {0}")]
pub(crate) struct Exit(pub i32);

/// The type of a file, as `filestat` and `fdstat` have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileType {
    /// A standard stream: unknown to the interface, so that nobody takes it for a terminal.
    Stream = 0,
    Directory = 3,
    Regular = 4,
}

/// What a call gives.
pub(super) type Answer = Result<(), Errno>;

/// The guest's memory.
pub(super) struct Guest<'a> {
    pub bytes: &'a mut [u8],
}

impl Guest<'_> {
    pub(super) fn slice(&self, at: u32, length: u32) -> Result<&[u8], Errno> {
        let end = (at as usize).checked_add(length as usize).ok_or(Errno::FAULT)?;
        self.bytes.get(at as usize..end).ok_or(Errno::FAULT)
    }

    pub(super) fn slice_mut(&mut self, at: u32, length: u32) -> Result<&mut [u8], Errno> {
        let end = (at as usize).checked_add(length as usize).ok_or(Errno::FAULT)?;
        self.bytes.get_mut(at as usize..end).ok_or(Errno::FAULT)
    }

    pub(super) fn write(&mut self, at: u32, bytes: &[u8]) -> Answer {
        self.slice_mut(at, bytes.len() as u32)?.copy_from_slice(bytes);
        Ok(())
    }

    pub(super) fn write_u32(&mut self, at: u32, value: u32) -> Answer {
        self.write(at, &value.to_le_bytes())
    }

    pub(super) fn write_u64(&mut self, at: u32, value: u64) -> Answer {
        self.write(at, &value.to_le_bytes())
    }

    pub(super) fn read_u32(&self, at: u32) -> Result<u32, Errno> {
        let bytes = self.slice(at, 4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub(super) fn read_u64(&self, at: u32) -> Result<u64, Errno> {
        let low = self.read_u32(at)?;
        let high = self.read_u32(at.checked_add(4).ok_or(Errno::FAULT)?)?;
        Ok(u64::from(low) | u64::from(high) << 32)
    }

    /// The addresses and lengths of an array of buffers.
    pub(super) fn buffers(&self, at: u32, count: u32) -> Result<Vec<(u32, u32)>, Errno> {
        let bytes = self.slice(at, count.checked_mul(8).ok_or(Errno::FAULT)?)?;
        let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        Ok(bytes.chunks_exact(8).map(|b| (word(&b[..4]), word(&b[4..]))).collect())
    }

    /// A path of the guest's: UTF-8 text.
    pub(super) fn path(&self, at: u32, length: u32) -> Result<String, Errno> {
        if length > 4096 {
            return Err(Errno::NAMETOOLONG);
        }
        String::from_utf8(self.slice(at, length)?.to_vec()).map_err(|_| Errno::INVAL)
    }
}
