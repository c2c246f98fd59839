//! hookbox's entries in cocode's `hooks.toml`. What is not hookbox's stays as it is, comments and layout included.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::{Base::Config, Edit, MAX_SETTINGS_BYTES, SettingsError, UserFolder, command};

/// The agent, as in `--agent`.
pub const AGENT: &str = "cocode";

/// The folder of the user's file. A project has none.
pub const USER: UserFolder = UserFolder { variable: None, base: Config, path: "cocode" };

/// The file in that folder.
pub const FILE: &str = "hooks.toml";

/// The events that get the entry if nobody names others: those that can be rejected, and those that hooks commonly use.
pub const USUAL: &[&str] = &[
    "SessionStart",
    "SessionEnd",
    "PrePromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "NotificationEvent",
];

const HOOKS: &str = "hooks";

/// Adds an entry for each of these events that has none yet. An empty text is a file that is not there.
pub fn install(text: &str, events: &[&str]) -> Result<Edit, SettingsError> {
    let mut document = parse(text)?;
    let there: Vec<String> = match document.get(HOOKS) {
        None => Vec::new(),
        Some(hooks) => entries(hooks)?.filter(|entry| is_own(*entry)).filter_map(event).collect(),
    };
    let new: Vec<&str> =
        events.iter().copied().filter(|event| !there.iter().any(|own| own == event)).collect();
    if new.is_empty() {
        return Ok(Edit { text: text.to_owned(), events: Vec::new() });
    }
    let hooks = document.entry(HOOKS).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    for event in &new {
        match hooks {
            Item::ArrayOfTables(tables) => tables.push(entry(event)),
            Item::Value(Value::Array(list)) => list.push(entry(event).into_inline_table()),
            _ => return Err(wrong()),
        }
    }
    Ok(Edit { text: document.to_string(), events: new.into_iter().map(str::to_owned).collect() })
}

/// Takes all of hookbox's entries out, and the list that they alone had filled.
pub fn uninstall(text: &str) -> Result<Edit, SettingsError> {
    let mut document = parse(text)?;
    let Some(hooks) = document.get_mut(HOOKS) else {
        return Ok(Edit { text: text.to_owned(), events: Vec::new() });
    };
    let events: Vec<String> = entries(hooks)?.filter(|entry| is_own(*entry)).filter_map(event).collect();
    if events.is_empty() {
        return Ok(Edit { text: text.to_owned(), events });
    }
    let left = match hooks {
        Item::ArrayOfTables(tables) => {
            tables.retain(|table| !is_own(table));
            tables.len()
        }
        Item::Value(Value::Array(list)) => {
            list.retain(|value| !value.as_inline_table().is_some_and(|table| is_own(table)));
            list.len()
        }
        _ => return Err(wrong()),
    };
    if left == 0 {
        document.remove(HOOKS);
    }
    Ok(Edit { text: document.to_string(), events })
}

fn parse(text: &str) -> Result<DocumentMut, SettingsError> {
    if text.len() > MAX_SETTINGS_BYTES {
        return Err(SettingsError::TooLong);
    }
    text.parse().map_err(|error: toml_edit::TomlError| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        let line = before.matches('\n').count() + 1;
        SettingsError::Syntax { line, column, problem: error.message().to_owned() }
    })
}

fn wrong() -> SettingsError {
    SettingsError::Kind { place: HOOKS.to_owned(), wanted: "a list of tables" }
}

/// The entries of the list, in either of its two spellings.
fn entries(hooks: &Item) -> Result<Box<dyn Iterator<Item = &dyn TableLike> + '_>, SettingsError> {
    match hooks {
        Item::ArrayOfTables(tables) => Ok(Box::new(tables.iter().map(|table| -> &dyn TableLike { table }))),
        Item::Value(Value::Array(list)) => Ok(Box::new(inline(list))),
        _ => Err(wrong()),
    }
}

fn inline(list: &Array) -> impl Iterator<Item = &dyn TableLike> {
    list.iter().filter_map(Value::as_inline_table).map(|table: &InlineTable| -> &dyn TableLike { table })
}

fn event(entry: &dyn TableLike) -> Option<String> {
    entry.get("event")?.as_str().map(str::to_owned)
}

fn is_own(entry: &dyn TableLike) -> bool {
    let command = entry.get("shell").and_then(|shell| shell.as_table_like()?.get("command")?.as_str());
    command.is_some_and(|command| command::is_own(command, AGENT, std::iter::empty()))
}

/// Without `pass_context` hookbox would be told nothing, without `parse_result` nobody would read its answer.
fn entry(event: &str) -> Table {
    let mut shell = InlineTable::new();
    shell.insert("command", command::line(AGENT).into());
    shell.insert("pass_context", true.into());
    shell.insert("parse_result", true.into());
    let mut entry = Table::new();
    entry.insert("event", event.into());
    entry.insert("shell", Item::Value(shell.into()));
    entry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect;

    const FILE: &str =
        "# mine\n[[hooks]] # first\nevent = 'PreToolUse'\n  [hooks.shell]\n  command = \"./check\"\n";

    #[test]
    fn entries_are_added_behind_what_is_there_and_a_second_time_nothing() {
        let edit = install(FILE, &["PreToolUse", "SessionEnd"]).unwrap();
        assert_eq!(edit.events, ["PreToolUse", "SessionEnd"]);
        let shell = "{ command = \"hookbox run --agent cocode\", pass_context = true, parse_result = true }";
        assert_eq!(
            edit.text,
            format!(
                "{FILE}\n[[hooks]]\nevent = \"PreToolUse\"\nshell = {shell}\n\n[[hooks]]\nevent = \"SessionEnd\"\nshell = {shell}\n"
            )
        );
        let again = install(&edit.text, &["SessionEnd", "PreToolUse"]).unwrap();
        assert_eq!((again.text, again.events), (edit.text, Vec::new()));
    }

    #[test]
    fn what_was_installed_is_taken_out_again_and_the_rest_is_as_it_was() {
        let inline = "hooks = [ { event = 'SessionEnd', webhook = { url = 'https://x' } } ]\n";
        for before in ["", "# only a comment\n", FILE, inline, "[other]\na = 1\n"] {
            let edit = install(before, USUAL).unwrap();
            assert_eq!(edit.events, USUAL, "{before}");
            toml::from_str::<toml::Table>(&edit.text).unwrap();
            let out = uninstall(&edit.text).unwrap();
            assert_eq!((out.text.as_str(), out.events.len()), (before, USUAL.len()), "{before}");
            assert_eq!(uninstall(before).unwrap().events, Vec::<String>::new());
        }
    }

    #[test]
    fn a_file_that_cocode_could_not_read_is_left_alone() {
        for (text, expected) in [
            ("a = \n", "line 1, column 5: "),
            ("hooks = 7\n", "hooks is not a list of tables"),
            ("[hooks]\na = 1\n", "hooks is not a list of tables"),
        ] {
            let error = install(text, USUAL).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn the_usual_events_are_events_of_the_agent() {
        let known: Vec<_> =
            dialect::named(AGENT).unwrap().events().into_iter().map(|(name, _)| name).collect();
        assert!(USUAL.iter().all(|event| known.contains(event)));
    }
}
