use std::collections::BTreeMap;
use std::fs;

use dodona_target::{Scalar, Sequence, Type};
use tempfile::TempDir;

use super::*;

fn regression(x: f64) -> Regression {
    let named = |name: &str, ty: &str, value| NamedValue {
        name: name.into(),
        ty: ty.parse().expect("a type"),
        value,
    };
    Regression {
        format_version: FORMAT_VERSION,
        subject: "../dodona.toml".into(),
        relation: "odd".into(),
        relation_file: None,
        text: "sin(-x) ~= -sin(x)".into(),
        group: Group { index: 0, label: String::new() },
        inputs: vec![
            named("x", "f64", Value::Float(x)),
            named("xs", "[i32]", Value::Sequence(Sequence::Int(vec![1, -2]))),
            named("t", "text", Value::Text(b"a\xff\n".as_slice().into())),
        ],
        seed: Seed(7),
        observed: "false: 0.5 ~= -0.5".into(),
    }
}

/// Every file in a folder with its content.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entry = |e: io::Result<fs::DirEntry>| {
        let path = e.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("text"))
    };
    fs::read_dir(folder).expect("a folder").map(entry).collect()
}

#[test]
fn a_saved_regression_loads_bit_for_bit() {
    let home = TempDir::new().expect("a folder");
    let folder = home.path().join(FOLDER);
    for x in [-0.0, 0.1, f64::NAN, f64::NEG_INFINITY, f64::from_bits(1)] {
        let path = save(&folder, &regression(x)).expect("saved");
        let loaded = load(&path).expect("loaded");
        assert_eq!(loaded, regression(x));
        let Some(Value::Float(back)) = loaded.input("x") else { panic!("x is a float") };
        assert_eq!((back.is_nan(), back.is_sign_negative()), (x.is_nan(), x.is_sign_negative()));
    }
    assert_eq!(load_all(&folder).expect("listed").len(), 5);
}

#[test]
fn the_file_is_made_for_people() {
    let home = TempDir::new().expect("a folder");
    let path = save(home.path(), &regression(0.5)).expect("saved");
    let name = path.file_name().expect("a name").to_string_lossy();
    assert!(name.starts_with("odd-") && name.len() == "odd-1f3a9c.json".len(), "{name}");
    let text = fs::read_to_string(&path).expect("text");
    assert!(text.starts_with("{\n  \"format_version\": 1,\n  \"subject\": \"../dodona.toml\",\n"), "{text}");
    assert!(text.ends_with("}\n"));
}

#[test]
fn names_keep_from_release_to_release() {
    // The FNV-1a hash of the identity, computed independently.
    let [short, long, _] = regression(0.5).file_names();
    assert_eq!(short, "odd-7630dd.json");
    assert!(long.starts_with("odd-7630dd") && long.len() == "odd-0123456789abcdef.json".len(), "{long}");
    let odd = Regression { relation: "../a b/ü".into(), ..regression(0.5) };
    assert!(odd.file_names()[0].starts_with("___a_b__-"), "{:?}", odd.file_names());
}

#[test]
fn saving_again_rewrites_the_same_file() {
    let home = TempDir::new().expect("a folder");
    let first = save(home.path(), &regression(0.5)).expect("saved");
    let once = files(home.path());
    assert_eq!(save(home.path(), &regression(0.5)).expect("saved again"), first);
    assert_eq!(files(home.path()), once);
    let seen_later = Regression { observed: "trapped".into(), seed: Seed(8), ..regression(0.5) };
    assert_eq!(save(home.path(), &seen_later).expect("saved again"), first);
    assert_eq!(load(&first).expect("loaded").observed, "trapped");
    save(home.path(), &regression(0.25)).expect("another");
    assert_eq!(files(home.path()).len(), 2);
}

#[test]
fn another_regression_of_the_same_short_hash_gets_a_longer_name() {
    let home = TempDir::new().expect("a folder");
    let [short, long, _] = regression(0.5).file_names();
    let path = home.path().join(short);
    fs::write(&path, serde_json::to_vec(&regression(0.25)).expect("JSON")).expect("written");
    let saved = save(home.path(), &regression(0.5)).expect("saved");
    assert_eq!(saved, home.path().join(long));
    assert_eq!(load(&path).expect("still there"), regression(0.25));
}

#[test]
fn another_constant_of_the_same_number_is_another_regression() {
    let home = TempDir::new().expect("a folder");
    let of = |k: u32| Regression { group: Group { index: 0, label: format!("k = {k}") }, ..regression(0.5) };
    // The constants of `for` were written in another order again and again.
    let paths: Vec<PathBuf> = (0..6).map(|k| save(home.path(), &of(k)).expect("saved")).collect();
    for (k, path) in paths.iter().enumerate() {
        assert_eq!(load(path).expect("loaded"), of(k as u32));
        assert_eq!(save(home.path(), &of(k as u32)).expect("saved again"), *path);
    }
}

