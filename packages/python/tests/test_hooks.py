"""Functions that are hooks."""

import asyncio
import gc
import threading
import time
import weakref

import hookbox
import pytest

TOOL = {"event": "tool.before", "tool": {"name": "Bash", "input": {"command": "ls"}}}


def test_an_event_is_told_as_every_hook_is_told_it(host):
    told = []
    host.hook("tool.before", name="a")(told.append)
    host.dispatch(TOOL | {"id": "1", "time": 7, "cwd": "/x"})
    assert told == [
        {
            "event": "tool.before",
            "id": "1",
            "agent": "native",
            "agent_event": "tool.before",
            "session": "",
            "cwd": "/x",
            "time": 7,
            "tool": {"name": "Bash", "class": "shell", "command": "ls", "paths": [], "input": {"command": "ls"}},
            "payload": {},
        }
    ]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (None, "none"),
        ({}, "none"),
        (hookbox.deny("no", "text"), {"deny": {"code": "no", "text": "text"}}),
        (hookbox.ask("sure", "text"), {"ask": {"code": "sure", "text": "text"}}),
        (hookbox.allow(), {"allow": {"code": "allowed", "text": ""}}),
        ({"verdict": "deny"}, {"deny": {"code": "unspecified", "text": ""}}),
        (hookbox.deny("no", "text") | hookbox.notice("n"), {"deny": {"code": "no", "text": "text"}}),
    ],
)
def test_a_function_says_what_it_has_to_say(host, said, verdict):
    host.hook("tool.before", name="a")(lambda event: said)
    assert host.dispatch(TOOL)["verdict"] == verdict


def test_a_transform_rewrites(host):
    host.hook("tool.before", role="transform", name="a")(lambda event: hookbox.rewrite({"command": "true"}))
    host.hook("tool.before", role="transform", name="b")(lambda event: hookbox.rewrite({"why": "b"}, merge=True))
    assert host.dispatch(TOOL)["rewrite"] == {"command": "true", "why": "b"}


def test_a_prompt_is_rewritten_to_a_text(host):
    host.hook("prompt.submit", role="transform", name="a")(lambda event: hookbox.rewrite("other"))
    assert host.dispatch({"event": "prompt.submit", "payload": {"prompt": "one"}})["rewrite"] == "other"


def test_an_observer_is_told_the_outcome_and_a_later_hook_what_was_sent(host):
    told = {}
    host.hook("tool.before", role="transform", name="a")(lambda event: hookbox.rewrite({"command": "true"}))
    host.hook("tool.before", name="b")(lambda event: told.update(b=event) or hookbox.deny("no", ""))
    host.hook("tool.before", role="observe", name="c")(lambda event: told.update(c=event))
    host.dispatch(TOOL)
    assert told["b"]["original"] == {"command": "ls"}
    assert told["c"]["outcome"] == {"verdict": "deny", "deciders": ["b"], "failed": []}


def test_a_tool_is_matched_by_name_class_and_pattern(host):
    heard = []
    for name, tool in [("name", "Bash"), ("names", ["Edit", "Bash"]), ("class", {"class": "shell"}), ("glob", {"glob": "B*"}), ("other", "Edit")]:
        host.hook("tool.before", tool=tool, name=name)(lambda event, name=name: heard.append(name))
    host.dispatch(TOOL)
    assert sorted(heard) == ["class", "glob", "name", "names"]


def test_a_function_gets_its_own_settings(host):
    told = []
    host.hook("custom:x", name="with", role="observe", config={"words": ["rm"]})(lambda event: told.append(event["config"]))
    host.hook("custom:x", name="without", role="observe")(lambda event: told.append("config" in event))
    host.dispatch({"event": "custom:x"})
    assert told in ([{"words": ["rm"]}, False], [False, {"words": ["rm"]}])


def test_a_hook_is_called_what_its_function_is_called(host):
    @host.hook("tool.before")
    def no_shell(event):
        """Says no."""

    assert (no_shell.name, no_shell.__doc__, no_shell(None)) == ("no_shell", "Says no.", None)
    assert [hook["name"] for hook in host.hooks()] == ["no_shell"]
    with pytest.raises(hookbox.Error, match="a hook of this program is called \"no_shell\" already") as error:
        host.hook("tool.before", name="no_shell")(lambda event: None)
    assert error.value.code == "name-taken"


