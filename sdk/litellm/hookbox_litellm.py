"""LiteLLM's proxy asks hookbox.

A `CustomLogger` that pipes the arguments of each method to `hookbox run --agent litellm` and does what the answer says.
The exact words are in docs/dialects.md, "LiteLLM". Put this file beside the proxy's configuration and name it there:

    litellm_settings:
      callbacks: hookbox_litellm.hookbox

A method that can reject does so when hookbox cannot be asked; one that cannot logs that and goes on. hookbox is asked
about events that have hooks: which those are, it says at the start and whenever a file of hooks has changed.
"""
import asyncio
import enum
import json
import logging
import math
import os
import subprocess
import threading
from pathlib import Path

from litellm.integrations.custom_logger import CustomLogger

logger = logging.getLogger("hookbox")

# Seconds that one event may take.
TIMEOUT = 60
# hookbox reads JSON that is at most 100 deep; what is deeper here is sent as text.
MAX_DEPTH = 60
# The iterator hook has seen each chunk already.
SKIPPED = frozenset({"async_post_call_streaming_hook"})
# The caller's own headers with its keys: no hook's business.
HIDDEN = "secret_fields"
MCP_CALLS = ("mcp_call", "call_mcp_tool")


class Refused(Exception):
    """hookbox said no, or could not be asked."""


class Subscriptions:
    """Which events have hooks. Whatever cannot be told for certain is asked about."""

    def __init__(self, program, arguments, timeout, home):
        self._commands = {
            "hooks": [program, "list", "--json", *whose(arguments), *arguments],
            "methods": [program, "dialects", "litellm", "--json"],
        }
        # Where `run` looks, whatever the variables say.
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        self._environment["HOME"] = home
        self._timeout = timeout
        self._lock = threading.Lock()
        self._usual = [*configured(arguments), *usual_files(home)]
        self._files, self._seen, self._events, self._methods = [], None, None, {}

    def has(self, method, event=None):
        """May a hook be for this method, or for this one of its events?"""
        with self._lock:
            if self._stamps() != self._seen:
                self._look_again()
            if self._events is None:
                return True
            events = self._methods.get(method)
            return events is None or bool(({event} if event else events) & self._events)

    def _look_again(self):
        """Until nothing changes while hookbox reads: an answer older than its files would count for ever."""
        for _ in range(3):
            self._seen = self._stamps()
            self._refresh()
            if self._stamps() == self._seen:
                return
        self._seen = None

    def _refresh(self):
        self._events = None
        try:
            methods = self._answer("methods")["dialects"][0]["events"]
            hooks = self._answer("hooks")
            self._files = [hook["file"] for hook in hooks if hook["file"]]
            told = {}
            for row in methods:
                told.setdefault(row["event"], set()).add(row["canonical"])
            self._methods, self._events = told, {event for hook in hooks for event in hook["events"]}
        except Exception as error:
            logger.warning("hookbox does not tell which events have hooks, so it is asked about all: %s", error)

    def _answer(self, name):
        command = self._commands[name]
        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=self._timeout,
            env=self._environment,
        )
        if ran.returncode != 0:
            said = ran.stderr.decode(errors="replace").strip()
            raise ValueError(f"`{command[1]}` ended with {ran.returncode}: {said}")
        return json.loads(ran.stdout)

    def _stamps(self):
        return {str(file): stamp(file) for file in (*self._usual, *self._files)}


def configured(arguments):
    """The files that the arguments name."""
    return [file for flag, file in zip(arguments, arguments[1:]) if flag in ("--config", "--source")]


def whose(arguments):
    """Whose hook files the arguments name, if they name any."""
    return ["--agent", "litellm"] if "--source" in arguments else []


def usual_files(home):
    """Where hooks are configured: a file that is not there yet may come."""
    here = Path.cwd()
    projects = [parent / ".hookbox/hooks.toml" for parent in (here, *here.parents)]
    return [Path("/etc/hookbox/hooks.toml"), Path(home) / ".config/hookbox/hooks.toml", *projects]


