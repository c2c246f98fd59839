//! Which agents ask hookbox, and whether a project could keep them from it.

use std::path::Path;

use hookbox::dialect::settings::{Installed, SetByProject};

use super::{Doctor, attack};
use crate::{
    commands::{
        entries::{self, AgentFile, Fault},
        trust,
    },
    diagnostic::plural,
    places::Places,
};

/// Is a library that a variable names loaded into this program?
const IS_STATIC: bool = cfg!(target_feature = "crt-static");

impl Doctor<'_> {
    /// The entries in the agents' settings.
    pub(super) fn agents(&mut self, places: &Places, project: &Path) {
        let files = entries::files(places, project);
        let has_entries = |file: &AgentFile| file.entries.as_ref().is_ok_and(|entries| !entries.is_empty());
        if !files.iter().any(has_entries) {
            self.odd(
                "agents",
                "none asks hookbox anything; `hookbox install AGENT` writes it into an agent's settings",
            );
        }
        for file in &files {
            self.agent(file, places);
        }
    }

    fn agent(&mut self, file: &AgentFile, places: &Places) {
        let (agent, path) = (file.settings.agent, file.path.display());
        match &file.entries {
            Err(error) => self.bad(agent, &format!("{path}: {error}")),
            Ok(entries) if entries.is_empty() => {
                if file.is_users {
                    self.odd(
                        agent,
                        &format!("{path} has no entry of hookbox's; `hookbox install {agent}` writes them"),
                    );
                }
            }
            Ok(entries) => {
                for kind in file.kinds() {
                    self.entry(kind, file, places);
                }
                let count = plural(entries.len(), "event");
                self.good(agent, &format!("{path} asks hookbox at {count}"));
                self.left_open(file);
                self.trust(file, places);
            }
        }
    }

    /// What a person could not have meant, and what happens when a project tries.
    fn entry(&mut self, entry: &Installed, file: &AgentFile, places: &Places) {
        let agent = file.settings.agent;
        let fault = entries::fault(entry, file.settings, places);
        let tried = || {
            let what = attack::try_on(entry, file.settings, places).err()?;
            Some(Fault { what, is_mended: false })
        };
        if let Some(Fault { what, is_mended }) = fault.or_else(tried) {
            let remedy = if is_mended { format!("; {}", file.remedy()) } else { String::new() };
            self.bad(agent, &format!("{}: {}: {what}{remedy}", file.path.display(), entry.event));
        }
    }

    fn left_open(&self, file: &AgentFile) {
        let settings = file.settings;
        if let Some(open) = entries::left_open(settings) {
            self.odd(settings.agent, &open);
        }
        if !IS_STATIC && settings.launch.set_by_project() == SetByProject::All {
            let text = "this hookbox is linked dynamically, so a project can load code into it by LD_PRELOAD; use a release";
            self.odd(settings.agent, text);
        }
    }

    fn trust(&mut self, file: &AgentFile, places: &Places) {
        match trust::look(file.settings, (&file.path, &file.text), places) {
            Some(Ok(trusted)) => self.good(file.settings.agent, &trusted),
            Some(Err(wanted)) => self.bad(file.settings.agent, &wanted),
            None => {}
        }
    }
}
