//! The kill matrix as a file: compact, or comma-separated.
//!
//! All numbers are little-endian. A header of 40 bytes: the magic `DODONAKM`, the version (`u32`), the number of sections
//! (`u32`), the number of mutants (`u64`), 64 bits that stand for the module and the seed (`u64`), which are missing in version 1 and
//! all ones where they are not known. Each section: its kind (`u8`, 0 inputs, 1 relation), the length of its name
//! (`u32`), the name in UTF-8, the number of its tests (`u64`). Then the mutants' numbers (`u32` each, ascending), then a
//! row a mutant of ⌈tests / 8⌉ bytes, in which bit `t % 8` of byte `t / 8` is test `t`; bits past the last test are zero.
//!
//! With faulty versions, the version of the file is 3. The header has 8 bytes more, the number of faulty versions (`u64`). The length of the name of each
//! (`u32`) with its name in UTF-8 follow the sections, and their rows follow those of the mutants.

use std::io::{self, Write};

use super::{KillMatrix, MatrixError, MatrixOrigin, Section, SectionKind};
use crate::MutantId;

const MAGIC: &[u8; 8] = b"DODONAKM";

/// Stands for an origin that is not known.
const UNKNOWN: MatrixOrigin = MatrixOrigin { module: u64::MAX, seed: u64::MAX };

/// Bytes not read yet.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(length)?;
        self.0 = tail;
        Some(head)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn origin(&mut self) -> Option<MatrixOrigin> {
        Some(MatrixOrigin { module: self.u64()?, seed: self.u64()? })
    }

    fn section(&mut self) -> Option<Section> {
        let kind = match self.array()? {
            [0] => SectionKind::Inputs,
            [1] => SectionKind::Relation,
            _ => return None,
        };
        Some(Section { kind, name: self.name()?, tests: self.u64()? })
    }

    fn name(&mut self) -> Option<String> {
        let length = usize::try_from(self.u32()?).ok()?;
        Some(std::str::from_utf8(self.bytes(length)?).ok()?.to_owned())
    }
}

fn row_bytes(tests: u64) -> u64 {
    tests.div_ceil(8)
}

impl KillMatrix {
    /// Whether a file that begins with these bytes is one that [`KillMatrix::write`] or [`KillMatrix::write_csv`] wrote: it begins with
    /// the magic, or it is a table whose second column is a first test, `relation symmetric#0`.
    pub fn is_file(start: &[u8]) -> bool {
        let mut columns = start.split(|byte| matches!(byte, b',' | b'\n'));
        let is_table =
            columns.next() == Some(b"mutant") && columns.next().is_some_and(|test| test.ends_with(b"#0"));
        start.starts_with(MAGIC) || is_table
    }

