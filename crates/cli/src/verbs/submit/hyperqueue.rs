//! HyperQueue: a script in Python that submits tasks and a merge that depends on them.

use std::path::PathBuf;

use super::job::Job;
use crate::shell;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    vec![(job.folder.join("dodona_job.py"), script(job))]
}

fn script(job: &Job) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let words: Vec<String> = job.command.iter().map(|word| text(word)).collect();
    let path = |path: &std::path::Path| text(&path.display().to_string());
    format!(
        r#""""Submits the shards of a run and their merge to HyperQueue: python3 dodona_job.py [NUMBER…], of all shards where none is named."""
import os
import sys

from hyperqueue import Client, Job
from hyperqueue.ffi.protocol import ResourceRequest

DODONA = os.environ.get("DODONA", {program})
HOME, TO, FOLDER, SHARDS = {home}, {to}, {folder}, {of}
COMMAND, COSTS = [{words}], [{costs}]


def job(numbers):
    """The tasks, of which the last one waits for all others."""
    job = Job()

    def task(words, name, **more):
        log = os.path.join(HOME, FOLDER, name + ".log")
        return job.program([DODONA, *words], name=name, cwd=HOME, stdout=log, stderr=log + ".err", **more)

    each = ResourceRequest(cpus={cpus})
    shards = [
        task([*COMMAND, "--shard", f"{{n}}/{{SHARDS}}", "--jobs", "{cpus}", "--to", TO, *COSTS], f"shard-{{n}}", resources=each)
        for n in numbers
    ]
    task(["merge", TO], "merge", deps=shards)
    return job


def missing():
    """The shards that are not there yet."""
    width = len(str(SHARDS))
    path = lambda n: os.path.join(HOME, TO, f"{{n:0{{width}}}}-of-{{SHARDS}}.shard")
    return [n for n in range(1, SHARDS + 1) if not os.path.exists(path(n))]


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]] or missing()
    submitted = Client().submit(job(numbers))
    print(f"submitted job {{submitted.id}} of {{len(numbers)}} shards")
"#,
        program = path(&job.program),
        home = path(&job.home),
        to = path(&job.to),
        folder = path(&job.folder),
        of = job.of,
        words = words.join(", "),
        costs = job.costs.as_ref().map(|folder| format!("\"--costs\", {}", path(folder))).unwrap_or_default(),
        cpus = job.cpus,
    )
}

pub(super) fn submits(job: &Job) -> String {
    format!("python3 {}", shell::path(&job.folder.join("dodona_job.py")))
}
