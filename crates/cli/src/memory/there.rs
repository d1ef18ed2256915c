//! How much memory there is, and how much is in use, as Linux tells it. On other systems neither is known.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

use crate::ending::children;

/// The memory that is there: what the system could give without swapping, or the limit of a control group (a container's, for
/// one) that the process is in, whichever is less.
pub(super) fn memory() -> Option<u64> {
    let system = kibibytes(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits =
        group_files(&groups).into_iter().filter_map(|file| read_to_string(file).ok()?.trim().parse().ok());
    Some(limits.fold(system, u64::min))
}

/// The memory in use by this process and those that it started.
pub(super) fn used() -> Option<u64> {
    let own = resident("self")?;
    Some(own + children().iter().filter_map(|child| resident(&child.to_string())).sum::<u64>())
}

fn resident(process: &str) -> Option<u64> {
    kibibytes(&read_to_string(format!("/proc/{process}/status")).ok()?, "VmRSS:")
}

/// A number of kibibytes behind a name, in bytes.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// The files that hold the limits of control groups, those of the groups around them included. Of the first version of control
/// groups a number too large to matter means none, of the second the word `max`.
fn group_files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|c| c == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let group = Path::new(group.trim_start_matches('/'));
        files.extend(group.ancestors().map(|group| Path::new(root).join(group).join(file)));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_groups_are_those_of_the_groups_around_them_too() {
        let files = group_files("0::/user.slice/run\n");
        let wanted = ["user.slice/run/memory.max", "user.slice/memory.max", "memory.max"];
        assert_eq!(files, wanted.map(|file| Path::new("/sys/fs/cgroup").join(file)));
        let files = group_files("5:cpu,memory:/docker/1\n3:cpuset:/\nbroken\n");
        assert_eq!(files.len(), 3);
        assert!(files[0].ends_with("memory/docker/1/memory.limit_in_bytes"));
    }

    #[test]
    fn kibibytes_are_bytes() {
        assert_eq!(kibibytes("A: 1 kB\nVmRSS:\t  2048 kB\n", "VmRSS:"), Some(2 << 20));
        assert_eq!(kibibytes("VmRSS: many\n", "VmRSS:"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_used_is_less_than_what_is_there() {
        let held = vec![1u8; 8 << 20];
        assert!(used().expect("known") > held.len() as u64);
        assert!(memory().expect("known") > 64 << 20);
    }
}
