//! Converts an agent's own hook file to hookbox's configuration.
//!
//! Every hook keeps its agent's contract (`speaks`), its matcher, its timeout and the effect of its failure. A hook
//! that cannot be expressed exactly becomes a comment and is reported: with more events, or fewer, it would be a
//! different hook.

mod entry;
mod name;
mod words;

use std::collections::HashSet;

use hookbox_model::{Layer, TrustLevel};

use self::{
    entry::{Entry, Switch},
    name::Names,
};
use crate::{
    HookSpec,
    agents::{self, Dialect},
    config,
    hookfile::{Loaded, Problem, Severity, Source},
};

/// Reason for leaving out a duplicate hook.
const TWIN: &str = "it does the same as a hook before it, and hookbox calls that once";

/// Differences that apply to the hooks of every agent.
const DIFFERENCES: [&str; 1] = ["a hook that fails five times in a row rests for a minute"];

/// An agent's hook file as hookbox's configuration.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Text of a `hooks.toml`, with the hooks that were not converted as comments.
    pub text: String,
    /// Count of its hooks.
    pub hooks: usize,
    /// Parts that were not converted, with the reason; a line each.
    pub lost: Vec<String>,
    /// Remarks about converted hooks: keys that only their agent uses, programs that may be missing; a line each.
    pub notes: Vec<String>,
    /// Differences of hookbox's chain that apply to all of its hooks; a line each.
    pub differences: Vec<String>,
    /// True if the file could not be read, so that its hooks are unknown.
    pub unreadable: bool,
}

/// Converts the agent's own file. `None` if hookbox does not know the agent's format.
pub fn convert_file(agent: &dyn Dialect, source: &Source) -> Option<Imported> {
    import_beside(agent, source, None)
}

/// Converts a file whose hooks may be switched off by a second file of the agent, `switches`, which is used for nothing
/// else.
pub fn import_beside(agent: &dyn Dialect, source: &Source, switches: Option<&Source>) -> Option<Imported> {
    let own = agent.hook_file()?;
    let loaded = match switches {
        Some(switches) => only_of(source, own.load_all(&[source.clone(), switches.clone()])),
        None => own.load(source),
    };
    let mut entries = collect_entries(agent, &loaded.hooks, Switch::On);
    entries.extend(self::collect_entries(agent, &loaded.disabled, Switch::Off));
    name_entries(&mut entries);
    let mut imported = Imported {
        lost: other_problems(&loaded, &entries),
        differences: own.differences().iter().chain(&DIFFERENCES).map(|line| (*line).to_owned()).collect(),
        unreadable: loaded.problems.iter().any(|problem| is_error(problem) && problem.file == source.file),
        ..Imported::default()
    };
    imported.text = format_head(agent, source, &imported);
    let (dialects, mut calls) = (Dialects::all_agents(), HashSet::new());
    for entry in &entries {
        imported.add_entry(entry, &dialects, &mut calls);
    }
    Some(imported)
}

/// Returns the hooks of this file, and the errors that keep the other file from being understood.
fn only_of(source: &Source, mut loaded: Loaded) -> Loaded {
    loaded.hooks.retain(|hook| hook.origin.file == source.file);
    loaded.disabled.retain(|hook| hook.origin.file == source.file);
    loaded.problems.retain(|problem| problem.file == source.file || is_error(problem));
    for problem in loaded.problems.iter_mut().filter(|problem| problem.file != source.file) {
        problem.message = format!("{}: {}", problem.place(), problem.message);
    }
    loaded
}

fn is_error(problem: &Problem) -> bool {
    problem.severity == Severity::Error
}

/// Returns the problems of the file, without those of a hook that is reported anyway.
fn other_problems(loaded: &Loaded, entries: &[Entry]) -> Vec<String> {
    let lost: Vec<_> = entries.iter().filter(|entry| entry.problem().is_some()).collect();
    let is_reported =
        |message: &str| lost.iter().any(|entry| message.starts_with(&format!("`{}", entry.place())));
    let messages = loaded.problems.iter().map(|problem| problem.message.as_str());
    messages.filter(|message| !is_reported(message)).map(words::one_line).collect()
}

