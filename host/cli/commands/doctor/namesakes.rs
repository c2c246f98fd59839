//! Projects' plugins that opencode loads instead of the user's, because they have its name.

use std::path::Path;

use hookbox::agents::settings;
use hookbox_app::{places::Places, settings_file::Location};

use super::Doctor;
use crate::{commands::entries::AgentFile, diagnostic::format_count};

const AGENT: &str = "opencode";
const FOLDERS: [&str; 2] = [".opencode/plugins", ".opencode/plugin"];
const PLUGINS: [&str; 2] = ["hookbox.js", "hookbox.ts"];
const CONFIGURED_IN: [&str; 2] = ["", ".opencode"];
const CONFIGURATIONS: [&str; 2] = ["opencode.json", "opencode.jsonc"];

impl Doctor<'_> {
    /// Checks the project around `folder`, from there upwards to its root as opencode searches it.
    pub(super) fn check_namesakes(&mut self, files: &[AgentFile], places: &Places, folder: &Path) {
        let is_users = |file: &&AgentFile| file.agent == AGENT && file.is_users && file.has_entries();
        let Some(users) = files.iter().find(is_users) else { return };
        let root = places.project_root(folder).unwrap_or_else(|_| folder.to_owned());
        for folder in folder.ancestors().take_while(|folder| folder.starts_with(&root)) {
            for location in list_locations(folder, FOLDERS, PLUGINS) {
                // The same plugin asks hookbox as well.
                self.report_namesake(&location, users, |text| (text != users.text).then(String::new));
            }
            for location in list_locations(folder, CONFIGURED_IN, CONFIGURATIONS) {
                let named = |text: &str| Some(format!(" by `{}`", settings::find_namesake(text)?));
                self.report_namesake(&location, users, named);
            }
        }
    }

    /// Reports a file if `found` returns a reason why its text replaces the user's plugin.
    fn report_namesake(
        &mut self,
        location: &Location,
        users: &AgentFile,
        found: impl Fn(&str) -> Option<String>,
    ) {
        let path = location.path();
        match location.look() {
            Ok(None) => {}
            Ok(Some(text)) => {
                let Some(by) = found(&text) else { return };
                let events = users.entries.as_ref().map_or(0, Vec::len);
                let text = format!(
                    "{} takes the place of {}{by}: opencode loads one plugin of a name, and the project's is the last, so hookbox is not called at {}; remove or rename it",
                    path.display(),
                    users.path.display(),
                    format_count(events, "event"),
                );
                self.report_fault(AGENT, &text);
            }
            Err(error) => {
                self.report_fault(
                    AGENT,
                    &format!("{error}; if it names a plugin `hookbox`, hookbox is not called"),
                );
            }
        }
    }
}

fn list_locations(root: &Path, folders: [&'static str; 2], files: [&'static str; 2]) -> Vec<Location> {
    let of_folder = |folder| files.map(|file| Location::Project { root: root.to_owned(), folder, file });
    folders.into_iter().flat_map(of_folder).collect()
}
