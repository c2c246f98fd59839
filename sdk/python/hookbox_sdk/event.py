"""What a hook decides about."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from hookbox_sdk.answer import Verdict


class ToolClass(Enum):
    """What a tool does, whatever an agent calls it."""

    SHELL = "shell"
    FILE_READ = "file-read"
    FILE_WRITE = "file-write"
    SEARCH = "search"
    WEB = "web"
    MCP = "mcp"
    AGENT = "agent"
    OTHER = "other"


@dataclass
class ToolCall:
    """A tool call, in the agent's own words and in ours."""

    name: str = ""
    """The agent's name for the tool: "Bash", "run_shell_command"."""
    class_: ToolClass = ToolClass.OTHER
    command: str | None = None
    """The command line, for a shell tool."""
    paths: list[str] = field(default_factory=list)
    """The files that the call names, absolute, lexically normalised."""
    input_json: str = "{}"
    output_json: str | None = None

    @cached_property
    def input(self) -> Any:
        """The agent's arguments."""
        return json.loads(self.input_json)

    @cached_property
    def output(self) -> Any:
        """The result, after the call; None before it."""
        return None if self.output_json is None else json.loads(self.output_json)


@dataclass
class Outcome:
    """What a chain came to, for hooks that only observe."""

    verdict: Verdict = Verdict()
    deciders: list[str] = field(default_factory=list)
    """The names of the hooks that said so."""
    rewritten_json: str | None = None
    """The rewritable part as the chain left it, if the chain changed it."""
    failed: list[str] = field(default_factory=list)
    """The names of the hooks that failed."""


@dataclass
class Event:
    """One lifecycle moment, before or after something happens."""

    id: str = ""
    """Unique for this event."""
    name: str = ""
    """Canonical name, as in `hookbox_sdk.events`: "tool.before"."""
    agent: str = ""
    """The dialect it came in: "claude-code"."""
    agent_event: str = ""
    """Its name in that dialect: "PreToolUse"."""
    session: str = ""
    """The agent's session; empty if the caller named none."""
    cwd: str = ""
    """The agent's working directory, absolute; empty if the caller named none."""
    time: int = 0
    """Milliseconds since the Unix epoch."""
    tool: ToolCall | None = None
    """The tool call that the event is about."""
    payload_json: str = "{}"
    original_json: str | None = None
    """The rewritable part as the caller sent it, if a transform before this hook changed it."""
    outcome: Outcome | None = None
    """What the chain came to. Only observers have it."""

    @property
    def command(self) -> str | None:
        """The command line, if the event is about a tool that runs one."""
        if self.tool is None or self.tool.class_ is not ToolClass.SHELL:
            return None
        return self.tool.command

    @cached_property
    def payload(self) -> dict[str, Any]:
        """Everything else that the event carries."""
        payload: dict[str, Any] = json.loads(self.payload_json)
        return payload
