//! `dodona init --openapi` and `dodona check` on web services of others, which the tests start on this machine: as they are, and behind a proxy with a fault.

mod common;

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::exits;

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends when its standard input does.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A port that nobody uses.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

/// Starts a command that listens at the port that stands for `PORT`, and waits until it does.
fn start(words: &[&str], folder: &Path) -> Server {
    start_at(free_port(), words, folder)
}

fn start_at(port: u16, words: &[&str], folder: &Path) -> Server {
    let words: Vec<String> = words.iter().map(|word| word.replace("PORT", &port.to_string())).collect();
    let mut command = Command::new("python3");
    command.arg(root().join("tests/services/attached.py")).args(&words).current_dir(folder);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let server =
        Server { child: child.expect("python3 starts"), address: format!("http://127.0.0.1:{port}") };
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{words:?} does not listen");
        std::thread::sleep(Duration::from_millis(50));
    }
    server
}

/// Where services of others are installed.
fn installed(path: &str) -> Option<String> {
    let path = common::cached(&format!("services/{path}"))?;
    path.exists().then(|| path.display().to_string())
}

const FAULTS: [&str; 7] = [
    "dropped filter",
    "wrong page size",
    "unstable order",
    "duplicated record",
    "off-by-one total",
    "case-sensitive search",
    "stale cache",
];

/// The relations, among these or all, that are violated where a proxy with this fault stands before a service.
fn violated(folder: &Path, service: &Server, fault: &str, among: &[String]) -> Vec<String> {
    let faulty = root().join("tests/services/faulty.py").display().to_string();
    let proxy = start(&["python3", &faulty, "PORT", &service.address, fault], folder);
    let manifest = std::fs::read_to_string(folder.join("dodona.toml")).expect("a manifest");
    std::fs::write(folder.join("faulty.toml"), manifest.replace(&service.address, &proxy.address))
        .expect("written");
    let mut words = vec!["check", "faulty.toml", "--sources", "25", "--keep", "nothing", "--format", "json"];
    words.extend(among.iter().flat_map(|name| ["--relation", name]));
    let output = common::run(folder, &words);
    let record: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{fault}: {}", common::both(&output)));
    let record = &record["subjects"][0];
    let relations = record["relations"].as_array().expect("relations");
    let found = relations.iter().filter(|relation| relation["tally"]["violated"].as_u64() > Some(0));
    let found = found.filter_map(|relation| relation["name"].as_str().map(str::to_owned));
    // That equal requests are answered differently is told in place of verdicts.
    let unstable = record["failure"].as_str().filter(|why| why.contains("the same call once more gives"));
    found.chain(unstable.map(str::to_owned)).collect()
}

/// The faults that no relation finds.
fn missed<'f>(folder: &Path, service: &Server, faults: &[&'f str]) -> Vec<&'f str> {
    let is_missed = |fault: &&&str| violated(folder, service, fault, &[]).is_empty();
    faults.iter().filter(is_missed).copied().collect()
}

#[test]
fn a_service_is_drafted_from_its_document_and_its_faults_are_found() {
    let test = "a_service_is_drafted_from_its_document_and_its_faults_are_found";
    let Some(python) = installed("bin/python") else {
        return common::skipped(test, "FastAPI is not installed");
    };
    let testdata = root().join("crates/openapi/testdata");
    let shop = start(&[&python, "-m", "uvicorn", "shop:app", "--port", "PORT"], &testdata);
    let folder = tempfile::tempdir().expect("a folder");
    let said = exits(folder.path(), &["init", "--openapi", &format!("{}/openapi.json", shop.address)], 0);
    assert!(said.lines().count() <= 25 && said.contains(", 0 violated, "), "{said}");
    let manifest = std::fs::read_to_string(folder.path().join("dodona.toml")).expect("a manifest");
    assert!(
        manifest.contains("domain.item_id = { values = [1, 2, 3,"),
        "identifiers are those of the list: {manifest}"
    );
    let relations = std::fs::read_to_string(folder.path().join("shop.mr")).expect("relations");
    assert!(relations.contains("# held on "), "{relations}");
    exits(folder.path(), &["check", ".", "--sources", "60"], 0);
    assert_eq!(missed(folder.path(), &shop, &FAULTS), [""; 0]);
}

