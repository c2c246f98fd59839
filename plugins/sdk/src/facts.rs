//! Facts about the command line of an event, for rules over what a command does in place of its text.
//!
//! The text alone determines them, and analysis of text is not a boundary: a program may do anything that its arguments do not show. A
//! rule that must not miss anything refuses what is [undetermined](ShellFacts::undetermined).
//!
//! ```
//! use hookbox_sdk::{Answer, facts, testing};
//!
//! fn judge_hosts(allowed: &[&str]) -> Answer {
//!     let Some(facts) = facts::shell() else { return Answer::none() };
//!     let is_other = |host: &facts::HostContact| !host.certain || !allowed.contains(&host.host.as_str());
//!     match facts.hosts.iter().find(|host| is_other(host)) {
//!         Some(host) => Answer::deny("host", format!("{} contacts {}", host.program, host.host)),
//!         None if facts.undetermined.is_empty() => Answer::none(),
//!         None => Answer::ask("unknown", "a part of the command is known only when it runs"),
//!     }
//! }
//!
//! // In a test, natively:
//! let host = facts::HostContact { host: "h.example".into(), certain: true, program: "curl".into() };
//! testing::set_facts(Some(facts::ShellFacts { hosts: vec![host], ..Default::default() }));
//! assert_eq!(judge_hosts(&["h.example"]), Answer::none());
//! assert_eq!(judge_hosts(&[]), Answer::deny("host", "curl contacts h.example"));
//! ```

pub use crate::bindings::hookbox::hook::facts::{
    Access, HostContact, PathAccess, ShellFacts, ShellLanguage, SimpleCommand, Undetermined, UnknownReason,
    Word,
};
use crate::imports::facts as known;

/// Returns the facts about the event's command line; `None` if it has none. The host computes them once for all hooks of the event.
pub fn shell() -> Option<ShellFacts> {
    known::shell()
}

/// Returns the facts about an empty command line of bash, to fill in for a test.
impl Default for ShellFacts {
    fn default() -> Self {
        Self {
            language: ShellLanguage::Posix,
            commands: Vec::new(),
            paths: Vec::new(),
            hosts: Vec::new(),
            undetermined: Vec::new(),
        }
    }
}

/// Returns a command without a name, to fill in for a test.
impl Default for SimpleCommand {
    fn default() -> Self {
        Self {
            program: String::new(),
            words: Vec::new(),
            assignments: Vec::new(),
            folder: None,
            via: Vec::new(),
            guessed: false,
            elsewhere: false,
            piped_input: false,
            writes: Vec::new(),
            reads: Vec::new(),
        }
    }
}

/// Converts a text to a word that is exactly this text.
impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), certain: true }
    }
}
