//! Facts while they are collected, within their bounds.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use super::{
    MAX_BYTES, MAX_COMMANDS, MAX_HOSTS, MAX_PATHS, MAX_TEXT, MAX_UNDETERMINED, MAX_WORDS,
    access::{access_of, folder_of},
    code::{ForeignCode, foreign_code},
    contact::{contacted_hosts, redirected_hosts},
    types::{FactWord, Facts, HostContact, PathAccess, SimpleCommand, Undetermined, UnknownReason},
    words::{fact_word, join_words, shorten_text, without_marks},
};
use crate::{
    arg::{Arg, Stream},
    call::Call,
    scope::home_of,
    touched::Collected,
};

/// Size that is kept free for the last undetermined part, in bytes: that of its text.
const RESERVED: usize = 4 * MAX_TEXT;
/// Name of the target of a redirection that has no file.
const NO_FILE: &str = "/dev/tcp/-";
/// The program that opens the sockets of redirections.
const SHELL: &str = "bash";

/// Place of a command in the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// Labels of the wrappers that were unwrapped on the way to it.
    pub(crate) via: &'a [String],
    /// True if the command runs in a container or on another machine.
    pub(crate) is_elsewhere: bool,
    /// True if the command is text that a program was passed and may run.
    pub(crate) is_guessed: bool,
    /// True if the text that contains it has parts that the command line does not show.
    pub(crate) is_unseen: bool,
}

/// Collects the facts about a command line.
#[derive(Debug)]
#[cfg_attr(feature = "facts", derive(Default))]
pub(crate) struct Recorder {
    /// No value of this type exists, so that the compiler removes all recording.
    #[cfg(not(feature = "facts"))]
    never: std::convert::Infallible,
    facts: Facts,
    /// Indexes of the commands by their hash.
    known: BTreeMap<u64, Vec<usize>>,
    bytes: usize,
    /// The beginning of the text that is walked.
    text: String,
    /// True if the text that is walked is one that a program was passed and may run.
    pub(crate) is_guess: bool,
}

impl Recorder {
    #[cfg(feature = "facts")]
    pub(crate) fn new(command: &str) -> Self {
        Self { text: shorten_text(command), ..Self::default() }
    }

    pub(crate) fn into_facts(self) -> Facts {
        self.facts
    }

    /// Enters a script; returns the text to restore behind it.
    pub(crate) fn enter_text(&mut self, text: &str) -> String {
        std::mem::replace(&mut self.text, shorten_text(text))
    }

    pub(crate) fn leave_text(&mut self, outer: String) {
        self.text = outer;
    }

    /// Adds a command with the hosts that it contacts, and the parts of it that are not determined.
    pub(crate) fn record_command(&mut self, call: &Call, place: Place<'_>) {
        self.record_redirections(call);
        let Some(first) = call.words.first() else { return };
        let program = if first.guessed { "" } else { call.name() };
        if program.is_empty() && !first.literal().is_some_and(|name| name.ends_with('/')) {
            let is_unseen = first.origin.is_unseen() || place.is_unseen;
            let reason = if is_unseen { UnknownReason::Code } else { UnknownReason::Program };
            self.note_unknown(reason, &join_words(&call.words));
        }
        self.note_foreign_code(call);
        for (host, certain) in contacted_hosts(call) {
            self.add_host(&host, certain, call.name());
        }
        let command = self.describe_command(call, program, place);
        self.add_command(command);
    }

    /// Adds a command without words: variables that the shell itself gets.
    pub(crate) fn record_assignments(&mut self, call: &Call, place: Place<'_>) {
        let command = self.describe_command(call, "", place);
        self.add_command(command);
    }

    fn describe_command(&mut self, call: &Call, program: &str, place: Place<'_>) -> SimpleCommand {
        let home = call.workspace.as_deref().and_then(home_of);
        SimpleCommand {
            program: program.to_owned(),
            words: self.bounded_words(&call.words),
            assignments: self.bounded_assignments(&call.assignments),
            folder: call.cwd.as_deref().and_then(|folder| folder_of(folder, home.as_deref())),
            via: place.via.iter().filter_map(|label| program_of(label)).collect(),
            guessed: place.is_guessed,
            elsewhere: place.is_elsewhere,
            piped_input: call.has_stdin,
            writes: self.bounded_words(&call.writes),
            reads: self.bounded_words(&call.reads),
        }
    }

    /// Adds the hosts that the shell contacts for redirections.
    pub(crate) fn record_redirections(&mut self, call: &Call) {
        for (host, certain) in redirected_hosts(call) {
            self.add_host(&host, certain, SHELL);
        }
    }

    /// Adds the code that an interpreter runs: it is not read.
    fn note_foreign_code(&mut self, call: &Call) {
        match foreign_code(call) {
            Some(ForeignCode::Argument(code)) => {
                let is_known = code.literal().is_some() && !code.origin.is_unseen();
                let reason = if is_known { UnknownReason::Language } else { UnknownReason::Code };
                self.note_unknown(reason, &code.text);
            }
            Some(ForeignCode::File(file)) => self.note_unknown(UnknownReason::Code, &file.text),
            Some(ForeignCode::Input) => match &call.stdin.text {
                Some(text) if !Arg::new(text.as_str()).is_all_unknown() => {
                    self.note_unknown(UnknownReason::Language, text);
                }
                _ => self.note_unknown(UnknownReason::Code, &join_words(&call.words)),
            },
            None => {}
        }
    }

