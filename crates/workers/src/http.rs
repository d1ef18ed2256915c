//! Web services: each call is a request.
//!
//! # Decisions
//! - **Only the host of the manifest is contacted.** Redirects to it are followed where a value is wanted, those to another host are outcomes; no proxy is read from the environment. The
//!   price: a service behind a proxy, or one that answers from a second host, needs an address of its own in the manifest.
//! - **Where a service is reset, one session calls it at a time**, between the reset and the call too. Otherwise the reset of one session would fall between another one's reset and
//!   its call. The price: more threads are no quicker.
//! - **Secrets are taken out of answers as they are read**, and not where something is printed: there are many places that print, keep or compare outputs.

mod address;
mod answer;
mod client;
mod encode;
mod exchange;
mod fetch;
mod pace;
mod request;
mod secrets;
mod session;
mod shell;

use std::any::Any;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dodona_subject::{HttpService, ResetBefore};
use dodona_target::{Session, Signature, Target, Traits};

pub use address::host;
pub use fetch::{FetchError, fetch};

use address::{Address, Sockets};
use answer::Readers;
use pace::Pace;
use secrets::Secrets;
use session::HttpSession;

/// How long it may take to reach a service at first.
const FIRST_CONTACT: Duration = Duration::from_secs(5);

/// A web service, and how it is called.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// A name for reports.
    pub name: String,
    /// The file that declares the functions.
    pub declared_in: PathBuf,
    /// The functions.
    pub signatures: Vec<Signature>,
    /// The service, with a request for each function.
    pub service: HttpService,
    /// How long a call may take, with redirects, retries and what the service asks to wait.
    pub time: Duration,
    /// The most bytes of a body.
    pub output: u64,
}

/// The functions of a web service.
///
/// ```no_run
/// use dodona_subject::{Manifest, ModuleSource, OutsideKind};
/// use dodona_target::Target;
/// use dodona_workers::{HttpOptions, HttpTarget};
///
/// let manifest = Manifest::read("shop/dodona.toml".as_ref())?;
/// let ModuleSource::Outside(outside) = &manifest.source else { panic!("it declares a module") };
/// let OutsideKind::Http(service) = &outside.kind else { panic!("it declares no web service") };
/// let shop = HttpTarget::reach(HttpOptions {
///     name: manifest.name.clone(),
///     declared_in: manifest.path.clone(),
///     signatures: manifest.signatures(),
///     service: service.clone(),
///     time: manifest.limits.time,
///     output: manifest.limits.output,
/// })?;
/// let calls = shop.open().call(0, &[])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HttpTarget {
    options: Arc<HttpOptions>,
    address: Address,
    sockets: Sockets,
    secrets: Secrets,
    pace: Arc<Pace>,
    /// Held from a reset to the end of what it is for.
    reset: Arc<Mutex<()>>,
    readers: Arc<[Readers]>,
}

/// A web service cannot be called.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Nobody answers at its address.
    #[error("{base} cannot be reached: {why}; start the service, or correct the address in {manifest}", manifest = .manifest.display())]
    Unreachable {
        /// The address.
        base: String,
        /// What the system says.
        why: String,
        /// The file that declares it.
        manifest: PathBuf,
    },
    /// The variable of a secret is not set. Its name is not told: by mistake it may be the secret.
    #[error(
        "the variable of the environment that [target] secrets names for {0} is not set, or is empty; set it before the command"
    )]
    NoSecret(String),
    /// The value of a secret cannot stand in a header.
    #[error(
        "the variable of the environment that [target] secrets names for {0} has characters that no header has: a line feed at its end, perhaps"
    )]
    NoHeader(String),
    /// The address is one of https, which was left out.
    #[error(
        "{0} needs https, and this program was built without it: build with the feature `https`, or name an address of http"
    )]
    NoHttps(String),
}

impl HttpTarget {
    /// What a request costs. Making a violation smaller ends after some two thousand requests, which take seconds of a service on the same machine.
    pub const COST: u64 = 2_000_000;

    /// Looks for the secrets and for the service, so that a missing one is told at once. A connection is opened and closed, without a request.
    ///
    /// # Errors
    /// When a secret is not set, or nobody answers at the address.
    pub fn reach(options: HttpOptions) -> Result<HttpTarget, HttpError> {
        HttpTarget::reach_with(options, |name| std::env::var(name).ok())
    }

    /// As [`HttpTarget::reach`], with another environment.
    ///
    /// # Errors
    /// When a secret is not set, or nobody answers at the address.
    pub fn reach_with(
        options: HttpOptions,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<HttpTarget, HttpError> {
        let service = &options.service;
        let address = Address::of(&service.base);
        if address.is_https() && !cfg!(feature = "https") {
            return Err(HttpError::NoHttps(service.base.clone()));
        }
        let secrets = Secrets::read(&service.secrets, variable)?;
        let sockets = contact(&address, options.time.min(FIRST_CONTACT));
        let sockets = sockets.map_err(|error| HttpError::Unreachable {
            base: service.base.clone(),
            why: error.to_string(),
            manifest: options.declared_in.clone(),
        })?;
        let readers = service.calls.iter().zip(&options.signatures);
        let readers = readers.map(|(call, signature)| Readers::of(call, signature)).collect();
        let pace = Arc::new(Pace::new(service.rate));
        let sockets = Sockets(sockets.into());
        let (reset, options) = (Arc::default(), Arc::new(options));
        Ok(HttpTarget { address, sockets, secrets, pace, reset, readers, options })
    }
}

/// Opens a connection to each address of a host, until one is there. All addresses, that one first.
fn contact(address: &Address, time: Duration) -> std::io::Result<Vec<SocketAddr>> {
    let mut last = std::io::Error::other("its host has no address");
    let mut sockets: Vec<SocketAddr> = address.socket().to_socket_addrs()?.collect();
    for index in 0..sockets.len() {
        match TcpStream::connect_timeout(&sockets[index], time) {
            Ok(_) => {
                sockets.swap(0, index);
                return Ok(sockets);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl Target for HttpTarget {
    fn name(&self) -> &str {
        &self.options.name
    }

    fn declared_in(&self) -> &Path {
        &self.options.declared_in
    }

    fn functions(&self) -> &[Signature] {
        &self.options.signatures
    }

    fn traits(&self) -> Traits {
        let reset = self.options.service.reset.as_ref();
        Traits {
            kind: "web services",
            isolated: reset.is_some_and(|reset| reset.before == ResetBefore::Call),
            // Whatever a service promises, a network and a clock stand between.
            deterministic: false,
            unit_of_cost: "two-millionths of a request",
        }
    }

    fn open(&self) -> Box<dyn Session> {
        Box::new(HttpSession::new(self.clone()))
    }

    fn shared(&self) -> Arc<dyn Target> {
        Arc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
