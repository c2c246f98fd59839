//! Detects the sender of an input. Agents copy each other's shapes, and an agent ignores an answer in the wrong dialect. So one function
//! checks the marks of all agents, and only a single candidate is accepted.

use hookbox_model::{EventName, RawObject};
use serde_json::value::RawValue;

use super::{agent_list::AGENTS, claude_code, cocode, code_forge, gemini_cli, run_claude};

/// Member in which Claude Code, and agents that copied it, name the event.
const EVENT: &str = "hook_event_name";
const TRANSCRIPT: &str = "transcript_path";

/// Returns the names of all agents that this input may come from. Agents with a mark in the input count; the shape of the input only counts
/// if there is no mark.
pub(super) fn find_claimants(source: &RawObject<'_>) -> Vec<&'static str> {
    let marked = AGENTS.iter().filter(|facts| facts.mark.is_some_and(|mark| has_mark(source, mark)));
    let marked = marked.map(|facts| facts.name());
    let mut claimants: Vec<_> = marked.chain(by_transcript(source)).collect();
    // A shape is copied more easily than a mark: with a mark it must not add a second claimant.
    if claimants.is_empty() {
        claimants.extend(like_claude_code(source));
        claimants.extend(named_by_event(source));
        claimants.extend(code_forge::resembles_event(source).then_some("code-forge"));
    }
    claimants.sort_unstable();
    claimants.dedup();
    claimants
}

fn has_mark(source: &RawObject<'_>, mark: &[(&str, &str)]) -> bool {
    mark.iter().all(|(key, start)| source.get_string(key).is_some_and(|text| text.starts_with(start)))
}

/// Returns the agents whose folders contain the transcript; Codex's transcript is recognized by its name too.
fn by_transcript(source: &RawObject<'_>) -> Vec<&'static str> {
    let path =
        source.get_string(TRANSCRIPT).filter(|_| source.get_string(EVENT).is_some()).unwrap_or_default();
    let rollout = path.rsplit('/').next().is_some_and(|file| file.starts_with("rollout-"));
    let inside = AGENTS.iter().filter(|facts| facts.transcripts.is_some_and(|folder| path.contains(folder)));
    inside.map(|facts| facts.name()).chain(rollout.then_some("codex")).collect()
}

/// Returns the agent among those that write as Claude Code does, if no transcript path contradicts it. The first rule that applies decides:
///
/// 1. The event's name is Gemini CLI's alone. llxprt-code's input cannot be distinguished from it without a transcript.
/// 2. A `timestamp`: Gemini CLI always sends one, and a `transcript_path`, empty at first; Claude Code never does.
/// 3. A `turn_id` outside of `MessageDisplay`: Codex.
/// 4. The event's name is Claude Code's.
fn like_claude_code(source: &RawObject<'_>) -> Option<&'static str> {
    let event = source.get_string(EVENT)?;
    let transcript = source.get(TRANSCRIPT).map(RawValue::get);
    if transcript.is_some_and(|path| !["null", "\"\""].contains(&path)) {
        return None;
    }
    let (claude, gemini) = (claude_code::is_known_event(&event), gemini_cli::is_known_event(&event));
    if gemini && !claude {
        Some("gemini-cli")
    } else if source.get("timestamp").is_some() {
        // Copilot's input has a timestamp, too, and its answers have another form.
        (gemini && transcript == Some("\"\"")).then_some("gemini-cli")
    } else if source.get("turn_id").is_some() && event != "MessageDisplay" {
        Some("codex")
    } else {
        claude.then_some("claude-code")
    }
}

/// Returns the agent among those that name the event in `event`. Claude Code's `FileChanged` has such a member too, with no canonical name
/// in it.
fn named_by_event(source: &RawObject<'_>) -> Option<&'static str> {
    let event = source.get_string("event")?;
    if source.get(EVENT).is_some() && EventName::known(&event).is_none() {
        return None;
    }
    Some(match source {
        source if cocode::is_context(source) => "cocode",
        source if run_claude::is_hook_context(source) => "run-claude",
        _ => "native",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senders_are_distinguished_and_an_unknown_sender_is_not_guessed() {
        for (input, expected) in [
            (r#"{"hook_event_name":"PreToolUse"}"#, Some("claude-code")),
            (r#"{"hook_event_name":"SessionStart"}"#, Some("claude-code")),
            (r#"{"hook_event_name":"MessageDisplay","turn_id":"t"}"#, Some("claude-code")),
            (r#"{"hook_event_name":"FileChanged","event":"change"}"#, Some("claude-code")),
            (
                r#"{"hook_event_name":"Future","transcript_path":"/h/.claude/projects/x.jsonl"}"#,
                Some("claude-code"),
            ),
            (r#"{"hook_event_name":"Future"}"#, None),
            (r#"{"hook_event_name":"BeforeTool"}"#, Some("gemini-cli")),
            (
                r#"{"hook_event_name":"SessionStart","transcript_path":"","timestamp":"2026-11-21T20:53:55.314Z"}"#,
                Some("gemini-cli"),
            ),
            // In Copilot's form.
            (r#"{"hook_event_name":"SessionStart","timestamp":"2026-11-21T20:53:55.314Z"}"#, None),
            (
                r#"{"hook_event_name":"SessionEnd","transcript_path":"/h/.gemini/tmp/x.jsonl"}"#,
                Some("gemini-cli"),
            ),
            (
                r#"{"hook_event_name":"BeforeTool","transcript_path":"/h/.llxprt/tmp/x.jsonl"}"#,
                Some("llxprt"),
            ),
            (r#"{"hook_event_name":"PreToolUse","timestamp":"2026-11-21T20:53:55.314Z"}"#, None),
            (r#"{"hook_event_name":"PreToolUse","turn_id":"t","transcript_path":null}"#, Some("codex")),
            (r#"{"hook_event_name":"Interrupt","turn_id":"t"}"#, Some("codex")),
            (
                r#"{"hook_event_name":"PreToolUse","turn_id":"t","timestamp":"2026-11-21T20:53:55.314Z"}"#,
                None,
            ),
            (
                r#"{"hook_event_name":"SessionEnd","transcript_path":"/h/.codex/sessions/x.jsonl"}"#,
                Some("codex"),
            ),
            (
                r#"{"hook_event_name":"SessionEnd","transcript_path":"/other/sessions/rollout-1.jsonl"}"#,
                Some("codex"),
            ),
            (r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/.factory/x.jsonl"}"#, Some("droid")),
            // A folder of no known agent, with names of Claude Code and Gemini CLI.
            (r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/.strange/x.jsonl"}"#, None),
            (r#"{"hook_event_name":"PreToolUse","turn_id":"t","transcript_path":"/h/.strange/x"}"#, None),
            (r#"{"hook_event_name":"BeforeTool","transcript_path":"/h/.strange/x.jsonl"}"#, None),
            (r#"{"hook_event_name":"PreToolUse","transcript_path":7}"#, None),
            (
                r#"{"hook_event_name":"stop","conversation_id":"c","cursor_version":"2","turn_id":"t"}"#,
                Some("cursor"),
            ),
            (r#"{"hook_event_name":"PreToolUse","client_type":"kimi_code_cli"}"#, Some("kimi-code")),
            (r#"{"hook_event_name":7}"#, None),
            (r#"{"event":"tool.before"}"#, Some("native")),
        ] {
            let source = RawObject::parse(input).unwrap();
            assert_eq!(find_claimants(&source), expected.into_iter().collect::<Vec<_>>(), "{input}");
        }
    }

    /// Agents, each with the members that identify its input, and whether they are a mark or a resemblance.
    const OWN: [(&str, &str, bool); 20] = [
        ("cursor", r#"{"hook_event_name":"stop","conversation_id":"c","cursor_version":"2"}"#, true),
        ("windsurf", r#"{"agent_action_name":"a","trajectory_id":"t"}"#, true),
        ("cline", r#"{"hookName":"PreToolUse","clineVersion":"","taskId":"t"}"#, true),
        ("litellm", r#"{"litellm_hook":"async_pre_call_hook"}"#, true),
        ("kimi-code", r#"{"hook_event_name":"PreToolUse","client_type":"kimi_code_cli"}"#, true),
        ("openhands", r#"{"event_type":"PreToolUse","session_id":"s","working_dir":"/w"}"#, true),
        ("opencode", r#"{"opencode_hook":"session.idle"}"#, true),
        ("claude-code", r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/.claude/x"}"#, true),
        ("codex", r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/.codex/x"}"#, true),
        ("codex", r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/rollout-x"}"#, true),
        ("gemini-cli", r#"{"hook_event_name":"BeforeTool","transcript_path":"/h/.gemini/x"}"#, true),
        ("llxprt", r#"{"hook_event_name":"BeforeTool","transcript_path":"/h/.llxprt/x"}"#, true),
        ("qwen-code", r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/.qwen/x"}"#, true),
        ("droid", r#"{"hook_event_name":"PreToolUse","transcript_path":"/h/.factory/x"}"#, true),
        ("copilot", r#"{"hook_event_name":"Stop","transcript_path":"/h/.copilot/x"}"#, true),
        ("claude-code", r#"{"hook_event_name":"PreToolUse"}"#, false),
        ("cocode", r#"{"event":"PreToolUse","session_id":"s","cwd":"/w","env":{}}"#, false),
        ("run-claude", r#"{"event":"pre_request","model":"m","request_id":"r","timestamp":1}"#, false),
        ("native", r#"{"event":"tool.before"}"#, false),
        ("code-forge", r#"{"type":"tool:pre_execute","timestamp":1,"data":{}}"#, false),
    ];

    /// Merges the members of both. Where both have a transcript, one is below the other; `None` if they differ elsewhere.
    fn merge_inputs(one: &str, other: &str) -> Option<serde_json::Value> {
        let [mut all, other] =
            [one, other].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        for (key, value) in other.as_object().unwrap() {
            let before = all.get(key).cloned().unwrap_or_else(|| value.clone());
            let both = match (key.as_str(), &before, value) {
                (_, before, value) if before == value => value.clone(),
                (TRANSCRIPT, before, value) => {
                    let mut both = [before.as_str().unwrap(), value.as_str().unwrap()];
                    // A file is at the end.
                    both.sort_by_key(|path| path.contains("rollout-"));
                    both.concat().into()
                }
                (EVENT, before, _) => before.clone(),
                _ => return None,
            };
            all[key] = both;
        }
        Some(all)
    }

    #[test]
    fn an_input_with_the_marks_of_two_agents_is_claimed_by_both() {
        let mut compared = 0;
        for (one, own, marked) in OWN {
            assert_eq!(find_claimants(&RawObject::parse(own).unwrap()), [one], "{own}");
            for (other, others, also_marked) in OWN {
                let Some(both) = merge_inputs(own, others).filter(|_| one != other) else { continue };
                let text = both.to_string();
                let found = find_claimants(&RawObject::parse(&text).unwrap());
                let marks = [(one, marked), (other, also_marked)].into_iter().filter(|(_, marked)| *marked);
                let mut expected: Vec<_> = marks.map(|(agent, _)| agent).collect();
                expected.sort_unstable();
                if expected.is_empty() {
                    // One of two similar agents, or both, may be dropped; no other agent may appear.
                    assert!(found.iter().all(|agent| [one, other].contains(agent)), "{text}");
                } else {
                    assert_eq!(found, expected, "{text}");
                }
                compared += 1;
            }
        }
        assert!(compared > 250, "{compared}");
    }

    #[test]
    fn an_input_that_looks_like_two_agents_is_claimed_by_both() {
        let input = r#"{"hook_event_name":"PreToolUse","event":"tool.before"}"#;
        assert_eq!(find_claimants(&RawObject::parse(input).unwrap()), ["claude-code", "native"]);
    }

    #[test]
    fn an_input_that_two_agents_claim_has_no_sender() {
        let input = r#"{"agent_action_name":"a","trajectory_id":"t","litellm_hook":"h","timestamp":"now"}"#;
        assert_eq!(find_claimants(&RawObject::parse(input).unwrap()), ["litellm", "windsurf"]);
    }
}
