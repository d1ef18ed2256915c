//! Checks and mutation analyses in shards: however many there are, and in whatever order they come, the record is that of one process.

#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use common::{both, dodona, exits, run, text, unbroken, wait_until_it_works};

/// A subject whose relations hold, are violated, are skipped in traps, and are never eligible.
const MODULE: &str = r#"(module
  (func (export "f") (param i32 i32) (result i32)
    local.get 0 local.get 1 i32.const 2 i32.mul i32.add)
  (func (export "g") (param i32) (result i32)
    i32.const 60 local.get 0 i32.div_s)
  (func (export "h") (param f64) (result f64)
    local.get 0 local.get 0 f64.mul f64.sqrt))
"#;

const MANIFEST: &str = "name = \"m\"\nmodule = \"m.wat\"\nrelations = [\"m.mr\"]\n\n\
    [[function]]\nsignature = \"f(a: i32, b: i32) -> i32\"\n\n\
    [[function]]\nsignature = \"g(x: i32) -> i32\"\nsample.x = { range = [-5, 5] }\n\n\
    [[function]]\nsignature = \"h(x: f64) -> f64\"\n";

const HOLD: &str = "relation shifted: when a < 1000 and f(a, b) < 1000: f(a + 1, b) == f(a, b) + 1\n\
    relation even: h(-x) == h(x)\n\
    relation negated: g(-x) == -g(x)\n";

const OTHERS: &str = "relation swapped: f(a, b) == f(b, a)\n\
    relation never: when x > 1000: g(x) == g(x)\n\
    relation scaled: h(2.0 * x) ~= 2.0 * h(x)\n";

/// A new folder with the subject. What one check writes there, another one does not see.
fn subject(relations: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("m");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("m.wat"), MODULE).expect("written");
    std::fs::write(folder.join("dodona.toml"), MANIFEST).expect("written");
    std::fs::write(folder.join("m.mr"), relations).expect("written");
    std::fs::write(home.path().join("x.csv"), "x\n0\n1\n60\n").expect("written");
    home
}

/// What one process prints, and its exit code.
fn undivided(relations: &str, words: &[&str]) -> (String, Option<i32>) {
    let home = subject(relations);
    let output = run(home.path(), &[words, &["--format", "json"]].concat());
    (text(&output.stdout), output.status.code())
}

fn shards(folder: &Path, words: &[&str], of: u32, numbers: impl IntoIterator<Item = u32>) {
    for number in numbers {
        exits(folder, &[words, &["--shard", &format!("{number}/{of}")]].concat(), 0);
    }
}

/// What is merged of so many shards, which are made and given from the last to the first.
fn merged(relations: &str, words: &[&str], of: u32) -> (String, Option<i32>) {
    let home = subject(relations);
    shards(home.path(), words, of, (1..=of).rev());
    let entries = std::fs::read_dir(home.path().join("shards")).expect("the folder of shards");
    let mut files: Vec<String> =
        entries.flatten().map(|entry| format!("shards/{}", entry.file_name().display())).collect();
    assert_eq!(files.len(), of as usize);
    files.sort();
    files.reverse();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let output = run(home.path(), &[&["merge"], &files[..], &["--format", "json"]].concat());
    (text(&output.stdout), output.status.code())
}

#[test]
fn a_check_in_shards_has_the_record_of_one_process() {
    let relations = [HOLD, OTHERS].concat();
    for words in [
        &["check", "m"][..],
        &["check", "m", "--sources", "7"],
        &["check", "m", "--sources", "5000", "--from", "x.csv", "--seed", "9", "--min-eligible", "0.5"],
        &["check", "m", "--relation", "even", "--relation", "never", "--keep", "nothing"],
        &["check", "m", "--sources-by", "adaptive,random", "--sources", "300"],
    ] {
        let wanted = undivided(&relations, words);
        assert!([Some(1), Some(2)].contains(&wanted.1), "{words:?}: {}", wanted.0);
        for of in [1, 2, 3, 16] {
            assert_eq!(merged(&relations, words, of), wanted, "{words:?}, {of} shards");
        }
    }
}

