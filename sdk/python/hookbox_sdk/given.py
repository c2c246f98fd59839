"""What a hook is given besides the event."""

from __future__ import annotations

import json
from typing import Any

from hookbox_sdk.world import imports


def settings() -> dict[str, Any]:
    """This hook's own settings, from the configuration that installed it."""
    own: dict[str, Any] = json.loads(imports.config.get())
    return own


def source() -> Any:
    """The caller's own JSON, untouched."""
    return json.loads(imports.source.read())


def now() -> int:
    """Milliseconds since the Unix epoch: the event's own time, unless the hook has the grant `clock`."""
    return int(imports.clock.now())


def random_bytes(count: int) -> bytes:
    """At most 4096. They follow from the event and the settings, unless the hook has the grant `random`."""
    return bytes(imports.random.bytes(count))
