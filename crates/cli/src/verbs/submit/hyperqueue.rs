//! HyperQueue: a script in Python that submits tasks and a merge that depends on them.
//!
//! A task that depends on others is not run when one of these fails. So a shard that fails is no failed task: it says so in its log, the others go on, and the merge tells what is missing.

use std::path::PathBuf;

use dodona_session::ShardNumber;

use super::job::{Job, ranges};
use crate::shell;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    vec![(job.folder.join("dodona_job.py"), script(job))]
}

/// What the script does with its constants.
const TASKS: &str = r#"# However it ends, the merge is run, and tells what is missing.
SHARD = ["sh", "-c", f'timeout {LIMIT} "$@" || echo "ended with exit code $?"', "shard"]


def job(numbers):
    """The tasks, of which the last one waits for all others."""
    job = Job(max_fails=None, name=f"dodona-{NAME}")

    def task(words, name, **more):
        log = os.path.join(HOME, FOLDER, name + ".log")
        return job.program(words, name=name, cwd=HOME, stdout=log, stderr=log + ".err", **more)

    def shard(n):
        words = [DODONA, *COMMAND, "--shard", f"{n}/{SHARDS}", "--jobs", str(CPUS), "--to", TO, *COSTS]
        needs = ResourceRequest(cpus=CPUS, resources=dict(NEEDS), min_time=timedelta(seconds=LIMIT))
        return task([*SHARD, *words], f"shard-{n}", resources=needs)

    task([DODONA, "merge", "--of", NAME, TO], "merge", deps=[shard(n) for n in numbers])
    return job


def numbers(words):
    """The numbers that words such as 1-4,7 name."""
    ends = [[int(end) for end in part.split("-")] for word in words for part in word.split(",")]
    return [n for part in ends for n in range(part[0], part[-1] + 1)]


if __name__ == "__main__":
    shards = numbers(sys.argv[1:] or [f"1-{SHARDS}"])
    try:
        client = Client()
    except Exception as error:
        why = str(error).splitlines()[0]
        sys.exit(f"error: no server of HyperQueue answers: {why}\nStart one with `hq server start`, and workers for it with `hq worker start`.")
    print(f"submitted {len(shards)} shards as job {client.submit(job(shards)).id}")
"#;

fn script(job: &Job) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let words: Vec<String> = job.command.iter().map(|word| text(word)).collect();
    let path = |path: &std::path::Path| text(&path.display().to_string());
    format!(
        r#""""Submits the shards of a run and their merge to HyperQueue: python3 dodona_job.py [1-4,7], of all shards where none is named."""
import os
import sys
from datetime import timedelta

try:
    from hyperqueue import Client, Job
    from hyperqueue.ffi.protocol import ResourceRequest
except ImportError as error:
    sys.exit(f"error: {{error}}: pip install hyperqueue")

DODONA = os.environ.get("DODONA", {program})
HOME, TO, FOLDER, SHARDS, NAME = {home}, {to}, {folder}, {of}, "{name}"
COMMAND, COSTS = [{words}], [{costs}]
# What a worker has to have: processors, memory in MiB, and as many seconds until it ends.
CPUS, NEEDS, LIMIT = {cpus}, {{"mem": {memory}}}, {seconds}
{TASKS}"#,
        program = path(&job.program),
        home = path(&job.home),
        to = path(&job.to),
        folder = path(&job.folder),
        of = job.of,
        name = job.name,
        words = words.join(", "),
        costs = job.costs.as_ref().map(|folder| format!("\"--costs\", {}", path(folder))).unwrap_or_default(),
        memory = job.memory,
        seconds = job.limit.as_secs(),
        cpus = job.cpus,
    )
}

pub(super) fn submits(job: &Job, missing: &[ShardNumber]) -> String {
    format!("python3 {} {}", shell::path(&job.folder.join("dodona_job.py")), ranges(missing))
}

/// All jobs of the command.
pub(super) fn asks(name: &str) -> String {
    format!("hq job list --all | grep -w dodona-{name}")
}

/// Those that wait or run.
pub(super) fn queue(name: &str) -> String {
    format!("hq job list | grep -w dodona-{name}")
}