#[test]
fn kept_counterexamples_are_run_in_shards_and_the_merge_keeps_new_ones() {
    let relations = [HOLD, OTHERS].concat();
    let (whole, parts) = (subject(&relations), subject(&relations));
    for home in [&whole, &parts] {
        exits(home.path(), &["check", "m"], 1);
    }
    let kept = |home: &tempfile::TempDir| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(home.path().join("m/dodona-regressions")).expect("kept");
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.file_name().into()).collect();
        files.sort();
        files
    };
    let seed = ["check", "m", "--seed", "3"];
    let output = run(whole.path(), &[&seed[..], &["--format", "json"]].concat());
    let before = kept(&parts);
    shards(parts.path(), &seed, 3, 1..=3);
    assert_eq!(kept(&parts), before, "a shard keeps nothing");
    let merged = run(parts.path(), &["merge", "shards", "--format", "json"]);
    assert_eq!((text(&merged.stdout), merged.status.code()), (text(&output.stdout), output.status.code()));
    assert_eq!(kept(&parts), kept(&whole));
    // Once more it would begin with other counterexamples than the shards did.
    let told = unbroken(&exits(parts.path(), &["merge", "shards"], 2));
    assert!(told.contains("counterexamples of m were kept since they ran"), "{told}");
}

#[test]
fn an_analysis_in_shards_has_the_record_and_the_matrix_of_one_process() {
    for words in [
        &["mutate", "m"][..],
        &["mutate", "m", "--function", "f", "--stop-at-kill", "--fail-under", "0.99"],
        &["mutate", "m", "--against", "inputs", "--inputs", "50", "--from", "x.csv"],
    ] {
        let wanted = undivided(HOLD, words);
        assert!(wanted.0.contains("\"mutants\""), "{words:?}: {}", wanted.0);
        for of in [1, 2, 3, 16] {
            assert_eq!(merged(HOLD, words, of), wanted, "{words:?}, {of} shards");
        }
    }
    let matrix = ["mutate", "m", "--matrix", "kills.csv", "--elements", "elements.json"];
    let (whole, parts) = (subject(HOLD), subject(HOLD));
    exits(whole.path(), &matrix, 0);
    shards(parts.path(), &matrix, 3, 1..=3);
    assert!(!parts.path().join("kills.csv").exists(), "a shard writes its own file alone");
    exits(parts.path(), &["merge", "shards"], 0);
    for file in ["kills.csv", "elements.json"] {
        let read = |home: &tempfile::TempDir| std::fs::read(home.path().join(file)).expect("written");
        assert_eq!(read(&parts), read(&whole), "{file}");
    }
}

/// A search for each function that counts end, and no clock.
const SEARCH: [&str; 18] = [
    "discover",
    "m",
    "--search",
    "enumerate",
    "--enumerate-size",
    "3",
    "--forms",
    "patterns",
    "--sources-by",
    "random",
    "--inputs",
    "20",
    "--mutants",
    "10",
    "--fresh",
    "100",
    "--time",
    "900",
];

/// Without how long each search took.
fn without_seconds((printed, code): (String, Option<i32>)) -> (String, Option<i32>) {
    let is_time = |line: &&str| line.trim_start().starts_with("\"seconds\":");
    (printed.lines().filter(|line| !is_time(line)).collect::<Vec<_>>().join("\n"), code)
}

#[test]
fn a_discovery_of_several_functions_in_shards_has_the_record_and_the_file_of_one_process() {
    for (names, shards_of) in [(&["--each"][..], &[2, 5][..]), (&["f", "h", "f"], &[3])] {
        let words = [&SEARCH, names].concat();
        let whole = subject(HOLD);
        let output = run(whole.path(), &[&words[..], &["--format", "json"]].concat());
        let wanted = without_seconds((text(&output.stdout), output.status.code()));
        let is_counted = |printed: &str| !printed.contains("\"time_decided\": true");
        assert!(wanted.0.contains("\"time_decided\"") && is_counted(&wanted.0), "{}", wanted.0);
        assert_eq!(wanted.0.matches("\"function\": ").count(), if names.len() == 1 { 3 } else { 2 });
        for &of in shards_of {
            assert_eq!(without_seconds(merged(HOLD, &words, of)), wanted, "{names:?}, {of} shards");
        }
    }
    let home = subject(HOLD);
    for (words, why) in [
        (&["discover", "m", "--shard", "1/2"][..], "shards have a search for each of several functions"),
        (&["discover", "m", "--laws", "--shard", "1/2"], "cannot be used with"),
        (&["discover", "m", "--each", "--laws"], "cannot be used with"),
        (&["discover", "m", "f", "nothing"], "nothing"),
    ] {
        let told = unbroken(&exits(home.path(), words, 2));
        assert!(told.contains(why), "{words:?}: {told}");
    }
    // Relations of several functions stand in one file, with names of their own, which the merge writes and no shard.
    let words = [&SEARCH[..], &["g", "h"]].concat();
    shards(home.path(), &words, 2, 1..=2);
    assert!(!home.path().join("m/discovered.mr").exists());
    exits(home.path(), &["merge", "shards"], 0);
    // Who reads the file is told the command that searched.
    let file = std::fs::read_to_string(home.path().join("m/discovered.mr")).expect("relations");
    assert!(file.contains("dodona discover --") && file.contains(" m g h\n"), "{file}");
    assert!(!file.contains("dodona merge"), "{file}");
    let told = exits(home.path(), &["check", "m", "--relations", "m/discovered.mr"], 0);
    assert!(told.contains("g_") && told.contains("h_"), "{told}");
}

