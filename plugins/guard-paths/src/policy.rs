//! The configuration, and the user's patterns.

use fast_glob::glob_match;
use protected_places::home_patterns;
use serde::Deserialize;
use shell_commands::Budget;

use crate::path::{FilePath, fold, is};

/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 1024;

/// The settings as they are written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Files that are neither read nor written.
    pub deny: Vec<String>,
    /// Files that are read only.
    pub deny_write: Vec<String>,
    /// Files that the user is asked about.
    pub ask: Vec<String>,
    /// Files that the built-in list does not protect.
    pub allow: Vec<String>,
    /// True if the built-in list applies.
    pub defaults: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { deny: Vec::new(), deny_write: Vec::new(), ask: Vec::new(), allow: Vec::new(), defaults: true }
    }
}

/// The settings, checked.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) deny: Patterns,
    pub(crate) deny_write: Patterns,
    pub(crate) ask: Patterns,
    pub(crate) allow: Patterns,
    pub(crate) defaults: bool,
    /// Shared by all command lines that are judged; each has its own without.
    budget: Option<Budget>,
}

impl Policy {
    /// Checks the settings. A pattern that can not match what it seems to mean is an error.
    pub fn new(config: &Config) -> Result<Self, String> {
        Ok(Self {
            deny: Patterns::new("deny", &config.deny)?,
            deny_write: Patterns::new("deny-write", &config.deny_write)?,
            ask: Patterns::new("ask", &config.ask)?,
            allow: Patterns::new("allow", &config.allow)?,
            defaults: config.defaults,
            budget: None,
        })
    }

    /// The same for all command lines of one event, which share what they may take.
    #[must_use]
    pub fn of_one_event(mut self) -> Self {
        self.budget = Some(Budget::of_a_plugin());
        self
    }

    /// What is left for a command line.
    pub(crate) fn budget(&self) -> Budget {
        self.budget.clone().unwrap_or_else(Budget::of_a_plugin)
    }
}

/// Patterns of one list.
#[derive(Clone, Debug)]
pub(crate) struct Patterns(Vec<Pattern>);

#[derive(Clone, Debug)]
struct Pattern {
    written: String,
    globs: Vec<String>,
}

impl Patterns {
    fn new(list: &str, patterns: &[String]) -> Result<Self, String> {
        let read = |pattern: &String| {
            let globs = globs(pattern).map_err(|why| format!("`{list}`: the pattern `{pattern}` {why}"))?;
            Ok(Pattern { written: pattern.clone(), globs })
        };
        patterns.iter().map(read).collect::<Result<_, String>>().map(Self)
    }

    /// The first pattern that a path matches, as it was written.
    pub(crate) fn find(&self, path: &FilePath) -> Option<&str> {
        let text = path.text();
        // `secrets/**` means the folder, too.
        let folder = format!("{text}/");
        let hit = |glob: &String| {
            glob_match(glob, &text)
                || glob_match(glob, &folder)
                || (path.is_pattern() && may_reach(glob, path.parts()))
        };
        self.0.iter().find(|pattern| pattern.globs.iter().any(hit)).map(|pattern| pattern.written.as_str())
    }
}

/// Returns true if a path with shell patterns may match a glob. A component that is a pattern in both names no file in
/// particular.
fn may_reach(glob: &str, parts: &[String]) -> bool {
    let wanted: Vec<&str> = glob.split('/').filter(|part| !part.is_empty()).collect();
    let mut reached = vec![false; wanted.len() + 1];
    reached.splice(..1, [true]);
    for count in 0..=parts.len() {
        // `**` may stand for nothing.
        for at in 0..wanted.len() {
            if wanted.get(at) == Some(&"**") && reached.get(at) == Some(&true) {
                reached.splice(at + 1..at + 2, [true]);
            }
        }
        let Some(part) = parts.get(count) else { break };
        let step = |at: usize| {
            let stays = wanted.get(at) == Some(&"**") && reached.get(at) == Some(&true);
            let before = at.checked_sub(1).filter(|before| reached.get(*before) == Some(&true));
            let comes = before.and_then(|before| wanted.get(before));
            stays || comes.is_some_and(|wanted| is(part, wanted) || glob_match(wanted, part))
        };
        reached = (0..=wanted.len()).map(step).collect();
    }
    reached.last() == Some(&true)
}

/// The globs over whole paths that a pattern means.
fn globs(pattern: &str) -> Result<Vec<String>, &'static str> {
    if pattern.trim().is_empty() {
        return Err("is empty");
    }
    if pattern.len() > MAX_PATTERN {
        return Err("is longer than 1024 bytes");
    }
    if pattern.starts_with('!') {
        return Err("begins with `!`; write the exception into `allow`");
    }
    if pattern.split('/').any(|part| part == "..") {
        return Err("contains `..`, and no normalised path does");
    }
    check_brackets(pattern)?;
    let folded: Vec<String> = pattern.split('/').filter(|part| *part != ".").map(fold).collect();
    let folded = folded.join("/");
    let mut roots = Vec::new();
    if let Some(below) = folded.strip_prefix("~/") {
        // The sandbox does not know its user.
        roots.extend(home_patterns().map(|home| format!("{home}/{below}")));
    } else if folded.starts_with('/') {
        roots.push(folded);
    } else {
        roots.push(format!("/**/{}", folded.trim_start_matches("**/")));
    }
    Ok(roots.into_iter().map(|glob| if glob.ends_with('/') { format!("{glob}**") } else { glob }).collect())
}

fn check_brackets(pattern: &str) -> Result<(), &'static str> {
    let (mut set, mut braces) = (false, 0usize);
    for c in pattern.chars() {
        match c {
            '[' => set = true,
            ']' => set = false,
            '{' if !set => braces += 1,
            '}' if !set && braces == 0 => return Err("closes a brace that is not open"),
            '}' if !set => braces -= 1,
            '\\' => return Err("contains a backslash; components are separated by `/`"),
            _ => {}
        }
    }
    match (set, braces) {
        (true, _) => Err("does not close a `[`"),
        (_, 0) => Ok(()),
        _ => Err("does not close a `{`"),
    }
}
