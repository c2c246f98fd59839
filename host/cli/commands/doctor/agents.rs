//! Checks which agents call hookbox, and whether a project could prevent it.

use std::path::Path;

use hookbox::agents::{
    project_hooks,
    settings::{self, Installed, SetByProject},
};
use hookbox_app::{FolderHooks, places::Places};

use super::{Doctor, attack};
use crate::{
    commands::{
        agent_trust, detect_agents,
        entries::{self, AgentFile, EntryProblem},
    },
    diagnostic::format_count,
};

/// True if variables cannot load libraries into this program.
const IS_STATIC: bool = cfg!(target_feature = "crt-static");

impl Doctor<'_> {
    /// Checks the entries in the agents' settings.
    pub(super) fn check_agents(&mut self, folder_hooks: &FolderHooks, project: &Path) {
        let places = &folder_hooks.places;
        let files = entries::find_settings_files(places, project);
        for file in &files {
            self.check_agent(file, places);
        }
        self.hooks_of_projects(places);
        self.check_namesakes(&files, places, project);
        self.check_coverage(&files, folder_hooks);
        self.check_protection(&files, folder_hooks, project);
    }

    /// Reports how the agents on this machine treat hooks that a project brings for them, for which hookbox is not called.
    fn hooks_of_projects(&self, places: &Places) {
        for present in detect_agents::find_agents(places) {
            let Some(facts) = project_hooks(present.agent) else { continue };
            let text = if facts.places.is_empty() {
                format!("it runs hooks of a project {}", facts.runs)
            } else {
                format!(
                    "hooks that a project brings for it ({}) run {}; {}, and hookbox is not called for them: `hookbox trust` shows \
                     them",
                    facts.places.join(", "),
                    facts.runs,
                    kept_trust(facts.trust)
                )
            };
            self.report_ok(present.agent, &text);
        }
    }

    pub(super) fn check_agent(&mut self, file: &AgentFile, places: &Places) {
        let (agent, path) = (file.agent, file.path.display());
        for (event, other) in file.misnamed() {
            self.report_fault(
                agent,
                &format!(
                    "{path}: {event}: it runs hookbox for `{other}`, which is another agent or unknown, and would answer in a \
                     format that {agent} ignores: write `--agent {agent}` there"
                ),
            );
        }
        match &file.entries {
            Err(error) => self.report_fault(agent, &format!("{path}: {error}")),
            // An agent without entries is reported with its protection.
            Ok(entries) if entries.is_empty() => {}
            Ok(entries) => {
                for kind in file.kinds() {
                    self.check_entry(kind, file, places);
                }
                self.program_of_another_hookbox(file);
                let count = format_count(entries.len(), "event");
                self.report_ok(agent, &format!("{path} calls hookbox for {count}"));
                self.left_open(file);
                self.check_trust(file, places);
            }
        }
    }

    /// Reports faults of an entry, and the result of an attack by a project.
    fn check_entry(&mut self, entry: &Installed, file: &AgentFile, places: &Places) {
        let fault = entries::find_fault(entry, file, places);
        // Tried only without a known fault, which the attack would show again.
        let tried = || {
            let what = attack::try_on(entry, file.settings?, places).err()?;
            Some(EntryProblem { what, is_repairable: false })
        };
        if let Some(EntryProblem { what, is_repairable }) = fault.or_else(tried) {
            let remedy = if is_repairable { format!("; {}", file.remedy()) } else { String::new() };
            self.report_fault(
                file.agent,
                &format!("{}: {}: {what}{remedy}", file.path.display(), entry.event),
            );
        }
    }

    /// Reports an older plugin, which may not call hookbox for every event that is supported now.
    fn program_of_another_hookbox(&mut self, file: &AgentFile) {
        if file.settings.is_some_and(|settings| settings::is_other_plugin(&file.text, settings)) {
            let text = format!(
                "{} is not the plugin that comes with this hookbox; {}",
                file.path.display(),
                file.remedy()
            );
            self.report_fault(file.agent, &text);
        }
    }

    fn left_open(&self, file: &AgentFile) {
        let Some(settings) = file.settings else { return };
        for open in entries::left_open(settings) {
            self.report_oddity(settings.agent, &open);
        }
        if !IS_STATIC && settings.launch.set_by_project() == SetByProject::All {
            let text = "this hookbox is linked dynamically, so a project can load code into it by LD_PRELOAD; use a release";
            self.report_oddity(settings.agent, text);
        }
    }

    fn check_trust(&mut self, file: &AgentFile, places: &Places) {
        let Some(settings) = file.settings else { return };
        match agent_trust::describe_approval(settings, (&file.path, &file.text), places) {
            Some(Ok(trusted)) => self.report_ok(settings.agent, &trusted),
            Some(Err(wanted)) => self.report_fault(settings.agent, &wanted),
            None => {}
        }
    }
}

fn kept_trust(of: Option<&str>) -> String {
    match of {
        None => "it knows no trust for them".to_owned(),
        Some(of) => format!("its trust is for {of}, never for the content of a script"),
    }
}
