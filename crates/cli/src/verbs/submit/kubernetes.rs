//! Kubernetes: an Indexed Job, a Job that merges when all shards are there, and the volume that both use, with a pod through which files are copied into it and out of it.
//!
//! A Job cannot depend on another one, so that the merge waits for the files itself, as long as the shards may take one after the other. What it waits for is told by `dodona merge`, which
//! knows the shards of this command from others that lie in the volume. It is not tried again: a relation that is violated is an answer.

use std::path::PathBuf;

use super::job::Job;
use crate::failure::Failure;
use crate::shell;

/// How often the merge looks for the shards, in seconds.
const LOOKS: u64 = 30;

/// The longest that a Job waits, in seconds: a hundred years are no limit.
const LONGEST: u64 = 3_000_000_000;

pub(super) fn files(job: &Job) -> Vec<(PathBuf, String)> {
    vec![(job.folder.join("volume.yaml"), volume(job)), (job.folder.join("jobs.yaml"), jobs(job))]
}

pub(super) fn check(job: &Job) -> Result<(), Failure> {
    job.are_below(&job.home)
}

/// A text between quotes, as YAML reads it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The name and the labels of something.
fn metadata(name: &str, job: &Job) -> String {
    format!("metadata:\n  name: {name}\n  labels: {{ app: dodona, dodona-run: \"{}\" }}\n", job.name)
}

/// What a pod runs, at this depth of indentation, in which the volume is `/work`.
fn container(job: &Job, depth: usize, command: &str, resources: &str) -> String {
    let lines = format!(
        "containers:\n  - name: dodona\n    image: {image}\n    # An image without a version would be pulled each time, also where the node has it.\n    imagePullPolicy: IfNotPresent\n    workingDir: /work\n    \
         command: {command}\n    resources: {resources}\n    volumeMounts:\n      - {{ name: work, mountPath: /work }}\nvolumes:\n  - name: work\n    persistentVolumeClaim: {{ claimName: dodona-{name} }}\n",
        image = quoted(&job.image),
        name = job.name,
    );
    lines.lines().map(|line| format!("{}{line}\n", " ".repeat(depth))).collect()
}

fn volume(job: &Job) -> String {
    let name = &job.name;
    format!(
        "# The volume gets the files of the folder that the command was given in, and the shards. Several nodes write to it: its class has to allow ReadWriteMany.\n\
         apiVersion: v1\nkind: PersistentVolumeClaim\n{claim}spec:\n  accessModes: [ReadWriteMany]\n  resources:\n    requests:\n      storage: 10Gi\n\
         ---\n# Through this pod files are copied into the volume and out of it.\napiVersion: v1\nkind: Pod\n{pod}spec:\n  terminationGracePeriodSeconds: 0\n{files}",
        claim = metadata(&format!("dodona-{name}"), job),
        pod = metadata(&format!("dodona-files-{name}"), job),
        files = container(job, 2, "[\"sleep\", \"infinity\"]", "{ requests: { cpu: 10m, memory: 64Mi } }"),
    )
}

fn jobs(job: &Job) -> String {
    let (of, name, seconds) = (job.of, &job.name, job.limit.as_secs());
    // Indices begin with 0, shards with 1.
    let shard = job.shard("exec dodona", "$((JOB_COMPLETION_INDEX + 1))");
    let waits = seconds.saturating_mul(u64::from(of)).min(LONGEST);
    let merge = format!(
        "n=0; until missing=$({missing} --missing 2>/dev/null) && [ -z \"$missing\" ] || [ $n -ge {looks} ]; do n=$((n + 1)); sleep {LOOKS}; done; {merge}",
        missing = job.merge("dodona"),
        looks = waits / LOOKS + 1,
        merge = job.merge("exec dodona"),
    );
    let resources = format!(
        "{{ requests: {{ cpu: \"{cpus}\", memory: {memory}Mi }}, limits: {{ memory: {memory}Mi }} }}",
        cpus = job.cpus,
        memory = job.memory
    );
    let runs = |command: &str| {
        let labels = format!("    metadata:\n      labels: {{ app: dodona, dodona-run: \"{name}\" }}\n");
        let command = format!("[\"sh\", \"-c\", {}]", quoted(command));
        (labels, container(job, 6, &command, &resources))
    };
    let ((labels, shards), (_, merges)) = (runs(&shard), runs(&merge));
    format!(
        "apiVersion: batch/v1\nkind: Job\n{of_shards}spec:\n  completions: {of}\n  parallelism: {of}\n  completionMode: Indexed\n  backoffLimitPerIndex: 5\n  podFailurePolicy:\n    rules:\n      \
         # A pod that was evicted or preempted is no failure of the shard.\n      - action: Ignore\n        onPodConditions:\n          - {{ type: DisruptionTarget, status: \"True\" }}\n  \
         template:\n{labels}    spec:\n      restartPolicy: Never\n      activeDeadlineSeconds: {seconds}\n{shards}\
         ---\napiVersion: batch/v1\nkind: Job\n{of_merge}spec:\n  backoffLimit: 0\n  # As long as all shards may take one after the other, and the merge itself.\n  activeDeadlineSeconds: {deadline}\n  \
         template:\n{labels}    spec:\n      restartPolicy: Never\n{merges}",
        of_shards = metadata(&format!("dodona-{name}"), job),
        of_merge = metadata(&format!("dodona-merge-{name}"), job),
        deadline = waits.saturating_add(LOOKS).saturating_add(seconds).min(2 * LONGEST),
    )
}

/// A Job that has ended would stay as it is, so that those of this command are deleted first, with their pods.
pub(super) fn submits(job: &Job) -> Vec<String> {
    let (name, file) = (&job.name, |name| shell::path(&job.folder.join(name)));
    vec![
        format!("kubectl delete jobs,pods --selector dodona-run={name}"),
        format!("kubectl apply --filename {}", file("volume.yaml")),
        format!("kubectl wait pod/dodona-files-{name} --for condition=Ready --timeout 10m"),
        format!("kubectl cp . dodona-files-{name}:/work"),
        format!("kubectl apply --filename {}", file("jobs.yaml")),
    ]
}

pub(super) fn asks(name: &str) -> String {
    format!("kubectl get jobs --selector dodona-run={name}")
}

pub(super) fn queue(name: &str) -> String {
    format!("{} --output jsonpath='{{.items[*].status.active}}'", asks(name))
}

/// What cannot be seen from here.
pub(super) fn elsewhere(name: &str, to: &str) -> String {
    format!(
        "those in the volume dodona-{name} are not seen from here; they are brought by: kubectl cp dodona-files-{name}:/work/{to} {to}"
    )
}
