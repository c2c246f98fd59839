"""Calls functions that are hooks: plain ones on threads of their own, so that one that never returns can be given up, `async` ones on
an event loop. No lock is held while a function runs."""

import _thread
import asyncio
import inspect
import json
import os
import queue
import threading
import traceback

# A thread that has had nothing to do for so long ends.
_IDLE_SECONDS = 10
# So many functions may be under way; more than that do not return.
_MOST_THREADS = 256


class Function:
    """A function as a host calls it."""

    def __init__(self, function):
        if not callable(function):
            raise TypeError(f"a hook is a function, and this is of type {type(function).__name__}")
        self._function = function
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)
        )

    def __call__(self, event, ticket, loop):
        """Begins a call, whose answer the ticket takes. Returns what gives it up, or a text that says why it was not begun. What it
        raises was raised by the handler of a signal."""
        call = _HookCall(self._function, event, ticket, loop)
        try:
            if self._is_async:
                call.begin_on_loop(None)
            else:
                _threads.run(call)
        except NoThread as error:
            return str(error)
        return call.give_up


class NoThread(Exception):
    """A function cannot be called."""


class Call:
    """One call of a function, begun on a thread or on a loop. What is awaited goes on on a loop."""

    def __init__(self, loop):
        self._loop = loop
        self._task = None
        self._given_up = False

    def call(self):
        """Calls the function; what it returns may have to be awaited."""
        raise NotImplementedError

    def answer(self, said):
        """Tells what the function said."""
        raise NotImplementedError

    def fail(self, error):
        """Tells why there is no answer."""
        raise NotImplementedError

    def run(self):
        """On a thread."""
        try:
            said = self.call()
            if inspect.isawaitable(said):
                self.begin_on_loop(said)
            else:
                self.answer(said)
        # A hook that asks for the end of the program has failed, like any other.
        except BaseException as error:
            self.fail(error)

    def begin_on_loop(self, awaitable):
        loop = self._loop
        if loop is None or loop.is_closed():
            loop = self._loop = _loops.current()
        try:
            loop.call_soon_threadsafe(self._start, awaitable)
        except RuntimeError as error:
            self.fail(error)

    def _start(self, awaitable):
        if self._given_up:
            getattr(awaitable, "close", str)()
            self.fail(asyncio.CancelledError())
        else:
            self._task = self._loop.create_task(self._await(awaitable))

    async def _await(self, awaitable):
        try:
            if awaitable is None:
                awaitable = self.call()
            self.answer(await awaitable)
        except BaseException as error:
            self.fail(error)

    def give_up(self):
        """Nobody waits for the answer any more. A thread cannot be ended; a task can."""
        self._given_up = True
        if self._loop is not None:
            _loops.cancel(self._loop, self._cancel)

    def _cancel(self):
        if self._task is not None:
            self._task.cancel()


class _HookCall(Call):
    def __init__(self, function, event, ticket, loop):
        super().__init__(loop)
        self._function, self._event, self._ticket = function, event, ticket

    def call(self):
        return self._function(json.loads(self._event))

    def answer(self, said):
        self._ticket.answered(said)

    def fail(self, error):
        said = traceback.format_exception_only(type(error), error)[-1].strip()
        self._ticket.failed(said, "".join(traceback.format_exception(type(error), error, error.__traceback__)))


class _Threads:
    """As many threads as functions are under way, and some that wait for the next."""

    def __init__(self):
        self._lock = threading.Lock()
        self._calls = queue.SimpleQueue()
        self._waiting = 0
        self._all = 0

    def run(self, call):
        # A signal's handler may raise wherever a call ends: what is counted and what is done have no call between them.
        with self._lock:
            if self._waiting > 0:
                self._waiting -= 1
                self._calls.put(call)
            elif self._all >= _MOST_THREADS:
                raise NoThread(f"{_MOST_THREADS} functions of this process have not returned; no more are called")
            else:
                self._start(call)

    def _start(self, call):
        try:
            self._all += 1
            _thread.start_new_thread(self._work, (call,))
        except RuntimeError as error:
            self._all -= 1
            raise NoThread(str(error)) from None

    def _work(self, call):
        process = os.getpid()
        while call is not None:
            call.run()
            # A function that forked has come back in the child, too, where nobody waits for it.
            if os.getpid() != process:
                os._exit(0)
            del call
            call = self._next()

    def _next(self):
        with self._lock:
            self._waiting += 1
        try:
            return self._calls.get(timeout=_IDLE_SECONDS)
        except queue.Empty:
            with self._lock:
                if self._waiting > 0:
                    self._waiting -= 1
                    self._all -= 1
                    return None
        # Somebody has counted on this thread in the meantime.
        return self._calls.get()


class _Loops:
    """An event loop of our own, for `async` functions whose caller has none."""

    def __init__(self):
        self._lock = threading.Lock()
        self._loop = None
        # Tasks of it that were given up and have not heard of it: something holds the loop.
        self._unheard = 0

    def current(self):
        with self._lock:
            if self._loop is None or self._loop.is_closed() or self._unheard > 0:
                self._unheard = 0
                self._loop = asyncio.new_event_loop()
                _thread.start_new_thread(self._run, (self._loop,))
            return self._loop

    def cancel(self, loop, cancel):
        with self._lock:
            if loop is self._loop:
                self._unheard += 1

        def hear():
            with self._lock:
                if loop is self._loop:
                    self._unheard -= 1
            cancel()

        try:
            loop.call_soon_threadsafe(hear)
        except RuntimeError:
            # It is closed, and its tasks with it.
            pass

    def _run(self, loop):
        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
        finally:
            # A function has stopped it. Others get another; those that were under way have failed.
            with self._lock:
                if loop is self._loop:
                    self._loop = None
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            if tasks:
                loop.run_until_complete(asyncio.wait(tasks, timeout=1))
            loop.close()


def _begin_anew():
    """In a child after a fork there are none of the parent's threads."""
    global _threads, _loops
    _threads, _loops = _Threads(), _Loops()


def settle(future, value, error):
    """Puts a result into a future, on its loop."""
    if not future.done():
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)


_begin_anew()
os.register_at_fork(after_in_child=_begin_anew)
