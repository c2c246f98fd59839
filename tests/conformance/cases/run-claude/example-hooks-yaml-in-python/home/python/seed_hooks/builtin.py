"""Built-in hooks for logging and provider compatibility."""

from run_claude.hooks import HookContext

async def log_request(ctx: HookContext) -> HookContext:
    """Log outgoing request summary."""
    msg_count = len(ctx.messages) if ctx.messages else 0
    verbose = ctx.metadata.get("hook_config", {}).get("verbose", False)
    print(f"[REQ] {ctx.model} | {msg_count} messages | id={ctx.request_id[:8]}")
    if verbose and ctx.messages:
        last = ctx.messages[-1]
        content = str(last.get("content", ""))[:100]
        print(f"  Last message ({last.get('role')}): {content}...")
    return ctx

async def log_response(ctx: HookContext) -> HookContext:
    """Log incoming response summary."""
    include_tokens = ctx.metadata.get("hook_config", {}).get("include_tokens", True)
    if ctx.response and include_tokens:
        usage = ctx.response.get("usage", {}) if isinstance(ctx.response, dict) else {}
        print(f"[RESP] {ctx.model} | tokens: {usage.get('total_tokens', '?')}")
    else:
        print(f"[RESP] {ctx.model}")
    return ctx

async def strip_provider_fields(ctx: HookContext) -> HookContext:
    """Strip fields that cause errors with strict providers (Groq, Cerebras, etc).

    Replaces the inline logic from the old provider_compat callback.
    """
    STRICT_PROVIDERS = {"groq", "cerebras", "together", "anyscale"}

    if ctx.provider not in STRICT_PROVIDERS:
        return ctx

    if ctx.messages:
        for msg in ctx.messages:
            _clean_message(msg)

    if ctx.tools:
        for tool in ctx.tools:
            tool.pop("cache_control", None)
            if "function" in tool:
                tool["function"].pop("cache_control", None)

    return ctx

def _clean_message(msg: dict) -> None:
    """Remove provider_specific_fields and cache_control from message."""
    msg.pop("provider_specific_fields", None)
    content = msg.get("content")
    if isinstance(content, list):
        for block in content:
            if isinstance(block, dict):
                block.pop("cache_control", None)
                block.pop("provider_specific_fields", None)