#[test]
fn what_is_missing_or_of_other_work_is_refused_by_name() {
    let home = subject(HOLD);
    let folder = home.path();
    let refused = |words: &[&str]| unbroken(&exits(folder, &[&["merge"], words].concat(), 2));
    let check = ["check", "--sources", "3000", "m", "--from", "x.csv", "--all", "--jobs", "1"];
    shards(folder, &check, 2, [1]);
    assert!(refused(&["shards"]).contains("shard 2/2 is missing"));
    let missing = exits(folder, &["merge", "--missing", "shards"], 0);
    assert_eq!(missing, "dodona check --sources 3000 --from x.csv --all m --shard 2/2\n");
    let words: Vec<&str> = missing.split_whitespace().skip(1).collect();
    exits(folder, &words, 0);
    // The order of options and the threads are no other command.
    let told =
        exits(folder, &["check", "m", "--all", "--from", "x.csv", "--sources", "3000", "--shard", "1/2"], 0);
    assert_eq!(told, "shard 1/2 is done: shards/1-of-2.shard\n");
    let told = exits(folder, &["merge", "shards"], 0);
    assert!(told.contains("merged 2 shards: ") && told.contains("shifted"), "{told}");
    // Of other verbs and of other options.
    exits(folder, &["mutate", "m", "--shard", "2/2", "--to", "mutants"], 0);
    exits(folder, &["check", "m", "--shard", "2/2", "--to", "fewer"], 0);
    let told = refused(&["shards", "mutants", "fewer"]);
    for wanted in [
        "mutants/2-of-2.shard is of another run: it is of `mutate m` and not of `check --sources 3000 --from x.csv --all m`",
        "fewer/2-of-2.shard is of another run: it is of `check m` and not of",
    ] {
        assert!(told.contains(wanted), "{told}");
    }
    for option in [&["--name", "x"][..], &["--baseline"], &["--against", "HEAD"], &["--format", "sarif"]] {
        let told = refused(&[&["shards"], option].concat());
        assert!(told.contains(option[0]) || told.contains("no format sarif"), "{told}");
    }
    // Other source inputs, another relation, other code.
    for (file, text) in [("x.csv", "x\n5\n"), ("m/m.mr", "relation even: h(-x) == h(x)\n")] {
        let before = std::fs::read(folder.join(file)).expect("read");
        std::fs::write(folder.join(file), text).expect("written");
        let told = refused(&["shards"]);
        assert!(told.contains("the shards are of another run: the code, the relations"), "{told}");
        std::fs::write(folder.join(file), before).expect("written");
    }
    exits(folder, &["merge", "shards"], 0);
    for words in [
        &["check", "m", "--shard", "17/16"][..],
        &["check", "m", "--shard", "0/0"],
        &["check", "m", "--shard", "1/2", "--runs", "100"],
        &["check", "m", "--shard", "1/2", "--format", "json"],
        &["mutate", "m", "--shard", "0/3"],
        &["mutate", "m", "--shard", "1/3", "--hierarchy"],
        &["mutate", "m", "--shard", "1/3", "--list"],
    ] {
        exits(folder, words, 2);
    }
}

