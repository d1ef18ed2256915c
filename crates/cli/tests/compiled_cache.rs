//! Compiled code of large modules is kept between commands.

mod common;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use common::{both, dodona};

/// A module of many functions that call each other, so that all of them are compiled.
fn large() -> String {
    let mut text =
        "(module (func (export \"f\") (param $x i32) (result i32) (call 1 (local.get $x)))\n".to_owned();
    for function in 1..1200 {
        let next = if function < 1199 {
            format!("(call {} (local.get 0))", function + 1)
        } else {
            "(local.get 0)".to_owned()
        };
        let sum = (0..40).fold(next, |sum, term| {
            format!(
                "(i32.add {sum} (i32.mul (local.get 0) (i32.const {})))",
                (function * 64 + term) * 7919 % 100_000
            )
        });
        let _ = writeln!(text, "(func (param i32) (result i32) {sum})");
    }
    text + ")"
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn a_large_module_is_compiled_once_and_what_is_damaged_is_compiled_again() {
    let home = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(home.path().join(name), text).expect("written");
    write("large.wat", &large());
    write(
        "small.wat",
        "(module (func (export \"f\") (param $x i32) (result i32) (i32.mul (local.get $x) (i32.const 3))))",
    );
    for name in ["large", "small"] {
        let function = "[[function]]\nsignature = \"f(x: i32) -> i32\"\n";
        write(
            &format!("{name}.toml"),
            &format!("module = \"{name}.wat\"\nrelations = [\"f.mr\"]\n{function}"),
        );
    }
    write("f.mr", "relation same: f(x + 0) == f(x)\n");
    let cache = home.path().join("cache");
    let check = |name: &str| {
        let arguments = ["check", name, "--sources", "10", "--keep", "nothing"];
        let output = dodona()
            .args(arguments)
            .current_dir(home.path())
            .env("DODONA_CACHE", &cache)
            .output()
            .expect("runs");
        let said = both(&output);
        assert!(output.status.success(), "{said}");
        said
    };
    check("small.toml");
    assert_eq!(files(&cache.join("compiled")).len(), 0, "a small one takes no time");
    let first = check("large.toml");
    let kept = files(&cache.join("compiled"));
    let modules: Vec<&PathBuf> = kept.iter().filter(|file| file.extension().is_none()).collect();
    assert_eq!(modules.len(), 1, "{kept:?}");
    assert_eq!(check("large.toml"), first);
    assert_eq!(files(&cache.join("compiled")).iter().filter(|file| file.extension().is_none()).count(), 1);
    std::fs::write(modules[0], b"damaged").expect("written");
    assert_eq!(check("large.toml"), first, "code that cannot be read is made again");
}
