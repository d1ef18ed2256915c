//! The messages of Rust panics. On wasm32-unknown-unknown a panic is a trap and nothing else, so modules get a function that sets a hook,
//! which keeps the message. Only a call that is to be explained sets it: other calls do what they did without it.
//!
//! Nothing of these other calls changes: the hook is linked behind all other code, and only its table entry and its code are new.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::products::{cache_folder, put};
use crate::Module;
use dodona_target::fnv1a;

/// The export that sets the hook and returns the address of six numbers of 32 bits, in which the hook writes the address and the length
/// of the message and of the file's name, the line and the column.
pub const PANIC_HOOK: &str = "__dodona_panic_hook";

/// The function as an item of a crate.
pub(super) const HOOK: &str = r#"
#[no_mangle]
pub extern "C" fn __dodona_panic_hook() -> *mut [usize; 6] {
    static mut KEPT: [usize; 6] = [0; 6];
    let kept = core::ptr::addr_of_mut!(KEPT);
    std::panic::set_hook(std::boxed::Box::new(move |info| {
        let payload = info.payload();
        let owned = payload.downcast_ref::<std::string::String>().map(|text| text.as_str());
        let text = payload.downcast_ref::<&'static str>().copied().or(owned).unwrap_or("");
        let (file, line, column) = info.location().map_or(("", 0, 0), |at| (at.file(), at.line(), at.column()));
        let texts = [text.as_ptr() as usize, text.len(), file.as_ptr() as usize, file.len()];
        unsafe { *core::ptr::addr_of_mut!(KEPT) = [texts[0], texts[1], texts[2], texts[3], line as usize, column as usize] };
    }));
    kept
}
"#;

/// The function compiled by a toolchain, to be linked to a crate that knows nothing of it; compiled once a toolchain, which its
/// standard library identifies. `None` if it does not compile: then panics have no message.
pub(super) fn object(target: &str, libraries: &Path) -> Option<PathBuf> {
    let names = std::fs::read_dir(libraries).ok()?.map(|file| file.map(|file| file.file_name()));
    let mut names = names.collect::<Result<Vec<_>, _>>().ok()?;
    names.sort();
    let key = fnv1a(format!("{HOOK}{libraries:?}{names:?}").as_bytes());
    let folder = cache_folder().join("panic-hook");
    let object = folder.join(format!("{key:016x}.o"));
    if object.exists() {
        return Some(object);
    }
    std::fs::create_dir_all(&folder).ok()?;
    let source = folder.join(format!("{key:016x}.rs"));
    put(&source, HOOK.as_bytes()).ok()?;
    // Under another name first: another process may compile the same.
    let fresh = folder.join(format!("{key:016x}.{}.tmp", std::process::id()));
    let mut command = Command::new("rustc");
    command.args([
        "--edition=2021",
        "--crate-type=lib",
        "--crate-name=dodona_panic_hook",
        "--target",
        target,
    ]);
    command.args(["-Copt-level=3", "-Cpanic=abort", "-Ccodegen-units=1"]);
    command.arg(format!("--emit=obj={}", fresh.display())).arg(&source);
    let made = command.output().is_ok_and(|output| output.status.success());
    let moved = made && std::fs::rename(&fresh, &object).is_ok();
    if !moved {
        let _ = std::fs::remove_file(&fresh);
    }
    moved.then_some(object)
}

/// Whether a module has what the hook needs. Where the standard library was optimised together with the crate, the functions that
/// the hook calls are gone, and the linker makes imports of them.
pub(super) fn is_linked(wasm: &Path) -> bool {
    let module = std::fs::read(wasm).ok().and_then(|bytes| Module::parse(bytes).ok());
    let is_mangled = |name: &str| name.starts_with("_ZN") || name.starts_with("_R");
    module.is_some_and(|module| {
        module.export_function(PANIC_HOOK).is_some() && !module.imports().iter().any(|i| is_mangled(&i.name))
    })
}