#[test]
fn a_shard_of_a_check_that_was_killed_goes_on() {
    let home = subject(HOLD);
    let folder = home.path();
    let words = ["check", "m", "--sources", "400000", "--jobs", "1"];
    let shard = [&words[..], &["--shard", "1/1"]].concat();
    for wait in [700, 1100] {
        let mut running = dodona();
        let running = running.args(&shard).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = running.spawn().expect("runs");
        std::thread::sleep(Duration::from_millis(wait));
        running.kill().expect("killed");
        running.wait().expect("it ends");
    }
    exits(folder, &shard, 0);
    let left = std::fs::read_dir(folder.join(".dodona")).expect("the folder of sessions").flatten();
    assert_eq!(left.filter(|entry| entry.path().is_dir()).count(), 0, "what it held is in its file");
    let wanted = undivided(HOLD, &words);
    let output = run(folder, &["merge", "shards", "--format", "json"]);
    assert_eq!((text(&output.stdout), output.status.code()), wanted);
}

#[test]
fn a_subject_that_fails_is_told_and_the_others_are_merged() {
    let (whole, parts) = (subject(HOLD), subject(HOLD));
    for home in [&whole, &parts] {
        std::fs::create_dir(home.path().join("none")).expect("a folder");
        std::fs::write(home.path().join("none/dodona.toml"), "module = \"none.wasm\"\n").expect("written");
    }
    for verb in ["check", "mutate"] {
        let words = [verb, "m", "none"];
        let output = run(whole.path(), &[&words[..], &["--format", "json"]].concat());
        for shard in ["1/2", "2/2"] {
            let words = [&words[..], &["--shard", shard, "--to", verb]].concat();
            let told = exits(parts.path(), &words, output.status.code().unwrap_or(-1));
            assert!(told.contains("none.wasm") && told.contains(&format!("shard {shard}: ")), "{told}");
        }
        let merged = run(parts.path(), &["merge", verb, "--format", "json"]);
        let both_of = |output: &std::process::Output| (text(&output.stdout), output.status.code());
        assert_eq!(both_of(&merged), both_of(&output), "{}", both(&merged));
    }
}

#[test]
fn what_fails_in_a_shard_is_done_once_more_by_the_merge_and_fails_there_too() {
    let relations = [HOLD, OTHERS].concat();
    for words in [
        &["mutate", "m", "n"][..],
        &["check", "m", "n", "--relation", "even"],
        &["mutate", "m", "n", "--relation", "even", "--function", "h"],
    ] {
        let (whole, parts) = (subject(&relations), subject(&relations));
        for home in [&whole, &parts] {
            std::fs::create_dir(home.path().join("n")).expect("a folder");
            for (file, text) in
                [("m.wat", MODULE), ("dodona.toml", MANIFEST), ("m.mr", "relation one: g(x) == g(x)\n")]
            {
                std::fs::write(home.path().join("n").join(file), text).expect("written");
            }
        }
        let output = run(whole.path(), &[words, &["--format", "json"]].concat());
        assert!(![Some(0), Some(5)].contains(&output.status.code()), "{words:?}: {}", both(&output));
        for shard in ["1/2", "2/2"] {
            let code = output.status.code().unwrap_or(-1);
            let told = exits(parts.path(), &[words, &["--shard", shard]].concat(), code);
            assert!(told.contains(&format!("shard {shard}: ")), "{words:?}: {told}");
        }
        let merged = run(parts.path(), &["merge", "shards", "--format", "json"]);
        assert_eq!(text(&merged.stdout), text(&output.stdout), "{words:?}: {}", both(&merged));
        assert_eq!(merged.status.code(), output.status.code(), "{words:?}: {}", both(&merged));
    }
}