#[test]
fn manifests_of_one_folder_keep_their_own() {
    let home = TempDir::new().expect("a folder");
    let folder = home.path().join(FOLDER);
    let of = |name: &str| Regression { subject: format!("../{name}.toml"), ..regression(0.5) };
    for name in ["a", "b", "c"] {
        fs::write(home.path().join(name).with_extension("toml"), "").expect("written");
    }
    let paths = ["a", "b", "c"].map(|name| save(&folder, &of(name)).expect("saved"));
    assert_eq!(load_all(&folder).expect("listed").len(), 3, "{paths:?}");
    // Also when a shorter name is free again, each keeps its file.
    fs::remove_file(&paths[0]).expect("removed");
    assert_eq!(save(&folder, &of("c")).expect("saved again"), paths[2]);
    let owner = |of: &str, seen: &str| {
        let subject = format!("../{of}.toml");
        Regression { subject, ..regression(0.5) }
            .owner(&folder, &home.path().join(seen).with_extension("toml"))
    };
    assert_eq!(
        [owner("b", "b"), owner("b", "c"), owner("gone", "c"), owner("gone", "gone")],
        [Owner::This, Owner::Other, Owner::Missing, Owner::This]
    );
}

#[test]
fn files_of_earlier_releases_are_read() {
    let json = serde_json::to_string(&regression(0.5)).expect("JSON");
    assert!(!json.contains("relation_file"), "{json}");
    assert_eq!(parse(json.as_bytes()).expect("read"), regression(0.5));
    let elsewhere = Regression { relation_file: Some("../more.mr".into()), ..regression(0.5) };
    let json = serde_json::to_string(&elsewhere).expect("JSON");
    assert_eq!(parse(json.as_bytes()).expect("read"), elsewhere);
}

#[test]
fn what_cannot_be_read_is_kept() {
    let home = TempDir::new().expect("a folder");
    let [short, long, own] = regression(0.5).file_names().map(|name| home.path().join(name));
    fs::write(&short, "of a later version, or edited").expect("written");
    assert_eq!(save(home.path(), &regression(0.5)).expect("saved"), long);
    fs::write(&long, "damaged").expect("written");
    fs::write(&own, "damaged").expect("written");
    let before = files(home.path());
    let error = save(home.path(), &regression(0.5)).expect_err("all names are taken");
    assert!(error.path == own && error.to_string().contains("exists"), "{error}");
    assert_eq!(files(home.path()), before);
}

