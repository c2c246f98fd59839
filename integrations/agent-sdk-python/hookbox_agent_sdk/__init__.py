"""hookbox's hooks in a program with Claude Code's Agent SDK.

    options = hookbox_options(ClaudeAgentOptions(...))
    async with ClaudeSDKClient(options) as client:
        ...
"""

from ._hooks import HookboxError, hookbox_hooks, hookbox_options

__all__ = ["HookboxError", "hookbox_hooks", "hookbox_options"]
