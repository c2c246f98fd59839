"""A hook's function, called as any other: what its author's tests can do without a component."""

import pytest

import hookbox_sdk
from hookbox_sdk import (
    Event,
    Failed,
    ToolCall,
    ToolClass,
    ask,
    deny,
    facts,
    hook,
    http,
    kv,
    log,
    merge,
    settings,
    testing,
)


@pytest.fixture(autouse=True)
def nothing_given():
    testing.reset()


def shell(command):
    return Event(name="tool.before", tool=ToolCall(name="Bash", class_=ToolClass.SHELL, command=command))


@hook
def handle(event):
    log.info(f"saw {event.name}")
    if event.command is None:
        return None
    if event.command in settings().get("denied", []):
        return deny("denied", f"{event.command} is denied", notice="ask the owner")
    if kv.increment("session", "calls") > 2:
        return ask("many", "more?")
    if http.get("https://example.com/").status != 200:
        raise Failed("the server is not well")
    return merge({"command": f"time {event.command}"})


def test_a_decorated_function_is_called_like_any_other():
    testing.given.settings = {"denied": ["ls"]}
    answer = handle(shell("ls"))
    assert answer == deny("denied", "ls is denied", notice="ask the owner")
    assert testing.given.log == ["saw tool.before"]


def test_facts_are_those_of_the_test():
    assert facts.shell() is None
    command = facts.SimpleCommand("ls", [facts.Word("ls")], [("A", facts.Word("1", certain=False))])
    path = facts.PathAccess("/code", access="create-folder")
    testing.given.facts = facts.ShellFacts(
        commands=[command], paths=[path], undetermined=[facts.Undetermined("too-large")]
    )
    assert facts.shell() == testing.given.facts


def test_a_command_is_that_of_a_shell_tool():
    tool = ToolCall(class_=ToolClass.MCP, command="ls")
    assert handle(Event(name="tool.before", tool=tool)) is None
    assert handle(Event(name="session.start")) is None


def test_the_store_is_refused_until_a_test_gives_one():
    with pytest.raises(kv.Error, match="^not-granted$"):
        handle(shell("ls"))
    testing.given.kv = {("session", "calls"): b"2"}
    assert handle(shell("ls")) == ask("many", "more?")
    testing.given.kv = {("session", "calls"): b"many"}
    with pytest.raises(kv.Error, match="^not-a-number$"):
        handle(shell("ls"))


def test_the_store_keeps_what_it_is_told():
    testing.given.kv = {}
    assert kv.get("user", "a") is None
    assert kv.swap("user", "a", None, b"1")
    assert not kv.swap("user", "a", None, b"2")
    kv.set("user", "ab", b"3")
    kv.set("project", "ac", b"4")
    assert (kv.get("user", "a"), kv.keys("user", "a")) == (b"1", ["a", "ab"])
    kv.delete("user", "a")
    assert kv.keys("user") == ["ab"]


def test_a_server_is_what_the_test_says():
    testing.given.kv = {}
    with pytest.raises(http.Error) as refused:
        handle(shell("ls"))
    assert refused.value.name == "refused"
    asked = []

    def answer(request):
        asked.append((request.method, request.url))
        return testing.response(500 if len(asked) == 1 else 200, b"gr\xc3\xbc\xff")

    testing.given.http = answer
    with pytest.raises(Failed, match="^the server is not well$"):
        handle(shell("ls"))
    testing.given.kv = {}
    assert handle(shell("ls")) == merge({"command": "time ls"})
    assert asked == [("GET", "https://example.com/")] * 2
    assert http.get("https://example.com/").text == "gr\u00fc\ufffd"


def test_json_is_read_where_it_is_asked_for():
    event = Event(tool=ToolCall(input_json='{"a": [1]}'), payload_json='{"prompt": "hi"}')
    assert (event.tool.input, event.tool.output, event.payload) == ({"a": [1]}, None, {"prompt": "hi"})


def test_the_names_of_all_events_are_there():
    names = [value for key, value in vars(hookbox_sdk.events).items() if key.isupper()]
    assert len(names) == 49 and "tool.before" in names
