//! Checks that each agent on this machine is protected: that it calls hookbox, and that hookbox stops a dangerous command.

use std::path::Path;

use hookbox::{
    HookSpec,
    agents::{
        self_test::find_self_test,
        settings::{AgentSettings, OwnCommand, TRUSTED_FOLDERS, amazon_q, is_untrusted},
    },
};
use hookbox_app::{FolderHooks, places::Places, program_file, settings_file::Location};

use super::{Doctor, coverage::is_own, off_switches};
use crate::{
    commands::{
        detect_agents::{self, Present},
        entries::{self, AgentFile},
        self_test,
    },
    environment, report,
};

/// The plugin that recognizes the dangerous command of the self-test.
const GUARD: &str = "guard-shell";
/// An agent for which a project's file replaces the user's.
const ONE_FILE: &str = "openhands";

impl Doctor<'_> {
    /// Reports if no hook could stop anything.
    pub(super) fn check_gates(&mut self, folder_hooks: &FolderHooks) {
        let own: Vec<_> = folder_hooks.loaded.hooks.iter().filter(|hook| is_own(hook)).collect();
        let gates = own.iter().filter(|hook| hook.can_stop()).count();
        // With an error in a file everything is denied, and the error was reported before.
        if gates > 0 || folder_hooks.loaded.has_errors() {
            return;
        }
        let off = folder_hooks.loaded.disabled.iter().find(|hook| is_own(hook) && hook.can_stop());
        let what = match (own.len(), off) {
            (_, Some(hook)) => {
                let text = format!("{}, so nothing is ever stopped", switched_off(hook, folder_hooks));
                return self.report_fault("hooks", &text);
            }
            (0, None) => "none is configured".to_owned(),
            (1, None) => "the one that is configured can stop nothing".to_owned(),
            (count, None) => format!("none of the {count} can stop anything"),
        };
        self.report_fault(
            "hooks",
            &format!(
                "{what}, so nothing is ever stopped; `hookbox setup` writes guard-shell and guard-paths"
            ),
        );
    }

    /// Checks each agent on this machine; `files` are those that were reported before.
    pub(super) fn check_protection(
        &mut self,
        files: &[AgentFile],
        folder_hooks: &FolderHooks,
        project: &Path,
    ) {
        let present = detect_agents::find_agents(&folder_hooks.places);
        if present.is_empty() && !files.iter().any(AgentFile::has_entries) {
            self.report_oddity("agents", "none that hookbox knows is on this machine");
        }
        for agent in &present {
            self.check_agent_protection(agent, files, folder_hooks, project);
        }
        for file in files.iter().filter(|file| !file.is_users && file.has_entries()) {
            self.check_denial(file, folder_hooks);
        }
    }

    fn check_agent_protection(
        &mut self,
        present: &Present,
        files: &[AgentFile],
        folder_hooks: &FolderHooks,
        project: &Path,
    ) {
        let (agent, places) = (present.agent, &folder_hooks.places);
        let folders = detect_agents::settings_folders(agent, places);
        let users: Vec<_> = folders.iter().flat_map(|folder| entries::of_user(agent, folder)).collect();
        let here = files.iter().find(|file| file.agent == agent && !file.is_users);
        // Only the folder that this process's variables name was checked before.
        for file in users.iter().filter(|file| !files.iter().any(|reported| reported.path == file.path)) {
            self.check_agent(file, places);
        }
        let root = off_switches::project_root(places, project);
        for file in users.iter().filter(|file| file.has_entries()) {
            self.check_denial(file, folder_hooks);
        }
        match (users.iter().any(AgentFile::has_entries), here.filter(|here| here.has_entries())) {
            (false, None) => self.report_unprotected(present, &users, places),
            (false, Some(here)) => self.only_here(agent, here, &users, project),
            (true, None) if agent == ONE_FILE => {
                if let Some(here) = here {
                    self.in_its_place(agent, here);
                }
            }
            (true, _) => {}
        }
        for file in users.iter().filter(|file| agent != amazon_q::AGENT && is_without(file)) {
            if users.iter().any(AgentFile::has_entries) {
                let text = format!(
                    "{} has no hookbox entry, and is what {agent} reads if it is started without the variable that names another \
                     folder; `hookbox install {agent}` there, too",
                    file.path.display()
                );
                self.report_fault(agent, &text);
            }
        }
        if users.iter().chain(here).any(AgentFile::has_entries)
            && let Some(folder) = folders.first()
        {
            self.switched_off(agent, folder, root.as_deref());
        }
    }

    fn report_unprotected(&mut self, present: &Present, users: &[AgentFile], places: &Places) {
        let agent = present.agent;
        // An unreadable file was reported before.
        if users.iter().any(|file| file.entries.is_err()) {
            return;
        }
        let facts = present.facts();
        if agent != amazon_q::AGENT {
            let text =
                format!("no entry calls hookbox ({facts}); `hookbox install {agent}` writes its entries");
            return self.report_fault(agent, &text);
        }
        let folders = amazon_q::FOLDERS.map(|folder| format!("~/{folder}/*.json")).join(", ");
        let text = format!(
            "no entry calls hookbox ({facts}), since its hooks are in the files of its agents, which you maintain ({folders}): \
             write this into each of them"
        );
        self.report_fault(agent, &text);
        let member = own_command(places).map(|own| amazon_q::format_hooks(&own)).unwrap_or_default();
        member.lines().for_each(|line| self.printer.print_line(&report::sanitize_line(line)));
    }

    /// Reports an agent with entries in the project only, which it may ignore while the project's folder is not trusted.
    fn only_here(&mut self, agent: &str, here: &AgentFile, users: &[AgentFile], project: &Path) {
        let path = here.path.display();
        if here
            .settings
            .zip(users.first())
            .is_some_and(|(settings, user)| is_left_out(settings, user, project))
        {
            let text = format!(
                "only {path} calls hookbox, and {agent} ignores that until {} is trusted there: start it there, or \
                 `hookbox install {agent}`",
                project.display()
            );
            return self.report_fault(agent, &text);
        }
        let text = format!(
            "only {path} calls hookbox; in other folders nothing does: `hookbox install {agent}` writes that"
        );
        self.report_oddity(agent, &text);
    }

    fn in_its_place(&mut self, agent: &str, here: &AgentFile) {
        let text = format!(
            "{} replaces your own file and has no hookbox entry, so hookbox is not called here; \
             `hookbox install {agent} --here` writes them",
            here.path.display()
        );
        self.report_fault(agent, &text);
    }

    /// Runs the entry as the agent would, with a command that must not run.
    fn check_denial(&mut self, file: &AgentFile, folder_hooks: &FolderHooks) {
        let is_faulty = |entry| entries::find_fault(entry, file, &folder_hooks.places).is_some();
        let tested_event = find_self_test(file.agent).map(|self_test| self_test.event);
        let is_asked = file.entries.iter().flatten().any(|entry| Some(entry.event.as_str()) == tested_event);
        // The test would show only problems that were reported before.
        if !is_asked
            || file.kinds().into_iter().any(is_faulty)
            || folder_hooks.loaded.has_errors()
            || !has_gate(folder_hooks)
        {
            return;
        }
        match self_test::test_denial(file, &folder_hooks.places) {
            Ok(reason) => self.report_ok(file.agent, &format!("a recorded `rm -rf /` is denied: {reason}")),
            Err(why) if has_guard(folder_hooks) => {
                self.report_fault(file.agent, &format!("{}: {why}", file.path.display()));
            }
            Err(why) if let Some(guard) = folder_hooks.loaded.disabled.iter().find(|hook| is_guard(hook)) => {
                self.report_fault(file.agent, &format!("{why}; {}", switched_off(guard, folder_hooks)));
            }
            Err(why) => {
                let text = format!("{why}; no hook of yours is {GUARD}, which `hookbox setup` writes");
                self.report_oddity(file.agent, &text);
            }
        }
    }
}

