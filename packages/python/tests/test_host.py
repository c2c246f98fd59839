"""What a program gets from a host."""

import json
import os
import subprocess
import sys

import hookbox
import pytest
from conftest import decision

DENY_NETWORK = """
[[hook]]
name = "no-network"
on = "tool.before"
shell = { command = '''grep -q curl && echo '{"verdict":"deny","code":"network","reason":"no network"}' || echo '{}' ''' }
"""


def test_an_agents_bytes_get_the_agents_answer(host, command):
    host.hook("tool.before", name="no-shell")(lambda event: hookbox.deny("no-shell", "not here"))
    response = host.answer("claude-code", json.dumps(command()).encode())
    assert json.loads(response.stdout) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "no-shell: not here (no-shell)",
        }
    }
    assert (response.stderr, response.exit_code, response.reason) == ("", 0, "no-shell: not here")
    assert response.outcome["verdict"] == {"deny": {"code": "no-shell", "text": "not here"}}


@pytest.mark.parametrize("form", ["dict", "text", "bytes", "bytearray"])
def test_an_event_may_have_every_form(host, command, form):
    text = json.dumps(command())
    event = {"dict": command(), "text": text, "bytes": text.encode(), "bytearray": bytearray(text.encode())}[form]
    host.hook("tool.before", name="a")(lambda event: hookbox.ask("a", event["tool"]["command"]))
    assert host.answer("claude-code", event).reason == "a: ls"


def test_the_sender_is_told_by_what_it_sent(host, command):
    host.hook("tool.before", name="a")(lambda event: hookbox.deny("a", event["agent"]))
    assert host.answer(None, command() | {"transcript_path": "/home/x/.claude/projects/p/s1.jsonl"}).reason == "a: claude-code"


@pytest.mark.parametrize("event", [b"", b"{", b"\xff", "[]", b'{"a":1,"a":2}', "null"])
def test_what_is_no_event_is_refused_in_the_agents_words(host, event):
    response = host.answer("claude-code", event)
    assert response.exit_code == 2
    assert response.stderr.startswith("VALIDATION_FAILURE: ")
    assert response.outcome is None


def test_the_users_configuration_decides(make_host, configured, command):
    configured(DENY_NETWORK)
    host = make_host()
    assert decision(host.answer("claude-code", command("ls"))) is None
    assert decision(host.answer("claude-code", command("curl x"))) == "deny"
    assert [hook["name"] for hook in host.hooks()] == ["no-network"]
    assert host.events() == ["tool.before"]


def test_one_file_can_stand_for_all_configuration(make_host, configured, command, tmp_path):
    configured(DENY_NETWORK)
    file = tmp_path / "other.toml"
    file.write_text(DENY_NETWORK.replace("no-network", "other"))
    assert [hook["name"] for hook in make_host(config=file).hooks()] == ["other"]
    assert sorted(hook["name"] for hook in make_host(session=file).hooks()) == ["no-network", "other"]
    assert make_host(hooks=False).hooks() == []


def test_a_relative_file_stays_where_it_was_when_the_program_goes_elsewhere(make_host, tmp_path, monkeypatch):
    (tmp_path / "hooks.toml").write_text(DENY_NETWORK)
    monkeypatch.chdir(tmp_path)
    host = make_host(config="hooks.toml")
    monkeypatch.chdir("/")
    assert [hook["name"] for hook in host.hooks()] == ["no-network"]


def test_an_agents_own_hook_file_is_run_as_the_agent_would(make_host, command, tmp_path):
    file = tmp_path / "settings.json"
    entry = {"type": "command", "command": "echo not here >&2; exit 2"}
    file.write_text(json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [entry]}]}}))
    response = make_host(agent="claude-code", source=file).answer("claude-code", command())
    assert decision(response) == "deny"


def test_a_file_that_changes_is_read_again(make_host, configured, command):
    file = configured(DENY_NETWORK)
    host = make_host()
    assert len(host.hooks()) == 1
    file.unlink()
    host.reload()
    assert host.hooks() == []


def test_a_broken_configuration_denies(make_host, configured, command):
    configured("[[hook")
    assert decision(make_host().answer("claude-code", command())) == "deny"


