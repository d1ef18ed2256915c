//! Frames and relations of pairs of frames, run on small modules and on the subjects that ship.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dodona_frames::{
    FrameCriterion, Framed, FramesOptions, IdentifyOptions, InputOrigin, frame_maker, frames_record,
    identify, requirements, samples,
};
use dodona_generation::{GenerateOptions, Generated, SearchOptions, Technique, generate};
use dodona_records::{CandidatePair, FramesRecord, IdentificationRecord, RelationVerdict};
use dodona_sources::Seed;
use dodona_subject::Manifest;
use dodona_target::{Column, Interruption};
use dodona_workbench::{CheckOptions, LabError, MadeInputs, Regressions, check};

/// The fee that `5 * max(0, age - 60)` is, but for one age.
const MODULE: &str = r#"(module (func (export "fee") (param $age i32) (result i32)
    (if (i32.eq (local.get $age) (i32.const 777)) (then (return (i32.const -1))))
    (if (i32.lt_s (local.get $age) (i32.const 60)) (then (return (i32.const 0))))
    (i32.mul (i32.const 5) (i32.sub (local.get $age) (i32.const 60)))))"#;

const MANIFEST: &str = r#"
name = "fee"
module = "fee.wat"
[[function]]
signature = "fee(age: i32) -> i32"
domain.age = { range = [0, 1000000] }
"#;

const FRAMES: &str = r#"
[input.age]
young = "age < 60"
old = "age >= 60"
[output.fee]
none = "result == 0"
some = "result > 0"
"#;

/// A subject in a folder of its own.
struct Subject {
    folder: tempfile::TempDir,
}

impl Subject {
    fn new(module: &str, manifest: &str, frames: &str) -> Subject {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [("fee.wat", module), ("dodona.toml", manifest), ("frames.toml", frames)];
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        Subject { folder }
    }

    fn open(&self) -> Framed {
        open(self.folder.path())
    }
}

fn open(folder: &Path) -> Framed {
    let manifest = Manifest::find(folder).expect("a manifest");
    let workbench =
        Arc::new(dodona_wasm::open(manifest).unwrap_or_else(|e| panic!("{}: {e}", folder.display())));
    Framed::open(&workbench, None, None).unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
}

fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects")
}

fn options(fresh: u64) -> IdentifyOptions {
    IdentifyOptions { fresh, most: 1000, ..IdentifyOptions::default() }
}

fn record(framed: &Framed) -> FramesRecord {
    let samples = samples(framed, &FramesOptions::default(), &Interruption::default()).expect("inputs");
    frames_record(framed, &samples, Seed(0))
}

fn identified(framed: &Framed, options: &IdentifyOptions) -> IdentificationRecord {
    identify(framed, options, &Interruption::default(), &mut |_| {}).expect("it runs").record
}

/// The relations of a record that random inputs violate.
fn violated(subject: &Path, record: &IdentificationRecord, seed: u64, sources: u64) -> Vec<String> {
    violated_in(subject, record, seed, sources, Vec::new())
}

/// The relations of a record that these inputs violate.
fn violated_by(subject: &Path, record: &IdentificationRecord, inputs: &[Column]) -> Vec<String> {
    let made = MadeInputs { function: 0, technique: "grid".to_owned(), columns: inputs.to_vec() };
    violated_in(subject, record, 0, 0, vec![made])
}

fn violated_in(
    subject: &Path,
    record: &IdentificationRecord,
    seed: u64,
    sources: u64,
    made: Vec<MadeInputs>,
) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("identified.mr");
    let text: Vec<&str> = record.relations.iter().map(|relation| relation.text.as_str()).collect();
    std::fs::write(&file, text.join("\n")).expect("written");
    let mut manifest = Manifest::find(subject).expect("a manifest");
    manifest.functions.iter_mut().for_each(|function| function.relations.clear());
    manifest.relations = vec![file];
    let workbench = Arc::new(dodona_wasm::open(manifest).expect("the relations are of the language"));
    let options = CheckOptions {
        sources,
        files: vec![],
        made,
        relations: vec![],
        seed: Seed(seed),
        jobs: NonZeroUsize::MIN,
        regressions: Regressions::Ignore,
        shrink_fuel: CheckOptions::SHRINK_FUEL,
        explains: true,
    };
    let record = check(workbench.clone(), &options, &Interruption::default(), &mut |_| {}).expect("it runs");
    let violated = record.relations.iter().filter(|r| r.verdict() == RelationVerdict::Violated);
    violated.map(|relation| relation.name.clone()).collect()
}

