"""A small store that outlives a call, for a hook with the grant `kv`. Every function is one step for all processes.

A scope is who shares the entries: "session", "project" or "user".
"""

from __future__ import annotations

from typing import Any, Callable, Literal

from hookbox_sdk.world import Err, imports

Scope = Literal["session", "project", "user"]


class Error(Exception):
    """Nothing was read or changed. `name` says why: "not-granted", "no-place", "bad-size", "quota", "not-a-number", "busy"."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def get(scope: Scope, key: str) -> bytes | None:
    """The value of this key, if it has one."""
    value: bytes | None = _call(imports.kv.get, scope, key)
    return value


def set(scope: Scope, key: str, value: bytes) -> None:
    """Gives the key this value, whatever it had."""
    _call(imports.kv.set, scope, key, value)


def delete(scope: Scope, key: str) -> None:
    """Takes the key away. It need not be there."""
    _call(imports.kv.delete, scope, key)


def keys(scope: Scope, prefix: str = "") -> list[str]:
    """The keys that begin so, in the order of their bytes, the first 1000 of them."""
    return list(_call(imports.kv.keys, scope, prefix))


def increment(scope: Scope, key: str, by: int = 1) -> int:
    """Adds to a number, and says what it is now. A key without a value counts as 0."""
    return int(_call(imports.kv.increment, scope, key, by))


def swap(scope: Scope, key: str, old: bytes | None, new: bytes) -> bool:
    """Gives the key a value if it has the value `old` (None: if it has none), and says if it did."""
    return bool(_call(imports.kv.swap, scope, key, old, new))


def _call(function: Callable[..., Any], scope: str, *rest: Any) -> Any:
    try:
        return function(imports.kv.Scope[scope.upper()], *rest)
    except Err as error:
        raise Error(error.value.name.lower().replace("_", "-")) from None