def stamp(file):
    """What changes with a file."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


class Hookbox(CustomLogger):
    """`program` is the command; `arguments` are more of them for `hookbox run`, such as `--config FILE`; `timeout` is in
    seconds for one event; the methods in `skipped` do not ask. `home` is where the hooks are, below `.config/hookbox`: the
    proxy's home folder if not given. hookbox itself does not ask variables for it, since an agent's project may set them."""

    def __init__(self, program="hookbox", arguments=(), timeout=TIMEOUT, skipped=SKIPPED, home=None):
        super().__init__()
        patience = f"{int(timeout * 1000)}ms"
        home = os.path.abspath(home or os.path.expanduser("~"))
        self._subscriptions = Subscriptions(program, list(arguments), timeout, home)
        self._command = [
            program, "run", "--agent", "litellm", "--patience", patience, "--home", home, *arguments,
        ]
        self._timeout = timeout
        self._skipped = frozenset(skipped)

    # What can be rejected.

    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        sent, call_type = plain(data), plain(call_type)
        answer = await self._gate(
            "async_pre_call_hook", data=sent, call_type=call_type, user_api_key_dict=user_api_key_dict
        )
        changed = applied(data, sent, answer.get("data", sent))
        if call_type in MCP_CALLS and "modified_arguments" in answer:
            arguments = data.get("mcp_arguments"), sent.get("mcp_arguments"), answer["modified_arguments"]
            changed = {**changed, "modified_arguments": applied(*arguments)}
        if "extra_headers" in answer:
            changed = {**changed, "extra_headers": answer["extra_headers"]}
        if "context" in answer:
            message = {"role": "user", "content": answer["context"]}
            changed = {**changed, "messages": [*(changed.get("messages") or []), message]}
        return unless_same(data, changed)

    async def async_moderation_hook(self, data, user_api_key_dict, call_type):
        await self._gate(
            "async_moderation_hook", data=data, call_type=call_type, user_api_key_dict=user_api_key_dict
        )

    async def async_post_call_success_hook(self, data, user_api_key_dict, response):
        sent = plain(response)
        answer = await self._gate(
            "async_post_call_success_hook", data=data, response=sent, user_api_key_dict=user_api_key_dict
        )
        return unless_same(response, applied(response, sent, answer.get("response", sent)))

    async def async_post_call_streaming_hook(self, user_api_key_dict, response):
        sent = plain(response)
        answer = await self._gate(
            "async_post_call_streaming_hook", response=sent, user_api_key_dict=user_api_key_dict
        )
        return unless_same(response, applied(response, sent, answer.get("chunk", sent)))

    async def async_post_call_streaming_iterator_hook(self, user_api_key_dict, response, request_data):
        method = "async_post_call_streaming_iterator_hook"
        call = {"request_data": request_data, "user_api_key_dict": user_api_key_dict}
        judged = await self._has(method, "model.stream-chunk")
        async for chunk in response:
            if not judged:
                yield chunk
                continue
            sent = plain(chunk)
            answer = await self._gate(method, chunk=sent, **call)
            yield applied(chunk, sent, answer.get("chunk", sent))
        if await self._has(method, "model.stream-end"):
            await self._gate(method, end=True, **call)

    async def async_filter_deployments(
        self, model, healthy_deployments, messages, request_kwargs=None, parent_otel_span=None
    ):
        sent = plain(healthy_deployments)
        answer = await self._gate(
            "async_filter_deployments",
            model=model, healthy_deployments=sent, messages=messages, request_kwargs=request_kwargs or {},
        )
        return applied(healthy_deployments, sent, answer.get("deployments", sent))

    async def async_pre_call_deployment_hook(self, kwargs, call_type):
        sent = plain(kwargs)
        answer = await self._gate("async_pre_call_deployment_hook", kwargs=sent, call_type=call_type)
        return unless_same(kwargs, applied(kwargs, sent, answer.get("kwargs", sent)))

    async def async_post_mcp_tool_call_hook(self, kwargs, response_obj, start_time, end_time):
        sent = plain(response_obj)
        call = {"kwargs": kwargs, "response_obj": sent, "start_time": start_time, "end_time": end_time}
        try:
            answer = await self._ask("async_post_mcp_tool_call_hook", call)
            return unless_same(response_obj, applied(response_obj, sent, answer.get("response", sent)))
        except Exception as refusal:
            # LiteLLM swallows what this method raises.
            return in_place_of(response_obj, str(refusal))

    # What cannot.

    async def async_post_call_failure_hook(
        self, request_data, original_exception, user_api_key_dict, traceback_str=None
    ):
        await self._log(
            "async_post_call_failure_hook",
            request_data=request_data, exception=str(original_exception), user_api_key_dict=user_api_key_dict,
            traceback_str=traceback_str,
        )

    async def async_logging_hook(self, kwargs, result, call_type):
        sent = {"kwargs": plain(kwargs), "result": plain(result)}
        answer = await self._log("async_logging_hook", call_type=call_type, **sent)
        return record(kwargs, result, sent, answer)

    def logging_hook(self, kwargs, result, call_type):
        sent = {"kwargs": plain(kwargs), "result": plain(result)}
        answer = self._log_now("logging_hook", call_type=call_type, **sent)
        return record(kwargs, result, sent, answer)

    def log_pre_api_call(self, model, messages, kwargs):
        self._log_now("log_pre_api_call", model=model, messages=messages, kwargs=kwargs)

    async def async_log_pre_api_call(self, model, messages, kwargs):
        await self._log("async_log_pre_api_call", model=model, messages=messages, kwargs=kwargs)

    # How it is asked.

    async def _has(self, method, event=None):
        """Without holding up other requests while hookbox lists its hooks."""
        return method not in self._skipped and await asyncio.to_thread(self._subscriptions.has, method, event)

    async def _gate(self, method, **arguments):
        try:
            return await self._ask(method, arguments)
        except Refused as refusal:
            raise rejection(str(refusal)) from refusal

    async def _log(self, method, **arguments):
        try:
            return await self._ask(method, arguments)
        except Exception as error:
            logger.warning("%s: %s", method, error)
            return {}

    def _log_now(self, method, **arguments):
        try:
            if method in self._skipped or not self._subscriptions.has(method):
                return {}
            event = event_of(method, arguments)
            ran = subprocess.run(self._command, input=event, capture_output=True, timeout=self._timeout)
            return answer_of(method, ran.returncode, ran.stdout, ran.stderr)
        except Exception as error:
            logger.warning("%s: %s", method, error)
            return {}

    async def _ask(self, method, arguments):
        if not await self._has(method):
            return {}
        event = event_of(method, arguments)
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe, stderr=pipe)
        except OSError as error:
            raise Refused(f"hookbox cannot be asked: {error}") from error
        try:
            stdout, stderr = await asyncio.wait_for(process.communicate(event), self._timeout)
        except asyncio.TimeoutError:
            raise Refused(f"hookbox did not answer within {self._timeout} seconds") from None
        finally:
            await end(process)
        return answer_of(method, process.returncode, stdout, stderr)


def logs(name):
    """The methods of this name and shape, for synchronous and for asynchronous calls."""

    def now(self, kwargs, response_obj, start_time, end_time):
        call = {"response_obj": response_obj, "start_time": start_time, "end_time": end_time}
        self._log_now(name, kwargs=kwargs, **call)

    async def later(self, kwargs, response_obj, start_time, end_time):
        call = {"response_obj": response_obj, "start_time": start_time, "end_time": end_time}
        await self._log(f"async_{name}", kwargs=kwargs, **call)

    return now, later


for _name in ("log_success_event", "log_failure_event", "log_stream_event"):
    _now, _later = logs(_name)
    setattr(Hookbox, _name, _now)
    setattr(Hookbox, f"async_{_name}", _later)
Hookbox.log_post_api_call, _ = logs("log_post_api_call")


def event_of(method, arguments):
    return json.dumps({"litellm_hook": method, **plain(arguments)}).encode()


def answer_of(method, code, stdout, stderr):
    """The answer; whatever does not look like one is a refusal."""
    try:
        answer = json.loads(stdout)
    except ValueError:
        answer = None
    said = stderr.decode(errors="replace").strip()
    if not isinstance(answer, dict):
        raise Refused(f"hookbox gave no answer (exit code {code}): {said}")
    if code != 0 or "action" in answer:
        raise Refused(answer.get("message") or answer.get("notice") or said or f"exit code {code}")
    if "notice" in answer:
        logger.warning("%s: %s", method, answer["notice"])
    return answer


async def end(process):
    """Told to end, hookbox ends its hooks too."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), 1)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()


