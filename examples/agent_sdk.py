"""Hooks of a program with Claude Code's Agent SDK (PyPI: claude-agent-sdk) that hookbox answers.

`hookbox control` speaks the SDK's protocol as the side that has the hooks. Here it is started once, and what Claude Code asks the SDK's
callbacks is asked there. Beside them a program may have callbacks of its own.

    async with Hookbox() as hookbox:
        options = ClaudeAgentOptions(hooks=hookbox.hooks())

As a program it asks Claude Code something, with the user's hooks: `python examples/agent_sdk.py "What is in this folder?"`
"""

import asyncio
import itertools
import json
import sys

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, HookMatcher

LONGEST_LINE = 64 << 20


class Hookbox:
    """hookbox's hooks as callbacks of the SDK, as long as the context lasts."""

    def __init__(self, command=("hookbox", "control")):
        self._command = command
        self._ids = itertools.count(1)
        self._waiting = {}

    async def __aenter__(self):
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, limit=LONGEST_LINE
        )
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("hookbox ended before it registered its hooks; standard error says why")
        initialize = json.loads(line)
        self._registered = initialize["request"]["hooks"] or {}
        # The SDK looks at Claude Code's own answer, and refuses one that does not heed `on_failure`.
        response = {"hooks_applied": True, "hook_on_failure_supported": True}
        await self._respond(initialize["request_id"], response)
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_):
        self._process.stdin.close()
        await self._reader
        await self._process.wait()

    def hooks(self):
        """For `ClaudeAgentOptions(hooks=…)`."""
        return {
            event: [
                HookMatcher(
                    matcher=group["matcher"],
                    hooks=[self._callback(callback_id) for callback_id in group["hookCallbackIds"]],
                    timeout=group.get("timeout"),
                    on_failure=group.get("onFailure"),
                )
                for group in groups
            ]
            for event, groups in self._registered.items()
        }

    def _callback(self, callback_id):
        async def ask(hook_input, tool_use_id, _context):
            request_id = f"hook_{next(self._ids)}"
            answer = asyncio.get_running_loop().create_future()
            if self._reader.done():
                raise RuntimeError("hookbox has ended")
            self._waiting[request_id] = answer
            request = {
                "subtype": "hook_callback",
                "callback_id": callback_id,
                "input": hook_input,
                "tool_use_id": tool_use_id,
            }
            try:
                await self._write({"type": "control_request", "request_id": request_id, "request": request})
                return await answer
            except asyncio.CancelledError:
                await self._write({"type": "control_cancel_request", "request_id": request_id})
                raise
            finally:
                self._waiting.pop(request_id, None)

        return ask

    async def _read(self):
        while line := await self._process.stdout.readline():
            response = json.loads(line).get("response", {})
            answer = self._waiting.get(response.get("request_id"))
            if answer is None or answer.done():
                continue
            if response["subtype"] == "error":
                answer.set_exception(RuntimeError(response["error"]))
            else:
                answer.set_result(response["response"])
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(RuntimeError("hookbox ended before it answered"))

    async def _respond(self, request_id, response):
        response = {"subtype": "success", "request_id": request_id, "response": response}
        await self._write({"type": "control_response", "response": response})

    async def _write(self, message):
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        await self._process.stdin.drain()


async def main(prompt):
    async with Hookbox() as hookbox, ClaudeSDKClient(ClaudeAgentOptions(hooks=hookbox.hooks())) as client:
        await client.query(prompt)
        async for message in client.receive_response():
            print(message)


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:])))
