//! The rules: each looks at one evaluated command.

mod agent;
mod alias;
mod disk;
mod disk_tool;
mod exfiltrate;
mod git_setting;
mod itself;
mod mode;
mod own;
mod process;
mod process_path;
mod protected;
mod read;
mod removal;
mod system;
mod written;

pub(crate) use self::process_path::through_process;
pub(crate) use self::{
    agent::unhooked,
    alias::{Alias, folder_inside, list_aliases, volumes},
    git_setting::variable as git_variable,
    itself::is_own_program,
    itself::of_a_person,
    mode::closes_folders,
    removal::RSYNC,
    removal::is_trial,
};
pub(crate) use self::{
    read::{MAX_COPIES, Reading, TAKERS, is_quiet, loads, read_files},
    written::{PathEffect, Written, is_in_place, printed_members, written_files},
};
use crate::{
    call::Call,
    packs::{self, Place},
    policy::Policy,
};

/// A rule, which returns the description of a command that breaks it.
type Rule = fn(&Call) -> Option<String>;
/// A rule about a command and the files that it writes.
type WriteRule = fn(&Call, &[Written]) -> Option<String>;

/// Rules by their code. A code may have several.
const RULES: &[(&str, Rule)] = &[
    ("rm-root", removal::remove),
    ("rm-root", removal::find_delete),
    ("rm-root", removal::remove_listed),
    ("rm-root", removal::move_away),
    ("rm-root", removal::sync),
    ("unset-variable", removal::unset_variable),
    ("unknown-argument", removal::unknown_target),
    ("disk-write", disk::tool),
    ("disk-write", disk::output),
    ("chmod-root", mode::change),
    ("chmod-root", mode::search_and_change),
    ("exfiltrate", exfiltrate::send),
    ("exfiltrate", exfiltrate::socket),
    ("exfiltrate", exfiltrate::push),
    ("exfiltrate", exfiltrate::code),
    ("credential-read", exfiltrate::read),
    ("hook-config", itself::uninstall),
    ("hook-config", itself::end),
    ("hook-config", itself::take_away),
    ("hook-config", git_setting::change),
    ("hook-config", git_setting::source),
    ("git-command", git_setting::command),
    ("hookbox-install", itself::install),
    ("kill-all", process::kill_all),
    ("system-power", system::power),
    ("privilege", system::privilege),
];

/// Rules about the files that a command writes, by their code.
const WRITE_RULES: &[(&str, WriteRule)] = &[
    ("hook-config", protected::hooks),
    ("agent-config", protected::agents),
    ("secret-write", protected::secrets),
];

/// A rule's finding about a command.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hit {
    /// The rule's code.
    pub(crate) code: &'static str,
    /// Description of the command, as the end of a sentence that begins with the command.
    pub(crate) does: String,
    /// Effect of the place on the severity.
    pub(crate) place: Place,
}

impl Hit {
    /// Creates the finding of such a rule in the usual place.
    pub(crate) fn of(rule: &packs::Rule) -> Self {
        Self::new((rule.code, rule.does.to_owned()))
    }

    fn new((code, does): (&'static str, String)) -> Self {
        Self { code, does, place: Place::Usual }
    }
}

/// Returns all findings of the rules and the policy's own commands about a command.
pub(crate) fn judge(call: &Call, policy: &Policy) -> Vec<Hit> {
    let mut hits = judge_named(call, policy);
    if let Some(meant) = through_process(call) {
        hits.extend(judge_named(&meant, policy));
    }
    hits.retain(|hit| !policy.allows(hit.code, call));
    hits
}

/// Returns the findings about a command that runs in a container or on another machine, which has other files.
pub(crate) fn judge_elsewhere(call: &Call, policy: &Policy) -> Vec<Hit> {
    let mut hits: Vec<Hit> = own::matching(call, policy).into_iter().map(Hit::new).collect();
    hits.extend(packs::judge_elsewhere(call, policy));
    hits.retain(|hit| !policy.allows(hit.code, call));
    hits
}

fn judge_named(call: &Call, policy: &Policy) -> Vec<Hit> {
    // A person's own words come first: of two findings that are as bad, the first is told.
    let mut hits: Vec<Hit> = own::matching(call, policy).into_iter().map(Hit::new).collect();
    for (code, rule) in RULES {
        hits.extend(rule(call).map(|what| Hit::new((code, what))));
    }
    let mut written = written_files(call);
    // Every branch has other files: that one is checked out says nothing.
    written.retain(|written| written.how != PathEffect::Restored);
    if !written.is_empty() {
        for (code, rule) in WRITE_RULES {
            hits.extend(rule(call, &written).map(|what| Hit::new((code, what))));
        }
    }
    // The packs' places are written by programs that everybody knows.
    let judged: Vec<Written> =
        written.into_iter().filter(|written| written.how != PathEffect::Given).collect();
    hits.extend(packs::judge(call, &judged, policy));
    hits
}
