//! What is decided about each code.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It is not reported.
    Off,
    /// The person decides.
    Ask,
    /// It does not happen.
    Deny,
}

/// Every code and what it means for the command unless the configuration says otherwise.
pub const CODES: &[(&str, Severity)] = &[
    ("rm-root", Severity::Deny),
    ("disk-write", Severity::Deny),
    ("fork-bomb", Severity::Deny),
    ("pipe-to-shell", Severity::Deny),
    ("chmod-root", Severity::Deny),
    ("exfiltrate", Severity::Deny),
    ("hook-config", Severity::Deny),
    ("agent-config", Severity::Deny),
    ("kill-all", Severity::Deny),
    ("system-power", Severity::Deny),
    ("too-complex", Severity::Deny),
    ("command-denied", Severity::Deny),
    ("command-asked", Severity::Ask),
    ("unparsable", Severity::Ask),
    ("unknown-command", Severity::Ask),
    ("unset-variable", Severity::Ask),
    ("git-command", Severity::Ask),
    ("hookbox-install", Severity::Ask),
    ("git-force-push", Severity::Ask),
    ("git-discard", Severity::Ask),
    ("unknown-argument", Severity::Off),
    ("secret-write", Severity::Off),
    ("credential-read", Severity::Off),
    ("history-rewrite", Severity::Off),
    ("privilege", Severity::Off),
];

/// The settings as they are written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Codes that deny.
    pub deny: Vec<String>,
    /// Codes that ask.
    pub ask: Vec<String>,
    /// Codes that are not reported.
    pub off: Vec<String>,
    /// Commands of one's own.
    pub commands: Commands,
}

/// Commands by their first words.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Commands {
    /// They are denied.
    pub deny: Vec<String>,
    /// The person is asked.
    pub ask: Vec<String>,
}

/// The settings, checked.
#[derive(Clone, Debug)]
pub struct Policy {
    severities: BTreeMap<String, Severity>,
    /// The words that a denied command begins with.
    pub(crate) denied: Vec<Vec<String>>,
    /// The words that a command to ask about begins with.
    pub(crate) asked: Vec<Vec<String>>,
}

impl Policy {
    /// Checks the settings. A code that does not exist, or that has two severities, is an error.
    pub fn new(config: &Config) -> Result<Self, String> {
        let mut severities: BTreeMap<String, Severity> = BTreeMap::new();
        let lists =
            [(&config.deny, Severity::Deny), (&config.ask, Severity::Ask), (&config.off, Severity::Off)];
        for (codes, severity) in lists {
            for code in codes {
                if !CODES.iter().any(|(known, _)| known == code) {
                    let known: Vec<&str> = CODES.iter().map(|(known, _)| *known).collect();
                    return Err(format!("unknown code `{code}`; the codes are {}", known.join(", ")));
                }
                if severities.insert(code.clone(), severity).is_some_and(|other| other != severity) {
                    return Err(format!("the code `{code}` is in more than one of deny, ask and off"));
                }
            }
        }
        Ok(Self {
            severities,
            denied: prefixes(&config.commands.deny)?,
            asked: prefixes(&config.commands.ask)?,
        })
    }

    /// What a code means.
    pub fn severity(&self, code: &str) -> Severity {
        let default = || CODES.iter().find(|(known, _)| *known == code).map(|(_, severity)| *severity);
        self.severities.get(code).copied().or_else(default).unwrap_or(Severity::Deny)
    }
}

fn prefixes(commands: &[String]) -> Result<Vec<Vec<String>>, String> {
    let words = |command: &String| command.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let prefixes: Vec<_> = commands.iter().map(words).collect();
    if prefixes.iter().any(Vec::is_empty) {
        return Err("an entry of `commands` is empty; write the words that a command begins with".to_owned());
    }
    Ok(prefixes)
}
