//! A run in shards: however many there are and in whatever order they come, the record is that of one run; what does not belong together is refused by name.

#![cfg(unix)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use common::{both, dodona, exits, module_of, run, subject_of, text, unbroken, wait_until_it_works};

/// Two subjects in a folder: each of three functions, of which the last has no relation.
fn subjects() -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    ["a", "b"].iter().for_each(|name| subject_of(&home.path().join(name), 3, 1));
    home
}

/// The record of a run in one place, as JSON. Where that is has no part in it.
fn undivided(folder: &Path) -> String {
    let output = run(folder, &["run", "a", "b", "--session", "whole", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", both(&output));
    text(&output.stdout).replace("\"session\":[\"--session\",\"whole\"]", "")
}

/// Runs shards of so many.
fn shards(folder: &Path, of: u32, numbers: impl IntoIterator<Item = u32>) {
    for number in numbers {
        exits(folder, &["run", "a", "b", "--shard", &format!("{number}/{of}")], 0);
    }
}

fn merged(folder: &Path, files: &[&str]) -> String {
    let words = [&["merge"], files, &["--session", "whole", "--format", "json"]].concat();
    let output = run(folder, &words);
    assert_eq!(output.status.code(), Some(0), "{}", both(&output));
    text(&output.stdout).replace("\"session\":[\"--session\",\"whole\"]", "")
}

/// What is refused, in one line.
#[track_caller]
fn refused(folder: &Path, words: &[&str]) -> String {
    unbroken(&exits(folder, &[&["merge"], words].concat(), 2))
}

#[test]
fn one_two_three_and_sixteen_shards_in_any_order_have_the_record_of_one_run() {
    let home = subjects();
    let wanted = undivided(home.path());
    for of in [1, 2, 3, 16] {
        _ = std::fs::remove_dir_all(home.path().join("whole"));
        // From the last to the first.
        shards(home.path(), of, (1..=of).rev());
        let mut files: Vec<String> = (1..=of)
            .map(|number| match of {
                16 => format!("shards/{number:02}-of-16.shard"),
                _ => format!("shards/{number}-of-{of}.shard"),
            })
            .collect();
        let middle = files.len() / 2;
        files.rotate_left(middle);
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        assert_eq!(merged(home.path(), &files), wanted, "{of} shards");
        // What each of them held is in its file.
        let sessions = std::fs::read_dir(home.path().join(".dodona")).expect("the folder of sessions");
        let left: Vec<PathBuf> =
            sessions.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        assert_eq!(left, Vec::<PathBuf>::new());
    }
    // The merged run is in the session like any other, and what it consists of is kept.
    let status = exits(home.path(), &["status", "--session", "whole", "--format", "json"], 0);
    assert_eq!(status.replace("\"session\":[\"--session\",\"whole\"]", ""), wanted);
    let question = "SELECT count(*) AS n FROM run_piece WHERE reused = 1 AND run = (SELECT max(id) FROM run)";
    exits(home.path(), &["run", "a", "b", "--session", "whole"], 0);
    let kept = exits(home.path(), &["query", question, "--session", "whole", "--format", "csv"], 0);
    assert!(kept.lines().last().and_then(|n| n.parse().ok()).is_some_and(|n: u32| n > 30), "{kept}");
}

#[test]
fn missing_double_and_foreign_shards_are_refused_by_name() {
    let home = subjects();
    let folder = home.path();
    shards(folder, 3, [1, 3]);
    let told = refused(folder, &["shards"]);
    assert!(told.contains("shard 2/3 is missing; `dodona merge --missing shards` prints"), "{told}");
    let missing = exits(folder, &["merge", "--missing", "shards"], 0);
    assert_eq!(missing, "dodona run a b --shard 2/3\n");
    let words: Vec<&str> = missing.trim_end().split(' ').skip(1).collect();
    exits(folder, &words, 0);
    assert_eq!(exits(folder, &["merge", "--missing", "shards"], 0), "none of the 3 shards is missing\n");
    // The same file by two names.
    std::fs::copy(folder.join("shards/2-of-3.shard"), folder.join("copy.shard")).expect("copied");
    let told = refused(folder, &["shards", "copy.shard"]);
    assert!(told.contains("shard 2/3 is there twice: shards/2-of-3.shard and copy.shard"), "{told}");
    // Of another seed, of other options, and of another number of shards.
    exits(folder, &["run", "a", "b", "--shard", "2/3", "--seed", "7", "--to", "seed"], 0);
    exits(folder, &["run", "a", "b", "--shard", "2/3", "--mutants", "20", "--to", "options"], 0);
    exits(folder, &["run", "a", "b", "--shard", "2/2", "--to", "other"], 0);
    let told = refused(folder, &["shards", "seed", "options", "other"]);
    for wanted in [
        "seed/2-of-3.shard is of another run: its seed is 7 and not 0",
        "options/2-of-3.shard is of another run: it is of `run a b --mutants 20` and not of `run a b`",
        "other/2-of-2.shard is of another run: it is one of 2 shards and not of 3",
    ] {
        assert!(told.contains(wanted), "{told}");
    }
    // Of other code: one of them, and then all.
    std::fs::write(folder.join("a/m.wat"), module_of(3, 6)).expect("written");
    exits(folder, &["run", "a", "b", "--shard", "2/3", "--to", "code"], 0);
    let told = refused(folder, &["shards/1-of-3.shard", "shards/3-of-3.shard", "code"]);
    assert!(told.contains("code/2-of-3.shard is of another run: the code, the relations or the counterexamples of a/dodona.toml"), "{told}");
    let told = refused(folder, &["shards"]);
    assert!(
        told.contains("the shards are of another run: the code")
            && told.contains("a/dodona.toml are others here"),
        "{told}"
    );
    // Nothing of all this was kept.
    assert!(!folder.join(".dodona/session.db").exists());
}

#[test]
fn a_shard_of_other_code_is_made_anew_and_one_of_another_command_is_kept() {
    let home = subjects();
    let folder = home.path();
    shards(folder, 3, 1..=3);
    std::fs::write(folder.join("a/m.wat"), module_of(3, 6)).expect("written");
    // None is missing, and still they are of no use here.
    let told = unbroken(&exits(folder, &["merge", "--missing", "shards"], 2));
    assert!(
        told.contains("none of the 3 shards is missing") && told.contains("a/dodona.toml are others here"),
        "{told}"
    );
    // A shard of the same command and other code is made anew; one of another command is kept, for somebody may have waited long for it.
    let told = exits(folder, &["run", "a", "b", "--shard", "2/3"], 0);
    assert!(told.contains("shards/2-of-3.shard is replaced: the code, the relations"), "{told}");
    for (command, why) in [
        (&["run", "a", "b", "--shard", "2/3", "--seed", "7"][..], "its seed is 0 and not 7"),
        (&["check", "a", "b", "--shard", "2/3"], "it is of `run a b` and not of `check a b`"),
    ] {
        let told = unbroken(&exits(folder, command, 2));
        let wanted =
            format!("shards/2-of-3.shard holds a shard of another command, and is kept: {why}; write");
        assert!(told.contains(&wanted) && told.contains("--to FOLDER"), "{told}");
    }
    for words in [&["nosuch"][..], &["--missing", "nosuch"]] {
        let told = refused(folder, words);
        assert!(told.contains("nosuch: No such file") && told.contains("name the files of shards"), "{told}");
    }
}

#[test]
fn what_is_no_shard_or_not_a_whole_one_is_refused_with_what_to_do() {
    let home = subjects();
    let folder = home.path();
    shards(folder, 2, [1, 2]);
    let whole = std::fs::read(folder.join("shards/1-of-2.shard")).expect("read");
    std::fs::write(folder.join("shards/1-of-2.shard"), &whole[..whole.len() / 2]).expect("written");
    std::fs::write(folder.join("notes.txt"), "mine").expect("written");
    let told = refused(folder, &["shards", "notes.txt", "nowhere.shard"]);
    assert!(
        told.contains(
            "shards/1-of-2.shard: it is damaged: it ends early; that shard has to be run again, which replaces it"
        ) && told.contains("shard 1/2 is missing; `dodona merge --missing shards notes.txt nowhere.shard` prints"),
        "{told}"
    );
    assert!(
        told.contains("notes.txt: it is no shard file; leave it out")
            && told.contains("nowhere.shard: No such file"),
        "{told}"
    );
    // A pipe in the folder does not hang the command, and the damaged shard is among those that are to be made.
    let pipe = std::process::Command::new("mkfifo").arg(folder.join("shards/pipe.shard")).status();
    assert!(pipe.expect("runs").success());
    let told = exits(folder, &["merge", "--missing", "shards"], 2);
    assert!(told.starts_with("dodona run a b --shard 1/2\n"), "{told}");
    assert!(
        told.contains("pipe.shard: it is a pipe, not a file") && told.contains("it ends early"),
        "{told}"
    );
    std::fs::remove_file(folder.join("shards/pipe.shard")).expect("removed");
    // Run again, it is made anew, for half of it is none.
    shards(folder, 2, [1]);
    assert_eq!(
        std::fs::read(folder.join("shards/1-of-2.shard")).map(|bytes| bytes.len() > whole.len() / 2).ok(),
        Some(true)
    );
    exits(folder, &["merge", "shards"], 0);
    std::fs::create_dir(folder.join("empty")).expect("a folder");
    assert!(refused(folder, &["empty"]).contains("no file in empty ends in .shard"));
    for (shard, why) in [
        ("17/16", "the shards of 16 are 1/16 to 16/16"),
        ("0/0", "no shards are no part"),
        ("0/4", "1/4 to 4/4"),
        ("a", "3/16"),
    ] {
        let told = unbroken(&exits(folder, &["run", "a", "--shard", shard], 2));
        assert!(told.contains(why), "{shard}: {told}");
    }
    exits(folder, &["run", "a", "--shard", "1/2", "--watch"], 2);
}

#[test]
fn a_shard_that_is_there_is_not_done_again_and_one_that_was_killed_goes_on() {
    let home = subjects();
    let folder = home.path();
    shards(folder, 1, [1]);
    let whole = std::fs::read(folder.join("shards/1-of-1.shard")).expect("read");
    let told = exits(folder, &["run", "a", "b", "--shard", "1/1"], 0);
    assert_eq!(told, "shard 1/1 is done: shards/1-of-1.shard\n");
    std::fs::remove_file(folder.join("shards/1-of-1.shard")).expect("removed");
    for wait in [400, 900, 1700] {
        let mut running = dodona();
        running.args(["run", "a", "b", "--shard", "1/1"]).current_dir(folder);
        let mut running = running.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("runs");
        std::thread::sleep(Duration::from_millis(wait));
        running.kill().expect("killed");
        running.wait().expect("it ends");
        if folder.join("shards/1-of-1.shard").exists() {
            break;
        }
    }
    shards(folder, 1, [1]);
    let again = std::fs::read(folder.join("shards/1-of-1.shard")).expect("read");
    // How long pieces took is in the file too, and never twice the same.
    assert!(again.len().abs_diff(whole.len()) < whole.len() / 10);
    let wanted = undivided(folder);
    _ = std::fs::remove_dir_all(folder.join("whole"));
    assert_eq!(merged(folder, &["shards"]), wanted);
}

#[test]
fn two_merges_at_once_wait_for_each_other_and_say_the_same() {
    let home = subjects();
    let folder = home.path();
    shards(folder, 2, [1, 2]);
    let merge = || run(folder, &["merge", "shards", "--format", "json"]);
    let outputs = std::thread::scope(|scope| {
        let both = [scope.spawn(merge), scope.spawn(merge)];
        both.map(|running| running.join().expect("ends"))
    });
    assert!(outputs.iter().all(|output| output.status.code() == Some(0)), "{}", both(&outputs[0]));
    assert_eq!(outputs[0].stdout, outputs[1].stdout);
}

#[test]
fn a_shard_that_is_interrupted_writes_no_file_and_goes_on_the_next_time() {
    let home = subjects();
    let folder = home.path();
    let mut command = dodona();
    command.args(["run", "a", "b", "--shard", "1/1", "--time", "1h"]).current_dir(folder);
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    wait_until_it_works(running.id());
    let killed = std::process::Command::new("kill").args(["-TERM", &running.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = running.wait_with_output().expect("ends");
    let told = unbroken(&both(&output));
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(
        told.contains("shard 1/1 is not done") && told.contains("the same command goes on there"),
        "{told}"
    );
    assert!(!folder.join("shards/1-of-1.shard").exists());
    // However little time a run has, a shard of it comes to its end.
    exits(folder, &["run", "a", "b", "--shard", "1/1", "--time", "0.3"], 0);
}

#[test]
fn a_violation_is_kept_by_the_merge_alone_and_every_shard_begins_with_what_was_there() {
    let violated = || {
        let home = subjects();
        let file = home.path().join("a/m.mr");
        let relations = std::fs::read_to_string(&file).expect("relations");
        std::fs::write(&file, relations + "relation odd: f0(-x) == -f0(x)\n").expect("written");
        std::fs::create_dir(home.path().join("outside")).expect("a folder");
        let manifest = "name = \"outside\"\nrelations = [\"m.mr\"]\n[target]\ncommand = [\"cat\"]\nstdin = \"{t}\"\n[[function]]\nsignature = \"f(t: text) -> text\"\n";
        std::fs::write(home.path().join("outside/dodona.toml"), manifest).expect("written");
        std::fs::write(home.path().join("outside/m.mr"), "relation empty: f(t) == \"\"\n").expect("written");
        home
    };
    let work = ["run", "a", "b", "outside", "--inputs", "50"];
    let printed = |home: &tempfile::TempDir, words: &[&str]| {
        let output = run(home.path(), &[words, &["--session", "whole", "--format", "json"]].concat());
        let text = text(&output.stdout).replace("\"session\":[\"--session\",\"whole\"]", "");
        (text, output.status.code(), unbroken(&both(&output)))
    };
    let whole = violated();
    let (wanted, code, _) = printed(&whole, &work);
    assert_eq!(code, Some(1), "{wanted}");
    let kept = |home: &tempfile::TempDir, subject: &str| {
        let folder = home.path().join(subject).join("dodona-regressions");
        std::fs::read_dir(folder).map_or(0, |entries| entries.flatten().count())
    };
    for of in [1, 3] {
        let home = violated();
        for number in 1..=of {
            exits(home.path(), &[&work[..], &["--shard", &format!("{number}/{of}")]].concat(), 0);
            assert_eq!((kept(&home, "a"), kept(&home, "outside")), (0, 0), "a shard keeps nothing");
        }
        let (merged, code, told) = printed(&home, &["merge", "shards"]);
        assert_eq!((merged, code), (wanted.clone(), Some(1)), "{of} shards: {told}");
        assert_eq!((kept(&home, "a"), kept(&home, "outside")), (1, 1));
        // Once more it would begin with other counterexamples than the shards did.
        let (_, code, told) = printed(&home, &["merge", "shards"]);
        assert_eq!(code, Some(2), "{told}");
        assert!(
            told.contains(
                "counterexamples of a/dodona.toml were kept since they ran, in dodona-regressions: odd-"
            ),
            "{told}"
        );
        for subject in ["a", "outside"] {
            std::fs::remove_dir_all(home.path().join(subject).join("dodona-regressions")).expect("removed");
        }
        assert_eq!(printed(&home, &["merge", "shards"]).1, Some(1));
    }
}

#[test]
fn a_subject_that_does_not_build_and_one_that_is_no_module_are_merged_too() {
    let home = subjects();
    let folder = home.path();
    std::fs::create_dir(folder.join("none")).expect("a folder");
    std::fs::write(folder.join("none/dodona.toml"), "module = \"none.wasm\"\n").expect("written");
    std::fs::create_dir(folder.join("outside")).expect("a folder");
    let manifest = "name = \"outside\"\nrelations = [\"m.mr\"]\n[target]\ncommand = [\"cat\"]\nstdin = \"{t}\"\n[[function]]\nsignature = \"f(t: text) -> text\"\n";
    std::fs::write(folder.join("outside/dodona.toml"), manifest).expect("written");
    std::fs::write(folder.join("outside/m.mr"), "relation same: f(t) == f(t)\n").expect("written");
    let words = ["run", "a", "none", "outside", "--inputs", "50"];
    let output = run(folder, &[&words[..], &["--session", "whole", "--format", "json"]].concat());
    let (wanted, code) = (text(&output.stdout), output.status.code());
    // As `check --shard`, a shard is written, and its exit code is that of the subject that failed.
    let failed = run(folder, &["run", "none", "--session", "failed"]).status.code();
    assert!([Some(2), Some(4)].contains(&failed));
    for shard in ["1/2", "2/2"] {
        let told = exits(folder, &[&words[..], &["--shard", shard]].concat(), failed.unwrap_or(-1));
        assert!(told.contains("none.wasm") && told.contains(&format!("shard {shard}: ")), "{told}");
    }
    let told = exits(folder, &["run", "a", "nosuch", "--shard", "1/1", "--to", "gone", "--inputs", "50"], 2);
    assert!(told.contains("nosuch") && folder.join("gone/1-of-1.shard").exists(), "{told}");
    let output = run(folder, &["merge", "shards", "--session", "whole", "--format", "json"]);
    assert_eq!((text(&output.stdout), output.status.code()), (wanted, code), "{}", both(&output));
}

#[test]
fn what_an_earlier_run_took_divides_the_next_one_and_the_record_is_the_same() {
    let home = subjects();
    let folder = home.path();
    let wanted = undivided(folder);
    _ = std::fs::remove_dir_all(folder.join("whole"));
    shards(folder, 1, [1]);
    for shard in ["1/2", "2/2"] {
        exits(folder, &["run", "a", "b", "--shard", shard, "--costs", "shards", "--to", "again"], 0);
    }
    assert_eq!(merged(folder, &["again"]), wanted);
    std::fs::remove_file(folder.join("again/2-of-2.shard")).expect("removed");
    let missing = exits(folder, &["merge", "--missing", "again"], 0);
    assert_eq!(missing, "dodona run a b --shard 2/2 --to again --costs shards\n");
    for (costs, why) in [("nowhere", "cannot read nowhere"), ("a", "no file in a ends in .shard")] {
        let told = unbroken(&exits(folder, &["run", "a", "b", "--shard", "1/2", "--costs", costs], 2));
        assert!(told.contains(why), "{told}");
    }
}

const SUBMIT: [&str; 7] = ["submit", "a", "b", "--engine", "slurm", "--shards", "3"];

/// What is printed where only these programs are: each a script of a shell.
fn submit_with(folder: &Path, programs: &[(&str, &str)], words: &[&str]) -> (Option<i32>, String) {
    let bin = folder.join("bin");
    std::fs::create_dir_all(&bin).expect("a folder");
    for (name, script) in programs {
        std::fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).expect("written");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(bin.join(name), mode).expect("a program");
    }
    std::os::unix::fs::symlink("/bin/sh", bin.join("sh")).ok();
    let output = dodona().args(words).current_dir(folder).env("PATH", &bin).output().expect("runs");
    (output.status.code(), unbroken(&both(&output)))
}

#[test]
fn a_job_script_that_a_person_edited_is_kept_and_others_are_written_anew() {
    let home = subjects();
    let folder = home.path();
    let told = exits(folder, &SUBMIT, 0);
    assert!(
        told.contains("3 shards: about") && told.contains("to submit: sh dodona-jobs/submit.sh 1-3"),
        "{told}"
    );
    let script = folder.join("dodona-jobs/shard.sbatch");
    let text = std::fs::read_to_string(&script).expect("a script");
    assert!(
        text.starts_with("#!/bin/bash\n# Written by dodona submit") && text.contains("#SBATCH --requeue"),
        "{text}"
    );
    assert!(text.contains(" run a b --shard \"$SLURM_ARRAY_TASK_ID/3\" --jobs 1 --to shards\n"), "{text}");
    // Other options are other scripts, and nobody loses anything.
    exits(folder, &[&SUBMIT[..], &["--seed", "7"]].concat(), 0);
    let other = std::fs::read_to_string(&script).expect("a script");
    assert!(other.contains(" --seed 7 ") && other != text);
    std::fs::write(&script, other.replace("--seed 7", "--seed 8")).expect("written");
    let told = unbroken(&exits(folder, &SUBMIT, 2));
    assert!(told.contains("dodona-jobs/shard.sbatch was edited since it was written, and is kept"), "{told}");
    let submits = "missing are the shards 1-3; what is there is submitted by: sh dodona-jobs/submit.sh 1-3";
    assert!(told.contains(submits), "{told}");
    assert!(std::fs::read_to_string(&script).is_ok_and(|text| text.contains("--seed 8")));
    exits(folder, &[&SUBMIT[..], &["--overwrite"]].concat(), 0);
    assert_eq!(std::fs::read_to_string(&script).expect("a script"), text);
}

#[test]
fn without_the_engine_it_is_said_what_to_install_and_the_jobs_are_there() {
    let home = subjects();
    let folder = home.path();
    for (engine, wanted) in [
        (
            "slurm",
            "sbatch is not here, so that nothing was submitted: the clients of Slurm are in Debian's package slurm-client",
        ),
        ("kubernetes", "kubectl is not here"),
        ("hyperqueue", "python3 is not here"),
        ("github", "gh is not here"),
    ] {
        let words = ["submit", "a", "b", "--engine", engine, "--shards", "2", "--install", "true", "--now"];
        let (code, told) = submit_with(folder, &[], &words);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(wanted) && told.contains("or run there:"), "{told}");
    }
    for file in [
        "dodona-jobs/submit.sh",
        "dodona-jobs/volume.yaml",
        "dodona-jobs/jobs.yaml",
        "dodona-jobs/dodona_job.py",
        ".github/workflows/dodona-jobs.yml",
    ] {
        assert!(folder.join(file).exists(), "{file}");
    }
    // Whoever submits by hand is told what is there too.
    shards(folder, 2, [2]);
    let (code, told) = submit_with(folder, &[], &["submit", "--status"]);
    assert_eq!(code, Some(3), "{told}");
    for wanted in ["1 of 2 shards are there missing: 1 ", "are artefacts of its run", "asked by: gh run list"]
    {
        assert!(told.contains(wanted), "{told}");
    }
    let told = unbroken(&exits(folder, &["submit", "--status", "--folder", "none"], 2));
    assert!(told.contains("no jobs were written here: there is no none/run.json"), "{told}");
    assert!(unbroken(&exits(folder, &["submit", "a"], 2)).contains("--engine"));
}

#[test]
fn the_status_tells_what_is_there_and_only_what_is_missing_is_submitted_again() {
    let home = subjects();
    let folder = home.path();
    // An engine that takes everything and does nothing.
    let squeue = "case \"$*\" in *%F*) while read -r line; do echo \"$line\"; done < queue;; *) echo RUNNING \"$@\";; esac";
    let engine = [("sbatch", "echo \"$@\" >> asked; echo 17"), ("squeue", squeue)];
    let now = [&SUBMIT[..], &["--now"]].concat();
    let (code, told) = submit_with(folder, &engine, &now);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("submitted array 17 and merge 17"), "{told}");
    let (code, told) = submit_with(folder, &engine, &["submit", "--status"]);
    assert_eq!(code, Some(3), "{told}");
    assert!(
        told.starts_with("0 of 3 shards are there missing: 1-3 RUNNING") && told.contains("--name=dodona-"),
        "{told}"
    );
    // What is queued is not submitted again, and the merge of what is waits for it.
    let queue = |lines: &str| std::fs::write(folder.join("queue"), lines).expect("written");
    queue("17 1\n17 2\n17 3\n18 N/A\n");
    let (code, told) = submit_with(folder, &engine, &now);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.ends_with("queued or running, and not submitted again: 1-3"), "{told}");
    queue("17 2\n17 3\n18 N/A\n");
    let (_, told) = submit_with(folder, &engine, &now);
    assert!(told.contains("not submitted again: 2-3 submitted array 17"), "{told}");
    let asked = std::fs::read_to_string(folder.join("asked")).expect("what was asked");
    assert!(asked.contains("--array=1 ") && asked.contains("--dependency=afterany:17:17:18 "), "{asked}");
    queue("");
    shards(folder, 3, [1, 3]);
    let (_, told) = submit_with(folder, &engine, &["submit", "--status"]);
    assert!(told.starts_with("2 of 3 shards are there missing: 2 "), "{told}");
    submit_with(folder, &engine, &now);
    let asked = std::fs::read_to_string(folder.join("asked")).expect("what was asked");
    let arrays: Vec<&str> = asked.lines().filter(|line| line.contains("--array")).collect();
    assert!(arrays[0].contains("--array=1-3 ") && arrays[2].contains("--array=2 "), "{asked}");
    shards(folder, 3, [2]);
    let (code, told) = submit_with(folder, &engine, &["submit", "--status"]);
    assert_eq!(
        (code, told.as_str()),
        (Some(0), "3 of 3 shards are there dodona merge shards puts them together")
    );
    let (code, told) = submit_with(folder, &engine, &now);
    assert!(code == Some(0) && told.contains("all shards are there: dodona merge shards"), "{told}");
    // An engine that refuses.
    std::fs::remove_file(folder.join("shards/1-of-3.shard")).expect("removed");
    let (code, told) =
        submit_with(folder, &[("sbatch", "[ \"$1\" = --version ] || { echo no >&2; exit 1; }")], &now);
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("no ") && told.contains("failed; the jobs are in dodona-jobs"), "{told}");
}

