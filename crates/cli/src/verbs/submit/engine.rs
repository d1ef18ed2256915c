//! The engines that run jobs: what each is given, how it is asked, and how it is installed.

use std::path::PathBuf;

use clap::ValueEnum;
use dodona_session::ShardNumber;
use serde::{Deserialize, Serialize};

use super::job::Job;
use super::{github, hyperqueue, kubernetes, slurm};

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

    /// The command of a shell that submits these shards and the merge.
    pub(super) fn submits(self, job: &Job, missing: &[ShardNumber]) -> String {
        match self {
            Engine::Slurm => slurm::submits(job, missing),
            Engine::Kubernetes => kubernetes::submits(job),
            Engine::Hyperqueue => hyperqueue::submits(job),
            Engine::Github => github::submits(),
        }
    }

    /// The command of a shell that tells how its jobs stand, where these were submitted.
    pub(super) fn asks(self, ids: &[String]) -> String {
        match self {
            Engine::Slurm => slurm::asks(ids),
            Engine::Kubernetes => "kubectl get jobs -l app=dodona".to_owned(),
            Engine::Hyperqueue => "hq job list --all".to_owned(),
            Engine::Github => "gh run list --workflow dodona.yml --limit 3".to_owned(),
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
            Engine::Hyperqueue => "`pip install hyperqueue` brings it",
            Engine::Github => {
                "https://cli.github.com says how gh is installed, or start the workflow on the page of the repository"
            }
        }
    }
}
