//! `hookbox disable` and `hookbox enable`: switches for the user's own hooks, and for those of projects.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use hookbox::{Clock, HookSpec, config::find_nearest, model::Layer};
use hookbox_app::{
    FolderHooks, HookFiles,
    places::Places,
    switches::{self, Switch},
};

use super::user_presence;
use crate::{
    args::{DisableArgs, SwitchArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
    report::sanitize_line,
};

/// Alternative in the configuration, for use without a terminal.
const INSTEAD: &str = "in your hooks.toml `enabled = false` in a hook's entry, `[projects]` with `hooks = false`, or a `[[project]]`, \
                       does the same";

/// Maximum number of hooks that are listed.
const MAX_LISTED: usize = 10;

pub(super) fn disable_hook(args: &DisableArgs, printer: &Printer) -> ExitStatus {
    print_result(try_disable(args), printer)
}

pub(super) fn enable_hook(args: &SwitchArgs, printer: &Printer) -> ExitStatus {
    print_result(try_enable(args), printer)
}

fn print_result(result: Result<Vec<String>, String>, printer: &Printer) -> ExitStatus {
    match result {
        Ok(done) => {
            for line in &done {
                printer.print_line(&sanitize_line(line));
            }
            ExitStatus::Success
        }
        Err(problem) => {
            printer.print_error(&sanitize_line(&problem));
            ExitStatus::Usage
        }
    }
}

fn try_disable(args: &DisableArgs) -> Result<Vec<String>, String> {
    user_presence::require_user("switched off", INSTEAD)?;
    if args.lasts.is_some_and(|lasts| lasts.as_millis() == 0) {
        return Err("`--for` is zero; give a duration, such as `--for 1h`, or leave it out".to_owned());
    }
    let here = SwitchPlace::read()?;
    let mut switch = here.select_switch(&args.what)?;
    let lasts = args.lasts.map(|lasts| u64::try_from(lasts.as_millis()).unwrap_or(u64::MAX));
    switch.until = lasts.map(|lasts| Clock::machine().now_ms().saturating_add(lasts));
    let mut kept = switches::load_switches(&here.file);
    // The new switch replaces an earlier one, with its expiry.
    kept.retain(|other| !other.is_about(&switch));
    kept.push(switch.clone());
    switches::save_switches(&here.file, &kept).map_err(|error| error.to_string())?;
    let until = match args.lasts {
        Some(lasts) => format!("for {}", humantime::format_duration(Duration::from_secs(lasts.as_secs()))),
        None => "until `hookbox enable`".to_owned(),
    };
    let mut done = vec![format!("switched off {until}: {}", describe_switch(&switch))];
    done.extend(here.describe_namesake(&switch));
    Ok(done)
}

fn try_enable(args: &SwitchArgs) -> Result<Vec<String>, String> {
    let here = SwitchPlace::read()?;
    let (on, off): (Vec<_>, Vec<_>) = if let Some(name) = &args.name {
        let here_only = |switch: &Switch| !args.here || switch.project.is_some();
        let meant = |switch: &Switch| {
            switch.hook.as_ref() == Some(name) && switch.holds_for(&here.folder) && here_only(switch)
        };
        switches::load_switches(&here.file).into_iter().partition(meant)
    } else {
        let switch = here.select_switch(args)?;
        switches::load_switches(&here.file).into_iter().partition(|other| other.is_about(&switch))
    };
    if on.is_empty() {
        return Err(here.not_off(args, &off));
    }
    switches::save_switches(&here.file, &off).map_err(|error| error.to_string())?;
    Ok(on.iter().map(|switch| format!("switched on: {}", describe_switch(switch))).collect())
}

/// The place where the command was run.
struct SwitchPlace {
    folder: PathBuf,
    folder_hooks: FolderHooks,
    file: PathBuf,
}

impl SwitchPlace {
    fn read() -> Result<Self, String> {
        let folder = super::resolve_project(None)?;
        let places = Places::of_terminal(&environment::read_variable);
        let files = HookFiles::Layers { folder: &folder, session: None };
        let folder_hooks = FolderHooks::read_files(environment::build_surroundings(places), files);
        let file = folder_hooks
            .places
            .switches()
            .ok_or("the home folder is unknown, so nothing can be stored; set HOME")?;
        Ok(Self { folder, folder_hooks, file })
    }

    /// Returns the switch for the selected hooks, without an expiry.
    fn select_switch(&self, args: &SwitchArgs) -> Result<Switch, String> {
        let switch =
            |project, hook: Option<&String>| Switch { project, hook: hook.cloned(), own: false, until: None };
        let Some(name) = &args.name else {
            return Ok(switch(if args.all_projects { None } else { Some(self.root_with_hooks()?) }, None));
        };
        match self.layer_of(name)? {
            Layer::Project => Ok(switch(Some(self.root_with_hooks()?), Some(name))),
            _ if args.here => Ok(Switch { own: true, ..switch(Some(self.root()?), Some(name)) }),
            _ => Ok(Switch { own: true, ..switch(None, Some(name)) }),
        }
    }

    fn hooks(&self) -> impl Iterator<Item = &HookSpec> {
        self.folder_hooks.loaded.hooks.iter().chain(&self.folder_hooks.loaded.disabled)
    }

    fn find_hook(&self, layer: Layer, name: &str) -> Option<&HookSpec> {
        self.hooks().find(|hook| hook.origin.layer == layer && hook.name == name)
    }

    /// Returns the layer of the hook with this name. The project's comes first: it may have taken the name of one of the
    /// user's, and to switch off less is the smaller mistake.
    fn layer_of(&self, name: &str) -> Result<Layer, String> {
        for layer in [Layer::Project, Layer::User] {
            if self.find_hook(layer, name).is_some() {
                return Ok(layer);
            }
        }
        if let Some(hook) = self.find_hook(Layer::Managed, name) {
            let place = format_place(hook);
            return Err(format!("`{name}` is the administrator's ({place}), whose hooks cannot be disabled"));
        }
        // While all of a project's hooks are off, their names are not known.
        if self.folder_hooks.projects_off().is_some() {
            return Ok(Layer::Project);
        }
        let mut names: Vec<_> = self.hooks().map(|hook| hook.name.as_str()).collect();
        names.dedup();
        if names.is_empty() {
            return Err(format!("there is no hook `{name}` here, nor any other"));
        }
        let instead = match find_nearest(name, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.get(..MAX_LISTED).unwrap_or(&names).join(", ")),
        };
        Err(format!("there is no hook `{name}` here; {instead} (`hookbox list` shows all)"))
    }

    /// Returns the root of the project here, which must have hooks.
    fn root_with_hooks(&self) -> Result<PathBuf, String> {
        let project = self.folder_hooks.places.project_config(&self.folder);
        let none = || "there is no project with hooks here; go into its folder".to_owned();
        Ok(project.ok_or_else(none)?.root)
    }

    /// Returns the root of the project here, with or without hooks.
    fn root(&self) -> Result<PathBuf, String> {
        self.folder_hooks.places.project_root(&self.folder).map_err(|error| error.to_string())
    }

    /// Returns a note about the user's own hook with the name of the project's that was switched off.
    fn describe_namesake(&self, switch: &Switch) -> Option<String> {
        let name = switch.hook.as_ref().filter(|_| !switch.own)?;
        let own = self.find_hook(Layer::User, name)?;
        Some(format!(
            "your own hook `{name}` stays on; `enabled = false` in its entry at {} switches it off",
            format_place(own)
        ))
    }

    /// Returns the reason why nothing was switched on.
    fn not_off(&self, args: &SwitchArgs, off: &[Switch]) -> String {
        let everywhere = |switch: &&Switch| switch.hook == args.name && switch.holds_for(&self.folder);
        if let Some(name) = &args.name
            && off.iter().any(|switch| everywhere(&switch))
        {
            return format!(
                "`{name}` is switched off in all projects; `hookbox enable {name}` switches it on"
            );
        }
        let what = match (&args.name, args.all_projects) {
            (Some(name), _) => format!("the hook `{name}`"),
            (None, true) => "the hooks of all projects".to_owned(),
            (None, false) => "the hooks of the project here".to_owned(),
        };
        format!(
            "`hookbox disable` did not switch this off: {what}; `hookbox list` shows what is off, and by what"
        )
    }
}

fn format_place(hook: &HookSpec) -> String {
    let file = hook.origin.file.as_deref().unwrap_or(Path::new("hooks.toml"));
    format!("{}:{}", file.display(), hook.origin.line)
}

fn describe_switch(switch: &Switch) -> String {
    let Switch { project, hook, own, .. } = switch;
    match (project, hook) {
        (None, Some(hook)) => format!("your hook `{hook}`, in all projects"),
        (Some(root), Some(hook)) if *own => format!("your hook `{hook}`, in {}", root.display()),
        (Some(root), Some(hook)) => format!("the hook `{hook}` of {}", root.display()),
        (Some(root), None) => format!("the hooks of {}", root.display()),
        (None, None) => "the hooks of all projects".to_owned(),
    }
}
