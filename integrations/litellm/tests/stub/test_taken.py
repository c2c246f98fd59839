"""What of an answer is taken over."""

import asyncio

from conftest import Model, Opaque, SayingHost, pre_call, stream
from hookbox_litellm import Hookbox, HookboxPerChunk


def saying(answer):
    return Hookbox(SayingHost(answer))


def test_what_differs_only():
    kept = Opaque()
    data = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "logger": kept}
    answer = {"data": {"model": "n", "messages": data["messages"], "logger": "opaque"}}
    changed = pre_call(saying(answer), data)
    assert changed == {"model": "n", "messages": data["messages"], "logger": kept}
    assert changed["logger"] is kept


def test_the_callers_headers_are_not_sent_and_not_lost():
    data = {"model": "m", "secret_fields": {"raw_headers": {"authorization": "Bearer k"}}, "drop": 1}
    host = SayingHost({"data": {"model": "n"}})
    assert pre_call(Hookbox(host), data) == {"model": "n", "secret_fields": data["secret_fields"]}
    assert host.asked[0]["data"] == {"model": "m", "drop": 1}


def test_what_litellm_keeps_in_a_request_beside_it_is_not_sent_and_not_lost():
    owner = Model(user_id="u")
    kept = {"deployment": {"litellm_params": {"api_key": "k"}}, "proxy_server_request": {"body": {"model": "m"}}}
    data = {"model": "m", "metadata": {"user_api_key_auth": owner, "tags": []}, **kept}
    host = SayingHost({"data": {"model": "n", "metadata": {"tags": ["t"]}}})
    changed = pre_call(Hookbox(host), data)
    assert host.asked[0]["data"] == {"model": "m", "metadata": {"tags": []}}
    assert changed == {"model": "n", "metadata": {"user_api_key_auth": owner, "tags": ["t"]}, **kept}
    silent = SayingHost({})
    one = Hookbox(silent)
    asyncio.run(one.async_moderation_hook(data, None, "completion"))
    asyncio.run(one.async_post_call_success_hook(data, None, {}))
    asyncio.run(one.async_post_call_failure_hook(data, ValueError(), None))
    assert [event.get("data") or event["request_data"] for event in silent.asked] == [host.asked[0]["data"]] * 3


def test_context_is_one_more_message():
    changed = pre_call(saying({"context": "be kind"}), {"messages": [{"role": "user", "content": "hi"}]})
    assert changed["messages"][1:] == [{"role": "user", "content": "be kind"}]


def test_arguments_and_headers_of_an_mcp_call():
    answer = {"modified_arguments": {"a": 2}, "extra_headers": {"x": "y"}}
    data = {"mcp_tool_name": "t", "mcp_arguments": {"a": 1}}
    assert pre_call(saying(answer), data, "mcp_call") == {**data, **answer}


def test_a_response_keeps_its_class_and_what_is_hidden_in_it():
    response = Model(choices=[1])
    response._hidden_params = {"cost": 1}
    changed = asyncio.run(saying({"response": {"choices": [2]}}).async_post_call_success_hook({}, None, response))
    assert (type(changed), changed.members) == (Model, {"choices": [2]})
    assert changed._hidden_params == {"cost": 1}


def test_a_message_of_the_anthropic_format_is_a_dict_and_stays_one():
    response = {"type": "message", "content": [{"type": "text", "text": "a"}]}
    answer = {"response": {"type": "message", "content": []}}
    changed = asyncio.run(saying(answer).async_post_call_success_hook({}, None, response))
    assert changed == answer["response"]


def test_deployments_that_stay_are_the_same_objects():
    first, second = {"id": 1, "client": Opaque()}, {"id": 2, "client": Opaque()}
    hookbox = saying({"deployments": [{"id": 2, "client": "opaque"}]})
    left = asyncio.run(hookbox.async_filter_deployments("m", [first, second], []))
    assert left == [second]
    assert left[0] is second


def test_the_request_to_a_deployment():
    kwargs = {"model": "m", "client": Opaque()}
    changed = asyncio.run(saying({"kwargs": {"model": "n", "client": "opaque"}}).async_pre_call_deployment_hook(kwargs, None))
    assert changed == {"model": "n", "client": kwargs["client"]}


def test_each_chunk_of_a_stream_and_its_end():
    host = SayingHost({"chunk": "x"})
    assert stream(Hookbox(host), "a", "b") == ["x", "x"]
    assert [event.get("chunk", event.get("end")) for event in host.asked] == ["a", "b", True]


def test_a_chunk_of_bytes_is_framed_anew():
    pieces = [b'id: 7\nevent: a\ndata: {"type": "a"}\n\n', b"data: {}\n\n"]
    changed = stream(saying({"chunk": {"type": "b"}}), *pieces)
    assert changed == [b'id: 7\nevent: b\ndata: {"type":"b"}\n\n', b'data: {"type":"b"}\n\n']


def test_where_chunks_come_one_by_one_the_stream_asks_for_its_end_alone():
    host = SayingHost({"chunk": "x"})
    hookbox = HookboxPerChunk(host)
    assert asyncio.run(hookbox.async_post_call_streaming_hook(None, "a")) == "x"
    assert stream(hookbox, "a", "b") == ["a", "b"]
    assert [event["litellm_hook"] for event in host.asked] == [
        "async_post_call_streaming_hook",
        "async_post_call_streaming_iterator_hook",
    ]


def test_a_log_record():
    hookbox = saying({"kwargs": {"key": "***"}, "result": "r"})
    masked = ({"key": "***"}, "r")
    assert asyncio.run(hookbox.async_logging_hook({"key": "k"}, "r", "completion")) == masked
    assert hookbox.logging_hook({"key": "k"}, "r", "completion") == masked


def test_litellm_finds_the_methods_in_a_class_that_inherits_them():
    class Mine(HookboxPerChunk):
        def log_success_event(self, *arguments):
            """Does nothing."""

    assert vars(Mine)["async_post_call_streaming_iterator_hook"] is Hookbox.async_post_call_streaming_iterator_hook
    assert vars(Mine)["async_pre_call_hook"] is Hookbox.async_pre_call_hook
    assert Mine.log_success_event.__doc__ == "Does nothing."
