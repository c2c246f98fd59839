"""llxprt-code's message bus: who wants hooks publishes a request, and hears a response with the same correlation id.

A message is told to each subscriber in the order in which it was published: on the event loop on which the subscriber subscribed, else on
a thread of the subscriber's own. No lock is held meanwhile, and nobody waits for anybody.
"""

import asyncio
import atexit
import inspect
import json
import queue
import sys
import threading
import weakref

from . import _hooks, _native


class Bus:
    """A bus of one session, on which a host answers requests for hooks. `with` disposes of it."""

    def __init__(self, host, *, session=None, cwd=None):
        self._host = host
        self._subscribers = []
        self._native = _native.Bus(host, _hearing(weakref.ref(self)), session=session, cwd=cwd)
        weakref.finalize(self, _tell, self._subscribers, None).atexit = False
        _buses.add(self)

    def publish(self, message):
        """Sends a message, a `dict` with a `type`, to everybody; a request is answered by a message. It does not wait. After `dispose`
        nobody hears it."""
        self._native.publish(message)

    def subscribe(self, callback, type=None):
        """Calls this with each message from now on, or with those of one type. Returns what ends that.

        Where an event loop runs it is called there, and may be `async`; else on a thread of its own, one message after another.
        """
        return self._add(_Callback(callback, type, _running_loop()))

    def messages(self, type=None):
        """Each message from now on, or those of one type, for `async for`. It ends with the bus."""
        messages = _Messages(type, asyncio.get_running_loop())
        messages.close = self._add(messages.subscriber)
        return messages

    def fire(self, event, input):
        """Runs the hooks of an event that the program is at: what came of it."""
        return self._native.fire(event, input)

    async def fire_async(self, event, input):
        """`fire` for who must not wait."""
        return await self._host._wait(self._native.begin_fire, event, input)

    def all_hooks(self):
        """All hooks of the session, in the order in which they run."""
        return self._native.all_hooks()

    def set_hook_enabled(self, name, enabled):
        """Switches hooks on or off for as long as the host lives; returns how many of the session are called so. To switch off one of the
        administrator's is an `Error` with the code `managed`."""
        return self._native.set_hook_enabled(name, enabled)

    def dispose(self):
        """Ends it: messages are ignored from now on, calls refused, hooks under way ended and whoever waits for them told so. A second
        time it does nothing."""
        self._native.dispose()

    @property
    def disposed(self):
        """Has it been disposed of?"""
        return self._native.disposed

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.dispose()

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        self.dispose()

    def _add(self, subscriber):
        subscribers = self._subscribers
        subscribers.append(subscriber)
        if self.disposed:
            subscriber.tell(None)

        def unsubscribe():
            if subscriber in subscribers:
                subscribers.remove(subscriber)
            subscriber.stop()

        return unsubscribe


# Those that are to be disposed of before the interpreter ends.
_buses = weakref.WeakSet()


def _dispose_all():
    for bus in list(_buses):
        bus.dispose()


atexit.register(_dispose_all)


def _hearing(bus):
    def hear(text):
        heard = bus()
        if heard is not None:
            _tell(heard._subscribers, text)

    return hear


def _tell(subscribers, text):
    for subscriber in list(subscribers):
        subscriber.tell(text)


def _running_loop():
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _is_async(callback):
    return inspect.iscoroutinefunction(callback) or inspect.iscoroutinefunction(getattr(callback, "__call__", None))


def _meant(text, type):
    message = json.loads(text)
    return message if type is None or message["type"] == type else None


class _Callback:
    """Who has a function called."""

    def __init__(self, callback, type, loop):
        if not callable(callback):
            raise TypeError(f"a subscriber is a function, and this is of type {callback.__class__.__name__}")
        self._callback, self._type, self._loop = callback, type, loop
        self._stopped = False
        if loop is None and _is_async(callback):
            self._loop = _hooks._loops.current()
        if self._loop is None:
            self._texts = queue.SimpleQueue()
            threading.Thread(target=self._work, name="hookbox-bus", daemon=True).start()

    def tell(self, text):
        if self._loop is None:
            self._texts.put(text)
        elif text is not None:
            _soon(self._loop, self._call, text)

    def stop(self):
        self._stopped = True
        self.tell(None)

    def _work(self):
        while True:
            text = self._texts.get()
            if text is None:
                return
            self._call(text)

    def _call(self, text):
        try:
            message = _meant(text, self._type)
            if message is None or self._stopped:
                return
            said = self._callback(message)
            if inspect.isawaitable(said):
                self._await(said)
        # Its failure is nobody else's; the interpreter tells of it as of that of any thread.
        except BaseException as error:
            _complain(error)

    def _await(self, awaitable):
        async def wait():
            try:
                await awaitable
            except asyncio.CancelledError:
                raise
            except BaseException as error:
                _complain(error)

        if self._loop is None:
            loop = _hooks._loops.current()
            _soon(loop, lambda: _keep(loop.create_task(wait())))
        else:
            _keep(self._loop.create_task(wait()))


# A loop keeps its tasks weakly.
_tasks = set()


def _keep(task):
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def _complain(error):
    arguments = (type(error), error, error.__traceback__, threading.current_thread())
    threading.excepthook(threading.ExceptHookArgs(arguments))


def _soon(loop, call, *arguments):
    try:
        loop.call_soon_threadsafe(call, *arguments)
    except RuntimeError:
        # It is closed, and nobody is there any more.
        pass


class _Messages:
    """Messages for `async for`."""

    def __init__(self, type, loop):
        self._waiting = asyncio.Queue()
        self._ended = False
        self.subscriber = _Queue(self._waiting, type, loop)
        self.close = None

    def __aiter__(self):
        return self

    async def __anext__(self):
        message = None if self._ended else await self._waiting.get()
        if message is None:
            self._ended = True
            raise StopAsyncIteration
        return message

    async def aclose(self):
        """No more messages are kept for it."""
        self.close()

    def __del__(self):
        if self.close is not None and not sys.is_finalizing():
            self.close()


class _Queue:
    """What is told for `_Messages`; the bus keeps this and not those."""

    def __init__(self, waiting, type, loop):
        self._waiting, self._type, self._loop = waiting, type, loop

    def tell(self, text):
        _soon(self._loop, self._put, text)

    def stop(self):
        self.tell(None)

    def _put(self, text):
        message = None if text is None else _meant(text, self._type)
        if message is not None or text is None:
            self._waiting.put_nowait(message)
