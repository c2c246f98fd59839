"""What a hook says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Reason:
    """Why."""

    code: str
    """Stable: lower-case words joined by hyphens, at most 64 bytes."""
    text: str
    """For people, at most 10,000 characters."""


@dataclass(frozen=True)
class Verdict:
    """May it happen?"""

    word: Literal["none", "allow", "ask", "deny"] = "none"
    reason: Reason | None = None


@dataclass(frozen=True)
class Rewrite:
    """A change to the part of the event that can be rewritten. `merge` and `replace` make one."""

    kind: Literal["replace", "merge"]
    part: Any


@dataclass
class Answer:
    """What a hook makes of an event. Every part is optional."""

    verdict: Verdict = Verdict()
    rewrite: Rewrite | None = None
    """What should be different about the event."""
    context: str | None = None
    """Text for the model, at most 10,000 characters."""
    notice: str | None = None
    """Text for the person, at most 10,000 characters."""
    stop: str | None = None
    """Ends the run, and says why."""
    extra: dict[str, Any] | None = None
    """Fields that only this event knows."""


def allow(code: str, text: str, **more: Any) -> Answer:
    """Yes; it may skip a prompt. `more` are other parts of the answer: `allow("known", "…", notice="…")`."""
    return Answer(Verdict("allow", Reason(code, text)), **more)


def ask(code: str, text: str, **more: Any) -> Answer:
    """Only if the person says so."""
    return Answer(Verdict("ask", Reason(code, text)), **more)


def deny(code: str, text: str, **more: Any) -> Answer:
    """No."""
    return Answer(Verdict("deny", Reason(code, text)), **more)


def context(text: str, **more: Any) -> Answer:
    """No opinion, but text for the model."""
    return Answer(context=text, **more)


def notice(text: str, **more: Any) -> Answer:
    """No opinion, but text for the person."""
    return Answer(notice=text, **more)


def stop(why: str, **more: Any) -> Answer:
    """Ends the run, and says why."""
    return Answer(stop=why, **more)


def replace(part: Any, **more: Any) -> Answer:
    """Puts `part` in the place of the event's rewritable part, such as a tool's arguments."""
    return Answer(rewrite=Rewrite("replace", part), **more)


def merge(patch: dict[str, Any], **more: Any) -> Answer:
    """Changes the rewritable part by a merge patch (RFC 7396): `None` takes a member away."""
    return Answer(rewrite=Rewrite("merge", patch), **more)
