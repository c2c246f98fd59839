"""llxprt-code's message bus in a program of Python's."""

import asyncio
import queue
import re
import subprocess
import sys
import threading

import hookbox
import pytest

REQUEST, RESPONSE = "HOOK_EXECUTION_REQUEST", "HOOK_EXECUTION_RESPONSE"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
READ = {"tool_name": "read_file", "tool_input": {"path": "/tmp/test.txt"}}
UNANSWERED = 60


@pytest.fixture
def bus(host):
    with host.bus(session="s") as bus:
        yield bus


def request(event="BeforeTool", payload=READ, **more):
    return {"type": REQUEST, "payload": {"eventName": event, "input": payload, **more}}


def responses(bus):
    """Waits for the payload of the next response."""
    heard = queue.Queue()
    bus.subscribe(heard.put, RESPONSE)
    return lambda: heard.get(timeout=UNANSWERED)["payload"]


def ask(bus, message):
    next_response = responses(bus)
    bus.publish(message)
    return next_response()


def test_a_request_runs_the_hooks_of_its_event_and_has_a_response(host, bus):
    @host.hook("tool.before", name="guard")
    def guard(event):
        return hookbox.deny("no", f"not {event['tool']['name']} in {event['session']}")

    response = ask(bus, request(correlationId="req-abc-123"))
    response["output"]["totalDuration"] = 0
    response["output"]["hookResults"][0]["duration"] = 0
    assert response == {
        "correlationId": "req-abc-123",
        "success": True,
        "output": {
            "hookResults": [
                {"eventName": "BeforeTool", "hookIdentity": "guard", "duration": 0, "success": True, "stderr": ""}
            ],
            "success": True,
            "finalOutput": {"decision": "deny", "reason": "guard: not read_file in s (no)"},
            "allOutputs": [{"decision": "deny", "reason": "not read_file in s"}],
            "errors": [],
            "totalDuration": 0,
        },
    }


@pytest.mark.parametrize("id", ["1", " ", "null", '\0"\\\n', "ключ", "x" * 10_000])
def test_a_response_bears_the_requests_correlation_id(bus, id):
    for event, success in [("BeforeTool", True), ("BeforeLunch", False)]:
        response = ask(bus, request(event, correlationId=id))
        assert (response["correlationId"], response["success"]) == (id, success)


def test_a_request_without_a_correlation_id_gets_one(bus):
    ids = [ask(bus, request())["correlationId"] for _ in range(2)]
    assert all(UUID.fullmatch(id) for id in ids)
    assert ids[0] != ids[1]


@pytest.mark.parametrize("event", ["UnknownEvent", "beforeTool", "BeforeTool ", "PreToolUse", "toString"])
def test_an_event_that_there_is_not_is_a_failed_response(bus, event):
    assert ask(bus, request(event, {}, correlationId="1")) == {
        "correlationId": "1",
        "success": False,
        "error": {"code": "unsupported_event", "message": f"Unknown event: {event}"},
    }


@pytest.mark.parametrize("payload", [None, [], {}, {"eventName": "BeforeTool"}, {"eventName": 7, "input": {}}])
def test_a_request_without_its_parts_is_answered_with_what_is_missing(bus, payload):
    error = ask(bus, {"type": REQUEST, "payload": payload})["error"]
    assert error["code"] == "invalid_request"
    assert error["message"].startswith("Missing ")


def test_an_input_that_the_event_has_not_is_a_failed_response(bus):
    error = ask(bus, request(payload={"tool_input": {}}))["error"]
    assert error["code"] == "VALIDATION_FAILURE"
    assert error["details"] == {"stage": "validation", "eventName": "BeforeTool"}


def test_a_hook_that_fails_is_no_success(host, bus):
    @host.hook("tool.before", name="broken", on_failure="allow")
    def broken(event):
        raise ValueError("out of paper")

    response = ask(bus, request())
    assert response["success"] is False
    assert response["error"]["details"]["stage"] == "execution"


def test_a_message_that_is_no_request_is_told_to_all_and_left_alone(bus):
    heard = queue.Queue()
    bus.subscribe(heard.put)
    message = {"type": "SOMETHING_ELSE", "payload": {"eventName": "BeforeTool", "input": READ}}
    bus.publish(message)
    bus.publish(request(correlationId="1"))
    types = [heard.get(timeout=UNANSWERED)["type"] for _ in range(3)]
    assert types == ["SOMETHING_ELSE", REQUEST, RESPONSE]


