"""Which events hookbox is asked about."""

import asyncio
import datetime
import threading

import pytest
from conftest import Model, SayingHost, pre_call, stream
from hookbox_litellm import Hookbox, _subscriptions

NOW = datetime.datetime(2026, 1, 2)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The time, which goes on when a test says so."""
    now = [0.0]
    monkeypatch.setattr(_subscriptions.time, "monotonic", lambda: now[0])
    return now


def asked(host):
    return [event["litellm_hook"] for event in host.asked]


def test_events_without_a_hook_cost_nothing():
    host = SayingHost({}, on=[])
    hookbox = Hookbox(host)
    assert pre_call(hookbox, {"model": "m"}) is None
    asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))
    asyncio.run(hookbox.async_post_call_success_hook({}, None, Model()))
    asyncio.run(hookbox.async_pre_call_deployment_hook({}, None))
    asyncio.run(hookbox.async_post_mcp_tool_call_hook({}, None, NOW, NOW))
    asyncio.run(hookbox.async_post_call_failure_hook({}, ValueError(), None))
    assert asyncio.run(hookbox.async_filter_deployments("m", [1], [])) == [1]
    assert asyncio.run(hookbox.async_logging_hook({}, 1, "c")) == ({}, 1)
    hookbox.log_success_event({}, "r", NOW, NOW)
    assert stream(hookbox, "a", "b") == ["a", "b"]
    assert host.asked == []


def test_an_event_with_a_hook_is_asked_about_and_no_other():
    host = SayingHost({}, on=["model.request"])
    hookbox = Hookbox(host)
    pre_call(hookbox, {"model": "m"})
    pre_call(hookbox, {"model": "m"}, "mcp_call")
    asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))
    assert asked(host) == ["async_pre_call_hook"]


def test_a_skipped_method_does_not_ask():
    host = SayingHost({})
    hookbox = Hookbox(host, skipped=["async_pre_call_hook", "log_success_event"])
    pre_call(hookbox, {"model": "m"})
    hookbox.log_success_event({}, "r", NOW, NOW)
    assert host.asked == []


@pytest.mark.parametrize("event, expected", [("model.stream-end", 1), ("model.stream-chunk", 2)])
def test_a_hook_for_the_end_of_a_stream_costs_nothing_for_its_chunks(event, expected):
    host = SayingHost({}, on=[event])
    assert stream(Hookbox(host), "a", "b") == ["a", "b"]
    assert len(host.asked) == expected


def test_which_events_have_hooks_is_asked_again_at_most_ten_times_a_second(clock):
    host = SayingHost({}, on=[])
    looked = []
    hookbox = Hookbox(host)
    host.events = lambda: looked.append(clock[0]) or host.on
    for step in range(16):
        clock[0] = step / 16
        pre_call(hookbox, {"model": "m"})
    assert len(looked) == 8
    host.on = ["model.request"]
    pre_call(hookbox, {"model": "m"})
    assert host.asked == []
    clock[0] += 0.1
    pre_call(hookbox, {"model": "m"})
    assert asked(host) == ["async_pre_call_hook"]


def test_nobody_goes_by_what_was_known_long_ago_while_another_looks(clock):
    looking, go = threading.Event(), threading.Event()

    def looks():
        looking.set()
        assert go.wait(60)
        return ["model.moderate"]

    async def side_by_side():
        first = asyncio.create_task(hookbox.async_moderation_hook({}, None, "c"))
        await asyncio.to_thread(looking.wait, 60)
        others = [asyncio.create_task(hookbox.async_moderation_hook({}, None, "c")) for _ in range(3)]
        for _ in range(10):
            await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, *others)

    host = SayingHost({}, on=[])
    hookbox = Hookbox(host)
    pre_call(hookbox, {"model": "m"})
    clock[0] += 3600
    host.events = looks
    asyncio.run(side_by_side())
    assert len(host.asked) == 4


def test_a_host_that_cannot_tell_is_asked_about_everything():
    def fails():
        raise RuntimeError("no")

    host = SayingHost({})
    host.events = fails
    pre_call(Hookbox(host), {"model": "m"})
    assert asked(host) == ["async_pre_call_hook"]
