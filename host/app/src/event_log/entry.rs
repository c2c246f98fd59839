//! One event in the log. Secrets are removed before texts are shortened, since half of a secret reveals a lot.

use hookbox::{
    model::{
        Answer, Event, FailureCode, HookReport, Layer, OneLine, Outcome, Reason, Role, Status, TrustLevel,
        Verdict, bounded_text,
    },
    redaction::{REDACTED, Secrets, names_secret, redact_tokens},
};
use serde::{Deserialize, Serialize};

use super::arguments::{call_digest, clean_texts};

/// Longest line, bytes.
pub(super) const MAX_LINE: usize = 4 << 10;
/// Maximum length of a text in which secrets are searched, bytes; the rest is dropped.
const MAX_LOOKED_AT: usize = 16 << 10;
/// Characters of a session's id that are logged.
const SESSION_CHARS: usize = 8;
/// Longest name of a tool or an event, characters.
const NAME_CHARS: usize = 64;
/// Longest path of a project, characters.
const FOLDER_CHARS: usize = 250;

/// Log entry of one event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Milliseconds since the Unix epoch.
    #[serde(rename = "time_ms")]
    pub time: u64,
    /// The agent.
    pub agent: String,
    /// The beginning of its session's id.
    pub session: String,
    /// The event's canonical name.
    pub event: String,
    /// The agent's name for the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Short description of the call: the command, or the paths.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// The folder of the project.
    pub project: String,
    /// The folder that the agent worked in, if it differs from the project's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The final verdict.
    pub verdict: String,
    /// Answers of the hooks that have something to report.
    pub hooks: Vec<LoggedAnswer>,
    /// Digest of the call ([`call_digest`]), if it was denied or asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The call's arguments, as JSON without secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// True if the arguments are not complete.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
    /// The hooks that were skipped, since the user had allowed this call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<HookName>,
}

/// Name of a hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookName {
    /// Layer in which it is configured: `managed`, `user`, `project`, `session`.
    pub layer: String,
    /// Its name in that layer.
    pub name: String,
}

/// Answer of one hook.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedAnswer {
    /// The hook.
    #[serde(flatten)]
    pub hook: HookName,
    /// True if the hook is unreviewed; its texts are untrusted then.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unreviewed: bool,
    /// Its verdict: that of its answer, or that of its `on-failure`.
    pub verdict: String,
    /// The code of its reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Its reason, or another text of the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Its failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Its log lines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
}

impl Entry {
    /// Returns true if the call was denied or asked about.
    pub fn is_stopped(&self) -> bool {
        is_stop(&self.verdict)
    }
}

impl LoggedAnswer {
    /// Returns true if the hook denied or asked.
    pub fn is_stop(&self) -> bool {
        is_stop(&self.verdict)
    }
}

fn is_stop(verdict: &str) -> bool {
    ["deny", "ask"].contains(&verdict)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Returns true if a hook answered or logged something. Log lines of untrusted hooks are not enough: they could displace other
/// hooks' answers.
pub(crate) fn is_worth_logging(outcome: &Outcome) -> bool {
    outcome
        .reports
        .iter()
        .any(|report| has_content(report) || (is_reviewed(report) && !report.log.is_empty()))
}

fn is_reviewed(report: &HookReport) -> bool {
    report.trust_level != TrustLevel::Untrusted
}

/// Returns true if the hook has something to report other than its log.
fn has_content(report: &HookReport) -> bool {
    match &report.status {
        Status::Answered(answer) => has_effect(answer) || !report.refused.is_empty(),
        // A tripped untrusted hook was reported when it tripped.
        Status::Failed(failure) => is_reviewed(report) || failure.code != FailureCode::Tripped,
        Status::Skipped => false,
    }
}

fn has_effect(answer: &Answer) -> bool {
    let Answer { verdict, rewrite, confine, context, notice, stop, .. } = answer;
    let has_text = context.is_some() || notice.is_some() || stop.is_some();
    *verdict != Verdict::None || rewrite.is_some() || confine.is_some() || has_text
}

/// An event, its outcome, and the secrets that must not be logged.
pub(crate) struct LoggedEvent<'a> {
    pub(crate) event: &'a Event,
    pub(crate) outcome: &'a Outcome,
    pub(crate) project: &'a str,
    pub(crate) allowed: &'a [HookName],
    pub(crate) secrets: &'a Secrets,
    /// Time of arrival, in milliseconds since the Unix epoch: an agent may state another time.
    pub(crate) now: u64,
}

