"""Read by the type checker, never run."""

import hookbox
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient
from hookbox_agent_sdk import HookboxError, hookbox_hooks, hookbox_options


async def ask() -> None:
    own = ClaudeAgentOptions(hooks=hookbox_hooks(config="hooks.toml", events=["PreToolUse"]))
    host = hookbox.Host(hooks=False)
    options: ClaudeAgentOptions = hookbox_options(own, host=host, timeout=5, on_failure="continue")
    async with ClaudeSDKClient(options) as client:
        await client.query("?")
        async for message in client.receive_response():
            print(message)


error: type[Exception] = HookboxError
hookbox_options(on_failure="deny")  # type: ignore[arg-type]