@pytest.mark.parametrize("message", [{}, {"type": 7}, [], ["HOOK_EXECUTION_REQUEST"], "text", None])
def test_what_is_no_message_is_an_error_of_whoever_publishes_it(bus, message):
    with pytest.raises(hookbox.Error) as raised:
        bus.publish(message)
    assert str(raised.value) == "bad-event: a message is an object with a `type`, which is a text"


def test_what_json_has_no_word_for_is_an_error_that_says_where_it_is(bus):
    with pytest.raises(TypeError, match=r'message\["payload"\]\["x"\] is of type set'):
        bus.publish({"type": "A", "payload": {"x": set()}})


def test_who_has_unsubscribed_hears_no_more(bus):
    heard = []
    unsubscribe = bus.subscribe(heard.append)
    unsubscribe()
    unsubscribe()
    ask(bus, request())
    assert heard == []


def test_a_subscriber_that_raises_is_told_of_and_keeps_nobody_from_the_message(bus, monkeypatch):
    told, calls = queue.Queue(), []
    monkeypatch.setattr(threading, "excepthook", lambda arguments: told.put(str(arguments.exc_value)))

    def raises(message):
        calls.append(message["type"])
        raise ValueError(len(calls))

    bus.subscribe(raises)
    for _ in range(2):
        assert ask(bus, request())["success"] is True
    assert [told.get(timeout=UNANSWERED) for _ in range(4)] == ["1", "2", "3", "4"]
    assert calls == [REQUEST, RESPONSE] * 2


def test_a_subscriber_gets_a_message_of_its_own(bus):
    heard = queue.Queue()
    bus.subscribe(lambda message: message["payload"].clear())
    bus.subscribe(heard.put)
    bus.publish({"type": "A", "payload": {"a": 1}})
    assert heard.get(timeout=UNANSWERED) == {"type": "A", "payload": {"a": 1}}


def test_what_is_no_function_cannot_subscribe(bus):
    with pytest.raises(TypeError, match="a subscriber is a function, and this is of type int"):
        bus.subscribe(7)


def test_all_hooks_are_listed_and_each_can_be_switched_off_and_on(host, bus):
    calls = []
    host.hook("tool.before", name="counting")(calls.append)
    host.hook("tool.before", name="other")(lambda event: None)

    def enabled():
        return {hook["name"]: hook["enabled"] for hook in bus.all_hooks()}

    assert enabled() == {"counting": True, "other": True}
    assert bus.set_hook_enabled("counting", False) == 1
    assert enabled() == {"counting": False, "other": True}
    ask(bus, request())
    bus.fire("BeforeTool", READ)
    assert calls == []
    assert bus.set_hook_enabled("counting", True) == 1
    ask(bus, request())
    assert len(calls) == 1
    assert bus.set_hook_enabled("nonexistent-hook", False) == 0
    assert set(bus.all_hooks()[0]) == {"name", "events", "role", "kind", "layer", "enabled"}


def test_a_program_asks_directly(host, bus):
    host.hook("tool.before", name="guard")(lambda event: hookbox.stop("enough"))
    result = bus.fire("BeforeTool", READ)
    assert (result["shouldStop"], result["stopReason"]) == (True, "enough")
    assert asyncio.run(bus.fire_async("BeforeTool", READ))["shouldStop"] is True
    assert bus.fire("BeforeLunch", {})["error"]["code"] == "unsupported_event"
    with pytest.raises(hookbox.Error, match="bad-event: the input is not an object"):
        bus.fire("BeforeTool", [])


def test_after_dispose_messages_are_ignored_and_calls_refused(host):
    calls = []
    host.hook("tool.before", name="counting")(calls.append)
    bus = host.bus()
    heard = []
    bus.subscribe(heard.append)
    for _ in range(3):
        bus.dispose()
        assert bus.disposed
    bus.publish(request())
    with pytest.raises(hookbox.Error) as raised:
        bus.fire("BeforeTool", READ)
    assert str(raised.value) == "disposed: the hook bus has been disposed of; make a new one for a new session"
    assert (calls, heard) == ([], [])
    # The host goes on.
    with host.bus() as other:
        assert ask(other, request())["success"] is True
    assert len(calls) == 1


def test_dispose_ends_what_is_under_way_and_who_waits_is_told(host):
    started = threading.Event()

    @host.hook("tool.before", name="endless")
    async def endless(event):
        started.set()
        await asyncio.Event().wait()

    bus = host.bus()
    next_response = responses(bus)
    bus.publish(request(correlationId="1"))
    assert started.wait(UNANSWERED)
    bus.dispose()
    response = next_response()
    assert (response["correlationId"], response["success"]) == ("1", False)
    assert response["error"]["message"].startswith("endless: cancelled: ")


