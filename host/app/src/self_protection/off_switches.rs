//! Switches in agents' settings files that stop all hooks: no call sets one for an agent that runs hookbox.
//!
//! A file tool's result is compared with the file. The result of another call is unknown: such a call is refused if it names the switch.

use std::{
    ffi::OsString,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use hookbox::{
    agents::settings::{self, AgentSettings, Base, SettingsChange},
    model::{Event, ToolCall, ToolClass},
};
use hookbox_platform::real_path::RealPath;
use shell_commands::is_unknown;

use super::{
    entries::{apply_edits, read_settings},
    relation::{PatternMeaning, split_lower_names},
    target::Target,
};
use crate::{Surroundings, install_record::InstallRecord, places::Places};

/// Place of the user's trust in hooks, for an agent that runs no other ones.
const TRUST: &str = "hooks.state";
/// Name of the stored trust.
const TRUSTED: &str = "trusted_hash";

pub(super) struct SwitchedAgents {
    places: Places,
    /// Variables that move a folder of settings, with their values.
    variables: Vec<(&'static str, OsString)>,
    installed: Option<InstallRecord>,
    /// Folders in which the session was started.
    started_in: Vec<PathBuf>,
}

struct SwitchedAgent {
    settings: &'static AgentSettings,
    files: Vec<&'static str>,
    /// The user's folders of its settings.
    folders: Vec<PathBuf>,
}

/// A written path, with its names and those of a link at its end.
struct WrittenPath<'a> {
    target: &'a Target,
    names: [Vec<String>; 2],
}

/// A switch that a call sets, or may set.
pub(super) struct FoundSwitch {
    shown: String,
    agent: &'static str,
    place: &'static str,
}

impl FoundSwitch {
    /// Returns the effect of the call, as part of a sentence.
    pub(super) fn describe_effect(&self) -> String {
        let Self { shown, agent, place } = self;
        format!("`{shown}` would be changed, and `{place}` in it keeps {agent} from running hookbox")
    }
}

impl SwitchedAgents {
    pub(super) fn of_user(surroundings: &Surroundings) -> Self {
        let Surroundings { places, variables, .. } = surroundings;
        let with_value = |wanted: &'static str| {
            let (_, value) = variables.iter().find(|(name, _)| name == wanted)?;
            Some((wanted, OsString::from(value)))
        };
        Self {
            places: places.clone(),
            variables: settings::all_settings()
                .flat_map(list_moving_variables)
                .filter_map(with_value)
                .collect(),
            installed: places.state().map(|state| InstallRecord::new(&state)),
            started_in: surroundings.started_in(),
        }
    }

    /// Returns the agents whose settings files have a switch. Only a call that writes a file needs them: most events do not pay for this.
    fn list_agents(&self) -> impl Iterator<Item = SwitchedAgent> {
        let moved = |wanted: &str| {
            let found = self.variables.iter().find(|(name, _)| *name == wanted);
            found.map(|(_, value)| value.clone())
        };
        let agent = move |settings: &'static AgentSettings| {
            let usual = self.places.settings_folder(&settings.user, &|_| None);
            let moved = self.places.settings_folder(&settings.user, &moved);
            let folders = usual.into_iter().chain(moved).collect();
            SwitchedAgent { settings, files: settings::list_switch_files(settings), folders }
        };
        settings::all_settings().map(agent).filter(|agent| !agent.files.is_empty())
    }

    /// Returns the first switch that the event's call sets, or may set.
    pub(super) fn find_set(&self, event: &Event, targets: &[Target]) -> Option<FoundSwitch> {
        let tool = event.tool.as_ref()?;
        // A project's own programs work on such files, too; and a path that stays keeps its content.
        let written = targets.iter().filter(|target| !target.is_perhaps && !target.is_made);
        let written: Vec<WrittenPath<'_>> = written.map(WrittenPath::new).collect();
        if written.is_empty() {
            return None;
        }
        let installed: Vec<String> = self.installed.iter().flat_map(InstallRecord::paths).collect();
        let projects = self.list_projects(event);
        let mut agents = self.list_agents().filter(|agent| agent.runs_hookbox(&event.agent, &installed));
        agents.find_map(|agent| agent.find_set(tool, &written, &projects))
    }

    /// Returns the folders whose settings files the session may use.
    fn list_projects(&self, event: &Event) -> Vec<PathBuf> {
        let current = PathBuf::from(&event.cwd);
        let mut folders: Vec<PathBuf> = self.started_in.iter().cloned().chain([current]).collect();
        folders.retain(|folder| folder.is_absolute());
        let roots: Vec<PathBuf> =
            folders.iter().filter_map(|folder| self.places.project_root(folder).ok()).collect();
        folders.extend(roots);
        folders.sort();
        folders.dedup();
        folders
    }
}

