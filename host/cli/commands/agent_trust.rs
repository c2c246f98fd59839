//! What an agent wants of a person before it runs an entry, and whether that is done.

use std::{fs, path::Path};

use hookbox::dialect::settings::{AgentSettings, Trust, trust};
use hookbox_files::places::Places;

use super::present;
use crate::{
    printer::{GOOD, Printer, WARNING},
    report,
};

/// Says after `install` what is left to do.
pub(super) fn tell(
    settings: &AgentSettings,
    (file, text): (&Path, &str),
    places: &Places,
    printer: &Printer,
) {
    match look(settings, (file, text), places) {
        Some(Ok(trusted)) => printer.note(&format!("{GOOD}note{GOOD:#}: {}", report::plain(&trusted))),
        Some(Err(wanted)) => {
            printer.note(&format!("{WARNING}warning{WARNING:#}: {}", report::plain(&wanted)));
        }
        None => {}
    }
}

/// That it is done, or what is to be done; `None` if the agent wants nothing.
pub(super) fn look(
    settings: &AgentSettings,
    (file, text): (&Path, &str),
    places: &Places,
) -> Option<Result<String, String>> {
    let trust: &Trust = trust(settings.agent)?;
    let users = || present::settings_folders(settings.agent, places).into_iter();
    // Beside the very file, if it is the user's.
    let beside = users().find(|folder| file.parent() == Some(folder));
    let kept = beside.or_else(|| users().next())?.join(trust.file);
    // What cannot be read trusts nothing.
    let list = fs::read_to_string(&kept).unwrap_or_default();
    let real = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let untrusted = trust.untrusted(text, &list, &[file, &real]);
    let agent = settings.agent;
    Some(if untrusted.is_empty() {
        Ok(format!("{agent} has trusted every entry ({})", kept.display()))
    } else {
        Err(format!(
            "{agent} skips {} without a word until you trust them: {}",
            untrusted.join(", "),
            trust.how
        ))
    })
}
