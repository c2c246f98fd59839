"""Facts about the command line of an event, for rules over what a command does in place of its text.

    from hookbox_sdk import Event, deny, facts, hook

    @hook
    def handle(event: Event):
        found = facts.shell()
        for contact in found.hosts if found else []:
            if contact.host not in ("github.com", "pypi.org"):
                return deny("host", f"{contact.program} contacts {contact.host}")

The text alone determines them, and analysis of text is not a boundary: a program may do anything that its arguments do not show. A rule
that must not miss anything refuses what is `undetermined`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hookbox_sdk.world import imports


@dataclass
class Word:
    """A word after expansion."""

    text: str
    """Where the word is not `certain`, U+FFFD is in the place of each unknown part."""
    certain: bool = True


@dataclass
class SimpleCommand:
    """A command as it would be started."""

    program: str = ""
    """Its name without its folder, in lower case; empty if it is not known."""
    words: list[Word] = field(default_factory=list)
    """The first is the program as the text has it."""
    assignments: list[tuple[str, Word]] = field(default_factory=list)
    """Variables that are set for this command alone."""
    folder: str | None = None
    """The folder that the command runs in: absolute, or from `~`. None: it is not known."""
    via: list[str] = field(default_factory=list)
    """Programs through which the command is reached, outermost first."""
    guessed: bool = False
    """True if the command may not run."""
    elsewhere: bool = False
    """True if the command runs in a container or on another machine."""
    piped_input: bool = False
    """True if its standard input comes from a pipe, a file or a here-document."""
    writes: list[Word] = field(default_factory=list)
    reads: list[Word] = field(default_factory=list)


@dataclass
class PathAccess:
    """An access to a file or folder."""

    path: str
    """Absolute, or from `~`, with U+FFFD in the place of each unknown part."""
    certain: bool = True
    access: str = "unknown"
    """`read`, `use`, `write`, `create-folder`, `link` or `unknown`."""
    recursive: bool = False
    """True if everything below the path is affected, too."""


@dataclass
class HostContact:
    """A host that a command contacts."""

    host: str
    """In lower case, without port and user, with U+FFFD in the place of each unknown part."""
    certain: bool = True
    program: str = ""


@dataclass
class Undetermined:
    """A part that the text does not determine."""

    reason: str
    """`program`, `code`, `syntax`, `too-large`, `language` or `unavailable`."""
    text: str = ""


@dataclass
class ShellFacts:
    """Facts about one command line."""

    language: str = "posix"
    """`posix`, or `powershell` and `cmd`, which have no facts but `undetermined`."""
    commands: list[SimpleCommand] = field(default_factory=list)
    """In the order in which a shell reaches them, those of wrappers and scripts included."""
    paths: list[PathAccess] = field(default_factory=list)
    hosts: list[HostContact] = field(default_factory=list)
    undetermined: list[Undetermined] = field(default_factory=list)


def shell() -> ShellFacts | None:
    """Facts about the event's command line. None: it has none."""
    found = imports.facts.shell()
    if found is None:
        return None
    return ShellFacts(
        language=_case(found.language),
        commands=[_command(each) for each in found.commands],
        paths=[PathAccess(each.path, each.certain, _case(each.access), each.recursive) for each in found.paths],
        hosts=[HostContact(each.host, each.certain, each.program) for each in found.hosts],
        undetermined=[Undetermined(_case(each.reason), each.text) for each in found.undetermined],
    )


def _command(found: Any) -> SimpleCommand:
    return SimpleCommand(
        program=found.program,
        words=_words(found.words),
        assignments=[(name, Word(value.text, value.certain)) for name, value in found.assignments],
        folder=found.folder,
        via=list(found.via),
        guessed=found.guessed,
        elsewhere=found.elsewhere,
        piped_input=found.piped_input,
        writes=_words(found.writes),
        reads=_words(found.reads),
    )


def _words(found: Any) -> list[Word]:
    return [Word(each.text, each.certain) for each in found]


def _case(found: Any) -> str:
    """The word of a case: a generated one has it as its name, and one of a test is the word."""
    return found if isinstance(found, str) else str(found.name).lower().replace("_", "-")