def test_two_buses_of_a_host_hear_nothing_of_each_other(host):
    sessions = []
    host.hook("tool.before", name="seen")(lambda event: sessions.append(event["session"]))
    with host.bus(session="one") as one, host.bus(session="two") as two:
        heard = []
        two.subscribe(heard.append)
        ask(one, request(correlationId="1"))
        assert (sessions, heard) == (["one"], [])
        # The same id may be in use on each.
        ask(two, request(correlationId="1"))
        assert sessions == ["one", "two"]
        one.dispose()
        assert ask(two, request())["success"] is True


def test_on_an_event_loop_subscribers_are_called_there_and_may_be_async(host):
    async def main():
        async with host.bus() as bus:
            threads, heard = set(), asyncio.Queue()

            async def hear(message):
                threads.add(threading.get_ident())
                await heard.put(message["type"])

            bus.subscribe(hear)
            bus.subscribe(lambda message: threads.add(threading.get_ident()))
            bus.publish(request())
            assert [await asyncio.wait_for(heard.get(), UNANSWERED) for _ in range(2)] == [REQUEST, RESPONSE]
            assert threads == {threading.get_ident()}

    asyncio.run(main())


def test_an_async_subscriber_without_a_loop_has_one_of_ours(bus):
    heard = queue.Queue()

    async def hear(message):
        await asyncio.sleep(0)
        heard.put(message["type"])

    bus.subscribe(hear, RESPONSE)
    bus.publish(request())
    assert heard.get(timeout=UNANSWERED) == RESPONSE


def test_messages_come_one_after_another_until_the_bus_ends(host):
    async def main():
        bus = host.bus()
        messages = bus.messages(RESPONSE)
        for number in range(3):
            bus.publish(request(correlationId=str(number)))
        heard = [(await anext_of(messages))["payload"]["correlationId"] for _ in range(3)]
        assert sorted(heard) == ["0", "1", "2"]
        bus.dispose()
        assert [message async for message in messages] == []
        assert [message async for message in bus.messages()] == []

    def anext_of(messages):
        return asyncio.wait_for(messages.__anext__(), UNANSWERED)

    asyncio.run(main())


def test_what_is_under_way_when_the_bus_ends_is_told_before_messages_end(host):
    async def main():
        started = asyncio.Event()

        @host.hook("tool.before", name="endless")
        async def endless(event):
            loop.call_soon_threadsafe(started.set)
            await asyncio.Event().wait()

        loop = asyncio.get_running_loop()
        bus = host.bus()
        messages = bus.messages(RESPONSE)
        bus.publish(request(correlationId="1"))
        await asyncio.wait_for(started.wait(), UNANSWERED)
        bus.dispose()
        assert [message["payload"]["correlationId"] async for message in messages] == ["1"]

    asyncio.run(main())


def test_messages_can_be_left_before_the_bus_ends(host):
    async def main():
        with host.bus() as bus:
            messages = bus.messages()
            await messages.aclose()
            bus.publish(request())
            assert [message async for message in messages] == []

    asyncio.run(main())


def test_a_program_may_end_with_a_bus_and_a_hook_under_way(tmp_path):
    program = """
import asyncio, hookbox, threading
host = hookbox.Host(hooks=False, home=".")
started = threading.Event()
@host.hook("tool.before", name="endless")
async def endless(event):
    started.set()
    await asyncio.Event().wait()
bus = host.bus()
bus.subscribe(lambda message: None)
bus.publish({"type": "HOOK_EXECUTION_REQUEST", "payload": {"eventName": "BeforeTool", "input": {"tool_name": "a", "tool_input": {}}}})
assert started.wait(20)
print("end")
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


def test_a_child_process_is_told_that_the_bus_is_its_parents(tmp_path):
    program = """
import os, sys, hookbox
host = hookbox.Host(hooks=False, home=".")
bus = host.bus()
child = os.fork()
if child == 0:
    try:
        bus.publish({"type": "A"})
    except hookbox.Error as error:
        print(error, flush=True)
    assert bus.disposed
    bus.dispose()
    with host.bus() as own:
        own.publish({"type": "A"})
        print(own.fire("BeforeLunch", {})["error"]["code"], flush=True)
    del bus
    sys.exit()
assert os.waitpid(child, 0)[1] == 0
assert not bus.disposed
"""
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    message = "disposed: this bus is the parent process's; make one of this process by `host.bus()`\nunsupported_event\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, message, "")