def test_variables_of_the_program_do_not_say_where_the_configuration_is(configured, home, cache, command, monkeypatch):
    configured(DENY_NETWORK)
    for name in ["HOME", "XDG_CONFIG_HOME"]:
        monkeypatch.setenv(name, str(home if name == "HOME" else home / ".config"))
    program = "import hookbox; print([hook['name'] for hook in hookbox.Host().hooks('/')])"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd="/")
    assert "no-network" not in said.stdout


def test_a_hook_can_be_switched_off_and_on(make_host, configured, command):
    configured(DENY_NETWORK)
    host = make_host()
    assert host.set_enabled("no-network", False) == 1
    assert decision(host.answer("claude-code", command("curl x"))) is None
    assert host.set_enabled("no-network", True) == 1
    assert decision(host.answer("claude-code", command("curl x"))) == "deny"
    assert host.set_enabled("nobody", True) == 0


def test_an_event_of_ones_own_is_dispatched(host):
    host.hook("tool.before", name="a")(lambda event: hookbox.deny("a", event["tool"]["command"]))
    outcome = host.dispatch({"event": "tool.before", "tool": {"name": "Bash", "input": {"command": "ls"}}})
    assert outcome["verdict"] == {"deny": {"code": "a", "text": "ls"}}


def test_what_a_hook_is_told_can_be_dispatched(host):
    told = []
    host.hook("tool.after", name="a")(lambda event: told.append(event))
    event = {"event": "tool.after", "tool": {"name": "T", "input": {"a": 1}, "output": "text"}, "agent": "claude-code"}
    host.dispatch(event)
    host.dispatch(told[0])
    assert told[0] == told[1]
    assert told[0]["tool"]["output"] == "text"
    assert told[0]["agent"] == "claude-code"


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"event": "tool.befor"}, 'field `event`: `tool.befor` is not an event; did you mean `tool.before`?'),
        ({}, "field `event`: it is missing; it must be a string that is not empty"),
        ({"event": "tool.before"}, "field `tool`: it is missing; it must be an object"),
    ],
)
def test_what_is_no_event_is_not_dispatched(host, event, said):
    with pytest.raises(hookbox.Error) as error:
        host.dispatch(event)
    assert error.value.code == "bad-event"
    assert error.value.message.endswith(said)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({1, 2}, 'event["a"][1] is of type set; JSON has dict, list, tuple, str, int, float, bool and None'),
        (float("nan"), 'event["a"][1] is NaN, for which JSON has no word'),
        ("\ud800", 'event["a"][1] is a text with halves of characters (surrogates)'),
        ({1: 2}, 'event["a"][1] has a key of type int; keys are str'),
        pytest.param(10**5000, 'event["a"][1] is a number with too many digits', id="digits"),
    ],
)
def test_a_value_that_is_no_json_is_told_by_its_place(host, value, said):
    with pytest.raises(TypeError) as error:
        host.dispatch({"event": "custom:x", "a": [0, value]})
    assert str(error.value) == said


def test_a_value_that_holds_itself_is_told(host):
    value = {}
    value["a"] = value
    with pytest.raises(TypeError, match="is more than 100 levels deep"):
        host.answer("claude-code", value)


def test_json_is_written_as_the_standard_library_reads_it(host):
    value = {"a": [True, None, 1, -(2**70), 1e300, 0.1, "é\"\\\n\x00\x7f\u2028😀"], "b": (), "": {}}
    told = []
    host.hook("custom:x", name="a")(lambda event: told.append(event["payload"]))
    host.dispatch({"event": "custom:x", "payload": {"value": value}})
    assert told == [{"value": value | {"b": []}}]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"config": "a", "session": "b"}, "bad-options"),
        ({"config": "a", "hooks": False}, "bad-options"),
        ({"agent": "nobody", "source": "a"}, "no-such-agent"),
        ({"agent": "cursor", "source": "a"}, "bad-options"),
    ],
)
def test_options_that_make_no_host_are_told(make_host, options, code):
    with pytest.raises(hookbox.Error) as error:
        make_host(**options)
    assert error.value.code == code


def test_an_agent_that_there_is_not_is_told(host):
    with pytest.raises(hookbox.Error, match="unknown agent \"claude\"") as error:
        host.answer("claude", b"{}")
    assert error.value.code == "no-such-agent"


def test_the_agent_timeout_bounds_the_answer(make_host, configured, command, status):
    configured('[[hook]]\nname = "slow"\non = "tool.before"\nshell = { command = "sleep 60" }\n')
    assert status(make_host().answer("claude-code", command(), agent_timeout=0.2)).startswith("budget: ")
    with pytest.raises(hookbox.Error, match="`agent_timeout` is -1"):
        make_host().answer("claude-code", command(), agent_timeout=-1)


