//! Stored state of hooks: the log, switches of `hookbox disable`, which are easily forgotten and not visible in the user's
//! file, and suspended plugins of agents.

use hookbox::agents::settings::quoted_word;
use hookbox_app::{FolderHooks, switches::OffBy};

use super::Doctor;

impl Doctor<'_> {
    pub(super) fn report_log(&self, folder_hooks: &FolderHooks) {
        match folder_hooks.places.event_log() {
            _ if !folder_hooks.logs() => self.report_ok("log", "nothing is kept (`log = false`)"),
            Some(file) => self.report_ok("log", &format!("{}, shown by `hookbox log`", file.display())),
            None => self.report_oddity("log", "the home folder is unknown, so nothing is stored; set HOME"),
        }
    }

    /// Reports suspended plugins: they deny nothing, but look active in the agent.
    pub(super) fn report_suspended_plugins(&mut self, folder_hooks: &FolderHooks) {
        for (folder, left) in folder_hooks.suspended_bundles() {
            let shown = folder.display().to_string();
            let (minutes, word) = (left.as_secs().div_ceil(60), quoted_word(&shown));
            let text = format!(
                "the plugins of {shown} used up their time and are not called for {minutes} min, so they deny nothing; `hookbox check --bundle {word}` prepares them"
            );
            self.report_fault("late", &text);
        }
    }

    pub(super) fn hooks_off(&self, folder_hooks: &FolderHooks) {
        if let Some(by) = folder_hooks.projects_off().filter(is_by_command) {
            self.report_oddity("switched off", &format!("the hooks of the current project, by {by}"));
        }
        for hook in &folder_hooks.loaded.disabled {
            if let Some(by) = folder_hooks.switched_off_by(hook).filter(is_by_command) {
                self.report_oddity("switched off", &format!("{}, by {by}", hook.name));
            }
        }
    }
}

fn is_by_command(by: &OffBy) -> bool {
    matches!(by, OffBy::Command(_))
}
