"""LiteLLM's proxy asks hookbox. The exact words are in docs/reference/agents/litellm.md."""

import asyncio
import json
import logging
import os

import hookbox
from litellm.integrations.custom_logger import CustomLogger

from ._errors import Failed, Refused, rejection
from ._frames import Frames, framed, told
from ._provider import provider_of
from ._subscriptions import Subscriptions
from ._values import applied, deployments, encoded, in_place_of, itself, plain, request, taken, unless_same

logger = logging.getLogger("hookbox")

# Seconds that one event may take.
TIMEOUT = 60
# Seconds more that hookbox has to say that it took too long.
GRACE = 1
MCP_CALLS = ("mcp_call", "call_mcp_tool")
# The code of the hook that stands for files which cannot be read.
BROKEN = "bad-configuration"
ITERATOR = "async_post_call_streaming_iterator_hook"


class Hookbox(CustomLogger):
    """Asks one host about all events of the proxy that have hooks.

    `host` is that host; without one it is made of `options`, which are those of `hookbox.Host`. `hooks_yaml` is run-claude's file,
    which decides alone then. `timeout` is in seconds for one event. `on_failure` says what becomes of a request when hookbox itself
    fails, `deny` or `allow`; for a hook that fails, its own `on-failure` does. The methods in `skipped` do not ask.
    """

    def __init__(self, host=None, *, hooks_yaml=None, on_failure="deny", timeout=TIMEOUT, skipped=(), **options):
        super().__init__()
        if on_failure not in ("deny", "allow"):
            raise ValueError(f"`on_failure` is {on_failure!r}, but must be 'deny' or 'allow'")
        if host is not None and (options or hooks_yaml is not None):
            raise TypeError("`host` is a whole host, so `hooks_yaml` and options of a host cannot be said beside it")
        if host is not None and not callable(getattr(host, "answer_async", None)):
            raise TypeError(f"`host` is of type {type(host).__name__}, but must be a hookbox.Host; a file is named by `config` or `hooks_yaml`")
        if not (isinstance(timeout, (int, float)) and timeout > 0):
            raise ValueError(f"`timeout` is {timeout!r}, but must be seconds, more than 0")
        skipped = [skipped] if isinstance(skipped, str) else list(skipped)
        unknown = [name for name in skipped if name.startswith("_") or not callable(getattr(type(self), name, None))]
        if unknown:
            raise ValueError(f"`skipped` has {unknown[0]!r}, but a callback has no such method")
        if hooks_yaml is not None:
            options = {"agent": "litellm", "source": hooks_yaml, **options}
        self._host = hookbox.Host(**options) if host is None else host
        if hooks_yaml is not None and os.path.exists(hooks_yaml):
            # In the words of run-claude's own callback.
            print(f"[HOOKS] Loaded {len(self._host.hooks())} hooks from {hooks_yaml}")
        self._subscriptions = Subscriptions(self._host)
        self._closed = on_failure == "deny"
        self._timeout = timeout
        self._skipped = frozenset(skipped)

    def __init_subclass__(cls, **words):
        """LiteLLM looks for some methods in the class itself and not in what it inherits from."""
        super().__init_subclass__(**words)
        for name, method in vars(Hookbox).items():
            if callable(method) and not name.startswith("_") and name not in vars(cls):
                setattr(cls, name, getattr(cls, name))

    # What can be rejected.

    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        method, call_type = "async_pre_call_hook", plain(call_type)
        becomes = "tool.before" if call_type in MCP_CALLS else "model.request"
        if not await self._has(method, becomes):
            return None
        known = {}
        sent = request(data, known)

        def take(answer):
            changed = taken(data, sent, answer, "data")
            if becomes == "tool.before" and "modified_arguments" in answer:
                arguments = data.get("mcp_arguments"), sent.get("mcp_arguments"), answer["modified_arguments"]
                changed = {**changed, "modified_arguments": applied(*arguments)}
            if "extra_headers" in answer:
                changed = {**changed, "extra_headers": answer["extra_headers"]}
            if "context" in answer:
                message = {"role": "user", "content": answer["context"]}
                changed = {**changed, "messages": [*(changed.get("messages") or []), message]}
            return unless_same(data, changed)

        event = {"data": sent, "call_type": call_type, "user_api_key_dict": plain(user_api_key_dict, known=known), **provider_of(data)}
        return await self._gate(method, event, take)

    async def async_moderation_hook(self, data, user_api_key_dict, call_type):
        method = "async_moderation_hook"
        if await self._has(method):
            known = {}
            owner = plain(user_api_key_dict, known=known)
            event = {"data": request(data, known), "call_type": plain(call_type), "user_api_key_dict": owner, **provider_of(data)}
            await self._gate(method, event)

    async def async_post_call_success_hook(self, data, user_api_key_dict, response):
        method = "async_post_call_success_hook"
        if not await self._has(method):
            return None
        sent = plain(response)
        known = {}
        event = {"response": sent, "data": request(data, known), "user_api_key_dict": plain(user_api_key_dict, known=known)}
        return await self._gate(method, event, replaced(response, sent, "response"))

    async def async_post_call_streaming_iterator_hook(self, user_api_key_dict, response, request_data):
        call = Stream(request_data, user_api_key_dict)
        chunks = self._judged(response, call) if await self._has(ITERATOR, "model.stream-chunk") else response
        async for chunk in chunks:
            yield chunk
        if await self._has(ITERATOR, "model.stream-end"):
            await self._decided(ITERATOR, call.event(end=True))

    async def async_filter_deployments(self, model, healthy_deployments, messages, request_kwargs=None, parent_otel_span=None):
        method = "async_filter_deployments"
        if not await self._has(method):
            return healthy_deployments
        sent = plain(deployments(healthy_deployments))
        call = {"model": model, "messages": messages, "request_kwargs": itself(request_kwargs or {})}
        event = {"healthy_deployments": sent, **plain(call)}
        left = await self._gate(method, event, replaced(healthy_deployments, sent, "deployments"))
        return healthy_deployments if left is None else left

    async def async_pre_call_deployment_hook(self, kwargs, call_type):
        method = "async_pre_call_deployment_hook"
        if not await self._has(method):
            return None
        sent = plain(itself(kwargs))
        event = {"kwargs": sent, "call_type": plain(call_type)}
        return await self._gate(method, event, replaced(kwargs, sent, "kwargs"))

    async def async_post_mcp_tool_call_hook(self, kwargs, response_obj, start_time, end_time):
        method = "async_post_mcp_tool_call_hook"
        if not await self._has(method):
            return None
        sent = plain(response_obj)
        call = {"kwargs": itself(kwargs), "start_time": start_time, "end_time": end_time}
        event = {"response_obj": sent, **plain(call)}
        try:
            return await self._decided(method, event_of(method, event), replaced(response_obj, sent, "response"))
        except Refused as refusal:
            # LiteLLM swallows what this method raises.
            return in_place_of(response_obj, str(refusal))

    # What cannot.

    async def async_post_call_failure_hook(self, request_data, original_exception, user_api_key_dict, traceback_str=None):
        call = {"exception": original_exception, "user_api_key_dict": user_api_key_dict, "traceback_str": traceback_str}
        await self._log("async_post_call_failure_hook", {"request_data": itself(request_data), **call})

    async def async_logging_hook(self, kwargs, result, call_type):
        if not await self._has("async_logging_hook"):
            return kwargs, result
        return await self._log("async_logging_hook", *record(kwargs, result, call_type)) or (kwargs, result)

    def logging_hook(self, kwargs, result, call_type):
        if not self._has_now("logging_hook"):
            return kwargs, result
        return self._log_now("logging_hook", *record(kwargs, result, call_type)) or (kwargs, result)

    def log_pre_api_call(self, model, messages, kwargs):
        self._log_now("log_pre_api_call", {"model": model, "messages": messages, "kwargs": itself(kwargs)})

    async def async_log_pre_api_call(self, model, messages, kwargs):
        await self._log("async_log_pre_api_call", {"model": model, "messages": messages, "kwargs": itself(kwargs)})

    # How it is asked.

    async def _has(self, method, event=None):
        return method not in self._skipped and await self._subscriptions.has(method, event)

    def _has_now(self, method):
        return method not in self._skipped and self._subscriptions.has_now(method)

    async def _judged(self, response, call):
        """The chunks of a stream as hooks leave them, one by one."""
        frames = Frames()
        async for chunk in response:
            if not isinstance(chunk, bytes):
                sent = plain(chunk)
                changed = await self._decided(ITERATOR, call.event(chunk=sent), replaced(chunk, sent, "chunk"))
                yield chunk if changed is None else changed
                continue
            for frame in frames.of(chunk):
                yield await self._judged_frame(frame, call)
        for frame in frames.rest():
            yield await self._judged_frame(frame, call)

    async def _judged_frame(self, frame, call):
        sent = plain(told(frame))
        if sent is None:
            return frame
        answered = await self._decided(ITERATOR, call.event(chunk=sent), replaced(sent, sent, "chunk"))
        return frame if answered is None else framed(frame, answered)

    async def _gate(self, method, event, take=None):
        try:
            return await self._decided(method, event_of(method, event), take)
        except Refused as refusal:
            raise rejection(str(refusal)) from refusal

    async def _decided(self, method, event, take=None):
        """What `take` makes of the answer; `None` if nothing changes. What refuses within a stream is no HTTP error, since LiteLLM
        tells of any other in the stream itself, whose head is under way."""
        try:
            answer = await self._ask(method, event)
            return take(answer) if take else None
        except Refused:
            raise
        except Exception as failure:
            if self._closed:
                raise Refused(str(failure)) from failure
            logger.warning("%s: goes on although hookbox failed: %s", method, failure)
            return None

    async def _log(self, method, event, take=None):
        try:
            if not await self._has(method):
                return None
            answer = await self._ask(method, event_of(method, plain(event)))
            return take(answer) if take else None
        except Exception as error:
            logger.warning("%s: %s", method, error)
            return None

    def _log_now(self, method, event, take=None):
        try:
            if not self._has_now(method):
                return None
            response = self._host.answer("litellm", event_of(method, plain(event)), agent_timeout=self._timeout)
            answer = answer_of(method, response)
            return take(answer) if take else None
        except Exception as error:
            logger.warning("%s: %s", method, error)
            return None

    async def _ask(self, method, event):
        asked = self._host.answer_async("litellm", event, agent_timeout=self._timeout)
        try:
            response = await within(self._timeout + GRACE, asked)
        except asyncio.TimeoutError:
            raise Failed(f"hookbox did not answer within {self._timeout} seconds") from None
        except Exception as error:
            raise Failed(f"hookbox cannot be asked: {error}") from error
        return answer_of(method, response)


