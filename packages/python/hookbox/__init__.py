"""hookbox in a Python program: one hook host for every coding agent.

    import hookbox

    host = hookbox.Host()

    @host.hook("tool.before", tool="Bash")
    def no_shell(event):
        return hookbox.deny("no-shell", "this session has no shell")

    response = host.answer("claude-code", agents_bytes)
"""

from ._answers import allow, ask, context, deny, notice, rewrite, stop
from ._errors import Error
from ._host import Hook, Host
from ._native import Response, agent_events, agent_sdk_events

__all__ = [
    "Error",
    "Hook",
    "Host",
    "Response",
    "agent_events",
    "agent_sdk_events",
    "allow",
    "ask",
    "context",
    "deny",
    "notice",
    "rewrite",
    "stop",
]
