//! The in-memory directory and the descriptors open on it.

use std::collections::BTreeMap;

use super::abi::{Errno, FileType};
use super::paths::{name, parent, resolve};

/// Bytes that all files together may hold.
const MOST_BYTES: usize = 64 << 20;

/// Descriptors that may be open at once.
const MOST_OPEN: usize = 1024;

/// What is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Descriptor {
    Stdin,
    Stdout,
    Stderr,
    /// A directory that is open from the start, with the name under which the guest knows it.
    Preopened(&'static str),
    Directory(String),
    File {
        node: usize,
        at: u64,
        append: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Directory,
    File(usize),
}

/// The files and descriptors of a process.
#[derive(Debug)]
pub(super) struct Files {
    /// By path from the root, which itself is not listed.
    entries: BTreeMap<String, Entry>,
    /// Contents; a node without an entry lives on while it is open.
    nodes: Vec<Vec<u8>>,
    descriptors: Vec<Option<Descriptor>>,
}

impl Default for Files {
    fn default() -> Self {
        use Descriptor as D;
        let open = [D::Stdin, D::Stdout, D::Stderr, D::Preopened("/"), D::Preopened(".")];
        Files {
            entries: BTreeMap::new(),
            nodes: Vec::new(),
            descriptors: open.into_iter().map(Some).collect(),
        }
    }
}

/// How `path_open` opens.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Opening {
    pub create: bool,
    pub directory: bool,
    pub exclusive: bool,
    pub truncate: bool,
    pub append: bool,
    pub write: bool,
}

/// What `filestat` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub kind: FileType,
    pub size: u64,
    pub inode: u64,
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    pub name: String,
    pub kind: FileType,
    pub inode: u64,
}

impl Files {
    /// Puts a file, with the folders above it; a path that leads out of the directory is put at the root under its last part.
    pub(super) fn add(&mut self, path: &str, contents: Vec<u8>) {
        let path = resolve("", path).unwrap_or_else(|_| name(path).to_owned());
        let mut folder = parent(&path);
        while !folder.is_empty() {
            self.entries.insert(folder.to_owned(), Entry::Directory);
            folder = parent(folder);
        }
        self.entries.insert(path, Entry::File(self.nodes.len()));
        self.nodes.push(contents);
    }

    pub(super) fn descriptor(&self, fd: u32) -> Result<&Descriptor, Errno> {
        self.descriptors.get(fd as usize).and_then(Option::as_ref).ok_or(Errno::BADF)
    }

    fn file(&mut self, fd: u32) -> Result<(&mut Vec<u8>, &mut u64, bool), Errno> {
        match self.descriptors.get_mut(fd as usize).and_then(Option::as_mut).ok_or(Errno::BADF)? {
            Descriptor::File { node, at, append } => Ok((&mut self.nodes[*node], at, *append)),
            Descriptor::Directory(_) | Descriptor::Preopened(_) => Err(Errno::ISDIR),
            _ => Err(Errno::SPIPE),
        }
    }

    /// The path from the root of something below an open directory.
    pub(super) fn path(&self, fd: u32, path: &str) -> Result<String, Errno> {
        match self.descriptor(fd)? {
            Descriptor::Preopened(_) => resolve("", path),
            Descriptor::Directory(base) => resolve(base, path),
            _ => Err(Errno::NOTDIR),
        }
    }

    fn entry(&self, path: &str) -> Result<Entry, Errno> {
        if path.is_empty() {
            return Ok(Entry::Directory);
        }
        self.entries.get(path).copied().ok_or(Errno::NOENT)
    }

    /// Whether a new entry may stand at this path.
    fn check_parent(&self, path: &str) -> Result<(), Errno> {
        match self.entry(parent(path))? {
            Entry::Directory => Ok(()),
            Entry::File(_) => Err(Errno::NOTDIR),
        }
    }

