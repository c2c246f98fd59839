//! Disks that are full, or that cannot be written.

use anyhow::{Result, ensure};

use super::{
    bed::{Bed, Ended},
    oracle,
    scenario::{
        EVENT, GATE, HOOKS, OWN_SETTINGS, RUN, SETTINGS, whole_settings, with_settings, without_cache,
    },
    table::{Group, Table},
};
use crate::process::Process;

/// Sizes of the cache's disk, KiB: room for nothing, for a memo, for a part of the native code.
const SIZES: [u32; 4] = [4, 16, 64, 256];

pub(super) fn run(bed: &Bed, table: &mut Table) -> Result<()> {
    let script = "mount -t tmpfs -o size=4k none /mnt";
    let may = Process::new("unshare").args(["-m", "sh", "-c", script]).output().is_ok();
    ensure!(
        may,
        "disks cannot be mounted here, in a namespace of their own; run it as root, in a container with the capability SYS_ADMIN, \
         or name the other scenarios"
    );
    let mut group = Group::new("disks that are full or cannot be written");
    bed.clear()?;
    bed.write_file(HOOKS, GATE)?;
    for size in SIZES {
        without_cache(bed)?;
        let ended = run_on_disk(bed, ".cache", &format!("size={size}k"), RUN)?;
        group.record_fault(
            || format!("the cache has {size} KiB"),
            oracle::check_deny(&ended).and_then(|()| check_leftovers(&ended)),
        );
    }
    for folder in [".cache", ".local/state"] {
        let ended = run_on_disk(bed, folder, "ro", RUN)?;
        group.record_fault(|| format!("{folder} is read-only"), oracle::check_deny(&ended));
    }
    for options in ["size=4k", "ro"] {
        with_settings(bed)?;
        let ended = install_on_full_disk(bed, options)?;
        let kept = if ended.stdout.ends_with(OWN_SETTINGS) { Ok(()) } else { Err(ended.shown()) };
        group.record_fault(|| format!("settings on a disk with {options}"), kept);
    }
    // Repeat on a disk with room.
    with_settings(bed)?;
    let ended = bed.run(&[], &["install", "claude-code", "--yes"], "")?;
    group.record_fault(|| "settings on a disk that works".to_owned(), whole_settings(bed, &ended));
    table.report_group(group);
    Ok(())
}

/// Runs hookbox with a disk of its own at this folder of the home; prints the number of leftover temporary files to standard error.
fn run_on_disk(bed: &Bed, folder: &str, options: &str, words: &[&str]) -> Result<Ended> {
    let script = "f=\"$HOME/$0\"; mkdir -p \"$f\" && mount -t tmpfs -o \"$1\" none \"$f\" && shift && \"$@\"; e=$?; \
                  echo \"left $(find \"$f\" -name '*.tmp' | wc -l)\" >&2; exit $e";
    bed.run(&build_shell_command(script, &[folder, options]), words, EVENT)
}

fn check_leftovers(ended: &Ended) -> Result<(), String> {
    if ended.stderr.ends_with("left 0\n") { Ok(()) } else { Err(ended.shown()) }
}

/// Installs into existing settings on a full disk; prints the settings after that.
fn install_on_full_disk(bed: &Bed, options: &str) -> Result<Ended> {
    let script = "f=\"$HOME/$0\"; s=$(cat \"$f\"); d=$(dirname \"$f\"); o=$1; shift; mount -t tmpfs -o size=4k none \"$d\" && \
                  printf %s \"$s\" >\"$f\" && mount -o \"remount,$o\" \"$d\"; \"$@\" >/dev/null; \
                  test $(ls -A \"$d\" | wc -l) = 1 && cat \"$f\"";
    bed.run(&build_shell_command(script, &[SETTINGS, options]), &["install", "claude-code", "--yes"], "")
}

fn build_shell_command(script: &str, words: &[&str]) -> Vec<String> {
    // In a mount namespace of its own: the rest of the machine does not see the disk, and it goes when the command
    // ends.
    let all = ["unshare", "-m", "sh", "-c", script].into_iter().chain(words.iter().copied());
    all.map(str::to_owned).collect()
}