def test_a_folder_stands_for_a_missing_one(host, tmp_path):
    host.hook("tool.before", name="a")(lambda event: hookbox.deny("a", event["cwd"]))
    event = {"event": "tool.before", "tool": {"name": "Bash", "input": {}}}
    assert host.answer("native", event, cwd=tmp_path).reason == f"a: {tmp_path}"
    assert host.answer("native", event).reason == f"a: {os.getcwd()}"


def test_a_shipped_plugin_decides(make_host, configured, command):
    configured('[[hook]]\nname = "guard"\non = "tool.before"\ntool = { class = "shell" }\nwasm = { plugin = "guard-shell" }\n')
    host = make_host()
    assert host.prepare() == []
    assert decision(host.answer("claude-code", command("rm -rf /"))) == "deny"
    assert decision(host.answer("claude-code", command("ls"))) is None


def test_two_hosts_of_one_user_share_what_they_have_loaded(make_host, configured, command):
    configured('[[hook]]\nname = "guard"\non = "tool.before"\nwasm = { plugin = "guard-shell" }\n')
    start = lambda host: host.answer("claude-code", command()).outcome["reports"][0]["usage"]["start"]
    first, second = make_host(), make_host()
    first.prepare()
    assert (start(first), start(second)) == ("warm", "warm")


def test_what_cannot_be_made_ready_is_told(make_host, configured, tmp_path):
    configured('[[hook]]\nname = "guard"\non = "tool.before"\nwasm = { plugin = "guard-shell" }\n')
    (failed,) = make_host(compiler=tmp_path / "hookbox-compile", cache_home=tmp_path).prepare()
    assert failed["hook"] == "guard"
    assert "hookbox-compile" in failed["message"]


def test_the_package_is_typed_and_small_to_import():
    program = "import sys, hookbox; print(sorted(set(sys.modules) & {'asyncio', 'inspect', 'threading', 'typing', 'dataclasses'}))"
    said = subprocess.run([sys.executable, "-S", "-E", "-c", _path() + program], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


def _path():
    folder = os.path.dirname(os.path.dirname(hookbox.__file__))
    return f"import sys; sys.path.insert(0, {folder!r}); "


def test_an_agents_events_are_told_with_what_they_become():
    events = hookbox.agent_events("litellm")
    assert ("async_moderation_hook", "model.moderate") in events
    assert [becomes for event, becomes in events if event == "async_pre_call_hook"] == ["tool.before", "model.request"]
    with pytest.raises(hookbox.Error, match='unknown agent "nobody"') as raised:
        hookbox.agent_events("nobody")
    assert raised.value.code == "no-such-agent"


def test_an_answer_is_told_as_the_agent_sdks_callbacks_tell_it(host, command):
    assert host.answer("claude-code", command()).agent_sdk_output("PreToolUse") == {}
    host.hook("tool.before", "worktree.create", name="no")(lambda event: hookbox.deny("why", "because"))
    denied = {"permissionDecision": "deny", "permissionDecisionReason": "no: because (why)"}
    output = host.answer("claude-code", command()).agent_sdk_output("PreToolUse")
    assert output == {"hookSpecificOutput": {"hookEventName": "PreToolUse", **denied}}
    prompt = host.answer("claude-code", {"hook_event_name": "UserPromptSubmit"})
    assert (prompt.exit_code, prompt.agent_sdk_output("UserPromptSubmit")["decision"]) == (2, "block")
    worktree = {"hook_event_name": "WorktreeCreate", "session_id": "s", "cwd": "/", "name": "w"}
    assert host.answer("claude-code", worktree).agent_sdk_output("WorktreeCreate") is None


def test_what_a_program_with_the_agent_sdk_registers_is_told():
    events = {event.pop("event"): event for event in hookbox.agent_sdk_events()}
    assert set(events) == {event for event, _ in hookbox.agent_events("claude-code")}
    assert events["PreToolUse"] == {"timeout": 600, "on_failure": "block", "usual": True}
    assert events["Stop"] == {"timeout": 600, "on_failure": None, "usual": True}
    assert events["WorktreeCreate"] == {"timeout": 600, "on_failure": "block", "usual": False}
