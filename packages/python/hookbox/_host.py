"""Hosts and their hooks."""

import atexit
import os

from . import _native

# What comes with the package: the compiler in `bin`, the plugins in `share/hookbox/plugins`.
_PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_host")


class Host(_native.Host):
    """Answers events of agents by hookbox's hooks and by functions of this program.

    Without arguments the hooks are those that `hookbox run` would ask: the administrator's, the user's and the project's. Where the
    user's files are, the user database says; no variable, which a project could have set, has a say in that.
    """

    def __new__(cls, *, source=None, agent=None, environment=None, **options):
        if (source is None) != (agent is None):
            raise TypeError("`source`, an agent's own hook files, goes with `agent`, which says whose they are")
        if source is not None:
            files = [source] if isinstance(source, (str, os.PathLike)) else list(source)
            options["own"] = (agent, files)
        if environment is not None:
            # In this program they would have its own variables.
            options.setdefault("functions", "apart")
        variables = os.environ if environment is None else environment
        return super().__new__(cls, _PACKAGE, _texts(variables), **options)

    def __init__(self, **options):
        """The same arguments as above; they have been read."""

    def hook(
        self, *on, tool=None, role=None, name=None, timeout=None, priority=None, on_failure=None, config=None, limits=None
    ):
        """Makes the function below a hook for these events. `timeout` is in seconds."""
        if not all(isinstance(event, str) for event in on):
            raise TypeError('a hook is for events, by their names: @host.hook("tool.before")')
        if timeout is not None and not (isinstance(timeout, (int, float)) and timeout >= 0):
            raise TypeError(f"`timeout` is {timeout!r}, but must be a number of seconds")

        def decorate(function):
            from ._hooks import Function

            words = {
                "name": name or _name_of(function),
                "on": list(on),
                "tool": tool,
                "role": role,
                "timeout": None if timeout is None else _milliseconds(timeout),
                "priority": priority,
                "on-failure": on_failure,
                "config": config,
                "limits": limits,
            }
            number = self.add(words, Function(function))
            return Hook(self, number, words["name"], function)

        return decorate

    def bus(self, *, session=None, cwd=None):
        """A message bus for the session of this id, or of a new one, which works in `cwd`; this host answers on it."""
        from ._bus import Bus

        return Bus(self, session=session, cwd=cwd)

    async def answer_async(self, agent, event, *, cwd=None, agent_timeout=None):
        """`answer` for who must not wait; functions that are `async` run on the caller's loop."""
        return await self._wait(self.begin_answer, agent, event, cwd, agent_timeout)

    async def dispatch_async(self, event, *, cwd=None):
        """`dispatch` for who must not wait."""
        return await self._wait(self.begin_dispatch, event, cwd)

    @staticmethod
    async def _wait(begin, *arguments):
        import asyncio

        loop = asyncio.get_running_loop()
        future = loop.create_future()
        begun = begin(loop, future, *arguments)
        if not isinstance(begun, _native.UnderWay):
            return begun
        try:
            return await future
        finally:
            begun.cancel()


class Hook:
    """A function that is a hook; it can still be called."""

    def __init__(self, host, number, name, function):
        self._host, self._number = host, number
        self.name = name
        self.__wrapped__ = function
        self.__doc__ = function.__doc__

    def __call__(self, *arguments, **keywords):
        return self.__wrapped__(*arguments, **keywords)

    def remove(self):
        """Takes it out; false if it is out already. A call that is under way is not ended."""
        return self._host.take_out(self._number)

    def __repr__(self):
        return f"<hookbox.Hook {self.name!r}>"


def _texts(variables):
    """Variables that are text; of others no hook could be told."""
    pairs = ((str(name), str(value)) for name, value in variables.items())
    return [(name, value) for name, value in pairs if _is_text(name) and _is_text(value)]


def _is_text(text):
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _name_of(function):
    name = getattr(function, "__name__", None) or type(function).__name__
    return "".join(character if character.isascii() and (character.isalnum() or character in "._-") else "-" for character in name)[:64]


def _milliseconds(seconds):
    return f"{round(seconds * 1000)}ms"


atexit.register(_native.close)
os.register_at_fork(before=_native.before_fork)