    /// Writes the compact form, which [`KillMatrix::read`] reads back.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        let version = match self.versions.is_empty() {
            true => Self::VERSION,
            false => Self::VERSION_WITH_FAULTY_VERSIONS,
        };
        out.write_all(&version.to_le_bytes())?;
        out.write_all(&length(self.sections.len())?.to_le_bytes())?;
        out.write_all(&(self.mutants.len() as u64).to_le_bytes())?;
        let MatrixOrigin { module, seed } = self.origin.unwrap_or(UNKNOWN);
        out.write_all(&module.to_le_bytes())?;
        out.write_all(&seed.to_le_bytes())?;
        if !self.versions.is_empty() {
            out.write_all(&(self.versions.len() as u64).to_le_bytes())?;
        }
        for section in &self.sections {
            out.write_all(&[match section.kind {
                SectionKind::Inputs => 0,
                SectionKind::Relation => 1,
            }])?;
            write_name(out, &section.name)?;
            out.write_all(&section.tests.to_le_bytes())?;
        }
        self.versions.iter().try_for_each(|name| write_name(out, name))?;
        self.mutants.iter().try_for_each(|mutant| out.write_all(&mutant.0.to_le_bytes()))?;
        let mut bytes = Vec::with_capacity(self.stride * 8);
        for row in 0..self.rows() {
            bytes.clear();
            bytes.extend(self.row(row).iter().flat_map(|word| word.to_le_bytes()));
            out.write_all(&bytes[..self.tests.div_ceil(8)])?;
        }
        Ok(())
    }

    /// Reads the compact form. Memory is taken only for what the bytes hold.
    ///
    /// # Errors
    /// When the bytes are not exactly what [`KillMatrix::write`] writes.
    pub fn read(bytes: &[u8]) -> Result<KillMatrix, MatrixError> {
        let mut rest = Rest(bytes);
        if rest.array() != Some(*MAGIC) {
            return Err(MatrixError::Header("it does not begin with DODONAKM"));
        }
        let version = rest.u32();
        let known = [1, Self::VERSION, Self::VERSION_WITH_FAULTY_VERSIONS];
        if !version.is_some_and(|version| known.contains(&version)) {
            return Err(MatrixError::Header("it has another version"));
        }
        let (Some(sections), Some(mutants)) = (rest.u32(), rest.u64()) else {
            return Err(MatrixError::Header("it ends within the first 24 bytes"));
        };
        let origin = match version {
            Some(1) => UNKNOWN,
            _ => rest.origin().ok_or(MatrixError::Header("it ends within the first 40 bytes"))?,
        };
        let versions = match version {
            Some(Self::VERSION_WITH_FAULTY_VERSIONS) => {
                let count = rest.u64().filter(|&count| count > 0);
                count.ok_or(MatrixError::Header("it does not say how many faulty versions it has"))?
            }
            _ => 0,
        };
        let section = |i| rest.section().ok_or(MatrixError::Section(i));
        let sections = (0..sections).map(section).collect::<Result<Vec<_>, _>>()?;
        let name = |i| rest.name().ok_or(MatrixError::Version(i));
        let versions = (0..versions).map(name).collect::<Result<Vec<_>, _>>()?;
        let matrix = Self::read_rows(sections, mutants, versions, rest.0)?;
        Ok(KillMatrix { origin: (origin != UNKNOWN).then_some(origin), ..matrix })
    }

    fn read_rows(
        sections: Vec<Section>,
        mutants: u64,
        versions: Vec<String>,
        bytes: &[u8],
    ) -> Result<KillMatrix, MatrixError> {
        let tests = sections.iter().try_fold(0_u64, |sum, s| sum.checked_add(s.tests)).unwrap_or(u64::MAX);
        let of_versions = row_bytes(tests).saturating_mul(versions.len() as u64);
        let expected = mutants.saturating_mul(row_bytes(tests).saturating_add(4)).saturating_add(of_versions);
        let found = bytes.len() as u64;
        if expected != found {
            return Err(MatrixError::Length { expected, found });
        }
        // From here on, the file is as long as it says: nothing is larger than it.
        let (numbers, rows) = bytes.split_at(mutants as usize * 4);
        let number = |b: &[u8; 4]| MutantId(u32::from_le_bytes(*b));
        let mutants = numbers.as_chunks().0.iter().map(number).collect();
        let mut matrix = KillMatrix::with_versions(sections, mutants, versions)?;
        if matrix.tests > 0 {
            let rows = rows.chunks_exact(matrix.tests.div_ceil(8));
            rows.enumerate().try_for_each(|(row, bytes)| matrix.read_row(row, bytes))?;
        }
        Ok(matrix)
    }

    fn read_row(&mut self, row: usize, bytes: &[u8]) -> Result<(), MatrixError> {
        let used = self.tests % 8;
        if used > 0 && bytes.last().is_some_and(|last| last >> used != 0) {
            return Err(MatrixError::Padding(self.row_name(row)));
        }
        let words = &mut self.words[row * self.stride..(row + 1) * self.stride];
        for (i, byte) in bytes.iter().enumerate() {
            words[i / 8] |= u64::from(*byte) << (i % 8 * 8);
        }
        Ok(())
    }

    /// Writes comma-separated values: a line of names, then a line a mutant with 1 where the test kills it, else 0. A faulty
    /// version is named `version NAME`.
    ///
    /// Columns are named `relation symmetric#0`: the section and the test's number in it, from 0. Rows are written one by
    /// one; give a buffered writer.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut header = csv::Writer::from_writer(&mut *out);
        header.write_field("mutant")?;
        for section in &self.sections {
            let name = section.to_string();
            (0..section.tests).try_for_each(|test| header.write_field(format!("{name}#{test}")))?;
        }
        header.write_record(None::<&[u8]>)?;
        header.flush()?;
        drop(header);
        (0..self.rows()).try_for_each(|row| self.write_csv_row(row, out))
    }

    fn write_csv_row(&self, row: usize, out: &mut impl Write) -> io::Result<()> {
        let mut name =
            csv::WriterBuilder::new().terminator(csv::Terminator::Any(b',')).from_writer(Vec::new());
        name.write_record([self.row_name(row)])?;
        let mut line = name.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        line.pop();
        for test in 0..self.tests {
            line.extend(if self.kills(row, test) { b",1" } else { b",0" });
        }
        line.push(b'\n');
        out.write_all(&line)
    }
}

/// A length that the file has 32 bits for.
fn length(length: usize) -> io::Result<u32> {
    u32::try_from(length).map_err(|_| io::Error::other("the kill matrix has a name or sections past 32 bits"))
}

/// The length of a name, then the name.
fn write_name(out: &mut impl Write, name: &str) -> io::Result<()> {
    out.write_all(&length(name.len())?.to_le_bytes())?;
    out.write_all(name.as_bytes())
}
