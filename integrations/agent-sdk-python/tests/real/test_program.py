"""What becomes of a program's session with the real Claude Code."""

import asyncio

import hookbox
from claude_agent_sdk import HookMatcher, query
from conftest import ended, talk
from hookbox_agent_sdk import hookbox_options

NO_LETTERS = """
[[hook]]
name = "no-letters"
on = "tool.before"
tool = { class = "shell" }
shell = { command = '''grep -q 'rm letter' && echo '{"verdict":"deny","code":"letter","reason":"letters are kept"}' || echo '{}' ''' }
"""


def test_a_hook_of_the_users_file_denies_a_command_and_the_model_is_told_why(model, plain, host, configured, project):
    configured(NO_LETTERS)
    (project / "letter").write_text("Dear reader,")
    model.commands = ["rm letter", "echo ran > proof"]
    said = asyncio.run(talk(hookbox_options(plain(), host=host)))
    assert ended(said) == "success"
    assert (project / "letter").exists()
    assert "no-letters: letters are kept (letter)" in model.results[0]
    assert (project / "proof").read_text() == "ran\n"


def test_without_hookbox_the_same_command_runs(model, plain, project):
    (project / "letter").write_text("Dear reader,")
    model.commands = ["rm letter"]
    asyncio.run(talk(plain()))
    assert not (project / "letter").exists()


def test_a_command_is_rewritten(model, plain, host, project):
    @host.hook("tool.before", role="transform")
    def elsewhere(event):
        return hookbox.rewrite({"command": "echo other > proof"}, merge=True)

    model.commands = ["echo one > proof"]
    asyncio.run(talk(hookbox_options(plain(), host=host)))
    assert (project / "proof").read_text() == "other\n"


def test_hooks_of_the_programs_own_are_asked_beside_it(model, plain, host, configured, project):
    configured(NO_LETTERS)
    asked = []

    async def own(hook_input, tool_use_id, context):
        asked.append(hook_input["tool_input"]["command"])
        denied = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "own: no"}
        return {"hookSpecificOutput": denied} if "proof" in hook_input["tool_input"]["command"] else {}

    before = plain(hooks={"PreToolUse": [HookMatcher(matcher="Bash", hooks=[own])]})
    model.commands = ["rm letter", "echo ran > proof"]
    asyncio.run(talk(hookbox_options(before, host=host)))
    assert asked == ["rm letter", "echo ran > proof"]
    assert "letters are kept" in model.results[0]
    assert "own: no" in model.results[1]
    assert not (project / "proof").exists()
    assert list(before.hooks) == ["PreToolUse"] and len(before.hooks["PreToolUse"]) == 1


def test_a_file_that_changes_counts_within_a_session(model, plain, host, configured, project):
    @host.hook("tool.after", role="observe")
    def change(event):
        configured(NO_LETTERS)
        host.reload()

    model.commands = ["echo rm letter > before", "echo rm letter > after"]
    asyncio.run(talk(hookbox_options(plain(), host=host)))
    assert (project / "before").exists()
    assert not (project / "after").exists()


def test_a_hook_that_fails_denies_unless_its_policy_says_otherwise(model, plain, host, project):
    @host.hook("tool.before")
    def broken(event):
        raise ValueError("it is broken")

    model.commands = ["echo ran > proof"]
    asyncio.run(talk(hookbox_options(plain(), host=host)))
    assert "it is broken" in model.results[0]
    assert not (project / "proof").exists()

    broken.remove()
    host.hook("tool.before", name="again", on_failure="allow")(broken)
    asyncio.run(talk(hookbox_options(plain(), host=host)))
    assert (project / "proof").exists()


class BrokenHost:
    """A host that cannot be asked."""

    async def answer_async(self, *arguments, **words):
        raise RuntimeError("hookbox is broken")


def test_when_hookbox_itself_fails_nothing_runs_unless_the_program_says_so(model, plain, project):
    model.commands = ["echo ran > proof"]
    said = asyncio.run(talk(hookbox_options(plain(), host=BrokenHost(), events=["PreToolUse"])))
    assert ended(said) == "success"
    assert not (project / "proof").exists()
    asyncio.run(talk(hookbox_options(plain(), host=BrokenHost(), events=["PreToolUse"], on_failure="continue")))
    assert (project / "proof").exists()


def test_a_hook_that_is_late_is_ended_and_denies(model, plain, host, project, tmp_path):
    @host.hook("tool.before", timeout=60)
    async def slow(event):
        try:
            await asyncio.sleep(60)
        finally:
            (tmp_path / "ended").write_text("")

    model.commands = ["echo ran > proof"]
    asyncio.run(talk(hookbox_options(plain(), host=host, timeout=1)))
    assert not (project / "proof").exists()
    assert "slow" in model.results[0]
    assert (tmp_path / "ended").exists()


def test_a_prompt_a_tool_and_a_stop_are_told_in_their_order(model, plain, host):
    told = []
    host.hook("*", role="observe", name="all")(lambda event: told.append(event["agent_event"]))
    model.commands = ["true"]
    asyncio.run(talk(hookbox_options(plain(), host=host)))
    assert told == ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "Stop"]


def test_a_prompt_is_refused(model, plain, host):
    @host.hook("prompt.submit")
    def no_secrets(event):
        return hookbox.deny("secret", "keep it to yourself") if "secret" in event["payload"]["prompt"] else None

    asyncio.run(talk(hookbox_options(plain(), host=host), prompt="my secret"))
    assert "my secret" not in str(model.requests)


def test_a_query_is_asked_about_as_well(model, plain, host, configured, project):
    configured(NO_LETTERS)
    model.commands = ["echo rm letter > proof"]

    async def run():
        return [said async for said in query(prompt="Tidy up.", options=hookbox_options(plain(), host=host))]

    assert ended(asyncio.run(run())) == "success"
    assert "letters are kept" in model.results[0]
    assert not (project / "proof").exists()


def test_a_program_on_trio_is_asked_about_as_well(model, plain, host, configured, project):
    import trio

    configured(NO_LETTERS)
    model.commands = ["echo rm letter > proof", "echo ran > other"]
    trio.run(talk, hookbox_options(plain(), host=host))
    assert "letters are kept" in model.results[0]
    assert (project / "other").exists() and not (project / "proof").exists()
