//! `hookbox try`: an event made of a few words, and what the hooks say to it.

use insta::assert_snapshot;

use crate::{Ran, TestBed, format_gate, gate_with, shell_gate};

fn run_try(bed: &TestBed, arguments: &[&str]) -> Ran {
    bed.run_hookbox(&[&["try"], arguments].concat())
}

/// The event alone.
fn print_event(arguments: &[&str]) -> String {
    let ran = run_try(&TestBed::new(), &[arguments, &["--print"]].concat());
    assert!(ran.code == 0 && ran.stderr.is_empty(), "{ran}");
    ran.stdout
}

#[test]
fn a_command_is_tried_on_the_hooks_as_they_are() {
    let bed = TestBed::with_config(
        &(gate_with("denies", "tool = { class = \"shell\" }") + &shell_gate("touch called", "")),
    );
    assert_snapshot!(run_try(&bed, &["tool.before", "--command", "rm -rf /"]), @"
    exit code 0
    --- stdout
    decision deny by denies (no)
    reason   because
    event    tool.before of native = tool.before
    tool     shell (shell)
    command  rm -rf /
    chain    2 of 2 hooks match, in this order
      1. denies  gate, user (own), [HOME]/.config/hookbox/hooks.toml:1
         matches: tool.before with tool class shell
         deny no
      2. sh  gate, user (own), [HOME]/.config/hookbox/hooks.toml:6
         matches: tool.before
         not called in a dry run (shell touch called); --call-all calls it
      -  self-protection: not asked, since the call is denied already
    --- stderr
    ");
    assert!(!bed.resolve_path("[PROJECT]/called").exists());
    let ran = run_try(
        &TestBed::with_config(&shell_gate("touch called", "")),
        &["tool.before", "--command", "ls", "--call-all", "--json"],
    );
    assert!(ran.code == 0 && ran.stdout.contains("\"verdict\": \"none\""), "{ran}");
}

#[test]
fn a_hook_that_was_not_called_has_not_answered() {
    let bed = TestBed::with_config(&shell_gate("touch called", ""));
    let ran = run_try(&bed, &["tool.before", "--command", "ls", "--verbose"]);
    assert!(ran.stdout.contains(r#""hooks":[{"hook":"sh","status":"skipped"}]"#), "{ran}");
    let ran = run_try(&bed, &["tool.before", "--command", "ls", "--json"]);
    assert!(ran.stdout.contains(r#""status": "skipped""#) && !ran.stdout.contains(r#""answered""#), "{ran}");
}

#[test]
fn an_agents_event_is_answered_in_its_words() {
    let bed = TestBed::with_config(&format_gate("denies"));
    assert_snapshot!(run_try(&bed, &["PreToolUse", "--agent", "claude-code", "--command", "rm -rf /"]), @"
    exit code 0
    --- stdout
    decision deny by denies (no)
    reason   because
    event    PreToolUse of claude-code = tool.before
    tool     Bash (shell)
    command  rm -rf /
    chain    1 of 1 hook match, in this order
      1. denies  gate, user (own), [HOME]/.config/hookbox/hooks.toml:1
         matches: tool.before
         deny no
      -  self-protection: not asked, since the call is denied already
    --- stderr
    ");
    let ran = run_try(
        &bed,
        &["tool.before", "--agent", "gemini-cli", "--tool", "read_file", "--path", "/etc/shadow"],
    );
    assert!(ran.stdout.contains("event    BeforeTool of gemini-cli = tool.before\ntool     read_file (file-read)\npath     /etc/shadow\n"), "{ran}");
}

#[test]
fn the_event_alone_is_what_the_agent_tells() {
    assert_snapshot!(print_event(&["tool.before", "--tool", "Bash", "--command", "ls -l", "--cwd", "/p"]), @r#"{"event":"tool.before","session":"try","cwd":"/p","tool":{"name":"Bash","input":{"command":"ls -l"}}}"#);
    assert_snapshot!(print_event(&["prompt.submit", "--prompt", "hello", "--session", "s", "--cwd", "/p", "--set", "more.deep=[1]"]), @r#"{"event":"prompt.submit","session":"s","cwd":"/p","payload":{"prompt":"hello","more":{"deep":[1]}}}"#);
    assert_snapshot!(print_event(&["custom:deploy", "--set", "stage=live", "--cwd", "/p"]), @r#"{"event":"custom:deploy","session":"try","cwd":"/p","payload":{"stage":"live"}}"#);
    assert_snapshot!(print_event(&["tool.after", "--command", "ls", "--output", "a.rs", "--cwd", "/p"]), @r#"{"event":"tool.after","session":"try","cwd":"/p","tool":{"name":"shell","input":{"command":"ls"},"output":"a.rs"}}"#);
    assert_snapshot!(print_event(&["PreToolUse", "--agent", "claude-code", "--tool", "Read", "--path", "a.rs", "--cwd", "/p"]), @r#"{"transcript_path":"/home/dev/.claude/projects/-home-dev-project/8686b702-a098-4782-aca7-ea7b39edffbc.jsonl","cwd":"/p","prompt_id":"18fb5747-596b-4171-9945-6d58422cde74","permission_mode":"default","hook_event_name":"PreToolUse","session_id":"try","tool_name":"Read","tool_input":{"file_path":"a.rs"}}"#);
    assert_snapshot!(print_event(&["session.start", "--agent", "claude-code", "--cwd", "/p"]), @r#"{"transcript_path":"/home/dev/.claude/projects/-home-dev-project/8686b702-a098-4782-aca7-ea7b39edffbc.jsonl","cwd":"/p","prompt_id":"18fb5747-596b-4171-9945-6d58422cde74","permission_mode":"default","hook_event_name":"SessionStart","session_id":"try","source":"startup"}"#);
    assert_snapshot!(print_event(&["pre_run_command", "--agent", "windsurf", "--command", "ls", "--cwd", "/p", "--set", "timestamp=t"]), @r#"{"agent_action_name":"pre_run_command","execution_id":"rehearsal","timestamp":"t","trajectory_id":"try","cwd":"/p","tool_info":{"command_line":"ls","cwd":"/p"}}"#);
    assert_snapshot!(print_event(&["task.created", "--agent", "claude-code", "--set", "task_id=7", "--set", "task_id=\"7\"", "--cwd", "/p"]), @r#"{"transcript_path":"/home/dev/.claude/projects/-home-dev-project/8686b702-a098-4782-aca7-ea7b39edffbc.jsonl","cwd":"/p","prompt_id":"18fb5747-596b-4171-9945-6d58422cde74","permission_mode":"default","hook_event_name":"TaskCreated","session_id":"try","task_id":"7"}"#);
}

#[test]
fn an_agent_with_two_spellings_tells_each_event_in_the_one_that_goes_with_its_name() {
    let first = print_event(&["preToolUse", "--agent", "copilot", "--command", "ls"]);
    assert!(first.contains("\"toolName\":") && first.contains("\"sessionId\":\"try\""), "{first}");
    assert!(!first.contains("hook_event_name"), "{first}");
    let second = print_event(&["PreToolUse", "--agent", "copilot", "--command", "ls"]);
    assert!(second.contains("\"tool_name\":") && second.contains("\"session_id\":\"try\""), "{second}");
}

#[test]
fn what_is_printed_can_be_run() {
    let bed = TestBed::with_config(&format_gate("denies"));
    for agent in
        ["claude-code", "codex", "gemini-cli", "cursor", "copilot", "cline", "windsurf", "opencode", "native"]
    {
        let event =
            run_try(&bed, &["tool.before", "--agent", agent, "--command", "rm -rf /", "--print"]).stdout;
        let event = bed.expand_placeholders(&event);
        let ran = bed.run_with_input(&mut bed.build_command(&["run", "--agent", agent]), event.as_bytes());
        assert!(ran.to_string().contains("because"), "{agent}: {event} {ran}");
    }
}

#[test]
fn what_an_event_must_have_is_asked_for_by_the_option_that_says_it() {
    for (arguments, told) in [
        ("tool.before", "tool.before needs a tool: add --tool Bash --command '…'"),
        ("tool.before --agent codex", "tool.before needs a tool: add --tool Bash --command '…'"),
        (
            "tool.before --agent gemini-cli",
            "tool.before needs a tool: add --tool run_shell_command --command '…'",
        ),
        ("tool.before --tool Bash", "tool.before needs a command: add --command '…'"),
        ("tool.before --tool Read", "tool.before needs a file: add --path FILE"),
        ("tool.after --command ls", "tool.after needs what the tool returned: add --output TEXT"),
        ("prompt.submit", "prompt.submit needs a prompt: add --prompt TEXT"),
        ("pre_user_prompt --agent windsurf", "pre_user_prompt needs a prompt: add --prompt TEXT"),
        ("notification", "notification needs `message`, which must be a string: add --set message=VALUE"),
        (
            "cwd.changed",
            "needs `old_cwd`, which must be a string: add --set old_cwd=VALUE, and `new_cwd`, which must be a string: add --set new_cwd=VALUE",
        ),
        (
            "TaskCreated --agent claude-code",
            "TaskCreated needs `task_id`, which must be a string: add --set task_id=VALUE",
        ),
    ] {
        let ran = run_try(&TestBed::new(), &arguments.split(' ').collect::<Vec<_>>());
        assert!(ran.code == 2 && ran.stderr.contains(told), "{arguments}: {ran}");
    }
}

#[test]
fn an_unknown_event_is_reported_with_the_known_ones() {
    for (arguments, told) in [
        ("tool.befor", "unknown event `tool.befor`; did you mean `tool.before`?"),
        ("PreToolUse", "`PreToolUse` is what claude-code, codex,"),
        ("PreToolUse", "call tool.before: pass --agent claude-code, or `hookbox try tool.before`"),
        (
            "beforeShellExecution",
            "`beforeShellExecution` is what cursor calls tool.before: pass --agent cursor",
        ),
        ("PreToolUs --agent claude-code", "claude-code has no event `PreToolUs`; did you mean `PreToolUse`?"),
        (
            "model.request --agent claude-code",
            "claude-code has no event model.request; its events are: SessionStart,",
        ),
        (
            "async_pre_call_hook --agent litellm",
            "the format of litellm's async_pre_call_hook is unknown; none of its events can be created",
        ),
        ("session:start --agent code-forge", "--command creates tool:pre_execute"),
        ("tool.before --agent claud-code", "unknown agent `claud-code`; did you mean `claude-code`?"),
        (
            "tool.before --agent claude-code --tool Read --command ls",
            "`Read` is not a tool with which claude-code runs a command",
        ),
        (
            "tool.before --agent windsurf --tool Bash",
            "windsurf has no tool `Bash`; its tools are: read_code, write_code, run_command. A command needs no --tool: leave it out, and \
             add --command '…'",
        ),
        (
            "tool.after --agent windsurf --tool Bash --output done --command ls",
            "windsurf has no tool `Bash`; its tools are: read_code, write_code, run_command",
        ),
        ("tool.before --agent windsurf --tool read_code", "tool.before needs a file: add --path FILE"),
        ("tool.before --tool Bash --input []", "--input is not a JSON object"),
        ("tool.before --command ls --set a", "--set `a` is not MEMBER=VALUE"),
        (
            "task.created --set task_id=7",
            "field `payload.task_id`: it is a number, but must be a string; a member is changed by --set MEMBER=VALUE",
        ),
    ] {
        let ran = run_try(&TestBed::new(), &arguments.split(' ').collect::<Vec<_>>());
        assert!(ran.code == 2 && ran.stderr.contains(told), "{arguments}: {ran}");
    }
}

#[test]
fn each_event_that_there_is_is_named_once() {
    for arguments in [&["nosuchthing"][..], &["nosuchthing", "--agent", "windsurf"]] {
        let ran = run_try(&TestBed::new(), arguments);
        let words = ran.stderr.split([' ', ',', ';', ':', '\n']);
        let names: Vec<_> = words.filter(|word| word.contains(['.', '_'])).collect();
        let once: std::collections::BTreeSet<_> = names.iter().collect();
        assert!(names.len() > 5 && once.len() == names.len(), "{ran}");
    }
}

#[test]
fn nothing_is_counted_logged_or_used_up() {
    let bed = TestBed::with_config(
        &(format_gate("traps") + &format_gate("denies").replace("name = ", "on-failure = \"deny\"\nname = ")),
    );
    for _ in 0..7 {
        assert_eq!(run_try(&bed, &["tool.before", "--command", "ls"]).code, 0);
    }
    let ran = run_try(&bed, &["tool.before", "--command", "ls"]);
    assert!(ran.stdout.contains("failed (trap") && !ran.stdout.contains("tripped"), "{ran}");
    assert!(bed.run_hookbox(&["log"]).stdout.is_empty());
    assert!(!bed.resolve_path("[HOME]/.local/state/hookbox/failures.json").exists());
}
