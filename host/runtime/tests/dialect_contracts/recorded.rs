//! The recorded events of the agents whose dialects are tables.

use hookbox::agents;

use super::{
    detect_agent, native_event, parse_json, read_event,
    reading::{format_event, recorded_events},
};

/// The folders of recorded events, with their agents.
const RECORDED: [(&str, &str); 8] = [
    ("cline", "cline"),
    ("copilot", "copilot"),
    ("copilot-camel-case", "copilot"),
    ("qwen-code", "qwen-code"),
    ("droid", "droid"),
    ("kimi-code", "kimi-code"),
    ("openhands", "openhands"),
    ("opencode", "opencode"),
];

#[test]
fn every_recorded_event_is_read_and_attributed_to_its_own_agent() {
    let mut events = Vec::new();
    for (folder, agent) in RECORDED {
        for (file, text) in recorded_events(folder) {
            let event = read_event(agents::find_dialect(agent).unwrap(), &text).unwrap();
            native_event(&event);
            let sender = detect_agent(&text);
            let own = sender == Some(agent) || agent == "copilot" && sender.is_none();
            assert!(own, "{folder}/{file} is taken for {sender:?}");
            events.push(format!("{folder}/{file}  {}", format_event(&event)));
        }
    }
    assert_eq!(events.join("\n"), EXPECTED.trim());
}

#[test]
fn a_prompt_in_blocks_is_the_text_in_them() {
    let kimi = agents::find_dialect("kimi-code").unwrap();
    let prompt = |blocks: &str| {
        let text = format!(
            r#"{{"hook_event_name":"UserPromptSubmit","session_id":"s","client_type":"kimi_code_cli","prompt":{blocks}}}"#
        );
        read_event(kimi, &text).unwrap().payload
    };
    for (blocks, expected) in [
        (r#"[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"two"}]"#, "one\ntwo"),
        (r#""one""#, "one"),
        ("[]", ""),
    ] {
        let payload = prompt(blocks);
        assert_eq!(payload.members().unwrap().get_string("prompt").as_deref(), Some(expected), "{blocks}");
    }
    assert_eq!(prompt("[]"), parse_json(r#"{"prompt":"","client_type":"kimi_code_cli"}"#));
}

const EXPECTED: &str = r"
cline/00-agent_start  session.start
cline/01-tool_call-run_commands  tool.before: run_commands shell echo hello world > notes.txt
cline/02-tool_result-run_commands  tool.after: run_commands shell echo hello rewritten > notes.txt
cline/03-tool_call-run_commands-blocked  tool.before: run_commands shell rm -rf /
cline/04-tool_result-run_commands  tool.after: run_commands shell rm -rf /
cline/05-agent_end  session.end
copilot/00-SessionStart  session.start
copilot/01-UserPromptSubmit  prompt.submit
copilot/02-PreToolUse-Bash  tool.before: Bash shell echo hello world > notes.txt
copilot/03-permissionRequest-bash  permission.request: bash shell echo hello world > notes.txt
copilot/04-PostToolUse-Bash  tool.after: Bash shell echo hello world > notes.txt
copilot/05-PreToolUse-Bash-blocked  tool.before: Bash shell rm -rf /
copilot/06-Stop  agent.stop
copilot/07-SessionEnd  session.end
copilot-camel-case/00-sessionStart  session.start
copilot-camel-case/01-userPromptSubmitted  prompt.submit
copilot-camel-case/02-userPromptTransformed  prompt.expand
copilot-camel-case/03-preToolUse-bash  tool.before: bash shell echo hello world > notes.txt
copilot-camel-case/04-permissionRequest-bash  permission.request: bash shell echo hello world > notes.txt
copilot-camel-case/05-postToolUse-bash  tool.after: bash shell echo hello world > notes.txt
copilot-camel-case/06-preToolUse-bash-2  tool.before: bash shell false
copilot-camel-case/07-permissionRequest-bash-2  permission.request: bash shell false
copilot-camel-case/08-postToolUse-bash-failed  tool.after: bash shell false
copilot-camel-case/09-agentStop  agent.stop
copilot-camel-case/10-sessionEnd  session.end
qwen-code/00-InstructionsLoaded  instructions.loaded
qwen-code/01-SessionStart  session.start
qwen-code/02-Notification  notification
qwen-code/03-UserPromptSubmit  prompt.submit
qwen-code/04-PreToolUse-run_shell_command  tool.before: run_shell_command shell echo hello world > notes.txt
qwen-code/05-PostToolUse-run_shell_command  tool.after: run_shell_command shell echo hello world > notes.txt
qwen-code/06-PostToolBatch  tool.batch-after
qwen-code/07-UserPromptSubmit  UserPromptSubmit
qwen-code/08-PreToolUse-run_shell_command-blocked  tool.before: run_shell_command shell rm -rf /
qwen-code/09-PostToolUse-run_shell_command  tool.after: run_shell_command shell rm -rf /
qwen-code/10-PostToolBatch  tool.batch-after
qwen-code/11-UserPromptSubmit  UserPromptSubmit
qwen-code/12-MessageDisplay  message.display
qwen-code/13-Stop  agent.stop
droid/00-SessionStart  session.start
droid/01-PreToolUse-Execute  tool.before: Execute shell echo hello world > notes.txt
droid/02-PostToolUse-Execute  tool.after: Execute shell echo hello world > notes.txt
droid/03-PreToolUse-Execute-blocked  tool.before: Execute shell rm -rf /
droid/04-Stop  agent.stop
droid/05-SessionEnd  session.end
kimi-code/00-SessionStart  session.start
kimi-code/01-TurnStarted  TurnStarted
kimi-code/02-PreToolUse-Bash  tool.before: Bash shell echo hello world > notes.txt
kimi-code/03-PostToolUse-Bash  tool.after: Bash shell echo hello world > notes.txt
kimi-code/04-PreToolUse-Bash-blocked  tool.before: Bash shell rm -rf /
kimi-code/05-Stop  agent.stop
kimi-code/06-UserPromptSubmit  prompt.submit
kimi-code/07-PostToolUseFailure-Bash-blocked  tool.error: Bash shell rm -rf /home/dev/project
openhands/00-SessionStart  session.start
openhands/01-UserPromptSubmit  prompt.submit
openhands/02-PreToolUse-terminal  tool.before: terminal shell echo hello world > notes.txt
openhands/03-PostToolUse-terminal  tool.after: terminal shell echo hello world > notes.txt
openhands/04-PreToolUse-terminal-blocked  tool.before: terminal shell rm -rf /
openhands/05-PostToolUse-terminal  tool.after: terminal shell rm -rf /
openhands/06-PreToolUse-finish  tool.before: finish other -
openhands/07-PostToolUse-finish  tool.after: finish other -
openhands/08-Stop  agent.stop
openhands/09-SessionEnd  session.end
opencode/00-session.created  session.start
opencode/01-chat.message  prompt.submit
opencode/02-tool.execute.before-bash-blocked  tool.before: bash shell rm -rf /home/dev/project
opencode/03-tool.execute.before-bash  tool.before: bash shell echo ran > proof.txt
opencode/04-tool.execute.after-bash  tool.after: bash shell echo ran > proof.txt
opencode/05-session.idle  agent.stop
";
