//! What clang knows of a header or a source, as its syntax tree.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use super::c::{HINT, compiler, diagnostics};
use super::{BuildError, c_failures};

/// Has clang read a file of C or C++ for WebAssembly, from a folder and with flags, and hands its syntax tree to whoever reads it: JSON, which may have hundreds of
/// megabytes.
///
/// # Errors
/// When clang is not installed, or what it reads has mistakes.
pub fn syntax_tree<T>(
    folder: &Path,
    file: &Path,
    flags: &[String],
    is_cxx: bool,
    read: impl FnOnce(&mut (dyn Read + Send)) -> T,
) -> Result<T, BuildError> {
    let mut command = Command::new(compiler());
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    command.current_dir(folder).args([
        "--target=wasm32-wasi",
        "-fsyntax-only",
        "-Wno-pragma-once-outside-header",
    ]);
    command.args(["-x", if is_cxx { "c++" } else { "c" }]);
    if is_cxx && !flags.iter().any(|flag| flag.starts_with("-std=")) {
        command.arg("-std=c++20");
    }
    command.args(flags).args(["-Xclang", "-ast-dump=json"]).arg(file);
    let shown =
        format!("{} --target=wasm32-wasi -fsyntax-only {} {}", compiler(), flags.join(" "), file.display());
    let unstarted = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => BuildError::ToolMissing { tool: compiler(), hint: HINT.to_owned() },
        _ => BuildError::File { action: "run", path: compiler().into(), error },
    };
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(unstarted)?;
    let (tree, errors) = (child.stdout.take(), child.stderr.take());
    let (read, said) = std::thread::scope(|scope| {
        let said = scope.spawn(|| {
            let mut said = Vec::new();
            // Without what it said there is still whether it succeeded.
            let _ = errors.map(|mut errors| errors.read_to_end(&mut said));
            said
        });
        let read = tree.map(|mut tree| read(&mut tree));
        (read, said.join().unwrap_or_default())
    });
    let status = child.wait().map_err(unstarted)?;
    match read.filter(|_| status.success()) {
        Some(read) => Ok(read),
        None => {
            let output = diagnostics(&String::from_utf8_lossy(&said));
            Err(match c_failures::explained(&output, file) {
                Some(words) => BuildError::Unsupported(words),
                None => BuildError::Failed { command: shown, output },
            })
        }
    }
}
