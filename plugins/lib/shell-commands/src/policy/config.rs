//! The settings as they are written.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Severity, checked_shape};

/// The settings as they are written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Codes that deny.
    pub deny: Vec<String>,
    /// Codes that ask.
    pub ask: Vec<String>,
    /// Codes that are not reported.
    pub off: Vec<String>,
    /// Packs of rules, by name.
    pub packs: BTreeMap<String, Mode>,
    /// The user's commands, in the shortest form.
    pub commands: Commands,
    /// The user's rules.
    pub rules: Vec<OwnRule>,
    /// Exceptions.
    pub allow: Vec<Allow>,
    /// Branches that rules about branches are stricter with; a star is any text.
    pub protected_branches: Vec<String>,
    /// Treatment of a command whose effect cannot be determined, where its code asks the user.
    pub on_unsure: OnUnsure,
    /// The profile that confines it.
    pub confine_profile: String,
}

impl Default for Config {
    fn default() -> Self {
        let branches = ["main", "master", "trunk", "develop", "production", "release", "release/*"];
        Self {
            deny: Vec::new(),
            ask: Vec::new(),
            off: Vec::new(),
            packs: BTreeMap::new(),
            commands: Commands::default(),
            rules: Vec::new(),
            allow: Vec::new(),
            protected_branches: branches.map(str::to_owned).to_vec(),
            on_unsure: OnUnsure::Ask,
            confine_profile: "project".to_owned(),
        }
    }
}

/// Treatment of a command whose effect cannot be determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnUnsure {
    /// Asks the user.
    Ask,
    /// Runs the command confined, where the agent supports that; elsewhere the user is asked.
    Confine,
}

/// Mode of a pack of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The severities of its rules.
    On,
    /// The severities of its rules, except that a deny becomes an ask.
    Ask,
    /// Nothing.
    Off,
}

/// Commands, as shapes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Commands {
    /// Commands that are denied.
    pub deny: Vec<String>,
    /// Commands that the user is asked about.
    pub ask: Vec<String>,
}

/// A rule of the user's.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnRule {
    /// The command, as a shape.
    pub command: String,
    /// Severity; defaults to asking the user.
    #[serde(default = "OwnRule::asks", deserialize_with = "severity")]
    pub severity: Severity,
    /// Description of such a command, as the end of a sentence that begins with the command.
    #[serde(default)]
    pub why: Option<String>,
    /// Alternative to such a command.
    #[serde(default)]
    pub instead: Option<String>,
}

impl OwnRule {
    fn asks() -> Severity {
        Severity::Ask
    }
}

fn severity<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "deny" => Ok(Severity::Deny),
        "ask" => Ok(Severity::Ask),
        other => {
            Err(serde::de::Error::custom(format!("unknown severity `{other}`, expected `deny` or `ask`")))
        }
    }
}

/// An exception: a command that no rule but those of self-protection is about, perhaps in one folder, perhaps for a time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allow {
    /// The command, as a shape.
    pub command: String,
    /// The folder that the agent works in, or one above it; `~/` is any home.
    #[serde(default, rename = "in")]
    pub folder: Option<String>,
    /// The last day on which it holds, as `2026-12-31`, UTC.
    #[serde(default)]
    pub until: Option<String>,
    /// The codes that it is an exception from; without any from all.
    #[serde(default)]
    pub codes: Vec<String>,
}

impl Config {
    /// The profile, if it is a name as `[confine.NAME]` has it.
    pub(super) fn profile(&self) -> Result<String, String> {
        let name = &self.confine_profile;
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let is_name = (1..=64).contains(&name.len()) && !name.starts_with('-') && name.chars().all(allowed);
        is_name.then(|| name.clone()).ok_or_else(|| {
            "`confine-profile` must be the name of a profile: 1 to 64 letters, digits, `.`, `_` and `-`"
                .to_owned()
        })
    }

    /// Returns the user's rules, in either form.
    pub(super) fn own_rules(&self) -> Result<Vec<OwnRule>, String> {
        let short = |list: &[String], severity| -> Vec<OwnRule> {
            let rule =
                |command: &String| OwnRule { command: command.clone(), severity, why: None, instead: None };
            list.iter().map(rule).collect()
        };
        let mut rules = short(&self.commands.deny, Severity::Deny);
        rules.extend(short(&self.commands.ask, Severity::Ask));
        for rule in &rules {
            checked_shape("`commands`", &rule.command)?;
        }
        for rule in &self.rules {
            checked_shape("`rules`", &rule.command)?;
        }
        rules.extend(self.rules.iter().cloned());
        Ok(rules)
    }
}
