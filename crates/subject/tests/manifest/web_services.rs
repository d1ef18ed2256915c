//! `[target] http`: web services.

use dodona_subject::{
    Found, FoundBy, FoundIn, HttpBody, HttpReset, HttpSecret, HttpService, JsonTemplate, Manifest,
    ModuleSource, Outside, OutsideKind, ResetBefore, Template, TemplatePart,
};

use super::{parse, problem};

fn service(manifest: &Manifest) -> &HttpService {
    let ModuleSource::Outside(Outside { kind: OutsideKind::Http(service), .. }) = &manifest.source else {
        panic!("{:?}", manifest.source)
    };
    service
}

fn plain(text: &str) -> TemplatePart {
    TemplatePart::Text(text.to_owned())
}

const HTTP: &str = "[target]\nhttp = \"http://127.0.0.1:8000\"\n";
const ITEM: &str = "[[function]]\nsignature = \"item(id: i32, q: text) -> f64\"\n";

#[test]
fn a_request_has_the_values_of_parameters_in_it() {
    let manifest = parse(
        "[target]\nhttp = \"http://127.0.0.1:8000/api/\"\nrate = 20\nreset = \"POST /reset\"\nheaders = { Accept = \"a\", x-b = \"b\" }\n\
         secrets = { Authorization = \"Bearer ${TOKEN}\", X-Key = \"KEY\" }\n[[function]]\nsignature = \"f(x: i32, t: text, xs: [f64]) -> [f64]\"\n\
         request = \"PUT /a/{x}/b\"\nquery = { all = \"{xs...}\" }\nheaders = { X-B = \"{t}\" }\njson = { x = \"{x}\", l = [\"a{t}\", 1, true] }\n\
         output = { json = \"/items/*/price\" }\noutputs.n = { type = \"i32\", header = \"X-Total\" }\n",
    );
    let service = service(&manifest);
    assert_eq!((service.base.as_str(), service.rate), ("http://127.0.0.1:8000/api", Some(20.0)));
    let secret = |header: &str, before: &str, variable: &str| HttpSecret {
        header: header.into(),
        before: before.into(),
        variable: variable.into(),
        after: String::new(),
    };
    assert_eq!(service.secrets, [secret("Authorization", "Bearer ", "TOKEN"), secret("X-Key", "", "KEY")]);
    let reset = HttpReset { method: "POST".into(), path: "/reset".into(), before: ResetBefore::Call };
    assert_eq!(service.reset, Some(reset));
    let [call] = service.calls.as_slice() else { panic!("one function") };
    assert_eq!(call.request.method, "PUT");
    assert_eq!(call.request.path.parts, [plain("/a/"), TemplatePart::Parameter(0), plain("/b")]);
    assert_eq!(call.request.query, [("all".to_owned(), Template { parts: vec![TemplatePart::Words(2)] })]);
    let headers: Vec<&str> = call.request.headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(headers, ["Accept", "X-B"]);
    let list = JsonTemplate::List(vec![
        JsonTemplate::Text(Template { parts: vec![plain("a"), TemplatePart::Parameter(1)] }),
        JsonTemplate::Fixed(1.into()),
        JsonTemplate::Fixed(true.into()),
    ]);
    let json = JsonTemplate::Object(vec![("l".into(), list), ("x".into(), JsonTemplate::Parameter(0))]);
    assert_eq!(call.request.body, HttpBody::Json(json));
    let found = |place, how| Found { place, how };
    assert_eq!(
        call.found,
        [
            found(FoundIn::Body, FoundBy::Json("/items/*/price".into())),
            found(FoundIn::Header("X-Total".into()), FoundBy::Whole)
        ]
    );
    // A text in a header has visible characters of ASCII alone.
    let alphabet = manifest.functions[0].parameters[1].domain.alphabet.as_deref().expect("an alphabet");
    assert_eq!((alphabet.len(), alphabet[0], alphabet[94]), (95, ' ', '~'));
}

