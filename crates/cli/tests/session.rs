//! `dodona run` and what it keeps: nothing is done twice, nothing is lost, and the record is the same whatever happened on the way.

mod common;

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use common::{both, dodona, module_of as module, subject_of as subject, text};
use serde_json::Value as Json;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    dodona().args(arguments).current_dir(folder).output().expect("runs")
}

/// The standard output, if the exit code is this one.
#[track_caller]
fn exits(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", both(output));
    text(&output.stdout)
}

/// The rows that answer a question.
#[track_caller]
fn rows(folder: &Path, question: &str) -> Vec<Json> {
    let answer = exits(&run(folder, &["query", question, "--format", "json"]), 0);
    match serde_json::from_str(&answer) {
        Ok(Json::Array(rows)) => rows,
        other => panic!("{answer}: {other:?}"),
    }
}

/// The number that answers a question.
#[track_caller]
fn number(folder: &Path, question: &str) -> i64 {
    let rows = rows(folder, question);
    let value = rows[0].as_object().and_then(|row| row.values().next()).and_then(Json::as_i64);
    value.unwrap_or_else(|| panic!("{rows:?}"))
}

/// What the last run did itself: kinds of work and what they were about.
fn done(folder: &Path) -> Vec<String> {
    let question = "SELECT kind || ' ' || about AS piece FROM run_piece JOIN piece ON piece = piece.id
        WHERE run = (SELECT max(id) FROM run) AND reused = 0 ORDER BY piece.id";
    rows(folder, question).iter().map(|row| row["piece"].as_str().expect("text").to_owned()).collect()
}

#[test]
fn a_second_run_of_what_has_not_changed_does_nothing_and_says_the_same() {
    let home = tempfile::tempdir().expect("a folder");
    subject(&home.path().join("s"), 2, 0);
    let first = exits(&run(home.path(), &["run", "s", "--format", "json"]), 0);
    assert!(done(home.path()).contains(&"mutate f1".to_owned()));
    let second = exits(&run(home.path(), &["run", "s", "--format", "json"]), 0);
    assert_eq!(first, second);
    assert_eq!(done(home.path()), Vec::<String>::new());
    // Nor does the last run once more.
    assert_eq!(exits(&run(home.path(), &["status", "--format", "json"]), 0), first);
}

#[test]
fn after_an_edit_of_one_function_of_twenty_only_what_depends_on_it_is_run() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("s");
    subject(&folder, 20, 0);
    exits(&run(home.path(), &["run", "s"]), 0);
    assert_eq!(done(home.path()).len(), 20 * 6 + 1);
    // Another function with the same number of instructions.
    std::fs::write(folder.join("m.wat"), module(20, 6)).expect("written");
    exits(&run(home.path(), &["run", "s"]), 0);
    let of_one = ["inputs f0", "check r0", "cover f0", "prove r0", "adequacy f0", "mutate f0", "subject s"];
    assert_eq!(done(home.path()), of_one);
    // Another relation alone.
    let relations = std::fs::read_to_string(folder.join("m.mr")).expect("read");
    std::fs::write(folder.join("m.mr"), relations.replace("f7(x + 0)", "f7(x - 0)")).expect("written");
    exits(&run(home.path(), &["run", "s"]), 0);
    assert_eq!(done(home.path()), ["check r7", "prove r7", "adequacy f7", "mutate f7", "subject s"]);
    // A comment changes the key of the subject, and of nothing in it.
    let manifest = std::fs::read_to_string(folder.join("dodona.toml")).expect("read");
    std::fs::write(folder.join("dodona.toml"), format!("# mine\n{manifest}")).expect("written");
    exits(&run(home.path(), &["run", "s"]), 0);
    assert_eq!(done(home.path()), ["subject s"]);
}

