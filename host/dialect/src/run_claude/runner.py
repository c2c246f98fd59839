"""Calls one hook function of run-claude as its own chain would.

Arguments: the module and the function. Standard input: {"config", "python_path", "context"}. Standard output: what the
function changed, {"changed", "metadata" (a merge patch), "stop_chain"}, or {"error"}. What hooks print goes to standard
error.
"""
import sys

# The event's folder is a stranger's: nothing is imported from there.
if sys.path[:1] == [""]:
    del sys.path[0]

import asyncio
import collections.abc
import dataclasses
import enum
import importlib
import inspect
import json
import os
import traceback
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

    def __init__(self):
        self._hooks = {event: [] for event in HookEvent}

    def register(self, event, name, hook):
        self._hooks[event].append((name, hook))

    async def execute(self, ctx):
        for _, hook in self._hooks[ctx.event]:
            if ctx.stop_chain:
                break
            try:
                ctx = await hook(ctx)
            except Exception:
                traceback.print_exc()
        return ctx

    def list_hooks(self, event=None):
        if event:
            return [name for name, _ in self._hooks[event]]
        return [f"{event.value}:{name}" for event, hooks in self._hooks.items() for name, _ in hooks]


chain = HookChain()


def get_hook_chain():
    return chain


def reset_hook_chain():
    global chain
    chain = HookChain()
    return chain


MISSING = object()
CHANGEABLE = ("model", "messages", "tools", "response", "tool_args", "tool_result")


def classes():
    """run-claude's own classes; without run-claude ours, under its names, so that hooks can import them."""
    try:
        from run_claude import hooks
        return hooks.HookEvent, hooks.HookContext
    except (ImportError, AttributeError):
        package = stand_in("run_claude")
        package.hooks = hooks = stand_in("run_claude.hooks", HookEvent, HookContext)
        hooks.HookFn = HookFn
        hooks.chain = stand_in("run_claude.hooks.chain", HookChain, get_hook_chain, reset_hook_chain)
        return HookEvent, HookContext


def stand_in(name, *members):
    """The module of this name with these members; what is there of it already stays."""
    module = sys.modules.setdefault(name, types.ModuleType(name))
    module.__dict__.setdefault("__path__", [])
    for member in members:
        setattr(module, member.__name__, member)
    return module


def context_of(members, config):
    events, contexts = classes()
    metadata = dict(members.get("metadata") or {})
    if config:
        metadata["hook_config"] = config
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
    return context


def plain(value):
    """As JSON has it; raises for what JSON cannot hold."""
    return json.loads(json.dumps(value, allow_nan=False))


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
    return {"changed": changed, "metadata": patch(old, metadata), "stop_chain": bool(context.stop_chain)}


async def awaited(value):
    return await value


def call(module, function, text):
    job = json.loads(text)
    for path in job["python_path"]:
        expanded = os.path.expanduser(os.path.expandvars(path))
        if expanded not in sys.path:
            sys.path.insert(0, expanded)
    context = context_of(job["context"], job["config"])
    answer = getattr(importlib.import_module(module), function)(context)
    if inspect.isawaitable(answer):
        answer = asyncio.run(awaited(answer))
    if answer is None:
        answer = context
    if not hasattr(answer, "stop_chain") or not hasattr(answer, "metadata"):
        raise TypeError(f"it returned {type(answer).__name__}, not a HookContext")
    return changes(json.loads(text)["context"], answer)


def main():
    stdout = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        said = call(*sys.argv[1:], sys.stdin.buffer.read())
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        said = {"error": f"{type(error).__name__}: {error}"}
    with stdout:
        stdout.write(json.dumps(said))


main()