#[test]
fn a_setup_has_requests_before_that_of_the_call() {
    let manifest = parse(&format!(
        "{HTTP}[[function]]\nsignature = \"f(t: text) -> text\"\nrequest = \"GET /items/{{id}}\"\noutput = {{ json = \"/*/t\" }}\noutputs.n = {{ type = \"i32\", json = \"/n\" }}\n\
         setup = [\n  {{ request = \"GET /items\", outputs.before = {{ type = \"i32\", json = \"/n\" }} }},\n  \
         {{ request = \"POST /items\", json = {{ t = \"{{t}}\" }}, keep.id = {{ json = \"/id\" }}, outputs.made = {{ type = \"i32\", status = true }} }},\n]\n"
    ));
    let [call] = service(&manifest).calls.as_slice() else { panic!("one function") };
    assert_eq!(call.request.path.parts, [plain("/items/"), TemplatePart::Parameter(1)]);
    let methods: Vec<&str> = call.requests().map(|request| request.method.as_str()).collect();
    assert_eq!(methods, ["GET", "POST", "GET"]);
    let by_id = Found { place: FoundIn::Body, how: FoundBy::Json("/id".into()) };
    let [kept] = call.setup[1].kept.as_slice() else { panic!("one value") };
    assert_eq!((kept.name.as_str(), kept.ty, &kept.found), ("id", dodona_target::Type::Text, &by_id));
    let names: Vec<Option<&str>> =
        manifest.functions[0].outputs.iter().map(|output| output.name.selector()).collect();
    assert_eq!(names, [None, Some("n"), Some("before"), Some("made")]);
}

#[test]
fn a_mistake_in_a_setup_is_told_at_its_place() {
    let of =
        |setup: &str| problem(&format!("{HTTP}{ITEM}request = \"GET /{{id}}/{{q}}\"\nsetup = [{setup}]\n"));
    let said = |setup: &str, message: &str, at: &str| {
        let (found, place, _) = of(setup);
        assert_eq!((found.as_str(), place.as_str()), (message, at), "{setup}");
    };
    said("{ query = { a = \"b\" } }", "this step has no request", "{ query = { a = \"b\" } }");
    said("{ request = \"POST /{x}\" }", "`x` is no parameter of this function", "x");
    said(
        "{ request = \"POST /\", keep.q = { json = \"/q\" } }",
        "`q` cannot be the name of what is kept",
        "q",
    );
    said(
        "{ request = \"POST /\", keep.a = { jsn = \"/q\" } }, { request = \"POST /{a}\" }",
        "unknown key `jsn` in an output",
        "jsn",
    );
    said("{ request = \"POST /\", sleep = 1 }", "unknown key `sleep` in a step of a setup", "sleep");
    let hidden = "[target]\nhttp = \"http://127.0.0.1:1\"\nsecrets = { X-Key = \"KEY\" }\n[[function]]\nsignature = \"f() -> http\"\nrequest = \"GET /\"\n\
        setup = [{ request = \"GET /\", headers = { x-key = \"1\" } }]\n";
    assert_eq!(problem(hidden).0, "`x-key` is among `secrets` too");
    let listed = "{ request = \"POST /\", keep.a = { json = \"/*/a\" } }, { request = \"POST /{a}\" }";
    assert_eq!(of(listed).0, "`*` finds several values, and a text is one");
    let kept = "{ request = \"POST /\", keep.a = { json = \"/a\" } }";
    assert_eq!(of(kept).0, "no request takes `a`, which its setup keeps");
    let twice = "{ request = \"GET /\", outputs.a = { type = \"i32\", json = \"/a\" } }";
    said(&format!("{twice}, {twice}"), "`a` cannot be the name of an output", "a");
}

#[test]
fn an_answer_has_a_status_and_a_body() {
    let manifest = parse(&format!("{HTTP}[[function]]\nsignature = \"f() -> http\"\nrequest = \"GET /\"\n"));
    assert_eq!(service(&manifest).calls[0].found, Found::of_answer());
    let names: Vec<Option<&str>> =
        manifest.functions[0].outputs.iter().map(|output| output.name.selector()).collect();
    assert_eq!(names, [Some("status"), Some("body")]);
}

