//! Code-Forge's `hooks.json`: read, changed, written. One file is a layer: the user's, a project's, or none on disk for a
//! session (docs/reference/agents/code-forge.md).
//!
//! ```
//! use hookbox_agents::code_forge::hooks_json::{Entry, Hook, HooksFile};
//!
//! let mut file = HooksFile::parse(r#"{"hooks": [{"event": "session:start", "command": "true"}]}"#)?;
//! file.register(Hook::new(Entry { timeout: Some(60.0), ..Entry::with_command("tool:*", "./validate.sh") })?);
//! assert!(file.unregister("session:start"));
//! assert_eq!(HooksFile::parse(&file.text())?, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{collections::BTreeMap, fmt};

use hookbox_model::Json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pattern::{Pattern, PatternError};

/// The hooks of one file, in the order in which they were registered. Members that hookbox does not know are kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HooksFile {
    hooks: Vec<Hook>,
    other: Map<String, Value>,
}

/// A hook. [`Hook::new`] accepts only a pattern that some event matches; a file may have others.
#[derive(Clone, Debug)]
pub struct Hook {
    entry: Entry,
    pattern: Pattern,
}

/// A hook's entry in the file. Members that are `None` are not written.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Entry {
    /// The hook's events: a [`Pattern`].
    pub event: String,
    /// A command line for `sh -c`; empty if the hook is a component.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// The component that is called in place of a command: the name of a built-in plugin, or a path. A member of hookbox's own, without
    /// which Code-Forge takes the entry for a bad one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wasm: Option<String>,
    /// Seconds; defaults to 10, and is clamped to 0.1–300.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<f64>,
    /// Working directory; defaults to the event's folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub working_dir: Option<String>,
    /// Variables in addition to the event's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
    /// `Some(false)` removes the hook from every chain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Description for users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Effect if the hook has no exit code of its own: its command is not found, it takes too long, a signal ends it.
    /// Defaults to the file's value. A member of hookbox's own, which Code-Forge ignores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_failure: Option<OnFailure>,
    /// Members that hookbox does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// Effect of a failure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailure {
    /// The operation is blocked, as Code-Forge does.
    #[default]
    Block,
    /// The failure is logged, and the operation goes on.
    Continue,
}

impl OnFailure {
    /// Returns the value's spelling in the file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Continue => "continue",
        }
    }
}

/// The entries of a file, each read separately.
pub(super) struct Entries {
    /// The hooks in order; in place of a bad entry its problem.
    pub(super) entries: Vec<Result<Hook, BadEntry>>,
    /// Effect of a failure, unless the entry has its own value.
    pub(super) on_failure: OnFailure,
}

pub(super) struct BadEntry {
    /// The readable part of the pattern; `*` without one.
    pub(super) event: String,
    pub(super) problem: String,
    /// The entry's own effect of a failure, if it can be read.
    pub(super) on_failure: Option<OnFailure>,
}

/// Reason why a text is not a file of hooks. Code-Forge drops such a file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HooksFileError(String);

impl fmt::Display for HooksFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HooksFileError {}

impl HooksFile {
    /// Reads a file. One bad entry is an error of the whole file, with its place; a pattern that no event matches is not
    /// bad, its hook is never called.
    pub fn parse(text: &str) -> Result<Self, HooksFileError> {
        let json = Json::parse(text).map_err(|error| HooksFileError(error.to_string()))?;
        Self::from_value(json.to_value())
    }

    pub(super) fn from_value(file: Value) -> Result<Self, HooksFileError> {
        let problem = |text: &str| Err(HooksFileError(text.to_owned()));
        let Value::Object(mut other) = file else { return problem("the file is not an object") };
        let entries = match other.shift_remove("hooks") {
            None => Vec::new(),
            Some(Value::Array(entries)) => entries,
            Some(_) => return problem("`hooks` is not an array"),
        };
        let read = |(at, entry)| parse_hook(entry).map_err(|p| HooksFileError(format!("`hooks[{at}]`: {p}")));
        let hooks = entries.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Self { hooks, other })
    }

    /// Reads each entry separately: a bad entry does not affect the others.
    pub(super) fn read_each(file: Value) -> Result<Entries, HooksFileError> {
        let problem = |text: &str| Err(HooksFileError(text.to_owned()));
        let Value::Object(mut file) = file else { return problem("the file is not an object") };
        let entries = match file.shift_remove("hooks") {
            None => Vec::new(),
            Some(Value::Array(entries)) => entries,
            Some(_) => return problem("`hooks` is not an array"),
        };
        let on_failure = match file.get("on_failure") {
            None => OnFailure::default(),
            Some(value) => OnFailure::deserialize(value).map_err(|_| {
                HooksFileError("`on_failure` is neither \"block\" nor \"continue\"".to_owned())
            })?,
        };
        let read = |entry: Value| {
            let text = entry.get("event").and_then(Value::as_str).map(str::to_owned);
            let configured = entry.get("on_failure").and_then(|value| OnFailure::deserialize(value).ok());
            parse_hook(entry).map_err(|problem| BadEntry {
                // The entry may have been a guard of any event, so all events are blocked.
                event: text.unwrap_or_else(|| "*".to_owned()),
                problem,
                on_failure: configured,
            })
        };
        Ok(Entries { entries: entries.into_iter().map(read).collect(), on_failure })
    }

    /// Returns the file's text in Code-Forge's layout.
    pub fn text(&self) -> String {
        let entries: Vec<&Entry> = self.hooks.iter().map(Hook::entry).collect();
        let mut file = Map::from_iter([("hooks".to_owned(), serde_json::json!(entries))]);
        file.extend(self.other.clone());
        // Indented by two blanks, as Code-Forge writes the file: a diff then shows the change alone.
        format!("{:#}\n", Value::Object(file))
    }

    /// Returns the hooks in order.
    pub fn hooks(&self) -> &[Hook] {
        &self.hooks
    }

    /// Adds a hook after the others.
    pub fn register(&mut self, hook: Hook) {
        self.hooks.push(hook);
    }

    /// Removes all hooks with exactly this pattern; returns true if there was one.
    pub fn unregister(&mut self, pattern: &str) -> bool {
        let before = self.hooks.len();
        self.hooks.retain(|hook| hook.entry.event != pattern);
        self.hooks.len() < before
    }

    /// Removes all hooks.
    pub fn clear(&mut self) {
        self.hooks.clear();
    }
}

