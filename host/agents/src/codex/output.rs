//! Fields of an answer to Codex, by event. Codex ignores a whole answer that has an additional field (docs/reference/agents/codex.md).

use hookbox_model::{EventName, RawObject};

use super::events::{self, CodexControl, CodexEvent};

/// Fields of every answer.
const UNIVERSAL: &[&str] = &["continue", "stopReason", "suppressOutput", "systemMessage"];
/// Fields of the decision about a permission.
const BEHAVIOR: &[&str] = &["behavior", "updatedInput", "updatedPermissions", "message", "interrupt"];

/// An object of an answer, with only the fields that it may have.
pub(super) struct CodexFields<'a>(RawObject<'a>);

/// Parses the answer itself.
pub(super) fn parse_top<'a>(row: &CodexEvent, text: &'a str) -> Result<CodexFields<'a>, String> {
    let decides: &[&str] = if matches!(row.answer.control, CodexControl::Permission | CodexControl::Block) {
        &["decision", "reason"]
    } else {
        &[]
    };
    let nested: &[&str] = if nested_fields(row).is_empty() { &[] } else { &["hookSpecificOutput"] };
    CodexFields::parse("the answer", text, &[UNIVERSAL, decides, nested])
}

/// Returns the nested part for this event, if there is one. Codex accepts the name of another event in it.
pub(super) fn parse_nested<'a>(
    row: &CodexEvent,
    top: &CodexFields<'a>,
) -> Result<Option<CodexFields<'a>>, String> {
    let Some(text) = top.raw("hookSpecificOutput") else { return Ok(None) };
    let fields = nested_fields(row);
    let nested = CodexFields::parse("hookSpecificOutput", text, &[&["hookEventName"], &fields])?;
    match nested.text("hookEventName")?.as_deref() {
        // The name is an enum in Codex's schema: another event's name parses, an unknown one does not.
        Some(name) if events::find_row(name).is_some() => Ok(Some(nested)),
        _ => Err(format!("`hookSpecificOutput.hookEventName` must name an event: `{}`", row.name)),
    }
}

/// Returns the decision about a permission, if the nested part has one.
pub(super) fn parse_behavior<'a>(nested: &CodexFields<'a>) -> Result<Option<CodexFields<'a>>, String> {
    nested.raw("decision").map(|text| CodexFields::parse("decision", text, &[BEHAVIOR])).transpose()
}

fn nested_fields(row: &CodexEvent) -> Vec<&'static str> {
    let own: &[&str] = match (row.answer.control, &row.canonical) {
        (CodexControl::Permission, _) => &["permissionDecision", "permissionDecisionReason", "updatedInput"],
        (CodexControl::Behavior, _) => &["decision"],
        // The name is known, but no value is accepted.
        (_, EventName::ToolAfter) => &["updatedMCPToolOutput"],
        _ => &[],
    };
    let context = row.answer.context.then_some("additionalContext");
    own.iter().copied().chain(context).collect()
}

impl<'a> CodexFields<'a> {
    fn parse(what: &str, text: &'a str, known: &[&[&str]]) -> Result<Self, String> {
        let members =
            RawObject::parse(text).map_err(|error| format!("{what} is not a JSON object: {error}"))?;
        let unknown =
            members.iter().map(|(key, _)| key).find(|key| !known.iter().any(|set| set.contains(key)));
        match unknown {
            Some(key) => Err(format!("{what} has the field {key:?}, which Codex does not know")),
            None => Ok(Self(members)),
        }
    }

    /// Returns a value that is not `null`.
    pub(super) fn raw(&self, key: &str) -> Option<&'a str> {
        // serde reads `null` of an `Option` as absent.
        self.0.get_present(key)
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, String> {
        match (self.raw(key), self.0.get_string(key)) {
            (None, _) => Ok(None),
            (_, Some(text)) => Ok(Some(text)),
            _ => Err(format!("`{key}` must be a string")),
        }
    }

    /// Returns a string that is not blank, trimmed.
    pub(super) fn trimmed_text(&self, key: &str) -> Result<Option<String>, String> {
        Ok(self.text(key)?.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
    }

    /// Returns a `true` or `false`; not `null`.
    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, String> {
        match self.0.get(key).map(serde_json::value::RawValue::get) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            // These fields have a default and are not optional in Codex, so `null` is a type error.
            Some(_) => Err(format!("`{key}` must be `true` or `false`")),
        }
    }
}
