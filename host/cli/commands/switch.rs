//! `hookbox disable` and `hookbox enable`: the off switches for hooks that projects bring.

use std::{path::PathBuf, time::Duration};

use hookbox::{Clock, HookSpec, model::Layer};
use hookbox_files::{
    HookFiles, Setup,
    places::Places,
    switches::{self, Switch},
};
use hookbox_platform::stream::Standard;

use crate::{
    args::{DisableArgs, SwitchArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
    report::plain,
};

pub(super) fn disable(args: &DisableArgs, printer: &Printer) -> ExitStatus {
    print(try_disable(args), printer)
}

pub(super) fn enable(args: &SwitchArgs, printer: &Printer) -> ExitStatus {
    print(try_enable(args), printer)
}

fn print(result: Result<String, String>, printer: &Printer) -> ExitStatus {
    match result {
        Ok(done) => {
            printer.line(&plain(&done));
            ExitStatus::Success
        }
        Err(problem) => {
            printer.error(&plain(&problem));
            ExitStatus::Usage
        }
    }
}

/// An agent could take the limits off itself that a project sets it; so a person is asked for.
fn try_disable(args: &DisableArgs) -> Result<String, String> {
    is_a_person()?;
    if args.lasts.is_some_and(|lasts| lasts.as_millis() == 0) {
        return Err("`--for` is no time at all; say how long, such as `--for 1h`, or leave it out".to_owned());
    }
    let (file, mut switch) = target(&args.what)?;
    let lasts = args.lasts.map(|lasts| u64::try_from(lasts.as_millis()).unwrap_or(u64::MAX));
    switch.until = lasts.map(|lasts| Clock::machine().now_ms().saturating_add(lasts));
    let mut kept = switches::load(&file);
    kept.retain(|other| !other.is_about(&switch));
    kept.push(switch.clone());
    switches::save(&file, &kept).map_err(|error| error.to_string())?;
    let until = match args.lasts {
        Some(lasts) => format!("for {}", humantime::format_duration(Duration::from_secs(lasts.as_secs()))),
        None => "until `hookbox enable`".to_owned(),
    };
    Ok(format!("switched off {until}: {}", shown(&switch)))
}

/// A terminal is not enough: an agent can make one.
fn is_a_person() -> Result<(), String> {
    let instead = "`[projects]` with `hooks = false`, or a `[[project]]`, in your hooks.toml does the same";
    if !Standard::Input.is_terminal() {
        return Err(format!("nothing was switched off: this needs a person at a terminal ({instead})"));
    }
    match environment::mark_of_an_agent() {
        Some(mark) => Err(format!(
            "nothing was switched off: this needs a person, and {mark} says that an agent runs this; use a terminal that no \
             agent has opened ({instead})"
        )),
        None => Ok(()),
    }
}

fn try_enable(args: &SwitchArgs) -> Result<String, String> {
    let (file, switch) = target(args)?;
    let mut kept = switches::load(&file);
    let before = kept.len();
    kept.retain(|other| !other.is_about(&switch));
    if kept.len() == before {
        return Err(format!(
            "`hookbox disable` did not switch this off: {}; `hookbox list` shows what is off, and by what",
            shown(&switch)
        ));
    }
    switches::save(&file, &kept).map_err(|error| error.to_string())?;
    Ok(format!("switched on: {}", shown(&switch)))
}

/// The file, and the switch of the hooks that are meant, without an end.
fn target(args: &SwitchArgs) -> Result<(PathBuf, Switch), String> {
    let folder = super::project(None)?;
    let places = Places::of_terminal(&environment::variable);
    let files = HookFiles::Layers { folder: &folder, session: None };
    let setup = Setup::read(environment::surroundings(places), files);
    let file = setup.places.switches().ok_or("no home folder is known, so nothing can be kept; set HOME")?;
    if args.all_projects {
        return Ok((file, Switch { project: None, hook: None, until: None }));
    }
    let project = setup.places.project_config(&folder);
    let root =
        project.ok_or_else(|| "there is no project with hooks here; go into its folder".to_owned())?.root;
    if let Some(name) = &args.name {
        is_of_project(name, &setup)?;
    }
    Ok((file, Switch { project: Some(root), hook: args.name.clone(), until: None }))
}

/// Has the project such a hook? While all of them are off, none is known.
fn is_of_project(name: &str, setup: &Setup) -> Result<(), String> {
    let all = || setup.loaded.hooks.iter().chain(&setup.loaded.disabled);
    let of_project = |hook: &&HookSpec| hook.origin.layer == Layer::Project;
    if setup.projects_off().is_some() || all().filter(of_project).any(|hook| hook.name == name) {
        return Ok(());
    }
    if let Some(own) = all().find(|hook| hook.name == name) {
        let file = own.origin.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
        let line = own.origin.line;
        return Err(format!(
            "`{name}` is no hook of a project; write `enabled = false` into its entry at {file}:{line}"
        ));
    }
    let names: Vec<_> = all().filter(of_project).map(|hook| hook.name.as_str()).collect();
    Err(format!("the project here has no hook `{name}`, but: {}", names.join(", ")))
}

fn shown(switch: &Switch) -> String {
    match switch {
        Switch { project: None, .. } => "the hooks of all projects".to_owned(),
        Switch { project: Some(root), hook: None, .. } => format!("the hooks of {}", root.display()),
        Switch { project: Some(root), hook: Some(hook), .. } => {
            format!("the hook `{hook}` of {}", root.display())
        }
    }
}
