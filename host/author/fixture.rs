//! Fixtures, `tests/NAME.json`: an event, the hook's environment, and the expected answer.

mod answer;
mod hook_inputs;
mod recorded_answers;
mod update;

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hookbox::{
    MAX_EVENT_BYTES, Request,
    agents::{self, ReadContext},
    model::{Event, Json},
};
use hookbox_platform::file;
use serde::Deserialize;
use serde_json::value::RawValue;

pub(crate) use self::{answer::to_json, recorded_answers::Records};
use crate::{exit::Fault, printer::to_plain_line};

/// The folder of fixtures next to `plugin.toml`.
pub(crate) const FOLDER: &str = "tests";

/// Extension of their files.
const END: &str = "json";

/// Maximum number of fixtures of a plugin.
const MAX_FIXTURES: usize = 10_000;

/// Defaults of an event, equal on every machine and every day: 2026-01-01.
const TIME: u64 = 1_767_225_600_000;
const SESSION: &str = "test";
const CWD: &str = "/project";

pub(crate) struct Fixture {
    /// The file's name without its extension.
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    text: String,
    /// Reason why the file could not be read, if so.
    unread: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct FixtureContent<'a> {
    /// The agent in whose format the event is.
    agent: Option<String>,
    #[serde(borrow)]
    event: &'a RawValue,
    #[serde(borrow)]
    config: Option<&'a RawValue>,
    grant: Option<toml::Table>,
    #[serde(default)]
    kv: BTreeMap<String, BTreeMap<String, String>>,
    /// Variables of the machine, for hooks with a grant for them.
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    http: Vec<recorded_answers::Record>,
    #[serde(borrow)]
    answer: Option<&'a RawValue>,
    /// Expected error, in place of an answer.
    pub(crate) error: Option<String>,
    pub(crate) log: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) budget: ResourceBudget,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ResourceBudget {
    pub(crate) fuel: Option<u64>,
    /// Bytes.
    pub(crate) memory: Option<u64>,
    pub(crate) host_calls: Option<u64>,
}

/// Reason why a fixture cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FixtureError {
    /// Line from 1; 0 if the problem has no place.
    line: usize,
    column: usize,
    message: String,
}

impl FixtureError {
    /// `tests/NAME.json:3:5: why`
    pub(crate) fn to_message(&self, name: &str) -> String {
        let Self { line, column, message } = self;
        let place = if *line == 0 { String::new() } else { format!(":{line}:{column}") };
        format!("{FOLDER}/{name}.{END}{place}: {}", to_plain_line(message))
    }

    pub(crate) fn without_place(message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, message: message.into() }
    }
}

/// Moves the place from the end of the message to its beginning.
impl From<serde_json::Error> for FixtureError {
    fn from(error: serde_json::Error) -> Self {
        let json_error = error.to_string();
        let end = format!(" at line {} column {}", error.line(), error.column());
        let message = json_error.strip_suffix(&end).unwrap_or(&json_error).to_owned();
        Self { line: error.line(), column: error.column().max(1), message }
    }
}

impl Fixture {
    /// Reads the fixtures with these names in this folder; all if no name is passed.
    pub(crate) fn read_all(folder: &Path, names: &[String]) -> Result<Vec<Self>, Fault> {
        let there = list_names(folder)?;
        let name = |name: &String| name.strip_suffix(&format!(".{END}")).unwrap_or(name).to_owned();
        let wanted: Vec<_> = if names.is_empty() { there.clone() } else { names.iter().map(name).collect() };
        if wanted.is_empty() {
            let help = "with the event and `\"answer\": {}`; `--update` then writes the answer";
            return Err(Fault::Usage(format!(
                "no fixture was found: create {}/NAME.{END} {help}",
                folder.display()
            )));
        }
        if let Some(missing) = wanted.iter().find(|name| !there.contains(name)) {
            let known = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
            let missing = to_plain_line(missing);
            return Err(Fault::Usage(format!(
                "unknown fixture {missing} in {}; known: {known}",
                folder.display()
            )));
        }
        Ok(wanted.into_iter().map(|name| Self::read_file(folder, name)).collect())
    }

    /// Reads a fixture. A read error is reported when the fixture is run, so that the others still run.
    fn read_file(folder: &Path, name: String) -> Self {
        let file = folder.join(format!("{name}.{END}"));
        let mut text = Vec::new();
        let read = file::open(&file).and_then(|file| {
            // Twice the length of an event, for the other members.
            file.take(2 * MAX_EVENT_BYTES as u64).read_to_end(&mut text)
        });
        let unread = read.err().map(|error| why_unread(&error));
        Self { name, file, text: String::from_utf8_lossy(&text).into_owned(), unread }
    }

