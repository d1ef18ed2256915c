//! GitHub Actions: a workflow with a job for each shard, and one that merges what they leave.
//!
//! GitHub reads workflows only in `.github/workflows` at the top of a repository, so that the file is written there, by the name of the folder of jobs. Nothing is committed or pushed for
//! anybody.

use std::path::{Path, PathBuf};

use super::job::Job;
use super::kubernetes::quoted;
use crate::failure::Failure;
use crate::shell;

/// The most jobs that GitHub makes of a matrix.
const MOST: u32 = 256;

/// How long a job may take beside its shard, in minutes: to get the files of the repository, and Dodona.
const AROUND: u64 = 30;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    vec![(file(job), workflow(job))]
}

pub(super) fn check(job: &Job) -> Result<(), Failure> {
    if job.of > MOST {
        return Err(Failure::usage(format!(
            "GitHub makes at most {MOST} jobs of a matrix, and these are {}: say --shards {MOST}, or fewer",
            job.of
        )));
    }
    if job.install.is_none() {
        return Err(Failure::usage(
            "a runner of GitHub has no Dodona, so that nothing was written: say with --install COMMAND how it gets onto one, with the compilers that the subjects need",
        ));
    }
    job.are_below(top(&job.home))
}

/// The top of the repository that a folder is in; the folder itself where there is none yet.
fn top(home: &Path) -> &Path {
    home.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(home)
}

/// The folder of the command, from the top of the repository.
fn below_top(job: &Job) -> &Path {
    job.home.strip_prefix(top(&job.home)).unwrap_or(Path::new(""))
}

/// The file of the workflow, from here.
fn file(job: &Job) -> PathBuf {
    let up = below_top(job).components().map(|_| "..");
    up.collect::<PathBuf>().join(".github/workflows").join(workflow_name(&job.folder))
}

/// The name of the workflow's file, by which it is started.
fn workflow_name(folder: &Path) -> String {
    let name = folder.file_name().map_or_else(|| "dodona-jobs".into(), |name| name.to_string_lossy());
    format!("{name}.yml")
}

fn workflow(job: &Job) -> String {
    let numbers: Vec<String> = (1..=job.of).map(|number| number.to_string()).collect();
    let below = below_top(job);
    let folder = match below.as_os_str().is_empty() {
        true => String::new(),
        false => {
            format!("defaults:\n  run:\n    working-directory: {}\n", quoted(&below.display().to_string()))
        }
    };
    let install = job.install.as_deref().unwrap_or_default().replace('\n', "\n          ");
    let minutes = job.minutes();
    let head =
        format!("    runs-on: ubuntu-latest\n    timeout-minutes: {}\n", minutes.saturating_add(AROUND));
    let prepared = format!("      - uses: actions/checkout@v4\n      - run: |\n          {install}\n");
    format!(
        "name: dodona\non:\n  workflow_dispatch:\npermissions:\n  contents: read\n{folder}jobs:\n  shard:\n{head}    strategy:\n      fail-fast: false\n      matrix:\n        shard: [{numbers}]\n    \
         steps:\n{prepared}      - timeout-minutes: {minutes}\n        run: |\n          {shard}\n      - uses: actions/upload-artifact@v4\n        # Where a subject fails there is a shard too.\n        \
         if: ${{{{ !cancelled() }}}}\n        with:\n          name: shard-${{{{ matrix.shard }}}}\n          path: {to}\n          if-no-files-found: error\n  \
         merge:\n    needs: shard\n    # What is missing is told by the merge.\n    if: ${{{{ !cancelled() }}}}\n{head}    steps:\n{prepared}      \
         - uses: actions/download-artifact@v4\n        with:\n          pattern: shard-*\n          path: {to}\n          merge-multiple: true\n      - run: |\n          {merge} --format markdown >> \"$GITHUB_STEP_SUMMARY\"\n",
        numbers = numbers.join(", "),
        to = quoted(&below.join(&job.to).display().to_string()),
        shard = job.shard("dodona", "${{ matrix.shard }}"),
        merge = job.merge("dodona"),
    )
}

/// What a person does before the workflow can be started.
pub(super) fn first(job: &Job) -> Vec<String> {
    let file = shell::path(&file(job));
    vec![
        format!("git add {file}"),
        format!("git commit --message 'Run Dodona in shards' {file}"),
        "git push    # to the main branch, where GitHub looks for workflows that are started by hand"
            .to_owned(),
    ]
}

pub(super) fn submits(job: &Job) -> Vec<String> {
    vec![format!("gh workflow run {}", shell::word(workflow_name(&job.folder).as_bytes()))]
}

pub(super) fn asks(folder: &Path) -> String {
    format!("gh run list --workflow {} --limit 3", shell::word(workflow_name(folder).as_bytes()))
}

pub(super) fn queue(folder: &Path) -> String {
    format!("{} --json status --jq '.[].status | select(. != \"completed\")'", asks(folder))
}

/// What cannot be seen from here.
pub(super) fn elsewhere() -> String {
    "those that GitHub ran are artefacts of its run, which are not seen from here; they are brought by: gh run download --pattern 'shard-*', and put together by: dodona merge shard-*/*.shard".to_owned()
}
