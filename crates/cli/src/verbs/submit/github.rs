//! GitHub Actions: a workflow with a job for each shard, and one that merges what they leave.

use std::path::PathBuf;

use super::job::Job;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    vec![(PathBuf::from(".github/workflows/dodona.yml"), workflow(job))]
}

fn workflow(job: &Job) -> String {
    let numbers: Vec<String> = (1..=job.of).map(|number| number.to_string()).collect();
    let (minutes, numbers, to) = (job.minutes(), numbers.join(", "), job.to.display());
    let prepared = "      - uses: actions/checkout@v4\n      # Or however else this repository gets Dodona, and the compilers that its subjects need.\n      - run: cargo install --locked dodona-cli\n";
    format!(
        "name: dodona\non:\n  workflow_dispatch:\njobs:\n  shard:\n    runs-on: ubuntu-latest\n    timeout-minutes: {minutes}\n    strategy:\n      fail-fast: false\n      matrix:\n        shard: [{numbers}]\n    \
         steps:\n{prepared}      - run: |\n          {shard}\n      - uses: actions/upload-artifact@v4\n        with:\n          name: shard-${{{{ matrix.shard }}}}\n          path: {to}\n          if-no-files-found: error\n  \
         merge:\n    needs: shard\n    # What is missing is told by the merge.\n    if: ${{{{ !cancelled() }}}}\n    runs-on: ubuntu-latest\n    timeout-minutes: {minutes}\n    steps:\n{prepared}      \
         - uses: actions/download-artifact@v4\n        with:\n          pattern: shard-*\n          path: {to}\n          merge-multiple: true\n      - run: |\n          {merge} --format markdown >> \"$GITHUB_STEP_SUMMARY\"\n",
        shard = job.shard("dodona", "${{ matrix.shard }}"),
        merge = job.merge("dodona"),
    )
}

pub(super) fn submits() -> String {
    "gh workflow run dodona.yml".to_owned()
}