    pub(crate) fn parse_content(&self) -> Result<FixtureContent<'_>, FixtureError> {
        if let Some(why) = &self.unread {
            return Err(FixtureError::without_place(why));
        }
        // serde first: its errors have a line and a column.
        let content = serde_json::from_str(&self.text)?;
        // Rejects duplicate keys and too deep nesting.
        Json::parse_object(&self.text).map_err(|error| FixtureError::without_place(error.to_string()))?;
        Ok(content)
    }

    /// Reads the file again.
    pub(crate) fn again(&self) -> Self {
        Self::read_file(self.file.parent().unwrap_or(Path::new("")), self.name.clone())
    }

    /// Returns a problem with a part of the fixture, at the position of that part.
    pub(crate) fn broken_at(&self, part: &RawValue, message: impl Into<String>) -> FixtureError {
        // `part` borrows from the text, so the distance of their addresses is its position.
        let at = part.get().as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..at).unwrap_or_default();
        let (line, column) =
            (before.matches('\n').count() + 1, before.rsplit('\n').next().map_or(0, str::len) + 1);
        FixtureError { line, column, message: message.into() }
    }
}

impl FixtureContent<'_> {
    /// Returns the event, read as `hookbox run` reads it.
    pub(crate) fn parse_event(&self, fixture: &Fixture) -> Result<Event, FixtureError> {
        let agent = self.agent.as_deref().unwrap_or("native");
        let dialect = agents::find_dialect(agent).ok_or_else(|| {
            let known: Vec<_> = agents::all_dialects().iter().map(|dialect| dialect.name()).collect();
            FixtureError::without_place(format!(
                "`agent` is {agent:?}, which is not an agent; write one of {}",
                known.join(", ")
            ))
        })?;
        let arrival = ReadContext { id: fixture.name.clone(), time: TIME, cwd: CWD.to_owned() };
        let read = Request::parse_input(Some(dialect), self.event.get().as_bytes().to_vec(), &arrival);
        let mut event = read
            .map_err(|unread| fixture.broken_at(self.event, format!("`event`: {}", unread.message)))?
            .event;
        if event.session.is_empty() {
            SESSION.clone_into(&mut event.session);
        }
        Ok(event)
    }

    /// Returns the recorded answers of servers.
    pub(crate) fn records(&self) -> Records {
        Records::new(self.http.clone())
    }

    pub(crate) fn parse_config(&self, fixture: &Fixture) -> Result<Json, FixtureError> {
        let Some(config) = self.config else { return Ok(Json::empty_object()) };
        Json::parse_object(config.get())
            .map_err(|error| fixture.broken_at(config, format!("`config`: {error}")))
    }

    /// Returns the expected answer, in its canonical form.
    pub(crate) fn parse_answer(&self, fixture: &Fixture) -> Result<Option<serde_json::Value>, FixtureError> {
        let Some(answer) = self.answer else { return Ok(None) };
        let read = agents::native::parse_answer(answer.get());
        let read = read.map_err(|error| fixture.broken_at(answer, format!("`answer`: {error}")))?;
        Ok(Some(to_json(&read)))
    }
}

fn why_unread(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => {
            format!("it is a folder, and a fixture is a file; give it a name that does not end in `.{END}`")
        }
        _ => format!("it cannot be read: {error}"),
    }
}

fn list_names(folder: &Path) -> Result<Vec<String>, Fault> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(describe_read_error(folder, &error)),
    };
    let name = |path: PathBuf| {
        let is_fixture = path.extension().is_some_and(|end| end == END);
        path.file_stem().filter(|_| is_fixture)?.to_str().map(str::to_owned)
    };
    let mut names = Vec::new();
    for entry in entries.take(MAX_FIXTURES) {
        // An entry that cannot be read would be a fixture that is silently skipped.
        let entry = entry.map_err(|error| describe_read_error(folder, &error))?;
        names.extend(name(entry.path()).filter(|name| !name.starts_with('.')));
    }
    names.sort();
    Ok(names)
}

fn describe_read_error(folder: &Path, error: &io::Error) -> Fault {
    Fault::Usage(format!("cannot read {}: {error}", folder.display()))
}
