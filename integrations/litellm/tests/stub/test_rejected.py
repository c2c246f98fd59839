"""What is refused, and what becomes of a request when hookbox fails."""

import asyncio
import datetime
import sys
import types

import pytest
from conftest import BrokenHost, Model, SayingHost, pre_call, stream
from hookbox_litellm import Hookbox, Refused

NOW = datetime.datetime(2026, 1, 2)
GATES = {
    "pre_call": lambda hookbox: hookbox.async_pre_call_hook(None, None, {}, "completion"),
    "moderation": lambda hookbox: hookbox.async_moderation_hook({}, None, "completion"),
    "success": lambda hookbox: hookbox.async_post_call_success_hook({}, None, {}),
    "deployments": lambda hookbox: hookbox.async_filter_deployments("m", [{"id": 1}], []),
    "deployment": lambda hookbox: hookbox.async_pre_call_deployment_hook({}, None),
}
FAILURES = {
    "cannot be asked: it is broken": BrokenHost(),
    r"gave no answer \(exit code 3\): oops": SayingHost("", code=3, stderr="oops\n"),
    "gave no answer": SayingHost([]),
    "not understood": SayingHost({"action": "reject", "message": "not understood"}, code=2, outcome=None),
}


@pytest.fixture(params=GATES.values(), ids=GATES)
def gate(request):
    return request.param


@pytest.mark.parametrize(
    "host, message",
    [
        (SayingHost({"action": "reject", "message": "not here"}, code=2), "not here"),
        (SayingHost({"action": "reject", "message": "not here"}), "not here"),
        (SayingHost({}, code=2), "exit code 2"),
        (SayingHost({"action": "something new"}), "exit code 0"),
    ],
)
@pytest.mark.parametrize("policy", ["deny", "allow"])
def test_a_rejection_raises_with_its_message_whatever_the_policy(gate, host, message, policy):
    with pytest.raises(Refused, match=message):
        asyncio.run(gate(Hookbox(host, on_failure=policy)))


@pytest.mark.parametrize("message", FAILURES)
def test_when_hookbox_fails_what_can_reject_does(gate, message):
    with pytest.raises(Refused, match=message):
        asyncio.run(gate(Hookbox(FAILURES[message])))


@pytest.mark.parametrize("message", FAILURES)
def test_when_hookbox_fails_a_request_goes_on_if_the_policy_says_so(gate, message, caplog):
    assert asyncio.run(gate(Hookbox(FAILURES[message], on_failure="allow"))) in (None, [{"id": 1}])
    assert "goes on although hookbox failed" in caplog.text


def test_a_rewrite_that_cannot_be_followed_is_a_failure():
    class Strict(Model):
        def __init__(self, text):
            super().__init__(text=text)

    host = SayingHost({"response": {"other": 1}})
    with pytest.raises(Refused, match="other"):
        asyncio.run(Hookbox(host).async_post_call_success_hook({}, None, Strict("a")))
    open_one = Hookbox(host, on_failure="allow")
    assert asyncio.run(open_one.async_post_call_success_hook({}, None, Strict("a"))) is None


def test_a_stream_ends_with_an_error_that_litellm_can_tell_in_the_stream():
    host = SayingHost({"action": "reject", "message": "not this"}, code=2)
    with pytest.raises(Refused, match="not this") as raised:
        stream(Hookbox(host), "a")
    assert (raised.value.status_code, raised.value.message) == (400, "not this")


def test_an_answer_that_does_not_come_is_a_failure(monkeypatch):
    class SilentHost(SayingHost):
        async def answer_async(self, agent, event, agent_timeout):
            await asyncio.Event().wait()

    monkeypatch.setattr("hookbox_litellm._callback.GRACE", 0)
    hookbox = Hookbox(SilentHost({}), timeout=0.1)
    with pytest.raises(Refused, match="hookbox did not answer within 0.1 seconds"):
        asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))


def test_who_calls_the_proxy_is_not_told_where_its_broken_files_are(caplog):
    message = "configuration: /home/somebody/hooks.toml: the file is not there"
    outcome = {"reasons": [{"value": {"code": "bad-configuration", "text": ""}}]}
    hookbox = Hookbox(SayingHost({"action": "reject", "message": message}, code=2, outcome=outcome))
    with pytest.raises(Refused) as refused:
        asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))
    assert str(refused.value) == "the hooks of this proxy are not configured rightly; its log says what is wrong"
    assert message in caplog.text


def test_the_proxy_makes_a_bad_request_of_it(monkeypatch):
    class HTTPException(Exception):
        def __init__(self, status_code, detail):
            super().__init__(status_code, detail)

    fastapi = types.ModuleType("fastapi")
    fastapi.HTTPException = HTTPException
    monkeypatch.setitem(sys.modules, "fastapi", fastapi)
    with pytest.raises(HTTPException) as raised:
        pre_call(Hookbox(SayingHost({"action": "reject", "message": "no"})), {})
    assert raised.value.args == (400, {"error": "no"})


@pytest.mark.parametrize("content", ["list", "result"])
def test_the_result_of_a_tool_gives_way_to_the_message(content):
    hookbox = Hookbox(SayingHost({"action": "reject", "message": "not for you"}))
    result = types.SimpleNamespace(mcp_tool_call_response=["secret"])
    if content == "result":
        result.mcp_tool_call_response = types.SimpleNamespace(content=["secret"], structuredContent={"secret": 1})
    told = asyncio.run(hookbox.async_post_mcp_tool_call_hook({"name": "t"}, result, NOW, NOW)).mcp_tool_call_response
    left = told if content == "list" else told.content
    assert left == [{"type": "text", "text": "not for you"}]
    assert content == "list" or (told.isError, told.structuredContent) == (True, None)


def test_a_logging_method_logs_and_goes_on(caplog):
    hookbox = Hookbox(BrokenHost())
    asyncio.run(hookbox.async_log_success_event({}, "r", NOW, NOW))
    hookbox.log_success_event({}, "r", NOW, NOW)
    hookbox.log_post_api_call({}, "r", NOW, NOW)
    asyncio.run(hookbox.async_post_call_failure_hook({}, ValueError("x"), None))
    assert asyncio.run(hookbox.async_logging_hook({"k": 1}, "r", "c")) == ({"k": 1}, "r")
    assert hookbox.logging_hook({"k": 1}, "r", "c") == ({"k": 1}, "r")
    assert len(caplog.records) == 6


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="`on_failure` is 'ask', but must be 'deny' or 'allow'"):
        Hookbox(SayingHost({}), on_failure="ask")


@pytest.mark.parametrize(
    "arguments, options, said",
    [
        (["hooks.toml"], {}, "`host` is of type str, but must be a hookbox.Host; a file is named by `config` or `hooks_yaml`"),
        ([], {"timeout": "3"}, "`timeout` is '3', but must be seconds, more than 0"),
        ([], {"timeout": -1}, "`timeout` is -1, but must be seconds, more than 0"),
        ([], {"skipped": ["async_precall_hook"]}, "`skipped` has 'async_precall_hook', but a callback has no such method"),
        ([], {"skipped": "async_precall_hook"}, "`skipped` has 'async_precall_hook', but a callback has no such method"),
    ],
)
def test_what_would_fail_at_each_request_is_told_when_the_proxy_starts(arguments, options, said):
    with pytest.raises((TypeError, ValueError)) as error:
        Hookbox(*(arguments or [SayingHost({})]), **options)
    assert str(error.value) == said
    with pytest.raises(TypeError, match="`host` is a whole host"):
        Hookbox(SayingHost({}), home="/")
