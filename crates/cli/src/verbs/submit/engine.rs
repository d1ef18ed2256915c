//! The engines that run jobs: what each is given, how it is asked, and how it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use dodona_session::ShardNumber;
use serde::{Deserialize, Serialize};

use super::job::Job;
use super::{github, hyperqueue, kubernetes, slurm};
use crate::failure::Failure;
use crate::shell;

/// What runs jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Engine {
    /// A job array and a merge that waits for it, by sbatch
    Slurm,
    /// An Indexed Job, a volume, and a Job that merges, by kubectl
    Kubernetes,
    /// Tasks and a merge that depends on them, by the Python package hyperqueue
    Hyperqueue,
    /// A workflow with a matrix and artefacts, by GitHub Actions
    Github,
}

impl Engine {
    /// The files of a job, by their paths.
    pub(super) fn files(self, job: &Job) -> Vec<(PathBuf, String)> {
        match self {
            Engine::Slurm => slurm::files(job),
            Engine::Kubernetes => kubernetes::files(job),
            Engine::Hyperqueue => hyperqueue::files(job),
            Engine::Github => github::files(job),
        }
    }

    /// Whether the engine can run a job.
    ///
    /// # Errors
    /// When it cannot.
    pub(super) fn check(self, job: &Job) -> Result<(), Failure> {
        match self {
            Engine::Slurm => slurm::check(job),
            Engine::Kubernetes => kubernetes::check(job)?,
            Engine::Hyperqueue => {}
            Engine::Github => github::check(job)?,
        }
        Ok(())
    }

    /// The commands of a shell that come before the submission, and that are left to a person.
    pub(super) fn first(self, job: &Job) -> Vec<String> {
        match self {
            Engine::Github => github::first(job),
            Engine::Slurm | Engine::Kubernetes | Engine::Hyperqueue => Vec::new(),
        }
    }

    /// The commands of a shell that submit these shards and the merge, which also waits for jobs that were submitted before.
    pub(super) fn submits(self, job: &Job, missing: &[ShardNumber], before: &[String]) -> Vec<String> {
        match self {
            Engine::Slurm => vec![slurm::submits(job, missing, before)],
            Engine::Kubernetes => kubernetes::submits(job),
            Engine::Hyperqueue => vec![hyperqueue::submits(job, missing)],
            Engine::Github => github::submits(job),
        }
    }

    /// The command of a shell that tells how the jobs of a command stand, which were written to this folder.
    pub(super) fn asks(self, name: &str, folder: &Path) -> String {
        match self {
            Engine::Slurm => slurm::asks(name),
            Engine::Kubernetes => kubernetes::asks(name),
            Engine::Hyperqueue => hyperqueue::asks(name),
            Engine::Github => github::asks(folder),
        }
    }

    /// Which of some shards wait or run on the engine, and the numbers of their jobs. All engines but Slurm know only whether the whole of it does.
    pub(super) fn queued(self, job: &Job, missing: &[ShardNumber]) -> (Vec<ShardNumber>, Vec<String>) {
        let command = match self {
            Engine::Slurm => slurm::queue(&job.name),
            Engine::Kubernetes => kubernetes::queue(&job.name),
            Engine::Hyperqueue => hyperqueue::queue(&job.name),
            Engine::Github => github::queue(&job.folder),
        };
        // An engine that does not answer has nothing, or does not take what is submitted either.
        let output = Command::new("sh").args(["-c", &command]).output().ok();
        let said = output.filter(|output| output.status.success()).map(|output| output.stdout);
        let said = String::from_utf8_lossy(&said.unwrap_or_default()).into_owned();
        if self != Engine::Slurm {
            return (if said.trim().is_empty() { Vec::new() } else { missing.to_vec() }, Vec::new());
        }
        let lines: Vec<(&str, &str)> = said.lines().filter_map(|line| line.trim().split_once(' ')).collect();
        let is_queued =
            |shard: &&ShardNumber| lines.iter().any(|(_, index)| index.trim().parse() == Ok(shard.number()));
        let mut jobs: Vec<String> = lines.iter().map(|(number, _)| (*number).to_owned()).collect();
        jobs.dedup();
        (missing.iter().filter(is_queued).copied().collect(), jobs)
    }

    /// Where the engine has shards that cannot be seen from here, and how they are brought.
    pub(super) fn elsewhere(self, name: &str, to: &Path) -> Option<String> {
        match self {
            Engine::Kubernetes => Some(kubernetes::elsewhere(name, &shell::path(to))),
            Engine::Github => Some(github::elsewhere()),
            Engine::Slurm | Engine::Hyperqueue => None,
        }
    }

    /// The program that submits.
    pub(super) fn program(self) -> &'static str {
        match self {
            Engine::Slurm => "sbatch",
            Engine::Kubernetes => "kubectl",
            Engine::Hyperqueue => "python3",
            Engine::Github => "gh",
        }
    }

    /// How that is installed.
    pub(super) fn installed_by(self) -> &'static str {
        match self {
            Engine::Slurm => {
                "the clients of Slurm are in Debian's package slurm-client, and on every login node of a cluster"
            }
            Engine::Kubernetes => "https://kubernetes.io/docs/tasks/tools says how kubectl is installed",
            Engine::Hyperqueue => {
                "Python runs the script, with the package that `pip install hyperqueue` brings"
            }
            Engine::Github => {
                "https://cli.github.com says how gh is installed, or start the workflow on the page of the repository"
            }
        }
    }
}