/// Limits of the parts of an entry: characters, and numbers of items.
#[derive(Clone, Copy)]
struct TextLimits {
    what: usize,
    text: usize,
    lines: usize,
    hooks: usize,
    arguments: usize,
}

/// Limits from largest to smallest; the first that makes the line short enough is used.
const ROOMS: [TextLimits; 5] = [
    TextLimits { what: 200, text: 400, lines: 5, hooks: 16, arguments: 2_400 },
    TextLimits { what: 200, text: 200, lines: 2, hooks: 8, arguments: 1_600 },
    TextLimits { what: 120, text: 100, lines: 1, hooks: 4, arguments: 600 },
    TextLimits { what: 60, text: 60, lines: 0, hooks: 2, arguments: 0 },
    TextLimits { what: 0, text: 0, lines: 0, hooks: 1, arguments: 0 },
];

impl LoggedEvent<'_> {
    /// Returns the line of the log, with its line break.
    pub(crate) fn line(&self) -> Option<String> {
        let lines = ROOMS.iter().filter_map(|room| serde_json::to_string(&self.to_entry(*room)).ok());
        lines.map(|line| line + "\n").find(|line| line.len() <= MAX_LINE)
    }

    fn to_entry(&self, room: TextLimits) -> Entry {
        let Self { event, outcome, project, allowed, now, .. } = self;
        let logged = outcome.reports.iter().filter(|report| has_content(report) || !report.log.is_empty());
        let verdict = if outcome.confine.is_empty() {
            outcome.verdict.as_str()
        } else {
            with_confine(&outcome.verdict)
        };
        let mut entry = Entry {
            time: *now,
            agent: self.clean_text(&event.agent, NAME_CHARS),
            session: self.clean_text(&event.session, SESSION_CHARS),
            event: self.clean_text(event.name.as_str(), NAME_CHARS),
            tool: event.tool.as_ref().map(|tool| self.escape_name(&tool.name, NAME_CHARS)),
            what: self.clean_text(&describe_call(event), room.what),
            project: self.escape_name(project, FOLDER_CHARS),
            cwd: (event.cwd != *project).then(|| self.escape_name(&event.cwd, FOLDER_CHARS)),
            verdict: verdict.to_owned(),
            hooks: logged.map(|report| self.describe_report(report, room)).take(room.hooks).collect(),
            call: None,
            arguments: None,
            cut: false,
            allowed: allowed.to_vec(),
        };
        if entry.is_stopped() && event.tool.is_some() {
            entry.call = call_digest(event, project);
            (entry.arguments, entry.cut) = self.clean_arguments(room.arguments);
        }
        entry
    }

    /// Returns the arguments, and true if some were left out.
    fn clean_arguments(&self, most: usize) -> (Option<String>, bool) {
        let Some(tool) = &self.event.tool else { return (None, false) };
        // Arguments that are cut are not JSON any more, and cannot be reviewed.
        if tool.input.as_str().len() > MAX_LOOKED_AT {
            return (None, true);
        }
        let clean = |name: &str, text: &str| {
            if names_secret(name) { REDACTED.to_owned() } else { self.redact_secrets(text) }
        };
        let arguments = clean_texts(tool.input.to_value(), "", &clean).to_string();
        if arguments.chars().count() > most { (None, true) } else { (Some(arguments), false) }
    }

    fn describe_report(&self, report: &HookReport, room: TextLimits) -> LoggedAnswer {
        let theirs = report.unreviewed.as_ref();
        let unreviewed = !is_reviewed(report);
        // An untrusted hook must not fill the line: the answers of other hooks would be shortened for it.
        let (lines, text) =
            if unreviewed { (room.lines.min(1), room.text / 2) } else { (room.lines, room.text) };
        let (verdict, reason) = decided_verdict(report);
        let texts = collect_texts(theirs.map_or(&report.status, |theirs| &theirs.status), reason);
        let name = theirs.map_or(&report.hook, |theirs| &theirs.name);
        let log = report.log.iter().take(lines);
        LoggedAnswer {
            hook: HookName {
                layer: report.layer.as_str().to_owned(),
                name: self.clean_text(name, NAME_CHARS),
            },
            unreviewed,
            verdict: verdict.to_owned(),
            code: texts.code.map(|code| self.clean_text(&code, NAME_CHARS)),
            text: self.clean_text(&texts.text, text),
            failure: texts.failure.map(|failure| self.clean_text(&failure, text)),
            log: log
                .map(|line| self.clean_text(&format!("{}: {}", line.level, line.message), text / 2))
                .collect(),
        }
    }

    /// Returns at most `most` visible characters of the text, without secrets.
    fn clean_text(&self, text: &str, most: usize) -> String {
        cut_text(bounded_text(&self.redact_secrets(truncate_text(text))), most)
    }

    /// Returns at most `most` characters of the name, without secrets. Invisible characters are escaped, since without them it would be
    /// another tool's or folder's name.
    fn escape_name(&self, name: &str, most: usize) -> String {
        cut_text(OneLine(&self.redact_secrets(truncate_text(name))).to_string(), most)
    }

    fn redact_secrets(&self, text: &str) -> String {
        redact_tokens(&self.secrets.redact_text(text))
    }
}

