//! `[target]`: programs and workers.

use dodona_subject::{
    CommandCall, Found, FoundBy, FoundIn, Manifest, ModuleSource, Outside, OutsideKind, Template,
    TemplatePart, WorkerLanguage, WorkerSource,
};

use super::{parse, problem};

fn outside(manifest: &Manifest) -> &Outside {
    let ModuleSource::Outside(outside) = &manifest.source else { panic!("{:?}", manifest.source) };
    outside
}

fn calls(manifest: &Manifest) -> &[CommandCall] {
    let OutsideKind::Command(calls) = &outside(manifest).kind else { panic!("a command") };
    calls
}

fn worker(manifest: &Manifest) -> &WorkerSource {
    let OutsideKind::Worker(worker) = &outside(manifest).kind else { panic!("a worker") };
    worker
}

const PRICE: &str = "[[function]]\nsignature = \"price(strike: f64, vol: f64) -> f64\"\n";

#[test]
fn words_of_a_command_have_the_values_of_parameters_in_them() {
    let text = format!(
        "[target]\ncommand = [\"price\", \"{{strike}}\", \"--vol={{vol}}\", \"{{{{}}}}\"]\nenvironment = {{ TZ = \"UTC\" }}\npass = [\"HOME\"]\n{PRICE}"
    );
    let manifest = parse(&text);
    assert_eq!(outside(&manifest).environment, [("TZ".to_owned(), "UTC".to_owned())]);
    assert_eq!(outside(&manifest).passed, ["HOME"]);
    let [call] = calls(&manifest) else { panic!("one function") };
    let text = |text: &str| TemplatePart::Text(text.to_owned());
    let parts: Vec<Vec<TemplatePart>> = call.words.iter().map(|word| word.parts.clone()).collect();
    assert_eq!(
        parts,
        [
            vec![text("price")],
            vec![TemplatePart::Parameter(0)],
            vec![text("--vol="), TemplatePart::Parameter(1)],
            vec![text("{}")]
        ]
    );
    assert_eq!(call.found, [Found { place: FoundIn::Stdout, how: FoundBy::Whole }]);
}

#[test]
fn functions_have_commands_inputs_and_outputs_of_their_own() {
    let manifest = parse(
        "[target]\ncommand = [\"a\", \"{x}\"]\n[[function]]\nsignature = \"f(x: i32) -> i32\"\noutput = { pattern = \"= (.*)\" }\n\
         [[function]]\nsignature = \"g(xs: [f64], t: text) -> command\"\ncommand = [\"b\", \"{xs...}\"]\nstdin = \"{t}\"\nfiles = { \"in.csv\" = \"x\\n{xs}\" }\n\
         outputs.total = { type = \"f64\", file = \"out.json\", json = \"/total\" }\n",
    );
    let [f, g] = calls(&manifest) else { panic!("two functions") };
    assert_eq!(f.found[0].how, FoundBy::Pattern("= (.*)".into()));
    assert_eq!(g.words[1], Template { parts: vec![TemplatePart::Words(0)] });
    assert_eq!(g.stdin.parts, [TemplatePart::Parameter(1)]);
    assert_eq!(g.files[0].0, "in.csv");
    let names: Vec<Option<&str>> =
        manifest.functions[1].outputs.iter().map(|output| output.name.selector()).collect();
    assert_eq!(names, [Some("stdout"), Some("stderr"), Some("exit"), Some("total")]);
    let total = Found { place: FoundIn::File("out.json".into()), how: FoundBy::Json("/total".into()) };
    assert_eq!(g.found[3], total);
}

#[test]
fn a_worker_calls_functions_by_the_names_that_they_have_there() {
    let manifest = parse(&format!(
        "[target]\npython = \"pricing\"\n{PRICE}[[function]]\nsignature = \"q(x: f64) -> (f64, Option<text>)\"\npath = \"other.part:Q\"\n"
    ));
    let source = worker(&manifest);
    assert_eq!(
        (source.language, source.command.as_slice()),
        (WorkerLanguage::Python, &["python3".to_owned()][..])
    );
    assert_eq!(source.names, ["pricing:price", "other.part:Q"]);
    assert_eq!(source.shapes[1].as_ref().map(|shape| shape.outputs().len()), Some(3));
    let manifest = parse(&format!(
        "[target]\npython = \"pricing:black_scholes\"\ninterpreter = \".venv/bin/python\"\n{PRICE}"
    ));
    assert_eq!(worker(&manifest).names, ["pricing:black_scholes"]);
    assert_eq!(worker(&manifest).command, [".venv/bin/python"]);
    let manifest = parse(&format!(
        "[target]\nworker = [\"./w\", \"-x\"]\n[limits]\ntime = 0.5\noutput = \"2 MiB\"\n{PRICE}"
    ));
    assert_eq!(
        (worker(&manifest).names.as_slice(), manifest.limits.output),
        (&["price".to_owned()][..], 2 << 20)
    );
    assert_eq!(manifest.limits.time.as_millis(), 500);
}

#[test]
fn a_mistake_in_a_target_is_told_at_its_place() {
    let of = |target: &str| problem(&format!("[target]\n{target}\n{PRICE}"));
    let (message, at, hint) = of("command = [\"price\", \"{strik}\", \"{vol}\"]");
    assert_eq!(
        (message.as_str(), at.as_str(), hint.as_str()),
        ("`strik` is no parameter of this function", "strik", "did you mean {strike}?")
    );
    let (message, at, _) = of("command = [\"price\", \"{strike\", \"{vol}\"]");
    assert_eq!((message.as_str(), at.as_str()), ("this `{` has no other one", "{"));
    let (message, _, hint) = of("command = [\"price\", \"{strike}\"]");
    assert_eq!(
        (message.as_str(), hint.starts_with("write {vol} in a word")),
        ("nothing that is run takes `vol`", true)
    );
    assert_eq!(of("command = []").0, "no program is named");
    assert_eq!(
        of("command = [\"a\", \"{strike}\", \"{vol}\"]\npython = \"p\"").0,
        "[target] has two kinds of target"
    );
    assert_eq!(of("comand = [\"a\"]").0, "`comand` is not a kind of target");
    assert_eq!(
        of("command = [\"a\", \"{strike}{vol...}\"]").0,
        "what becomes several words stands alone in its word"
    );
    let of_output = |output: &str| {
        problem(&format!("[target]\ncommand = [\"a\", \"{{strike}}\", \"{{vol}}\"]\n{PRICE}{output}\n"))
    };
    assert!(of_output("output = { pattern = \"(\" }").0.starts_with("this is no regular expression"));
    assert_eq!(of_output("output = { json = \"a\" }").2, "write json = \"/a\"");
    assert_eq!(of_output("output = { json = \"/a\", column = \"b\" }").0, "an output is found in one way");
    assert_eq!(
        of_output("output = [{ json = \"/a\" }, { json = \"/b\" }]").0,
        "a call has 1 values, and 2 are looked for"
    );
    assert_eq!(of_output("output = { jsn = \"/a\" }").2, "did you mean `json`?");
    assert_eq!(
        of_output("output = { file = \"../a\" }").0,
        "this is no name of a file in the working directory"
    );
    assert_eq!(of_output("outputs.a = { json = \"/a\" }").0, "this output has no type");
    let module =
        problem("module = \"a.wasm\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\nstdin = \"{x}\"\n");
    assert_eq!(module.0, "`stdin` has no effect on a module");
    let python = problem("[target]\npython = \"m\"\n[[function]]\nsignature = \"f(x: i32) -> command\"\n");
    assert_eq!(python.0, "a worker calls functions, and this signature is of a command");
}
