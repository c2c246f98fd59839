"""Callbacks of the Agent SDK that ask hookbox."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, cast

import hookbox
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

if TYPE_CHECKING:
    from claude_agent_sdk.types import HookContext, HookEvent, HookInput, HookJSONOutput

AGENT = "claude-code"


class HookboxError(Exception):
    """hookbox has no answer that the SDK could be told."""


def hookbox_options(
    options: ClaudeAgentOptions | None = None,
    *,
    host: hookbox.Host | None = None,
    events: Iterable[str] | None = None,
    timeout: float | None = None,
    on_failure: Literal["block", "continue"] = "block",
    **host_options: Any,
) -> ClaudeAgentOptions:
    """These options with hookbox's hooks beside those that they have. The other arguments are those of `hookbox_hooks`."""
    options = ClaudeAgentOptions() if options is None else options
    own = hookbox_hooks(
        host=host, events=events, timeout=timeout, on_failure=on_failure, cwd=options.cwd, **host_options
    )
    hooks = {event: list(matchers) for event, matchers in (options.hooks or {}).items()}
    for event, matchers in own.items():
        hooks.setdefault(event, []).extend(matchers)
    return dataclasses.replace(options, hooks=hooks)


def hookbox_hooks(
    *,
    host: hookbox.Host | None = None,
    events: Iterable[str] | None = None,
    timeout: float | None = None,
    on_failure: Literal["block", "continue"] = "block",
    cwd: Any = None,
    **host_options: Any,
) -> dict[HookEvent, list[HookMatcher]]:
    """hookbox's hooks, for `ClaudeAgentOptions(hooks=…)`.

    `host` is a host of the program's; without one it is made of `host_options`, which are those of `hookbox.Host`. `events` are Claude
    Code's names; without it there is a callback for each event that `hookbox install` writes an entry for. `timeout` is in seconds for one
    event; without it Claude Code waits as long as for a hook that is a process. `on_failure` says what Claude Code does when hookbox
    itself fails; for a hook that fails, its own `on-failure` does. `cwd` stands for the folder of an event that has none.
    """
    if on_failure not in ("block", "continue"):
        raise ValueError(f"`on_failure` is {on_failure!r}, but must be 'block' or 'continue'")
    if timeout is not None and not (isinstance(timeout, (int, float)) and timeout > 0):
        raise ValueError(f"`timeout` is {timeout!r}, but must be seconds, more than 0")
    if host is not None and host_options:
        raise TypeError(f"`host` is a whole host, so {', '.join(host_options)} cannot be said beside it")
    host = hookbox.Host(**host_options) if host is None else host
    hooks: dict[Any, list[HookMatcher]] = {}
    for row in rows(events):
        seconds = row["timeout"] if timeout is None else timeout
        hooks[row["event"]] = [
            HookMatcher(
                hooks=[callback(host, row["event"], seconds, cwd)],
                timeout=seconds,
                on_failure=row["on_failure"] if on_failure == "block" else None,
            )
        ]
    return hooks


def rows(names: Iterable[str] | None) -> list[hookbox.AgentSdkEvent]:
    """What is known of these events, or of the usual ones."""
    known = hookbox.agent_sdk_events()
    if names is None:
        return [row for row in known if row["usual"]]
    wanted = [names] if isinstance(names, str) else list(names)
    unknown = [name for name in wanted if all(row["event"] != name for row in known)]
    if unknown:
        allowed = ", ".join(row["event"] for row in known)
        raise ValueError(f"Claude Code has no event {unknown[0]!r}; it has {allowed}")
    return [row for row in known if row["event"] in wanted]


def callback(host: hookbox.Host, event: str, timeout: float, cwd: Any) -> Any:
    """What asks this host about this event."""

    async def ask_hookbox(hook_input: HookInput, tool_use_id: str | None, context: HookContext) -> HookJSONOutput:
        response = await answer(host, hook_input, cwd=cwd, agent_timeout=timeout)
        output = response.agent_sdk_output(event)
        if output is None:
            raise HookboxError(response.stderr.strip() or f"hookbox has no answer to {event}")
        return cast("HookJSONOutput", output)

    return ask_hookbox


async def answer(host: hookbox.Host, hook_input: HookInput, **words: Any) -> hookbox.Response:
    """Who cancels it ends the hooks."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return await answer_on_a_thread(host, hook_input, **words)
    return await host.answer_async(AGENT, hook_input, **words)


async def answer_on_a_thread(host: hookbox.Host, hook_input: HookInput, **words: Any) -> hookbox.Response:
    """For trio, which the SDK runs on as well. Hooks of a call that is cancelled go on to their end."""
    import anyio.to_thread

    ask = functools.partial(host.answer, AGENT, hook_input, **words)
    return await anyio.to_thread.run_sync(ask, abandon_on_cancel=True)
