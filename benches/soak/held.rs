//! Resources that this process holds.

use std::{fmt, fs};

/// Tolerated growth of memory, which an allocator keeps, KiB.
const MEMORY_SLACK: u64 = 16 << 10;

/// Taken while nothing runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// KiB.
    resident: u64,
    descriptors: usize,
    threads: usize,
    children: usize,
}

impl Held {
    pub(crate) fn now() -> Self {
        let count = |folder: &str| fs::read_dir(folder).unwrap().count();
        Self {
            resident: read_resident_kib(),
            descriptors: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
            children: count_children(),
        }
    }

    /// Returns the resources that grew since `before`, with the amounts.
    pub(crate) fn list_grown(&self, before: &Self) -> Vec<String> {
        let mut grown = Vec::new();
        if self.resident > before.resident + MEMORY_SLACK {
            let more = self.resident - before.resident;
            grown.push(format!("resident memory by {more} KiB (may be {MEMORY_SLACK})"));
        }
        for (what, before, now) in [
            ("descriptors", before.descriptors, self.descriptors),
            ("threads", before.threads, self.threads),
            ("children", before.children, self.children),
        ] {
            if now > before {
                grown.push(format!("{what} by {}", now - before));
            }
        }
        grown
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resident, descriptors, threads, children } = self;
        write!(f, "{resident} KiB, {descriptors} descriptors, {threads} threads, {children} children")
    }
}

fn read_resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn count_children() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let of = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    tasks.map(|task| of(task.unwrap()).split_whitespace().count()).sum()
}