#[test]
fn a_writer_that_fails_midway_leaves_the_old_file_alone() {
    let home = TempDir::new().expect("a folder");
    let path = save(home.path(), &regression(0.5)).expect("saved");
    let before = files(home.path());
    let error = save_with(home.path(), &regression(0.5), |file, json| {
        file.write_all(&json[..json.len() / 2])?;
        Err(io::ErrorKind::StorageFull.into())
    })
    .expect_err("the writer fails");
    let expected = format!(
        "cannot keep the regression in {}: no storage space; free some space and run again",
        path.display()
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(files(home.path()), before);
}

#[test]
fn a_writer_that_fails_midway_leaves_no_new_file_and_no_new_folder() {
    let home = TempDir::new().expect("a folder");
    let folder = home.path().join(FOLDER);
    let fails = |file: &mut dyn io::Write, json: &[u8]| {
        file.write_all(&json[..9])?;
        Err(io::ErrorKind::BrokenPipe.into())
    };
    save_with(&folder, &regression(0.5), fails).expect_err("the writer fails");
    assert!(!folder.exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let home = TempDir::new().expect("a folder");
    let file = home.path().join("file");
    fs::write(&file, "").expect("written");
    let error = save(&file.join(FOLDER), &regression(0.5)).expect_err("a file is no folder");
    assert!(error.to_string().starts_with("cannot keep the regression in "), "{error}");
    assert_eq!(error.path, file.join(FOLDER));
    assert_eq!(files(home.path()).len(), 1);
}

/// A file system of its own, unmounted at the end. `None`, with a printed message, if mounting is not permitted.
#[cfg(target_os = "linux")]
struct Mounted(TempDir);

#[cfg(target_os = "linux")]
impl Mounted {
    fn new(test: &str, options: &str) -> Option<Mounted> {
        let folder = TempDir::new().expect("a folder");
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path());
        match mount.output() {
            Ok(output) if output.status.success() => Some(Mounted(folder)),
            _ => {
                let why = "mounting a file system is not permitted";
                assert!(std::env::var_os("DODONA_NO_SKIPS").is_none(), "{test} cannot be run: {why}");
                eprintln!("skipped: {test}: {why}; the failing writers cover this case");
                None
            }
        }
    }

    fn remount(&self, options: &str) {
        let mut mount = std::process::Command::new("mount");
        mount.args(["-o", &format!("remount,{options}")]).arg(self.0.path());
        assert!(mount.status().expect("mount runs").success());
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        let unmounted = std::process::Command::new("umount").arg(self.0.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "{} stays mounted", self.0.path().display());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_nothing_half_written() {
    let Some(disk) = Mounted::new("a_full_disk_leaves_nothing_half_written", "size=16k") else { return };
    let kept = save(disk.0.path(), &regression(0.5)).expect("the first fits");
    let before = files(disk.0.path());
    let mut large = regression(0.25);
    large.inputs[1].value = Value::Sequence(Sequence::Int((0..20_000).collect()));
    let error = save(disk.0.path(), &large).expect_err("20000 numbers do not fit 16 KiB");
    assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
    assert!(error.to_string().contains("No space left on device"), "{error}");
    assert_eq!(files(disk.0.path()), before);
    assert_eq!(load(&kept).expect("the first is whole"), regression(0.5));
}

#[test]
#[cfg(target_os = "linux")]
fn a_read_only_folder_is_named_with_what_to_do() {
    let Some(disk) = Mounted::new("a_read_only_folder_is_named_with_what_to_do", "size=64k") else { return };
    disk.remount("ro");
    let error = save(disk.0.path(), &regression(0.5)).expect_err("read-only");
    assert_eq!(error.source.kind(), io::ErrorKind::ReadOnlyFilesystem);
    assert!(error.to_string().contains("make the folder writable"), "{error}");
    assert!(files(disk.0.path()).is_empty());
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let home = TempDir::new().expect("a folder");
    let path = home.path().join("odd-1f3a9c.json");
    fs::write(&path, text).expect("written");
    let error = load(&path).expect_err("not a regression");
    assert_eq!(error.to_string(), format!("{}: {message}", path.display()));
}

#[test]
fn a_file_that_is_no_regression_is_refused_with_what_to_do() {
    refused(
        "{",
        "not a counterexample that `dodona check` kept: EOF while parsing an object at line 1 column 1; mend the file or move it away",
    );
    refused(
        "{}",
        "not a counterexample that `dodona check` kept: missing field `format_version`; mend the file or move it away",
    );
    refused(
        r#"{ "format_version": 99, "what": "ever" }"#,
        "regression of format 99, this dodona reads format 1; use the dodona that wrote it, or delete the file",
    );
    refused(
        "{ \"format_version\": 1,\n \"subject\": \"../dodona.toml\" }",
        "not a counterexample that `dodona check` kept: missing field `relation` at line 2 column 30; mend the file or move it away",
    );
    let wrong = serde_json::to_string(&regression(0.5)).expect("JSON").replace("[1,-2]", "[1,true]");
    let error = parse(wrong.as_bytes()).expect_err("a Boolean is no i32").to_string();
    assert!(error.contains("value of `xs`: element 1: true is not an i32"), "{error}");
}

#[test]
fn a_damaged_file_does_not_hide_the_others() {
    let home = TempDir::new().expect("a folder");
    save(home.path(), &regression(0.5)).expect("saved");
    fs::write(home.path().join("broken.json"), "{").expect("written");
    fs::write(home.path().join(".dodona-killed.json"), "{").expect("written");
    fs::write(home.path().join("README.md"), "notes").expect("written");
    let all = load_all(home.path()).expect("listed");
    let names: Vec<bool> = all.iter().map(|(_, regression)| regression.is_ok()).collect();
    assert_eq!(names, [false, true]);
    assert!(load_all(&home.path().join("missing")).expect("no folder, none kept").is_empty());
}

#[test]
fn regressions_are_the_same_by_relation_group_and_input_alone() {
    let base = regression(0.5);
    let other = |change: fn(&mut Regression)| {
        let mut changed = regression(0.5);
        change(&mut changed);
        changed.identity() != base.identity()
    };
    assert!(other(|r| r.relation = "even".into()));
    assert!(other(|r| r.group.index = 1));
    assert!(other(|r| r.inputs[0].value = Value::Float(0.5000000000000001)));
    assert!(other(|r| r.inputs[0].ty = Type::Scalar(Scalar::F32)));
    assert!(!other(|r| r.seed = Seed(99)));
    assert!(!other(|r| r.observed = "else".into()));
}
