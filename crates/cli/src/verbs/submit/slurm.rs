//! Slurm: a job array, and a merge that runs when all of it has ended.
//!
//! The merge depends on `afterany` and not on `afterok`: once an index was requeued, a job that depends on the success of the array never runs, and `dodona merge` itself refuses an
//! incomplete set of shards, with what is missing.

use std::path::PathBuf;

use dodona_session::ShardNumber;

use super::job::{Job, ranges};
use crate::output::complain;
use crate::shell;

/// How often a shard is put back into the queue, which goes on where it was.
const TRIES: u32 = 5;

/// The last index of an array where a cluster does not say otherwise: MaxArraySize is 1001, and no index is as large.
const USUAL_INDEX: u32 = 1000;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    let file = |name| job.folder.join(name);
    vec![
        (file("shard.sbatch"), shard(job)),
        (file("merge.sbatch"), merge(job)),
        (file("submit.sh"), submit(job)),
    ]
}

/// The first lines of both scripts. Paths stand in `submit.sh`, where a shell reads them.
fn head(job: &Job, name: &str, more: &str) -> String {
    format!(
        "#!/bin/bash\n#SBATCH --job-name={name}-{run}\n#SBATCH --open-mode=append\n#SBATCH --cpus-per-task={cpus}\n#SBATCH --mem={memory}M\n#SBATCH --time={time}\n{more}\n\
         dodona=${{DODONA:-{program}}}\n",
        run = job.name,
        cpus = job.cpus,
        memory = job.memory,
        time = job.clock(),
        program = shell::path(&job.program),
    )
}

fn shard(job: &Job) -> String {
    let head = head(job, "dodona", "#SBATCH --requeue\n");
    let command = job.shard("\"$dodona\"", "$SLURM_ARRAY_TASK_ID");
    format!(
        "{head}{command}\ncode=$?\n\
         # A signal ended it, for want of memory, say, or because the machine is wanted for something else. The same command goes on where it was, so that it is put back into the queue.\n\
         if (( code > 128 && ${{SLURM_RESTART_COUNT:-0}} < {TRIES} )); then\n    scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\" && sleep 60\nfi\nexit $code\n"
    )
}

fn merge(job: &Job) -> String {
    format!("{}{}\n", head(job, "dodona-merge", ""), job.merge("\"$dodona\""))
}

fn submit(job: &Job) -> String {
    let file = |name| shell::path(&job.folder.join(name));
    format!(
        "#!/bin/sh\n# Submits the shards of these numbers, such as 1-4,7, and the merge behind them and behind other jobs, such as 17:18. Prints the numbers of both jobs.\nset -e\ncd {home}\n\
         array=$(sbatch --parsable --chdir=\"$PWD\" --output={shard_log} --array=\"${{1:-1-{of}}}\" {shard})\n\
         merge=$(sbatch --parsable --chdir=\"$PWD\" --output={merge_log} --dependency=\"afterany:${{array%%;*}}${{2:+:$2}}\" {merge})\n\
         echo \"submitted array ${{array%%;*}} and merge ${{merge%%;*}}\"\n",
        home = shell::path(&job.home),
        of = job.of,
        shard_log = file("shard-%a.log"),
        merge_log = file("merge.log"),
        shard = file("shard.sbatch"),
        merge = file("merge.sbatch"),
    )
}

/// Warns where a cluster may not take as many shards.
pub(super) fn check(job: &Job) {
    if job.of > USUAL_INDEX {
        complain(&format!(
            "warning: an array of Slurm has no index above {USUAL_INDEX} unless the cluster allows it, and {} shards have; `scontrol show config | grep MaxArraySize` tells one more than the last index\n",
            job.of
        ));
    }
}

/// Submits shards, and the merge behind them and behind jobs that were submitted before.
pub(super) fn submits(job: &Job, missing: &[ShardNumber], before: &[String]) -> String {
    let script = shell::path(&job.folder.join("submit.sh"));
    let words = [script, ranges(missing), before.join(":")];
    format!("sh {}", words.join(" ").trim_end())
}

fn names(name: &str) -> String {
    format!("squeue --me --array --name=dodona-{name},dodona-merge-{name}")
}

pub(super) fn asks(name: &str) -> String {
    format!("{} --format='%.12i %.26j %.10T %.10M %R'", names(name))
}

/// The jobs that wait or run, with the indices of arrays.
pub(super) fn queue(name: &str) -> String {
    format!("{} --noheader --format='%F %K'", names(name))
}