/// Comparisons that clang writes in other ways from -O1 on: equations as exclusive ors, ranges as one comparison without a sign, a rotation, a table.
const DISGUISED: &str = r#"
#include <stdint.h>
__attribute__((export_name("fare"))) int32_t fare(int32_t km, int32_t kg, int32_t zone) {
    int32_t fee = km >= 1000 ? 9 : 4;
    if (km == 4321 && kg == 37) fee += 5;
    if (kg >= 400 && kg < 450 && km == 77) fee += 2;
    if ((((uint32_t)km << 7) | ((uint32_t)km >> 25)) == 64000u) fee -= 3;
    switch (zone) {
        case 31: fee += kg == 12; break;
        case 32: fee += km == 13; break;
        case 33: fee -= kg == 14; break;
        case 35: fee += 1; break;
    }
    return fee;
}
"#;

const DISGUISED_FRAMES: &str = r#"
[input.km]
near = "km < 1000"
far = "km >= 1000"
[input.kg]
light = "kg < 100"
heavy = "kg >= 100"
[input.zone]
inner = "zone < 5"
outer = "zone >= 5"
[output.fee]
low = "result < 8"
high = "result >= 8"
"#;

/// All inputs of some values of the three parameters.
fn grid(values: [Vec<i128>; 3]) -> Vec<Column> {
    let mut columns = vec![Vec::new(), Vec::new(), Vec::new()];
    for &km in &values[0] {
        for &kg in &values[1] {
            for &zone in &values[2] {
                columns.iter_mut().zip([km, kg, zone]).for_each(|(column, value)| column.push(value));
            }
        }
    }
    columns.into_iter().map(Column::Int).collect()
}

#[test]
fn no_relation_fails_where_comparisons_in_disguise_change() {
    let around = |all: &[i128]| all.iter().flat_map(|x| x - 2..=x + 2).filter(|x| *x >= 0).collect();
    let inputs = grid([
        around(&[13, 77, 500, 1000, 4321]),
        around(&[12, 14, 37, 100, 400, 450]),
        vec![0, 4, 5, 29, 30, 31, 32, 33, 34, 35, 36],
    ]);
    for level in ["-O1", "-O2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let manifest = format!(
            "name = 'fare'\n[build]\nc = ['fare.c']\nflags = ['{level}']\n[[function]]\n\
             signature = 'fare(km: i32, kg: i32, zone: i32) -> i32'\n\
             domain.km = {{ range = [0, 100000] }}\ndomain.kg = {{ range = [0, 100000] }}\ndomain.zone = {{ range = [0, 100] }}\n"
        );
        for (name, text) in
            [("fare.c", DISGUISED), ("dodona.toml", &manifest), ("frames.toml", DISGUISED_FRAMES)]
        {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let framed = open(folder.path());
        let record = identified(&framed, &options(2_000));
        assert!(!record.relations.is_empty(), "{level}: {record:?}");
        let wrong = violated_by(folder.path(), &record, &inputs);
        assert!(wrong.is_empty(), "{level}: {wrong:?} of {}", record.relations.len());
        assert!(record.relations.iter().all(|relation| relation.confirmed), "{level}: {record:?}");
    }
}

