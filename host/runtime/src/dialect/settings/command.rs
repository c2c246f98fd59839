//! hookbox's own command line, and how it is known again.

/// The name of the program, whatever folder it is in.
const PROGRAM: &str = "hookbox";

/// The command line for this agent.
pub(super) fn line(agent: &str) -> String {
    format!("{PROGRAM} run --agent {agent}")
}

/// Does this command run hookbox for the agent, from whatever folder and with whatever other options? `more` are
/// arguments that the entry keeps apart. One for another agent is not ours: it would answer in the wrong words.
pub(super) fn is_own<'a>(command: &'a str, agent: &str, more: impl Iterator<Item = &'a str>) -> bool {
    let Some((program, rest)) = program(command.trim_start()) else { return false };
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let mut words = rest.split_whitespace().chain(more);
    matches!(name, PROGRAM | "hookbox.exe")
        && words.next() == Some("run")
        && agent_of(words).is_none_or(|named| named == agent)
}

/// The first word and what follows it; a path with blanks stands in quotes.
fn program(command: &str) -> Option<(&str, &str)> {
    match command.chars().next()? {
        quote @ ('"' | '\'') => command.get(1..)?.split_once(quote),
        _ => Some(command.split_once(char::is_whitespace).unwrap_or((command, ""))),
    }
}

/// What `--agent` says.
fn agent_of<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    while let Some(word) = words.next() {
        let value = if word == "--agent" { words.next() } else { word.strip_prefix("--agent=") };
        if let Some(value) = value {
            return Some(value.trim_matches(['"', '\'']));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_command_is_known_in_every_spelling() {
        for own in [
            "hookbox run --agent codex",
            "/opt/bin/hookbox run --agent=codex --patience 5s",
            "'/my tools/hookbox' run --agent 'codex'",
            "\"C:\\tools\\hookbox.exe\" run --agent codex",
            "hookbox run",
        ] {
            assert!(is_own(own, "codex", [].into_iter()), "{own}");
        }
        assert!(is_own("hookbox", "codex", ["run", "--agent", "codex"].into_iter()));
    }

    #[test]
    fn other_commands_are_not() {
        for other in [
            "",
            "'hookbox",
            "hookbox",
            "hookbox check",
            "hookbox run --agent gemini-cli",
            "my-hookbox run --agent codex",
            "echo hookbox run --agent codex",
            "hookbox-compile run",
        ] {
            assert!(!is_own(other, "codex", [].into_iter()), "{other}");
        }
    }
}
