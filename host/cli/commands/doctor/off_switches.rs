//! Switches in an agent's own settings, or in a project's, that stop the agent from running hooks.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use hookbox::agents::settings::{self, MAX_SETTINGS_BYTES, OffSwitch, SwitchValue, off_switches};
use hookbox_app::{places::Places, settings_file::Location};
use hookbox_platform::file::open;

use super::Doctor;

/// A file, and the switch in it.
type FileSwitch = (PathBuf, SwitchValue);

impl Doctor<'_> {
    /// Reports each switch that keeps the agent from calling hookbox. `folder` is that of the user's settings, `project` the
    /// root of the project here.
    pub(super) fn switched_off(&mut self, agent: &str, folder: &Path, project: Option<&Path>) {
        for switch in off_switches(agent) {
            let users = switch.files.iter().map(|file| (Location::User(folder.join(file)), *file));
            let of_project =
                settings::find_settings(agent).and_then(|settings| settings.project).zip(project);
            let projects = of_project.into_iter().flat_map(|(folder, root)| {
                let location =
                    move |file: &'static str| Location::Project { root: root.to_owned(), folder, file };
                switch.files.iter().map(move |file| (location(file), *file))
            });
            // The last one counts: a project's settings take precedence over the user's.
            let switched = users
                .chain(projects)
                .filter_map(|(location, file)| of_location(switch, &location, file))
                .next_back();
            // Neither the user nor a project can override the administrator's settings.
            match read_managed_switch(switch).or(switched) {
                Some((path, switch_value)) if switch_value.is_off => {
                    let (path, key, value) = (path.display(), switch_value.key, switch.value());
                    let text = format!(
                        "{path} sets `{key}` to {value}, so {agent} runs no hook and does not call hookbox; remove it there"
                    );
                    self.report_fault(agent, &text);
                }
                Some(_) => {}
                None => self.not_switched_on(agent, switch, folder),
            }
        }
    }

    fn not_switched_on(&mut self, agent: &str, switch: &OffSwitch, folder: &Path) {
        if !switch.is_off_by_default() {
            return;
        }
        let file = folder.join(switch.files.first().copied().unwrap_or_default());
        let text = format!(
            "{agent} runs no hook as its settings are: write `{}` into {}",
            switch.remedy(),
            file.display()
        );
        self.report_fault(agent, &text);
    }
}

/// Reads the switch in a file. An unreadable file counts as empty: it is reported where the settings are read.
fn of_location(switch: &OffSwitch, location: &Location, file: &str) -> Option<FileSwitch> {
    let text = location.look().ok()??;
    Some((location.path(), switch.read_value(file, &text)?))
}

/// Reads the administrator's switch.
fn read_managed_switch(switch: &OffSwitch) -> Option<FileSwitch> {
    switch.managed.iter().find_map(|path| {
        let mut text = String::new();
        open(Path::new(path)).ok()?.take(MAX_SETTINGS_BYTES as u64).read_to_string(&mut text).ok()?;
        Some((PathBuf::from(path), switch.read_value(path, &text)?))
    })
}

pub(super) fn project_root(places: &Places, folder: &Path) -> Option<PathBuf> {
    places.project_root(folder).ok()
}