#[test]
fn the_jobs_merge_the_shards_of_their_own_command_alone() {
    let home = subjects();
    let folder = home.path();
    exits(folder, &SUBMIT, 0);
    let text = std::fs::read_to_string(folder.join("dodona-jobs/merge.sbatch")).expect("a script");
    let merge = text.lines().last().unwrap_or_default().to_owned();
    let name = merge.split(' ').nth(3).unwrap_or_default();
    assert!(merge.ends_with(&format!(" merge --of {name} shards")) && name.len() == 12, "{merge}");
    assert!(text.contains(&format!("--job-name=dodona-merge-{name}\n")), "{text}");
    // All shards of another seed lie there, and none of those that were submitted.
    for shard in ["1/3", "2/3", "3/3"] {
        exits(folder, &["run", "a", "b", "--seed", "7", "--shard", shard, "--to", "old"], 0);
    }
    let told = refused(folder, &["--of", name, "old"]);
    assert!(
        told.contains("old/1-of-3.shard is of another run: it is one of 3 shards of `run a b --seed 7`"),
        "{told}"
    );
    let told = unbroken(&exits(folder, &[&SUBMIT[..], &["--to", "old"]].concat(), 2));
    assert!(told.contains("old/1-of-3.shard holds a shard of another command"), "{told}");
    std::fs::rename(folder.join("old"), folder.join("shards")).expect("renamed");
    let told = unbroken(&exits(folder, &["submit", "--status"], 3));
    assert!(told.contains("0 of 3 shards are there") && told.contains("its seed is 7 and not 0"), "{told}");
    std::fs::remove_dir_all(folder.join("shards")).expect("removed");
    shards(folder, 3, 1..=3);
    exits(folder, &["merge", "--of", name, "shards"], 0);
}

