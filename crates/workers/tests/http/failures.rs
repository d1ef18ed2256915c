//! What a service does wrong, and what is told of it.

use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use dodona_target::{Column, Malformed, Outcome, Target as _, Trap};

use super::server::{Reply, Server, answer, ok};
use super::{ITEM, call, numbers, reach, session};

const BROKEN: Outcome = Outcome::Malformed(Malformed::Answer);

#[test]
fn a_service_that_is_not_there_is_told_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let error =
        reach(&base, "", &format!("[[function]]\n{ITEM}")).err().expect("it is not there").to_string();
    assert!(error.starts_with(&format!("{base} cannot be reached: ")), "{error}");
    assert!(error.ends_with("start the service, or correct the address in shop/dodona.toml"), "{error}");
    let error = reach("http://no-such-host.invalid", "", &format!("[[function]]\n{ITEM}")).err();
    assert!(error.expect("it is not there").to_string().contains("cannot be reached"));
}

#[test]
fn a_service_that_goes_away_ends_the_calls_with_what_to_do() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let target = reach(&base, "", &format!("[[function]]\n{ITEM}")).expect("it is there");
    drop(listener);
    let error = target.open().call(0, &numbers(1)).expect_err("it is gone").to_string();
    assert!(error.contains("cannot be reached any more") && error.contains("still running?"), "{error}");
}

#[test]
fn each_way_to_break_an_answer_is_an_outcome_of_its_row() {
    let server = Server::new(|request| match request.path.as_str() {
        "/items/0" => Reply::Closed(b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"price\": 1".to_vec()),
        "/items/1" => Reply::Closed(b"hello\r\n\r\n".to_vec()),
        "/items/2" => {
            Reply::Closed(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"pri".to_vec())
        }
        "/items/3" => Reply::Closed(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_vec()),
        "/items/4" => Reply::Closed(b"HTTP/1.1 2".to_vec()),
        "/items/5" => answer(500, "", "Internal\nerror: division by zero"),
        "/items/6" => ok(vec![b' '; 3000]),
        _ => ok(r#"{"price": 1}"#),
    });
    let mut session = session(&server, "[limits]\noutput = 2048", ITEM);
    let calls = call(&mut session, &numbers(8));
    let too_long = Outcome::Malformed(Malformed::Output);
    let status = Outcome::Trapped(Trap::Status(500));
    assert_eq!(calls.outcomes, [BROKEN, BROKEN, BROKEN, BROKEN, BROKEN, status, too_long, Outcome::Returned]);
    let mut why = |id: i128| session.why(0, &[Column::Int(vec![id])], calls.outcomes[id as usize]).message;
    assert_eq!(why(0).as_deref(), Some("the connection was closed after 11 bytes of the body"));
    assert!(why(1).expect("a message").starts_with("the answer is no HTTP"));
    assert_eq!(why(5).as_deref(), Some("Internal\\nerror: division by zero"));
    assert_eq!(why(7), None);
}

#[test]
fn requests_that_may_be_made_again_are_when_their_connection_fails() {
    let failures = |count| {
        let seen = AtomicUsize::new(0);
        Server::new(move |_| match seen.fetch_add(1, SeqCst) < count {
            true => Reply::Closed(Vec::new()),
            false => ok(r#"{"price": 1}"#),
        })
    };
    let server = failures(2);
    assert_eq!(call(&mut session(&server, "", ITEM), &numbers(1)).outcomes, [Outcome::Returned]);
    assert_eq!(server.requests().len(), 3);
    let server = failures(9);
    assert_eq!(call(&mut session(&server, "", ITEM), &numbers(1)).outcomes, [BROKEN]);
    assert_eq!(server.requests().len(), 3);
    // What a POST did before its connection failed is not known.
    let post = ITEM.replace("GET", "POST");
    let server = failures(1);
    assert_eq!(call(&mut session(&server, "", &post), &numbers(1)).outcomes, [BROKEN]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_redirect_is_followed_on_its_host_and_nowhere_else() {
    let other = Server::new(|_| ok(r#"{"price": 666}"#));
    let elsewhere = format!("Location: {}/evil\r\n", other.base);
    let server = Server::new(move |request| match request.path.as_str() {
        "/items/0" => answer(307, "Location: /here?x=1\r\n", ""),
        "/items/1" => answer(302, &elsewhere, ""),
        "/items/2" => answer(301, "Location: /items/2\r\n", ""),
        _ => ok(r#"{"price": 1}"#),
    });
    let mut session = session(&server, "secrets = { Authorization = \"API_TOKEN\" }", ITEM);
    let calls = call(&mut session, &numbers(3));
    let status = |status| Outcome::Trapped(Trap::Status(status));
    assert_eq!(calls.outcomes, [Outcome::Returned, status(302), status(301)]);
    let why = session.why(0, &[Column::Int(vec![1])], status(302)).message.expect("a message");
    assert!(why.starts_with(&format!("redirects to {}/evil, which is not followed", other.base)), "{why}");
    let why = session.why(0, &[Column::Int(vec![2])], status(301)).message.expect("a message");
    assert_eq!(why, "redirects more than 5 times, at last to /items/2");
    assert_eq!((other.connections(), other.bytes()), (0, 0));
}

#[test]
fn a_secret_is_sent_and_told_nowhere() {
    let server = Server::new(|request| {
        let sent = request.header("authorization").unwrap_or_default().to_owned();
        answer(if request.path == "/items/0" { 403 } else { 200 }, "", format!("\"{sent}\" is refused"))
    });
    let secrets = "secrets = { Authorization = \"Bearer ${API_TOKEN}\" }";
    let mut calls = session(&server, secrets, ITEM);
    let outcome = call(&mut calls, &numbers(1)).outcomes[0];
    let why = calls.why(0, &numbers(1), outcome).message.expect("a message");
    assert_eq!(why, "\"Bearer [secret Authorization]\" is refused");
    assert_eq!(server.requests()[0].header("authorization"), Some("Bearer tok-12345678"));
    let whole = "signature = \"f(x: i32) -> text\"\nrequest = \"GET /{x}\"";
    let told = call(&mut session(&server, secrets, whole), &numbers(1)).told(0);
    assert!(!told.contains("tok-") && told.contains("[secret Authorization]"), "{told}");
    let missing =
        reach(&server.base, "secrets = { X-Key = \"sk_live_123\" }", &format!("[[function]]\n{ITEM}"));
    let error = missing.err().expect("it is not set").to_string();
    assert!(error.contains("X-Key") && !error.contains("sk_live"), "{error}");
}