/// Returns the variables that move the user's folder of an agent's settings.
fn list_moving_variables(settings: &'static AgentSettings) -> impl Iterator<Item = &'static str> {
    let of_base = if let Base::HomeOr(variable) = settings.user.base { Some(variable) } else { None };
    settings.user.variable.into_iter().chain(of_base)
}

impl SwitchedAgent {
    /// Returns true for the agent of the event, and for an agent in whose settings hookbox was installed.
    fn runs_hookbox(&self, agent: &str, installed: &[String]) -> bool {
        let is_own = |path: &Path| {
            let is_users = self.folders.iter().any(|folder| path == folder.join(self.settings.file));
            is_users
                || self
                    .relative_folders()
                    .any(|folder| path.ends_with(Path::new(folder).join(self.settings.file)))
        };
        self.settings.agent == agent || installed.iter().any(|path| is_own(Path::new(path)))
    }

    /// Returns the folders of its settings, relative to a home folder or a project.
    fn relative_folders(&self) -> impl Iterator<Item = &'static str> {
        [Some(self.settings.user.path), self.settings.project].into_iter().flatten()
    }

    fn find_set(
        &self,
        tool: &ToolCall,
        written: &[WrittenPath<'_>],
        projects: &[PathBuf],
    ) -> Option<FoundSwitch> {
        self.files.iter().find_map(|file| {
            let known = self.resolve_file(file, projects);
            let is_named = |path: &&WrittenPath<'_>| {
                self.relative_folders().any(|folder| path.ends_with(&Path::new(folder).join(file)))
            };
            let mut hit =
                written.iter().filter(|path| is_named(path) || known.iter().any(|file| path.is_same(file)));
            hit.find_map(|path| {
                let place = self.find_place(tool, path.target, file)?;
                Some(FoundSwitch { shown: path.target.shown.clone(), agent: self.settings.agent, place })
            })
        })
    }

    /// Returns the file in the user's folders and in these projects, with links followed.
    fn resolve_file(&self, file: &str, projects: &[PathBuf]) -> Vec<RealPath> {
        let of_project = self.settings.project.into_iter();
        let of_projects =
            of_project.flat_map(|folder| projects.iter().map(move |project| project.join(folder)));
        let folders = self.folders.iter().cloned().chain(of_projects);
        folders.map(|folder| RealPath::resolve_path(&folder.join(file))).collect()
    }

    /// Returns the place of the switch that the call sets in a file, or may set.
    fn find_place(&self, tool: &ToolCall, target: &Target, file: &str) -> Option<&'static str> {
        let before = read_before(target);
        let after = (tool.class == ToolClass::FileWrite)
            .then(|| apply_edits(tool, before.as_deref().unwrap_or_default()))
            .flatten();
        let arguments = tool.command.clone().unwrap_or_else(|| tool.input.to_value().to_string());
        let change =
            SettingsChange { before: before.as_deref(), after: after.as_deref(), arguments: &arguments };
        let found = settings::find_turned_off(self.settings, file, &change);
        found.or_else(|| self.loses_trust((target, file), &change).then_some(TRUST))
    }

    /// Returns true if the agent runs an entry of hookbox's only while it is trusted, and the change may end that.
    fn loses_trust(&self, (target, file): (&Target, &str), change: &SettingsChange<'_>) -> bool {
        let trust = settings::find_trust(self.settings.agent).filter(|trust| trust.file == file);
        let (Some(trust), Some(before)) = (trust, change.before) else { return false };
        let next_to = target.way.own_name.with_file_name(self.settings.file);
        let users = self.folders.iter().map(|folder| folder.join(self.settings.file));
        let files: Vec<PathBuf> = [next_to].into_iter().chain(users).collect();
        let Some(entries) = files.iter().find_map(|file| read_settings(file).ok()) else { return false };
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let list_untrusted = |text: &str| trust.find_untrusted(&entries, text, &paths);
        let Some(known) = list_untrusted(before) else { return false };
        match change.after.map(list_untrusted) {
            Some(after) => after.unwrap_or_default().iter().any(|event| !known.contains(event)),
            None => change.has_name(TRUST) || change.has_name(TRUSTED),
        }
    }
}

