"""A program with Claude Code's Agent SDK (PyPI: claude-agent-sdk, hookbox-agent-sdk) that has the user's hooks, and one of its own.

It asks Claude Code something: `python examples/agent_sdk.py "What is in this folder?"`
"""

import asyncio
import sys

import hookbox
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient
from hookbox_agent_sdk import hookbox_options

host = hookbox.Host()


@host.hook("tool.before", tool={"class": "shell"})
def no_network(event):
    if "curl" in (event["tool"]["command"] or ""):
        return hookbox.deny("network", "this program stays where it is")


async def main(prompt):
    options = hookbox_options(ClaudeAgentOptions(allowed_tools=["Bash"]), host=host)
    async with ClaudeSDKClient(options) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            print(message)


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:])))
