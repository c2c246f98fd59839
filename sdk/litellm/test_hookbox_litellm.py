"""What the class makes of hookbox's answers, without LiteLLM: a stub stands for its package.

    HOOKBOX=target/debug/hookbox python3 sdk/litellm/test_hookbox_litellm.py

A small program stands for hookbox where it misbehaves; the real one answers the rest.
"""
import asyncio
import datetime
import json
import os
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True


class CustomLogger:
    """LiteLLM's base class, as far as it is needed."""

    def __init__(self, message_logging=True, **kwargs):
        self.message_logging = message_logging


for _name in ("litellm", "litellm.integrations", "litellm.integrations.custom_logger"):
    sys.modules[_name] = types.ModuleType(_name)
sys.modules["litellm.integrations.custom_logger"].CustomLogger = CustomLogger
sys.path.insert(0, str(Path(__file__).parent))

import hookbox_litellm  # noqa: E402
from hookbox_litellm import Hookbox, Refused  # noqa: E402

NOW = datetime.datetime(2026, 1, 2)


class Model:
    """A model as pydantic's are."""

    def __init__(self, **members):
        self.members = members

    def model_dump(self):
        return self.members


class Opaque:
    """What JSON has no words for."""

    def __str__(self):
        return "opaque"


class Bed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def fake(self, script, timeout=20):
        """A hookbox that is this shell script, and does not tell which events have hooks."""
        return self.program(f'[ "$1" = run ] || exit 1\n{script}', timeout)

    def program(self, script, timeout=20):
        """A hookbox that is this shell script."""
        program = self.folder / "hookbox"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)
        return Hookbox(program=str(program), timeout=timeout, home=str(self.folder))

    def saying(self, answer, code=0):
        """A hookbox that keeps the event and says this."""
        (self.folder / "answer").write_text(json.dumps(answer))
        return self.fake(f"cat > {self.folder}/event; cat {self.folder}/answer; exit {code}")

    def event(self):
        return json.loads((self.folder / "event").read_text())

    def pre_call(self, hookbox, data, call_type="completion"):
        return asyncio.run(hookbox.async_pre_call_hook(Opaque(), None, data, call_type))


class WhatIsSent(Bed):
    def test_the_arguments_by_their_names_without_the_cache(self):
        data = {"model": "m", "messages": [], "n": float("inf"), "x": Opaque(), 1: (True, None, 2.5)}
        self.assertIsNone(self.pre_call(self.saying({}), data))
        expected = {"model": "m", "messages": [], "n": "inf", "x": "opaque", "1": [True, None, 2.5]}
        self.assertEqual(
            self.event(),
            {
                "litellm_hook": "async_pre_call_hook", "data": expected, "call_type": "completion",
                "user_api_key_dict": "opaque",
            },
        )

    def test_what_contains_itself_is_sent_as_text_where_it_is_too_deep(self):
        data = {"model": "m"}
        data["self"] = data
        self.assertIsNone(self.pre_call(self.saying({}), data))
        self.assertEqual(self.event()["data"]["self"]["self"]["model"], "m")


