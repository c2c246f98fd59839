"""A stub stands for the SDK: what is registered with it, and what its callbacks return, needs no more of it."""

import dataclasses
import sys
import types

import pytest


@dataclasses.dataclass
class HookMatcher:
    matcher: object = None
    hooks: list = dataclasses.field(default_factory=list)
    timeout: object = None
    on_failure: object = None


@dataclasses.dataclass
class ClaudeAgentOptions:
    cwd: object = None
    model: object = None
    hooks: object = None


sdk = types.ModuleType("claude_agent_sdk")
sdk.HookMatcher, sdk.ClaudeAgentOptions = HookMatcher, ClaudeAgentOptions
sys.modules["claude_agent_sdk"] = sdk

import hookbox  # noqa: E402


@pytest.fixture
def host(tmp_path):
    (tmp_path / "cache").mkdir(mode=0o700)
    return hookbox.Host(hooks=False, home=tmp_path, cache_home=tmp_path / "cache")


@pytest.fixture
def command(tmp_path):
    def event(line="ls"):
        called = {"tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": "t1"}
        return {"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(tmp_path), **called}

    return event
