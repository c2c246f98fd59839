"""Streams that are bytes: server-sent events, as the Anthropic format has them.

A piece of bytes may end in the middle of an event, so pieces are cut anew. What is no such event is left as it came.
"""

import json
import re

from ._errors import Refused
from ._values import encoded

END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
BEGIN = re.compile(rb"\s*(event|data|id|retry)?:")
# By so many bytes it is seen whether a stream has events.
SEEN = 16
# Longest event, bytes: hookbox reads none that is longer.
LONGEST = 32 << 20


class Frames:
    """The events in pieces of bytes."""

    def __init__(self):
        self._rest = bytearray()

    def of(self, piece):
        """Those that this piece ends."""
        searched = max(0, len(self._rest) - 3)
        self._rest += piece
        frames, begin = [], 0
        for end in END.finditer(self._rest, searched):
            frames.append(bytes(self._rest[begin : end.end()]))
            begin = end.end()
        del self._rest[:begin]
        if len(self._rest) > LONGEST:
            raise Refused(f"an event of the stream has no end after {LONGEST >> 20} MiB")
        if len(self._rest) >= SEEN and not BEGIN.match(self._rest):
            frames.extend(self.rest())
        return frames

    def rest(self):
        """What no event has ended."""
        rest = bytes(self._rest)
        self._rest.clear()
        return [rest] if rest else []


def told(frame):
    """What a hook is told of a frame: the object in it, else its text; `None` if there is nothing to tell."""
    if not BEGIN.match(frame):
        return frame.decode(errors="replace")
    data = [value for name, value in fields(frame) if name == "data"]
    if not data:
        return None
    try:
        return json.loads("\n".join(data), object_pairs_hook=without_twins)
    except (ValueError, RecursionError):
        return "\n".join(data)


def without_twins(members):
    """Of two members with one name whoever reads on may take either; as text both are told."""
    read = dict(members)
    if len(read) < len(members):
        raise ValueError("a member appears twice")
    return read


def framed(frame, answered):
    """The frame with something else in it."""
    if not BEGIN.match(frame):
        return answered.encode() if isinstance(answered, str) else encoded(answered)
    kept = [(name, value) for name, value in fields(frame) if name not in ("data", "event")]
    names = [value for name, value in fields(frame) if name == "event"]
    if names and isinstance(answered, dict) and isinstance(answered.get("type"), str):
        names = [answered["type"]]
    data = answered if isinstance(answered, str) else encoded(answered).decode()
    lines = [*kept, *(("event", name) for name in names), *(("data", line) for line in data.split("\n"))]
    return "".join(f"{name}: {value}\n" for name, value in lines).encode() + b"\n"


def fields(frame):
    """Names and values, without comments."""
    lines = (line.partition(":") for line in re.split("\r\n|\n|\r", frame.decode(errors="replace")))
    return [(name.strip(), value[1:] if value.startswith(" ") else value) for name, colon, value in lines if name.strip() and colon]