class HookboxPerChunk(Hookbox):
    """For a LiteLLM that does not let the iterator hook see all chunks. With it LiteLLM takes longer for each one."""

    async def async_post_call_streaming_hook(self, user_api_key_dict, response):
        method = "async_post_call_streaming_hook"
        if not await self._has(method):
            return None
        sent = plain(response)
        event = event_of(method, {"response": sent, "user_api_key_dict": plain(user_api_key_dict)})
        return await self._decided(method, event, replaced(response, sent, "chunk"))

    async def _has(self, method, event=None):
        return (method, event) != (ITERATOR, "model.stream-chunk") and await super()._has(method, event)


def logs(name):
    """The methods of this name and shape, for synchronous and for asynchronous calls."""

    def now(self, kwargs, response_obj, start_time, end_time):
        call = {"response_obj": response_obj, "start_time": start_time, "end_time": end_time}
        self._log_now(name, {"kwargs": itself(kwargs), **call})

    async def later(self, kwargs, response_obj, start_time, end_time):
        call = {"response_obj": response_obj, "start_time": start_time, "end_time": end_time}
        await self._log(f"async_{name}", {"kwargs": itself(kwargs), **call})

    return now, later


for _name in ("log_success_event", "log_failure_event", "log_stream_event"):
    _now, _later = logs(_name)
    setattr(Hookbox, _name, _now)
    setattr(Hookbox, f"async_{_name}", _later)
