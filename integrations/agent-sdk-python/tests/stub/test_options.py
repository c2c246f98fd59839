"""What is registered with the SDK."""

import hookbox
import pytest
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher
from hookbox_agent_sdk import hookbox_hooks, hookbox_options


def test_options_stay_what_they_are_and_get_hooks(host):
    own = HookMatcher(matcher="Bash", hooks=[print])
    before = ClaudeAgentOptions(model="m", hooks={"PreToolUse": [own], "Setup": [own]})
    after = hookbox_options(before, host=host)
    assert (after.model, before.hooks) == ("m", {"PreToolUse": [own], "Setup": [own]})
    assert after.hooks["PreToolUse"][0] is own
    assert after.hooks["Setup"] == [own]
    assert [len(after.hooks[event]) for event in ("PreToolUse", "Stop")] == [2, 1]


def test_without_options_there_are_hooks_alone(host):
    assert "PreToolUse" in hookbox_options(host=host).hooks


def test_an_event_is_waited_for_as_long_as_for_a_process_and_what_can_be_blocked_is(host):
    hooks = hookbox_hooks(host=host)
    registered = {event: (matcher.matcher, matcher.timeout, matcher.on_failure) for event, [matcher] in hooks.items()}
    assert registered["PreToolUse"] == (None, 600, "block")
    assert registered["UserPromptSubmit"] == (None, 30, "block")
    assert registered["Stop"] == (None, 600, None)
    assert registered["SessionEnd"] == (None, 1.5, None)
    assert registered["PermissionRequest"] == (None, 600, "block")


def test_what_stands_in_for_claude_code_itself_is_registered_by_name_alone(host):
    assert "WorktreeCreate" not in hookbox_hooks(host=host)
    assert list(hookbox_hooks(host=host, events=["WorktreeCreate", "Stop"])) == ["Stop", "WorktreeCreate"]
    assert list(hookbox_hooks(host=host, events="Stop")) == ["Stop"]


def test_a_program_may_say_how_long_and_what_a_failure_means(host):
    [matcher] = hookbox_hooks(host=host, timeout=5, on_failure="continue")["PreToolUse"]
    assert (matcher.timeout, matcher.on_failure) == (5, None)


def test_a_host_is_made_of_its_options(tmp_path):
    file = tmp_path / "hooks.toml"
    file.write_text("")
    assert hookbox_options(config=file, home=tmp_path).hooks
    with pytest.raises(hookbox.Error, match="exclude each other"):
        hookbox_options(config=file, session=file)


@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        ({"timeout": "3"}, ValueError, "`timeout` is '3', but must be seconds, more than 0"),
        ({"timeout": 0}, ValueError, "`timeout` is 0, but must be seconds, more than 0"),
        ({"on_failure": "deny"}, ValueError, "`on_failure` is 'deny', but must be 'block' or 'continue'"),
        ({"events": ["PreToolUs"]}, ValueError, "Claude Code has no event 'PreToolUs'; it has SessionStart, "),
        ({"hooks": False}, TypeError, "`host` is a whole host, so hooks cannot be said beside it"),
    ],
)
def test_what_is_wrong_is_told(host, words, kind, said):
    with pytest.raises(kind) as raised:
        hookbox_hooks(host=host, **words)
    assert str(raised.value).startswith(said)
