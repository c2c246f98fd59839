//! Counts the guard's decisions about other projects' command lines, and measures their time.
//!
//! `cargo run --example measure -- FOLDER [WHICH]`: every `*.jsonl.gz` in the folder holds an object a line with the
//! command line in `c`, where it ran in `cwd` (if known), whether its source expects it to `allow`, `block`, `deny` or
//! `ask` in `e`, and its kind in `k`. Each file has two rows: with the packs that are on by default, and with all of
//! them. Needs `gzip`.
//!
//! With `WHICH` lines are printed, too, as all packs judge them: a code for the lines with that finding, `all` for every
//! line that is stopped, `missed` for those that pass although their source expects otherwise, `extra` for those that
//! are stopped although it allows them. A source that says neither (`broken`: no shell runs it) counts nowhere.
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

use guard_shell::{Config, Decision, Mode, Policy, codes, judge};
use serde::Deserialize;
use tally::Tally;

/// Number of spellings of one removal.
const DISGUISES: u64 = 10_000;
/// Workspace of an agent if the line names none.
const FOLDER: &str = "/code/project";

/// A line of others.
#[derive(Deserialize)]
struct Line {
    c: String,
    cwd: Option<String>,
    e: Option<String>,
    k: Option<String>,
}

impl Line {
    /// Returns the expectation of the line's source, if it has one: true if the line is denied or asked about.
    fn is_expected_to_stop(&self) -> Option<bool> {
        match self.e.as_deref() {
            Some("block" | "deny" | "ask") => Some(true),
            Some("allow") => Some(false),
            _ => None,
        }
    }

    /// Returns true if this line is to be printed.
    fn is_wanted(&self, wanted: &str, code: Option<&str>) -> bool {
        match (wanted, code) {
            ("missed", code) => code.is_none() && self.is_expected_to_stop() == Some(true),
            ("extra", code) => code.is_some() && self.is_expected_to_stop() == Some(false),
            ("all", code) => code.is_some(),
            (wanted, code) => code == Some(wanted),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next();
    let wanted = arguments.next();
    let policy = Policy::new(&Config::default())?;
    println!("{}", Tally::HEADER);
    match folder.as_deref().map(Path::new).filter(|folder| folder.is_dir()) {
        Some(folder) => measure_files(folder, wanted.as_deref(), &policy, &Policy::new(&all_packs())?)?,
        None => eprintln!("no lines of others were measured: name a folder with `*.jsonl.gz` files"),
    }
    let mut tally = Tally::default();
    for seed in 0..DISGUISES {
        let line = disguises::removal(seed, "rm", "/");
        let decision = tally.time(|| judge(&line, FOLDER, &policy));
        tally.add(decision.as_ref(), None);
    }
    println!("{}", tally.row("disguised rm -rf /"));
    println!("\n{}", growth(&policy));
    Ok(())
}

/// The configuration with every pack that has rules on.
fn all_packs() -> Config {
    let packs = codes().map(|code| code.pack()).filter(|pack| *pack != "core");
    Config { packs: packs.map(|pack| (pack.to_owned(), Mode::On)).collect(), ..Config::default() }
}

fn measure_files(folder: &Path, wanted: Option<&str>, policy: &Policy, all: &Policy) -> io::Result<()> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(".jsonl.gz"));
    files.sort();
    for file in files {
        let lines = read(&file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".jsonl.gz");
        println!("{}", measure(&lines, None, policy).row(name));
        println!("{}", measure(&lines, wanted, all).row(&format!("{name}, all packs")));
    }
    Ok(())
}

fn read(file: &Path) -> io::Result<Vec<Line>> {
    let unpacked = Command::new("gzip").arg("-dc").arg(file).output()?.stdout;
    let lines = String::from_utf8_lossy(&unpacked);
    Ok(lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn measure(lines: &[Line], wanted: Option<&str>, policy: &Policy) -> Tally {
    let mut tally = Tally::default();
    for line in lines {
        let decision = tally.time(|| judge(&line.c, line.cwd.as_deref().unwrap_or(FOLDER), policy));
        let code = decision.as_ref().map(|decision| decision.code);
        if wanted.is_some_and(|wanted| line.is_wanted(wanted, code)) {
            print_line(line, decision.as_ref());
        }
        tally.add(decision.as_ref(), line.is_expected_to_stop());
    }
    tally
}

fn print_line(line: &Line, decision: Option<&Decision>) {
    let kind = line.k.as_deref().unwrap_or_default();
    match decision {
        Some(decision) => println!("--- {} [{kind}]: {}\n{}", decision.code, decision.text, line.c),
        None => println!("--- none [{kind}]\n{}", line.c),
    }
}

/// Returns the ratio of the times for a line of 64 KiB and one of 6.4 KiB, measured alternately, as the median of
/// several rounds.
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
    let ratios_by_line = lines.map(|(name, piece, end)| {
        let line = |bytes: usize| format!("echo {}{end}", piece.repeat((bytes - 16) / piece.len()));
        let (short, long) = (line(6_554), line(65_536));
        let mut ratios: Vec<f64> = (0..9).map(|_| took(&long, policy) / took(&short, policy)).collect();
        ratios.sort_by(f64::total_cmp);
        let middle = ratios.get(ratios.len() / 2).copied().unwrap_or_default();
        format!("{name}: 64 KiB {:.1} ms, {middle:.1} times 6.4 KiB", took(&long, policy) * 1000.0)
    });
    ratios_by_line.join("\n")
}

fn took(line: &str, policy: &Policy) -> f64 {
    let start = std::time::Instant::now();
    std::hint::black_box(judge(line, FOLDER, policy));
    start.elapsed().as_secs_f64()
}
