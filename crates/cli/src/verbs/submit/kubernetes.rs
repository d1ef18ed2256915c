//! Kubernetes: an Indexed Job, a Job that merges when all shards are there, and the volume that both use.
//!
//! A Job cannot depend on another one, so that the merge waits for the files itself. A shard is written under another name and renamed, so that a file that is there is whole.

use std::path::PathBuf;

use super::job::Job;
use crate::shell;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    vec![(job.folder.join("dodona.yaml"), manifest(job))]
}

/// A text between quotes, as YAML reads it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn manifest(job: &Job) -> String {
    // Indices begin with 0, shards with 1.
    let shard = quoted(&job.shard("exec dodona", "$((JOB_COMPLETION_INDEX + 1))"));
    let (to, of, seconds) = (shell::path(&job.to), job.of, job.limit.as_secs());
    let merge = quoted(&format!(
        "until [ \"$(ls {to}/*-of-{of}.shard 2>/dev/null | wc -l)\" -eq {of} ]; do sleep 10; done; {}",
        job.merge("exec dodona")
    ));
    let (image, cpus, memory) = (quoted(&job.image), job.cpus, job.memory);
    let container = |command: &str| {
        format!(
            "        - name: dodona\n          image: {image}\n          workingDir: /work\n          command: [\"sh\", \"-c\", {command}]\n          resources:\n            \
             requests: {{ cpu: \"{cpus}\", memory: {memory}Mi }}\n            limits: {{ memory: {memory}Mi }}\n          volumeMounts:\n            - {{ name: work, mountPath: /work }}\n      \
             volumes:\n        - name: work\n          persistentVolumeClaim: {{ claimName: dodona }}\n"
        )
    };
    format!(
        "# The volume holds the subjects, from the folder that the command was given in, and gets the shards. Several nodes write to it: its class has to allow ReadWriteMany.\n\
         apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: dodona\n  labels: {{ app: dodona }}\nspec:\n  accessModes: [ReadWriteMany]\n  resources:\n    requests:\n      storage: 10Gi\n\
         ---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: dodona\n  labels: {{ app: dodona }}\nspec:\n  completions: {of}\n  parallelism: {of}\n  completionMode: Indexed\n  \
         backoffLimitPerIndex: 5\n  podFailurePolicy:\n    rules:\n      # A pod that was evicted or preempted is no failure of the shard.\n      - action: Ignore\n        onPodConditions:\n          \
         - {{ type: DisruptionTarget, status: \"True\" }}\n  template:\n    metadata:\n      labels: {{ app: dodona }}\n    spec:\n      restartPolicy: Never\n      activeDeadlineSeconds: {seconds}\n      \
         containers:\n{shards}\
         ---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: dodona-merge\n  labels: {{ app: dodona }}\nspec:\n  backoffLimit: 2\n  template:\n    metadata:\n      labels: {{ app: dodona }}\n    \
         spec:\n      restartPolicy: Never\n      containers:\n{merges}",
        shards = container(&shard),
        merges = container(&merge),
    )
}

pub(super) fn submits(job: &Job) -> String {
    format!("kubectl apply -f {}", shell::path(&job.folder.join("dodona.yaml")))
}
