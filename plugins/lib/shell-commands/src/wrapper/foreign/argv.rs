//! Programs that code starts by their names, with the words that they are given one by one.

use super::{RUNNERS, arguments, every_literal, head, words};

/// Functions whose arguments are a file, what it is to be called, and its words.
const CALLED: &[&str] = &[
    "execl",
    "execle",
    "execlp",
    "execlpe",
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "posix_spawn",
    "posix_spawnp",
    "spawnl",
    "spawnle",
    "spawnlp",
    "spawnlpe",
    "spawnv",
    "spawnve",
    "spawnvp",
    "spawnvpe",
];
/// The program that only the user may control, however its words are put together.
const OWN: &str = "hookbox";

/// The commands, as shell text.
pub(super) fn commands(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut starts = false;
    for (name, after) in words(code) {
        starts |= RUNNERS.contains(&name) || CALLED.contains(&name);
        if CALLED.contains(&name)
            && let [file, _, words @ ..] =
                every_literal(arguments(after).unwrap_or_else(|| head(after))).as_slice()
        {
            found.push([std::slice::from_ref(file), words].concat().join(" "));
        }
    }
    if starts {
        found.extend(code.lines().filter_map(own));
    }
    found
}

/// `["hookbox"] + ["trust"]`
fn own(line: &str) -> Option<String> {
    let literals = every_literal(line);
    let at = literals.iter().position(|literal| literal.rsplit('/').next() == Some(OWN))?;
    // What it is called may be said once more.
    let words = literals.get(at + 1..)?.iter().skip_while(|word| *word == OWN);
    let words: Vec<&str> = words.map(String::as_str).collect();
    Some(format!("{OWN} {}", words.join(" ")))
}