#[test]
fn a_mistake_in_a_request_is_told_at_its_place() {
    let of = |function: &str| problem(&format!("{HTTP}{ITEM}{function}\n"));
    let (message, at, hint) = of("request = \"GET /{idd}\"\nquery = { q = \"{q}\" }");
    assert_eq!(
        (message.as_str(), at.as_str(), hint.as_str()),
        ("`idd` is no parameter of this function", "idd", "did you mean {id}?")
    );
    let (message, at, _) = of("request = \"POST /{id}\"\njson = { a = [{ b = \"{Q}\" }] }");
    assert_eq!((message.as_str(), at.as_str()), ("`Q` is no parameter of this function", "Q"));
    let said = |function: &str, message: &str| assert_eq!(of(function).0, message, "{function}");
    said("", "this function has no request");
    said("request = \"GET /{id}\"", "nothing of the request takes `q`");
    said("request = \"FETCH /{id}{q}\"", "`FETCH` is no method of a request");
    said("request = \"/{id}{q}\"", "a request is a method and a path");
    said("request = \"{id}{q}\"", "a request begins with its method");
    said("request = \"GET {id}{q}\"", "the path of a request begins with `/`");
    said("request = \"GET /a b{id}{q}\"", "` ` cannot stand in a path");
    said("request = \"GET /{id}\"\njson = \"{q}\"", "a GET request has no body");
    said("request = \"POST /{id}\"\njson = \"{q}\"\nform = { q = \"{q}\" }", "a request has one body");
    said("request = \"GET /{id}{q}\"\nheaders = { Host = \"a\" }", "`Host` is written by Dodona itself");
    said("request = \"GET /{id}{q}\"\nheaders = { \"a b\" = \"a\" }", "`a b` is no name of a header");
    said("request = \"GET /{id}{q}\"\nstdin = \"{q}\"", "`stdin` has no effect here: [target] is a `http`");
    let request = "request = \"GET /{id}{q}\"\n";
    let found = |output: &str| of(&format!("{request}output = {output}"));
    assert_eq!(found("{ json = \"/a/*\" }").0, "`*` finds several values, and a f64 is one");
    assert_eq!(found("{ header = \"a:\" }").0, "`a:` is no name of a header");
    assert_eq!(found("{ status = true, json = \"/a\" }").0, "the status is a whole number");
    assert_eq!(found("{ hedaer = \"a\" }").2, "did you mean `header`?");
    let (message, _, hint) = of(&format!("{request}headers = {{ Authorization = \"env:TOKEN\" }}"));
    assert_eq!(message, "a header from the environment stands under `secrets`");
    assert!(hint.contains("secrets = { Authorization = \"API_TOKEN\" }"), "{hint}");
}

#[test]
fn a_mistake_in_a_service_is_told_at_its_place() {
    let of = |target: &str| problem(&format!("[target]\n{target}\n{ITEM}request = \"GET /{{id}}{{q}}\"\n"));
    let said = |target: &str, message: &str| assert_eq!(of(target).0, message, "{target}");
    said("http = \"127.0.0.1:8000\"", "this is no address of a web service");
    said("http = \"http://\"", "the address names no host");
    said("http = \"http://a:b\"", "the address names no host");
    said("http = \"http://a/?x=1\"", "the address is a host and a path");
    let (message, _, hint) = of("http = \"http://me:secret@a\"");
    assert_eq!(message, "an address has no user and password in a manifest");
    assert!(hint.contains("secrets"), "{hint}");
    let address = "http = \"http://a\"\n";
    let with = |key: &str| of(&format!("{address}{key}"));
    assert_eq!(with("rate = 0").0, "a rate is a number of requests in a second, above 0");
    assert_eq!(with("reset = \"POST reset\"").0, "the path of a request begins with `/`");
    assert_eq!(with("reset = { request = \"POST /r\", before = \"row\" }").0, "`row` is no time of a reset");
    assert_eq!(with("reset = { before = \"call\" }").0, "this reset has no request");
    let (message, _, hint) = with("secrets = { Authorization = \"Bearer abc-def\" }");
    assert_eq!(message, "this names no variable of the environment");
    assert!(!message.contains("abc-def") && !hint.contains("abc-def"), "{message} {hint}");
    assert_eq!(
        with("secrets = { X-A = \"A\" }\nheaders = { x-a = \"b\" }").0,
        "`x-a` is among `secrets` too"
    );
    assert_eq!(with("pass = [\"HOME\"]").0, "`pass` has no effect here: [target] is a `http`");
    assert_eq!(with("retae = 3").2, "did you mean `rate`?");
    let other = problem("[target]\npython = \"m\"\n[[function]]\nsignature = \"f(x: i32) -> http\"\n");
    assert_eq!(other.0, "`-> http` is the answer of a web service, and [target] is a `python`");
    let other = problem(
        "[target]\ncommand = [\"a\", \"{x}\"]\n[[function]]\nsignature = \"f(x: i32) -> i32\"\nquery = { a = \"b\" }\n",
    );
    assert_eq!(other.0, "`query` has no effect here: [target] is a `command`");
    let module = "module = \"a.wasm\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\nrequest = \"GET /\"\n";
    let (message, _, hint) = problem(module);
    assert_eq!(message, "`request` has no effect on a module");
    assert!(hint.contains("http = "), "{hint}");
}