def test_a_hook_is_removed(host):
    hook = host.hook("tool.before", name="a")(lambda event: hookbox.deny("no", ""))
    assert hook.remove()
    assert not hook.remove()
    assert host.dispatch(TOOL)["reports"] == []
    host.hook("tool.before", name="a")(lambda event: hookbox.deny("no", ""))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"on": ["tool.befor"]}, "unknown event `tool.befor` (did you mean `tool.before`?)"),
        ({"on": ["tool.before"], "role": "guard"}, "unknown role `guard` (allowed: transform, gate, observe)"),
        ({"on": ["tool.before"], "timeout": 0}, "timeout is 0s, but must be from 1ms to 10m"),
        (
            {"on": ["tool.before"], "tool": {"klass": "shell"}},
            "unknown key `klass` (did you mean `class`? allowed: name, class, glob, regex)",
        ),
        (
            {"on": ["tool.before"], "name": "a b"},
            "`a b` cannot be the name of a hook (allowed: 1 to 64 letters, digits, `.`, `_` and `-`)",
        ),
        ({"on": ["tool.before"], "config": "rm"}, "`config` is a string, but must be a table (for example config = { deny = [\"rm-root\"] })"),
        ({"on": []}, "`on` is an empty list (for example on = \"tool.before\")"),
    ],
)
def test_what_is_no_hook_is_told_in_the_configurations_words(host, words, said):
    words = {"name": "a", **words}
    with pytest.raises(hookbox.Error) as error:
        host.hook(*words.pop("on"), **words)(lambda event: None)
    assert error.value.code == "bad-hook"
    assert error.value.message == f"this is not a hook: {said}"


def test_a_hook_without_the_events_that_it_is_for_is_told(host):
    with pytest.raises(TypeError, match=r'a hook is for events, by their names: @host.hook\("tool.before"\)'):

        @host.hook
        def guard(event):
            return hookbox.deny("no", "because")

    assert host.events() == ["tool.before"]  # hookbox looks at each call itself


@pytest.mark.parametrize("timeout", ["2s", -2, float("nan")])
def test_a_timeout_is_seconds(host, timeout):
    with pytest.raises(TypeError, match="`timeout` is .*, but must be a number of seconds"):
        host.hook("tool.before", timeout=timeout)


def test_what_is_no_function_is_told(host):
    with pytest.raises(TypeError, match="a hook is a function, and this is of type int"):
        host.hook("tool.before", name="a")(7)


def failing(kind):
    def returns_a_list(event):
        return [1]

    def returns_no_json(event):
        return {"context": {1, 2}}

    def misspells(event):
        return {"verdit": "deny"}

    def raises(event):
        raise ValueError("broken\nin two lines")

    def leaves(event):
        raise SystemExit(3)

    def interrupts(event):
        raise KeyboardInterrupt

    def takes_nothing():
        return None

    return locals()[kind]


FAILURES = {
    "returns_a_list": "hook-error: the answer is not a JSON object: it is not a JSON object",
    "returns_no_json": 'hook-error: TypeError: answer["context"] is of type set; JSON has dict, list, tuple, str, int, float, bool and None',
    "misspells": 'hook-error: the answer has an unknown member `verdit`; did you mean `verdict`?',
    "raises": "hook-error: ValueError: broken\nin two lines",
    "leaves": "hook-error: SystemExit: 3",
    "interrupts": "hook-error: KeyboardInterrupt",
    "takes_nothing": "hook-error: TypeError: failing.<locals>.takes_nothing() takes 0 positional arguments but 1 was given",
}


@pytest.mark.parametrize("kind", FAILURES)
@pytest.mark.parametrize("way", ["plain", "async"])
def test_a_function_that_fails_is_one_failure_and_its_policy_decides(host, status, kind, way):
    function = failing(kind)
    if way == "async":

        async def later(*arguments):
            return function(*arguments)

        host.hook("tool.before", name="a")(later)
    else:
        host.hook("tool.before", name="a")(function)
    outcome = host.dispatch(TOOL)
    assert status(outcome) == FAILURES[kind]
    assert "deny" in outcome["verdict"]


def test_a_traceback_is_in_the_hooks_log(host):
    def raises(event):
        raise ValueError("broken")

    host.hook("tool.before", name="a")(raises)
    (report,) = host.dispatch(TOOL)["reports"]
    log = [line["message"] for line in report["log"]]
    assert log[0] == "Traceback (most recent call last):"
    assert log[-2:] == ['    raise ValueError("broken")', "ValueError: broken"]


def test_a_failure_may_be_let_pass(host):
    host.hook("tool.before", name="a", on_failure="allow")(failing("raises"))
    assert host.dispatch(TOOL)["verdict"] == "none"


def test_a_function_that_never_returns_is_given_up(host, status):
    free = threading.Event()
    host.hook("tool.before", name="a", timeout=0.05)(lambda event: free.wait())
    outcome = host.dispatch(TOOL)
    free.set()
    assert status(outcome).startswith("timeout: ")
    assert "deny" in outcome["verdict"]