#[test]
fn whatever_moment_it_is_killed_at_the_record_is_the_same_and_nothing_is_done_twice() {
    let home = tempfile::tempdir().expect("a folder");
    let undisturbed = tempfile::tempdir().expect("a folder");
    let subjects = ["a", "b", "c", "d", "e"];
    for folder in [home.path(), undisturbed.path()] {
        subjects.iter().for_each(|name| subject(&folder.join(name), 6, 1));
    }
    let words: Vec<&str> = ["run"].iter().chain(&subjects).chain(&["--format", "json"]).copied().collect();
    let begun = Instant::now();
    let wanted = exits(&run(undisturbed.path(), &words), 0);
    let whole = begun.elapsed();
    // `DODONA_KILLS` asks for more of them.
    let kills: u32 = std::env::var("DODONA_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    for kill in 0..kills {
        let mut running = dodona();
        running.args(&words).current_dir(home.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = running.spawn().expect("runs");
        // Somewhere in the first half of what is left, spread by the golden ratio.
        let part = (f64::from(kill) * 0.618).fract() / 2.0;
        std::thread::sleep(Duration::from_millis(20) + whole.mul_f64(part / f64::from(kill + 1)));
        running.kill().expect("killed");
        running.wait().expect("it ends");
    }
    assert_eq!(exits(&run(home.path(), &words), 0), wanted);
    let twice = "SELECT count(*) FROM (SELECT piece FROM run_piece WHERE reused = 0 GROUP BY piece HAVING count(*) > 1)";
    assert_eq!(number(home.path(), twice), 0);
    assert_eq!(number(home.path(), "SELECT count(*) FROM run WHERE state = 'running'"), 0);
    let pieces = "SELECT count(*) FROM piece";
    assert_eq!(number(home.path(), pieces), number(undisturbed.path(), pieces));
    let by_run = "SELECT count(*) FROM run_piece WHERE reused = 0";
    assert_eq!(number(home.path(), by_run), number(undisturbed.path(), by_run));
    assert_eq!(rows(home.path(), "PRAGMA integrity_check")[0]["integrity_check"], "ok");
    assert!(rows(home.path(), "PRAGMA foreign_key_check").is_empty());
}

#[test]
fn what_was_found_is_accepted_beside_what_a_person_wrote() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("s");
    subject(&folder, 1, 1);
    let manifest = std::fs::read_to_string(folder.join("dodona.toml")).expect("read");
    std::fs::write(folder.join("dodona.toml"), manifest.replace("relations = [\"m.mr\"]\n", ""))
        .expect("written");
    let found = exits(&run(home.path(), &["run", "s"]), 0);
    assert!(found.contains("found, not accepted") && found.contains("dodona accept --subject s"), "{found}");
    let names = rows(
        home.path(),
        "SELECT name FROM relation JOIN verdict ON relation = relation.id WHERE state = 'found' ORDER BY name",
    );
    let first = names[0]["name"].as_str().expect("a name").to_owned();
    let told = exits(&run(home.path(), &["accept", &first]), 0);
    assert!(told.contains(&format!("accepted {first}\n")), "{told}");
    // A person's text stays, and the rest is added behind it.
    let file = folder.join("s.mr");
    let mine = "# mine\n".to_owned() + &std::fs::read_to_string(&file).expect("written");
    std::fs::write(&file, &mine).expect("written");
    let again = run(home.path(), &["accept", &first]);
    exits(&run(home.path(), &["run", "s"]), 0);
    // It had not been run since: what stands there is not added once more.
    assert!(exits(&again, 0).contains("stands there already"), "{}", both(&again));
    if names.len() > 1 {
        exits(&run(home.path(), &["accept"]), 0);
        let text = std::fs::read_to_string(&file).expect("read");
        assert!(text.starts_with(&mine) && text.len() > mine.len(), "{text}");
        exits(&run(home.path(), &["run", "s"]), 0);
    }
    assert_eq!(
        number(
            home.path(),
            "SELECT count(*) FROM verdict WHERE run = (SELECT max(id) FROM run) AND state = 'found'"
        ),
        0
    );
    let refused = run(home.path(), &["accept", &first]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(both(&refused).contains("is accepted already"), "{}", both(&refused));
}

#[test]
fn a_violation_is_on_the_first_screen_with_its_input_and_the_exit_code_says_so() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("s");
    subject(&folder, 1, 0);
    std::fs::write(folder.join("m.mr"), "relation wrong: f0(x) == f0(-x)\nrelation right: f0(x) == f0(x)\n")
        .expect("written");
    let out = exits(&run(home.path(), &["run", "s"]), 1);
    assert!(out.contains("f0: 1 relation violated; 1 relation holds"), "{out}");
    assert!(out.contains("violated: wrong  f0(x) == f0(-x)\n    x = "), "{out}");
    assert!(out.contains("dodona check s --relation wrong"), "{out}");
    assert!(out.lines().count() <= 30, "{out}");
    let xml = exits(&run(home.path(), &["run", "s", "--format", "junit"]), 1);
    assert!(xml.contains("failures=\"1\""), "{xml}");
    let markdown = exits(&run(home.path(), &["run", "s", "--format", "markdown"]), 1);
    assert!(
        markdown.contains("| `f0` of s | 1 | 1 | 0 |") && markdown.contains("**wrong is violated**"),
        "{markdown}"
    );
}

