//! The file of a shard: lines of JSON, compressed as one zstd frame. The first line is the head, then each piece is one, and the last one tells how many there are and the SHA-256 of all
//! lines before it. So a file that ends early is known as such, `zstdcat` shows what is in it, and no more of it is in memory than one piece.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use dodona_target::user_file;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{ShardError, ShardHead};
use crate::Key;

/// The version of the format that this code writes.
const FORMAT: u32 = 1;

/// How hard the compressor tries. From 3 to 9 a file gets 12 % smaller, and takes four times as long to write.
const LEVEL: i32 = 3;

/// The longest line that is read, in bytes. The longest pieces, 200 mutants that hundreds of relations catch, have some ten million; a longer line is no piece, and would fill memory.
const LONGEST: u64 = 256 << 20;

/// The binary logarithm of the window that a file may ask for: what the compressor uses at any level, and no more.
const WINDOW: u32 = 27;

/// The first bytes of a zstd frame (RFC 8878, section 3.1.1).
const FRAME: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();

/// A piece of work in a shard.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct ShardPiece {
    /// What it depends on.
    pub key: Key,
    /// The kind of work: `check`.
    pub kind: String,
    /// The path of the subject's manifest.
    pub subject: String,
    /// The subject's name.
    pub subject_name: String,
    /// The function or relation that it is about.
    pub about: String,
    /// How long it took.
    pub seconds: f64,
    /// Its result, as JSON.
    pub record: String,
}

/// A line of a file.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Piece(ShardPiece),
    End { pieces: u64, sha256: String },
}

/// The first line of a file, whatever the version of its format.
#[derive(Deserialize, Serialize)]
struct First<H> {
    #[serde(rename = "dodona-shard")]
    format: u32,
    #[serde(flatten)]
    head: H,
}

/// What a version is read from, before the rest is understood.
#[derive(Deserialize)]
struct Anything {}

/// Writes the file of a shard.
pub struct ShardWriter<W: Write> {
    encoder: zstd::Encoder<'static, W>,
    hash: Sha256,
    pieces: u64,
}

impl<W: Write> ShardWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(to: W, head: &ShardHead) -> Result<ShardWriter<W>, ShardError> {
        let mut encoder = zstd::Encoder::new(to, LEVEL)?;
        encoder.include_checksum(true)?;
        let mut writer = ShardWriter { encoder, hash: Sha256::new(), pieces: 0 };
        writer.line(&First { format: FORMAT, head })?;
        Ok(writer)
    }

    /// Writes a piece.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn piece(&mut self, piece: ShardPiece) -> Result<(), ShardError> {
        self.pieces += 1;
        self.line(&Line::Piece(piece))
    }

    /// Ends the file, which is a whole one only then.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(mut self) -> Result<(), ShardError> {
        let end = Line::End { pieces: self.pieces, sha256: hex(&self.hash) };
        self.line(&end)?;
        self.encoder.finish()?.flush()?;
        Ok(())
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), ShardError> {
        let mut text = serde_json::to_vec(line).map_err(std::io::Error::from)?;
        text.push(b'\n');
        self.hash.update(&text);
        self.encoder.write_all(&text)?;
        Ok(())
    }
}

fn hex(hash: &Sha256) -> String {
    hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the file of a shard, a piece at a time.
pub struct ShardReader<R: Read> {
    lines: BufReader<zstd::Decoder<'static, BufReader<R>>>,
    head: ShardHead,
    hash: Sha256,
    pieces: u64,
    is_ended: bool,
}

impl ShardReader<File> {
    /// Begins to read the file at a path.
    ///
    /// # Errors
    /// As [`ShardReader::begin`], and when there is no such file, or it is a pipe or a device.
    pub fn open(path: &Path) -> Result<ShardReader<File>, ShardError> {
        ShardReader::begin(user_file::open(path)?)
    }
}

impl<R: Read> ShardReader<R> {
    /// Begins to read.
    ///
    /// # Errors
    /// When it is no shard file, of a newer format, or damaged.
    pub fn begin(from: R) -> Result<ShardReader<R>, ShardError> {
        let mut from = BufReader::new(from);
        match from.fill_buf()? {
            [] => return Err(ShardError::Damaged("it is empty".to_owned())),
            bytes if !bytes.starts_with(&FRAME) => return Err(ShardError::Foreign),
            _ => {}
        }
        let mut decoder = zstd::Decoder::with_buffer(from)?.single_frame();
        decoder.window_log_max(WINDOW)?;
        let mut lines = BufReader::new(decoder);
        let first = line(&mut lines)?.ok_or(ShardError::Foreign)?;
        let First { format, head: Anything {} } =
            serde_json::from_slice(&first).map_err(|_| ShardError::Foreign)?;
        if format > FORMAT {
            return Err(ShardError::Newer { found: format, known: FORMAT });
        }
        let First { head, .. } = serde_json::from_slice(&first).map_err(|_| not_understood())?;
        let mut hash = Sha256::new();
        hash.update(&first);
        Ok(ShardReader { lines, head, hash, pieces: 0, is_ended: false })
    }

    /// What it is a part of.
    pub fn head(&self) -> &ShardHead {
        &self.head
    }

    /// The next piece; `None` after the last one, when the file is known to be whole.
    ///
    /// # Errors
    /// When the file is damaged, or ends early.
    pub fn piece(&mut self) -> Result<Option<ShardPiece>, ShardError> {
        if self.is_ended {
            return Ok(None);
        }
        let Some(text) = line(&mut self.lines)? else { return Err(ends_early()) };
        match serde_json::from_slice(&text).map_err(|_| not_understood())? {
            Line::Piece(piece) => {
                self.hash.update(&text);
                self.pieces += 1;
                Ok(Some(piece))
            }
            Line::End { pieces, sha256 } => {
                if pieces != self.pieces || sha256 != hex(&self.hash) {
                    return Err(ShardError::Damaged("its content is not what its checksum says".to_owned()));
                }
                // The frame has an end too, with a checksum of its own.
                if line(&mut self.lines)?.is_some() {
                    return Err(ShardError::Damaged("it goes on behind its end".to_owned()));
                }
                self.is_ended = true;
                Ok(None)
            }
        }
    }
}

/// The next line with its end; `None` where there is nothing more.
fn line(from: &mut impl BufRead) -> Result<Option<Vec<u8>>, ShardError> {
    let mut text = Vec::new();
    match from.take(LONGEST).read_until(b'\n', &mut text) {
        Ok(0) => Ok(None),
        Ok(_) if text.ends_with(b"\n") => Ok(Some(text)),
        Ok(read) if read as u64 == LONGEST => {
            Err(ShardError::Damaged("one of its lines has no end".to_owned()))
        }
        Ok(_) => Err(ends_early()),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Err(ends_early()),
        // What the decoder says of the bytes helps nobody; the system tells what is wrong with the file.
        Err(error) if error.raw_os_error().is_none() => {
            Err(ShardError::Damaged("its bytes are not those that were written".to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

fn ends_early() -> ShardError {
    ShardError::Damaged("it ends early".to_owned())
}

fn not_understood() -> ShardError {
    ShardError::Damaged("one of its lines is not understood".to_owned())
}
