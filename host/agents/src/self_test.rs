//! Self-test of an agent's entry: a tool call that a guard denies, in each agent's own format, and the interpretation of the entry's
//! answer. Shows whether the entry protects anything.

use hookbox_model::{Event, Json, Labelled, Outcome, Reason, Verdict};
use serde_json::Value;

use super::{Dialect, InvalidEvent, ReadContext, Written, agent_list};

/// Dangerous command of the sample event. It is never run.
pub const DANGEROUS: &str = "rm -rf /";
/// Harmless command that no hook has a reason to block.
pub const HARMLESS: &str = "ls";

/// Command and folder as they occur in the sample events.
const COMMANDS: [&str; 2] = ["rm -rf / --no-preserve-root", DANGEROUS];
const FOLDER: &str = "/home/dev/project";
/// Placeholder for the command during formatting.
const COMMAND: &str = "\u{FDD0}command\u{FDD0}";
/// Placeholder for a guard's reason.
const REASON_PLACEHOLDER: &str = "hookbox-rehearsal";
/// Placeholder for notices in addition to the reason.
const NOTICE_PLACEHOLDER: &str = "hookbox-notice";

/// Sample of an agent's event for a command that is about to run.
#[derive(Debug)]
pub struct SelfTest {
    /// The agent's name for the event.
    pub event: &'static str,
    input: &'static str,
    /// The variables that carry the event, if the agent passes events in variables.
    variables: Option<Variables>,
}

type Variables = fn(&Event) -> Vec<(String, String)>;

/// Input of an entry.
pub struct SelfTestInput {
    /// Standard input.
    pub input: String,
    /// Environment variables.
    pub variables: Vec<(String, String)>,
    dialect: &'static dyn Dialect,
    event: Event,
}

/// Meaning of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelfTestResult {
    /// The call is stopped, for this reason.
    Denied(String),
    /// The command is not denied.
    NotDenied,
}

/// Returns the sample of this agent, or `None`.
pub fn find_self_test(agent: &str) -> Option<&'static SelfTest> {
    agent_list::find_facts(agent)?.self_test
}

impl SelfTest {
    /// Creates a sample from this text, which has one of the commands above in the folder `/home/dev/project`.
    pub(crate) const fn new(event: &'static str, input: &'static str) -> Self {
        Self { event, input, variables: None }
    }

    /// Declares that the agent passes the event in variables.
    pub(crate) const fn in_variables(mut self, variables: Variables) -> Self {
        self.variables = Some(variables);
        self
    }

    /// Returns the members of the recorded event, in this folder.
    pub(crate) fn read_sample(&self, folder: &str) -> Option<serde_json::Map<String, Value>> {
        serde_json::from_str(&self.input.replace(FOLDER, &escape_text(folder))).ok()
    }

    /// Returns the event of this agent, with this command, in this folder.
    ///
    /// # Errors
    ///
    /// The folder's name cannot be represented in the event.
    pub fn build_event(
        &self,
        agent: &str,
        command: &str,
        folder: &str,
    ) -> Result<SelfTestInput, InvalidEvent> {
        let marked = COMMANDS.iter().fold(self.input.to_owned(), |text, known| text.replace(known, COMMAND));
        // The command last: it may be anything.
        let input = marked.replace(FOLDER, &escape_text(folder)).replace(COMMAND, &escape_text(command));
        let dialect = super::find_dialect(agent).ok_or_else(|| InvalidEvent {
            event: None,
            field: None,
            problem: format!("unknown agent {agent}"),
        })?;
        let event = dialect.read(Json::parse_object(&input)?, &ReadContext::default())?;
        let (input, variables) = match self.variables {
            Some(variables) => (String::new(), variables(&event)),
            None => (input, Vec::new()),
        };
        Ok(SelfTestInput { input, variables, dialect, event })
    }
}

impl SelfTestInput {
    /// Returns the event that the agent's dialect reads in the input.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Returns how the agent interprets this answer. The answer denies if it has all that hookbox writes for a deny; further members do not
    /// matter.
    pub fn interpret_answer(&self, answer: &Written) -> SelfTestResult {
        let ways = make_denials().map(|denial| self.dialect.write(&self.event, &denial));
        let reason =
            ways.iter().find_map(|wanted| find_reason(wanted, answer)).filter(|reason| !reason.is_empty());
        reason.map_or(SelfTestResult::NotDenied, SelfTestResult::Denied)
    }
}

fn escape_text(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned()
}

/// Returns a deny alone, and a deny with a notice: some agents have another form for the latter.
fn make_denials() -> [Outcome; 2] {
    let label = |text: &str| Labelled { hook: REASON_PLACEHOLDER.to_owned(), value: text.to_owned() };
    let reason = Reason::new(REASON_PLACEHOLDER, REASON_PLACEHOLDER);
    let reasons = vec![Labelled { hook: REASON_PLACEHOLDER.to_owned(), value: reason.clone() }];
    let alone = Outcome { verdict: Verdict::Deny(reason), reasons, ..Outcome::default() };
    let with_notice = Outcome { notices: vec![label(NOTICE_PLACEHOLDER)], ..alone.clone() };
    [alone, with_notice]
}

