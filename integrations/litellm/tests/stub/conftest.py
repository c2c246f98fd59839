"""A stub stands for LiteLLM's package: what the class makes of hookbox's answers needs no more of it."""

import asyncio
import json
import os
import sys
import types

import pytest


class CustomLogger:
    def __init__(self, message_logging=True, **kwargs):
        self.message_logging = message_logging


for _name in ("litellm", "litellm.integrations", "litellm.integrations.custom_logger"):
    sys.modules[_name] = types.ModuleType(_name)
sys.modules["litellm.integrations.custom_logger"].CustomLogger = CustomLogger

import hookbox  # noqa: E402
from hookbox_litellm import Hookbox  # noqa: E402


class Model:
    """A model as pydantic's are."""

    def __init__(self, **members):
        self.members = members

    def model_dump(self):
        return self.members


class Opaque:
    """What JSON has no words for."""

    def __str__(self):
        return "opaque"


class Unspeakable:
    """What fails at everything that it is asked for."""

    def __str__(self):
        raise ValueError("no")

    model_dump = __str__


class Response:
    def __init__(self, answer, code=0, outcome=None, stderr=""):
        self.stdout = answer if isinstance(answer, str) else json.dumps(answer)
        self.exit_code, self.outcome, self.stderr = code, outcome, stderr


class SayingHost:
    """A host that keeps the events, and says this."""

    def __init__(self, answer, on=None, **response):
        self.response = Response(answer, **{"outcome": {}, **response})
        self.asked, self.on = [], on

    def events(self):
        return [event for _, event in hookbox.agent_events("litellm")] if self.on is None else self.on

    def answer(self, agent, event, agent_timeout):
        self.asked.append(json.loads(event))
        return self.response

    async def answer_async(self, agent, event, agent_timeout):
        return self.answer(agent, event, agent_timeout)


class BrokenHost(SayingHost):
    """A host that cannot be asked."""

    def __init__(self):
        super().__init__({})

    def answer(self, agent, event, agent_timeout):
        raise RuntimeError("it is broken")


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """Nothing else of the proxy's is there, wherever the tests run."""
    for name in ("fastapi", "mcp"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def home(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    return folder


@pytest.fixture
def configured(home):
    """Writes the user's own configuration."""

    def write(text):
        file = home / ".config/hookbox/hooks.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        # A file that was just written may be being written still, and is waited for.
        os.utime(file, (len(text), 1))
        return file

    return write


@pytest.fixture
def make(home, cache):
    """The class on a real host, whose user has an empty home folder."""

    def of(**options):
        return Hookbox(**{"home": home, "cache_home": cache, **options})

    return of


def pre_call(hookbox, data, call_type="completion"):
    return asyncio.run(hookbox.async_pre_call_hook(Opaque(), None, data, call_type))


def stream(hookbox, *pieces):
    async def chunks():
        for piece in pieces:
            yield piece

    async def collect():
        stream = hookbox.async_post_call_streaming_iterator_hook(None, chunks(), {"model": "m"})
        return [chunk async for chunk in stream]

    return asyncio.run(collect())
