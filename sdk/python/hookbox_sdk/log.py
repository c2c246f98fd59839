"""Lines in the call's report, for whoever debugs the hook."""

from __future__ import annotations

from hookbox_sdk.world import imports


def trace(message: str) -> None:
    """Every step."""
    _write("TRACE", message)


def debug(message: str) -> None:
    """For the hook's author."""
    _write("DEBUG", message)


def info(message: str) -> None:
    """For the hook's user."""
    _write("INFO", message)


def warn(message: str) -> None:
    """Something is odd, the hook goes on."""
    _write("WARN", message)


def error(message: str) -> None:
    """The hook cannot do its work."""
    _write("ERROR", message)


def _write(level: str, message: str) -> None:
    imports.log.write(imports.log.Level[level], message)
