//! hookbox's program that an agent loads as its plugin: a file of its own, with hookbox's command and the events in it.

use super::{AgentSettings, Edit, Entry, Installed, OwnCommand, SettingsError, edit::check_length};

/// The plugin's source, which is kept with the other SDKs.
const PROGRAM: &str = include_str!("../../../../integrations/opencode/hookbox.js");
/// First line that identifies a file of hookbox's, of any version.
const OWN: &str = "// Of hookbox: ";
const COMMAND: &str = "const COMMAND = ";
const EVENTS: &str = "const EVENTS = ";

/// Returns the file for these events and those that it has already. An empty text stands for a missing file.
pub(super) fn install_plugin(
    text: &str,
    settings: &AgentSettings,
    command: &OwnCommand,
    entries: &[Entry<'_>],
) -> Result<Edit, SettingsError> {
    let there = read_events(&check_own(text)?);
    let new = entries.iter().map(|entry| entry.event).filter(|event| !there.iter().any(|own| own == event));
    let new: Vec<String> = new.map(str::to_owned).collect();
    let all = [there.as_slice(), &new].concat();
    let program = format_plugin(&command.to_words(settings.agent), &all);
    if program == text {
        return Ok(Edit { text: program, events: Vec::new() });
    }
    // The existing events now run another program, or run it in another way.
    let is_old = !there.is_empty() && format_plugin(&command.to_words(settings.agent), &there) != text;
    Ok(Edit { text: program, events: if is_old { all } else { new } })
}

/// Removes all of a file of hookbox's.
pub(super) fn uninstall_plugin(text: &str) -> Edit {
    match check_own(text) {
        Ok(own) if !own.is_empty() => Edit { text: String::new(), events: read_events(&own) },
        _ => Edit { text: text.to_owned(), events: Vec::new() },
    }
}

/// Returns one entry for each event; none in a foreign file.
pub(super) fn find_installed(text: &str) -> Result<Vec<Installed>, SettingsError> {
    check_length(text)?;
    let own = check_own(text).unwrap_or_default();
    let words: Vec<String> = read_list(&own, COMMAND);
    let Some((program, arguments)) = words.split_first() else { return Ok(Vec::new()) };
    let entry = |event| Installed {
        event,
        command: program.clone(),
        program: program.clone(),
        arguments: arguments.to_vec(),
        variables: Vec::new(),
        is_plain: true,
        is_isolated: true,
        // The plugin itself throws where hookbox gives no answer.
        fails_open: false,
    };
    Ok(read_events(&own).into_iter().map(entry).collect())
}

/// Returns true if this text is hookbox's plugin, but differs from the text that this hookbox writes for the same command and events. False
/// for the settings of other agents.
pub fn is_other_plugin(text: &str, settings: &AgentSettings) -> bool {
    let differs = |text: &String| {
        !text.is_empty() && format_plugin(&read_list(text, COMMAND), &read_events(text)) != *text
    };
    settings.is_file_of_its_own() && check_own(text).is_ok_and(|text| differs(&text))
}

/// Returns the text, if it is hookbox's or empty.
fn check_own(text: &str) -> Result<String, SettingsError> {
    check_length(text)?;
    // A file of this name that another program wrote must not be overwritten.
    if text.trim().is_empty() || text.starts_with(OWN) {
        Ok(text.to_owned())
    } else {
        Err(SettingsError::Foreign)
    }
}

fn read_events(text: &str) -> Vec<String> {
    read_list(text, EVENTS)
}

/// Returns the list of texts in the line with this start; empty without such a line.
fn read_list(text: &str, start: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(start));
    line.and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default()
}

fn format_plugin(command: &[String], events: &[String]) -> String {
    let list = |words: &[String]| serde_json::Value::from(words).to_string();
    let line = |line: &str| match line {
        line if line.starts_with(COMMAND) => format!("{COMMAND}{}\n", list(command)),
        line if line.starts_with(EVENTS) => format!("{EVENTS}{}\n", list(events)),
        line => format!("{line}\n"),
    };
    PROGRAM.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{super::find_settings, *};

    fn install_for(text: &str, program: &str, events: &[&str]) -> Result<Edit, SettingsError> {
        let command =
            OwnCommand::new(Path::new(program), &[("--home", Path::new("/home/it's \"me\""))]).unwrap();
        let entries: Vec<_> = events.iter().map(|event| Entry { event, timeout: None }).collect();
        super::super::install_entries(text, find_settings("opencode").unwrap(), &command, &entries)
    }

    #[test]
    fn the_file_names_the_command_and_the_events() {
        let first = install_for("", "/opt/my tools/hookbox", &["tool.execute.before"]).unwrap();
        assert!(first.text.contains(
            "\nconst COMMAND = [\"/opt/my tools/hookbox\",\"run\",\"--agent\",\"opencode\",\"--home\",\"/home/it's \\\"me\\\"\"]\n\
             const EVENTS = [\"tool.execute.before\"]\n"
        ), "{}", first.text);
        let second =
            install_for(&first.text, "/opt/my tools/hookbox", &["chat.message", "tool.execute.before"])
                .unwrap();
        assert_eq!(second.events, ["chat.message"]);
        let entries = find_installed(&second.text).unwrap();
        assert_eq!(
            entries.iter().map(|entry| entry.event.as_str()).collect::<Vec<_>>(),
            ["tool.execute.before", "chat.message"]
        );
        assert_eq!(entries[0].find_option("--home"), Some("/home/it's \"me\""));
    }

    #[test]
    fn an_older_file_is_written_anew() {
        let old =
            "// Of hookbox: as it was\nconst COMMAND = [\"hookbox\"]\nconst EVENTS = [\"session.idle\"]\n";
        let edit = install_for(old, "/opt/hookbox", &["session.idle"]).unwrap();
        assert_eq!(edit.events, ["session.idle"]);
        assert!(edit.text.contains("\"/opt/hookbox\"") && edit.text.contains("spawn("));
        let taken = uninstall_plugin(old);
        assert_eq!((taken.text.as_str(), taken.events.len()), ("", 1));
    }

    #[test]
    fn a_file_of_somebody_elses_stays() {
        let mine = "export const Mine = async () => ({})\n// Of hookbox: not\n";
        assert_eq!(install_for(mine, "/opt/hookbox", &["session.idle"]), Err(SettingsError::Foreign));
        assert_eq!(uninstall_plugin(mine).text, mine);
        assert_eq!(find_installed(mine).unwrap(), Vec::new());
    }
}
