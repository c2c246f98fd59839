"""Functions that files name, called in this program as hookbox's own interpreters call them. Nothing keeps them from anything, and what
does not return stays on its thread."""

import contextvars
import json
import os
import sys
import threading
import types

from . import _hooks, _native

# Where the call is that prints something.
_CALL = contextvars.ContextVar("hookbox_call")
# What hookbox keeps of what one call prints, characters.
_MOST_PRINTED = 64 << 10

_called = types.ModuleType("hookbox._called")
exec(compile(_native.functions(), "<hookbox>", "exec"), _called.__dict__)
_called.CALLERS |= {__file__, _hooks.__file__}


def begin(job, ticket):
    """Begins a call, whose end the ticket takes. Returns what gives it up, or a text that says why it was not begun."""
    call = _FunctionCall(job, ticket)
    try:
        _hooks._threads.run(call)
    except _hooks.NoThread as error:
        return str(error)
    return call.give_up


class _FunctionCall(_hooks.Call):
    """Always begun on a thread, since an import may take long. What is to be awaited is on a loop of hookbox's own: always the same, as
    what functions keep belongs to a loop."""

    def __init__(self, job, ticket):
        super().__init__(None)
        self._job, self._ticket = job, ticket
        self._printed, self._room = [], _MOST_PRINTED

    def run(self):
        contextvars.Context().run(self._run)

    def _run(self):
        _CALL.set(self)
        _printing.begin()
        super().run()

    def call(self):
        told, config, generation = (self._job[key] for key in ("told", "config", "generation"))
        self._job.update(told=told and json.loads(told), config=json.loads(config))
        _modules.take_changed_anew(generation)
        return _called.begin(self._job)

    def answer(self, returned):
        said = _called.end(self._job, returned)
        _printing.end()
        self._ticket.said(said, "".join(self._printed))

    def fail(self, error):
        code, text = _called.failure(self._job, error)
        _printing.end()
        self._ticket.failed(code, text, "".join(self._printed))

    def print(self, text):
        text = str(text)[: self._room]
        self._room -= len(text)
        self._printed.append(text)


class _Printed:
    """Stands in a standard stream's place: what a function prints is its log, all else goes where it went."""

    def __init__(self, stream):
        self._stream = stream

    def write(self, text):
        call = _CALL.get(None)
        if call is None:
            return 0 if self._stream is None else self._stream.write(text)
        call.print(text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        if self._stream is not None:
            self._stream.flush()

    def __getattr__(self, name):
        return getattr(self._stream, name)


class _Printing:
    """Stands there as long as functions run. A program that puts something else there gets what they print."""

    def __init__(self):
        self._lock, self._calls = threading.Lock(), 0

    def begin(self):
        with self._lock:
            self._calls += 1
            for name in ("stdout", "stderr"):
                stream = getattr(sys, name)
                if not isinstance(stream, _Printed):
                    setattr(sys, name, _Printed(stream))

    def end(self):
        with self._lock:
            self._calls -= 1
            if self._calls > 0:
                return
            for name in ("stdout", "stderr"):
                stream = getattr(sys, name)
                if isinstance(stream, _Printed):
                    setattr(sys, name, stream._stream)


class _Modules:
    """Modules that functions are in, and what these import from the same folders."""

    def __init__(self):
        self._lock, self._generation = threading.Lock(), None

    def take_changed_anew(self, generation):
        """Files are looked at once they were read again, for another generation of hooks than the last."""
        with self._lock:
            if generation == self._generation:
                return
            self._generation = generation
            if _called.changed():
                self._forget()

    def _forget(self):
        """All of them: which one has something of which other nobody knows. Functions under way keep what they have."""
        for name, module in list(sys.modules.items()):
            is_being_imported = getattr(getattr(module, "__spec__", None), "_initializing", False)
            if getattr(module, "__file__", None) in _called.SEEN and not is_being_imported:
                del sys.modules[name]
        _called.SEEN.clear()
        _called.COUNTED.clear()


def _begin_anew():
    """In a child after a fork nobody would let go of a lock that a thread of the parent had."""
    global _printing, _modules
    _printing, _modules = _Printing(), _Modules()
    _called.LOCK = threading.RLock()


_begin_anew()
os.register_at_fork(after_in_child=_begin_anew)
