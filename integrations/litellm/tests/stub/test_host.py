"""The class on a real host."""

import asyncio
import datetime
import time

import hookbox
import pytest
from conftest import Model, Opaque, pre_call, stream
from hookbox_litellm import Hookbox, Refused

NOW = datetime.datetime(2026, 1, 2)
HOOKS = """
[[hook]]
name = "no-secrets"
on = ["model.request", "model.moderate", "model.response"]
role = "gate"
shell = { command = '''grep -q secret && echo '{"verdict":"deny","reason":"a secret"}' || echo '{}' ''' }

[[hook]]
name = "quiet"
on = "model.request"
role = "transform"
shell = { command = '''echo '{"rewrite":{"merge":{"temperature":0}},"context":"be kind"}' ''' }
"""


def test_a_request_is_changed(configured, make):
    configured(HOOKS)
    data = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "temperature": 1, "logger": Opaque()}
    changed = pre_call(make(), data)
    assert (changed["temperature"], changed["logger"]) == (0, data["logger"])
    assert changed["messages"][0] == data["messages"][0]
    assert "be kind" in changed["messages"][1]["content"]


def test_a_request_and_a_response_are_rejected(configured, make):
    configured(HOOKS)
    one = make()
    data = {"model": "m", "messages": [{"role": "user", "content": "the secret"}]}
    with pytest.raises(Refused, match="a secret"):
        pre_call(one, data)
    with pytest.raises(Refused, match="a secret"):
        asyncio.run(one.async_post_call_success_hook({}, None, Model(text="the secret")))


def test_what_no_hook_is_for_passes(configured, make):
    configured(HOOKS)
    one = make()
    one.log_success_event({"model": "m"}, Model(), NOW, NOW)
    assert asyncio.run(one.async_pre_call_deployment_hook({"model": "m"}, None)) is None


def test_a_changed_file_counts_soon(configured, make):
    configured(HOOKS)
    one, data = make(), {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    assert pre_call(one, data)["temperature"] == 0
    configured(HOOKS.replace("model.request", "model.log"))
    end = time.monotonic() + 60
    while pre_call(one, data) is not None:
        assert time.monotonic() < end
    assert pre_call(one, data) is None


def test_a_file_that_is_wrong_rejects_what_can_be(configured, make, caplog):
    configured("[[hook]]\nname =")
    with pytest.raises(Refused, match="the hooks of this proxy are not configured rightly; its log says what is wrong"):
        pre_call(make(), {"model": "m"})
    assert "hooks.toml" in caplog.text


def test_a_hook_that_takes_too_long_is_a_refusal(configured, make):
    configured(HOOKS.replace("grep", "sleep 1000; grep"))
    with pytest.raises(Refused):
        asyncio.run(make(timeout=0.3).async_moderation_hook({}, None, "completion"))


def test_functions_of_the_proxys_own_decide_too(home, cache):
    host = hookbox.Host(hooks=False, home=home, cache_home=cache)
    seen = []

    @host.hook("model.stream-chunk", role="transform")
    async def louder(event):
        seen.append(event["payload"]["request"])
        return hookbox.rewrite(event["payload"]["chunk"].upper())

    @host.hook("model.stream-end")
    def ended(event):
        seen.append("end")

    assert stream(Hookbox(host), "a", "b") == ["A", "B"]
    assert seen == [{"model": "m"}, {"model": "m"}, "end"]


def test_the_provider_is_told(home, cache, monkeypatch):
    host = hookbox.Host(hooks=False, home=home, cache_home=cache)
    seen = []
    host.hook("model.request")(lambda event: seen.append(event["payload"]["provider"]))
    monkeypatch.setattr("hookbox_litellm._callback.provider_of", lambda data: {"provider": "groq"})
    pre_call(Hookbox(host), {"model": "alias"})
    assert seen == ["groq"]
