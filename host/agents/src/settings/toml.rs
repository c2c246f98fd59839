//! hookbox's entries in hook files that are TOML: a list of tables called `hooks`. Everything that is not hookbox's stays unchanged,
//! comments and layout included.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::{
    AgentSettings, Edit, Entry, HooksMember, Installed, OwnCommand, SettingsError, TomlForm,
    command::{self, ForeignOptions, HookboxCommand},
    edit::check_length,
};

const HOOKS: &str = "hooks";
const COMMAND: &str = "command";
const SHELL: &str = "shell";

pub(super) struct TomlHooks<'a> {
    pub(super) form: TomlForm,
    pub(super) settings: &'a AgentSettings,
}

impl TomlHooks<'_> {
    /// Adds an entry with this command for each of these events that has none yet, and repairs entries with another command. An empty text
    /// stands for a missing file.
    pub(super) fn install_entries(
        &self,
        text: &str,
        command: &OwnCommand,
        wanted: &[Entry<'_>],
    ) -> Result<Edit, SettingsError> {
        let mut document = parse(text)?;
        let there: Vec<String> = match document.get(HOOKS) {
            None => Vec::new(),
            Some(hooks) => {
                list_entries(hooks)?.filter(|entry| self.is_own(*entry)).filter_map(read_event).collect()
            }
        };
        let mut events = self.repair_entries(&mut document, command)?;
        let new: Vec<_> = wanted.iter().filter(|entry| !there.iter().any(|own| own == entry.event)).collect();
        if events.is_empty() && new.is_empty() {
            return Ok(Edit { text: text.to_owned(), events });
        }
        for entry in new {
            let line = self.build_line(command, entry.event, &ForeignOptions::default())?;
            let hooks = document.entry(HOOKS).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
            match hooks {
                Item::ArrayOfTables(tables) => tables.push(self.build_entry(entry, &line)),
                Item::Value(Value::Array(list)) => {
                    list.push(self.build_entry(entry, &line).into_inline_table());
                }
                _ => return Err(make_kind_error()),
            }
            events.push(entry.event.to_owned());
        }
        Ok(Edit { text: document.to_string(), events })
    }

    /// Takes all of hookbox's entries out, and the list that they alone had filled unless it is to stay.
    pub(super) fn uninstall_entries(&self, text: &str, list: HooksMember) -> Result<Edit, SettingsError> {
        let mut document = parse(text)?;
        let unchanged = Edit { text: text.to_owned(), events: Vec::new() };
        let Some(hooks) = document.get_mut(HOOKS) else { return Ok(unchanged) };
        let events: Vec<String> =
            list_entries(hooks)?.filter(|entry| self.is_own(*entry)).filter_map(read_event).collect();
        if events.is_empty() {
            return Ok(unchanged);
        }
        let left = match hooks {
            Item::ArrayOfTables(tables) => {
                tables.retain(|table| !self.is_own(table));
                tables.len()
            }
            Item::Value(Value::Array(list)) => {
                list.retain(|value| !value.as_inline_table().is_some_and(|table| self.is_own(table)));
                list.len()
            }
            _ => return Err(make_kind_error()),
        };
        if left == 0 && list == HooksMember::Removed {
            document.remove(HOOKS);
        }
        Ok(Edit { text: document.to_string(), events })
    }

    /// Returns all of hookbox's entries, in the order of the file.
    pub(super) fn find_installed(&self, text: &str) -> Result<Vec<Installed>, SettingsError> {
        let document = parse(text)?;
        let Some(hooks) = document.get(HOOKS) else { return Ok(Vec::new()) };
        let read = |entry: &dyn TableLike| {
            let HookboxCommand { program, arguments, is_plain, .. } = self.find_command(entry)?;
            let (event, command) = (read_event(entry)?, self.read_command(entry)?.to_owned());
            Some(Installed {
                fails_open: !self.settings.line_frame(&event).is_around(&command),
                event,
                command,
                program,
                arguments,
                variables: Vec::new(),
                is_plain,
                is_isolated: false,
            })
        };
        Ok(list_entries(hooks)?.filter_map(read).collect())
    }

    /// Sets the command of each of hookbox's entries; returns the events of the changed ones.
    fn repair_entries(
        &self,
        document: &mut DocumentMut,
        command: &OwnCommand,
    ) -> Result<Vec<String>, SettingsError> {
        let mut repaired = Vec::new();
        for table in list_tables(document) {
            let Some(found) = self.find_command(table) else { continue };
            let event = read_event(table);
            let line = self.build_line(command, event.as_deref().unwrap_or_default(), &found.kept)?;
            if self.read_command(table) == Some(&line) {
                continue;
            }
            let holder = match self.form {
                TomlForm::Command => Some(&mut *table),
                TomlForm::Shell => table.get_mut(SHELL).and_then(Item::as_table_like_mut),
            };
            if let Some(entry_command) = holder.and_then(|holder| holder.get_mut(COMMAND)) {
                *entry_command = line.into();
                repaired.extend(event);
            }
        }
        Ok(repaired)
    }

    fn build_line(
        &self,
        command: &OwnCommand,
        event: &str,
        kept: &ForeignOptions,
    ) -> Result<String, SettingsError> {
        let launch = (&self.settings.launch, self.settings.line_frame(event));
        Ok(command.build_entry_command(self.settings.agent, launch, kept)?.command)
    }

    fn read_command<'a>(&self, entry: &'a dyn TableLike) -> Option<&'a str> {
        match self.form {
            TomlForm::Command => entry.get(COMMAND)?.as_str(),
            TomlForm::Shell => entry.get(SHELL)?.as_table_like()?.get(COMMAND)?.as_str(),
        }
    }

    fn find_command(&self, entry: &dyn TableLike) -> Option<HookboxCommand> {
        command::find_hookbox_command(self.read_command(entry)?, None, self.settings.agent)
    }

    fn is_own(&self, entry: &dyn TableLike) -> bool {
        self.find_command(entry).is_some()
    }

    fn build_entry(&self, new: &Entry<'_>, line: &str) -> Table {
        let mut entry = Table::new();
        entry.insert("event", new.event.into());
        match self.form {
            TomlForm::Shell => {
                // Without `pass_context` hookbox would receive no input, without `parse_result` its answer would be ignored.
                let mut shell = InlineTable::new();
                shell.insert(COMMAND, line.into());
                shell.insert("pass_context", true.into());
                shell.insert("parse_result", true.into());
                entry.insert(SHELL, Item::Value(shell.into()));
            }
            TomlForm::Command => {
                entry.insert(COMMAND, line.into());
                let seconds = new.timeout.filter(|time| time.subsec_nanos() == 0);
                if let Some(seconds) = seconds.and_then(|time| i64::try_from(time.as_secs()).ok()) {
                    entry.insert("timeout", seconds.into());
                }
            }
        }
        entry
    }
}