impl<'a> WrittenPath<'a> {
    fn new(target: &'a Target) -> Self {
        let lower = |path: &Path| [split_lower_names(path), target.rest.clone()].concat();
        Self { target, names: [lower(&target.way.path), lower(&target.way.own_name)] }
    }

    /// Returns true if the path ends with these names, or with patterns that match them.
    fn ends_with(&self, file: &Path) -> bool {
        let wanted = split_lower_names(file);
        let is_end = |names: &Vec<String>| {
            let is_like = |(name, wanted): (&String, &String)| {
                !is_unknown(name) && PatternMeaning::Matched.matches_name(name, wanted)
            };
            names.len() >= wanted.len() && names.iter().rev().zip(wanted.iter().rev()).all(is_like)
        };
        self.names.iter().any(is_end)
    }

    /// Returns true if the path leads to this file.
    fn is_same(&self, file: &RealPath) -> bool {
        let way = &self.target.way;
        let is_object = || {
            let object = way.objects.last().filter(|_| way.is_there && file.is_there);
            object.is_some() && object == file.objects.last()
        };
        self.target.rest.is_empty() && (way.path == file.path || is_object())
    }
}

/// Returns the text of a written file, empty for a missing one; `None` if it cannot be read.
fn read_before(target: &Target) -> Option<String> {
    // A file in an unknown folder, or one of several.
    if !target.rest.is_empty() {
        return Some(String::new());
    }
    match read_settings(&target.way.path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Some(String::new()),
        read => read.ok(),
    }
}

#[cfg(test)]
mod tests {
    use shell_commands::{Config, Policy, judge};

    use super::*;

    /// Returns true if guard-shell, with the list that guard-paths has, protects a file of a project.
    fn is_guarded(file: &str) -> bool {
        let policy = Policy::new(&Config::default()).unwrap();
        let decision = judge(&format!("echo x > {file}"), "/p", &policy);
        decision.is_some_and(|decision| decision.code == "agent-config")
    }

    #[test]
    fn the_guards_protect_each_file_with_a_switch() {
        let mut open = Vec::new();
        for settings in settings::all_settings() {
            let files = settings::list_switch_files(settings);
            let folders = [Some(settings.user.path), settings.project].into_iter().flatten();
            let paths =
                folders.flat_map(|folder| files.iter().map(move |file| format!("/p/{folder}/{file}")));
            open.extend(paths.filter(|path| !is_guarded(path)));
        }
        // Copilot reads files of these names in the user's folder only.
        assert_eq!(open, ["/p/.github/config.json", "/p/.github/settings.json"]);
        assert!(!is_guarded("/p/src/settings.json"));
    }
}
