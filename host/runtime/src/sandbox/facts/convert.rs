//! Converts facts to the generated types.

use hookbox_model::{
    FactWord, HostContact, PathAccess, PathUse, ShellFacts, ShellLanguage, SimpleCommand, Undetermined,
    UnknownReason,
};

use super::wit;

pub(super) fn convert_facts(facts: &ShellFacts) -> wit::ShellFacts {
    wit::ShellFacts {
        language: match facts.language {
            ShellLanguage::Posix => wit::ShellLanguage::Posix,
            ShellLanguage::Powershell => wit::ShellLanguage::Powershell,
            ShellLanguage::Cmd => wit::ShellLanguage::Cmd,
        },
        commands: facts.commands.iter().map(convert_command).collect(),
        paths: facts.paths.iter().map(convert_access).collect(),
        hosts: facts.hosts.iter().map(convert_contact).collect(),
        undetermined: facts.undetermined.iter().map(convert_undetermined).collect(),
    }
}

fn convert_word(word: &FactWord) -> wit::Word {
    wit::Word { text: word.text.clone(), certain: word.certain }
}

fn convert_command(command: &SimpleCommand) -> wit::SimpleCommand {
    let words = |words: &[FactWord]| words.iter().map(convert_word).collect();
    let assignments = command.assignments.iter().map(|(name, value)| (name.clone(), convert_word(value)));
    wit::SimpleCommand {
        program: command.program.clone(),
        words: words(&command.words),
        assignments: assignments.collect(),
        folder: command.folder.clone(),
        via: command.via.clone(),
        guessed: command.guessed,
        elsewhere: command.elsewhere,
        piped_input: command.piped_input,
        writes: words(&command.writes),
        reads: words(&command.reads),
    }
}

fn convert_access(access: &PathAccess) -> wit::PathAccess {
    wit::PathAccess {
        path: access.path.clone(),
        certain: access.certain,
        access: match access.access {
            PathUse::Read => wit::Access::Read,
            PathUse::Use => wit::Access::Use,
            PathUse::Write => wit::Access::Write,
            PathUse::CreateFolder => wit::Access::CreateFolder,
            PathUse::Link => wit::Access::Link,
            PathUse::Unknown => wit::Access::Unknown,
        },
        recursive: access.recursive,
    }
}

fn convert_contact(contact: &HostContact) -> wit::HostContact {
    wit::HostContact {
        host: contact.host.clone(),
        certain: contact.certain,
        program: contact.program.clone(),
    }
}

fn convert_undetermined(part: &Undetermined) -> wit::Undetermined {
    wit::Undetermined {
        reason: match part.reason {
            UnknownReason::Program => wit::UnknownReason::Program,
            UnknownReason::Code => wit::UnknownReason::Code,
            UnknownReason::Syntax => wit::UnknownReason::Syntax,
            UnknownReason::TooLarge => wit::UnknownReason::TooLarge,
            UnknownReason::Language => wit::UnknownReason::Language,
            UnknownReason::Unavailable => wit::UnknownReason::Unavailable,
        },
        text: part.text.clone(),
    }
}
