"""What is wrong, too much, or comes back to the proxy: a clear error, nothing hangs, and the policy decides."""

import asyncio
import collections
import datetime
import decimal
import enum
import threading

import hookbox
import pytest
from conftest import Model, Opaque, SayingHost, pre_call
from hookbox_litellm import Hookbox, Refused

HUNDRED_MEGABYTES = 100 << 20
REQUEST = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


class Raising:
    """An object whose members are made when they are asked for, and cannot be."""

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")


class BadProperty:
    @property
    def model_dump(self):
        raise ValueError("no")


class Text(str, enum.Enum):
    A = "a"


def told(value):
    host = SayingHost({})
    pre_call(Hookbox(host), {"model": "m", "value": value})
    return host.asked[0]["data"]["value"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (decimal.Decimal("0.10"), "0.10"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (Text.A, "a"),
        (b"\xff", "\ufffd"),
        (collections.OrderedDict(a=(1, [2])), {"a": [1, [2]]}),
        ({None: 1, 2: Opaque()}, {"None": 1, "2": "opaque"}),
        (Model(a=Model(b={1})), {"a": {"b": "{1}"}}),
        (10**30, 10**30),
        pytest.param([{"a": 10**5000}], [{"a": "<int>"}], id="digits"),
    ],
)
def test_a_member_that_is_no_json_is_told_as_text(value, expected):
    assert told(value) == expected


@pytest.mark.parametrize("kind", [Raising, BadProperty, threading.Lock, object, lambda: (n for n in "a"), lambda: len])
def test_an_object_that_nobody_can_look_into_is_told_as_some_text(kind):
    assert isinstance(told(kind()), str)


def test_a_request_of_a_hundred_megabytes_is_refused_and_the_next_one_answered(home, cache):
    host = hookbox.Host(hooks=False, home=home, cache_home=cache)
    host.hook("model.request", role="transform")(lambda event: hookbox.rewrite({"temperature": 0}, merge=True))
    one = Hookbox(host)
    with pytest.raises(Refused, match="33554432 bytes"):
        pre_call(one, {"model": "m", "messages": [{"role": "user", "content": "x" * HUNDRED_MEGABYTES}]})
    assert pre_call(one, REQUEST) == {**REQUEST, "temperature": 0}


@pytest.mark.parametrize("returned", [[1], {"verdit": "deny"}, {"context": {1}}, 7])
def test_a_function_that_returns_what_is_no_answer_refuses(home, cache, returned):
    host = hookbox.Host(hooks=False, home=home, cache_home=cache)
    host.hook("model.request", name="house", role="gate")(lambda event: returned)
    with pytest.raises(Refused, match="house"):
        pre_call(Hookbox(host), REQUEST)


def test_a_function_may_ask_the_host_again(home, cache):
    host = hookbox.Host(hooks=False, home=home, cache_home=cache)
    host.hook("custom:inner", role="gate")(lambda event: hookbox.deny("inner", "no"))

    @host.hook("model.request", role="gate")
    async def outer(event):
        inner = await host.dispatch_async({"event": "custom:inner"})
        return hookbox.deny("outer", str(next(iter(inner["verdict"]))))

    with pytest.raises(Refused, match="deny"):
        pre_call(Hookbox(host), REQUEST)


def test_a_function_that_closes_the_proxys_loop_refuses_and_the_loop_goes_on(home, cache):
    host = hookbox.Host(hooks=False, home=home, cache_home=cache)

    @host.hook("model.request", role="gate")
    async def closes(event):
        asyncio.get_running_loop().close()

    one = Hookbox(host)

    async def ask():
        for _ in range(2):
            with pytest.raises(Refused, match="Cannot close a running event loop"):
                await one.async_pre_call_hook(None, None, REQUEST, "completion")

    asyncio.run(ask())


def test_two_in_one_process_have_hooks_of_their_own(home, cache):
    def one(number):
        host = hookbox.Host(hooks=False, home=home, cache_home=cache)
        host.hook("model.request", role="transform")(lambda event: hookbox.rewrite({"n": number}, merge=True))
        return Hookbox(host)

    first, second = one(1), one(2)
    assert [pre_call(each, REQUEST)["n"] for each in (first, second, first)] == [1, 2, 1]