#[test]
fn a_subject_that_does_not_build_costs_none_of_the_others() {
    let home = tempfile::tempdir().expect("a folder");
    ["a", "b", "c"].iter().for_each(|name| subject(&home.path().join(name), 1, 0));
    let broken = home.path().join("broken");
    std::fs::create_dir(&broken).expect("a folder");
    std::fs::write(
        broken.join("dodona.toml"),
        "name = \"broken\"\n[build]\nc = [\"x.c\"]\n[[function]]\nsignature = \"f(x: i32) -> i32\"\n",
    )
    .expect("written");
    std::fs::write(broken.join("x.c"), "int f(int x) { return x\n").expect("written");
    let output = run(home.path(), &["run", "a", "broken", "b", "c"]);
    let out = exits(&output, 4);
    assert!(out.contains("not run: ") && out.matches("1 relation holds").count() == 3, "{out}");
    assert!(both(&output).contains("x.c:1"), "{}", both(&output));
}

#[test]
fn where_nothing_can_be_kept_everything_is_still_told() {
    let home = tempfile::tempdir().expect("a folder");
    subject(&home.path().join("s"), 1, 0);
    // A file stands where the folder would.
    std::fs::write(home.path().join(".dodona"), "mine").expect("written");
    let output = run(home.path(), &["run", "s"]);
    let out = exits(&output, 0);
    assert!(out.contains("1 relation holds"), "{out}");
    assert!(both(&output).contains("warning: nothing is kept"), "{}", both(&output));
    assert_eq!(std::fs::read_to_string(home.path().join(".dodona")).expect("read"), "mine");
}