    pub(super) fn open(&mut self, path: &str, how: Opening) -> Result<u32, Errno> {
        let descriptor = match self.entry(path) {
            Ok(_) if how.create && how.exclusive => return Err(Errno::EXIST),
            Ok(Entry::Directory) if how.write && !how.directory => return Err(Errno::ISDIR),
            Ok(Entry::Directory) => Descriptor::Directory(path.to_owned()),
            Ok(Entry::File(_)) if how.directory => return Err(Errno::NOTDIR),
            Ok(Entry::File(node)) => {
                if how.truncate {
                    self.nodes[node].clear();
                }
                Descriptor::File { node, at: 0, append: how.append }
            }
            Err(_) if how.create && !how.directory => {
                self.check_parent(path)?;
                let node = self.nodes.len();
                self.nodes.push(Vec::new());
                self.entries.insert(path.to_owned(), Entry::File(node));
                Descriptor::File { node, at: 0, append: how.append }
            }
            Err(error) => return Err(error),
        };
        self.install(descriptor)
    }

    fn install(&mut self, descriptor: Descriptor) -> Result<u32, Errno> {
        let free = self.descriptors.iter().position(Option::is_none).unwrap_or(self.descriptors.len());
        if free >= MOST_OPEN {
            return Err(Errno::BADF);
        }
        if free == self.descriptors.len() {
            self.descriptors.push(None);
        }
        self.descriptors[free] = Some(descriptor);
        Ok(free as u32)
    }

    pub(super) fn set_append(&mut self, fd: u32, wanted: bool) -> Result<(), Errno> {
        self.descriptor(fd)?;
        if let Some(Descriptor::File { append, .. }) = &mut self.descriptors[fd as usize] {
            *append = wanted;
        }
        Ok(())
    }

    pub(super) fn close(&mut self, fd: u32) -> Result<(), Errno> {
        self.descriptor(fd)?;
        self.descriptors[fd as usize] = None;
        Ok(())
    }

    pub(super) fn renumber(&mut self, from: u32, to: u32) -> Result<(), Errno> {
        self.descriptor(from)?;
        self.descriptor(to)?;
        self.descriptors[to as usize] = self.descriptors[from as usize].take();
        Ok(())
    }

    pub(super) fn read(&mut self, fd: u32, buffer: &mut [u8]) -> Result<usize, Errno> {
        let (contents, at, _) = self.file(fd)?;
        let count = copy_from(contents, *at, buffer);
        *at += count as u64;
        Ok(count)
    }

    pub(super) fn read_at(&mut self, fd: u32, offset: u64, buffer: &mut [u8]) -> Result<usize, Errno> {
        Ok(copy_from(self.file(fd)?.0, offset, buffer))
    }

    pub(super) fn write(&mut self, fd: u32, bytes: &[u8]) -> Result<(), Errno> {
        let (contents, at, append) = self.file(fd)?;
        if append {
            *at = contents.len() as u64;
        }
        let offset = *at;
        *at += bytes.len() as u64;
        self.write_at(fd, offset, bytes)
    }

    pub(super) fn write_at(&mut self, fd: u32, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
        let end = offset.saturating_add(bytes.len() as u64);
        self.reserve(fd, end)?;
        let contents = self.file(fd)?.0;
        contents[offset as usize..end as usize].copy_from_slice(bytes);
        Ok(())
    }

    /// Makes a file at least this long, where all files together stay small enough.
    fn reserve(&mut self, fd: u32, size: u64) -> Result<(), Errno> {
        let held: usize = self.nodes.iter().map(Vec::len).sum();
        let contents = self.file(fd)?.0;
        let more = size.saturating_sub(contents.len() as u64);
        if held as u64 + more > MOST_BYTES as u64 {
            return Err(Errno::FBIG);
        }
        if more > 0 {
            contents.resize(size as usize, 0);
        }
        Ok(())
    }

    pub(super) fn set_size(&mut self, fd: u32, size: u64) -> Result<(), Errno> {
        self.reserve(fd, size)?;
        self.file(fd)?.0.truncate(size as usize);
        Ok(())
    }

    /// Moves the position of a file: from the start (0), the position (1) or the end (2).
    pub(super) fn seek(&mut self, fd: u32, offset: i64, whence: u32) -> Result<u64, Errno> {
        let (contents, at, _) = self.file(fd)?;
        let base = match whence {
            0 => 0,
            1 => *at,
            2 => contents.len() as u64,
            _ => return Err(Errno::INVAL),
        };
        *at = base.checked_add_signed(offset).ok_or(Errno::INVAL)?;
        Ok(*at)
    }

