//! Facts about an agent in one place: its dialect, the members that identify its input, its tools, its settings, and its protected names,
//! which no guest may write.

use super::{
    Dialect,
    confined_commands::{RunsRewritten, Shell},
    project_hooks::ProjectHooks,
    self_test::SelfTest,
    settings::{AgentSettings, OffSwitch, Trust, UserFolder},
    tools::row::Tool,
};

/// Members that one agent alone writes, each with a prefix of its text.
pub(super) type MemberPrefixes = &'static [(&'static str, &'static str)];

/// Facts about one agent. Absent fields mean that the fact is unknown or that the agent has no such feature.
pub(super) struct AgentFacts {
    /// Reader of the agent's events and writer of its answers.
    pub(super) dialect: &'static dyn Dialect,
    /// Members that identify this agent's input.
    pub(super) mark: Option<MemberPrefixes>,
    /// The folder below which it keeps its transcripts: `/.claude/`.
    pub(super) transcripts: Option<&'static str>,
    pub(super) tools: AgentTools,
    /// Returns true for names of MCP tools that are specific to this agent, in addition to the common form.
    pub(super) is_mcp: fn(&str) -> bool,
    /// Settings file that lists the agent's hooks.
    pub(super) settings: Option<&'static AgentSettings>,
    /// The user's file with its own hooks, if it is not that of the settings.
    pub(super) hook_file: Option<(UserFolder, &'static str)>,
    /// Trust that the agent requires of the user before it runs an entry.
    pub(super) trust: Option<&'static Trust>,
    /// Handling of hooks that a project defines for the agent.
    pub(super) project_hooks: Option<&'static ProjectHooks>,
    /// Switches that keep the agent from running any hook.
    pub(super) off: &'static [OffSwitch],
    /// Places, in its settings file, of lists of hooks that the agent does not run, each by its name or its command.
    pub(super) disabled: &'static [&'static str],
    /// Sample of the agent's event for a command that is about to run.
    pub(super) self_test: Option<&'static SelfTest>,
    /// Commands that the agent is known to run as a hook rewrote them.
    pub(super) runs_rewritten: Option<RunsRewritten>,
    /// Signs that the agent is installed, in addition to its settings folder.
    pub(super) signs: Signs,
    /// Names of files and folders that configure the agent. No guest writes these, in whatever folder they are. A name with a `/` is a
    /// folder within a folder.
    pub(super) protected: &'static [&'static str],
}

/// Signs that an agent is installed on a machine.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// Program names as typed in a shell. Names that other programs are as likely to have are left out.
    pub programs: &'static [&'static str],
    /// Folders in the user's home, in addition to the settings folder.
    pub folders: &'static [&'static str],
}

pub(super) enum AgentTools {
    /// The agent's own tools; if two rows have the same tool, the first counts.
    Own(&'static [&'static [Tool]]),
    Shared,
}

impl AgentFacts {
    /// Creates the facts of an agent of which only the dialect is known.
    pub(super) const fn new(dialect: &'static dyn Dialect) -> Self {
        Self {
            dialect,
            mark: None,
            transcripts: None,
            tools: AgentTools::Own(&[]),
            // The common form `mcp__…` is recognised for every agent.
            is_mcp: |_| false,
            settings: None,
            hook_file: None,
            trust: None,
            project_hooks: None,
            off: &[],
            disabled: &[],
            self_test: None,
            runs_rewritten: None,
            signs: Signs { programs: &[], folders: &[] },
            protected: &[],
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.dialect.name()
    }

    pub(super) const fn with_mark(mut self, mark: MemberPrefixes) -> Self {
        self.mark = Some(mark);
        self
    }

    pub(super) const fn with_transcripts(mut self, folder: &'static str) -> Self {
        self.transcripts = Some(folder);
        self
    }

    pub(super) const fn with_tools(mut self, tools: &'static [&'static [Tool]]) -> Self {
        self.tools = AgentTools::Own(tools);
        self
    }

    pub(super) const fn with_shared_tools(mut self) -> Self {
        self.tools = AgentTools::Shared;
        self
    }

    pub(super) const fn with_mcp(mut self, is_mcp: fn(&str) -> bool) -> Self {
        self.is_mcp = is_mcp;
        self
    }

    pub(super) const fn with_hook_file(mut self, folder: UserFolder, file: &'static str) -> Self {
        self.hook_file = Some((folder, file));
        self
    }

    pub(super) const fn with_settings(mut self, settings: &'static AgentSettings) -> Self {
        self.settings = Some(settings);
        self
    }

    pub(super) const fn with_trust(mut self, trust: &'static Trust) -> Self {
        self.trust = Some(trust);
        self
    }

    pub(super) const fn runs_of_projects(mut self, hooks: &'static ProjectHooks) -> Self {
        self.project_hooks = Some(hooks);
        self
    }

    pub(super) const fn switched_off_by(mut self, switches: &'static [OffSwitch]) -> Self {
        self.off = switches;
        self
    }

    pub(super) const fn with_disabled_lists(mut self, places: &'static [&'static str]) -> Self {
        self.disabled = places;
        self
    }

    pub(super) const fn with_self_test(mut self, self_test: &'static SelfTest) -> Self {
        self.self_test = Some(self_test);
        self
    }

    pub(super) const fn runs_rewritten(
        mut self,
        shell: Shell,
        events: &'static [&'static str],
        tools: &'static [&'static str],
    ) -> Self {
        self.runs_rewritten = Some(RunsRewritten { events, tools, shell });
        self
    }

    pub(super) const fn seen_by(
        mut self,
        programs: &'static [&'static str],
        folders: &'static [&'static str],
    ) -> Self {
        self.signs = Signs { programs, folders };
        self
    }

    pub(super) const fn with_protected(mut self, names: &'static [&'static str]) -> Self {
        self.protected = names;
        self
    }
}
