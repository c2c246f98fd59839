//! `hookbox confine`: runs a command in a sandbox profile. This process becomes the command, so terminal, signals and exit code
//! are the command's own.

use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
};

use hookbox::{
    config::quote_word, handler::shell::confine::steps_of_command, hook::Confinement, hookfile::Severity,
};
use hookbox_app::{
    confine, own_layers,
    places::{NamedPlaces, Places},
};
use hookbox_platform::confinement::close_inherited;

use crate::{args::ConfineArgs, environment, exit::ExitStatus, printer::Printer, report::sanitize_line};

/// Exit codes as of `env` and `timeout`: it was not tried, it cannot be run, it does not exist.
const NOT_CONFINED: u8 = 125;
const CANNOT_RUN: u8 = 126;
const NOT_THERE: u8 = 127;

pub(super) fn run(args: &ConfineArgs, printer: &Printer) -> ExitStatus {
    // An inherited descriptor would stay open in the command, whatever the profile grants.
    close_inherited();
    let (code, problem) = become_command(args);
    printer.print_error(&sanitize_line(&problem));
    ExitStatus::Agent(code)
}

/// Replaces this process by the command; returns only on an error.
fn become_command(args: &ConfineArgs) -> (u8, String) {
    // An agent's shell starts this command, and a project may have set its variables.
    let places = Places::of_account(&NamedPlaces::from(&args.places));
    let (confinement, project) = match build_profile(args, &places) {
        Ok(found) => found,
        Err(problem) => return (NOT_CONFINED, format!("nothing was run: {problem}")),
    };
    let home = places.in_home("");
    let folder = project.display().to_string();
    let steps = match steps_of_command(&args.profile, &confinement, &folder, home.as_deref()) {
        Ok(steps) => steps,
        Err(failure) => return (NOT_CONFINED, format!("nothing was run: {}", failure.message)),
    };
    let Some((program, arguments)) = args.command.split_first() else {
        return (NOT_CONFINED, "nothing was run: no command was given".to_owned());
    };
    let shown = program.to_string_lossy();
    let error = steps.become_command(&mut build_command(program, arguments));
    match error.kind() {
        io::ErrorKind::NotFound => (NOT_THERE, format!("there is no program {}", quote_word(&shown))),
        // A program that Landlock closes is reported by the kernel as EACCES.
        io::ErrorKind::PermissionDenied => {
            let why = "its place, and that of its interpreter, must be in the profile's `read`";
            (CANNOT_RUN, format!("{} may not be run: {why}", quote_word(&shown)))
        }
        _ => (CANNOT_RUN, format!("{} cannot be run: {error}", quote_word(&shown))),
    }
}

#[expect(clippy::disallowed_methods, reason = "it starts nothing: this process becomes it")]
fn build_command(program: &std::ffi::OsStr, arguments: &[std::ffi::OsString]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Returns the profile, and the project's folder.
fn build_profile(args: &ConfineArgs, places: &Places) -> Result<(Confinement, PathBuf), String> {
    let here = super::resolve_project(args.project.as_deref())?;
    // A named folder is used unchanged: hookbox itself names the root that it has checked.
    let root = if args.project.is_some() { here } else { places.project_root(&here).unwrap_or(here) };
    let elsewhere = |problem| format!("{problem}; go into one, or name it by `--project DIR`");
    let programs = environment::find_program();
    let project = confine::find_project_folder(places, programs.as_deref().and_then(Path::parent), &root)
        .map_err(elsewhere)?;
    let own = own_layers(places, &environment::shipped_plugins(), &project);
    // A profile of a broken file may lack a restriction that the user has written.
    if let Some(problem) = own.problems.iter().find(|problem| problem.severity == Severity::Error) {
        return Err(format!("{}: {}; run `hookbox check`", problem.place(), problem.message));
    }
    let profile = confine::find_profile(&own.profiles, places, &args.profile);
    Ok((profile.map_err(|error| error.to_string())?, project))
}
