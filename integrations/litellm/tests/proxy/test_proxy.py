"""What a client of the proxy sees."""

import json

from bed import TEXT

DENY = """
[[hook]]
name = "no-secrets"
on = "EVENT"
role = "gate"
shell = { command = '''grep -q 'SECRET' && echo '{"verdict":"deny","reason":"a secret"}' || echo '{}' ''' }
"""
CHANGE = """
[[hook]]
name = "change"
on = "EVENT"
role = "transform"
shell = { command = '''EDIT''' }
"""


def deny(event, secret):
    return DENY.replace("EVENT", event).replace("SECRET", secret)


def change(event, edit):
    """A hook that answers with what this Python expression makes of `e`, the event."""
    program = f'python3 -c "import json,sys; e=json.load(sys.stdin)[\\"payload\\"]; print(json.dumps({edit}))"'
    return CHANGE.replace("EVENT", event).replace("EDIT", program)


def content(text):
    return json.loads(text)["choices"][0]["message"]["content"]


def streamed(text):
    """The words of a stream, in the format of OpenAI or of Anthropic."""
    lines = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
    deltas = [(event.get("choices") or [event])[0].get("delta", {}) for event in map(json.loads, lines)]
    return "".join(delta.get("content") or delta.get("text") or "" for delta in deltas)


def test_without_a_hook_for_it_a_request_passes(proxy):
    status, text = proxy.chat("hi")
    assert (status, content(text)) == (200, TEXT)
    assert streamed(proxy.chat("hi", stream=True)[1]) == TEXT


def test_a_request_is_refused(proxy):
    proxy.hooks(deny("model.request", "hunter2"))
    status, text = proxy.chat("it is hunter2")
    assert (status, "a secret" in text, proxy.asked) == (400, True, [])
    assert proxy.chat("hi")[0] == 200


def test_a_request_is_changed(proxy):
    proxy.hooks(change("model.request", "{'rewrite': {'merge': {'temperature': 0}}, 'context': 'be kind'}"))
    assert proxy.chat("hi", temperature=1)[0] == 200
    (asked,) = proxy.asked
    assert (asked["temperature"], len(asked["messages"])) == (0, 2)
    assert "be kind" in asked["messages"][1]["content"]


def test_a_request_is_refused_beside_the_models_call(proxy):
    proxy.hooks(deny("model.moderate", "hunter2"))
    status, text = proxy.chat("it is hunter2")
    assert (status, "a secret" in text) == (400, True)


def test_a_response_is_refused_and_changed(proxy):
    proxy.hooks(deny("model.response", "sunny"))
    status, text = proxy.chat("hi")
    assert (status, "a secret" in text) == (400, True)
    choice = "{'index': 0, 'finish_reason': 'stop', 'message': {'role': 'assistant', 'content': 'rain'}}"
    proxy.hooks(change("model.response", f"{{'rewrite': {{'merge': {{'choices': [{choice}]}}}}}}"))
    assert content(proxy.chat("hi")[1]) == "rain"


def test_the_provider_behind_the_name_is_told_before_a_deployment_is_chosen(proxy):
    proxy.hooks(change("model.request", "{'context': 'by ' + e['provider']}"))
    assert proxy.chat("hi")[0] == 200
    assert "by groq" in proxy.asked[0]["messages"][1]["content"]


def test_each_chunk_of_a_stream_is_changed(proxy):
    louder = "[dict(c, delta=dict(c['delta'], content=(c['delta'].get('content') or '').upper())) for c in e['chunk']['choices']]"
    proxy.hooks(change("model.stream-chunk", f"{{'rewrite': {{'merge': {{'choices': {louder}}}}}}}"))
    assert streamed(proxy.chat("hi", stream=True)[1]) == TEXT.upper()


def test_a_stream_ends_with_an_error_where_a_chunk_is_refused(proxy):
    proxy.hooks(deny("model.stream-chunk", "sunny"))
    status, text = proxy.chat("hi", stream=True)
    assert (status, streamed(text)) == (200, "It is a")
    assert "a secret" in text


def test_a_stream_ends_with_an_error_where_its_end_is_refused(proxy):
    proxy.hooks(deny("model.stream-end", "hunter2"))
    text = proxy.chat("it is hunter2", stream=True)[1]
    assert (streamed(text), "a secret" in text) == (TEXT, True)


def test_a_message_of_the_anthropic_format_is_refused_and_changed(proxy):
    assert json.loads(proxy.messages("hi")[1])["content"][0]["text"] == TEXT
    proxy.hooks(deny("model.request", "hunter2"))
    status, text = proxy.messages("it is hunter2")
    assert (status, "a secret" in text) == (400, True)
    proxy.hooks(change("model.response", "{'rewrite': {'merge': {'content': [{'type': 'text', 'text': 'rain'}]}}}"))
    for model in ("claude", "alias"):
        assert json.loads(proxy.messages("hi", model=model)[1])["content"][0]["text"] == "rain"


def test_a_stream_of_the_anthropic_format_is_changed(proxy):
    text = "e['chunk']['delta']['text'].upper()"
    is_text = "e['chunk'].get('delta', {}).get('type') == 'text_delta'"
    proxy.hooks(change("model.stream-chunk", f"{{'rewrite': {{'merge': {{'delta': {{'text': {text}}}}}}}}} if {is_text} else {{}}"))
    for model in ("claude", "alias"):
        assert streamed(proxy.messages("hi", model=model, stream=True)[1]).strip() == TEXT.upper()


def test_a_stream_of_the_anthropic_format_ends_where_an_event_is_refused(proxy):
    proxy.hooks(deny("model.stream-chunk", "sunny"))
    text = proxy.messages("hi", stream=True)[1]
    assert (streamed(text), "a secret" in text) == ("It is a ", True)