#[test]
fn every_subject_with_frames_divides_its_inputs() {
    let mut found = 0;
    for group in ["specification", "path-directed"] {
        for entry in std::fs::read_dir(subjects().join(group)).expect("subjects") {
            let folder = entry.expect("an entry").path();
            if !folder.join("frames.toml").is_file() {
                continue;
            }
            found += 1;
            let record = record(&open(&folder));
            let place = folder.display();
            assert!(record.misfits.is_empty(), "{place}: {:?}", record.misfits);
            assert!(record.contradiction.is_empty(), "{place}: {:?}", record.contradiction);
            // Texts of some frames are longer than a solver is asked about.
            let unknown = record.frames.iter().filter(|frame| frame.state == "unknown").count();
            assert!(unknown * 20 <= record.frames.len(), "{place}: {unknown} of {}", record.frames.len());
            assert_eq!(record.unobserved(), Vec::<String>::new(), "{place}");
        }
    }
    assert!(found >= 5, "{found} subjects");
}

#[test]
fn a_solver_shows_a_gap_and_an_overlap_of_one_value() {
    let frames = FRAMES.replace("age >= 60", "age >= 60 and age != 654321 or age == 17");
    let record = record(&Subject::new(MODULE, MANIFEST, &frames).open());
    let shown: Vec<String> = record
        .misfits
        .iter()
        .map(|m| format!("{} {}", m.what, dodona_records::Binding::list(&m.input)))
        .collect();
    assert!(shown.iter().any(|words| words.contains("no choice") && words.contains("654321")), "{shown:?}");
    assert!(shown.iter().any(|words| words.contains("two choices") && words.contains("17")), "{shown:?}");
}

#[test]
fn a_solver_shows_an_input_against_a_constraint() {
    let frames = r#"
        constraints = ["odd.yes implies age.young"]
        [input.age]
        young = "age < 60"
        old = "age >= 60"
        [input.odd]
        yes = "age == 654321"
        no = "age != 654321"
        [output.fee]
        any = "result == result""#;
    let record = record(&Subject::new(MODULE, MANIFEST, frames).open());
    let words = format!("{:?}", record.misfits);
    assert!(words.contains("violates the constraint") && words.contains("654321"), "{words}");
}

#[test]
fn an_output_that_no_choice_fits_is_shown() {
    let frames = FRAMES.replace("result > 0", "result > 2000");
    let record = record(&Subject::new(MODULE, &MANIFEST.replace("1000000", "800"), &frames).open());
    let words = format!("{:?}", record.misfits);
    assert!(words.contains("no choice of `fee`"), "{words}");
}

#[test]
fn relations_hold_of_inputs_that_they_were_not_made_from() {
    let module = MODULE.replace("i32.const 777", "i32.const -777");
    let subject = Subject::new(&module, MANIFEST, FRAMES);
    let record = identified(&subject.open(), &options(20_000));
    assert!(record.relations.len() >= 3, "{:?}", record.relations);
    let general = "given age' = age + 1 expect out' >= out";
    assert!(record.relations.iter().any(|r| r.text.contains(general)), "{:?}", record.relations);
    for seed in [5, 6] {
        assert_eq!(violated(subject.folder.path(), &record, seed, 50_000), Vec::<String>::new());
    }
}

/// A fee of two parameters: no change of one of them leads from children who are guests to grown members.
const TWO: &str = r#"(module (func (export "fee") (param $age i32) (param $member i32) (result i32)
    (if (i32.and (i32.ge_s (local.get $age) (i32.const 60)) (local.get $member)) (then (return (i32.const 7))))
    (i32.const 3)))"#;

const TWO_MANIFEST: &str = r#"
name = "fee"
module = "fee.wat"
[[function]]
signature = "fee(age: i32, member: bool) -> i32"
domain.age = { range = [0, 100] }
"#;

const TWO_FRAMES: &str = r#"
[input.age]
young = "age < 60"
old = "age >= 60"
[input.member]
yes = "member"
no = "not member"
[output.fee]
low = "result == 3"
high = "result == 7"
"#;

fn told(framed: &Framed, options: &IdentifyOptions) -> (Vec<String>, IdentificationRecord) {
    let mut told = Vec::new();
    let mut tell = |pair: CandidatePair| told.extend(pair.text("pair"));
    let record = identify(framed, options, &Interruption::default(), &mut tell).expect("it runs").record;
    (told, record)
}