def test_an_async_function_that_never_returns_is_cancelled(host, status):
    cancelled = threading.Event()

    async def never(event):
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    host.hook("tool.before", name="a", timeout=0.05)(never)
    assert status(host.dispatch(TOOL)).startswith("timeout: ")
    assert cancelled.wait(10)


def test_an_async_function_that_holds_its_loop_does_not_hold_others(host, status):
    free = threading.Event()

    async def holds(event):
        free.wait()

    async def answers(event):
        return hookbox.ask("a", "")

    holding = host.hook("tool.before", name="holds", timeout=0.05)(holds)
    assert status(host.dispatch(TOOL)).startswith("timeout: ")
    holding.remove()
    host.hook("tool.before", name="answers")(answers)
    assert status(host.dispatch(TOOL)) == "ask"
    free.set()


@pytest.mark.parametrize("what", ["stop", "close"])
def test_an_async_function_that_ends_its_loop_ends_its_own_call_alone(host, status, what):
    async def ends(event):
        getattr(asyncio.get_running_loop(), what)()
        await asyncio.sleep(60)

    async def answers(event):
        return hookbox.ask("a", "")

    ending = host.hook("tool.before", name="ends", timeout=60)(ends)
    assert status(host.dispatch(TOOL)) == {
        "stop": "hook-error: asyncio.exceptions.CancelledError",
        "close": "hook-error: RuntimeError: Cannot close a running event loop",
    }[what]
    ending.remove()
    host.hook("tool.before", name="answers")(answers)
    assert status(host.dispatch(TOOL)) == "ask"


def test_a_plain_function_may_return_what_can_be_awaited(host, status):
    async def later():
        return hookbox.deny("no", "")

    host.hook("tool.before", name="a")(lambda event: later())
    assert status(host.dispatch(TOOL)) == "deny"


def test_an_object_with_an_async_call_is_a_function(host, status):
    class Guard:
        async def __call__(self, event):
            await asyncio.sleep(0)
            return hookbox.deny("no", "")

    host.hook("tool.before")(Guard())
    assert [hook["name"] for hook in host.hooks()] == ["Guard"]
    assert status(host.dispatch(TOOL)) == "deny"


def test_a_function_may_ask_its_own_host(host):
    host.hook("custom:inner", name="inner")(lambda event: hookbox.deny("inner", "no"))

    @host.hook("tool.before", name="outer")
    def outer(event):
        return hookbox.ask("outer", next(iter(host.dispatch({"event": "custom:inner"})["verdict"])))

    @host.hook("tool.before", name="later")
    async def later(event):
        inner = await host.dispatch_async({"event": "custom:inner"})
        return hookbox.ask("later", next(iter(inner["verdict"])))

    reasons = host.dispatch(TOOL)["reasons"]
    assert [(said["value"]["code"], said["value"]["text"]) for said in reasons] == [("outer", "deny"), ("later", "deny")]


def test_a_function_may_add_and_remove_hooks(host):
    @host.hook("tool.before", name="a")
    def once(event):
        assert once.remove()
        host.hook("tool.before", name="b")(lambda event: hookbox.deny("b", ""))

    assert host.dispatch(TOOL)["verdict"] == "none"
    assert host.dispatch(TOOL)["verdict"] == {"deny": {"code": "b", "text": ""}}


def test_functions_run_side_by_side(host):
    meeting = threading.Barrier(3, timeout=60)
    for name in ["a", "b", "c"]:
        host.hook("tool.before", name=name)(lambda event: print(meeting.wait()))
    assert host.dispatch(TOOL)["verdict"] == "none"


def test_other_threads_go_on_while_hooks_run(host):
    begun, done = threading.Event(), threading.Event()

    @host.hook("tool.before", name="a")
    def waits(event):
        begun.set()
        assert done.wait(10)

    thread = threading.Thread(target=host.dispatch, args=(TOOL,))
    thread.start()
    assert begun.wait(10)
    assert host.hooks() and host.dispatch({"event": "custom:x"})["reports"] == []
    host.hook("tool.before", name="b")(lambda event: None).remove()
    done.set()
    thread.join()


def test_many_threads_ask_one_host(host):
    host.hook("tool.before", name="a")(lambda event: hookbox.deny("no", event["session"]))
    wrong = []

    def ask(number):
        for _ in range(20):
            said = host.dispatch(TOOL | {"session": str(number)})["verdict"]["deny"]["text"]
            if said != str(number):
                wrong.append(said)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_host_that_nobody_has_any_more_is_gone_with_its_functions(make_host):
    host = make_host(hooks=False)

    @host.hook("tool.before", name="a")
    def function(event):
        return host.hooks()

    host.dispatch(TOOL)
    gone = weakref.ref(function.__wrapped__)
    del host, function
    deadline = time.monotonic() + 60
    while gone() is not None and time.monotonic() < deadline:
        gc.collect()
    assert gone() is None