    pub(super) fn stat(&self, fd: u32) -> Result<Stat, Errno> {
        Ok(match self.descriptor(fd)? {
            Descriptor::File { node, .. } => self.stat_of(Entry::File(*node)),
            Descriptor::Directory(_) | Descriptor::Preopened(_) => self.stat_of(Entry::Directory),
            _ => Stat { kind: FileType::Stream, size: 0, inode: u64::from(fd) + 1 },
        })
    }

    pub(super) fn stat_path(&self, path: &str) -> Result<Stat, Errno> {
        Ok(self.stat_of(self.entry(path)?))
    }

    fn stat_of(&self, entry: Entry) -> Stat {
        match entry {
            Entry::Directory => Stat { kind: FileType::Directory, size: 0, inode: 10 },
            Entry::File(node) => Stat {
                kind: FileType::Regular,
                size: self.nodes[node].len() as u64,
                inode: 100 + node as u64,
            },
        }
    }

    /// The entries of an open directory, `.` and `..` first, then by name.
    pub(super) fn list(&self, fd: u32) -> Result<Vec<Listed>, Errno> {
        let folder = self.path(fd, "")?;
        let listed =
            |name: &str, stat: Stat| Listed { name: name.into(), kind: stat.kind, inode: stat.inode };
        let here = self.stat_of(Entry::Directory);
        let mut list = vec![listed(".", here), listed("..", here)];
        for (path, entry) in &self.entries {
            if parent(path) == folder {
                list.push(listed(name(path), self.stat_of(*entry)));
            }
        }
        Ok(list)
    }

    pub(super) fn create_directory(&mut self, path: &str) -> Result<(), Errno> {
        if self.entry(path).is_ok() {
            return Err(Errno::EXIST);
        }
        self.check_parent(path)?;
        self.entries.insert(path.to_owned(), Entry::Directory);
        Ok(())
    }

    pub(super) fn remove_directory(&mut self, path: &str) -> Result<(), Errno> {
        match self.entry(path)? {
            Entry::File(_) => Err(Errno::NOTDIR),
            _ if path.is_empty() => Err(Errno::INVAL),
            _ if self.entries.keys().any(|p| parent(p) == path) => Err(Errno::NOTEMPTY),
            Entry::Directory => {
                self.entries.remove(path);
                Ok(())
            }
        }
    }

    pub(super) fn unlink(&mut self, path: &str) -> Result<(), Errno> {
        match self.entry(path)? {
            Entry::Directory => Err(Errno::ISDIR),
            Entry::File(_) => {
                self.entries.remove(path);
                Ok(())
            }
        }
    }

    /// Moves a file or a folder with everything in it; a file at the new path is replaced.
    pub(super) fn rename(&mut self, from: &str, to: &str) -> Result<(), Errno> {
        let entry = self.entry(from)?;
        self.check_parent(to)?;
        let inside = format!("{from}/");
        if from.is_empty() || to.starts_with(&inside) {
            return Err(Errno::INVAL);
        }
        match (entry, self.entry(to)) {
            (_, Err(_)) | (Entry::File(_), Ok(Entry::File(_))) => {}
            (Entry::File(_), Ok(Entry::Directory)) => return Err(Errno::ISDIR),
            (Entry::Directory, Ok(_)) => self.remove_directory(to)?,
        }
        let below: Vec<String> = self.entries.keys().filter(|p| p.starts_with(&inside)).cloned().collect();
        for path in below {
            if let Some(moved) = self.entries.remove(&path) {
                self.entries.insert(format!("{to}/{}", &path[inside.len()..]), moved);
            }
        }
        self.entries.remove(from);
        self.entries.insert(to.to_owned(), entry);
        Ok(())
    }
}

fn copy_from(contents: &[u8], at: u64, buffer: &mut [u8]) -> usize {
    let rest = usize::try_from(at).ok().and_then(|at| contents.get(at..)).unwrap_or(&[]);
    let count = rest.len().min(buffer.len());
    buffer[..count].copy_from_slice(&rest[..count]);
    count
}
