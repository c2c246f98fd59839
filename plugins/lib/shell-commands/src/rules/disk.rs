//! Writing over disks.

use super::disk_tool;
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    finding::quote,
};

/// Beginnings of the names of disks and memory, under `/dev`.
const DEVICES: &[&str] = &[
    "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "dm-", "nbd", "zd", "zvol/",
    "mem", "kmem", "port", "pmem", "mtd", "ubi", "ada", "da", "nvd", "loop",
];

/// Devices that keep nothing.
const STREAMS: &[&str] =
    &["console", "full", "null", "ptmx", "random", "stderr", "stdin", "stdout", "tty", "urandom", "zero"];

/// Returns the name behind `/dev/`, however the path is written.
fn device_name(path: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.strip_prefix('/')?.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part.to_lowercase()),
        }
    }
    match parts.as_slice() {
        [dev, rest @ ..] if dev == "dev" && !rest.is_empty() => Some(rest.join("/")),
        _ => None,
    }
}

/// Returns true if a path is a disk.
fn is_device(path: &str) -> bool {
    let Some(name) = device_name(path) else {
        return false;
    };
    DEVICES.iter().any(|device| name.starts_with(device))
}

pub(super) fn tool(call: &Call) -> Option<String> {
    let name = call.name();
    if ["dd", "dcfldd", "dc3dd"].contains(&name) {
        let target = call
            .args()
            .iter()
            .filter_map(|arg| ["of=", "wipe="].iter().find_map(|key| arg.as_str().strip_prefix(key)))
            .find(|path| is_device(path));
        return target.map(|path| format!("writes to the disk {}", quote(path, 60)));
    }
    if let Some(word) = disk_tool::erasing_word(name, call) {
        return Some(format!("erases a disk by {name} {}", quote(&word, 60)));
    }
    if name == "diskutil" {
        let erases = |arg: &Arg| {
            let verb = arg.as_str().to_lowercase();
            verb.starts_with("erase") || verb.starts_with("zero") || verb.starts_with("partition")
        };
        return call.args().first().filter(|arg| erases(arg)).map(|_| "erases a disk".to_owned());
    }
    let keeps = |path: &str| device_name(path).is_none_or(|name| !STREAMS.contains(&name.as_str()));
    let device = call.args().iter().map(Arg::as_str).find(|path| path.starts_with("/dev/") && keeps(path))?;
    let hit = disk_tool::is_formatter(name) || (is_device(device) && disk_tool::writes(name, call));
    hit.then(|| format!("overwrites the disk {}", quote(device, 60)))
}

/// Redirections and copies onto a disk.
pub(super) fn output(call: &Call) -> Option<String> {
    let written = call.writes.iter().find(|target| is_device(target.as_str())).cloned();
    let copied = || {
        if !call.is(&["cp", "tee", "mv", "install", "truncate", "rsync", "pv", "ddrescue", "dd_rescue"]) {
            return None;
        }
        let options = Options::parse(call.args(), Grammar::ANYWHERE);
        let targets =
            if call.is(&["tee", "truncate"]) { 0 } else { options.operands.len().saturating_sub(1) };
        options.operands.get(targets..)?.iter().find(|operand| is_device(operand.as_str())).cloned()
    };
    let target = written.or_else(copied)?;
    Some(format!("writes to the disk {}", quote(target.as_str(), 60)))
}
