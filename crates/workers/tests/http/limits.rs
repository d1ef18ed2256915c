//! Limits of time, of requests in a second, and what a service asks for.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use dodona_target::{CallError, Interruption, Outcome, Target as _, Trap, Until};

use super::server::{Reply, Server, answer, ok};
use super::{ITEM, call, numbers, reach, session};

#[test]
fn a_call_ends_at_its_limit_of_time() {
    let server = Server::new(|request| match request.path.as_str() {
        "/items/0" => Reply::Nothing,
        _ => ok(r#"{"price": 1}"#),
    });
    let mut session = session(&server, "[limits]\ntime = 0.3", ITEM);
    assert_eq!(call(&mut session, &numbers(2)).outcomes, [Outcome::OutOfTime, Outcome::Returned]);
    let part = Server::new(|_| Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{".to_vec()));
    let mut session = super::session(&part, "[limits]\ntime = 0.3", ITEM);
    assert_eq!(call(&mut session, &numbers(1)).outcomes, [Outcome::OutOfTime]);
}

#[test]
fn work_that_has_to_end_is_given_up() {
    let server = Server::new(|_| Reply::Nothing);
    let mut calls = session(&server, "", ITEM);
    calls.end_at(&Until::after(Some(Duration::from_millis(100)), &Interruption::default()));
    assert!(matches!(calls.call(0, &numbers(1)), Err(CallError::Stopped)));
    let mut slow = session(&server, "rate = 0.001", ITEM);
    slow.end_at(&Until::interrupted(&Interruption::raised()));
    assert!(matches!(slow.call(0, &numbers(1)), Err(CallError::Stopped)));
}

#[test]
fn a_service_that_asks_to_wait_is_asked_again_within_the_limit() {
    let busy = |status: u16, after: &'static str| {
        let seen = AtomicUsize::new(0);
        Server::new(move |_| match seen.fetch_add(1, SeqCst) {
            0 => answer(status, &format!("Retry-After: {after}\r\n"), "busy"),
            _ => ok(r#"{"price": 1}"#),
        })
    };
    let post = ITEM.replace("GET", "POST");
    for (status, item) in [(429, ITEM), (503, ITEM), (429, &post)] {
        let server = busy(status, "0");
        assert_eq!(call(&mut session(&server, "", item), &numbers(1)).outcomes, [Outcome::Returned]);
        assert_eq!(server.requests().len(), 2);
    }
    let begun = Instant::now();
    let server = busy(429, "1");
    assert_eq!(call(&mut session(&server, "", ITEM), &numbers(1)).outcomes, [Outcome::Returned]);
    assert!(begun.elapsed() >= Duration::from_secs(1));
    // Longer than a call may take, and what is no number of seconds.
    for after in ["3600", "99999999999999999999", "Wed, 21 Oct 2015 07:28:00 GMT"] {
        let server = busy(503, after);
        let outcome = Outcome::Trapped(Trap::Status(503));
        assert_eq!(call(&mut session(&server, "", ITEM), &numbers(1)).outcomes, [outcome]);
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_service_with_too_many_requests_gets_fewer_until_it_answers_them() {
    // A service that answers each third request alone.
    let seen = AtomicUsize::new(0);
    let server = Server::new(move |_| match seen.fetch_add(1, SeqCst) % 3 {
        2 => ok(r#"{"price": 1}"#),
        _ => answer(429, "", "slow down"),
    });
    assert_eq!(call(&mut session(&server, "", ITEM), &numbers(3)).outcomes, [Outcome::Returned; 3]);
    assert_eq!(server.requests().len(), 9);
    // Where the status is wanted it is an answer as any other.
    let server = Server::new(|_| answer(429, "", "slow down"));
    let item = ITEM.replace("-> f64", "-> http").replace("\noutput = { json = \"/price\" }", "");
    assert_eq!(call(&mut session(&server, "", &item), &numbers(1)).outcomes, [Outcome::Returned]);
    assert_eq!(server.requests().len(), 1);
    // It ends at the limit of a call.
    let server = Server::new(|_| answer(429, "", "slow down"));
    let outcomes = call(&mut session(&server, "[limits]\ntime = 0.5", ITEM), &numbers(1)).outcomes;
    assert_eq!(outcomes, [Outcome::Trapped(Trap::Status(429))]);
    assert!(server.requests().len() > 2);
}

#[test]
fn all_sessions_together_keep_to_a_rate() {
    let server = Server::new(|_| ok(r#"{"price": 1}"#));
    let target = reach(&server.base, "rate = 20", &format!("[[function]]\n{ITEM}")).expect("it is there");
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| call(&mut target.open(), &numbers(4)));
        }
    });
    // The first request has its turn at once, and seven more one after the other.
    assert!(begun.elapsed() >= Duration::from_millis(7 * 50), "{:?}", begun.elapsed());
    assert_eq!(server.requests().len(), 8);
}
