"""Read by the type checker, never run: all of the package, as a program has it."""

from __future__ import annotations

import pathlib
from typing import Any

import hookbox

host = hookbox.Host(
    config="hooks.toml",
    session=pathlib.Path("more.toml"),
    hooks=True,
    agent="claude-code",
    source=["settings.json"],
    home="/home/dev",
    config_home="/home/dev/.config",
    state_home="/home/dev/.local/state",
    cache_home="/home/dev/.cache",
    compiler="/usr/lib/hookbox-compile",
    plugins="/usr/share/hookbox/plugins",
    environment={"PATH": "/usr/bin"},
)


@host.hook(
    "tool.before",
    "tool.after",
    tool={"class": "shell"},
    role="gate",
    name="no-force",
    timeout=2.5,
    priority=1,
    on_failure="deny",
    config={"words": ["--force"]},
    limits={"output": "1MiB"},
)
def no_force(event: dict[str, Any]) -> hookbox.Answer | None:
    if event["config"]["words"]:
        return hookbox.deny("no-force", "do it without") | hookbox.notice("no force")
    return None


@host.hook("prompt.submit", tool=["Bash"], role="transform")
async def remind(event: dict[str, Any]) -> hookbox.Answer:
    return hookbox.rewrite({"prompt": "x"}, merge=True) | hookbox.context("c") | hookbox.stop("s")


name: str = no_force.name
removed: bool = no_force.remove()
answers: list[hookbox.Answer] = [hookbox.allow(), hookbox.ask("code", "reason"), {"verdict": "none"}]


async def ask() -> str:
    response: hookbox.Response = await host.answer_async("claude-code", b"{}", cwd=pathlib.Path(), agent_timeout=1)
    outcome: dict[str, Any] = await host.dispatch_async({"event": "custom:x"}, cwd="/")
    output: dict[str, Any] | None = response.agent_sdk_output("PreToolUse")
    return f"{response.stdout}{response.stderr}{response.exit_code + 1}{response.reason or ''}{outcome}{output}{response.outcome}"


def ask_now() -> None:
    try:
        host.answer(None, {"event": "custom:x"})
        host.dispatch({"event": "custom:x"})
        host.prepare()
        host.reload()
    except hookbox.Error as error:
        print(error.code == "bad-event", error.message)
    number: int = host.set_enabled("no-force", False)
    events: list[str] = host.events()
    states: list[dict[str, Any]] = host.hooks("/")
    known: list[tuple[str, str]] = hookbox.agent_events("codex")
    timeouts: list[float] = [event["timeout"] for event in hookbox.agent_sdk_events() if event["usual"]]
    print(number, events, states, known, timeouts, hookbox.Hook)


host.hook("tool.before", role="judge")  # type: ignore[arg-type]
hookbox.deny("code")  # type: ignore[call-arg]
wrong: hookbox.Answer = {"verdict": "block"}  # type: ignore[typeddict-item]
