//! The number types of WebAssembly.

use std::fmt;

use dodona_target::Scalar;

/// The four WebAssembly number types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the types")]
pub enum WasmType {
    I32,
    I64,
    F32,
    F64,
}

impl fmt::Display for WasmType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WasmType::I32 => "i32",
            WasmType::I64 => "i64",
            WasmType::F32 => "f32",
            WasmType::F64 => "f64",
        })
    }
}

impl WasmType {
    /// The value type that carries a scalar.
    pub fn carrying(scalar: Scalar) -> WasmType {
        match scalar {
            Scalar::I64 | Scalar::U64 => WasmType::I64,
            Scalar::F32 => WasmType::F32,
            Scalar::F64 => WasmType::F64,
            _ => WasmType::I32,
        }
    }
}
