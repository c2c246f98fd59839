//! Cline's hooks are executable files, each called as its event is, in a folder of the user's or of a project's. It calls one
//! file of a name in a folder, so a file is hookbox's or somebody else's.

use super::{Base::Home, Installed, OwnCommand, UserFolder, installed::of_line};

/// The agent, as in `--agent`.
pub const AGENT: &str = "cline";

/// The folder of the user's files: the one that both Cline's extension and its command line look into.
pub const USER: UserFolder = UserFolder { variable: None, base: Home, path: "Documents/Cline/Hooks" };

/// The folder of a project's files, from the project's root.
pub const PROJECT: &str = ".clinerules/hooks";

/// The files that hookbox writes if nobody names others: those that can stop something or tell the model something, and
/// the end of a task.
pub const USUAL: &[&str] = &[
    "TaskStart",
    "TaskResume",
    "TaskCancel",
    "TaskComplete",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
];

/// Files that only one of the two calls: the extension the first, the command line the others.
pub const OTHER: &[&str] = &["Notification", "TaskError", "SessionShutdown"];

/// What a file says.
pub fn script(command: &OwnCommand) -> String {
    let line = command.line(AGENT);
    format!("#!/bin/sh\n# Of hookbox: `hookbox uninstall cline` takes it away.\nexec {line}\n")
}

/// Is it one of hookbox's, whatever folder hookbox was in when it was written?
pub fn is_own(script: &str) -> bool {
    installed("", script).is_some()
}

/// What the file of this event runs, if it is one of hookbox's.
pub fn installed(event: &str, script: &str) -> Option<Installed> {
    let mut lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let line = lines.next()?.strip_prefix("exec ")?;
    of_line(event, line, AGENT).filter(|_| lines.next().is_none())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_file_is_hookboxs_if_it_does_nothing_else() {
        let command = OwnCommand::new(Path::new("/opt/my tools/hookbox"), &[]).unwrap();
        assert_eq!(script(&command).lines().last(), Some("exec '/opt/my tools/hookbox' run --agent cline"));
        assert!(is_own(&script(&command)));
        assert!(is_own(
            "#!/usr/bin/env bash\n\nexec '/opt/my tools/hookbox' run --agent cline --patience 5s\n"
        ));
        for other in [
            "",
            "#!/bin/sh\n",
            "#!/bin/sh\nhookbox run --agent cline | tee log\n",
            "#!/bin/sh\necho hi\nexec hookbox run --agent cline\n",
            "#!/bin/sh\nexec hookbox run --agent cline\nrm x\n",
            "#!/bin/sh\nexec hookbox run --agent codex\n",
        ] {
            assert!(!is_own(other), "{other:?}");
        }
    }
}