/// Returns one entry for each of these hooks; the events of one hook are joined if its matcher means equal tools.
fn collect_entries(agent: &dyn Dialect, hooks: &[HookSpec], switch: Switch) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for hook in hooks {
        let Some(entry) = Entry::from_hook(agent, hook, switch) else { continue };
        match entries.last_mut().filter(|last| last.is_same(&entry)) {
            Some(last) => last.extend_events(&entry),
            None => entries.push(entry),
        }
    }
    entries
}

fn name_entries(entries: &mut [Entry]) {
    let mut names = Names::default();
    for entry in entries {
        names.name_entry(entry);
    }
}

impl Imported {
    /// Adds an entry, or a comment if the configuration's reader rejects it or treats it as a duplicate. `calls` are
    /// the entries so far.
    fn add_entry(&mut self, entry: &Entry, dialects: &Dialects, calls: &mut HashSet<String>) {
        let text = entry.text();
        let problem =
            entry.problem().or_else(|| text.as_deref().and_then(|text| dialects.first_problem(text)));
        let again =
            || text.as_deref().filter(|text| !calls.insert(without_name(text))).map(|_| TWIN.to_owned());
        let problem = problem.or_else(again);
        self.text.push('\n');
        match (text, problem) {
            (Some(text), None) => {
                self.text.extend(entry.description().map(|description| format!("# {description}\n")));
                for note in entry.notes() {
                    let note = words::one_line(&note);
                    self.text.extend(["# ", &note, "\n"]);
                    self.notes.push(note);
                }
                self.text.push_str(&text);
                self.hooks += 1;
            }
            (text, problem) => self.add_lost(entry, text.as_deref(), &problem.unwrap_or_default()),
        }
    }

    fn add_lost(&mut self, entry: &Entry, text: Option<&str>, problem: &str) {
        let lost = words::one_line(&format!("`{}`: {problem}", entry.place()));
        self.text.extend(["# Not carried over: ", &lost, "\n"]);
        for line in text.iter().flat_map(|text| text.lines()) {
            self.text.extend(["# ", line, "\n"]);
        }
        self.lost.push(lost);
    }
}

/// Returns the text of an entry without its name, which is unique in any case.
fn without_name(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("name = ")).collect()
}

/// Returns the head of the file, with its differences and losses.
fn format_head(agent: &dyn Dialect, source: &Source, imported: &Imported) -> String {
    let file = source.file.as_deref().map_or_else(String::new, |file| format!(", {}", file.display()));
    let mut head = format!("version = 1\n\n# The hooks of {}{}.\n", agent.name(), words::one_line(&file));
    for line in &imported.differences {
        head.extend(["# In hookbox's chain: ", line, ".\n"]);
    }
    for line in &imported.lost {
        head.extend(["# Not carried over: ", line, "\n"]);
    }
    head
}

/// Every agent's events, in the form that the configuration's reader takes.
struct Dialects(Vec<(&'static str, Vec<(&'static str, hookbox_model::EventName)>)>);

impl Dialects {
    fn all_agents() -> Self {
        Self(agents::all_dialects().iter().map(|dialect| (dialect.name(), dialect.events())).collect())
    }

    /// Returns the first error of this text as configuration.
    fn first_problem(&self, text: &str) -> Option<String> {
        let text = text.to_owned();
        let source = Source {
            layer: Layer::User,
            trust_level: TrustLevel::Own,
            file: None,
            root: None,
            plugins: crate::ShippedPlugins::default(),
            text,
        };
        let dialects: Vec<_> = self.0.iter().map(|(name, events)| (*name, events.as_slice())).collect();
        let problems = config::load(&source, &dialects).problems;
        let error = problems.into_iter().find(|problem| problem.severity == Severity::Error)?;
        Some(error.message)
    }
}