#[test]
fn what_an_unfinished_shard_did_is_of_its_own_command_alone() {
    let home = subject(&[HOLD, OTHERS].concat());
    let folder = home.path();
    // However far it comes until it is killed.
    let mut running = dodona();
    running.args(["check", "m", "--relation", "even", "--sources", "50000000", "--shard", "1/1"]);
    let running = running.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = running.spawn().expect("runs");
    wait_until_it_works(running.id());
    running.kill().expect("killed");
    running.wait().expect("it ends");
    exits(folder, &["check", "m", "--relation", "swapped", "--shard", "1/1"], 0);
    let told = exits(folder, &["merge", "shards"], 1);
    assert!(told.contains("VIOLATED  swapped"), "{told}");
    // Another command in the same file is refused; one without source inputs tests nothing in shards either.
    let told = unbroken(&exits(folder, &["check", "m", "--sources", "0", "--shard", "1/1"], 2));
    assert!(
        told.contains(
            "is kept: it is of `check --relation swapped m` and not of `check --sources 0 m`; write"
        ),
        "{told}"
    );
    std::fs::remove_dir_all(folder.join("m/dodona-regressions")).expect("removed");
    exits(folder, &["check", "m", "--sources", "0", "--shard", "1/1", "--to", "none"], 0);
    let merged = run(folder, &["merge", "none", "--format", "json"]);
    let whole = subject(&[HOLD, OTHERS].concat());
    let output = run(whole.path(), &["check", "m", "--sources", "0", "--format", "json"]);
    assert_eq!((text(&merged.stdout), merged.status.code()), (text(&output.stdout), output.status.code()));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn paths_that_begin_with_a_dash_and_folders_that_are_the_current_one_can_be_pasted() {
    let home = subject(HOLD);
    let folder = home.path();
    std::fs::rename(folder.join("m"), folder.join("-m")).expect("renamed");
    for (verb, file) in [("check", "c"), ("run", "r")] {
        let more: &[&str] = if verb == "run" { &["--inputs", "20", "--mutants", "5"] } else { &[] };
        exits(folder, &[&[verb, "--shard", "1/2", "--to", file][..], more, &["--", "-m"]].concat(), 0);
        let missing = exits(folder, &["merge", "--missing", file], 0);
        assert!(missing.contains(&format!(" --shard 2/2 --to {file} -- -m\n")), "{missing}");
        let words: Vec<&str> = missing.split_whitespace().skip(1).collect();
        exits(folder, &words, 0);
        exits(folder, &["merge", file], 0);
    }
    exits(folder, &["check", "--shard", "1/2", "--to", ".", "--", "-m"], 0);
    let missing = exits(folder, &["merge", "--missing", "1-of-2.shard"], 0);
    assert_eq!(missing, "dodona check --shard 2/2 --to . -- -m\n");
    // The folder of shards may be that of sessions.
    exits(folder, &["check", "--shard", "1/1", "--to", ".dodona", "--", "-m"], 0);
    exits(folder, &["merge", ".dodona"], 0);
}

#[test]
fn what_the_merge_would_refuse_is_refused_before_the_shard_is_run() {
    let home = subject(HOLD);
    let folder = home.path();
    std::fs::write(folder.join("mine.csv"), "mine").expect("written");
    for words in [
        &["mutate", "m", "m", "--matrix", "k.csv", "--shard", "1/2"][..],
        &["mutate", "m", "--matrix", "mine.csv", "--shard", "1/2"],
        &["mutate", "m", "--elements", "nowhere/x.json", "--shard", "1/2"],
        &["discover", "m", "--each", "--output", "nowhere/x.mr", "--shard", "1/2"],
        &["run", "m", "--shard", "1/2", "--costs", "shards"],
    ] {
        exits(folder, words, 2);
        assert!(!folder.join("shards").exists(), "{words:?}");
    }
}

#[test]
fn a_subject_in_c_may_lie_in_another_folder_on_each_machine() {
    let machine = || {
        let home = tempfile::tempdir().expect("a folder");
        let write =
            |name: &str, text: &str| std::fs::write(home.path().join("s").join(name), text).expect("written");
        std::fs::create_dir(home.path().join("s")).expect("a folder");
        write("f.h", "struct pair { int a, b; };\nint sum(struct pair p);\n");
        write("f.c", "#include \"f.h\"\nint sum(struct pair p) { return p.a + p.b; }\n");
        write(
            "dodona.toml",
            "relations = ['s.mr']\n[build]\nc = ['f.c']\nheaders = ['f.h']\n[[function]]\nsignature = 'sum(a: i32, b: i32) -> i32'\n\
             call = 'struct pair p = { a, b }; out = sum(p);'\n",
        );
        write(
            "s.mr",
            "relation swapped: sum(a, b) == sum(b, a)\nrelation negated: sum(-a, -b) == -sum(a, b)\n",
        );
        home
    };
    let (one, two) = (machine(), machine());
    exits(one.path(), &["check", "s", "--shard", "1/2"], 0);
    exits(two.path(), &["check", "s", "--shard", "2/2"], 0);
    let file = "shards/2-of-2.shard";
    std::fs::copy(two.path().join(file), one.path().join(file)).expect("copied");
    let merged = run(one.path(), &["merge", "shards", "--format", "json"]);
    let whole = run(two.path(), &["check", "s", "--format", "json"]);
    assert_eq!(text(&merged.stdout), text(&whole.stdout), "{}", both(&merged));
}