#[test]
fn what_creates_and_deletes_is_tried_where_the_service_is_reset() {
    let test = "what_creates_and_deletes_is_tried_where_the_service_is_reset";
    let Some(python) = installed("bin/python") else {
        return common::skipped(test, "FastAPI is not installed");
    };
    let testdata = root().join("crates/openapi/testdata");
    let shop = start(&[&python, "-m", "uvicorn", "shop:app", "--port", "PORT"], &testdata);
    let folder = tempfile::tempdir().expect("a folder");
    let document = format!("{}/openapi.json", shop.address);
    let said = exits(folder.path(), &["init", "--openapi", &document, "--reset", "POST /reset"], 0);
    assert!(said.lines().count() <= 25 && said.contains(", 0 violated, 0 never eligible"), "{said}");
    let relations = std::fs::read_to_string(folder.path().join("shop.mr")).expect("relations");
    let names = relations.lines().filter_map(|line| line.strip_prefix("relation ")?.split([':', '(']).next());
    let of_changes: Vec<String> = names
        .filter(|name| name.contains("create_item") || name.contains("delete_item"))
        .map(str::to_owned)
        .collect();
    assert_eq!(of_changes.len(), 7, "{of_changes:?}");
    for (fault, expected) in [
        ("none", vec![]),
        ("lost record", vec!["create_item_adds_one", "create_item_has_name", "create_item_has_price"]),
        ("changed record", vec!["create_item_has_price"]),
        (
            "nothing deleted",
            vec!["create_item_and_delete_item_leaves", "delete_item_removes", "delete_item_removes_one"],
        ),
        (
            "another deleted",
            vec!["create_item_and_delete_item_leaves", "delete_item_removes", "delete_item_removes_one"],
        ),
    ] {
        let mut found = violated(folder.path(), &shop, fault, &of_changes);
        found.sort();
        let expected: Vec<String> = expected.iter().map(|name| format!("list_items_{name}")).collect();
        assert_eq!(found, expected, "{fault}");
    }
}

#[test]
fn a_check_that_ended_early_goes_on_without_repeating_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let port = free_port();
    let manifest = format!(
        "relations = [\"r.mr\"]\n[target]\nhttp = \"http://127.0.0.1:{port}\"\n[[function]]\nsignature = \"double(x: i32) -> f64\"\n\
         request = \"GET /double\"\nquery = {{ x = \"{{x}}\" }}\noutput = {{ json = \"/y\" }}\ndomain.x = {{ range = [-100000, 100000] }}\n"
    );
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    std::fs::write(folder.path().join("r.mr"), "relation odd: double(-x) == -double(x)\n").expect("written");
    let script = root().join("tests/services/counted.py").display().to_string();
    let started = |most: &str| start_at(port, &["python3", &script, "PORT", most], folder.path());
    let log = || std::fs::read_to_string(folder.path().join("requests.log")).expect("a log").lines().count();
    let check = |words: &[&str]| {
        common::run(folder.path(), &[&["check", ".", "--jobs", "1", "--keep", "nothing"], words].concat())
    };
    // Everything that is asked without an interruption.
    let server = started("100000");
    let whole = common::both(&check(&[]));
    let all = log();
    assert!(whole.contains("odd"), "{whole}");
    drop(server);
    std::fs::remove_file(folder.path().join("requests.log")).expect("removed");
    // The service ends in the middle.
    let server = started("120");
    let cut = check(&["--resume"]);
    assert!(!cut.status.success() && common::both(&cut).contains("are kept"), "{}", common::both(&cut));
    assert_eq!(log(), 120);
    drop(server);
    let server = started("100000");
    let resumed = check(&["--resume"]);
    let said = common::both(&resumed);
    assert!(resumed.status.success() && said.contains("are not made again"), "{said}");
    // Eight calls at most were not written yet, and some are made once more to see whether they give the same.
    assert!(log() < all + 30, "{} requests in two parts, {all} in one", log());
    assert!(said.contains(whole.lines().next().expect("a line")), "{whole}{said}");
    assert_eq!(std::fs::read_dir(folder.path().join(".dodona/calls")).expect("a folder").count(), 0);
    drop(server);
}

#[test]
fn json_server_is_drafted_from_a_document_and_its_faults_are_found() {
    let test = "json_server_is_drafted_from_a_document_and_its_faults_are_found";
    let Some(server) = installed("node_modules/.bin/json-server") else {
        return common::skipped(test, "json-server is not installed");
    };
    let folder = tempfile::tempdir().expect("a folder");
    let data = root().join("tests/services");
    std::fs::copy(data.join("posts.json"), folder.path().join("posts.json")).expect("copied");
    let posts = start(
        &["node", &server, "--port", "PORT", "--host", "127.0.0.1", "--quiet", "posts.json"],
        folder.path(),
    );
    let document = data.join("posts.yaml").display().to_string();
    let said = exits(folder.path(), &["init", "--openapi", &document, "--address", &posts.address], 0);
    assert!(said.lines().count() <= 25 && said.contains(", 0 violated, "), "{said}");
    // Its answers are lists, and have no total that could be wrong.
    let faults: Vec<&str> = FAULTS.into_iter().filter(|fault| *fault != "off-by-one total").collect();
    assert_eq!(missed(folder.path(), &posts, &faults), [""; 0]);
}
