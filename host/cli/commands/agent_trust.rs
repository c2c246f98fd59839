//! Approvals that an agent requires from the user before it runs an entry.

use std::{fs, path::Path};

use hookbox::agents::settings::{self, AgentSettings, Trust, find_trust};
use hookbox_app::places::Places;

use super::{detect_agents, entries::AgentFile};
use crate::{
    printer::{GOOD, Printer, WARNING},
    report,
};

/// Reports after `install` what the user still has to do.
pub(super) fn report_remaining_steps(
    settings: &AgentSettings,
    (file, text): (&Path, &str),
    places: &Places,
    printer: &Printer,
) {
    match describe_approval(settings, (file, text), places) {
        Some(Ok(trusted)) => {
            printer.print_note(&format!("{GOOD}note{GOOD:#}: {}", report::sanitize_line(&trusted)));
        }
        Some(Err(wanted)) => {
            printer.print_note(&format!("{WARNING}warning{WARNING:#}: {}", report::sanitize_line(&wanted)));
        }
        None => {}
    }
}

/// Returns the steps that the agent requires from the user before it calls hookbox.
pub(super) fn list_required_steps(file: &AgentFile, places: &Places) -> Vec<String> {
    let Some(settings) = file.settings else { return Vec::new() };
    let trust = describe_approval(settings, (&file.path, &file.text), places).and_then(Result::err);
    let switch = settings::switched_off(&file.text, settings);
    let switch = switch.map(|line| {
        format!(
            "{} runs no hook as its settings are: write `{line}` into {}",
            file.agent,
            file.path.display()
        )
    });
    trust.into_iter().chain(switch).collect()
}

/// Returns the state as `Ok`, or as `Err` the steps that are left; `None` if the agent requires no approval.
pub(super) fn describe_approval(
    settings: &AgentSettings,
    (file, text): (&Path, &str),
    places: &Places,
) -> Option<Result<String, String>> {
    let trust: &Trust = find_trust(settings.agent)?;
    let users = || detect_agents::settings_folders(settings.agent, places).into_iter();
    // The list next to this file, if the file is the user's.
    let beside = users().find(|folder| file.parent() == Some(folder));
    let kept = beside.or_else(|| users().next())?.join(trust.file);
    // An unreadable list trusts nothing.
    let list = fs::read_to_string(&kept).unwrap_or_default();
    // The list may have the file by this path, or by the real one.
    let real = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let untrusted = trust.find_untrusted(text, &list, &[file, &real])?;
    let agent = settings.agent;
    Some(if untrusted.is_empty() {
        Ok(format!("{agent} has trusted every entry ({})", kept.display()))
    } else {
        Err(format!(
            "{agent} skips {} without a message until you trust them: {}",
            untrusted.join(", "),
            trust.how
        ))
    })
}