class WhatIsTakenOver(Bed):
    def test_what_differs_only(self):
        kept = Opaque()
        data = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "logger": kept}
        answer = {"data": {"model": "n", "messages": data["messages"], "logger": "opaque"}}
        changed = self.pre_call(self.saying(answer), data)
        self.assertEqual(changed, {"model": "n", "messages": data["messages"], "logger": kept})
        self.assertIs(changed["logger"], kept)

    def test_the_callers_headers_are_not_sent_and_not_lost(self):
        data = {"model": "m", "secret_fields": {"raw_headers": {"authorization": "Bearer k"}}, "drop": 1}
        changed = self.pre_call(self.saying({"data": {"model": "n"}}), data)
        self.assertEqual(changed, {"model": "n", "secret_fields": data["secret_fields"]})
        self.assertEqual(self.event()["data"], {"model": "m", "drop": 1})

    def test_context_is_one_more_message(self):
        changed = self.pre_call(self.saying({"context": "be kind"}), {"messages": [{"role": "user", "content": "hi"}]})
        self.assertEqual(changed["messages"][1:], [{"role": "user", "content": "be kind"}])

    def test_arguments_and_headers_of_an_mcp_call(self):
        answer = {"modified_arguments": {"a": 2}, "extra_headers": {"x": "y"}}
        data = {"mcp_tool_name": "t", "mcp_arguments": {"a": 1}}
        self.assertEqual(self.pre_call(self.saying(answer), data, "mcp_call"), {**data, **answer})

    def test_a_response_keeps_its_class_and_what_is_hidden_in_it(self):
        response = Model(choices=[1])
        response._hidden_params = {"cost": 1}
        hookbox = self.saying({"response": {"choices": [2]}})
        changed = asyncio.run(hookbox.async_post_call_success_hook({}, None, response))
        self.assertEqual((type(changed), changed.members), (Model, {"choices": [2]}))
        self.assertEqual(changed._hidden_params, {"cost": 1})

    def test_deployments_that_stay_are_the_same_objects(self):
        first, second = {"id": 1, "client": Opaque()}, {"id": 2, "client": Opaque()}
        hookbox = self.saying({"deployments": [{"id": 2, "client": "opaque"}]})
        left = asyncio.run(hookbox.async_filter_deployments("m", [first, second], []))
        self.assertIs(left[0], second)
        self.assertEqual(len(left), 1)

    def test_each_chunk_of_a_stream_and_its_end(self):
        async def chunks():
            yield "a"
            yield "b"

        async def collect(hookbox):
            stream = hookbox.async_post_call_streaming_iterator_hook(None, chunks(), {"model": "m"})
            return [chunk async for chunk in stream]

        self.assertEqual(asyncio.run(collect(self.saying({"chunk": "x"}))), ["x", "x"])
        self.assertEqual(self.event()["end"], True)

    def test_a_log_record(self):
        hookbox = self.saying({"kwargs": {"key": "***"}, "result": "r"})
        masked = ({"key": "***"}, "r")
        self.assertEqual(asyncio.run(hookbox.async_logging_hook({"key": "k"}, "r", "completion")), masked)
        self.assertEqual(hookbox.logging_hook({"key": "k"}, "r", "completion"), masked)


class WhatIsRejected(Bed):
    def gates(self, hookbox):
        return {
            "pre_call": lambda: hookbox.async_pre_call_hook(None, None, {}, "completion"),
            "moderation": lambda: hookbox.async_moderation_hook({}, None, "completion"),
            "success": lambda: hookbox.async_post_call_success_hook({}, None, {}),
            "deployments": lambda: hookbox.async_filter_deployments("m", [], []),
            "deployment": lambda: hookbox.async_pre_call_deployment_hook({}, None),
        }

    def assert_closed(self, hookbox, message):
        for name, gate in self.gates(hookbox).items():
            with self.subTest(name), self.assertRaisesRegex(Refused, message):
                asyncio.run(gate())

    def test_a_rejection_raises_with_its_message(self):
        self.assert_closed(self.saying({"action": "reject", "message": "not here"}, code=2), "not here")

    def test_a_rejection_counts_whatever_the_exit_code(self):
        self.assert_closed(self.saying({"action": "reject", "message": "not here"}), "not here")
        self.assert_closed(self.saying({}, code=2), "exit code 2")
        self.assert_closed(self.saying({"action": "something new"}), "exit code 0")

    def test_without_hookbox_everything_is_rejected(self):
        self.assert_closed(Hookbox(program=str(self.folder / "nowhere")), "hookbox cannot be asked")

    def test_no_answer_is_a_rejection(self):
        self.assert_closed(self.fake("echo oops >&2; exit 3"), r"gave no answer \(exit code 3\): oops")
        self.assert_closed(self.fake("echo '[]'"), "gave no answer")
        self.assert_closed(self.fake("kill -9 $$"), "gave no answer")

    def test_an_answer_that_does_not_come_is_a_rejection_and_nothing_is_left_behind(self):
        hookbox = self.fake(f"echo $$ > {self.folder}/pid; exec sleep 1000", timeout=1)
        with self.assertRaisesRegex(Refused, "did not answer within 1 seconds"):
            asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))
        with self.assertRaises(ProcessLookupError):
            os.kill(int((self.folder / "pid").read_text()), 0)

    def test_the_proxy_makes_a_bad_request_of_it(self):
        class HTTPException(Exception):
            def __init__(self, status_code, detail):
                super().__init__(status_code, detail)

        fastapi = types.ModuleType("fastapi")
        fastapi.HTTPException = HTTPException
        hookbox = self.saying({"action": "reject", "message": "no"})
        with mock.patch.dict(sys.modules, fastapi=fastapi), self.assertRaises(HTTPException) as raised:
            asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))
        self.assertEqual(raised.exception.args, (400, {"error": "no"}))

    def test_the_result_of_a_tool_gives_way_to_the_message(self):
        hookbox = self.saying({"action": "reject", "message": "not for you"})
        result = types.SimpleNamespace(mcp_tool_call_response=["secret"])
        told = asyncio.run(hookbox.async_post_mcp_tool_call_hook({"name": "t"}, result, NOW, NOW))
        self.assertEqual(told.mcp_tool_call_response, [{"type": "text", "text": "not for you"}])

    def test_a_logging_method_logs_and_goes_on(self):
        hookbox = Hookbox(program=str(self.folder / "nowhere"))
        with self.assertLogs("hookbox") as logged:
            asyncio.run(hookbox.async_log_success_event({}, "r", NOW, NOW))
            hookbox.log_success_event({}, "r", NOW, NOW)
            hookbox.log_post_api_call({}, "r", NOW, NOW)
            asyncio.run(hookbox.async_post_call_failure_hook({}, ValueError("x"), None))
            self.assertEqual(asyncio.run(hookbox.async_logging_hook({"k": 1}, "r", "c")), ({"k": 1}, "r"))
        # The first says that it does not tell which events have hooks.
        self.assertEqual(len(logged.output), 6)