#[test]
fn frames_that_differ_in_two_parameters_are_pairs_with_both_changed() {
    let subject = Subject::new(TWO, TWO_MANIFEST, TWO_FRAMES);
    let framed = subject.open();
    let of_seed = |seed| {
        let frames = FramesOptions { seed: Seed(seed), ..FramesOptions::default() };
        IdentifyOptions { frames, ..options(2_000) }
    };
    // Not every sample shows all pairs.
    let options = (0..10).map(of_seed).find(|options| told(&framed, options).1.pairs == 8);
    let options = options.expect("all pairs with one of ten seeds");
    let (told, record) = told(&framed, &options);
    // Setting the age leads from the young to the old, for members and guests; a member becomes a guest and the other way round, at either age. Both at once lead
    // from each of the young frames to the other old one. Back to the young no change leads enough samples.
    assert_eq!(record.pairs, 8, "{told:?}");
    let both = "when age < 60 and not member and ";
    let changes = ["given age' = ", "member' = not member"];
    let found = told.iter().find(|text| text.contains(both) && changes.iter().all(|c| text.contains(c)));
    let found = found.unwrap_or_else(|| panic!("{told:?}"));
    assert!(found.contains("out' == out + 4"), "{found}");
    assert!(record.joint_changes > 0);
    for seed in [5, 6] {
        assert_eq!(violated(subject.folder.path(), &record, seed, 20_000), Vec::<String>::new());
    }
    // What one change after the other says is not said again, but only both together raise the fee of a young guest.
    let single = IdentifyOptions { parameters: 1, ..options.clone() };
    let (_, alone) = self::told(&framed, &single);
    assert_eq!((alone.joint_changes, alone.pairs), (0, 6), "{:?}", alone.relations);
    assert!(alone.relations.iter().all(|relation| record.relations.iter().any(|r| r.text == relation.text)));
    let distance = IdentifyOptions { distance: Some(1), ..options };
    assert_eq!(self::told(&framed, &distance).1.pairs, 6);
}

/// A frame that no random input belongs to, and near whose one known input there is no other.
#[test]
fn paths_give_frames_inputs_that_nothing_else_finds() {
    let frames = r#"
        [input.age]
        rare = "age mod 99991 == 17"
        usual = "age mod 99991 != 17"
        [output.fee]
        none = "result == 0"
        some = "result != 0""#;
    let framed = Subject::new(MODULE, MANIFEST, frames).open();
    let search = SearchOptions { time: None, ..SearchOptions::default() };
    let options = FramesOptions { search, ..FramesOptions::default() };
    let samples = samples(&framed, &options, &Interruption::default()).expect("inputs");
    assert_eq!(samples.counts(), [10, 10], "{:?}", samples.origins);
    let by = |origin: InputOrigin| samples.origins.iter().filter(|o| **o == origin).count();
    assert!(by(InputOrigin::Random) >= 10 && by(InputOrigin::Path) > 0, "{:?}", samples.origins);
    let again = dodona_frames::samples(&framed, &options, &Interruption::default()).expect("inputs");
    assert_eq!((samples.columns, samples.origins), (again.columns, again.origins));
}

#[test]
fn pairs_are_told_one_by_one_and_counted() {
    let subject = Subject::new(MODULE, MANIFEST, FRAMES);
    let mut told = Vec::new();
    let found = identify(&subject.open(), &options(2_000), &Interruption::default(), &mut |pair| {
        told.push(pair);
    })
    .expect("it runs");
    let proposed: Vec<&CandidatePair> = told.iter().filter(|pair| !pair.proposed.is_empty()).collect();
    assert_eq!(proposed.len() as u64, found.record.pair_relations);
    let older = |pair: &&CandidatePair| pair.from.starts_with("age.young") && pair.to.starts_with("age.old");
    let older = proposed.into_iter().find(older).expect("from young to old");
    assert_eq!((&older.from[..], &older.output[..]), ("age.young -> fee.none", "out"));
    assert!(older.given.starts_with("of fee: when ") && older.given.ends_with(" expect"), "{older:?}");
    assert!(older.source.starts_with("age = ") && older.source_output == "0", "{older:?}");
    // From young to old and back.
    assert!(found.record.pairs >= 2, "{}", found.record.pairs);
}

