//! Why bytes are not a module that can be tested.

/// Why bytes are not a module that can be tested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModuleError {
    /// The first bytes are not those of WebAssembly.
    #[error(
        "not WebAssembly: the file starts with {found}, not with `\\0asm`; name a .wasm file, or a folder with a dodona.toml that builds one"
    )]
    NotWasm {
        /// The first bytes, as text or hexadecimal.
        found: String,
    },
    /// The bytes end inside the module.
    #[error("truncated WebAssembly: the file ends at byte {length}, inside {what}; build or copy it again")]
    Truncated {
        /// The length of the file in bytes.
        length: usize,
        /// What the parser wanted to read.
        what: String,
    },
    /// The bytes are a component of the component model.
    #[error(
        "this is a component, not a core module; take the core module out of it with `wasm-tools component unbundle`, or build for wasm32-wasi (preview 1)"
    )]
    Component,
    /// The bytes do not validate.
    #[error(
        "invalid WebAssembly at byte {offset}: {message}; the compiler that wrote it is at fault, or it uses a proposal that is not supported"
    )]
    Invalid {
        /// Where, counted from the start of the file.
        offset: usize,
        /// What the validator found.
        message: String,
    },
    /// A function nests loops deeper than anybody writes or any compiler makes.
    #[error(
        "function {function} nests more than {most} loops, at byte {offset}: compiling it would take time with the square of the depth; flatten it"
    )]
    Loops {
        /// The function's index.
        function: u32,
        /// Where the first loop too many begins, counted from the start of the file.
        offset: usize,
        /// How many may be nested.
        most: usize,
    },
}

impl ModuleError {
    pub(super) fn from_parser(error: &wasmparser::BinaryReaderError, length: usize) -> Self {
        if error.message().contains("unexpected end") || error.offset() >= length {
            return ModuleError::Truncated { length, what: "a section".to_owned() };
        }
        ModuleError::Invalid { offset: error.offset(), message: error.message().to_owned() }
    }
}

/// The eight bytes that every module starts with, told apart from a component's.
pub(super) fn check_preamble(bytes: &[u8]) -> Result<(), ModuleError> {
    const MAGIC: &[u8] = b"\0asm";
    if !bytes.starts_with(&MAGIC[..MAGIC.len().min(bytes.len())]) || bytes.is_empty() {
        return Err(ModuleError::NotWasm { found: describe(bytes) });
    }
    match bytes.get(4..8) {
        None => Err(ModuleError::Truncated { length: bytes.len(), what: "the header".to_owned() }),
        Some([1, 0, 0, 0]) => Ok(()),
        Some([_, _, 1, 0]) => Err(ModuleError::Component),
        Some(version) => {
            Err(ModuleError::Invalid { offset: 4, message: format!("version {version:?} is not 1") })
        }
    }
}

fn describe(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(4)];
    match std::str::from_utf8(head) {
        Ok("") => "nothing (it is empty)".into(),
        Ok(text) if text.chars().all(|c| !c.is_control()) => format!("`{text}`"),
        _ => head.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" "),
    }
}
