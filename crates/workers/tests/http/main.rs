//! Web services as a target: against servers of the loopback interface.

mod failures;
mod limits;
mod server;
mod setup;

use dodona_subject::{Manifest, ModuleSource, OutsideKind};
use dodona_target::{Calls, Column, Malformed, Outcome, Parameter, Session, Target as _, Trap, Value};
use dodona_workers::{HttpError, HttpOptions, HttpTarget};

use server::{Received, Server, answer, ok};

/// The service that a manifest declares: what stands in `[target]` besides the address and in `[limits]`, and the functions.
fn reach(base: &str, target: &str, functions: &str) -> Result<HttpTarget, HttpError> {
    let text = format!("[target]\nhttp = \"{base}\"\n{target}\n{functions}");
    let manifest = Manifest::parse("shop/dodona.toml".as_ref(), &text)
        .unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    let ModuleSource::Outside(outside) = &manifest.source else { unreachable!("it declares a service") };
    let OutsideKind::Http(service) = &outside.kind else { unreachable!("it declares a service") };
    let options = HttpOptions {
        name: manifest.name.clone(),
        declared_in: manifest.path.clone(),
        signatures: manifest.signatures(),
        service: service.clone(),
        time: manifest.limits.time,
        output: manifest.limits.output,
    };
    HttpTarget::reach_with(options, |name| (name == "API_TOKEN").then(|| "tok-12345678".to_owned()))
}

/// A session of a service with one function.
fn session(server: &Server, target: &str, function: &str) -> Box<dyn Session> {
    reach(&server.base, target, &format!("[[function]]\n{function}")).expect("it is there").open()
}

