//! The variables that hooks of hookbox's own configuration may receive.
//!
//! The home and the places of programs come from the user database, the entry's arguments and the disk. The rest comes from the
//! agent; a hook's configuration names the variables that it receives.

use std::path::Path;

use hookbox::{HookSpec, interfaces::Environment};
use hookbox_platform::account::{Account, session_folder};

use crate::{places::Places, search_path::SearchPath};

/// Variables that are never taken from the agent: a project that sets these decides what a user's hook reads and starts.
const DECIDED_HERE: [&str; 6] = ["HOME", "USER", "LOGNAME", "SHELL", "PATH", "TMPDIR"];
/// Prefix of further variables that are never taken from the agent.
const DECIDED_HERE_BEGINNING: &str = "XDG_";

/// Returns the variables for these hooks, at an event of `project`; `variables` are those that the agent passed.
pub(crate) fn build_hook_environment(
    places: &Places,
    project: &Path,
    hooks: &[HookSpec],
    variables: Vec<(String, String)>,
) -> Environment {
    let (decided_here, theirs): (Vec<_>, Vec<_>) =
        variables.into_iter().partition(|(name, _)| is_decided_here(name));
    let known = theirs.into_iter();
    let known = known.chain(places.variables().filter_map(|(name, place)| make_pair(name, place)));
    // Checking the folders takes longer than a hook in the sandbox, which receives none of these variables.
    if hooks.iter().any(HookSpec::needs_io) {
        known.chain(looked_up(places, project, &decided_here)).collect()
    } else {
        known.collect()
    }
}

fn is_decided_here(name: &str) -> bool {
    DECIDED_HERE.contains(&name) || name.starts_with(DECIDED_HERE_BEGINNING)
}

/// Returns the variables that are determined here. Of the agent's values, only those that no project could have written are
/// used.
fn looked_up(places: &Places, project: &Path, theirs: &[(String, String)]) -> Vec<(String, String)> {
    let theirs = |wanted: &str| theirs.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    let session = session_folder().and_then(|folder| make_pair("XDG_RUNTIME_DIR", &folder));
    let mut ours: Vec<_> = session.into_iter().collect();
    if let Some(account) = Account::of_this_user() {
        ours.extend(["USER", "LOGNAME"].map(|name| (name.to_owned(), account.name.clone())));
        ours.extend(make_pair("SHELL", &account.shell));
    }
    let folders = SearchPath::new(places, project);
    ours.push(("PATH".to_owned(), folders.filter_trusted(theirs("PATH").map_or("", String::as_str))));
    // A project that sets `TMPDIR` could read and replace the temporary files of a user's hook.
    let temporary = theirs("TMPDIR").filter(|folder| folders.is_trusted(Path::new(folder)));
    ours.extend(temporary.map(|folder| ("TMPDIR".to_owned(), folder.clone())));
    ours
}

fn make_pair(name: &str, place: &Path) -> Option<(String, String)> {
    Some((name.to_owned(), place.to_str()?.to_owned()))
}