/// Returns true if the file has an empty list of hooks.
pub(super) fn has_empty_list(text: &str) -> bool {
    let document = parse(text).unwrap_or_default();
    document.get(HOOKS).and_then(Item::as_array).is_some_and(Array::is_empty)
}

fn list_tables(document: &mut DocumentMut) -> Vec<&mut dyn TableLike> {
    match document.get_mut(HOOKS) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.iter_mut().map(|table| -> &mut dyn TableLike { table }).collect()
        }
        Some(Item::Value(Value::Array(list))) => list
            .iter_mut()
            .filter_map(Value::as_inline_table_mut)
            .map(|table| -> &mut dyn TableLike { table })
            .collect(),
        _ => Vec::new(),
    }
}

fn parse(text: &str) -> Result<DocumentMut, SettingsError> {
    check_length(text)?;
    text.parse().map_err(|error: toml_edit::TomlError| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        let line = before.matches('\n').count() + 1;
        SettingsError::Syntax { line, column, problem: error.message().to_owned() }
    })
}

fn make_kind_error() -> SettingsError {
    SettingsError::Kind { place: HOOKS.to_owned(), wanted: "a list of tables" }
}

/// Returns the entries of the list, in either of its two spellings.
fn list_entries(hooks: &Item) -> Result<Box<dyn Iterator<Item = &dyn TableLike> + '_>, SettingsError> {
    match hooks {
        Item::ArrayOfTables(tables) => Ok(Box::new(tables.iter().map(|table| -> &dyn TableLike { table }))),
        Item::Value(Value::Array(list)) => Ok(Box::new(list_inline(list))),
        _ => Err(make_kind_error()),
    }
}

fn list_inline(list: &Array) -> impl Iterator<Item = &dyn TableLike> {
    list.iter().filter_map(Value::as_inline_table).map(|table: &InlineTable| -> &dyn TableLike { table })
}

