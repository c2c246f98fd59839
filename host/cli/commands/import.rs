//! `hookbox import`: an agent's own hooks as hookbox's configuration. No file is written.

use std::path::PathBuf;

use hookbox::{
    dialect::{
        Dialect,
        settings::{self, cocode},
    },
    import::{self, Imported},
};

use super::read;
use crate::{
    args::ImportArgs,
    diagnostic,
    exit::ExitStatus,
    layers,
    places::Places,
    printer::{Printer, WARNING},
    report,
};

pub(super) fn import(args: &ImportArgs, printer: &Printer) -> ExitStatus {
    let (agent, file) = match which(args) {
        Ok(which) => which,
        Err(message) => {
            printer.error(&message);
            return ExitStatus::Usage;
        }
    };
    let source = match layers::own_source(&file) {
        Ok(source) => source,
        Err(problem) => {
            diagnostic::print(&[*problem], printer);
            return ExitStatus::Problems;
        }
    };
    match import::import(agent, &source) {
        Some(imported) if !imported.unreadable => {
            printer.raw(&imported.text);
            tell(&imported, &file.display().to_string(), printer)
        }
        Some(imported) => {
            let file = report::plain(&file.display().to_string());
            imported.lost.iter().for_each(|line| printer.error(&format!("{file}: {}", report::plain(line))));
            ExitStatus::Problems
        }
        None => {
            printer.error(&unknown(agent));
            ExitStatus::Usage
        }
    }
}

/// The agent, and its hook file.
fn which(args: &ImportArgs) -> Result<(&'static dyn Dialect, PathBuf), String> {
    let agent = read::dialect_named(Some(&args.agent))?.ok_or("name the agent")?;
    if agent.own_hooks().is_none() {
        return Err(unknown(agent));
    }
    let usual = || {
        if agent.name() == cocode::AGENT {
            return Some(Places::find().settings_folder(&cocode::USER)?.join(cocode::FILE));
        }
        let settings = settings::named(agent.name())?;
        Some(Places::find().settings_folder(&settings.user)?.join(settings.file))
    };
    let file = args.file.clone().or_else(usual);
    let nowhere =
        || format!("it is not known where {0} has its hooks: `hookbox import {0} FILE`", agent.name());
    Ok((agent, file.ok_or_else(nowhere)?))
}

fn unknown(agent: &dyn Dialect) -> String {
    format!("hookbox cannot read {}'s own hook files", agent.name())
}

fn tell(imported: &Imported, file: &str, printer: &Printer) -> ExitStatus {
    for line in &imported.lost {
        printer.note(&format!("{WARNING}not carried over{WARNING:#}: {}", report::plain(line)));
    }
    for line in &imported.differences {
        printer.note(&format!("in hookbox's chain: {line}"));
    }
    let file = report::plain(file);
    let hooks = diagnostic::plural(imported.hooks, "hook");
    let then = if imported.hooks > 0 { "; take them out there, else they run twice" } else { "" };
    printer.note(&format!("{hooks} of {file}{then}"));
    if imported.lost.is_empty() { ExitStatus::Success } else { ExitStatus::Problems }
}