/// The arguments of one call, for parameters of these types.
fn row(values: &[Value], types: &[&str]) -> Vec<Column> {
    let column = |(value, ty): (&Value, &&str)| {
        let parameter = Parameter::new("x", ty.parse().expect("a type"));
        let mut column = Column::empty(parameter.ty);
        column.push(value);
        column
    };
    values.iter().zip(types).map(column).collect()
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn numbers(count: i128) -> Vec<Column> {
    vec![Column::Int((0..count).collect())]
}

fn call(session: &mut Box<dyn Session>, arguments: &[Column]) -> Calls {
    session.call(0, arguments).expect("calls are made")
}

const ITEM: &str =
    "signature = \"item(id: i32) -> f64\"\nrequest = \"GET /items/{id}\"\noutput = { json = \"/price\" }";

#[test]
fn a_value_in_a_path_is_encoded_and_the_output_found_by_a_pointer() {
    let server = Server::new(|request| match request.path.as_str() {
        "/api/items/7" => ok(r#"{"price": 2.5}"#),
        other => answer(404, "", format!("no {other}")),
    });
    let target =
        reach(&format!("{}/api/", server.base), "", &format!("[[function]]\n{ITEM}")).expect("it is there");
    let mut session = target.open();
    let calls = session.call(0, &[Column::Int(vec![7, 8])]).expect("calls are made");
    assert_eq!(calls.outcomes, [Outcome::Returned, Outcome::Trapped(Trap::Status(404))]);
    assert_eq!(calls.told(0), "2.5");
    let why = session.why(0, &numbers(1), calls.outcomes[1]);
    assert_eq!(why.message.as_deref(), Some("no /api/items/0"));
    assert_eq!(calls.told(1), "trapped: status 404");
}

#[test]
fn hard_texts_come_as_they_are() {
    let server = Server::new(|request| {
        let decoded = decoded(request.path.trim_start_matches("/t/"));
        ok(decoded)
    });
    let function = "signature = \"t(x: text) -> text\"\nrequest = \"GET /t/{x}\"";
    let mut session = session(&server, "", function);
    for hard in ["a b", "a/b?c=d&e#f", "%41+", "é€😀", "\0\r\n\t", "..", "{}", "x%y", ""] {
        let calls = call(&mut session, &row(&[text(hard)], &["text"]));
        assert_eq!(calls.outputs[0].value(0), text(hard), "{hard:?}");
    }
    assert_eq!(server.paths()[1], "GET /t/a%2Fb%3Fc%3Dd%26e%23f");
}

fn decoded(path: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        if first == b'%' {
            let digits = std::str::from_utf8(&behind[..2]).expect("digits");
            bytes.push(u8::from_str_radix(digits, 16).expect("digits"));
            rest = &behind[2..];
        } else {
            bytes.push(first);
        }
    }
    bytes
}

#[test]
fn queries_headers_forms_and_json_have_the_values_of_parameters() {
    let server = Server::new(|_| ok("0"));
    let signature = "signature = \"f(low: f64, n: i64, flag: bool, t: text, xs: [f64]) -> i32\"\n";
    let types = ["f64", "i64", "bool", "text", "[f64]"];
    let arguments = row(
        &[
            Value::Float(0.5),
            Value::Int(-3),
            Value::Bool(true),
            text("a&b=\"ü\""),
            Value::Sequence(dodona_target::Sequence::Float(vec![1.0, f64::INFINITY])),
        ],
        &types,
    );
    let query = "request = \"GET /q?v=1\"\nquery = { low = \"{low}\", n = \"{n}\", all = \"{xs}\", x = \"{xs...}\", t = \"{t}\", flag = \"is {flag}\" }";
    call(&mut session(&server, "", &format!("{signature}{query}")), &arguments);
    let form = "request = \"PUT /f\"\nform = { n = \"{n}{flag}\", t = \"{t}\" }\nheaders = { X-Low = \"{low}\", x-xs = \"{xs}\" }";
    call(
        &mut session(
            &server,
            "headers = { X-XS = \"0\", Accept-Language = \"de\" }",
            &format!("{signature}{form}"),
        ),
        &arguments,
    );
    let json = "request = \"POST /j\"\njson = { low = \"{low}\", n = [\"{n}\", 1, 2.5, true, \"n={n}\"], at = { flag = \"{flag}\", t = \"{t}\" }, xs = \"{xs}\" }";
    call(&mut session(&server, "", &format!("{signature}{json}")), &arguments);
    let [query, form, json] = <[Received; 3]>::try_from(server.requests()).expect("three requests");
    assert_eq!(
        query.path,
        "/q?v=1&all=1.0%2Cinf&flag=is%20true&low=0.5&n=-3&t=a%26b%3D%22%C3%BC%22&x=1.0&x=inf"
    );
    assert_eq!((form.method.as_str(), form.text().as_str()), ("PUT", "n=-3true&t=a%26b%3D%22%C3%BC%22"));
    assert_eq!(form.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!(
        [form.header("x-low"), form.header("x-xs"), form.header("accept-language")],
        [Some("0.5"), Some("1.0,inf"), Some("de")]
    );
    assert_eq!(json.header("content-type"), Some("application/json"));
    assert_eq!(
        json.text(),
        r#"{"at":{"flag":true,"t":"a&b=\"ü\""},"low":0.5,"n":[-3,1,2.5,true,"n=-3"],"xs":[1.0,"inf"]}"#
    );
}

#[test]
fn a_form_is_sent_as_it_is_read() {
    let server = Server::new(|request| ok(request.header("content-length").unwrap_or("none")));
    let post = "signature = \"f(x: i32) -> i32\"\nrequest = \"POST /f\"\nform = { x = \"{x}\" }";
    assert_eq!(call(&mut session(&server, "", post), &numbers(1)).told(0), "3");
    let empty = "signature = \"f(x: i32) -> text\"\nrequest = \"POST /f/{x}\"";
    assert_eq!(call(&mut session(&server, "", empty), &numbers(1)).told(0), "\"0\"");
    let delete = "signature = \"f(x: i32) -> text\"\nrequest = \"DELETE /f/{x}\"";
    assert_eq!(call(&mut session(&server, "", delete), &numbers(1)).told(0), "\"none\"");
    let body = "signature = \"f(x: i32) -> text\"\nrequest = \"DELETE /f\"\njson = \"{x}\"";
    assert_eq!(call(&mut session(&server, "", body), &numbers(1)).told(0), "\"1\"");
}

#[test]
fn outputs_are_found_in_the_body_the_status_and_the_headers() {
    let server = Server::new(|_| {
        let body = r#"{"items": [{"price": 1, "name": "a"}, {"price": 2.5, "name": "b"}], "total": 2}"#;
        answer(201, "X-Total: 2\r\nVary: a\r\nVary: b\r\n", body)
    });
    let function = "signature = \"f(x: i32) -> (u8, [f64], text)\"\nrequest = \"GET /{x}\"\n\
        output = [{ json = \"/total\" }, { json = \"/items/*/price\" }, { json = \"/items/*/name\" }]\n\
        outputs.total = { type = \"i32\", header = \"x-total\" }\noutputs.vary = { type = \"text\", header = \"Vary\" }\n\
        outputs.code = { type = \"i32\", status = true }\noutputs.first = { type = \"f64\", pattern = \"price.: ([0-9]+)\" }";
    let calls = call(&mut session(&server, "", function), &numbers(1));
    assert_eq!(calls.told(0), "2, [1.0, 2.5], \"a\\nb\\n\", 201, 1.0, 2, \"a,b\"");
}

#[test]
fn an_answer_has_a_status_and_a_body_whatever_they_are() {
    let server = Server::new(|request| match request.path.as_str() {
        "/0" => ok("fine"),
        "/1" => answer(500, "", "broken"),
        _ => answer(302, "Location: /0\r\n", ""),
    });
    let function = "signature = \"f(x: i32) -> http\"\nrequest = \"GET /{x}\"\noutputs.to = { type = \"text\", pattern = \"^.*$\" }";
    let calls = call(&mut session(&server, "", function), &numbers(3));
    assert_eq!(calls.outcomes, [Outcome::Returned; 3]);
    let told: Vec<String> = (0..3).map(|row| calls.told(row)).collect();
    assert_eq!(told, ["200, \"fine\", \"fine\"", "500, \"broken\", \"broken\"", "302, \"\", \"\""]);
}

#[test]
fn a_session_keeps_its_connection() {
    let server = Server::new(|_| ok(r#"{"price": 1}"#));
    let mut session = session(&server, "", ITEM);
    call(&mut session, &numbers(20));
    call(&mut session, &numbers(5));
    assert_eq!((server.requests().len(), server.connections()), (25, 1));
}

#[test]
fn what_is_not_there_is_told_with_what_is_there_instead() {
    let server = Server::new(|request| match request.path.as_str() {
        "/items/0" => ok("<html>"),
        "/items/1" => ok(r#"{"cost": 1}"#),
        _ => ok(r#"{"price": "a lot"}"#),
    });
    let mut session = session(&server, "", ITEM);
    let absent = Outcome::Malformed(Malformed::Absent);
    assert_eq!(call(&mut session, &numbers(3)).outcomes, [absent; 3]);
    let why = |session: &mut Box<dyn Session>, id| {
        session.why(0, &[Column::Int(vec![id])], absent).message.expect("a message")
    };
    assert_eq!(why(&mut session, 0), "the body is no JSON (expected value at line 1 column 1): \"<html>\"");
    assert_eq!(why(&mut session, 1), "the body has no f64 at \"/price\" of its JSON: \"{\\\"cost\\\": 1}\"");
    assert!(why(&mut session, 2).contains("a lot"));
}

#[test]
fn a_service_that_is_reset_before_each_call_is_isolated() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::new(move |request| {
        use std::sync::atomic::Ordering::SeqCst;
        if request.path == "/reset" {
            count.store(0, SeqCst);
            return answer(204, "", "");
        }
        ok((count.fetch_add(1, SeqCst) + 1).to_string())
    });
    let next =
        "[[function]]\nsignature = \"next(x: i32) -> i32\"\nrequest = \"POST /next\"\nform = { x = \"{x}\" }";
    let told = |target: &str| {
        let target = reach(&server.base, target, next).expect("it is there");
        let calls = call(&mut target.open(), &numbers(3));
        (target.traits().isolated, calls.outputs[0].clone())
    };
    assert_eq!(told("reset = \"POST /reset\""), (true, Column::Int(vec![1, 1, 1])));
    let column = "reset = { request = \"POST /reset\", before = \"column\" }";
    assert_eq!(told(column), (false, Column::Int(vec![1, 2, 3])));
    assert_eq!(told(""), (false, Column::Int(vec![4, 5, 6])));
    // No reset of one session falls between the reset and the call of another.
    let target = reach(&server.base, "reset = \"POST /reset\"", next).expect("it is there");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let calls = call(&mut target.open(), &numbers(10));
                assert_eq!(calls.outputs[0], Column::Int(vec![1; 10]));
            });
        }
    });
}
