//! Counts what the guard says about others' command lines, and how long it takes.
//!
//! `cargo run --example measure -- FOLDER [CODE]`: every `*.jsonl.gz` in the folder holds an object a line with the
//! command line in `c`, where it ran in `cwd` (if known), and whether its source expects `allow` in `e`. With a code
//! (or `all`), the lines with that finding are printed. Needs `gzip`.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "it is a program that prints, and gzip is a process"
)]

#[path = "../../tests/support/disguises.rs"]
mod disguises;
mod tally;

use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
};

use guard_shell::{Config, Policy, judge};
use serde::Deserialize;
use tally::Tally;

/// How many spellings of one removal are made.
const DISGUISES: u64 = 10_000;
/// Where an agent works if the line does not say so.
const FOLDER: &str = "/code/project";

#[derive(Deserialize)]
struct Line {
    c: String,
    cwd: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next();
    let wanted = arguments.next();
    let policy = Policy::new(&Config::default())?;
    println!("{}", Tally::HEADER);
    match folder.as_deref().map(Path::new).filter(|folder| folder.is_dir()) {
        Some(folder) => measure_files(folder, wanted.as_deref(), &policy)?,
        None => eprintln!("no lines of others were measured: name a folder with `*.jsonl.gz` files"),
    }
    let mut tally = Tally::default();
    for seed in 0..DISGUISES {
        let line = disguises::removal(seed, "rm", "/");
        judge_into(&mut tally, &line, FOLDER, &policy, wanted.as_deref());
    }
    println!("{}", tally.row("disguised rm -rf /"));
    println!("\n{}", growth(&policy));
    Ok(())
}

fn measure_files(folder: &Path, wanted: Option<&str>, policy: &Policy) -> io::Result<()> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(".jsonl.gz"));
    files.sort();
    for file in files {
        let unpacked = Command::new("gzip").arg("-dc").arg(&file).output()?.stdout;
        let mut tally = Tally::default();
        for line in String::from_utf8_lossy(&unpacked).lines() {
            let line: Line = serde_json::from_str(line)?;
            judge_into(&mut tally, &line.c, line.cwd.as_deref().unwrap_or(FOLDER), policy, wanted);
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{}", tally.row(name.trim_end_matches(".jsonl.gz")));
    }
    Ok(())
}

fn judge_into(tally: &mut Tally, line: &str, cwd: &str, policy: &Policy, wanted: Option<&str>) {
    let decision = tally.time(|| judge(line, cwd, policy));
    let code = decision.as_ref().map_or("none", |decision| decision.code);
    if wanted.is_some_and(|wanted| wanted == code || (wanted == "all" && code != "none")) {
        let text = decision.as_ref().map_or("", |decision| decision.text.as_str());
        println!("--- {code}: {text}\n{line}");
    }
    tally.add(decision.as_ref());
}

/// How many times as long a line of 64 KiB takes as one of 6.4 KiB, in turns, the median of several rounds.
fn growth(policy: &Policy) -> String {
    let lines = [
        ("one word", "a", ""),
        ("words", "a ", ""),
        ("quoted words", "'a b' ", ""),
        ("lists", "ls a; ", "true"),
        ("pipes", "cat | ", "cat"),
        ("variables", "$x ", ""),
        ("substitutions", "$(a) ", ""),
        ("assignments", "x=1; ", "true"),
        ("continued", "a \\\n ", ""),
        ("options", "-a ", ""),
    ];
    let told = lines.map(|(name, piece, end)| {
        let line = |bytes: usize| format!("echo {}{end}", piece.repeat((bytes - 16) / piece.len()));
        let (short, long) = (line(6_554), line(65_536));
        let mut ratios: Vec<f64> = (0..9).map(|_| took(&long, policy) / took(&short, policy)).collect();
        ratios.sort_by(f64::total_cmp);
        let middle = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
        format!("{name}: 64 KiB {:.1} ms, {middle:.1} times 6.4 KiB", took(&long, policy) * 1000.0)
    });
    told.join("\n")
}

fn took(line: &str, policy: &Policy) -> f64 {
    let start = std::time::Instant::now();
    std::hint::black_box(judge(line, FOLDER, policy));
    start.elapsed().as_secs_f64()
}