fn is_left_out(settings: &AgentSettings, users: &AgentFile, project: &Path) -> bool {
    let list = Location::User(users.path.with_file_name(TRUSTED_FOLDERS)).read().unwrap_or_default();
    is_untrusted(settings, (&users.text, &list), project)
}

/// Returns the command as an entry would name it. Whether others could change the program is checked separately.
fn own_command(places: &Places) -> Option<OwnCommand> {
    let path = environment::read_variable("PATH").unwrap_or_default();
    let program = program_file::find_entry_path(environment::find_program()?, &path, places);
    OwnCommand::new(&program, &places.arguments()).ok()
}

fn is_without(file: &AgentFile) -> bool {
    file.entries.as_ref().is_ok_and(Vec::is_empty)
}

fn has_gate(folder_hooks: &FolderHooks) -> bool {
    folder_hooks.loaded.hooks.iter().any(|hook| is_own(hook) && hook.can_stop())
}

/// Returns true if the plugin is among the hooks that could stop the command.
fn has_guard(folder_hooks: &FolderHooks) -> bool {
    folder_hooks.loaded.hooks.iter().any(is_guard)
}

fn switched_off(hook: &HookSpec, folder_hooks: &FolderHooks) -> String {
    let by = report::describe_disabled(folder_hooks.switched_off_by(hook));
    format!("the hook `{}` is {by}", report::sanitize_line(&hook.name))
}

fn is_guard(hook: &HookSpec) -> bool {
    let is_called = hook.wasm().is_some_and(|wasm| wasm.path.file_stem().is_some_and(|name| name == GUARD));
    is_own(hook) && hook.can_stop() && is_called
}