impl Hook {
    /// Creates a hook; an error if no event matches its pattern.
    pub fn new(entry: Entry) -> Result<Self, PatternError> {
        let pattern = Pattern::parse(&entry.event)?;
        Ok(Self { entry, pattern })
    }

    /// Creates a hook of a file, whose pattern need not match any event.
    pub(super) fn of_a_file(entry: Entry) -> Self {
        let pattern = Pattern::of_a_file(&entry.event);
        Self { entry, pattern }
    }

    /// Returns the hook's entry.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Returns the pattern of the hook's events.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

impl PartialEq for Hook {
    fn eq(&self, other: &Self) -> bool {
        self.entry == other.entry
    }
}

impl Entry {
    /// Creates an entry with only a pattern and a command.
    pub fn with_command(event: &str, command: &str) -> Self {
        Self { event: event.to_owned(), command: command.to_owned(), ..Self::default() }
    }
}

fn parse_hook(entry: Value) -> Result<Hook, String> {
    let variables = entry.get("env").and_then(Value::as_object).into_iter().flatten();
    // serde's message would not name the variable.
    if let Some((name, _)) = variables.into_iter().find(|(_, value)| !value.is_string()) {
        return Err(format!("`env.{name}` is not a string"));
    }
    // `command` has a default for entries with `wasm`, so serde does not report that it is missing.
    let has_command = entry.get("command").is_some();
    let entry = Entry::deserialize(entry).map_err(|error| error.to_string())?;
    match (has_command, &entry.wasm) {
        (false, None) => return Err("missing field `command`".to_owned()),
        (true, Some(_)) => return Err("it has both `command` and `wasm`".to_owned()),
        _ => {}
    }
    Ok(Hook::of_a_file(entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{
  "hooks": [
    {
      "event": "tool:pre_execute:bash",
      "command": "exit 1",
      "timeout": 5.0,
      "working_dir": "/",
      "env": {
        "A": "1"
      },
      "enabled": false,
      "description": "no bash",
      "owner": "me"
    },
    {
      "event": "session:start",
      "command": "true"
    }
  ],
  "$schema": "x"
}
"#;

    fn parse_file() -> HooksFile {
        HooksFile::parse(FILE).unwrap()
    }

    fn list_patterns(file: &HooksFile) -> Vec<&str> {
        file.hooks().iter().map(|hook| hook.entry().event.as_str()).collect()
    }

    #[test]
    fn what_was_read_is_written_again_and_nothing_is_lost() {
        assert_eq!(parse_file().text(), FILE);
    }

    #[test]
    fn a_hook_is_registered_behind_the_others() {
        let mut file = parse_file();
        file.register(Hook::new(Entry::with_command("*", "true")).unwrap());
        assert_eq!(list_patterns(&file), ["tool:pre_execute:bash", "session:start", "*"]);
    }

    #[test]
    fn all_hooks_of_exactly_this_pattern_are_unregistered() {
        let mut file = parse_file();
        file.register(Hook::new(Entry::with_command("session:start", "false")).unwrap());
        assert!(!file.unregister("session:*"));
        assert!(file.unregister("session:start"));
        assert_eq!(list_patterns(&file), ["tool:pre_execute:bash"]);
    }

    #[test]
    fn a_cleared_file_has_no_hooks_and_keeps_the_rest() {
        let mut file = parse_file();
        file.clear();
        assert_eq!(file.text(), "{\n  \"hooks\": [],\n  \"$schema\": \"x\"\n}\n");
        assert_eq!(HooksFile::default().text(), "{\n  \"hooks\": []\n}\n");
    }

    #[test]
    fn a_hook_that_no_event_matches_cannot_be_made() {
        let problem = Hook::new(Entry::with_command("tool:pre_exceute", "true")).unwrap_err();
        assert!(problem.to_string().ends_with("did you mean `tool:pre_execute`?"));
    }

    #[test]
    fn an_invalid_hooks_file_is_an_error_with_its_place() {
        for (text, expected) in [
            ("[]", "the file is not an object"),
            (r#"{"hooks": {}}"#, "`hooks` is not an array"),
            (r#"{"hooks": [{"event": "*"}]}"#, "`hooks[0]`: missing field `command`"),
            (
                r#"{"hooks": [{"event": "*", "command": "x", "env": {"A": 1}}]}"#,
                "`hooks[0]`: `env.A` is not a string",
            ),
        ] {
            assert_eq!(HooksFile::parse(text).unwrap_err().to_string(), expected);
        }
        assert!(HooksFile::parse(r#"{"hooks": [], "hooks": []}"#).is_err());
    }
}
