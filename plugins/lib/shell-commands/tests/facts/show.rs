//! Facts as a short text.

use std::fmt::Write;

use shell_commands::facts::{FactWord, Facts, SimpleCommand};

/// Returns facts as lines: the commands, the accesses to paths, the hosts and the undetermined parts.
pub(crate) fn show_facts(facts: &Facts) -> String {
    let mut lines = String::new();
    for command in &facts.commands {
        let _ = writeln!(lines, "{}", show_command(command));
    }
    for path in &facts.paths {
        let recursive = if path.recursive { " and below" } else { "" };
        let _ = writeln!(
            lines,
            "{} {}{}{recursive}",
            name_of(&path.access),
            path.path,
            mark_unsure(path.certain)
        );
    }
    for host in &facts.hosts {
        let _ = writeln!(lines, "host {}{} of {}", host.host, mark_unsure(host.certain), host.program);
    }
    for part in &facts.undetermined {
        let _ = writeln!(lines, "? {}: {}", name_of(&part.reason), part.text.trim_end().escape_debug());
    }
    // The mark of an unknown part is easily taken for a broken character.
    lines.replace('\u{FFFD}', "…")
}

/// A command: its way, its program, its words, and what is known of its surroundings.
fn show_command(command: &SimpleCommand) -> String {
    let mut line = String::new();
    for via in &command.via {
        let _ = write!(line, "{via} > ");
    }
    let program = match command.program.as_str() {
        "" if command.words.is_empty() => "set",
        "" => "?",
        program => program,
    };
    let _ = write!(line, "{program}:");
    for (name, value) in &command.assignments {
        let _ = write!(line, " {name}={}", show_word(value));
    }
    let words = command.words.iter().map(|word| (" ", word));
    let reads = command.reads.iter().map(|word| (" <", word));
    let writes = command.writes.iter().map(|word| (" >", word));
    for (sign, word) in words.chain(reads).chain(writes) {
        let _ = write!(line, "{sign}{}", show_word(word));
    }
    for (is_so, name) in
        [(command.piped_input, "piped"), (command.elsewhere, "elsewhere"), (command.guessed, "guessed")]
    {
        if is_so {
            let _ = write!(line, " [{name}]");
        }
    }
    match command.folder.as_deref() {
        Some("/home/me/project") => {}
        Some(folder) => {
            let _ = write!(line, " in {folder}");
        }
        None => line.push_str(" in ?"),
    }
    line
}

fn show_word(word: &FactWord) -> String {
    let is_plain = !word.text.is_empty() && !word.text.contains([' ', '\n']);
    let text = if is_plain { word.text.clone() } else { format!("{:?}", word.text) };
    format!("{text}{}", mark_unsure(word.certain))
}

fn mark_unsure(certain: bool) -> &'static str {
    if certain { "" } else { "~" }
}

fn name_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default().trim_matches('"').to_owned()
}
