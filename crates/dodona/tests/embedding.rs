//! What the package in `tests/embedding` does with WebAssembly, here without compiling wasmtime a second time.

#![cfg(feature = "wasm")]

#[path = "../../../tests/embedding/tests/wasm.rs"]
mod wasm;