Hookbox.log_post_api_call, _ = logs("log_post_api_call")


async def within(seconds, awaited):
    """Without a task of its own where Python can do it: that would cost more than most hooks."""
    if not hasattr(asyncio, "timeout"):
        return await asyncio.wait_for(awaited, seconds)
    async with asyncio.timeout(seconds):
        return await awaited


class Stream:
    """The events of one stream. What they have in common is made into JSON once."""

    def __init__(self, request_data, user_api_key_dict):
        self._request, self._owner = request_data, user_api_key_dict
        self._head = None

    def event(self, **members):
        if self._head is None:
            self._head = encoded({"litellm_hook": ITERATOR, **self._call()})[:-1]
        return self._head + b"," + encoded(members)[1:]

    def _call(self):
        known = {}
        return {"request_data": request(self._request, known), "user_api_key_dict": plain(self._owner, known=known)}


def event_of(method, arguments):
    return encoded({"litellm_hook": method, **arguments})


def answer_of(method, response):
    """The answer; whatever does not look like one is a failure."""
    try:
        answer = json.loads(response.stdout)
    except ValueError:
        answer = None
    said = response.stderr.strip()
    if not isinstance(answer, dict):
        raise Failed(f"hookbox gave no answer (exit code {response.exit_code}): {said}")
    if response.exit_code != 0 or "action" in answer:
        message = answer.get("message") or answer.get("notice") or said or f"exit code {response.exit_code}"
        if BROKEN in answered_codes(response):
            # Who calls the proxy has no business with its folders.
            logger.error("%s: %s", method, message)
            message = "the hooks of this proxy are not configured rightly; its log says what is wrong"
        # Without an outcome no hook was asked.
        raise Failed(message) if response.outcome is None else Refused(message)
    if "notice" in answer:
        logger.warning("%s: %s", method, answer["notice"])
    return answer


def answered_codes(response):
    """The codes of what hooks said."""
    return [reason["value"]["code"] for reason in (response.outcome or {}).get("reasons", [])]


def replaced(value, sent, key):
    """What the answer makes of the one value that a method may replace."""
    return lambda answer: unless_same(value, taken(value, sent, answer, key))


def record(kwargs, result, call_type):
    """What is logged, and what the log gets of it."""
    given = {"kwargs": kwargs, "result": result}
    sent = plain({"kwargs": itself(kwargs), "result": result})

    def take(answer):
        return tuple(taken(given[key], sent[key], answer, key) for key in given)

    return {**sent, "call_type": call_type}, take
