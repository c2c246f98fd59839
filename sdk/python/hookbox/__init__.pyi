"""hookbox in a Python program: one hook host for every coding agent."""

from os import PathLike
from typing import Any, Awaitable, Callable, Generic, Literal, Mapping, Sequence, TypedDict, TypeVar, Union

_Path = Union[str, PathLike[str]]
_Input = Union[bytes, bytearray, str, Mapping[str, Any]]
_Function = TypeVar("_Function", bound=Callable[..., Union["Answer", None, Awaitable[Union["Answer", None]]]])

class Answer(TypedDict, total=False):
    """What a hook says; every member may be left out."""

    verdict: Literal["none", "allow", "ask", "deny"]
    code: str
    reason: str
    rewrite: dict[str, Any]
    context: str
    notice: str
    stop: str
    extra: dict[str, Any]

def deny(code: str, reason: str) -> Answer: ...
def ask(code: str, reason: str) -> Answer: ...
def allow(code: str = "allowed", reason: str = "") -> Answer: ...
def rewrite(value: Any, *, merge: bool = False) -> Answer: ...
def context(text: str) -> Answer: ...
def notice(text: str) -> Answer: ...
def stop(reason: str) -> Answer: ...

class Error(Exception):
    """What the caller did wrong, or hookbox."""

    code: Literal["bad-options", "no-such-agent", "bad-event", "bad-hook", "name-taken", "ending", "bug"]
    message: str

class Response:
    """What an agent is to be told."""

    @property
    def stdout(self) -> str: ...
    @property
    def stderr(self) -> str: ...
    @property
    def exit_code(self) -> int: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def outcome(self) -> dict[str, Any] | None: ...
    def agent_sdk_output(self, event: str) -> dict[str, Any] | None: ...

class Hook(Generic[_Function]):
    """A function that is a hook; it can still be called."""

    name: str
    __wrapped__: _Function
    def __call__(self, *arguments: Any, **keywords: Any) -> Any: ...
    def remove(self) -> bool: ...

class Host:
    """Answers events of agents by hookbox's hooks and by functions of this program."""

    def __init__(
        self,
        *,
        config: _Path | None = None,
        session: _Path | None = None,
        hooks: bool = True,
        agent: str | None = None,
        source: _Path | Sequence[_Path] | None = None,
        home: _Path | None = None,
        config_home: _Path | None = None,
        state_home: _Path | None = None,
        cache_home: _Path | None = None,
        compiler: _Path | None = None,
        plugins: _Path | None = None,
        functions: Literal["here", "apart"] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None: ...
    def answer(
        self, agent: str | None, event: _Input, *, cwd: _Path | None = None, patience: float | None = None
    ) -> Response: ...
    async def answer_async(
        self, agent: str | None, event: _Input, *, cwd: _Path | None = None, patience: float | None = None
    ) -> Response: ...
    def dispatch(self, event: Mapping[str, Any], *, cwd: _Path | None = None) -> dict[str, Any]: ...
    async def dispatch_async(self, event: Mapping[str, Any], *, cwd: _Path | None = None) -> dict[str, Any]: ...
    def hook(
        self,
        *on: str,
        tool: str | Sequence[str] | Mapping[str, Any] | None = None,
        role: Literal["transform", "gate", "observe"] | None = None,
        name: str | None = None,
        timeout: float | None = None,
        priority: int | None = None,
        on_failure: Literal["deny", "ask", "allow"] | None = None,
        config: Mapping[str, Any] | None = None,
        limits: Mapping[str, Any] | None = None,
    ) -> Callable[[_Function], Hook[_Function]]: ...
    def set_enabled(self, name: str, enabled: bool, *, cwd: _Path | None = None) -> int: ...
    def events(self, cwd: _Path | None = None) -> list[str]: ...
    def hooks(self, cwd: _Path | None = None) -> list[dict[str, Any]]: ...
    def prepare(self, cwd: _Path | None = None) -> list[dict[str, str]]: ...
    def reload(self) -> None: ...

class AgentSdkEvent(TypedDict):
    """An event of Claude Code, for a program with its Agent SDK."""

    event: str
    timeout: float
    on_failure: Literal["block"] | None
    usual: bool

def agent_events(agent: str) -> list[tuple[str, str]]: ...
def agent_sdk_events() -> list[AgentSdkEvent]: ...
