//! A small server of the loopback interface, which ends with its test.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) method: String,
    /// The path with its query, as it is written.
    pub(crate) path: String,
    /// Names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// What is sent back.
pub(crate) enum Reply {
    /// These bytes; the connection is kept.
    Bytes(Vec<u8>),
    /// These bytes, and the connection is closed.
    Closed(Vec<u8>),
    /// Nothing until the server ends.
    Nothing,
}

/// An answer with a body.
pub(crate) fn answer(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let mut bytes =
        format!("HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    Reply::Bytes(bytes)
}

pub(crate) fn ok(body: impl AsRef<[u8]>) -> Reply {
    answer(200, "", body)
}

type Serve = dyn Fn(&Received) -> Reply + Send + Sync;

#[derive(Default)]
struct Seen {
    all: Mutex<Vec<Received>>,
    /// Connections on which something was sent.
    connections: AtomicUsize,
    bytes: AtomicUsize,
    ends: AtomicBool,
}

pub(crate) struct Server {
    pub(crate) base: String,
    seen: Arc<Seen>,
}

impl Server {
    pub(crate) fn new(serve: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a mode");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let seen = Arc::new(Seen::default());
        let serve: Arc<Serve> = Arc::new(serve);
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            while !shared.ends.load(Ordering::Relaxed) {
                let Ok((stream, _)) = listener.accept() else {
                    std::thread::sleep(Duration::from_millis(2));
                    continue;
                };
                let (seen, serve) = (Arc::clone(&shared), Arc::clone(&serve));
                std::thread::spawn(move || _ = connection(stream, &seen, &*serve));
            }
        });
        Server { base, seen }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Received>> {
        self.seen.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.all().clone()
    }

    /// The methods and paths of all requests.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.all().iter().map(|one| format!("{} {}", one.method, one.path)).collect()
    }

    pub(crate) fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::Relaxed)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.seen.bytes.load(Ordering::Relaxed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.seen.ends.store(true, Ordering::Relaxed);
    }
}

fn connection(stream: TcpStream, seen: &Seen, serve: &Serve) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    // A connection that nobody closes ends with its test all the same.
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    if !reader.fill_buf()?.is_empty() {
        seen.connections.fetch_add(1, Ordering::Relaxed);
    }
    while let Some(request) = received(&mut reader, seen)? {
        let reply = serve(&request);
        seen.all.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        match reply {
            Reply::Bytes(bytes) => writer.write_all(&bytes)?,
            Reply::Closed(bytes) => return writer.write_all(&bytes),
            Reply::Nothing => {
                while !seen.ends.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(5));
                }
                return Ok(());
            }
        }
    }
    Ok(())
}

fn received(reader: &mut impl BufRead, seen: &Seen) -> std::io::Result<Option<Received>> {
    let mut line = |seen: &Seen| -> std::io::Result<String> {
        let mut line = String::new();
        seen.bytes.fetch_add(reader.read_line(&mut line)?, Ordering::Relaxed);
        Ok(line.trim_end().to_owned())
    };
    let first = line(seen)?;
    let mut words = first.split(' ').map(str::to_owned);
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Ok(None) };
    let mut headers = Vec::new();
    loop {
        let line = line(seen)?;
        let Some((name, value)) = line.split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let mut request = Received { method, path, headers, body: Vec::new() };
    let length = request.header("content-length").map_or(0, |length| length.parse().expect("a length"));
    request.body = vec![0; length];
    reader.read_exact(&mut request.body)?;
    Ok(Some(request))
}