/// An output that a single input gives is one that no random input shows. Symbolic execution finds it, and `frames`, `identify` and the requirements of
/// suites count the same input-and-output frames.
#[test]
fn an_output_of_a_single_input_is_found_and_counted_everywhere() {
    let below = format!("{FRAMES}below = \"result < 0\"\nhuge = \"result > 100000000\"\n")
        .replace("result > 0", "result > 0 and result <= 100000000");
    let subject = Subject::new(MODULE, MANIFEST, &below);
    let framed = subject.open();
    let samples = samples(&framed, &FramesOptions::default(), &Interruption::default()).expect("inputs");
    let record = frames_record(&framed, &samples, Seed(0));
    let scenarios: Vec<&Vec<String>> = record.frames.iter().map(|frame| &frame.scenarios).collect();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    assert_eq!(scenarios, [&words(&["fee.none"]), &words(&["fee.below", "fee.none", "fee.some"])]);
    assert!(record.open.is_empty(), "no input gives a huge fee, which is proved: {:?}", record.open);
    let none: Vec<Column> = samples.columns.iter().map(|column| column.select(&[])).collect();
    let asked = requirements(&framed, &samples, FrameCriterion::IoFrame, &none).expect("it runs");
    let below = asked.requirements.names.iter().position(|name| name == "age.old -> fee.below");
    let shown = asked.shown[below.expect("it is required")].as_ref().expect("an input shows it");
    assert_eq!(dodona_records::Binding::list(shown), "age = 777");
    assert!(asked.open.is_empty());
    let identified = identified(&framed, &options(2_000));
    let counts = (record.io_frames(), identified.frames.io_frames(), asked.requirements.names.len());
    assert_eq!(counts, (4, 4, 4));
}

/// What the solver cannot say of outputs is named; scenarios require what they state, whether or not an input shows it.
#[test]
fn outputs_of_which_nobody_knows_are_named() {
    let module = r#"(module (func (export "fee") (param $age i32) (result i32) (local $i i32)
        (loop $again
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $i) (i32.and (local.get $age) (i32.const 0xffff)))))
        (i32.lt_s (local.get $age) (i32.const 60))))"#;
    let frames = r#"
scenarios = ["age.old implies fee.much"]
[input.age]
young = "age < 60"
old = "age >= 60"
[output.fee]
none = "result == 0"
one = "result == 1"
much = "result > 1"
"#;
    let subject = Subject::new(module, MANIFEST, frames);
    let framed = subject.open();
    let bounds = dodona_generation::Bounds {
        step: dodona_generation::StepLimits { loop_bound: 8, ..Default::default() },
        ..Default::default()
    };
    let search = SearchOptions { bounds, ..SearchOptions::default() };
    let options = FramesOptions { search, ..FramesOptions::default() };
    let samples = samples(&framed, &options, &Interruption::default()).expect("inputs");
    let record = frames_record(&framed, &samples, Seed(0));
    assert!(
        record.open.iter().any(|open| open.outputs == "fee.much" && open.frames == 2),
        "{:?}",
        record.open
    );
    assert!(record.misfits.iter().any(|misfit| misfit.what.contains("which the scenarios exclude")));
    let asked = requirements(&framed, &samples, FrameCriterion::IoFrame, &samples.columns).expect("it runs");
    let stated = asked.requirements.names.iter().position(|name| name == "age.old -> fee.much");
    assert_eq!(asked.shown[stated.expect("the scenarios state it")], None);
    assert!(
        asked.open.iter().any(|open| open.contains("2 further frames give fee.much")),
        "{:?}",
        asked.open
    );
}

#[test]
fn the_real_fault_of_the_lexer_violates_relations_that_the_right_one_shows() {
    let lexer = subjects().join("specification/lexer");
    let record = identified(&open(&lexer), &options(5_000));
    assert_eq!(violated(&lexer, &record, 9, 5_000), Vec::<String>::new());
    let found = violated(&lexer.join("faulty"), &record, 9, 5_000);
    assert!(found.iter().any(|name| name == "text_append_same"), "{found:?}");
}

