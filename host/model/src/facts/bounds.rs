//! Bounds of facts, as the interface `facts` of `wit/` states them.

use super::{FactWord, FactsError, ShellFacts, SimpleCommand};

/// Most commands.
const MAX_COMMANDS: usize = 1024;
/// Most words of one command, and most items of each of its other lists.
const MAX_WORDS: usize = 1024;
/// Most accesses to paths.
const MAX_PATHS: usize = 4096;
/// Most hosts.
const MAX_HOSTS: usize = 256;
/// Most undetermined parts.
const MAX_UNDETERMINED: usize = 256;
/// Longest text of an undetermined part, in characters.
pub(super) const MAX_TEXT: usize = 200;
/// Most bytes of all texts.
pub const MAX_FACTS_BYTES: usize = 1 << 20;

/// Checks every bound.
pub(super) fn check_bounds(facts: &ShellFacts) -> Result<(), FactsError> {
    let counts = [
        ("commands", facts.commands.len(), MAX_COMMANDS),
        ("paths", facts.paths.len(), MAX_PATHS),
        ("hosts", facts.hosts.len(), MAX_HOSTS),
        ("undetermined", facts.undetermined.len(), MAX_UNDETERMINED),
    ];
    let of_commands = facts.commands.iter().flat_map(|command| {
        [
            ("words", command.words.len()),
            ("assignments", command.assignments.len()),
            ("via", command.via.len()),
            ("writes", command.writes.len()),
            ("reads", command.reads.len()),
        ]
    });
    let of_commands = of_commands.map(|(list, count)| (list, count, MAX_WORDS));
    let texts = facts.undetermined.iter().map(|part| part.text.chars().count());
    let texts = texts.map(|count| ("characters of an undetermined part", count, MAX_TEXT));
    let mut all = counts.into_iter().chain(of_commands).chain(texts);
    if let Some((list, count, most)) = all.find(|(_, count, most)| count > most) {
        return Err(FactsError::TooMany { list, count, most });
    }
    match size_of_facts(facts) {
        bytes if bytes > MAX_FACTS_BYTES => Err(FactsError::TooLarge { bytes }),
        _ => Ok(()),
    }
}

/// Returns the bytes of all texts.
pub(super) fn size_of_facts(facts: &ShellFacts) -> usize {
    let commands: usize = facts.commands.iter().map(size_of_command).sum();
    let paths: usize = facts.paths.iter().map(|access| access.path.len()).sum();
    let hosts: usize = facts.hosts.iter().map(|contact| contact.host.len() + contact.program.len()).sum();
    let undetermined: usize = facts.undetermined.iter().map(|part| part.text.len()).sum();
    commands + paths + hosts + undetermined
}

fn size_of_command(command: &SimpleCommand) -> usize {
    let size_of_words = |words: &[FactWord]| words.iter().map(|word| word.text.len()).sum::<usize>();
    let assignments: usize =
        command.assignments.iter().map(|(name, value)| name.len() + value.text.len()).sum();
    let via: usize = command.via.iter().map(String::len).sum();
    command.program.len()
        + size_of_words(&command.words)
        + assignments
        + command.folder.as_ref().map_or(0, String::len)
        + via
        + size_of_words(&command.writes)
        + size_of_words(&command.reads)
}
