//! Makes requests, within their limits.

use std::cell::OnceCell;
use std::io::Read;
use std::time::{Duration, Instant};

use dodona_target::{CallError, Until};
use ureq::http;
use ureq::unversioned::resolver::Resolver;
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, Error};

use super::HttpTarget;
use super::answer::{Answer, Ended};
use super::pace::pause;
use super::request::Request;

/// How often a request is made again after a failure of its connection.
const RETRIES: u32 = 2;

/// The wait before that; twice as long before the second time.
const BEFORE_RETRY: Duration = Duration::from_millis(50);

/// How many redirects of one request are followed.
const REDIRECTS: usize = 5;

/// The least wait before a request that a service asked to be made later.
const LEAST_WAIT: Duration = Duration::from_millis(100);

/// Makes the requests of one session, on connections that are kept.
pub(super) struct Client {
    agent: Agent,
    /// For requests that cannot be made again: a service may close a kept connection in the moment in which a request is sent on it, and then nobody knows whether it was read.
    once: Agent,
    target: HttpTarget,
}

/// What is known after a request was tried once.
enum Tried {
    Ended(Ended),
    /// The connection failed before there was an answer.
    Failed(Error),
}

/// Whether connections are kept from one request to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    Connections,
    Nothing,
}

/// Follows no redirect by itself, takes no proxy from the environment, and gives every status as an answer.
pub(super) fn agent(keeps: Keeps, resolver: impl Resolver) -> Agent {
    let config = Agent::config_builder()
        .max_idle_connections(match keeps {
            Keeps::Connections => 8,
            Keeps::Nothing => 0,
        })
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .user_agent(concat!("dodona/", env!("CARGO_PKG_VERSION")))
        .build();
    Agent::with_parts(config, DefaultConnector::default(), resolver)
}

impl Client {
    pub(super) fn new(target: HttpTarget) -> Client {
        let made = |keeps| agent(keeps, target.sockets.clone());
        Client { agent: made(Keeps::Connections), once: made(Keeps::Nothing), target }
    }

