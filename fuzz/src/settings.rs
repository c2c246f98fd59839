//! The editor of the agents' settings files: what was put in can be taken out again.

use std::path::Path;

use hookbox::agents::settings::{
    self, AgentSettings, Entry, HooksMember, OwnCommand, find_installed, install_entries, uninstall_entries,
};

/// The bytes are what a settings file may hold.
pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for settings in settings::all_settings() {
        edit(text, settings);
    }
}

fn edit(text: &str, settings: &AgentSettings) {
    let entries: Vec<_> = settings.usual.iter().take(3).map(|event| Entry { event, timeout: None }).collect();
    let Ok(clean) = uninstall_entries(text, settings, HooksMember::Removed) else { return };
    assert_eq!(
        uninstall_entries(&clean.text, settings, HooksMember::Removed).map(|edit| edit.text).as_ref(),
        Ok(&clean.text)
    );
    let Ok(command) = OwnCommand::new(Path::new("/opt/hookbox"), &[("--home", Path::new("/it's $HOME"))])
    else {
        unreachable!("both paths are absolute");
    };
    let Ok(with) = install_entries(&clean.text, settings, &command, &entries) else { return };
    assert_eq!(with.events.len(), entries.len(), "{}", settings.agent);
    mend(text, settings, &command);
    let again = install_entries(&with.text, settings, &command, &entries);
    assert_eq!(again.map(|edit| edit.text).as_ref(), Ok(&with.text), "{}", settings.agent);
    let without = uninstall_entries(&with.text, settings, HooksMember::Removed).map(|edit| edit.text);
    // Empty braces may be laid out anew, what is empty may go, and a `version` that an agent wants stays.
    let versioned = with.text.matches("version").count() > clean.text.matches("version").count();
    if !versioned && !has_empty(&clean.text) {
        assert_eq!(without.as_deref().map(dense), Ok(dense(&clean.text)), "{}", settings.agent);
    }
    // A longer command of the user's may hold hookbox's, so what is asked is which entries are hookbox's.
    let left = without.and_then(|text| find_installed(&text, settings));
    assert!(left.is_ok_and(|left| left.is_empty()), "{}", settings.agent);
}

/// Entries that are there, whoever wrote them, are mended once and for all.
fn mend(text: &str, settings: &AgentSettings, command: &OwnCommand) {
    let Ok(mended) = install_entries(text, settings, command, &[]) else { return };
    let again = install_entries(&mended.text, settings, command, &[]);
    assert_eq!(again.map(|edit| edit.text).as_ref(), Ok(&mended.text), "{}", settings.agent);
}

/// Is there a `{}` or `[]`, or nothing at all?
fn has_empty(text: &str) -> bool {
    let dense = dense(text);
    dense.is_empty()
        || dense.contains("{}")
        || dense.contains("[]")
        || dense.contains("/*")
        || dense.contains("//")
}

/// Without white space: a bracket may come to stand on a line of its own.
fn dense(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}').collect()
}