#[test]
fn what_an_engine_cannot_run_is_told_before_anything_is_written() {
    let home = subjects();
    let folder = home.path();
    let whole = folder.join("a").display().to_string();
    for (words, why) in [
        (&["nosuch", "--engine", "slurm"][..], "nosuch"),
        (&["a", "nosuch", "--engine", "github", "--install", "true"], "nothing was written"),
        (&["a", "--engine", "github"], "say with --install COMMAND"),
        (
            &["a", "--engine", "github", "--install", "true", "--shards", "257"],
            "at most 256 jobs of a matrix",
        ),
        (&[&whole, "--engine", "kubernetes"], "is not named as one of them"),
    ] {
        let told = unbroken(&exits(folder, &[&["submit"], words].concat(), 2));
        assert!(told.contains(why), "{words:?}: {told}");
    }
    assert!(!folder.join("dodona-jobs").exists() && !folder.join(".github").exists());
    let told = exits(folder, &["submit", "a", "--engine", "slurm", "--shards", "2000"], 0);
    assert!(told.contains("MaxArraySize"), "{told}");
}

#[test]
fn a_workflow_stands_at_the_top_of_the_repository_and_says_where_it_runs() {
    let home = subjects();
    let folder = home.path().join("a");
    std::fs::create_dir(home.path().join(".git")).expect("a folder");
    let words = [
        "submit",
        ".",
        "--engine",
        "github",
        "--shards",
        "2",
        "--shard-limit",
        "20m",
        "--install",
        "pip install x",
    ];
    let told = unbroken(&exits(&folder, &words, 0));
    let file = "../.github/workflows/dodona-jobs.yml";
    let commands = format!("git add {file} git commit --message 'Run Dodona in shards' {file} git push");
    assert!(told.contains(&commands) && told.ends_with("gh workflow run dodona-jobs.yml"), "{told}");
    let text = std::fs::read_to_string(folder.join(file)).expect("a workflow");
    for wanted in [
        "permissions:\n  contents: read\n",
        "    working-directory: \"a\"\n",
        "    timeout-minutes: 50\n",
        "      - timeout-minutes: 20\n",
        "          pip install x\n",
        "          path: \"a/shards\"\n",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // One that was edited is kept, and another one can be written beside it.
    std::fs::write(folder.join(file), text + "# mine\n").expect("written");
    assert!(unbroken(&exits(&folder, &words, 2)).contains("dodona-jobs.yml was edited"));
    exits(&folder, &[&words[..], &["--folder", "others"]].concat(), 0);
    assert!(home.path().join(".github/workflows/others.yml").exists());
}

#[test]
fn files_are_copied_into_a_volume_before_jobs_begin_and_each_command_has_its_own() {
    let home = subjects();
    let folder = home.path();
    let words = ["submit", "a", "b", "--engine", "kubernetes", "--shards", "3", "--shard-limit", "10m"];
    let told = unbroken(&exits(folder, &words, 0));
    let wanted =
        ["delete jobs,pods", "volume.yaml", "kubectl wait pod/", "kubectl cp . dodona-files-", "jobs.yaml"];
    let places: Vec<Option<usize>> =
        wanted.iter().map(|part| told.split("to submit:").nth(1)?.find(part)).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{told}");
    let read =
        |name: &str| std::fs::read_to_string(folder.join("dodona-jobs").join(name)).expect("a manifest");
    let jobs = read("jobs.yaml");
    // Ten minutes for each of three shards, a last look, and the merge.
    for wanted in
        ["activeDeadlineSeconds: 600\n", "activeDeadlineSeconds: 2430\n", "imagePullPolicy: IfNotPresent\n"]
    {
        assert!(jobs.contains(wanted), "{jobs}");
    }
    let names = |text: &str| -> Vec<String> {
        text.lines().filter_map(|line| line.strip_prefix("  name: ")).map(str::to_owned).collect()
    };
    let first = [names(&read("volume.yaml")), names(&jobs)].concat();
    assert_eq!(first.len(), 4);
    exits(folder, &[&words[..], &["--seed", "7"]].concat(), 0);
    let second = [names(&read("volume.yaml")), names(&read("jobs.yaml"))].concat();
    assert!(
        first.iter().all(|name| name.starts_with("dodona-") && !second.contains(name)),
        "{first:?} {second:?}"
    );
}

/// Runs a command that may write no more than so many blocks of 512 bytes to any file: as on a disk that gets full.
fn with_space(folder: &Path, blocks: u32, words: &[&str]) -> std::process::Output {
    let mut command = std::process::Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_dodona")]).args(words);
    command.env_remove("DODONA_FAULT").current_dir(folder).output().expect("runs")
}

#[test]
fn a_disk_that_gets_full_leaves_no_half_a_shard_and_no_half_a_merge() {
    let home = subjects();
    let folder = home.path();
    for blocks in [0, 4, 64, 400] {
        let output = with_space(folder, blocks, &["run", "a", "b", "--shard", "1/1"]);
        let is_there = folder.join("shards/1-of-1.shard").exists();
        assert!([Some(0), Some(2)].contains(&output.status.code()), "{blocks}: {}", both(&output));
        assert_eq!(output.status.code() == Some(0), is_there, "{blocks}: {}", both(&output));
        // Nothing else stands beside it.
        let files = std::fs::read_dir(folder.join("shards")).map_or(0, |entries| entries.count());
        assert_eq!(files, usize::from(is_there), "{blocks}: {}", both(&output));
        _ = std::fs::remove_dir_all(folder.join("shards"));
    }
    shards(folder, 1, [1]);
    for blocks in [0, 64, 300, 400] {
        let output = with_space(folder, blocks, &["merge", "shards"]);
        assert!([Some(0), Some(2)].contains(&output.status.code()), "{blocks}: {}", both(&output));
        let said = both(&output);
        assert!(
            said.contains("nothing is kept") || said.contains("was not kept") || said.contains("error: "),
            "{blocks}: {said}"
        );
    }
    exits(folder, &["merge", "shards"], 0);
}
