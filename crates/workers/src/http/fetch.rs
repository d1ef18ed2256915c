//! One document of a service, outside of any check.

use std::io::Read;
use std::time::Duration;

use ureq::unversioned::resolver::DefaultResolver;

use super::address::Address;
use super::client::{Keeps, agent};

/// A document cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("{address} cannot be read: {why}")]
pub struct FetchError {
    address: String,
    why: String,
}

/// What a GET request of this address answers, if it is of at most so many bytes. Redirects are not followed, for they would contact hosts that nobody named.
///
/// ```no_run
/// let document = dodona_workers::fetch("http://127.0.0.1:8000/openapi.json", 1 << 20, std::time::Duration::from_secs(10))?;
/// # Ok::<(), dodona_workers::FetchError>(())
/// ```
///
/// # Errors
/// When nobody answers in time, the status is another one than 200, or the answer is too long.
pub fn fetch(address: &str, most: u64, time: Duration) -> Result<Vec<u8>, FetchError> {
    let failed = |why: String| FetchError { address: address.to_owned(), why };
    if Address::of(address).is_https() && !cfg!(feature = "https") {
        return Err(failed("this program was built without https; save the document as a file".to_owned()));
    }
    let agent = agent(Keeps::Nothing, DefaultResolver::default());
    let request = agent.get(address).config().timeout_global(Some(time)).build();
    let mut response = request.call().map_err(|error| match error {
        ureq::Error::Timeout(_) => failed(format!("it did not answer within {} s", time.as_secs())),
        ureq::Error::Io(error) => failed(error.to_string()),
        error => failed(error.to_string()),
    })?;
    let status = response.status().as_u16();
    if status != 200 {
        let location = response.headers().get("location").and_then(|location| location.to_str().ok());
        let leads = location.map(|location| format!(", which leads to {location}")).unwrap_or_default();
        return Err(failed(format!("its status is {status}{leads}")));
    }
    let mut bytes = Vec::new();
    let body = response.body_mut().as_reader().take(most.saturating_add(1)).read_to_end(&mut bytes);
    body.map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(failed(format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}