/// What was not judged in time is not listed, and that is said; it is no error.
#[test]
fn without_time_there_are_no_relations_and_a_word_about_it() {
    let search = SearchOptions { time: Some(Duration::ZERO), ..SearchOptions::default() };
    let frames = FramesOptions { search, ..FramesOptions::default() };
    let lexer = open(&subjects().join("specification/lexer"));
    let record = identified(&lexer, &IdentifyOptions { frames, ..options(1_000) });
    assert!(record.relations.is_empty(), "{:?}", record.relations);
    assert!(
        record.frames.warnings.iter().any(|words| words.contains("--time")),
        "{:?}",
        record.frames.warnings
    );
}

/// A command ends with an exit code, and that is no failure.
#[test]
fn a_command_has_outputs() {
    let tokens = subjects().join("tokens");
    let frames = r#"
        [input.text]
        empty = "len(text) == 0"
        some = "len(text) > 0"
        [output.exit]
        good = "result.exit == 0"
        bad = "result.exit != 0"
        [output.tokens]
        none = "len(result.stdout) == 0"
        some = "len(result.stdout) > 0""#;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("frames.toml");
    std::fs::write(&file, frames).expect("written");
    let workbench =
        Arc::new(dodona_wasm::open(Manifest::find(&tokens).expect("a manifest")).expect("a subject"));
    let framed = Framed::open(&workbench, Some(&file), None).expect("the file is right");
    let record = record(&framed);
    assert!(record.io_frames() >= 2, "{record:?}");
    assert!(record.warnings.iter().all(|words| !words.contains("no output")), "{:?}", record.warnings);
    let relations = identified(&framed, &options(2_000)).relations;
    assert!(relations.iter().any(|relation| relation.text.contains("out.stdout")), "{relations:?}");
}

/// What fails only at the least number or at one of 64 bits is met by no random input.
#[test]
fn relations_are_put_to_the_extremes_of_a_type() {
    let module = r#"(module (func (export "fee") (param $age i64) (result i32)
        (if (i64.eq (local.get $age) (i64.const -9223372036854775808)) (then (return (i32.const 2))))
        (i64.le_s (local.get $age) (i64.const -9223372036854775111))))"#;
    let manifest =
        "name = \"fee\"\nmodule = \"fee.wat\"\n[[function]]\nsignature = \"fee(age: i64) -> i32\"\n";
    let frames = r#"
        [input.age]
        low = "age <= -9223372036854775111"
        high = "age > -9223372036854775111"
        [output.fee]
        none = "result == 0"
        some = "result > 0""#;
    let record = identified(&Subject::new(module, manifest, frames).open(), &options(20_000));
    assert!(!record.relations.is_empty());
    for wrong in [
        // Wrong for half of the least number.
        "given age' = 2 * age expect out' <= 1",
        "fee: given age' = 2 * age expect",
        // Wrong for -9223372036854775111, which no float is.
        "fee: given age' = age + 1 expect out' == out",
        "fee: given age' = age - 1 expect out' == out",
    ] {
        assert!(record.relations.iter().all(|r| !r.text.contains(wrong)), "{:?}", record.relations);
    }
}

/// Of two inputs of one choice the order of choices says nothing.
#[test]
fn what_stays_in_a_frame_is_not_stated() {
    let module = r#"(module (func (export "fee") (param $age i32) (result i32)
        (if (i32.lt_s (local.get $age) (i32.const 60)) (then (return (i32.div_s (local.get $age) (i32.const 7)))))
        (if (i32.gt_s (local.get $age) (i32.const 150)) (then (return (i32.div_s (i32.sub (i32.const 200) (local.get $age)) (i32.const 7)))))
        (i32.sub (i32.const 1000) (i32.div_s (local.get $age) (i32.const 7)))))"#;
    let frames = r#"
        scenarios = ["age.young implies fee.low", "age.old implies fee.high"]
        [input.age]
        young = "age < 60"
        old = "age >= 60"
        [output.fee]
        low = "result < 9"
        high = "result >= 9"
        [order]
        fee = ["low", "high"]"#;
    let manifest = MANIFEST.replace("1000000", "200");
    let record = identified(&Subject::new(module, &manifest, frames).open(), &options(20_000));
    let text = "when age < 60: given age' = age + 1 expect out' >= out";
    let found = record.relations.iter().find(|relation| relation.text.contains(text));
    let found = found.unwrap_or_else(|| panic!("{:?}", record.relations));
    assert!(!found.stated, "{found:?}");
}

