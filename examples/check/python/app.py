"""The check that every language has, in Python."""

import re

from hookbox_sdk import Answer, Event, Failed, ask, context, deny, events, hook, http, kv, log, merge, settings


PLAIN = re.compile(rb"[^A-Za-z0-9]")


@hook
def handle(event: Event) -> Answer | None:
    log.info(f"saw {event.name}")
    if event.name == events.SESSION_START:
        greeting = settings().get("greeting")
        return context(greeting) if greeting is not None else None
    if event.name != events.TOOL_BEFORE or event.command is None:
        return None
    own = settings()
    most = own.get("most")
    if most is not None:
        calls = count()
        if calls > most:
            return ask("too-many-calls", f"call {calls} of {most}")
    return judge(event.command, own.get("server"))


def count() -> int:
    try:
        return kv.increment("session", "calls")
    except kv.Error as error:
        raise Failed(f"the store: {error.name}") from None


def judge(command: str, server: str | None) -> Answer | None:
    if command.strip(" ") == "rm -rf /":
        return deny("removes-root", "rm -rf / removes everything")
    if command.startswith("npm "):
        return merge({"command": f"p{command}"}, notice="pnpm instead of npm")
    if command.startswith("deploy ") and server is not None:
        return ask_server(server, command.removeprefix("deploy "))
    return None


def ask_server(server: str, what: str) -> Answer | None:
    try:
        response = http.get(f"{server}/may?what={percent_encoded(what)}")
    except http.Error as error:
        raise Failed(f"the server: {error.name}") from None
    if response.status == 403:
        return deny("server-said-no", response.text)
    if response.status != 200:
        raise Failed(f"the server answered {response.status}")
    return None


def percent_encoded(text: str) -> str:
    return PLAIN.sub(lambda byte: b"%%%02X" % ord(byte[0]), text.encode()).decode()
