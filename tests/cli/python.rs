//! Functions of Python in hookbox's own configuration.

use insta::assert_snapshot;

use crate::{LS, TestBed};

const CONFIG: &str = r#"
version = 1

[[hook]]
name = "no-rm"
on = "tool.before"
config = { words = ["rm"] }
python = { module = "guards.shell", function = "check", path = "hooks" }

[[hook]]
name = "audit"
on = "tool.before"
role = "observe"
python = { module = "guards.shell", function = "audit", path = "hooks" }
"#;

const FUNCTIONS: &str = "
async def check(event):
    command = event['tool']['command']
    if any(word in command.split() for word in event['config']['words']):
        return {'verdict': 'deny', 'code': 'no-rm', 'reason': 'nothing is removed here'}

def audit(event):
    print('audit', event['outcome']['verdict'])
";

fn create_bed() -> TestBed {
    let bed = TestBed::with_config(CONFIG);
    bed.write_file("[HOME]/.config/hookbox/hooks/guards/shell.py", FUNCTIONS);
    bed
}

#[test]
fn a_function_decides_like_any_other_hook_and_its_log_is_kept() {
    let bed = create_bed();
    let removes = LS.replace(r#"{"command":"ls"}"#, r#"{"command":"rm x"}"#);
    assert_snapshot!(bed.answer_event(&removes), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no-rm: nothing is removed here (no-rm)"}}
    --- stderr
    "#);
    let said = bed.run_hookbox(&["log", "--json"]).stdout;
    assert!(said.contains("audit deny"), "{said}");
}

#[test]
fn a_function_is_listed_and_called_in_no_dry_run() {
    let bed = create_bed();
    assert_snapshot!(bed.run_hookbox(&["list"]), @"
    exit code 0
    --- stdout
    no-rm  gate, user (own)
        on tool.before
        python guards.shell:check
        confined: own session, dies with hookbox, no new privileges, memory 16 GiB, file size 64 GiB
    audit  observe, user (own)
        on tool.before
        python guards.shell:audit
        confined: own session, dies with hookbox, no new privileges, memory 16 GiB, file size 64 GiB
    --- stderr
    ");
    let event = bed.write_file("[HOME]/event.json", LS).display().to_string();
    let explained = bed.run_hookbox(&["explain", &event]);
    assert!(explained.stdout.contains("not called in a dry run (python guards.shell:check)"), "{explained}");
    let called = bed.run_hookbox(&["explain", "--call-all", &event]);
    assert!(called.stdout.contains("log info: audit none"), "{called}");
}

#[test]
fn a_check_imports_modules_and_tells_what_is_missing() {
    let bed = create_bed();
    let config = format!(
        "{CONFIG}\n[[hook]]\nname = \"gone\"\non = \"tool.before\"\npython = {{ module = \"gone\", function = \"f\" }}\n"
    );
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &config);
    assert_snapshot!(bed.run_hookbox(&["check"]), @"
    exit code 1
    --- stdout
    ok    no-rm: python guards.shell:check
    broken gone: missing: the module `gone` cannot be imported: ModuleNotFoundError: No module named 'gone'
    ok    audit: python guards.shell:audit
    3 hooks checked: 0 errors, 0 warnings, 1 that cannot run
    --- stderr
    checked in [TIME]
    ");
}

#[test]
fn an_invalid_python_configuration_is_reported_at_its_place() {
    let bed = TestBed::with_config(
        r#"
version = 1

[[hook]]
name = "half"
on = "tool.before"
python = { module = "guards" }

[[hook]]
name = "unsafe"
on = "tool.before"
python = { module = "guards", function = "check", env = ["LD_PRELOAD"], pth = "x" }

[[hook]]
name = "both"
on = "tool.before"
python = { module = "guards", function = "check" }
shell = { command = "true" }
"#,
    );
    assert_snapshot!(bed.run_hookbox(&["check"]), @r#"
    exit code 1
    --- stdout
    0 hooks checked: 4 errors, 0 warnings, 0 that cannot run
    --- stderr
    [HOME]/.config/hookbox/hooks.toml:7:10: error: `python` has no `function`
      7 | python = { module = "guards" }
        |          ^^^^^^^^^^^^^^^^^^^^^
      help: add one: function = "check"
    [HOME]/.config/hookbox/hooks.toml:12:58: error: `LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`
      12 | python = { module = "guards", function = "check", env = ["LD_PRELOAD"], pth = "x" }
         |                                                          ^^^^^^^^^^^^
    [HOME]/.config/hookbox/hooks.toml:12:73: error: unknown key `pth`
      12 | python = { module = "guards", function = "check", env = ["LD_PRELOAD"], pth = "x" }
         |                                                                         ^^^
      help: did you mean `path`? allowed: module, function, path, env, confine, speaks
    [HOME]/.config/hookbox/hooks.toml:18:1: error: the hook has `python` already
      18 | shell = { command = "true" }
         | ^^^^^
      help: it must have exactly one of `wasm`, `shell`, `webhook`, `python`
    checked in [TIME]
    "#);
}

#[test]
fn an_untrusted_project_has_no_python_functions() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", CONFIG);
    bed.write_file("[PROJECT]/.hookbox/hooks/guards/shell.py", "raise SystemExit('never imported')\n");
    assert_snapshot!(bed.run_hookbox(&["check"]), @r#"
    exit code 0
    --- stdout
    0 hooks checked: 0 errors, 2 warnings, 0 that cannot run
    --- stderr
    [PROJECT]/.hookbox/hooks.toml:8:1: warning: `no-rm` is left out: it is a python hook
      8 | python = { module = "guards.shell", function = "check", path = "hooks" }
        | ^^^^^^
      help: a project's file may only hold wasm hooks, and those that you trust
    [PROJECT]/.hookbox/hooks.toml:14:1: warning: `audit` is left out: it is a python hook
      14 | python = { module = "guards.shell", function = "audit", path = "hooks" }
         | ^^^^^^
      help: a project's file may only hold wasm hooks, and those that you trust
    checked in [TIME]
    "#);
}
