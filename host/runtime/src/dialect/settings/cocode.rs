//! hookbox's entries in cocode's `hooks.toml`. What is not hookbox's stays as it is, comments and layout included.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::{
    Base::Config, Edit, Installed, MAX_SETTINGS_BYTES, OwnCommand, SettingsError, UserFolder,
    installed::of_line,
};

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

/// Adds an entry with this command for each of these events that has none yet, and mends entries with another command. An
/// empty text is a file that is not there.
pub fn install(text: &str, command: &OwnCommand, events: &[&str]) -> Result<Edit, SettingsError> {
    let line = command.line(AGENT);
    let mut document = parse(text)?;
    let there: Vec<String> = match document.get(HOOKS) {
        None => Vec::new(),
        Some(hooks) => entries(hooks)?.filter(|entry| is_own(*entry)).filter_map(event).collect(),
    };
    let mut changed = mend(&mut document, &line);
    let new: Vec<&str> =
        events.iter().copied().filter(|event| !there.iter().any(|own| own == event)).collect();
    if new.is_empty() {
        let text = if changed.is_empty() { text.to_owned() } else { document.to_string() };
        return Ok(Edit { text, events: changed });
    }
    let hooks = document.entry(HOOKS).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    for event in &new {
        match hooks {
            Item::ArrayOfTables(tables) => tables.push(entry(event, &line)),
            Item::Value(Value::Array(list)) => list.push(entry(event, &line).into_inline_table()),
            _ => return Err(wrong()),
        }
    }
    changed.extend(new.into_iter().map(str::to_owned));
    Ok(Edit { text: document.to_string(), events: changed })
}

/// Has each of hookbox's entries say this command; the events of those that said another.
fn mend(document: &mut DocumentMut, line: &str) -> Vec<String> {
    let tables: Vec<&mut dyn TableLike> = match document.get_mut(HOOKS) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.iter_mut().map(|table| -> &mut dyn TableLike { table }).collect()
        }
        Some(Item::Value(Value::Array(list))) => list
            .iter_mut()
            .filter_map(Value::as_inline_table_mut)
            .map(|table| -> &mut dyn TableLike { table })
            .collect(),
        _ => Vec::new(),
    };
    let mut mended = Vec::new();
    for table in tables {
        if !is_own(table) || command(table) == Some(line) {
            continue;
        }
        let shell = table.get_mut("shell").and_then(Item::as_table_like_mut);
        if let Some(said) = shell.and_then(|shell| shell.get_mut("command")) {
            *said = line.into();
            mended.extend(event(table));
        }
    }
    mended
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

/// hookbox's entries, in the order of the file.
pub fn installed(text: &str) -> Result<Vec<Installed>, SettingsError> {
    let document = parse(text)?;
    let Some(hooks) = document.get(HOOKS) else { return Ok(Vec::new()) };
    let own = |entry: &dyn TableLike| of_line(&event(entry)?, command(entry)?, AGENT);
    Ok(entries(hooks)?.filter_map(own).collect())
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

fn command(entry: &dyn TableLike) -> Option<&str> {
    entry.get("shell")?.as_table_like()?.get("command")?.as_str()
}

fn is_own(entry: &dyn TableLike) -> bool {
    command(entry).is_some_and(|command| super::command::find(command, None, AGENT).is_some())
}

/// Without `pass_context` hookbox would be told nothing, without `parse_result` nobody would read its answer.
fn entry(event: &str, line: &str) -> Table {
    let mut shell = InlineTable::new();
    shell.insert("command", line.into());
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

    fn own() -> OwnCommand {
        OwnCommand::new(std::path::Path::new("/opt/hookbox"), &[]).unwrap()
    }

    #[test]
    fn an_entry_with_another_command_is_mended_once() {
        let old = install(FILE, &own(), &["SessionEnd"]).unwrap().text.replace("/opt/hookbox", "hookbox");
        let mended = install(&old, &own(), &["SessionEnd"]).unwrap();
        assert_eq!(mended.events, ["SessionEnd"]);
        assert_eq!(mended.text, old.replace("\"hookbox run", "\"/opt/hookbox run"));
        assert_eq!(install(&mended.text, &own(), &["SessionEnd"]).unwrap().events, Vec::<String>::new());
    }

    #[test]
    fn entries_are_added_behind_what_is_there_and_a_second_time_nothing() {
        let edit = install(FILE, &own(), &["PreToolUse", "SessionEnd"]).unwrap();
        assert_eq!(edit.events, ["PreToolUse", "SessionEnd"]);
        let shell =
            "{ command = \"/opt/hookbox run --agent cocode\", pass_context = true, parse_result = true }";
        assert_eq!(
            edit.text,
            format!(
                "{FILE}\n[[hooks]]\nevent = \"PreToolUse\"\nshell = {shell}\n\n[[hooks]]\nevent = \"SessionEnd\"\nshell = {shell}\n"
            )
        );
        let again = install(&edit.text, &own(), &["SessionEnd", "PreToolUse"]).unwrap();
        assert_eq!((again.text, again.events), (edit.text, Vec::new()));
    }

    #[test]
    fn what_was_installed_is_taken_out_again_and_the_rest_is_as_it_was() {
        let inline = "hooks = [ { event = 'SessionEnd', webhook = { url = 'https://x' } } ]\n";
        for before in ["", "# only a comment\n", FILE, inline, "[other]\na = 1\n"] {
            let edit = install(before, &own(), USUAL).unwrap();
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
            let error = install(text, &own(), USUAL).unwrap_err().to_string();
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
