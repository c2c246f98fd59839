//! The files of a shell command.

use shell_commands::{Access as Touch, Touched};

use crate::{
    Access, Decision, FilePath, Policy, Severity, built_in, listed,
    protected::{self, Protection},
    too_many, worst,
};

/// Files in folders of secrets that are none, for commands that are there to read and write them.
const FREE: &[&str] = &["known_hosts", "gpg.conf", "gpg-agent.conf"];

/// Judges the files that a command line reads and writes, which runs in a folder for an agent that works in a workspace. A line
/// that no shell can read is `guard-shell`'s; what runs in front of it is looked at.
pub fn judge_command(command: &str, folder: &str, workspace: &str, policy: &Policy) -> Option<Decision> {
    let files = shell_commands::files_within(command, folder, workspace, &policy.budget());
    let found = worst(files.touched.iter().filter_map(|touched| judge(touched, policy)));
    found.or_else(|| files.is_cut.then(|| too_many("the command touches more than can be looked at")))
}

fn judge(touched: &Touched, policy: &Policy) -> Option<Decision> {
    // A link says nothing of a secret, and what a repository has is no secret.
    if matches!(touched.access, Touch::Folder | Touch::Alias | Touch::Restore) {
        return None;
    }
    let file = FilePath::new(&touched.path, "");
    let writes = matches!(touched.access, Touch::Write | Touch::Make);
    let found = listed(&file, &touched.shown, writes, policy);
    if let Some(decision) = found.as_ref().filter(|decision| decision.severity == Severity::Deny) {
        return Some(decision.clone());
    }
    if let Some(protection) = protection(touched, &file, policy) {
        let does = match touched.access {
            Touch::Write | Touch::Make => "writes",
            Touch::Give => "hands to a program that may write it",
            Touch::Read | Touch::Use | Touch::Folder | Touch::Alias | Touch::Restore => "reads",
        };
        let text = format!("the command {does} `{}`, which is {}", touched.shown, protection.what);
        return Some(protection.decision(text, &file));
    }
    found
}

/// The built-in protection that a command comes up against.
fn protection(touched: &Touched, file: &FilePath, policy: &Policy) -> Option<&'static Protection> {
    let access = match touched.access {
        // A program that works with a secret shows nothing of it, and a new folder has none.
        Touch::Use | Touch::Folder | Touch::Alias | Touch::Restore => return None,
        Touch::Read => Access::Read,
        Touch::Write | Touch::Make | Touch::Give => Access::Write,
    };
    let protection = built_in(file, access, policy)?;
    if touched.access == Touch::Give {
        // Whether it prints a secret is looked at for itself.
        return Some(protection).filter(|protection| protection.write_only && file.name() != ".git");
    }
    if protection.write_only {
        // To remove a repository is a loss, but names no other one.
        let is_repository = touched.is_whole && file.name() == ".git";
        return Some(protection).filter(|_| !is_repository);
    }
    let is_free =
        touched.access == Touch::Make || FREE.contains(&file.name()) || stays_protected(touched, policy);
    Some(protection).filter(|_| !is_free)
}

/// Returns true if a secret stays protected: a file that is read goes only into files as protected, or a file that is
/// written comes from such a file or from a template.
fn stays_protected(touched: &Touched, policy: &Policy) -> bool {
    let others: Vec<FilePath> = touched.others.iter().map(|other| FilePath::new(other, "")).collect();
    let is_protected = |other: &FilePath| built_in(other, Access::Read, policy).is_some();
    match touched.access {
        Touch::Read => !others.is_empty() && others.iter().all(is_protected),
        _ => others.iter().any(|other| protected::is_template(other) || is_protected(other)),
    }
}