METHODS = [
    ("async_pre_call_hook", "model.request"), ("async_pre_call_hook", "tool.before"),
    ("async_moderation_hook", "model.moderate"), ("log_success_event", "model.log"),
    ("async_post_call_streaming_iterator_hook", "model.stream-chunk"),
    ("async_post_call_streaming_iterator_hook", "model.stream-end"),
]


class WhatIsAsked(Bed):
    def setUp(self):
        super().setUp()
        home = mock.patch.dict(os.environ, {"HOME": str(self.folder)})
        home.start()
        self.addCleanup(home.stop)
        events = [{"event": event, "canonical": canonical} for event, canonical in METHODS]
        (self.folder / "dialects").write_text(json.dumps({"dialects": [{"name": "litellm", "events": events}]}))

    def listing(self, *events):
        """A hookbox with one hook for these events, which keeps a list of what it was called with."""
        self.hooks_are(*events)
        return self.program(f'cd {self.folder}; echo "$1" >> calls; [ "$1" = run ] && {{ echo "{{}}"; exit; }}; cat "$1"')

    def hooks_are(self, *events, file=None):
        hooks = [{"name": "h", "events": list(events), "file": file}] if events else []
        (self.folder / "list").write_text(json.dumps(hooks))

    def calls(self, word):
        path = self.folder / "calls"
        return path.read_text().split().count(word) if path.exists() else 0

    def stream(self, hookbox):
        async def chunks():
            yield "a"
            yield "b"

        async def collect():
            stream = hookbox.async_post_call_streaming_iterator_hook(None, chunks(), {"model": "m"})
            return [chunk async for chunk in stream]

        return asyncio.run(collect())

    def test_events_without_a_hook_cost_no_process(self):
        hookbox = self.listing()
        for _ in range(3):
            self.assertIsNone(self.pre_call(hookbox, {"model": "m"}))
            asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))
            hookbox.log_success_event({}, "r", NOW, NOW)
        self.assertEqual(self.stream(hookbox), ["a", "b"])
        self.assertEqual((self.calls("run"), self.calls("list"), self.calls("dialects")), (0, 1, 1))

    def test_an_event_with_a_hook_is_asked_about_and_no_other(self):
        hookbox = self.listing("model.request")
        self.pre_call(hookbox, {"model": "m"})
        asyncio.run(hookbox.async_moderation_hook({}, None, "completion"))
        self.assertEqual(self.calls("run"), 1)

    def test_a_hook_for_the_end_of_a_stream_costs_nothing_for_its_chunks(self):
        self.assertEqual(self.stream(self.listing("model.stream-end")), ["a", "b"])
        self.assertEqual(self.calls("run"), 1)
        self.assertEqual(self.stream(self.listing("model.stream-chunk")), ["a", "b"])
        self.assertEqual(self.calls("run"), 3)

    def test_a_method_that_hookbox_does_not_name_is_asked_about(self):
        asyncio.run(self.listing().async_post_call_success_hook({}, None, {}))
        self.assertEqual(self.calls("run"), 1)

    def test_a_file_that_comes_or_changes_counts_at_the_next_event(self):
        hookbox = self.listing()
        self.pre_call(hookbox, {"model": "m"})
        self.assertEqual(self.calls("run"), 0)
        configuration = self.folder / ".config/hookbox/hooks.toml"
        configuration.parent.mkdir(parents=True)
        configuration.write_text("# one")
        self.hooks_are("model.request", file=str(configuration))
        self.pre_call(hookbox, {"model": "m"})
        self.assertEqual((self.calls("run"), self.calls("list")), (1, 2))
        configuration.write_text("# another")
        self.hooks_are("model.moderate", file=str(configuration))
        self.pre_call(hookbox, {"model": "m"})
        self.assertEqual((self.calls("run"), self.calls("list")), (1, 3))

    def test_where_hookbox_can_no_longer_tell_it_is_asked_about_everything(self):
        configuration = self.folder / ".config/hookbox/hooks.toml"
        hookbox = self.listing("model.moderate")
        self.pre_call(hookbox, {"model": "m"})
        configuration.parent.mkdir(parents=True)
        configuration.write_text("broken")
        (self.folder / "list").write_text("[{}]")
        with self.assertLogs("hookbox"):
            self.pre_call(hookbox, {"model": "m"})
            self.pre_call(hookbox, {"model": "m"})
        self.assertEqual((self.calls("run"), self.calls("list")), (2, 2))


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


