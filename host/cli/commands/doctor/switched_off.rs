//! What `hookbox disable` has switched off: easily forgotten, and not seen in the file.

use hookbox_files::{Setup, switches::OffBy};

use super::Doctor;

impl Doctor<'_> {
    pub(super) fn switched_off(&self, setup: &Setup) {
        if let Some(by) = setup.projects_off().filter(is_by_command) {
            self.odd("switched off", &format!("the hooks that the project here brings, by {by}"));
        }
        for hook in &setup.loaded.disabled {
            if let Some(by) = setup.switched_off_by(hook).filter(is_by_command) {
                self.odd("switched off", &format!("{}, by {by}", hook.name));
            }
        }
    }
}

fn is_by_command(by: &OffBy) -> bool {
    matches!(by, OffBy::Command(_))
}
