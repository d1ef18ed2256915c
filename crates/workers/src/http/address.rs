//! Addresses: what of a service is contacted, and where a redirect points.

use std::net::SocketAddr;
use std::sync::Arc;

use ureq::Error;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// The parts of the address of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The scheme, the host and the port that it has where none is written: `http://127.0.0.1:8000`.
    origin: String,
    /// The scheme and the host as they are written.
    written: String,
}

impl Address {
    /// The address in a base that a manifest declares.
    pub(super) fn of(base: &str) -> Address {
        let written = &base[..end_of_host(base)];
        Address { origin: origin(written), written: written.to_owned() }
    }

    /// Whether bytes go through TLS.
    pub(super) fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// The host and the port, as sockets are opened.
    pub(super) fn socket(&self) -> &str {
        self.origin.split_once("://").map_or(self.origin.as_str(), |(_, host)| host)
    }

    /// Where a redirect points, from the address of a request; `None` where it is another host, port or scheme.
    pub(super) fn redirected(&self, from: &str, location: &str) -> Option<String> {
        let location = location.split('#').next().unwrap_or_default();
        if location.contains("://") && !location.starts_with(['/', '?']) {
            let host = &location[..end_of_host(location)];
            let is_same = origin(host) == self.origin;
            return is_same.then(|| self.joined(&location[host.len()..]));
        }
        if location.starts_with("//") || location.contains('\\') {
            return None;
        }
        let path = &from[end_of_host(from)..];
        let path = path.split('?').next().unwrap_or_default();
        Some(match location.as_bytes().first() {
            Some(b'/') => self.joined(location),
            Some(b'?') => self.joined(&format!("{path}{location}")),
            _ => {
                self.joined(&format!("{}/{location}", path.rsplit_once('/').map_or("", |(folder, _)| folder)))
            }
        })
    }

    fn joined(&self, path: &str) -> String {
        let slash = if path.starts_with('/') { "" } else { "/" };
        format!("{}{slash}{path}", self.written)
    }
}

/// Where the host of a service listens, as it was found out at first. All requests go there: nobody is asked again for the address of a name, which takes a thread for each request.
#[derive(Clone, Debug)]
pub(super) struct Sockets(pub(super) Arc<[SocketAddr]>);

impl Resolver for Sockets {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let mut found = self.empty();
        self.0.iter().take(MOST_SOCKETS).for_each(|socket| found.push(*socket));
        if found.is_empty() { Err(Error::HostNotFound) } else { Ok(found) }
    }
}

/// How many addresses of a host ureq tries at most.
const MOST_SOCKETS: usize = 16;

/// The scheme and the host of an address: `http://127.0.0.1:8000` of `http://127.0.0.1:8000/openapi.json`.
pub fn host(address: &str) -> &str {
    &address[..end_of_host(address)]
}

/// Where the host of an address ends.
fn end_of_host(address: &str) -> usize {
    let host = address.find("://").map_or(0, |at| at + 3);
    address[host..].find(['/', '?', '#']).map_or(address.len(), |at| host + at)
}

/// The scheme, the host and the port, each in one spelling.
fn origin(written: &str) -> String {
    let written = written.to_ascii_lowercase();
    let has_port = written.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    match (has_port, written.starts_with("https:")) {
        (true, _) => written,
        (false, true) => format!("{written}:443"),
        (false, false) => format!("{written}:80"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_stays_on_its_host_or_goes_nowhere() {
        let address = Address::of("http://Localhost:80/api");
        assert_eq!(address.socket(), "localhost:80");
        let from = "http://Localhost:80/api/items?x=1";
        let to = |location: &str| address.redirected(from, location);
        let same = |location: &str, path: &str| {
            assert_eq!(to(location), Some(format!("http://Localhost:80{path}")), "{location}");
        };
        same("/b", "/b");
        same("b?y=2#z", "/api/b?y=2");
        same("?y=2", "/api/items?y=2");
        same("http://localhost/b", "/b");
        same("HTTP://LOCALHOST:80", "/");
        for other in [
            "http://localhost:81/b",
            "https://localhost/b",
            "http://localhost@evil.test/",
            "//evil.test/",
            "http://localhost.evil.test/",
            "/\\evil.test/",
            "http://user@localhost/",
        ] {
            assert_eq!(to(other), None, "{other}");
        }
    }
}