#[test]
fn bad_words_say_what_to_do() {
    let home = tempfile::tempdir().expect("a folder");
    let says = |words: &[&str], code: i32, wanted: &str| {
        let output = run(home.path(), words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", both(&output));
        assert!(both(&output).contains(wanted), "{words:?}: {}", both(&output));
    };
    says(&["status"], 2, "`dodona run SUBJECT` makes one");
    says(&["query", "SELECT 1"], 2, "there is no session");
    says(&["clean"], 2, "there is no session");
    says(&["accept"], 2, "there is no session");
    says(&["run", "nowhere"], 2, "nowhere");
    says(&["run", "--time", "0"], 2, "is no time above 0");
    assert!(!home.path().join(".dodona").join("session.db.damaged-1").exists());
}

/// Writes a subject of modules in the text format, with these lines of its manifest.
fn written(folder: &Path, wat: &str, functions: &str, relations: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    let manifest = format!("name = \"w\"\nmodule = \"m.wat\"\nrelations = [\"m.mr\"]\n{functions}");
    for (name, text) in [("dodona.toml", manifest.as_str()), ("m.wat", wat), ("m.mr", relations)] {
        std::fs::write(folder.join(name), text).expect("written");
    }
}

const TWO: &str = "(module
    (func (export \"f\") (param i32) (result i32) (i32.add (local.get 0) (i32.const 7)))
    (func (export \"g\") (param i32) (result i32) (i32.sub (local.get 0) (i32.const 7))))";

/// Two functions of numbers in these ranges.
fn two(f: &str, g: &str) -> String {
    format!(
        "[[function]]\nsignature = \"f(x: i32) -> i32\"\ndomain.x = {{ range = {f} }}\n[[function]]\nsignature = \"g(y: i32) -> i32\"\ndomain.y = {{ range = {g} }}\n"
    )
}

#[test]
fn a_domain_that_a_variable_is_drawn_from_is_part_of_what_a_check_depends_on() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    let relation = "relation small(z: g.y): f(x) + z <= 47\n";
    written(&folder, TWO, &two("[0, 20]", "[0, 20]"), relation);
    exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    // The function is not called, and its code is as it was.
    written(&folder, TWO, &two("[0, 20]", "[0, 90]"), relation);
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 1);
    assert!(out.contains("violated: small"), "{out}");
}

#[test]
fn what_was_found_of_two_functions_ends_with_the_name_of_one_of_them() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    written(&folder, TWO, &two("[-99, 99]", "[-99, 99]"), "");
    let first = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    assert!(first.contains("found, not accepted"), "{first}");
    let renamed = two("[-99, 99]", "[-99, 99]")
        .replace("\"g(y: i32) -> i32\"", "\"undo(y: i32) -> i32\"\nexport = \"g\"");
    written(&folder, TWO, &renamed, "");
    let again = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    assert!(again.contains("  undo: "), "{again}");
}

#[test]
fn another_version_names_what_changed_and_what_is_new_and_nothing_else() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    let relations = "relation same: f(x) - 7 == x\nrelation back: g(y) + 7 == y\n";
    written(&folder, TWO, &two("[-99, 99]", "[-99, 99]"), relations);
    let old = TWO.replace("(i32.sub (local.get 0) (i32.const 7))", "(i32.sub (local.get 0) (i32.const 8))");
    std::fs::write(home.path().join("old.wat"), &old).expect("written");
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s", "--against", "old.wat"]), 0);
    assert!(out.contains("against old.wat: 1 of 2 functions changed; 1 relation holds in both"), "{out}");
    assert!(out.contains("changed: g  ") && !out.contains("changed: f"), "{out}");
    assert!(out.contains("no longer violated: back  g(y) + 7 == y"), "{out}");
    let markdown =
        run(home.path(), &["run", "w", "--time", "60s", "--against", "old.wat", "--format", "markdown"]);
    assert!(exits(&markdown, 0).contains("**changed** `g`"), "{}", both(&markdown));
    // A version without one of the functions.
    std::fs::write(home.path().join("old.wat"), old.replace("(export \"g\")", "")).expect("written");
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s", "--against", "old.wat"]), 0);
    assert!(out.contains("1 function gives the same results") && out.contains("g is new"), "{out}");
    // The other way round: what holds in the other version is violated in this one.
    std::fs::write(folder.join("m.wat"), &old).expect("written");
    std::fs::write(home.path().join("new.wat"), TWO).expect("written");
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s", "--against", "new.wat"]), 1);
    assert!(out.contains("newly violated: back"), "{out}");
    let none = exits(&run(home.path(), &["run", "w", "--time", "60s", "--against", "nowhere"]), 1);
    assert!(none.contains("not compared with nowhere"), "{none}");
}

#[test]
fn what_a_person_wants_is_checked_before_anything_is_searched_and_known_violations_can_be_left() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    // The other function is searched too, for as long as the time allows.
    written(&folder, TWO, &two("[-99, 99]", "[-99, 99]"), "relation wrong: f(x) == x\n");
    let out = exits(&run(home.path(), &["run", "w", "--time", "8s"]), 1);
    assert!(out.contains("violated: wrong"), "{out}");
    assert_eq!(run(home.path(), &["run", "./w", "--time", "8s"]).status.code(), Some(1));
    let known = run(home.path(), &["run", "./w", "--time", "8s", "--baseline"]);
    assert!([Some(0), Some(3)].contains(&known.status.code()), "{}", both(&known));
}

