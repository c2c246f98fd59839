"""Stands between hookbox and the hook functions of run-claude: they get a `HookContext`, and what they changed in it is said.

hookbox tells {"context"}, with the entry's settings in {"config"}, and is said what changed: {"changed", "metadata" (a merge
patch), "whole_metadata" (all of it, where a merge patch cannot say it), "stop_chain"}.
"""
import collections.abc
import copy
import dataclasses
import enum
import importlib
import inspect
import json
import logging
import os
import sys
import types


class HookEvent(enum.Enum):
    PRE_REQUEST = "pre_request"
    POST_RESPONSE = "post_response"
    PRE_TOOL_CALL = "pre_tool_call"
    POST_TOOL_CALL = "post_tool_call"


@dataclasses.dataclass
class HookContext:
    event: HookEvent
    model: str
    provider: "str | None"
    request_id: str
    timestamp: float
    messages: "list[dict] | None" = None
    tools: "list[dict] | None" = None
    response: "dict | None" = None
    metadata: dict = dataclasses.field(default_factory=dict)
    stop_chain: bool = False


HookFn = collections.abc.Callable[[HookContext], collections.abc.Awaitable[HookContext]]


class HookChain:
    """What hook functions may make or ask for. hookbox runs the hooks that hooks.yaml names, and none of these."""

    # Those of hooks.yaml.
    listed = ()

    def __init__(self):
        self._hooks = {event: [] for event in HookEvent}

    def register(self, event, name, hook):
        self._hooks[event].append((name, hook))

    async def execute(self, ctx):
        for name, hook in self._hooks[ctx.event]:
            if ctx.stop_chain:
                break
            try:
                returned = hook(ctx)
                ctx = await returned if inspect.isawaitable(returned) else returned
            except Exception:
                logging.getLogger("run-claude.hooks").exception("Hook %s failed", name)
        return ctx

    def list_hooks(self, event=None):
        events = [event] if event else list(HookEvent)
        of_file = [name.split(":", 1) for name in self.listed]
        found = [(e, name) for e in events for value, name in of_file if value == e.value]
        found += [(e, name) for e in events for name, _ in self._hooks[e]]
        return [name if event else f"{e.value}:{name}" for e, name in found]


chain = HookChain()


def get_hook_chain():
    return chain


def reset_hook_chain():
    global chain
    chain = HookChain()
    return chain


async def log_request(ctx):
    settings = ctx.metadata.get("hook_config") or {}
    messages = ctx.messages or []
    print(f"[REQ] {ctx.model} | {len(messages)} messages | id={ctx.request_id[:8]}")
    if settings.get("verbose") and messages:
        last = messages[-1]
        print(f"  Last message ({last.get('role')}): {str(last.get('content', ''))[:100]}")
    return ctx


async def log_response(ctx):
    settings = ctx.metadata.get("hook_config") or {}
    usage = ctx.response.get("usage") or {} if isinstance(ctx.response, dict) else None
    if usage is None or not settings.get("include_tokens", True):
        print(f"[RESP] {ctx.model}")
    else:
        print(f"[RESP] {ctx.model} | tokens: {usage.get('total_tokens', '?')}")
    return ctx


STRICT_PROVIDERS = {"groq", "cerebras", "together", "anyscale"}


async def strip_provider_fields(ctx):
    if ctx.provider not in STRICT_PROVIDERS:
        return ctx
    for message in ctx.messages or []:
        message.pop("provider_specific_fields", None)
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict):
                block.pop("cache_control", None)
                block.pop("provider_specific_fields", None)
    for tool in ctx.tools or []:
        tool.pop("cache_control", None)
        if isinstance(tool.get("function"), dict):
            tool["function"].pop("cache_control", None)
    return ctx


MISSING = object()
CHANGEABLE = ("model", "messages", "tools", "response", "tool_args", "tool_result")


def folder(path):
    """As run-claude reads an entry of `python_path`."""
    return os.path.expanduser(os.path.expandvars(path))


def prepare():
    """run-claude's own modules; without run-claude ours, under its names, so that hooks can import them."""
    classes()


def classes():
    try:
        hooks = importlib.import_module("run_claude.hooks")
        return hooks.HookEvent, hooks.HookContext
    except (ImportError, AttributeError):
        package = stand_in("run_claude")
        package.hooks = hooks = stand_in("run_claude.hooks", HookEvent, HookContext)
        hooks.HookFn = HookFn
        hooks.chain = stand_in("run_claude.hooks.chain", HookChain, get_hook_chain, reset_hook_chain)
        hooks.builtin = stand_in("run_claude.hooks.builtin", log_request, log_response, strip_provider_fields)
        return HookEvent, HookContext


def stand_in(name, *members):
    """The module of this name with these members; what is there of it already stays."""
    module = sys.modules.setdefault(name, types.ModuleType(name))
    module.__dict__.setdefault("__path__", [])
    for member in members:
        setattr(module, member.__name__, member)
    return module


def argument(told, config):
    chain.listed = config.get("hooks") or ()
    members = copy.deepcopy(told["context"])
    events, contexts = classes()
    metadata = dict(members.get("metadata") or {})
    if config.get("config"):
        metadata["hook_config"] = config["config"]
    context = contexts(
        event=events(members["event"]),
        model=members.get("model"),
        provider=members.get("provider"),
        request_id=members.get("request_id"),
        timestamp=members.get("timestamp"),
        metadata=metadata,
    )
    for key, value in members.items():
        if key not in ("event", "metadata"):
            setattr(context, key, value)
    told["given"] = context
    return context


def said(told, config, returned):
    context = told["given"] if returned is None else returned
    if not hasattr(context, "stop_chain") or not hasattr(context, "metadata"):
        raise TypeError(f"it returned {type(returned).__name__}, not a HookContext")
    return changes(told["context"], context)


def changes(before, context):
    changed = {}
    for key in CHANGEABLE:
        value = plain(getattr(context, key, None))
        # To run-claude `None` means "unchanged".
        if value != before.get(key) and (value is not None or key == "tool_result"):
            changed[key] = value
    old = before.get("metadata") or {}
    metadata = plain(context.metadata or {})
    # The configuration is this hook's alone.
    metadata.pop("hook_config", None)
    if "hook_config" in old:
        metadata["hook_config"] = old["hook_config"]
    said = {"changed": changed, "metadata": patch(old, metadata), "stop_chain": bool(context.stop_chain)}
    if merged(old, said["metadata"]) != metadata:
        said["whole_metadata"] = metadata
    return said


def plain(value):
    """As JSON has it; raises for what JSON cannot hold."""
    return json.loads(json.dumps(value, allow_nan=False))


def merged(before, change):
    """`before` with this merge patch, which has no word for a null."""
    if not isinstance(change, dict):
        return change
    result = dict(before) if isinstance(before, dict) else {}
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def patch(before, after):
    """The merge patch (RFC 7396) that makes `after` of `before`."""
    found = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key, MISSING)
        if isinstance(old, dict) and isinstance(value, dict):
            inner = patch(old, value)
            if inner:
                found[key] = inner
        elif old is MISSING or old != value:
            found[key] = value
    return found
