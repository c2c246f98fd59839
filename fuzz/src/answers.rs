//! What a hook may answer, in every contract: hookbox's own and each agent's.

use std::sync::OnceLock;

use hookbox::{
    Clock,
    agents::{
        self, ReadContext,
        native::{NativeContract, parse_answer},
    },
    interfaces::{Call, Contract, ProcessEnd},
    model::{Event, Exit, Json, Limits, Verdict},
};

/// An event before a tool and others, of each agent with a contract of its own.
const EVENTS: [(&str, &str); 10] = [
    ("claude-code", include_str!("../../tests/conformance/shared/claude-code/PreToolUse-Bash.json")),
    ("claude-code", include_str!("../../tests/conformance/shared/claude-code/PermissionRequest-Bash.json")),
    ("claude-code", include_str!("../../tests/conformance/shared/claude-code/Stop.json")),
    ("codex", include_str!("../../tests/conformance/shared/codex/PreToolUse-Bash.json")),
    (
        "gemini-cli",
        include_str!("../../tests/conformance/shared/gemini-cli/BeforeTool-run_shell_command.json"),
    ),
    ("gemini-cli", include_str!("../../tests/conformance/shared/gemini-cli/BeforeModel-2.json")),
    ("llxprt", include_str!("../../tests/conformance/shared/llxprt/after-model.json")),
    ("cocode", include_str!("../../tests/conformance/shared/cocode/PreToolUse-Bash.json")),
    ("code-forge", include_str!("../../tests/conformance/shared/code-forge/tool-pre_execute-bash.json")),
    ("run-claude", include_str!("../../tests/conformance/shared/run-claude/pre-tool-call.json")),
];

/// The bytes are what a hook may write to its standard output, or a server may send.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let parsed = parse_answer(&text);
    assert!(parsed.as_ref().err().is_none_or(|error| !error.to_string().is_empty()));
    for (contract, event) in asked() {
        ends(*contract, event, data, &text);
    }
    // hookbox's own takes every event alike.
    if let Some((_, event)) = asked().first() {
        ends(&NativeContract, event, data, &text);
        deny_is_a_deny(event, data, &text);
    }
}

fn ends(contract: &dyn Contract, event: &Event, stdout: &[u8], stderr: &str) {
    let (config, limits) = (Json::empty_object(), Limits::default());
    let call = call(event, &config, &limits);
    for exit in [Exit::Code(0), Exit::Code(1), Exit::Code(2), Exit::Signal(9)] {
        for stderr in ["", stderr] {
            // A failure is as good as an answer: neither may be a panic.
            let _ = contract.end(&call, &ProcessEnd { exit, stdout, stderr });
        }
    }
    let _ = contract.response(&call, stdout, "https://example.org");
}

/// In hookbox's own contract, exit code 2 says no, whatever is written beside it.
fn deny_is_a_deny(event: &Event, stdout: &[u8], stderr: &str) {
    let (config, limits) = (Json::empty_object(), Limits::default());
    let end = ProcessEnd { exit: Exit::Code(2), stdout, stderr };
    let answer = NativeContract.end(&call(event, &config, &limits), &end);
    assert!(answer.as_ref().is_ok_and(|answer| matches!(answer.verdict, Verdict::Deny(_))), "{answer:?}");
}

fn call<'a>(event: &'a Event, config: &'a Json, limits: &'a Limits) -> Call<'a> {
    Call {
        hook: "hook",
        event,
        original: None,
        outcome: None,
        config,
        limits,
        clock: Clock::machine(),
        facts: None,
    }
}

/// Each contract with an event that its hooks are asked about.
fn asked() -> &'static [(&'static dyn Contract, Event)] {
    static ASKED: OnceLock<Vec<(&'static dyn Contract, Event)>> = OnceLock::new();
    ASKED.get_or_init(|| {
        let all: Vec<_> = EVENTS.iter().filter_map(|(agent, text)| asked_of(agent, text)).collect();
        assert!(all.len() >= EVENTS.len() - 1, "an event or a contract is gone");
        all
    })
}

fn asked_of(agent: &str, text: &str) -> Option<(&'static dyn Contract, Event)> {
    let dialect = agents::find_dialect(agent)?;
    let event = dialect.read(Json::parse_object(text).ok()?, &ReadContext::default()).ok()?;
    let contract = dialect.hook_file()?.contract().unwrap_or(&NativeContract);
    Some((contract, event))
}
