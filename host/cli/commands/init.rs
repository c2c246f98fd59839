//! `hookbox init`: writes a commented `hooks.toml` for a project.

use std::{io, path::Path};

use hookbox_app::places::{PROJECT, Places};

use super::import;
use crate::{args::InitArgs, environment, exit::ExitStatus, printer::Printer, report};

/// The new file: each key with a comment.
const TEMPLATE: &str = include_str!("init/hooks.toml");

pub(super) fn init_project(args: &InitArgs, printer: &Printer) -> ExitStatus {
    let places = Places::of_terminal(&environment::read_variable);
    let root = super::resolve_project(args.project.as_deref())
        .and_then(|folder| places.project_root(&folder).map_err(|error| error.to_string()));
    let root = match root {
        Ok(root) => root,
        Err(error) => {
            printer.print_error(&error);
            return ExitStatus::Usage;
        }
    };
    match write_template(&root.join(PROJECT)) {
        Ok(shown) => {
            printer.print_line(&format!("written: {shown}"));
            printer.print_note(
                "edit it, check it with `hookbox check`, and review its hooks with `hookbox trust`",
            );
            ExitStatus::Success
        }
        Err(error) => {
            printer.print_error(&error);
            ExitStatus::Problems
        }
    }
}

/// Writes the new file; returns its path for display.
fn write_template(path: &Path) -> Result<String, String> {
    let shown = report::sanitize_line(&path.display().to_string());
    match import::write_new_file(path, TEMPLATE) {
        Ok(()) => Ok(shown),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(format!(
            "nothing was written: {shown} exists; edit it, or move it away and run `hookbox init` again"
        )),
        Err(error) => Err(format!("cannot write {shown}: {error}")),
    }
}
