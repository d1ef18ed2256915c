//! Objects that were made in this process and can be linked again. `init` builds a library several times: for its probes, and each time that a call does not compile. Others build
//! once, and keep nothing.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::super::inputs::Inputs;

/// The bytes of objects that are kept at most. A library of some hundred files has some ten megabytes.
const MOST: usize = 128 << 20;

/// What is kept, as long as somebody wants it.
static KEPT: Mutex<Option<Kept>> = Mutex::new(None);

/// Objects are kept as long as this is there.
#[must_use = "nothing is kept any more when it is dropped"]
pub struct KeptObjects(());

impl KeptObjects {
    /// From now on objects of C are kept, and linked again where nothing that they were made of has changed.
    pub fn begin() -> KeptObjects {
        *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Kept::default());
        KeptObjects(())
    }
}

impl Drop for KeptObjects {
    fn drop(&mut self) {
        *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[derive(Default)]
struct Kept {
    /// By the commands that made them and the folders that these ran in.
    objects: HashMap<String, Object>,
    bytes: usize,
}

struct Object {
    bytes: Vec<u8>,
    inputs: Inputs,
    /// What the inputs were when it was made.
    state: String,
}

/// An object that a command makes.
pub(super) struct Made<'a> {
    /// The command, without where it writes.
    pub(super) command: String,
    pub(super) folder: &'a Path,
    pub(super) object: &'a Path,
}

impl Made<'_> {
    fn key(&self) -> String {
        format!("{}\n{}", self.folder.display(), self.command)
    }

    /// Writes the object as it was made before, if nothing that it was made of has changed; what it was made of.
    pub(super) fn again(&self) -> Option<Inputs> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let object = kept.as_ref()?.objects.get(&self.key())?;
        let is_same = object.inputs.untold.is_empty() && object.inputs.state(self.folder) == object.state;
        let is_written = is_same && std::fs::write(self.folder.join(self.object), &object.bytes).is_ok();
        is_written.then(|| object.inputs.clone())
    }

    /// Keeps the object that was made of these inputs, if objects are kept.
    pub(super) fn keep(self, inputs: &Inputs) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(kept) = kept.as_mut() else { return };
        let Ok(bytes) = std::fs::read(self.folder.join(self.object)) else { return };
        if kept.bytes + bytes.len() > MOST {
            *kept = Kept::default();
        }
        kept.bytes += bytes.len();
        let state = inputs.state(self.folder);
        kept.objects.insert(self.key(), Object { bytes, inputs: inputs.clone(), state });
    }
}