#[test]
fn a_counterexample_that_is_kept_is_run_too() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    let wat = "(module (func (export \"f\") (param i32) (result i32)
        (i32.add (local.get 0) (i32.eq (local.get 0) (i32.const 1234567)))))";
    let functions = "[[function]]\nsignature = \"f(x: i32) -> i32\"\n";
    written(&folder, wat, functions, "relation same: f(x) == x\n");
    let input = home.path().join("x.csv");
    std::fs::write(&input, "x\n1234567\n").expect("written");
    exits(&run(home.path(), &["check", "w", "--from", "x.csv"]), 1);
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 1);
    assert!(out.contains("x = 1234567"), "{out}");
}

/// What the last run in a folder found, as data.
#[track_caller]
fn record(folder: &Path) -> Json {
    let text = exits(&run(folder, &["status", "--format", "json"]), 0);
    serde_json::from_str(&text).expect("json")
}

/// One function of a number.
const ONE_NUMBER: &str = "[[function]]\nsignature = \"f(x: i32) -> i32\"\n";

#[test]
fn what_random_inputs_miss_a_proof_finds_and_what_holds_on_every_path_is_called_proved() {
    let home = tempfile::tempdir().expect("a folder");
    // One input of four billion is another case.
    let rare = "(module (func (export \"f\") (param i32) (result i32)
        (if (result i32) (i32.eq (local.get 0) (i32.const 123456789))
            (then (i32.const 1)) (else (i32.const 0)))))";
    let relations =
        "relation same: f(x) == f(x + 0)\nrelation shifted: when x > 123456700: f(x) == f(x + 1)\n";
    written(&home.path().join("w"), rare, ONE_NUMBER, relations);
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 1);
    assert!(out.contains("1 relation violated; 1 relation holds, proved"), "{out}");
    assert!(out.contains("violated: shifted") && out.contains("x = 12345678"), "{out}");
    let proofs = "SELECT about FROM piece WHERE kind = 'prove' ORDER BY about";
    // Inputs along paths may have shown the violation before it was put to proof.
    assert!(!rows(home.path(), proofs).is_empty());
    let relation =
        |place: usize| record(home.path())["subjects"][0]["functions"][0]["relations"][place].clone();
    assert_eq!(relation(0)["proof"]["verdict"], "proved");
    assert_eq!(relation(1)["check"]["tally"]["violated"].as_u64().map(|violated| violated > 0), Some(true));
}

#[test]
fn branches_that_too_few_relations_test_are_named_and_measured() {
    let home = tempfile::tempdir().expect("a folder");
    let sign = "(module (func (export \"f\") (param i32) (result i32)
        (if (result i32) (i32.lt_s (local.get 0) (i32.const 0)) (then (i32.const -1)) (else (i32.const 1)))))";
    let one = "relation same: f(x) == f(x + 0)\n";
    written(&home.path().join("w"), sign, ONE_NUMBER, one);
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    assert!(
        out.contains("tested by fewer than 3 relations of different forms: f 2 of 2 branch directions"),
        "{out}"
    );
    // Three of different forms, one of them for positive numbers alone.
    let three =
        format!("{one}relation at_most: f(x) <= 1\nrelation positive: when x > 0: f(x) + f(x) == 2\n");
    written(&home.path().join("w"), sign, ONE_NUMBER, &three);
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    assert!(
        out.contains("tested by fewer than 3 relations of different forms: f 1 of 2 branch directions"),
        "{out}"
    );
    let adequacy = &record(home.path())["subjects"][0]["functions"][0]["adequacy"];
    assert_eq!(
        (&adequacy["criterion"], &adequacy["k"], &adequacy["untested"]),
        (&"branch".into(), &3.into(), &0.into())
    );
    assert_eq!(adequacy["degree"], serde_json::json!({ "covered": 5, "total": 6 }));
}

