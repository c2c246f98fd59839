"""Write hooks for coding agents in Python: one function, one WebAssembly component.

    from hookbox_sdk import Event, deny, hook

    @hook
    def handle(event: Event):
        if event.command == "rm -rf /":
            return deny("removes-root", "rm -rf / removes everything")

Returning nothing is no opinion. An exception is a failed hook; the configuration decides what that means, by default a deny.

In a component `time.time()` ends the hook and `random` is the same in every call: `now()` and `random_bytes()` are in their place.
"""

from hookbox_sdk import events, facts, http, kv, log
from hookbox_sdk.answer import (
    Answer,
    Reason,
    Rewrite,
    Verdict,
    allow,
    ask,
    context,
    deny,
    merge,
    notice,
    replace,
    stop,
)
from hookbox_sdk.event import Event, Outcome, ToolCall, ToolClass
from hookbox_sdk.given import now, random_bytes, settings, source
from hookbox_sdk.handler import Failed, hook

__all__ = [
    "Answer",
    "Event",
    "Failed",
    "Outcome",
    "Reason",
    "Rewrite",
    "ToolCall",
    "ToolClass",
    "Verdict",
    "allow",
    "ask",
    "context",
    "deny",
    "events",
    "facts",
    "hook",
    "http",
    "kv",
    "log",
    "merge",
    "notice",
    "now",
    "random_bytes",
    "replace",
    "settings",
    "source",
    "stop",
]
