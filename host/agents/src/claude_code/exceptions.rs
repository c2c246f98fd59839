//! Claude Code events with special answers, and the answer without an outcome.

use hookbox_model::Outcome;

use super::{
    events::{self, ClaudeControl},
    write,
};
use crate::{Part, Written, hook_output::HookOutput, object::Object, wording};

/// Writes the answer without an outcome. Exit code 2 blocks regardless of stdout, except for a permission request; where nothing can be
/// blocked, the user gets a message.
pub(super) fn write_failure(event: Option<&str>, message: &str) -> Written {
    let text = wording::format_failure(message);
    let (stdout, exit) = match event.and_then(events::find_row).map(|row| row.answer.control) {
        // A permission request does not look at exit code 2, and the user would be asked as if there were no
        // hook.
        Some(ClaudeControl::Behavior) => (behavior_deny(&text), 0),
        Some(ClaudeControl::Nothing | ClaudeControl::IgnoresAnswers) => {
            let mut top = Object::new();
            top.text("systemMessage", &text);
            (top.line(), 1)
        }
        // A path is expected here; `{}` would be one.
        Some(ClaudeControl::Path) => (String::new(), 2),
        _ => (Object::new().line(), 2),
    };
    Written { stdout, stderr: format!("{text}\n"), exit, unexpressed: Vec::new() }
}

pub(super) fn behavior_deny(message: &str) -> String {
    let (mut decision, mut nested, mut top) = (Object::new(), Object::new(), Object::new());
    decision.text("behavior", "deny").text("message", message);
    nested.text("hookEventName", "PermissionRequest").raw("decision", &decision.finish());
    top.raw("hookSpecificOutput", &nested.finish());
    top.line()
}

/// Writes the answer to an event that this table does not know: the universal fields, and a block in both possible ways.
pub(super) fn write_unknown(event: &str, outcome: &Outcome) -> Written {
    let mut output = HookOutput::new(event);
    if let Some(reason) = wording::format_refusal(outcome) {
        // The mechanism of an unknown event is unknown, so the block is written in the two ways that most
        // events read.
        output.top.text("decision", "block").text("reason", &reason);
        output.set_exit(2, &reason);
    }
    output.add_stop(outcome, true);
    output.top.text_if("systemMessage", wording::format_notices(outcome).as_deref());
    output.written.lose_all(outcome, &[Part::Context, Part::Rewrite, Part::Extra]);
    output.finish()
}

/// Writes the path of a worktree, which a hook supplies; otherwise the worktree is not created. Claude Code leaves the creation to its
/// hook, so an empty answer would be a failure without a reason.
pub(super) fn write_worktree(outcome: &Outcome) -> Written {
    let mut written = Written::default();
    written.lose_all(outcome, &[Part::Stop, Part::Context, Part::Notice, Part::Extra]);
    let part = outcome.rewrite.as_ref().and_then(|part| serde_json::from_str(part.as_str()).ok());
    // The agent would resolve a relative path in a folder of its own, and a line break would end the path
    // early.
    let path = part.filter(|path: &String| path.starts_with('/') && !path.contains(char::is_control));
    let refusal = match (wording::is_refusal(&outcome.verdict), wording::format_stop(outcome), path) {
        (true, ..) => wording::format_reasons(outcome),
        (_, Some(stop), _) => stop,
        (_, None, Some(path)) => {
            written.stdout = format!("{path}\n");
            return written;
        }
        (_, None, None) => {
            "no hook said where the worktree is; let one rewrite `path` to an absolute path, or take \
             WorktreeCreate out of the settings"
                .to_owned()
        }
    };
    written.exit = 2;
    written.stderr = format!("{refusal}\n");
    written
}

/// Writes the answer to an event whose answer is ignored, except for terminal sequences.
pub(super) fn write_ignored(event: &str, outcome: &Outcome) -> Written {
    let mut output = HookOutput::new(event);
    output
        .written
        .lose_all(outcome, &[Part::Deny, Part::Ask, Part::Stop, Part::Context, Part::Notice, Part::Rewrite]);
    for extra in &outcome.extras {
        let members = extra.value.members().unwrap_or_default();
        write::terminal_sequence(&members, &mut output);
        if members.iter().count() > 1 {
            output.written.lose_part(Part::Extra);
        }
    }
    output.finish()
}
