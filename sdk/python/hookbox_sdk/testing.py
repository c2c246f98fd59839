"""What stands in the host's place outside of a component, so that a hook's function can be called by any test.

    from hookbox_sdk import Event, ToolCall, ToolClass, testing
    from app import handle

    testing.given.settings = {"most": 3}
    tool = ToolCall(class_=ToolClass.SHELL, command="ls")
    assert handle(Event(name="tool.before", tool=tool)) is None

What hookbox does with the answer, and with limits and grants, is tried by `hookbox plugin test`.
"""

from __future__ import annotations

import json as _json
from dataclasses import dataclass, field
from enum import Enum
from types import SimpleNamespace
from typing import Any, Callable


@dataclass
class Given:
    """What a test says, and what the hook did."""

    settings: dict[str, Any] = field(default_factory=dict)
    source: Any = None
    now: int = 0
    kv: dict[tuple[str, str], bytes] | None = None
    """By scope and key. None: nothing is granted."""
    facts: Any = None
    """What `facts.shell` finds: a `facts.ShellFacts`. None: the event has no command line."""
    http: Callable[[Any], Any] | None = None
    """Called with the request, returns what `response` makes. None: every request is refused."""
    log: list[str] = field(default_factory=list)
    """The lines that the hook wrote."""


given = Given()
"""What is there now. A test that changes it begins with `testing.reset()`."""


def reset() -> None:
    """Forgets everything."""
    given.__init__()  # type: ignore[misc]


def response(status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> Any:
    """A response for `given.http` to return."""
    listed = [SimpleNamespace(name=name, value=value) for name, value in (headers or {}).items()]
    return SimpleNamespace(status=status, headers=listed, body=body)


class Err(Exception):
    """An error of the host."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


# ---- The interfaces, as the generated modules have them ----

config = SimpleNamespace(get=lambda: _json.dumps(given.settings))
source = SimpleNamespace(read=lambda: _json.dumps(given.source))
clock = SimpleNamespace(now=lambda: given.now)
facts = SimpleNamespace(shell=lambda: given.facts)
random = SimpleNamespace(bytes=lambda count: bytes(index % 256 for index in range(count)))

_Level = Enum("_Level", ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"])
log = SimpleNamespace(Level=_Level, write=lambda level, message: given.log.append(message))


class _Scope(Enum):
    SESSION = 0
    PROJECT = 1
    USER = 2


_KvError = Enum("_KvError", ["NOT_GRANTED", "NO_PLACE", "BAD_SIZE", "QUOTA", "NOT_A_NUMBER", "BUSY"])


class _Kv:
    Scope = _Scope

    @staticmethod
    def _entries() -> dict[tuple[str, str], bytes]:
        if given.kv is None:
            raise Err(_KvError["NOT_GRANTED"])
        return given.kv

    def get(self, scope: _Scope, key: str) -> bytes | None:
        return self._entries().get((scope.name.lower(), key))

    def set(self, scope: _Scope, key: str, value: bytes) -> None:
        self._entries()[(scope.name.lower(), key)] = value

    def delete(self, scope: _Scope, key: str) -> None:
        self._entries().pop((scope.name.lower(), key), None)

    def keys(self, scope: _Scope, prefix: str) -> list[str]:
        place = scope.name.lower()
        return sorted(key for where, key in self._entries() if where == place and key.startswith(prefix))

    def increment(self, scope: _Scope, key: str, by: int) -> int:
        try:
            number = int(self.get(scope, key) or b"0") + by
        except ValueError:
            raise Err(_KvError["NOT_A_NUMBER"]) from None
        self.set(scope, key, str(number).encode())
        return number

    def swap(self, scope: _Scope, key: str, old: bytes | None, new: bytes) -> bool:
        if self.get(scope, key) != old:
            return False
        self.set(scope, key, new)
        return True


kv = _Kv()


@dataclass
class Error_Refused:
    """The one error that a test need not make."""

    value: str


def _send(request: Any) -> Any:
    if given.http is None:
        raise Err(Error_Refused("no rule covers it"))
    return given.http(request)


http = SimpleNamespace(
    Header=lambda name, value: SimpleNamespace(name=name, value=value),
    Request=lambda method, url, headers, body, timeout: SimpleNamespace(
        method=method, url=url, headers=headers, body=body, timeout=timeout
    ),
    send=_send,
)
