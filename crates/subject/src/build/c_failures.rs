//! What clang and its linker say where a source needs what is not there, in words that tell what to do.

use std::path::Path;

const LEAVE_OUT: &str = "leave the file out with `exclude` of [build] (--exclude of init)";

/// An error about a source, which in the end stands in a cache where it is the code of the calls; nothing where the words of clang tell enough.
pub(super) fn explained(output: &str, source: &Path) -> Option<String> {
    let of = match source.is_absolute() || source.as_os_str().is_empty() {
        true => "the code".to_owned(),
        false => source.display().to_string(),
    };
    let has = |words: &[&str]| output.lines().any(|line| words.iter().all(|word| line.contains(word)));
    let is_setjmp = has(&["Setjmp/longjmp support requires"])
        || has(&["setjmp.h' file not found"])
        || has(&["undefined symbol: setjmp"])
        || has(&["undefined symbol: longjmp"]);
    if is_setjmp {
        return Some(format!(
            "{of} uses setjmp, which does not work in WebAssembly as it is built here; {LEAVE_OUT}, or check the code as it is built for this \
             machine: dodona check --native"
        ));
    }
    // Only what a flag names is included by no line of a file.
    let by_flag = |line: &str| {
        let (_, rest) = line.strip_prefix("<built-in>:")?.split_once("fatal error: '")?;
        Some(rest.split_once("' file not found")?.0.to_owned())
    };
    output.lines().find_map(by_flag).map(|name| {
        format!(
            "{of} is compiled with the flag -include {name}, and {name} stands neither where its command runs nor in a folder of headers; if the project's own \
             build makes it, run that first, add its folder to `include` of [build], or {LEAVE_OUT}"
        )
    })
}