/// The time ends while something is called: what was found before is told.
#[test]
fn when_the_time_is_up_within_a_call_the_rest_is_told() {
    let module = r#"(module (func (export "fee") (param $age i32) (result i32) (local $i i32)
        (local.set $i (i32.const 3000))
        (loop $again
            (local.set $i (i32.sub (local.get $i) (i32.const 1)))
            (br_if $again (i32.gt_s (local.get $i) (i32.const 0))))
        (i32.ge_s (local.get $age) (i32.const 60))))"#;
    let framed = Subject::new(module, MANIFEST, FRAMES).open();
    let search = SearchOptions { time: Some(Duration::from_millis(700)), ..SearchOptions::default() };
    let frames = FramesOptions { search, ..FramesOptions::default() };
    let record = identified(&framed, &IdentifyOptions { frames, ..options(2_000_000) });
    let warnings = record.frames.warnings.join("; ");
    assert!(warnings.contains("was up before"), "{warnings}");
}

/// The technique `frames`: the first input of each frame, then the second of each; what is wrong with the file is said.
#[test]
fn frames_are_a_technique_of_making_inputs() {
    let subject = Subject::new(MODULE, MANIFEST, FRAMES);
    let framed = subject.open();
    let made = |count: Option<usize>| {
        let options = GenerateOptions {
            technique: Technique::Frames,
            count,
            frames: Some(frame_maker(&framed.workbench)),
            ..GenerateOptions::default()
        };
        generate(
            &dodona_wasm::of(&framed.workbench).expect("a module"),
            0,
            &options,
            &Interruption::default(),
        )
    };
    let young = |made: &Generated| -> Vec<bool> {
        let Column::Int(ages) = &made.columns[0] else { panic!("{:?}", made.columns) };
        ages.iter().map(|age| *age < 60).collect()
    };
    let all = made(None).expect("inputs");
    assert_eq!(young(&all).iter().filter(|young| **young).count(), 10);
    assert_eq!(all.coverage.len(), 20);
    let some = made(Some(3)).expect("inputs");
    assert_eq!(young(&some), [true, false, true]);
    assert_eq!(some.record.technique, "frames");
    std::fs::write(subject.folder.path().join("frames.toml"), FRAMES.replace("age >= 60", "age > 60"))
        .expect("written");
    let wrong = made(None).expect("inputs");
    assert!(
        wrong.record.remarks().iter().any(|words| words.contains("no choice of `age` fits")),
        "{:?}",
        wrong.record
    );
    std::fs::remove_file(subject.folder.path().join("frames.toml")).expect("removed");
    let missing = made(None).err().map(|error| error.to_string()).expect("there is no file");
    assert!(missing.contains("frames.toml does not exist"), "{missing}");
}

#[test]
fn a_file_about_another_function_is_shown() {
    let subject = Subject::new(MODULE, MANIFEST, &format!("function = \"fees\"\n{FRAMES}"));
    let manifest = Manifest::find(subject.folder.path()).expect("a manifest");
    let workbench = Arc::new(dodona_wasm::open(manifest).expect("a subject"));
    let problem = |function: Option<&str>| match Framed::open(&workbench, None, function) {
        Err(LabError::Relations { text, problems, .. }) => {
            (text[problems[0].span.clone()].to_owned(), problems[0].message.clone())
        }
        _ => panic!("the file is wrong"),
    };
    let (place, message) = problem(None);
    assert_eq!(place, "\"fees\"");
    assert!(message.contains("did you mean `fee`?"), "{message}");
    let (place, message) = problem(Some("fee"));
    assert_eq!(
        (place.as_str(), message.as_str()),
        ("\"fees\"", "this file is about `fees`, and `fee` is asked for")
    );
}
