"""Answers for who must not wait."""

import asyncio
import threading

import hookbox
import pytest

TOOL = {"event": "tool.before", "tool": {"name": "Bash", "input": {"command": "ls"}}}


def test_an_answer_is_awaited(host, command):
    host.hook("tool.before", name="a")(lambda event: hookbox.deny("no", "text"))
    response = asyncio.run(host.answer_async("claude-code", command()))
    assert isinstance(response, hookbox.Response)
    assert response.reason == "a: text"


def test_the_loop_goes_on_meanwhile(host):
    async def both():
        go_on = threading.Event()
        host.hook("tool.before", name="a")(lambda event: go_on.wait(10) and None)
        waiting = asyncio.create_task(host.dispatch_async(TOOL))
        await asyncio.sleep(0)
        go_on.set()
        return await waiting

    assert asyncio.run(both())["verdict"] == "none"


def test_an_async_function_runs_on_the_callers_loop(host):
    loops = []

    async def hook(event):
        loops.append(asyncio.get_running_loop())

    host.hook("tool.before", name="a")(hook)

    async def main():
        await host.dispatch_async(TOOL)
        return asyncio.get_running_loop()

    assert asyncio.run(main()) is loops[0]
    host.dispatch(TOOL)
    assert loops[1] is not loops[0]


def test_who_waits_on_a_loop_may_use_a_plain_call_with_async_functions(host):
    async def hook(event):
        await asyncio.sleep(0)
        return hookbox.deny("no", "")

    host.hook("tool.before", name="a")(hook)

    async def main():
        return host.dispatch(TOOL)

    assert "deny" in asyncio.run(main())["verdict"]


def test_who_gives_up_ends_the_hooks(host):
    begun, cancelled = threading.Event(), threading.Event()

    async def hook(event):
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    host.hook("tool.before", name="a")(hook)

    async def main():
        task = asyncio.create_task(host.dispatch_async(TOOL))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while not cancelled.is_set():
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_process_ends_when_nobody_waits_for_it(make_host, configured, tmp_path):
    mark = tmp_path / "mark"
    configured(f'[[hook]]\nname = "a"\non = "tool.before"\nshell = {{ command = "echo $$ > {mark}; sleep 600" }}\n')

    async def main():
        task = asyncio.create_task(make_host().dispatch_async(TOOL))
        while not (mark.exists() and mark.read_text()):
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        process = f"/proc/{mark.read_text().strip()}/stat"
        while True:
            try:
                if open(process).read().split()[2] == "Z":
                    return
            except (FileNotFoundError, ProcessLookupError):
                return
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(main(), 20))


def test_many_events_are_under_way_on_one_loop(host):
    async def hook(event):
        await asyncio.sleep(0.01)
        return hookbox.deny("no", event["session"])

    host.hook("tool.before", name="a")(hook)

    async def main():
        calls = [host.dispatch_async(TOOL | {"session": str(number)}) for number in range(50)]
        return [outcome["verdict"]["deny"]["text"] for outcome in await asyncio.gather(*calls)]

    assert asyncio.run(main()) == [str(number) for number in range(50)]


def test_errors_are_raised_where_they_are_awaited(host):
    with pytest.raises(hookbox.Error, match="bad-event: "):
        asyncio.run(host.dispatch_async({"event": "x"}))
    with pytest.raises(hookbox.Error, match="no-such-agent: "):
        asyncio.run(host.answer_async("nobody", b""))
    with pytest.raises(TypeError, match=r'event\["a"\] is of type object'):
        asyncio.run(host.answer_async("native", {"a": object()}))


PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/", "transcript_path": "", "prompt": "hi"}
PLUGIN = """
[[hook]]
name = "plugin"
on = "prompt.submit"
wasm = { plugin = "context" }
config = { MOMENT = "be kind" }
"""
COMMAND = """
[[hook]]
name = "command"
on = "prompt.submit"
shell = { command = "true" }
"""


def turns_of(host):
    """What is said about a prompt, and whether the loop did something else before that was there."""

    async def main():
        turned = []
        await asyncio.to_thread(host.events, "/")
        asyncio.get_running_loop().call_soon(turned.append, True)
        response = await host.answer_async("claude-code", PROMPT)
        return "be kind" in response.stdout, bool(turned)

    assert host.prepare("/") == []
    return asyncio.run(main())


def test_a_plugin_that_is_loaded_and_says_nothing_is_asked_without_a_turn_of_the_loop(make_host, configured):
    configured(PLUGIN.replace("MOMENT", "session"))
    assert turns_of(make_host()) == (False, False)


def test_what_a_plugin_says_is_written_down_while_the_loop_goes_on(make_host, configured):
    configured(PLUGIN.replace("MOMENT", "prompt"))
    assert turns_of(make_host()) == (True, True)


def test_the_loop_goes_on_while_a_command_runs_beside_a_plugin(make_host, configured):
    configured(PLUGIN.replace("MOMENT", "session") + COMMAND)
    assert turns_of(make_host()) == (False, True)


def test_the_loop_goes_on_while_a_function_runs_beside_a_plugin(make_host, configured):
    configured(PLUGIN.replace("MOMENT", "session"))
    host = make_host()
    host.hook("prompt.submit", name="own")(lambda event: None)
    assert turns_of(host) == (False, True)