#[test]
fn frames_give_inputs_and_relations_where_there_are_some() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    // A fee by weight: nothing up to 20, then 3 for each further one.
    let fee = "(module (func (export \"f\") (param i32) (result i32)
        (if (result i32) (i32.le_s (local.get 0) (i32.const 20)) (then (i32.const 0))
            (else (i32.mul (i32.const 3) (i32.sub (local.get 0) (i32.const 20)))))))";
    let functions = format!("{ONE_NUMBER}domain.x = {{ range = [0, 1000] }}\n");
    written(&folder, fee, &functions, "");
    let frames = "[input.weight]\nfree = \"x <= 20\"\npaid = \"x > 20\"\n";
    std::fs::write(folder.join("frames.toml"), frames).expect("written");
    exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    let kinds = done(home.path());
    assert!(
        kinds.contains(&"inputs frames of f".to_owned()) && kinds.contains(&"identify f".to_owned()),
        "{kinds:?}"
    );
    let relations = record(home.path())["subjects"][0]["functions"][0]["relations"].clone();
    let by = |finder: &str| relations.as_array().expect("a list").iter().any(|one| one["found_by"] == finder);
    assert!(by("identification") && by("discovery"), "{relations:#}");
    // Another edge between the choices: the frames are made again, and paths are not.
    std::fs::write(folder.join("frames.toml"), frames.replace("20", "21")).expect("written");
    exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    let kinds = done(home.path());
    assert!(kinds.contains(&"identify f".to_owned()) && !kinds.contains(&"inputs f".to_owned()), "{kinds:?}");
    // A file that is wrong is said, and costs nothing else.
    std::fs::write(folder.join("frames.toml"), "[input.weight]\nfree = \"y <= 20\"\n").expect("written");
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    assert!(out.contains("warning: frames: ") && out.contains("found, not accepted"), "{out}");
}

#[test]
fn accepted_relations_are_composed_and_what_follows_from_another_session_is_repeated() {
    let home = tempfile::tempdir().expect("a folder");
    let relations = "relation odd: f(-x) == -f(x)\nrelation doubled: f(2 * x) == 2 * f(x)\n";
    let times_three =
        "(module (func (export \"f\") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3))))";
    let functions = format!("{ONE_NUMBER}domain.x = {{ range = [-1000, 1000] }}\n");
    written(&home.path().join("w"), times_three, &functions, relations);
    exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    assert!(done(home.path()).contains(&"compose f".to_owned()), "{:?}", done(home.path()));
    std::fs::write(home.path().join("w/m.mr"), "").expect("written");
    let words = ["run", "w", "--time", "60s", "--session", "my notes"];
    let out = exits(&run(home.path(), &words), 0);
    assert!(out.contains("dodona accept --subject w --session 'my notes'"), "{out}");
}

#[test]
fn a_relation_that_catches_mutants_of_one_version_alone_is_told() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    // What is added beside the number can be wrong in this version alone.
    let plain = "(module (func (export \"f\") (param i32) (result i32) (i32.const 4)))";
    let other = "(module (func (export \"f\") (param i32) (result i32)
        (i32.add (i32.and (i32.mul (local.get 0) (i32.const 0)) (i32.const 1)) (i32.const 4))))";
    written(&folder, other, ONE_NUMBER, "relation flat: f(x) == f(x + 1)\n");
    std::fs::write(home.path().join("old.wat"), plain).expect("written");
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s", "--against", "old.wat"]), 0);
    assert!(out.contains("newly catching: flat"), "{out}");
    std::fs::write(folder.join("m.wat"), plain).expect("written");
    std::fs::write(home.path().join("old.wat"), other).expect("written");
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s", "--against", "old.wat"]), 0);
    assert!(out.contains("no longer catching: flat"), "{out}");
}

