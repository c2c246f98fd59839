"""Denies to remove everything, and what the settings protect: `config = { protected = ["/srv"] }`."""

from hookbox_sdk import Answer, Event, deny, events, hook, settings


@hook
def handle(event: Event) -> Answer | None:
    if event.name != events.TOOL_BEFORE or event.command is None:
        return None
    command = event.command.strip()
    if command == "rm -rf /":
        return deny("removes-root", "rm -rf / removes everything")
    if command.startswith("rm -rf ") and command.removeprefix("rm -rf ") in settings().get("protected", []):
        return deny("removes-protected", f"{command} removes what is protected")
    return None