    /// When a call that begins now has to end.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.target.options.time
    }

    /// Makes a request, and follows redirects on the same host where the answer is looked for a value.
    ///
    /// # Errors
    /// When the service cannot be reached, the request is none, or `until` ends.
    pub(super) fn send(
        &self,
        request: &Request,
        follows: bool,
        deadline: Instant,
        until: &Until,
    ) -> Result<Ended, CallError> {
        let mut request = request.clone();
        let mut address = format!("{}{}", self.target.options.service.base, request.path);
        for step in 0.. {
            let ended = self.answered(&request, &address, follows, deadline, until)?;
            let Ended::Answered(answer) = ended else { return Ok(ended) };
            let location = match answer.status {
                301 | 302 | 303 | 307 | 308 if follows => answer.header("location"),
                _ => None,
            };
            let Some(location) = location else { return Ok(Ended::Answered(answer)) };
            let location = String::from_utf8_lossy(&location).into_owned();
            let refused = match self.target.address.redirected(&address, &location) {
                Some(next) if step < REDIRECTS => {
                    address = next;
                    None
                }
                Some(_) => Some(format!("redirects more than {REDIRECTS} times, at last to {location}")),
                None => Some(format!(
                    "redirects to {location}, which is not followed: only the host of the manifest is contacted"
                )),
            };
            if refused.is_some() {
                return Ok(Ended::Answered(Answer { refused, ..answer }));
            }
            let is_get = answer.status == 303 || (answer.status < 303 && request.method == "POST");
            if is_get && request.method != "HEAD" {
                request = Request { method: "GET".to_owned(), body: None, ..request };
            }
        }
        unreachable!("redirects have an end")
    }

    /// Makes a request until it is answered: again where its connection fails and it may be made again, and later where the service asks for that or, unless the status is wanted, has too many
    /// requests.
    fn answered(
        &self,
        request: &Request,
        address: &str,
        wants_value: bool,
        deadline: Instant,
        until: &Until,
    ) -> Result<Ended, CallError> {
        let mut retries = if request.is_idempotent() { RETRIES } else { 0 };
        let mut wait = BEFORE_RETRY;
        let mut refused = BEFORE_RETRY;
        loop {
            match self.try_once(request, address, deadline, until)? {
                Tried::Ended(ended) => {
                    let is_refused = matches!(&ended, Ended::Answered(Answer { status: 429, .. }));
                    match is_refused {
                        true => self.target.pace.slower(),
                        false => self.target.pace.faster(),
                    }
                    match later(&ended, deadline) {
                        Some(wait) => pause(wait, until)?,
                        None if is_refused && wants_value && Instant::now() + refused < deadline => {
                            pause(refused, until)?;
                            refused *= 2;
                        }
                        None => return Ok(ended),
                    }
                }
                Tried::Failed(_) if retries > 0 && Instant::now() + wait < deadline => {
                    retries -= 1;
                    pause(wait, until)?;
                    wait *= 2;
                }
                Tried::Failed(error) if is_closed(&error) => {
                    return Ok(Ended::Broken(
                        "the connection was closed before there was an answer".to_owned(),
                    ));
                }
                Tried::Failed(error) => return Err(self.unreachable(&error)),
            }
        }
    }

    fn try_once(
        &self,
        request: &Request,
        address: &str,
        deadline: Instant,
        until: &Until,
    ) -> Result<Tried, CallError> {
        self.target.pace.wait(until)?;
        if !until.goes_on() {
            return Err(CallError::Stopped);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let time = until.left().map_or(left, |until| until.min(left));
        if time.is_zero() {
            return Ok(Tried::Ended(Ended::OutOfTime));
        }
        let response = match self.run(request, address, time)? {
            Ok(response) => response,
            Err(Error::Timeout(_)) if !until.goes_on() => return Err(CallError::Stopped),
            Err(Error::Timeout(_)) => return Ok(Tried::Ended(Ended::OutOfTime)),
            Err(error @ (Error::Protocol(_) | Error::LargeResponseHeader(..) | Error::Http(_))) => {
                return Ok(Tried::Ended(Ended::Broken(format!("the answer is no HTTP: {error}"))));
            }
            Err(error) => return Ok(Tried::Failed(error)),
        };
        match self.read(response) {
            Ended::OutOfTime if !until.goes_on() => Err(CallError::Stopped),
            ended => Ok(Tried::Ended(ended)),
        }
    }

    fn run(
        &self,
        request: &Request,
        address: &str,
        time: Duration,
    ) -> Result<Result<http::Response<ureq::Body>, Error>, CallError> {
        let mut builder = http::Request::builder().method(request.method.as_str()).uri(address);
        for (name, value) in &request.headers {
            builder = builder.header(name, value.as_slice());
        }
        for (name, value) in &self.target.secrets.headers {
            builder = builder.header(name, value.as_str());
        }
        if let Some((kind, _)) = &request.body
            && !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
        {
            builder = builder.header("content-type", *kind);
        }
        // These methods have a body, of no bytes where nothing is said of it.
        let has_body = request.body.is_some() || matches!(request.method.as_str(), "POST" | "PUT" | "PATCH");
        let body = request.body.as_ref().map_or(Vec::new(), |(_, body)| body.clone());
        let is_none = |error: http::Error| {
            CallError::new(format!("{} {} is no request: {error}", request.method, request.path))
        };
        let agent = if request.is_idempotent() { &self.agent } else { &self.once };
        Ok(match has_body {
            true => {
                let made = builder.body(body).map_err(is_none)?;
                agent.run(agent.configure_request(made).timeout_global(Some(time)).build())
            }
            false => {
                let made = builder.body(()).map_err(is_none)?;
                agent.run(agent.configure_request(made).timeout_global(Some(time)).build())
            }
        })
    }

    /// Reads an answer. Where it is too long the connection is closed, and not read to its end.
    fn read(&self, response: http::Response<ureq::Body>) -> Ended {
        let most = self.target.options.output;
        let (parts, mut body) = response.into_parts();
        let mut bytes = Vec::new();
        if let Err(error) = body.as_reader().take(most.saturating_add(1)).read_to_end(&mut bytes) {
            return match Error::from(error) {
                Error::Timeout(_) => Ended::OutOfTime,
                error if is_closed(&error) => Ended::Broken(format!(
                    "the connection was closed after {} bytes of the body",
                    bytes.len()
                )),
                error => Ended::Broken(format!("the body cannot be read: {error}")),
            };
        }
        if bytes.len() as u64 > most {
            return Ended::TooLong;
        }
        let secrets = &self.target.secrets;
        let header = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
            (name.as_str().to_owned(), secrets.without(value.as_bytes().to_vec()))
        };
        let headers = parts.headers.iter().map(header).collect();
        Ended::Answered(Answer {
            status: parts.status.as_u16(),
            headers,
            body: secrets.without(bytes),
            json: OnceCell::new(),
            refused: None,
        })
    }

    fn unreachable(&self, error: &Error) -> CallError {
        let base = &self.target.options.service.base;
        CallError::new(format!("{base} cannot be reached any more: {error}; is the service still running?"))
    }
}

/// How long a service asks to be left alone, where there is time for that: `Retry-After` in seconds. A date is not read, for clocks differ.
fn later(ended: &Ended, deadline: Instant) -> Option<Duration> {
    let Ended::Answered(answer @ Answer { status: 429 | 503, .. }) = ended else { return None };
    let seconds = answer.header("retry-after")?;
    let seconds: u64 = std::str::from_utf8(&seconds).ok()?.trim().parse().ok()?;
    let wait = Duration::from_secs(seconds).max(LEAST_WAIT);
    Instant::now().checked_add(wait).is_some_and(|end| end < deadline).then_some(wait)
}

/// Whether a service closed the connection, which it had accepted.
fn is_closed(error: &Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    let Error::Io(error) = error else { return false };
    matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}
