//! Calls of several requests.

use std::sync::{Arc, Mutex};

use super::*;

/// A column of these texts.
fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Column {
    let mut column = Column::empty(dodona_target::Type::Text);
    texts.into_iter().for_each(|one| column.push(&text(one)));
    column
}

/// A service that keeps texts, each under a number: POST adds one, DELETE takes one away.
fn shelf() -> Server {
    let kept: Arc<Mutex<Vec<(usize, String)>>> = Arc::default();
    let next = Mutex::new(7);
    Server::new(move |request| {
        let mut kept = kept.lock().expect("nobody panicked");
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/items") => {
                let items: Vec<_> =
                    kept.iter().map(|(id, t)| serde_json::json!({"id": id, "t": t})).collect();
                ok(serde_json::Value::from(items).to_string())
            }
            ("POST", "/items") => {
                let sent: serde_json::Value = serde_json::from_slice(&request.body).expect("JSON");
                let text = sent["t"].as_str().unwrap_or_default().to_owned();
                if text.is_empty() {
                    return answer(422, "", "no text");
                }
                let mut next = next.lock().expect("nobody panicked");
                *next += 1;
                kept.push((*next, text));
                answer(201, "", format!("{{\"made\": {{\"id\": {next}}}}}"))
            }
            ("DELETE", path) => {
                kept.retain(|(id, _)| !path.ends_with(&format!("/{id}")));
                answer(204, "", "")
            }
            _ => answer(404, "", "nothing here"),
        }
    })
}

const ADDED_AND_TAKEN: &str = r#"
signature = "added(t: text) -> text"
setup = [
  { request = "GET /items", outputs.before = { type = "text", json = "/*/t" } },
  { request = "POST /items", json = { t = "{t}" }, keep.id = { json = "/made/id" } },
  { request = "GET /items", outputs.between = { type = "text", json = "/*/t" } },
  { request = "DELETE /items/{id}" },
]
request = "GET /items"
output = { json = "/*/t" }
"#;

#[test]
fn a_call_is_what_is_there_after_its_setup() {
    let server = shelf();
    let mut session = session(&server, "", ADDED_AND_TAKEN);
    let column = vec![texts(["a", "", "b"])];
    let calls = call(&mut session, &column);
    assert_eq!(calls.outcomes, [Outcome::Returned, Outcome::Trapped(Trap::Status(422)), Outcome::Returned]);
    // The own output, then those of the setup in order.
    let row = |row: usize| -> Vec<Value> { calls.outputs.iter().map(|column| column.value(row)).collect() };
    assert_eq!(row(0), [text(""), text(""), text("a\n")]);
    assert_eq!(row(2), [text(""), text(""), text("b\n")]);
    let why = session.why(0, &[column[0].select(&[1])], calls.outcomes[1]);
    assert_eq!(why.message.as_deref(), Some("step 2 of its setup, POST: no text"));
    let paths: Vec<String> =
        server.requests().into_iter().filter(|r| r.method == "DELETE").map(|r| r.path).collect();
    assert_eq!(paths, ["/items/8", "/items/9"]);
}

#[test]
fn a_step_whose_status_is_an_output_may_have_any() {
    let server = shelf();
    let function = ADDED_AND_TAKEN.replace(
        ", keep.id = { json = \"/made/id\" }",
        ", outputs.status = { type = \"i32\", status = true }",
    );
    let function = function.replace("  { request = \"DELETE /items/{id}\" },\n", "");
    let mut session = session(&server, "", &function);
    let calls = call(&mut session, &row(&[text("")], &["text"]));
    assert_eq!(calls.outcomes, [Outcome::Returned]);
    assert!(calls.outputs.iter().any(|column| column.value(0) == Value::Int(422)), "{}", calls.told(0));
}

#[test]
fn what_a_step_keeps_has_to_be_there() {
    let server = shelf();
    let mut session = session(&server, "", &ADDED_AND_TAKEN.replace("/made/id", "/id"));
    let arguments = row(&[text("a")], &["text"]);
    let calls = call(&mut session, &arguments);
    assert_eq!(calls.outcomes, [Outcome::Malformed(Malformed::Absent)]);
    let message = session.why(0, &arguments, calls.outcomes[0]).message.expect("a message");
    assert!(message.starts_with("step 2 of its setup, POST: the body has no text at \"/id\""), "{message}");
    assert!(!server.requests().iter().any(|request| request.method == "DELETE"));
}

#[test]
fn setups_of_several_threads_do_not_mix() {
    let server = shelf();
    let target = reach(&server.base, "", &format!("[[function]]\n{ADDED_AND_TAKEN}")).expect("it is there");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let all: Vec<String> = (0..20).map(|i| format!("t{i}")).collect();
                let column = texts(all.iter().map(String::as_str));
                let calls = target.open().call(0, &[column]).expect("calls are made");
                for row in 0..20 {
                    assert_eq!(calls.outputs[1].value(row), text(""), "before");
                    assert_eq!(calls.outputs[2].value(row), text(&format!("t{row}\n")), "between");
                }
            });
        }
    });
}

#[test]
fn a_number_that_is_kept_is_sent_as_a_number_and_no_header_ends_the_session() {
    let server = Server::new(|request| match request.path.as_str() {
        "/first" => ok(r#"{"n": 7, "t": "a\nb"}"#),
        _ => ok(format!("{{\"y\": {}}}", usize::from(request.text() == r#"{"n":7}"#))),
    });
    let function = |keep: &str, sends: &str| {
        format!(
            "signature = \"f() -> f64\"\nsetup = [{{ request = \"GET /first\", keep.k = {keep} }}]\nrequest = \"POST /second\"\n{sends}\noutput = {{ json = \"/y\" }}"
        )
    };
    let number = function("{ type = \"i64\", json = \"/n\" }", "json = { n = \"{k}\" }");
    let calls = call(&mut session(&server, "", &number), &[]);
    assert_eq!(calls.told(0), "1.0");
    let header = function("{ json = \"/t\" }", "headers = { X-K = \"{k}\" }");
    let mut session = session(&server, "", &header);
    let calls = call(&mut session, &[]);
    assert_eq!(calls.outcomes, [Outcome::Malformed(Malformed::Answer)]);
    let why = session.why(0, &[], calls.outcomes[0]);
    assert_eq!(why.message.as_deref(), Some("what its setup keeps cannot stand in a header"));
}
