//! Cline's hooks are executable files, named like their events, in a folder of the user's or of a project's. It runs one file of a name in
//! a folder, so a file is either hookbox's or foreign.

use super::{
    Base::Home, Installed, OwnCommand, UserFolder, fail_closed::is_before_action, installed_entries::of_line,
};

/// The agent, as in `--agent`.
pub const AGENT: &str = "cline";

/// The folder of the user's files: the one that both Cline's extension and its command line look into.
pub const USER: UserFolder = UserFolder { variable: None, base: Home, path: "Documents/Cline/Hooks" };

/// The folder of a project's files, from the project's root.
pub const PROJECT: &str = ".clinerules/hooks";

/// Files that hookbox writes by default: those of events that can be blocked or add context for the model, and the end of a task.
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

/// The line of a script that runs hookbox, without and with a refusal where hookbox fails. Cline reads JSON only, and no exit code. The shell
/// prints the refusal even if the system has no process left for hookbox.
const EXEC: (&str, &str) = ("exec ", "");
const OR_CANCEL: (&str, &str) = (
    r#"trap 'printf "%s\n" "$answer"' 0; answer='{"cancel":true,"errorMessage":"hookbox gave no answer"}'; own=$("#,
    r#") && [ -n "$own" ] && answer=$own"#,
);
/// `OR_CANCEL` as older versions wrote it, with a second line that prints the answer. The shell prints nothing if the system has no process
/// left for hookbox.
const OLDER: (&str, &str) = (
    "answer=$(",
    r#") && [ -n "$answer" ] || answer='{"cancel":true,"errorMessage":"hookbox gave no answer"}'"#,
);

/// Returns the file of this event.
pub fn format_script(command: &OwnCommand, event: &str) -> String {
    let line = command.to_line(AGENT);
    let head = "#!/bin/sh\n# Of hookbox: `hookbox uninstall cline` takes it away.\n";
    if is_before_action(AGENT, event) {
        let (start, end) = OR_CANCEL;
        // Cline takes a failed hook without JSON for no opinion, so the script answers in hookbox's place.
        return format!("{head}{start}{line}{end}\n");
    }
    format!("{head}{}{line}\n", EXEC.0)
}

/// Returns true if the script is hookbox's, regardless of hookbox's folder at the time of writing.
pub fn is_own(script: &str) -> bool {
    find_installed("", script).is_some()
}

/// Returns the entry in the file of this event, if the file is hookbox's.
pub fn find_installed(event: &str, script: &str) -> Option<Installed> {
    // A script with any other line does more than run hookbox, and is not hookbox's to remove.
    let mut lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let command = lines.next()?;
    let within = |(start, end): (&str, &str)| command.strip_prefix(start)?.strip_suffix(end);
    let (line, closes) = match (within(OR_CANCEL), within(OLDER)) {
        (Some(line), _) => (line, true),
        (None, Some(line)) => {
            lines.next();
            (line, false)
        }
        (None, None) => (within(EXEC)?, false),
    };
    let fails_open = is_before_action(AGENT, event) && !closes;
    let found = of_line(event, line, (AGENT, fails_open)).filter(|_| lines.next().is_none())?;
    Some(Installed { command: command.to_owned(), ..found })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_file_is_hookboxs_if_it_does_nothing_else() {
        let command = OwnCommand::new(Path::new("/opt/my tools/hookbox"), &[]).unwrap();
        assert_eq!(
            format_script(&command, "TaskCancel").lines().last(),
            Some("exec '/opt/my tools/hookbox' run --agent cline")
        );
        let (start, end) = OR_CANCEL;
        let line = format!("\n{start}'/opt/my tools/hookbox' run --agent cline{end}\n");
        assert!(format_script(&command, "PreToolUse").ends_with(&line));
        for event in USUAL {
            let found = find_installed(event, &format_script(&command, event)).unwrap();
            assert!(!found.fails_open, "{event}");
        }
        let old = format_script(&command, "TaskCancel");
        assert!(find_installed("PreToolUse", &old).unwrap().fails_open);
        let (start, end) = OLDER;
        let older =
            format!("#!/bin/sh\n{start}/opt/hookbox run --agent cline{end}\nprintf '%s\\n' \"$answer\"\n");
        assert!(find_installed("PreToolUse", &older).unwrap().fails_open);
        assert!(is_own(
            "#!/usr/bin/env bash\n\nexec '/opt/my tools/hookbox' run --agent cline --agent-timeout 5s\n"
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