    /// Adds a script that is executed, by its name, unless its text is known.
    pub(crate) fn note_script(&mut self, content: &Stream, name: &str) {
        let is_known = content.text.as_ref().is_some_and(|text| !Arg::new(text.as_str()).is_all_unknown());
        if !is_known {
            self.note_unknown(UnknownReason::Code, name);
        }
    }

    /// Adds a part that is not determined.
    pub(crate) fn note_unknown(&mut self, reason: UnknownReason, text: &str) {
        let part = Undetermined { reason, text: shorten_text(text) };
        if self.facts.undetermined.contains(&part) {
            return;
        }
        if self.facts.undetermined.len() + 1 >= MAX_UNDETERMINED || !self.take_bytes(part.text.len()) {
            self.note_too_large();
        } else {
            self.facts.undetermined.push(part);
        }
    }

    /// Adds the script that is walked as one that is not determined.
    pub(crate) fn note_text(&mut self, reason: UnknownReason) {
        if reason == UnknownReason::TooLarge {
            self.note_too_large();
        } else {
            let text = self.text.clone();
            self.note_unknown(reason, &text);
        }
    }

    /// Adds, once, that something was left out.
    fn note_too_large(&mut self) {
        if self.facts.undetermined.iter().all(|part| part.reason != UnknownReason::TooLarge) {
            let part = Undetermined { reason: UnknownReason::TooLarge, text: self.text.clone() };
            self.facts.undetermined.push(part);
        }
    }

    /// Adds the accesses to files that were found.
    pub(crate) fn add_accesses(&mut self, found: &mut Collected) {
        let known: BTreeSet<PathAccess> = self.facts.paths.iter().cloned().collect();
        let accesses: BTreeSet<PathAccess> = found.found().iter().map(access_of).collect();
        for access in accesses.difference(&known) {
            if self.facts.paths.len() >= MAX_PATHS || !self.take_bytes(access.path.len()) {
                self.note_too_large();
                break;
            }
            self.facts.paths.push(access.clone());
        }
        if found.is_cut {
            self.note_too_large();
        }
    }

    fn add_host(&mut self, host: &str, certain: bool, program: &str) {
        let contact = HostContact { host: without_marks(host), certain, program: program.to_owned() };
        if contact.host == "-" || self.facts.hosts.contains(&contact) {
            return;
        }
        if self.facts.hosts.len() >= MAX_HOSTS || !self.take_bytes(contact.host.len() + contact.program.len())
        {
            self.note_too_large();
        } else {
            self.facts.hosts.push(contact);
        }
    }

    /// Adds a command, unless it is known in the same form.
    fn add_command(&mut self, command: SimpleCommand) {
        let mut hasher = DefaultHasher::new();
        command.hash(&mut hasher);
        let hash = hasher.finish();
        let same = self.known.get(&hash).into_iter().flatten().filter_map(|at| self.facts.commands.get(*at));
        if same.into_iter().any(|known| *known == command) {
            return;
        }
        if self.facts.commands.len() >= MAX_COMMANDS || !self.take_bytes(size_of_command(&command)) {
            self.note_too_large();
        } else {
            self.known.entry(hash).or_default().push(self.facts.commands.len());
            self.facts.commands.push(command);
        }
    }

    fn bounded_words(&mut self, words: &[Arg]) -> Vec<FactWord> {
        self.check_count(words.len());
        words.iter().filter(|word| word.text != NO_FILE).take(MAX_WORDS).map(fact_word).collect()
    }

    fn bounded_assignments(&mut self, assignments: &[(String, Arg)]) -> Vec<(String, FactWord)> {
        self.check_count(assignments.len());
        assignments.iter().take(MAX_WORDS).map(|(name, value)| (name.clone(), fact_word(value))).collect()
    }

    fn check_count(&mut self, count: usize) {
        if count > MAX_WORDS {
            self.note_too_large();
        }
    }

    /// Takes some of the remaining size; false if the rest is too small.
    fn take_bytes(&mut self, bytes: usize) -> bool {
        let taken = self.bytes.saturating_add(bytes);
        let fits = taken <= MAX_BYTES - RESERVED;
        if fits {
            self.bytes = taken;
        }
        fits
    }
}

fn size_of_command(command: &SimpleCommand) -> usize {
    let words = [&command.words, &command.writes, &command.reads].into_iter().flatten();
    let words: usize = words.map(|word| word.text.len()).sum();
    let assignments: usize =
        command.assignments.iter().map(|(name, value)| name.len() + value.text.len()).sum();
    let via: usize = command.via.iter().map(String::len).sum();
    command.program.len() + words + assignments + via + command.folder.as_ref().map_or(0, String::len)
}

/// Returns the program of a wrapper's label: `sh` of `sh -c`, nothing of `$(…)`.
fn program_of(label: &str) -> Option<String> {
    let program = label.split(' ').next().unwrap_or_default();
    (!program.is_empty() && !program.contains('(')).then(|| without_marks(program))
}
