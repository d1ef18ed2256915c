//! Slurm: a job array, and a merge that runs when all of it has ended.
//!
//! The merge depends on `afterany` and not on `afterok`: once an index was requeued, a job that depends on the success of the array never runs, and `dodona merge` itself refuses an
//! incomplete set of shards, with what is missing.

use std::path::PathBuf;

use dodona_session::ShardNumber;

use super::job::{Job, in_folder, ranges};
use crate::shell;

/// How often a shard is put back into the queue, which goes on where it was.
const TRIES: u32 = 5;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    let file = |name| in_folder(&job.folder, name);
    vec![
        (file("shard.sbatch"), shard(job)),
        (file("merge.sbatch"), merge(job)),
        (file("submit.sh"), submit(job)),
    ]
}

/// The first lines of both scripts.
fn head(job: &Job, name: &str, log: &str, more: &str) -> String {
    format!(
        "#!/bin/bash\n#SBATCH --job-name={name}\n#SBATCH --chdir={home}\n#SBATCH --output={folder}/{log}.log\n#SBATCH --open-mode=append\n#SBATCH --cpus-per-task={cpus}\n\
         #SBATCH --mem={memory}M\n{more}",
        home = job.home.display(),
        folder = job.folder.display(),
        cpus = job.cpus,
        memory = job.memory,
    )
}

fn shard(job: &Job) -> String {
    let more = format!("#SBATCH --time={}\n#SBATCH --requeue\n", job.clock());
    let head = head(job, "dodona", "shard-%a", &more);
    let program = shell::path(&job.program);
    let command = job.shard(&format!("\"${{DODONA:-{program}}}\""), "$SLURM_ARRAY_TASK_ID");
    format!(
        "{head}\n{command}\ncode=$?\n\
         # 3: its time was up. More than 128: a signal ended it, for want of memory, say, or because the machine is wanted for something else.\n\
         # The same command goes on where it was, so that it is put back into the queue.\n\
         if (( (code == 3 || code > 128) && ${{SLURM_RESTART_COUNT:-0}} < {TRIES} )); then\n    scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\" && sleep 60\nfi\nexit $code\n"
    )
}

fn merge(job: &Job) -> String {
    let head = head(job, "dodona-merge", "merge", &format!("#SBATCH --time={}\n", job.clock()));
    let command = job.merge(&format!("\"${{DODONA:-{}}}\"", shell::path(&job.program)));
    format!("{head}\n{command}\n")
}

fn submit(job: &Job) -> String {
    let folder = shell::path(&job.folder);
    format!(
        "#!/bin/sh\n# Submits the shards of these numbers, such as 1-4,7, and the merge behind them. Prints the numbers of both jobs.\nset -e\ncd {home}\n\
         array=$(sbatch --parsable --array=\"${{1:-1-{of}}}\" {folder}/shard.sbatch)\n\
         merge=$(sbatch --parsable --dependency=\"afterany:${{array%%;*}}\" {folder}/merge.sbatch)\n\
         echo \"submitted array ${{array%%;*}} and merge ${{merge%%;*}}\"\n",
        home = shell::path(&job.home),
        of = job.of,
    )
}

pub(super) fn submits(job: &Job, missing: &[ShardNumber]) -> String {
    format!("sh {} {}", shell::path(&in_folder(&job.folder, "submit.sh")), ranges(missing))
}

pub(super) fn asks(ids: &[String]) -> String {
    format!("squeue --array --format='%.12i %.14j %.10T %.10M %R' --jobs={}", ids.join(","))
}
