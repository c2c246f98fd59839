//! Counts the guard's decisions about other projects' command lines, and measures their time.
//!
//! `cargo run --example measure-files -- FOLDER [CODE]`: every `*.jsonl.gz` in the folder holds an object a line with the command line
//! in `c` and where it ran in `cwd` (if known). With a code (or `all`), the lines with that finding are printed. Needs `gzip`.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it is a program that prints, and gzip is a process"
)]

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use guard_paths::{Config, Policy, judge_command};
use serde::Deserialize;

/// Workspace of an agent if the line names none.
const FOLDER: &str = "/code/project";

#[derive(Deserialize)]
struct Line {
    c: String,
    cwd: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder with `*.jsonl.gz` files")?;
    let wanted = arguments.next();
    let policy = Policy::new(&Config::default())?;
    println!("| lines of | lines | stopped | p50 | p99 | codes |\n|---|---|---|---|---|---|");
    for file in files(Path::new(&folder))? {
        let unpacked = Command::new("gzip").arg("-dc").arg(&file).output()?.stdout;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{}", row(&name, &String::from_utf8_lossy(&unpacked), wanted.as_deref(), &policy)?);
    }
    Ok(())
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(".jsonl.gz"));
    files.sort();
    Ok(files)
}

fn row(name: &str, lines: &str, wanted: Option<&str>, policy: &Policy) -> serde_json::Result<String> {
    let mut codes: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut times: Vec<Duration> = Vec::new();
    for line in lines.lines() {
        let line: Line = serde_json::from_str(line)?;
        let cwd = line.cwd.as_deref().unwrap_or(FOLDER);
        let start = Instant::now();
        let decision = judge_command(&line.c, cwd, cwd, policy);
        times.push(start.elapsed());
        let Some(decision) = decision else { continue };
        *codes.entry(decision.code).or_default() += 1;
        if wanted.is_some_and(|wanted| wanted == decision.code || wanted == "all") {
            println!("--- {}: {}\n{}", decision.code, decision.text, line.c);
        }
    }
    times.sort();
    let at = |percent: usize| {
        let time = times.get(times.len() * percent / 100).or(times.last()).copied().unwrap_or_default();
        format!("{:.2} ms", time.as_secs_f64() * 1000.0)
    };
    let stopped: usize = codes.values().sum();
    let codes: Vec<String> = codes.iter().map(|(code, count)| format!("{code} {count}")).collect();
    Ok(format!("| {name} | {} | {stopped} | {} | {} | {} |", times.len(), at(50), at(99), codes.join(", ")))
}
