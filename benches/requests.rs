//! Requests a second to a service of five lines of Node on the loopback interface, on one and two threads: as a target of Dodona, and by a bare client that writes the same bytes into a kept
//! connection and reads the answer. `cargo run --release --package dodona-workers --example requests`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dodona_subject::{Manifest, ModuleSource, OutsideKind};
use dodona_target::{Column, Target};
use dodona_workers::{HttpOptions, HttpTarget};

/// How long each figure is measured, and how often, in turns: the best counts, as other work on the machine only makes it worse.
const MEASURED: Duration = Duration::from_secs(1);
const TIMES: usize = 5;

/// It ends when its standard input does.
const SERVER: &str = "process.stdin.on('end', () => process.exit()).resume();
const server = require('http').createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ double: 2 * new URL(request.url, 'http://a').searchParams.get('x') }));
}).listen(0, '127.0.0.1', () => console.log(server.address().port));";

fn main() {
    let (mut server, port) = started();
    for threads in [1, 2] {
        let (mut bare, mut ours) = (0.0_f64, 0.0_f64);
        for _ in 0..TIMES {
            bare = bare.max(rate(threads, || Bare::new(port)));
            ours = ours.max(rate(threads, || Ours::new(port)));
        }
        println!(
            "{threads} thread(s): bare {bare:.0} requests a second, Dodona {ours:.0}, ratio {:.2}",
            ours / bare
        );
    }
    drop(server.stdin.take());
    let _ = server.wait();
}

fn started() -> (Child, u16) {
    let mut server = Command::new("node")
        .args(["-e", SERVER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node is installed");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("it is piped"))
        .read_line(&mut line)
        .expect("it tells its port");
    (server, line.trim().parse().expect("a port"))
}

trait Client {
    /// Makes so many requests.
    fn make(&mut self, rows: usize);
}

/// Requests a second of so many clients at once.
fn rate<C: Client>(threads: usize, new: impl Fn() -> C + Sync) -> f64 {
    const ROWS: usize = 500;
    let of_one = || {
        let mut client = new();
        client.make(ROWS);
        let (begun, mut made) = (Instant::now(), 0);
        while begun.elapsed() < MEASURED {
            client.make(ROWS);
            made += ROWS;
        }
        made as f64 / begun.elapsed().as_secs_f64()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(of_one)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it measures")).sum()
    })
}

struct Bare(TcpStream, Vec<u8>);

impl Bare {
    fn new(port: u16) -> Bare {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        Bare(stream, vec![0; 4096])
    }
}

impl Client for Bare {
    fn make(&mut self, rows: usize) {
        for x in 0..rows {
            let request = format!(
                "GET /?x={x} HTTP/1.1\r\nuser-agent: dodona/0.1.0\r\naccept: */*\r\nhost: 127.0.0.1\r\n\r\n"
            );
            self.0.write_all(request.as_bytes()).expect("it is sent");
            let mut length = 0;
            // The answer is complete when its chunk of size 0, or its only object, has ended.
            while !self.1[..length].ends_with(b"}") && !self.1[..length].ends_with(b"0\r\n\r\n") {
                length += self.0.read(&mut self.1[length..]).expect("it answers");
            }
        }
    }
}

struct Ours(Box<dyn dodona_target::Session>);

impl Ours {
    fn new(port: u16) -> Ours {
        let text = format!(
            "[target]\nhttp = \"http://127.0.0.1:{port}\"\n[[function]]\nsignature = \"double(x: i64) -> i64\"\n\
             request = \"GET /\"\nquery = {{ x = \"{{x}}\" }}\noutput = {{ json = \"/double\" }}\n"
        );
        let manifest = Manifest::parse(Path::new("dodona.toml"), &text).expect("a manifest");
        let ModuleSource::Outside(outside) = &manifest.source else { panic!("a target") };
        let OutsideKind::Http(service) = &outside.kind else { panic!("a service") };
        let target = HttpTarget::reach(HttpOptions {
            name: "double".into(),
            declared_in: "dodona.toml".into(),
            signatures: manifest.signatures(),
            service: service.clone(),
            time: manifest.limits.time,
            output: manifest.limits.output,
        });
        Ours(target.expect("it listens").open())
    }
}

impl Client for Ours {
    fn make(&mut self, rows: usize) {
        let column = Column::Int((0..rows as i128).collect());
        let calls = self.0.call(0, &[column]).expect("it answers");
        assert!(calls.outcomes.iter().all(|outcome| outcome.has_outputs()));
    }
}