def rejection(message):
    """What LiteLLM makes an answer with status 400 of."""
    try:
        from fastapi import HTTPException
    except ImportError:
        return Refused(message)
    return HTTPException(status_code=400, detail={"error": message})


def plain(value, depth=0):
    """As JSON has it; what is no JSON as text."""
    if isinstance(value, enum.Enum):
        value = value.value
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth < MAX_DEPTH:
        if isinstance(value, dict):
            return {str(key): plain(item, depth + 1) for key, item in value.items() if key != HIDDEN}
        if isinstance(value, (list, tuple)):
            return [plain(item, depth + 1) for item in value]
        if callable(getattr(value, "model_dump", None)):
            return plain(value.model_dump(), depth + 1)
    return str(value)


def unless_same(value, changed):
    """LiteLLM takes `None` for "no change"."""
    return None if changed is value else changed


def applied(value, sent, answered):
    """`value` with what `answered` changes of `sent`; the rest stays the objects that it was."""
    if json.dumps(sent) == json.dumps(answered):
        return value
    if isinstance(value, dict) and isinstance(answered, dict):
        return members(value, sent, answered)
    if isinstance(value, (list, tuple)) and isinstance(answered, list):
        return items(value, sent, answered)
    if callable(getattr(value, "model_dump", None)) and isinstance(answered, dict):
        return rebuilt(value, answered)
    return answered


