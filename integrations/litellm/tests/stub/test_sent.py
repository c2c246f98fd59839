"""What hooks are told."""

import json
import sys
import types

import pytest
from conftest import Model, Opaque, SayingHost, Unspeakable, pre_call, stream
from hookbox_litellm import Hookbox, Refused
from hookbox_litellm._values import deployments, itself, plain


def told(data, **call):
    host = SayingHost({})
    assert pre_call(Hookbox(host), data, **call) is None
    (event,) = host.asked
    return event


def test_the_arguments_are_sent_by_their_names_without_the_cache():
    data = {"model": "m", "messages": [], "n": float("inf"), "x": Opaque(), 1: (True, None, 2.5), "y": Model(a=b"b")}
    expected = {"model": "m", "messages": [], "n": "inf", "x": "opaque", "1": [True, None, 2.5], "y": {"a": "b"}}
    assert told(data) == {
        "litellm_hook": "async_pre_call_hook",
        "data": expected,
        "call_type": "completion",
        "user_api_key_dict": "opaque",
    }


def test_what_contains_itself_is_told_by_its_type_where_it_comes_again():
    data = {"model": "m"}
    data["self"] = data
    both = []
    both.extend([both, both])
    data["both"] = both
    assert told(data)["data"]["self"] == {"model": "m", "self": "<dict>", "both": ["<list>", "<list>"]}


KEYS = {"api_key": "sk-1", "extra_headers": {"x": "sk-2"}, "aws_secret_access_key": "sk-3", "unheard_of": "sk-4", "model": "m"}


def test_keys_of_providers_and_callers_are_told_to_nobody():
    known = {
        "model": "m",
        "messages": [],
        "secret_fields": {"raw_headers": {"authorization": "sk-5"}},
        "incoming_bearer_token": "sk-6",
        "litellm_params": {**KEYS, "metadata": {"headers": {"authorization": "sk-7"}, "user": "u"}},
        "additional_args": {"headers": {"Authorization": "sk-8"}, "api_base": "b"},
        "proxy_server_request": {"headers": {"authorization": "sk-9"}},
    }
    expected = {
        "model": "m",
        "messages": [],
        "litellm_params": {"model": "m", "metadata": {"user": "u"}},
        "additional_args": {"api_base": "b"},
    }
    assert told(known)["data"] == expected
    assert plain(itself({"kwargs": known})) == {"kwargs": expected}
    one = {"model_name": "m", "litellm_params": KEYS, "model_info": {"id": "1"}}
    assert plain(deployments([one])) == [{"model_name": "m", "litellm_params": {"model": "m"}, "model_info": {"id": "1"}}]


def test_what_the_caller_wrote_is_told_whatever_its_names_are():
    hidden = {"secret_fields": {"c": "1"}, "api_key": "2", "deployment": "3", "headers": {"d": "4"}}
    for data in (
        {"mcp_arguments": hidden},
        {"messages": [{"role": "user", "content": [hidden]}]},
        {"tools": [{"function": {"parameters": {"properties": hidden}}}]},
        {"input": hidden},
    ):
        assert told({"model": "m", **data})["data"] == {"model": "m", **data}


@pytest.mark.parametrize("depth", [50, 70, 950, 5000])
def test_what_is_deep_is_told_to_the_last_word(depth):
    deep = "rm-rf"
    for _ in range(depth):
        deep = [deep]
    assert "rm-rf" in json.dumps(told({"model": "m", "input": deep}))


def test_names_that_are_the_same_as_text_are_told_apart():
    assert told({"model": "m", "input": {"\ud800": "rm-rf", "?": "ok"}})["data"]["input"] == {"?": "rm-rf", "? (1)": "ok"}


def test_one_object_in_many_places_is_told_in_each_of_them():
    owner = Model(name="n")
    assert told({"model": "m", "a": owner, "b": [owner, {"c": owner}]})["data"] == {
        "model": "m",
        "a": {"name": "n"},
        "b": [{"name": "n"}, {"c": {"name": "n"}}],
    }


def test_numbers_of_any_size_are_told():
    assert told({"model": "m", "n": 1 << 70})["data"]["n"] == 1 << 70


def test_what_cannot_even_be_told_as_text_is_told_by_its_type():
    data = {"a": Unspeakable(), "b": Unspeakable, "c": "\ud800"}
    expected = {"a": "<Unspeakable>", "b": "<class 'conftest.Unspeakable'>", "c": "?"}
    assert told(data)["data"] == expected


def test_the_provider_that_all_deployments_of_a_name_have_is_told(monkeypatch):
    class Router:
        def get_model_list(self, model_name):
            models = {"one": ["groq/a", "groq/b"], "two": ["groq/a", "openai/b"], "none": []}[model_name]
            return [{"litellm_params": {"model": model}} for model in models]

    server = types.ModuleType("litellm.proxy.proxy_server")
    server.llm_router = Router()
    monkeypatch.setitem(sys.modules, "litellm.proxy.proxy_server", server)
    of = lambda model, custom_llm_provider: (model, model.split("/")[0], None, None)
    monkeypatch.setattr(sys.modules["litellm"], "get_llm_provider", of, raising=False)
    said = {model: told({"model": model}).get("provider") for model in ("one", "two", "none", "another")}
    assert said == {"one": "groq", "two": None, "none": None, "another": None}


ANTHROPIC = (
    b'event: content_block_delta\r\ndata: {"type": "content_block_delta", "delta": {"text": "a"}}\r\n\r\n'
    b": ping\n\n"
    b'data: {"type": "message_stop"}\n\ndata: [DONE]\n\n'
)


def test_each_event_of_a_stream_of_bytes_is_told_however_the_bytes_are_cut():
    for size in (1, 7, len(ANTHROPIC)):
        host = SayingHost({})
        pieces = [ANTHROPIC[at : at + size] for at in range(0, len(ANTHROPIC), size)]
        assert b"".join(stream(Hookbox(host), *pieces)) == ANTHROPIC
        *chunks, end = host.asked
        assert [event["chunk"] for event in chunks] == [
            {"type": "content_block_delta", "delta": {"text": "a"}},
            {"type": "message_stop"},
            "[DONE]",
        ]
        assert (end["end"], end["request_data"]) == (True, {"model": "m"})


def test_bytes_that_are_no_events_are_not_held_back():
    host = SayingHost({})
    pieces = [b"one, two, three, four", b"five, six, seven, eight", b"nine"]
    assert stream(Hookbox(host), *pieces) == pieces
    assert [event.get("chunk") for event in host.asked] == [*(piece.decode() for piece in pieces), None]


def test_an_event_that_may_be_read_in_two_ways_is_told_as_text():
    host = SayingHost({})
    twice = b'data: {"text": "rm-rf", "text": "x"}\n\n'
    deep = b"data: " + b"[" * 5000 + b"]" * 5000 + b"\n\n"
    assert b"".join(stream(Hookbox(host), twice, deep)) == twice + deep
    assert [event.get("chunk") for event in host.asked] == ['{"text": "rm-rf", "text": "x"}', "[" * 5000 + "]" * 5000, None]


def test_an_event_without_an_end_is_a_refusal(monkeypatch):
    monkeypatch.setattr("hookbox_litellm._frames.LONGEST", 100)
    with pytest.raises(Refused, match="an event of the stream has no end after"):
        stream(Hookbox(SayingHost({})), b"data: " + b"x" * 50, b"x" * 50)
