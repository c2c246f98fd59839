"""hookbox in LiteLLM's proxy.

    litellm_settings:
      callbacks: hookbox_litellm.hookbox

`hookbox` asks the hooks that hookbox is configured with, `run_claude` those of run-claude's `hooks.yaml`; who wants something else makes
a `Hookbox` in a file beside the proxy's configuration, and names that.
"""

import os

from ._callback import Hookbox, HookboxPerChunk
from ._errors import Refused

__all__ = ["Hookbox", "HookboxPerChunk", "Refused", "hookbox", "run_claude"]

_RUN_CLAUDE = "~/.config/run-claude/hooks.yaml"


def __getattr__(name):
    """Makes the one that the proxy's configuration names, and no other."""
    if name == "hookbox":
        made = Hookbox()
    elif name == "run_claude":
        made = Hookbox(hooks_yaml=os.path.expanduser(_RUN_CLAUDE))
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made
    return made