def members(value, sent, answered):
    """Member by member; what was not sent stays."""
    names = {str(key): key for key in value}
    kept = {key: value[key] for name, key in names.items() if name not in sent}
    changed = {
        names.get(name, name): applied(value[names[name]], sent[name], item) if name in sent else item
        for name, item in answered.items()
    }
    return {**kept, **changed}


def items(value, sent, answered):
    """Item by item; of a list that became longer or shorter, those that were there stay what they were."""
    if len(value) == len(answered):
        return [applied(*item) for item in zip(value, sent, answered)]
    old = {json.dumps(text): item for text, item in zip(sent, value)}
    return [old.get(json.dumps(item), item) for item in answered]


def rebuilt(value, members):
    """A model with these members, and what LiteLLM keeps beside them."""
    model = type(value)(**members)
    hidden = getattr(value, "_hidden_params", None)
    if hidden is not None:
        model._hidden_params = hidden
    return model


def record(kwargs, result, sent, answer):
    """What the log gets."""
    given = {"kwargs": kwargs, "result": result}
    return tuple(applied(given[key], sent[key], answer.get(key, sent[key])) for key in ("kwargs", "result"))


def in_place_of(response_obj, message):
    """The result of a tool with `message` for its content. It is changed itself: not every caller looks at what the
    method returns."""
    try:
        from mcp.types import TextContent
        content = [TextContent(type="text", text=message)]
    except ImportError:
        content = [{"type": "text", "text": message}]
    result = response_obj.mcp_tool_call_response
    if hasattr(result, "content"):
        result.content, result.isError, result.structuredContent = content, True, None
    else:
        response_obj.mcp_tool_call_response = content
    return response_obj


hookbox = Hookbox(program=os.environ.get("HOOKBOX", "hookbox"))