/// Returns the text in the place of the placeholder in `wanted`, if `answer` has everything else of `wanted`.
fn find_reason(wanted: &Written, answer: &Written) -> Option<String> {
    // For most agents the exit code is a part of the refusal.
    if wanted.exit != answer.exit {
        return None;
    }
    match parse_object(&wanted.stdout).filter(|_| wanted.stdout.contains(REASON_PLACEHOLDER)) {
        Some(wanted) => {
            let mut reason = String::new();
            has_members(&wanted, &parse_object(&answer.stdout)?, &mut reason).then_some(reason)
        }
        None if wanted.stderr.contains(REASON_PLACEHOLDER) => Some(answer.stderr.trim().to_owned()),
        None => Some(answer.stdout.trim().to_owned()),
    }
}

/// Returns the object in the text, or in its last line: agents accept progress lines before it.
fn parse_object(text: &str) -> Option<Value> {
    let parsed = |text: &str| serde_json::from_str(text).ok().filter(Value::is_object);
    parsed(text).or_else(|| parsed(text.trim_end().lines().next_back()?))
}

/// Returns true if `there` has all members that `wanted` has. Placeholders for the reason and for notices match any text.
fn has_members(wanted: &Value, there: &Value, reason: &mut String) -> bool {
    match (wanted, there) {
        (Value::Object(wanted), Value::Object(there)) => wanted
            .iter()
            .all(|(key, wanted)| there.get(key).is_some_and(|there| has_members(wanted, there, reason))),
        // A real guard gives its own reason, so any text matches the placeholder.
        (Value::String(wanted), Value::String(there)) if wanted.contains(REASON_PLACEHOLDER) => {
            there.clone_into(reason);
            true
        }
        (Value::String(wanted), Value::String(_)) if wanted.contains(NOTICE_PLACEHOLDER) => true,
        _ => wanted == there,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent_list::AGENTS;

    const FOLDER_OF_TEST: &str = "/tmp/it's \"here\"";

    #[test]
    fn every_agent_with_settings_has_a_self_test_that_passes_a_shell_command() {
        for facts in AGENTS {
            let Some(self_test) = facts.self_test else {
                assert!(facts.settings.is_none(), "{}", facts.name());
                continue;
            };
            for command in [DANGEROUS, HARMLESS] {
                let input = self_test.build_event(facts.name(), command, FOLDER_OF_TEST).unwrap();
                let tool = input.event.tool.as_ref().unwrap();
                assert_eq!(tool.class, hookbox_model::ToolClass::Shell, "{}", facts.name());
                assert_eq!(tool.command.as_deref(), Some(command), "{}", facts.name());
                assert!(input.event.name.traits().block, "{}", facts.name());
            }
        }
    }

    #[test]
    fn the_event_is_one_for_which_the_agent_gets_an_entry() {
        for facts in AGENTS {
            let Some((self_test, settings)) = facts.self_test.zip(facts.settings) else { continue };
            assert!(settings.usual.contains(&self_test.event), "{}", facts.name());
        }
    }

    #[test]
    fn a_self_test_recognizes_a_deny_with_its_reason_and_no_other_answer() {
        let reason = Reason::new("rm-root", "it removes /");
        let reasons = vec![Labelled { hook: "guard".to_owned(), value: reason.clone() }];
        let notices = vec![Labelled { hook: "other".to_owned(), value: "hello".to_owned() }];
        let deny = Outcome { verdict: Verdict::Deny(reason), reasons, notices, ..Outcome::default() };
        for facts in AGENTS {
            let Some(self_test) = facts.self_test else { continue };
            let input = self_test.build_event(facts.name(), DANGEROUS, "/").unwrap();
            let SelfTestResult::Denied(found_reason) =
                input.interpret_answer(&facts.dialect.write(&input.event, &deny))
            else {
                panic!("{}", facts.name())
            };
            assert!(
                found_reason.contains("guard: it removes / (rm-root)"),
                "{}: {found_reason}",
                facts.name()
            );
            let silent = facts.dialect.write(&input.event, &Outcome::default());
            assert_eq!(input.interpret_answer(&silent), SelfTestResult::NotDenied, "{}", facts.name());
            for stdout in ["", "{}", "guard: no", "[1]"] {
                let other = Written { stdout: stdout.to_owned(), ..Written::default() };
                assert_eq!(
                    input.interpret_answer(&other),
                    SelfTestResult::NotDenied,
                    "{}: {stdout}",
                    facts.name()
                );
            }
        }
    }
}
