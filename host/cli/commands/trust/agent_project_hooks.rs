//! The hooks that a project configures for agents themselves: they are only shown here.

use std::path::Path;

use hookbox::HookSpec;
use hookbox_app::{
    agents_own::{AgentHooks, AgentsFile, of_project},
    closure::{ContentError, HookContent},
};

use super::{page, text::ShownLength};
use crate::{
    environment,
    printer::{ERROR, Printer, WARNING},
    report::{self, sanitize_line},
};

/// Shows the agents' own hooks of the project with this real folder; false if it has none.
pub(super) fn show_hooks(root: &Path, length: ShownLength, printer: &Printer) -> bool {
    let files = of_project(root, &environment::shipped_plugins());
    if files.is_empty() {
        return false;
    }
    printer.print_line(&format!(
        "\n{WARNING}Hooks and settings of this project for the agents themselves{WARNING:#}: the agents run them by their own rules and without hookbox, so they cannot be trusted or blocked here."
    ));
    for file in &files {
        show_file(file, length, printer);
    }
    true
}

fn show_file(file: &AgentsFile, length: ShownLength, printer: &Printer) {
    let AgentsFile { agent, facts, file, hooks } = file;
    let path = sanitize_line(&file.display().to_string());
    printer.print_line(&format!("\n{path}  of {agent}"));
    page::print_field("run", facts.runs, printer);
    let trust = match facts.trust {
        None => "the agent knows none for them".to_owned(),
        Some(of) => format!("is for {of}; never for the content of a script"),
    };
    page::print_field("trust", &trust, printer);
    match hooks {
        AgentHooks::Hooks(hooks) => {
            for (hook, closure) in hooks {
                show_hook(hook, closure, length, printer);
            }
            let line = format!(
                "`hookbox import {agent} {path}` prints them as hooks of hookbox for .hookbox/hooks.toml, which are looked at byte by \
                 byte; then take them out of {path}"
            );
            page::print_field("instead", &line, printer);
        }
        AgentHooks::Unread => page::print_field("hooks", "not read by hookbox: look into it", printer),
        AgentHooks::Unreadable(why) => {
            printer.print_line(&format!("  {ERROR}cannot be read{ERROR:#}: {}", sanitize_line(why)));
        }
    }
}

fn show_hook(
    hook: &HookSpec,
    closure: &Result<HookContent, ContentError>,
    length: ShownLength,
    printer: &Printer,
) {
    page::print_field("on", &report::format_events(hook), printer);
    page::print_field("runs", &report::describe_handler(hook), printer);
    match closure {
        Ok(closure) => page::show_files(closure, length, printer),
        Err(why) => page::print_field("files", &format!("cannot be shown: {why}"), printer),
    }
}
