"""Which events have hooks."""

import asyncio
import threading
import time

import hookbox

# Seconds for which an answer counts. A changed file counts after these and the host's own.
LOOK_AGAIN = 0.1


class Subscriptions:
    """Whatever cannot be told for certain is asked about."""

    def __init__(self, host):
        self._host = host
        self._methods = {}
        for method, event in hookbox.agent_events("litellm"):
            self._methods.setdefault(method, set()).add(event)
        self._lock = threading.Lock()
        self._events, self._looked = None, None

    async def has(self, method, event=None):
        """May a hook be for this method, or for this one of its events? Other requests go on while files are read."""
        if self._is_old():
            await asyncio.to_thread(self._look)
        return self._says(method, event)

    def has_now(self, method):
        if self._is_old():
            self._look()
        return self._says(method, None)

    def _is_old(self):
        return self._looked is None or time.monotonic() - self._looked >= LOOK_AGAIN

    def _look(self):
        """Who comes meanwhile waits: what was known before may be from long ago."""
        with self._lock:
            if not self._is_old():
                return
            begun = time.monotonic()
            try:
                self._events = frozenset(self._host.events())
            except Exception:
                self._events = None
            self._looked = begun

    def _says(self, method, event):
        events = self._events
        known = {event} if event else self._methods.get(method)
        return events is None or known is None or not events.isdisjoint(known)
