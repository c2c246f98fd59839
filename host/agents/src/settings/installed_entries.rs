//! hookbox's entries in a settings file, for inspection.

use jsonc_parser::cst::{CstObject, CstObjectProp};

use super::{
    AgentSettings, SettingsError, command,
    discarded_hooks::explain_discard,
    edit::split_mark,
    entry_layout::{COMMAND, VARIABLES},
    own_entries, plugin, tree,
};

/// One entry that runs hookbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The agent's name for its event.
    pub event: String,
    /// The command as written.
    pub command: String,
    /// The program that it names.
    pub program: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// Variables that the entry sets.
    pub variables: Vec<(String, String)>,
    /// True if a shell parses the line into plain words only.
    pub is_plain: bool,
    /// True if the arguments are in a member of their own.
    pub is_isolated: bool,
    /// True if the entry lacks the part that makes a failed hookbox a refusal in this agent.
    pub fails_open: bool,
}

impl Installed {
    /// Returns the folder or file that this option names.
    pub fn find_option(&self, name: &str) -> Option<&str> {
        let mut words = self.arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if word == name {
                return words.next();
            }
            if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                return Some(value);
            }
        }
        None
    }

    /// Returns the program and the arguments that the agent starts; `shell` replaces a variable that names the agent's shell.
    pub fn build_argv(&self, settings: &AgentSettings, shell: &str) -> Vec<String> {
        let named = |word: &&str| if word.starts_with('$') { shell.to_owned() } else { (*word).to_owned() };
        if settings.launch.is_exec() && self.is_isolated {
            return std::iter::once(&self.program).chain(&self.arguments).cloned().collect();
        }
        let words = settings.launch.shell_words();
        // A version of the agent that does not know `args` hands the line to a shell.
        let words = if words.is_empty() { &["/bin/sh", "-c"] } else { words };
        words.iter().map(named).chain([self.command.clone()]).collect()
    }
}

/// Returns the entry of a plain command line.
pub(super) fn of_line(event: &str, line: &str, (agent, fails_open): (&str, bool)) -> Option<Installed> {
    let found = command::find_hookbox_command(line, None, agent)?;
    Some(Installed {
        event: event.to_owned(),
        command: line.to_owned(),
        program: found.program,
        arguments: found.arguments,
        variables: Vec::new(),
        is_plain: found.is_plain,
        is_isolated: false,
        fails_open,
    })
}

/// Returns entries that run hookbox for an agent other than the owner of these settings: their events, each with that agent.
pub fn find_misnamed(text: &str, settings: &AgentSettings) -> Result<Vec<(String, String)>, SettingsError> {
    let (_, body) = split_mark(text)?;
    let tree = tree::parse(body, settings.comments)?;
    Ok(tree.object_value().map(|root| own_entries::find_misnamed(&root, settings)).unwrap_or_default())
}

/// Returns hookbox's entries, in the order of the file; an error for a file that the agent discards, of which it runs none.
pub fn find_installed(text: &str, settings: &AgentSettings) -> Result<Vec<Installed>, SettingsError> {
    explain_discard(text, settings).map_or_else(|| find_entries(text, settings), Err)
}

/// Returns the entries in the file, also of a file that the agent does not load.
pub fn find_entries(text: &str, settings: &AgentSettings) -> Result<Vec<Installed>, SettingsError> {
    if settings.is_file_of_its_own() {
        return plugin::find_installed(text);
    }
    if let Some(hooks) = settings.toml() {
        return hooks.find_installed(text);
    }
    let (_, body) = split_mark(text)?;
    let tree = tree::parse(body, settings.comments)?;
    let Some(root) = tree.object_value() else { return Ok(Vec::new()) };
    let entries = own_entries::find_entries(&root, settings).into_iter();
    Ok(entries.filter_map(|entry| read_entry(entry.event, &entry.handler.as_object()?, settings)).collect())
}

fn read_entry(event: String, handler: &CstObject, settings: &AgentSettings) -> Option<Installed> {
    let found = own_entries::find_command(handler, settings)?;
    let command = tree::read_text(handler, COMMAND)?;
    let has = |(name, value)| tree::has_member(handler, name, &value);
    Some(Installed {
        fails_open: !settings.line_frame(&event).is_around(&command)
            || settings.failure_member(&event).is_some_and(|member| !has(member)),
        event,
        command,
        program: found.program,
        arguments: found.arguments,
        variables: read_variables(handler),
        is_plain: found.is_plain,
        is_isolated: own_entries::read_arguments(handler, settings).is_some(),
    })
}

fn read_variables(handler: &CstObject) -> Vec<(String, String)> {
    let members = handler.object_value(VARIABLES).map(|variables| variables.properties()).unwrap_or_default();
    let pair = |member: &CstObjectProp| {
        Some((member.decoded_name()?, member.value()?.as_string_lit()?.decoded_value().ok()?))
    };
    members.iter().filter_map(pair).collect()
}
