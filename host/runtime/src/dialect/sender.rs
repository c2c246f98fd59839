//! Who sent an input with `hook_event_name`? Several agents copied Claude Code's shape, and an answer in the wrong
//! dialect is an answer that the agent ignores, so whoever is not known for sure is nobody.

use hookbox_model::RawObject;

use super::{claude_code, cursor, gemini_cli};

/// An agent that hookbox speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sender {
    ClaudeCode,
    Codex,
    GeminiCli,
    Llxprt,
}

/// The first rule that applies decides, unless it is Cursor, which says so:
///
/// 1. The transcript is in the agent's own folder.
/// 2. The transcript is Codex's by its name: a file `rollout-…`.
/// 3. The event's name is Gemini CLI's alone. llxprt-code's input cannot be told from it without a transcript.
/// 4. A `timestamp`: Gemini CLI always sends one, Claude Code never; with a name that is not Gemini CLI's, nobody
///    (Qwen Code).
/// 5. A `turn_id` outside of `MessageDisplay`: Codex.
/// 6. The event's name is Claude Code's.
pub(super) fn sender(source: &RawObject<'_>) -> Option<Sender> {
    let event = source.string("hook_event_name").filter(|_| !cursor::recognises(source))?;
    let transcript = source.string("transcript_path").unwrap_or_default();
    let file = transcript.rsplit('/').next().unwrap_or_default();
    let timestamp = source.get("timestamp").is_some();
    let (claude, gemini) = (claude_code::knows(&event), gemini_cli::knows(&event));
    if transcript.contains("/.claude/") {
        Some(Sender::ClaudeCode)
    } else if transcript.contains("/.gemini/") {
        Some(Sender::GeminiCli)
    } else if transcript.contains("/.llxprt/") {
        Some(Sender::Llxprt)
    } else if transcript.contains("/.codex/") || file.starts_with("rollout-") {
        Some(Sender::Codex)
    } else if gemini && (!claude || timestamp) {
        Some(Sender::GeminiCli)
    } else if timestamp {
        None
    } else if source.get("turn_id").is_some() && event != "MessageDisplay" {
        Some(Sender::Codex)
    } else {
        claude.then_some(Sender::ClaudeCode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senders_are_told_apart_and_strangers_are_nobody() {
        use Sender::{ClaudeCode, Codex, GeminiCli, Llxprt};
        for (input, expected) in [
            (r#"{"hook_event_name":"PreToolUse"}"#, Some(ClaudeCode)),
            (r#"{"hook_event_name":"SessionStart"}"#, Some(ClaudeCode)),
            (r#"{"hook_event_name":"MessageDisplay","turn_id":"t"}"#, Some(ClaudeCode)),
            (
                r#"{"hook_event_name":"Future","transcript_path":"/h/.claude/projects/x.jsonl"}"#,
                Some(ClaudeCode),
            ),
            (r#"{"hook_event_name":"Future"}"#, None),
            (r#"{"hook_event_name":"BeforeTool"}"#, Some(GeminiCli)),
            (r#"{"hook_event_name":"SessionStart","timestamp":"2026-11-21T20:53:55.314Z"}"#, Some(GeminiCli)),
            (
                r#"{"hook_event_name":"SessionEnd","transcript_path":"/h/.gemini/tmp/x.jsonl"}"#,
                Some(GeminiCli),
            ),
            (r#"{"hook_event_name":"BeforeTool","transcript_path":"/h/.llxprt/tmp/x.jsonl"}"#, Some(Llxprt)),
            (r#"{"hook_event_name":"PreToolUse","timestamp":"2026-11-21T20:53:55.314Z"}"#, None),
            (r#"{"hook_event_name":"PreToolUse","turn_id":"t","transcript_path":null}"#, Some(Codex)),
            (r#"{"hook_event_name":"Interrupt","turn_id":"t"}"#, Some(Codex)),
            (
                r#"{"hook_event_name":"PreToolUse","turn_id":"t","timestamp":"2026-11-21T20:53:55.314Z"}"#,
                None,
            ),
            (
                r#"{"hook_event_name":"SessionEnd","transcript_path":"/h/.codex/sessions/x.jsonl"}"#,
                Some(Codex),
            ),
            (
                r#"{"hook_event_name":"SessionEnd","transcript_path":"/other/sessions/rollout-1.jsonl"}"#,
                Some(Codex),
            ),
            (r#"{"hook_event_name":"stop","conversation_id":"c","cursor_version":"2","turn_id":"t"}"#, None),
            (r#"{"hook_event_name":7}"#, None),
            (r#"{"event":"tool.before"}"#, None),
        ] {
            assert_eq!(sender(&RawObject::parse(input).unwrap()), expected, "{input}");
        }
    }
}
