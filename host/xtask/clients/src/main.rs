//! Runs real agents, downloaded from their registries, against hookbox: each must ask hookbox and obey.
//!
//! `cargo xtask clients` builds hookbox and starts this program. Each client gets a fresh home in which only `hookbox setup` has been run,
//! and talks to a scripted model: it calls first a command that guard-shell refuses, then a harmless one. The result of both is observed
//! from outside: by the files, and by the client's messages to the model. With `--untrusted` each opens an untrusted project instead, with
//! `--failing` hookbox fails.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod client;
mod failing;
mod home;
mod leftovers;
mod model;
mod package;
mod processes;
mod session;
mod table;
mod untrusted;

use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use xtask::project::Project;

use self::{
    client::{ALL, Client, NOT_TO_BE_HAD},
    session::Session,
    table::Table,
};

const USAGE: &str = "usage: cargo xtask clients [--record | --untrusted | --failing] [NAME]…";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Project::open().and_then(|project| run(&project, &words)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask-clients: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Downloads the named clients (or all) and runs each of them against the hookbox in `target/dist`.
fn run(project: &Project, words: &[String]) -> Result<()> {
    let (options, names): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.starts_with('-'));
    let options: Vec<_> = options.into_iter().map(String::as_str).collect();
    let is_recorded = options == ["--record"];
    let is_untrusted = options == ["--untrusted"];
    let is_failing = options == ["--failing"];
    ensure!(options.is_empty() || is_recorded || is_untrusted || is_failing, USAGE);
    let clients = find_clients(&names)?;
    leftovers::adopt_orphans()?;
    if is_untrusted {
        return untrusted::run(project, &clients, names.is_empty());
    }
    if is_failing {
        return failing::run(project, &clients, names.is_empty());
    }
    let mut table = Table::default();
    for client in &clients {
        println!("\n{} {}", client.agent, client.package.version());
        table.add(client, Session { project, client, is_recorded }.run());
    }
    table.print();
    if names.is_empty() {
        for (agent, why) in NOT_TO_BE_HAD {
            println!("not seen: {agent}: {why}");
        }
    }
    let failed = table.failed();
    ensure!(failed.is_empty(), "not as it should be: {}", failed.join(", "));
    Ok(())
}

fn find_clients(names: &[&String]) -> Result<Vec<&'static Client>> {
    if names.is_empty() {
        return Ok(ALL.iter().collect());
    }
    names.iter().map(|name| find_client(name)).collect()
}

fn find_client(name: &str) -> Result<&'static Client> {
    if let Some(client) = ALL.iter().find(|client| client.agent == name) {
        return Ok(client);
    }
    if let Some((_, why)) = NOT_TO_BE_HAD.iter().find(|(agent, _)| *agent == name) {
        bail!("{name} cannot be had: {why}");
    }
    let known: Vec<_> = ALL.iter().map(|client| client.agent).collect();
    bail!("no client is called `{name}`; there are {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_is_not_known_is_an_error_that_lists_those_that_are() {
        let error = find_clients(&[&"codex".to_owned(), &"codecks".to_owned()]).err().unwrap();
        assert_eq!(
            error.to_string(),
            "no client is called `codecks`; there are claude-code, codex, gemini-cli, copilot, qwen-code, cline, \
             droid, kimi-code, openhands, opencode"
        );
    }

    #[test]
    fn a_client_that_cannot_be_had_is_not_skipped() {
        let error = find_clients(&[&"cursor".to_owned()]).err().unwrap();
        assert_eq!(error.to_string(), "cursor cannot be had: its installer comes from its maker alone");
    }

    #[test]
    fn no_names_mean_all() {
        assert_eq!(find_clients(&[]).unwrap().len(), ALL.len());
        assert_eq!(find_clients(&[&"codex".to_owned()]).unwrap().len(), 1);
    }
}