@unittest.skipUnless("HOOKBOX" in os.environ, "HOOKBOX does not name the program")
class WithHookbox(Bed):
    def setUp(self):
        super().setUp()
        configuration = self.folder / ".config/hookbox/hooks.toml"
        configuration.parent.mkdir(parents=True)
        configuration.write_text(HOOKS)
        self.hookbox = Hookbox(program=os.environ["HOOKBOX"], home=str(self.folder))

    def test_a_request_is_changed(self):
        data = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "temperature": 1, "logger": Opaque()}
        changed = self.pre_call(self.hookbox, data)
        self.assertEqual((changed["temperature"], changed["logger"]), (0, data["logger"]))
        self.assertEqual(changed["messages"][0], data["messages"][0])
        self.assertIn("be kind", changed["messages"][1]["content"])

    def test_a_request_and_a_response_are_rejected(self):
        data = {"model": "m", "messages": [{"role": "user", "content": "the secret"}]}
        with self.assertRaisesRegex(Refused, "a secret"):
            self.pre_call(self.hookbox, data)
        with self.assertRaisesRegex(Refused, "a secret"):
            asyncio.run(self.hookbox.async_post_call_success_hook({}, None, Model(text="the secret")))

    def test_hookbox_is_asked_about_events_with_hooks_alone(self):
        calls = self.folder / "calls"
        hookbox = self.program(f'echo "$1 $4" >> {calls}; exec {os.environ["HOOKBOX"]} "$@"')
        data = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
        self.pre_call(hookbox, data)
        hookbox.log_success_event({"model": "m"}, Model(), NOW, NOW)
        asyncio.run(hookbox.async_post_call_failure_hook({}, ValueError("x"), None))
        asyncio.run(hookbox.async_pre_call_deployment_hook({"model": "m"}, None))
        self.assertEqual(sorted(line.split()[0] for line in calls.read_text().splitlines()), ["dialects", "list", "run"])
        (self.folder / ".config/hookbox/hooks.toml").write_text(HOOKS.replace("model.request", "model.log"))
        self.pre_call(hookbox, data)
        hookbox.log_success_event({"model": "m"}, Model(), NOW, NOW)
        self.assertEqual([line.split()[0] for line in calls.read_text().splitlines()].count("run"), 2)

    def test_what_no_hook_is_for_passes(self):
        self.hookbox.log_success_event({"model": "m"}, Model(), NOW, NOW)
        self.assertIsNone(asyncio.run(self.hookbox.async_pre_call_deployment_hook({"model": "m"}, None)))


if __name__ == "__main__":
    unittest.main()
