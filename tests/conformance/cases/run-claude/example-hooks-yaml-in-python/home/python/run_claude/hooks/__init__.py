from enum import Enum
from dataclasses import dataclass, field
from typing import Any, Callable, Awaitable

class HookEvent(Enum):
    PRE_REQUEST = "pre_request"       # Before sending to provider
    POST_RESPONSE = "post_response"   # After receiving response
    PRE_TOOL_CALL = "pre_tool_call"   # Before tool execution
    POST_TOOL_CALL = "post_tool_call" # After tool execution

@dataclass
class HookContext:
    """Immutable-ish context passed through hook chain."""
    event: HookEvent
    model: str
    provider: str | None
    request_id: str
    timestamp: float
    messages: list[dict] | None = None
    tools: list[dict] | None = None
    response: dict | None = None
    metadata: dict = field(default_factory=dict)
    # Hooks can set this to stop the chain
    stop_chain: bool = False

# Type alias for hook functions
HookFn = Callable[[HookContext], Awaitable[HookContext]]
