//! Commands that the configuration names.

use crate::{arg::Arg, call::Call, finding::quote};

/// The first entry that a command begins with.
pub(super) fn matching(call: &Call, entries: &[Vec<String>]) -> Option<String> {
    let entry = entries.iter().find(|entry| begins_with(call, entry))?;
    Some(format!("is on the configured list as `{}`", quote(&entry.join(" "), 80)))
}

fn begins_with(call: &Call, entry: &[String]) -> bool {
    let Some((name, rest)) = entry.split_first() else {
        return false;
    };
    let same_name = call.name() == name.to_lowercase() || call.words.first().map(Arg::as_str) == Some(name);
    same_name
        && rest.len() <= call.args().len()
        && rest.iter().zip(call.args()).all(|(wanted, arg)| wanted == arg.as_str())
}
