"""What is wrong, too much, or comes back to the host: a clear error or a refusal, and nothing hangs."""

import asyncio
import threading

import hookbox
import pytest

TOOL = {"event": "tool.before", "tool": {"name": "Bash", "input": {"command": "ls"}}}
HUNDRED_MEGABYTES = 100 << 20


def refused(response):
    return response.exit_code == 2 or b"deny" in response.stdout.encode()


@pytest.mark.parametrize("sent", [b"no JSON", b"[1]", b'"text"', b"{", b"{}", b"\xff", b'{"a":1,"a":2}', b"[" * 200])
def test_bytes_that_are_no_event_are_refused(host, sent):
    host.hook("tool.before", name="a")(lambda event: None)
    assert refused(host.answer("claude-code", sent))


def test_an_event_of_a_hundred_megabytes_is_refused_and_the_next_one_answered(host):
    host.hook("tool.before", name="a")(lambda event: hookbox.ask("asked", ""))
    long = b'{"hook_event_name":"PreToolUse","tool_name":"' + b"x" * HUNDRED_MEGABYTES + b'"}'
    response = host.answer("claude-code", long)
    assert refused(response)
    assert "33554432 bytes" in response.reason
    assert "ask" in host.dispatch(TOOL)["verdict"]


def test_an_answer_of_a_hundred_megabytes_is_cut_and_still_an_answer(host):
    long = "x" * HUNDRED_MEGABYTES
    host.hook("tool.before", name="a")(lambda event: {**hookbox.deny("a", long), "context": long})
    outcome = host.dispatch(TOOL)
    (context,) = outcome["contexts"]
    for text in (outcome["verdict"]["deny"]["text"], context["value"]):
        assert len(text) < 1 << 20 and "more characters]" in text


def test_two_hosts_in_one_process_keep_to_their_own_hooks_and_may_ask_each_other(make_host):
    one, other = make_host(hooks=False), make_host(hooks=False)
    one.hook("tool.before", name="a")(lambda event: hookbox.ask("one", str(other.dispatch(event)["verdict"])))
    other.hook("tool.before", name="a")(lambda event: hookbox.deny("other", ""))
    told = "{'deny': {'code': 'other', 'text': ''}}"
    assert one.dispatch(TOOL)["verdict"] == {"ask": {"code": "one", "text": told}}
    assert other.set_enabled("a", False) == 1
    assert one.dispatch(TOOL)["verdict"] == {"ask": {"code": "one", "text": "none"}}


def test_an_async_function_that_closes_the_callers_loop_fails_and_the_loop_goes_on(host, status):
    @host.hook("tool.before", name="a")
    async def closes(event):
        asyncio.get_running_loop().close()

    async def asks():
        return [await host.dispatch_async(TOOL) for _ in range(2)]

    for outcome in asyncio.run(asks()):
        assert status(outcome) == "hook-error: RuntimeError: Cannot close a running event loop"
        assert "deny" in outcome["verdict"]


def test_an_async_function_that_stops_the_callers_loop_stops_that_program_and_not_the_host(host):
    @host.hook("tool.before", name="a")
    async def stops(event):
        asyncio.get_running_loop().stop()
        await asyncio.sleep(60)

    with pytest.raises(RuntimeError, match="Event loop stopped before Future completed"):
        asyncio.run(host.dispatch_async(TOOL))
    host.hook("tool.after", name="b")(lambda event: None)
    done = threading.Event()
    threading.Thread(target=lambda: (host.dispatch({"event": "custom:x"}), done.set())).start()
    assert done.wait(30)
