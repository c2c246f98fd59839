"""What a callback returns."""

import asyncio

import hookbox
import pytest
from hookbox_agent_sdk import HookboxError, hookbox_hooks


def ask(host, hook_input, **words):
    [matcher] = hookbox_hooks(host=host, **words)[hook_input["hook_event_name"]]
    [callback] = matcher.hooks
    return asyncio.run(callback(hook_input, None, {"signal": None}))


def test_no_opinion_is_an_empty_output(host, command):
    assert ask(host, command()) == {}


def test_a_denial_is_an_output(host, command):
    host.hook("tool.before", name="no")(lambda event: hookbox.deny("why", "because"))
    denied = {"permissionDecision": "deny", "permissionDecisionReason": "no: because (why)"}
    assert ask(host, command()) == {"hookSpecificOutput": {"hookEventName": "PreToolUse", **denied}}


def test_what_is_refused_by_exit_code_elsewhere_is_an_output(host):
    """Who asks by a process gets exit code 2 for it."""
    missing = "VALIDATION_FAILURE in Stop, field `stop_hook_active`: it is missing; it must be `true` or `false`"
    assert ask(host, {"hook_event_name": "Stop"}) == {"decision": "block", "reason": missing}


def test_an_event_without_a_folder_happens_in_that_of_the_program(host, tmp_path):
    told = []
    host.hook("tool.before", name="told")(lambda event: told.append(event["cwd"]))
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    ask(host, event, cwd=tmp_path)
    assert told == [str(tmp_path)]


def test_who_cancels_the_callback_ends_the_hooks(host, command):
    ended = []

    @host.hook("tool.before", name="slow", timeout=600)
    async def slow(event):
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            ended.append(event["id"])
            gone.set()

    async def run():
        nonlocal begun, gone
        begun, gone = asyncio.Event(), asyncio.Event()
        [callback] = hookbox_hooks(host=host)["PreToolUse"][0].hooks
        task = asyncio.create_task(callback(command(), None, {}))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(gone.wait(), 60)

    begun = gone = None
    asyncio.run(run())
    assert len(ended) == 1


def test_what_cannot_be_said_is_an_error(host, tmp_path):
    """A worktree is made by its hook or not at all."""
    host.hook("worktree.create", name="no")(lambda event: hookbox.deny("why", "because"))
    event = {"hook_event_name": "WorktreeCreate", "session_id": "s", "cwd": str(tmp_path), "name": "w"}
    with pytest.raises(HookboxError, match="no: because"):
        ask(host, event, events=["WorktreeCreate"])


def block_bash_patterns(host, patterns):
    """The example of the README."""

    @host.hook("tool.before", name="block-bash-patterns", tool="Bash")
    def blocks(event):
        command = event["tool"]["command"] or ""
        for pattern in patterns:
            if pattern in command:
                return hookbox.deny("forbidden-pattern", f"Command contains forbidden pattern: {pattern}")


def test_a_bash_command_with_a_forbidden_pattern_is_denied_and_all_else_goes_on(host, command):
    block_bash_patterns(host, ["rm -rf", "sudo"])
    said = ask(host, command("sudo ls"))["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "Command contains forbidden pattern: sudo" in said["permissionDecisionReason"]
    assert ask(host, command("ls")) == {}
    assert ask(host, {**command("sudo ls"), "tool_name": "Write", "tool_input": {"file_path": "/tmp/sudo", "content": "sudo"}}) == {}