#[test]
fn a_revision_is_compared_with_what_the_repository_keeps_out_of_archives_too() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    written(&folder, TWO, &two("[-99, 99]", "[-99, 99]"), "relation same: f(x) - 7 == x\n");
    std::fs::write(home.path().join(".gitattributes"), "*.wat export-ignore\n").expect("written");
    let git = |words: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words).current_dir(home.path());
        assert!(git.output().expect("git runs").status.success(), "{words:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "first"]);
    std::fs::write(folder.join("m.wat"), TWO.replace("i32.sub", "i32.xor")).expect("written");
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s", "--against", "HEAD"]), 0);
    assert!(out.contains("against HEAD: 1 of 2 functions changed") && out.contains("changed: g"), "{out}");
    let mut status = std::process::Command::new("git");
    let status = status.args(["status", "--porcelain"]).current_dir(home.path()).output().expect("git runs");
    assert_eq!(
        text(&status.stdout).lines().filter(|line| !line.contains(".dodona")).count(),
        1,
        "{}",
        text(&status.stdout)
    );
}

#[test]
fn what_a_proof_found_is_shown_by_the_command_that_is_told_and_lost_counterexamples_are_told_once() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    let rare = "(module (func (export \"f\") (param i32) (result i32)
        (if (i32.eq (local.get 0) (i32.const 0x5a5a1234)) (then (unreachable))) (local.get 0)))";
    let relations = "relation fol: f(bitxor(x, 1)) == bitxor(f(x), 1)\nrelation up: f(x) == f(x + 0)\n";
    written(&folder, rare, ONE_NUMBER, relations);
    let out = exits(&run(home.path(), &["run", "w", "--time", "60s"]), 1);
    let told = out.lines().find(|line| line.contains("fol    shows")).expect("a command").trim();
    let words: Vec<&str> = told.split("    ").next().expect("a command").split(' ').skip(1).collect();
    assert!(exits(&run(home.path(), &words), 1).contains("fol"), "{told}");
    // A counterexample whose relation is gone.
    std::fs::write(folder.join("m.mr"), "relation neg: f(-x) == f(x)\nrelation up: f(x) == f(x + 0)\n")
        .expect("written");
    exits(&run(home.path(), &["run", "w", "--time", "60s"]), 1);
    std::fs::write(folder.join("m.mr"), "relation up: f(x) == f(x + 0)\nrelation at: f(x) == x\n")
        .expect("written");
    let words = ["run", "w", "--time", "60s", "--format", "json"];
    let kept = exits(&run(home.path(), &words), 2);
    assert_eq!(kept.matches("no relation is called `neg` any more").count(), 1, "{kept}");
    let fresh = exits(&run(home.path(), &[&words[..], &["--session", "fresh"]].concat()), 2);
    let record = |text: &str| serde_json::from_str::<Json>(text).expect("json")["subjects"].clone();
    assert_eq!(record(&kept), record(&fresh));
}

#[test]
fn mutants_of_code_that_two_functions_call_depend_on_the_inputs_of_their_own() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("w");
    let shared = "(module (func $both (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
        (func (export \"f\") (param i32) (result i32) (call $both (local.get 0)))
        (func (export \"g\") (param i32) (result i32) (call $both (local.get 0))))";
    let relations = "relation up: g(y) <= g(y + 1)\nrelation same: f(x) == f(x + 0)\n";
    written(&folder, shared, &two("[0, 1]", "[-99, 99]"), relations);
    exits(&run(home.path(), &["run", "w", "--time", "60s"]), 0);
    written(&folder, shared, &two("[-500, 900]", "[-99, 99]"), relations);
    let words = ["run", "w", "--time", "60s", "--format", "json"];
    let kept = exits(&run(home.path(), &words), 0);
    assert!(!done(home.path()).contains(&"mutate g".to_owned()), "{:?}", done(home.path()));
    let fresh = exits(&run(home.path(), &[&words[..], &["--session", "fresh"]].concat()), 0);
    let record = |text: &str| serde_json::from_str::<Json>(text).expect("json")["subjects"].clone();
    assert_eq!(record(&kept), record(&fresh));
}