fn read_event(entry: &dyn TableLike) -> Option<String> {
    entry.get("event")?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{super::find_settings, *};

    const FILE: &str =
        "# mine\n[[hooks]] # first\nevent = 'PreToolUse'\n  [hooks.shell]\n  command = \"./check\"\n";

    fn make_command() -> OwnCommand {
        OwnCommand::new(std::path::Path::new("/opt/hookbox"), &[]).unwrap()
    }

    fn install_events(text: &str, command: &OwnCommand, events: &[&str]) -> Result<Edit, SettingsError> {
        install_for("cocode", text, command, events)
    }

    fn install_for(
        agent: &str,
        text: &str,
        command: &OwnCommand,
        events: &[&str],
    ) -> Result<Edit, SettingsError> {
        let timeout = Some(Duration::from_secs(30));
        let entries: Vec<_> = events.iter().map(|event| Entry { event, timeout }).collect();
        super::super::install_entries(text, find_settings(agent).unwrap(), command, &entries)
    }

    fn uninstall_all(text: &str) -> Result<Edit, SettingsError> {
        super::super::uninstall_entries(text, find_settings("cocode").unwrap(), HooksMember::Removed)
    }

    const USUAL: &[&str] = &["SessionStart", "PreToolUse", "SubagentStop"];

    #[test]
    fn an_entry_with_another_command_is_fixed_once() {
        let old = install_events(FILE, &make_command(), &["SessionEnd"])
            .unwrap()
            .text
            .replace("/opt/hookbox", "hookbox");
        let repaired = install_events(&old, &make_command(), &["SessionEnd"]).unwrap();
        assert_eq!(repaired.events, ["SessionEnd"]);
        assert_eq!(repaired.text, old.replace("\"hookbox run", "\"/opt/hookbox run"));
        assert_eq!(
            install_events(&repaired.text, &make_command(), &["SessionEnd"]).unwrap().events,
            Vec::<String>::new()
        );
    }

    #[test]
    fn entries_are_added_behind_what_is_there_and_a_second_time_nothing() {
        let edit = install_events(FILE, &make_command(), &["PreToolUse", "SessionEnd"]).unwrap();
        assert_eq!(edit.events, ["PreToolUse", "SessionEnd"]);
        let shell =
            "{ command = \"/opt/hookbox run --agent cocode\", pass_context = true, parse_result = true }";
        assert_eq!(
            edit.text,
            format!(
                "{FILE}\n[[hooks]]\nevent = \"PreToolUse\"\nshell = {shell}\n\n[[hooks]]\nevent = \"SessionEnd\"\nshell = {shell}\n"
            )
        );
        let again = install_events(&edit.text, &make_command(), &["SessionEnd", "PreToolUse"]).unwrap();
        assert_eq!((again.text, again.events), (edit.text, Vec::new()));
    }

    #[test]
    fn what_was_installed_is_taken_out_again_and_the_rest_is_as_it_was() {
        let inline = "hooks = [ { event = 'SessionEnd', webhook = { url = 'https://x' } } ]\n";
        for before in ["", "# only a comment\n", FILE, inline, "[other]\na = 1\n"] {
            let edit = install_events(before, &make_command(), USUAL).unwrap();
            assert_eq!(edit.events, USUAL, "{before}");
            toml::from_str::<toml::Table>(&edit.text).unwrap();
            let out = uninstall_all(&edit.text).unwrap();
            assert_eq!((out.text.as_str(), out.events.len()), (before, USUAL.len()), "{before}");
            assert_eq!(uninstall_all(before).unwrap().events, Vec::<String>::new());
        }
    }

    #[test]
    fn a_file_that_cocode_could_not_read_is_left_alone() {
        for (text, expected) in [
            ("a = \n", "line 1, column 5: "),
            ("hooks = 7\n", "hooks is not a list of tables"),
            ("[hooks]\na = 1\n", "hooks is not a list of tables"),
        ] {
            let error = install_events(text, &make_command(), USUAL).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn an_entry_without_a_shell_table_has_its_time() {
        let mine = "model = 'x'\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"mine\"\n";
        let edit = install_for("kimi-code", mine, &make_command(), &["PreToolUse", "Stop"]).unwrap();
        let entry = |event, (start, end)| {
            let command = format!("{start}/opt/hookbox run --agent kimi-code{end}");
            format!("\n[[hooks]]\nevent = \"{event}\"\ncommand = \"{command}\"\ntimeout = 30\n")
        };
        let frame = (
            "trap '[ $? = 0 ] || exit 2' 0; ",
            " || { [ $? = 2 ] || echo 'hookbox gave no answer' >&2; exit 2; }",
        );
        assert_eq!(edit.text, format!("{mine}{}{}", entry("PreToolUse", frame), entry("Stop", ("", ""))));
        let kimi = find_settings("kimi-code").unwrap();
        let installed = super::super::find_installed(&edit.text, kimi).unwrap();
        assert_eq!(
            installed.iter().map(|entry| entry.event.as_str()).collect::<Vec<_>>(),
            ["PreToolUse", "Stop"]
        );
        assert_eq!(installed[0].arguments, ["run", "--agent", "kimi-code"]);
        assert_eq!(
            super::super::uninstall_entries(&edit.text, kimi, HooksMember::Removed).unwrap().text,
            mine
        );
    }

    #[test]
    fn options_of_the_entrys_author_are_kept_when_the_entry_is_fixed() {
        let old = "[[hooks]]\nevent = \"Stop\"\ncommand = \"hookbox run --agent kimi-code --home /old --agent-timeout 5s\"\n";
        let edit = install_for("kimi-code", old, &make_command(), &[]).unwrap();
        assert_eq!(
            edit.text,
            old.replace("hookbox run --agent kimi-code --home /old", "/opt/hookbox run --agent kimi-code")
        );
    }

    #[test]
    fn an_empty_list_that_was_there_stays() {
        let kimi = find_settings("kimi-code").unwrap();
        let edit = install_for("kimi-code", "hooks = []\n", &make_command(), &["Stop"]).unwrap();
        assert!(has_empty_list("hooks = []\n") && !has_empty_list(&edit.text) && !has_empty_list(""));
        assert_eq!(
            super::super::uninstall_entries(&edit.text, kimi, HooksMember::Kept).unwrap().text,
            "hooks = []\n"
        );
    }
}
