"""From the world's function to the author's, and back."""

from __future__ import annotations

import io
import json
import sys
from typing import Any, Callable

from hookbox_sdk import log
from hookbox_sdk.answer import Answer, Reason, Verdict
from hookbox_sdk.event import Event, Outcome, ToolCall, ToolClass
from hookbox_sdk.world import IS_COMPONENT, Err, imports

Handle = Callable[[Event], "Answer | None"]


class Failed(Exception):
    """The hook cannot do its work: `raise Failed("no branch is named …")`."""


def hook(handle: Handle) -> Handle:
    """Makes a function what its module exports. Once per component."""

    class World:
        def handle(self, event: Any) -> Any:
            try:
                answer = handle(_event(event))
                return _answer(Answer() if answer is None else answer)
            except Failed as failure:
                raise Err(str(failure)) from None
            except Exception as failure:
                log.error(_where(failure))
                raise Err(f"{type(failure).__name__}: {failure}") from None

    if IS_COMPONENT:
        sys.stdout = sys.stderr = _Lines()
    # Where `componentize-py` looks for it.
    handle.__globals__["WitWorld"] = World
    return handle


class _Lines(io.TextIOBase):
    """What is printed becomes lines of the log: a component has no terminal, and writing to it would end the hook."""

    def __init__(self) -> None:
        self._begun = ""

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            log.debug(line)
        return len(text)


def _where(failure: BaseException) -> str:
    """The way to the failure. Not as `traceback` writes it: that reads the sources, and a component has no files."""
    steps = []
    place = failure.__traceback__
    while place is not None:
        code = place.tb_frame.f_code
        steps.append(f"{code.co_filename}:{place.tb_lineno} in {code.co_name}")
        place = place.tb_next
    return "\n".join([*steps[1:], f"{type(failure).__name__}: {failure}"])


def _event(event: Any) -> Event:
    return Event(
        event.id,
        event.name,
        event.agent,
        event.agent_event,
        event.session,
        event.cwd,
        event.time,
        None if event.tool is None else _tool(event.tool),
        event.payload,
        event.original,
        None if event.outcome is None else _outcome(event.outcome),
    )


def _tool(tool: Any) -> ToolCall:
    kind = ToolClass(tool.class_.name.lower().replace("_", "-"))
    return ToolCall(tool.name, kind, tool.command, tool.paths, tool.input, tool.output)


def _outcome(outcome: Any) -> Outcome:
    # `Verdict_Deny` of the generated types; `Verdict_None_` has no reason.
    word = type(outcome.verdict).__name__.removeprefix("Verdict_").rstrip("_").lower()
    reason = getattr(outcome.verdict, "value", None)
    verdict = Verdict(word, None if reason is None else Reason(reason.code, reason.text))  # type: ignore[arg-type]
    return Outcome(verdict, outcome.deciders, outcome.rewritten, outcome.failed)


def _answer(answer: Answer) -> Any:
    if not isinstance(answer, Answer):
        raise Failed(f"the hook returned {type(answer).__name__}, and no answer: return deny(…), ask(…), or nothing")
    types = imports.types
    rewrite = None
    if answer.rewrite is not None:
        kinds = {"replace": types.Rewrite_Replace, "merge": types.Rewrite_Merge}
        rewrite = kinds[answer.rewrite.kind](_json(answer.rewrite.part))
    extra = None if answer.extra is None else _json(answer.extra)
    return types.Answer(_verdict(answer.verdict), rewrite, answer.context, answer.notice, answer.stop, extra)


def _verdict(verdict: Verdict) -> Any:
    types = imports.types
    if verdict.reason is None:
        return types.Verdict_None_()
    words = {"allow": types.Verdict_Allow, "ask": types.Verdict_Ask, "deny": types.Verdict_Deny}
    return words[verdict.word](types.Reason(verdict.reason.code, verdict.reason.text))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