/// Returns the beginning of a text, at most `MAX_LOOKED_AT` bytes. A word that would be cut is left out: half a secret is not
/// recognized as one.
fn truncate_text(text: &str) -> &str {
    if text.len() <= MAX_LOOKED_AT {
        return text;
    }
    let end = text.floor_char_boundary(MAX_LOOKED_AT);
    let cut = text.get(..end).unwrap_or_default();
    cut.rfind(char::is_whitespace).and_then(|at| cut.get(..at)).unwrap_or_default()
}

/// Cuts a text visibly at `most` characters.
fn cut_text(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// Describes the call: its command, else its paths, else an empty text.
fn describe_call(event: &Event) -> String {
    let Some(tool) = &event.tool else { return String::new() };
    match (&tool.command, tool.paths.as_slice()) {
        (Some(command), _) => truncate_text(command).to_owned(),
        (None, [path]) => path.clone(),
        (None, [path, rest @ ..]) => format!("{path} and {} more", rest.len()),
        (None, []) => String::new(),
    }
}

/// Returns a hook's verdict, with the reason if the hook answered: that of the answer, or that of `on-failure`.
fn decided_verdict(report: &HookReport) -> (&'static str, Option<&Reason>) {
    let has_verdict = report.role != Role::Observe;
    match &report.status {
        Status::Answered(answer) if has_verdict && answer.confine.is_some() => {
            (with_confine(&answer.verdict), answer.verdict.reason())
        }
        Status::Answered(answer) if has_verdict => (answer.verdict.as_str(), answer.verdict.reason()),
        Status::Failed(_) if has_verdict && report.on_failure.as_str() != "allow" => {
            (report.on_failure.as_str(), None)
        }
        _ => (Verdict::None.as_str(), None),
    }
}

/// Returns `confine` for a command that runs confined, unless the verdict is stronger.
fn with_confine(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::None | Verdict::Allow(_) => "confine",
        stronger => stronger.as_str(),
    }
}

#[derive(Default)]
struct AnswerTexts {
    code: Option<String>,
    text: String,
    failure: Option<String>,
}

fn collect_texts(status: &Status, ours: Option<&Reason>) -> AnswerTexts {
    let answer = match status {
        Status::Failed(failure) => {
            return AnswerTexts { failure: Some(failure.to_string()), ..AnswerTexts::default() };
        }
        Status::Skipped => return AnswerTexts::default(),
        Status::Answered(answer) => answer,
    };
    let reason = answer.verdict.reason().or(ours);
    let other = || {
        let texts = [&answer.stop, &answer.notice, &answer.context];
        texts
            .into_iter()
            .flatten()
            .next()
            .cloned()
            .or(answer.confine.as_ref().map(|profile| format!("by the profile `{profile}`")))
            .or(answer.rewrite.as_ref().map(|_| "rewritten".to_owned()))
    };
    AnswerTexts {
        code: reason.map(Reason::code).filter(|code| *code != Reason::NO_CODE).map(str::to_owned),
        text: reason.map(|reason| reason.text().to_owned()).or_else(other).unwrap_or_default(),
        failure: None,
    }
}

impl HookName {
    /// Returns true if this is the name of the hook.
    pub fn matches_hook(&self, layer: Layer, name: &str) -> bool {
        (self.layer.as_str(), self.name.as_str()) == (layer.as_str(), name)
    }
}
