//! The editor of the agents' settings files: what was put in can be taken out again.

use hookbox::dialect::settings::{self, AgentSettings, Entry, install, uninstall};

/// The bytes are what a settings file may hold.
pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    for settings in settings::all() {
        edit(text, settings);
    }
}

fn edit(text: &str, settings: &AgentSettings) {
    let entries: Vec<_> = settings.usual.iter().take(3).map(|event| Entry { event, timeout: None }).collect();
    let Ok(clean) = uninstall(text, settings) else { return };
    assert_eq!(uninstall(&clean.text, settings).map(|edit| edit.text).as_ref(), Ok(&clean.text));
    let Ok(with) = install(&clean.text, settings, &entries) else { return };
    assert_eq!(with.events.len(), entries.len(), "{}", settings.agent);
    let again = install(&with.text, settings, &entries);
    assert_eq!(again.map(|edit| edit.text).as_ref(), Ok(&with.text), "{}", settings.agent);
    let without = uninstall(&with.text, settings).map(|edit| edit.text);
    // Empty braces may be laid out anew, what is empty may go, and a `version` that an agent wants stays.
    let versioned = with.text.matches("version").count() > clean.text.matches("version").count();
    if !versioned && !has_empty(&clean.text) {
        assert_eq!(without.as_deref().map(dense), Ok(dense(&clean.text)), "{}", settings.agent);
    }
    // A user's own command may hold the words of ours: it stays, and no other does.
    let ours = |text: &str| text.matches(&settings.command()).count();
    assert!(without.is_ok_and(|text| ours(&text) <= ours(&clean.text)), "{}", settings.agent);
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
