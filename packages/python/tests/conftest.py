import json
import os
import pathlib

import hookbox
import pytest

PACKAGE = pathlib.Path(hookbox.__file__).parent


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    return folder


@pytest.fixture
def home(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def make_host(home, cache):
    """A host whose user has an empty home folder."""

    def make(**options):
        return hookbox.Host(**{"home": home, "cache_home": cache, **options})

    return make


@pytest.fixture
def host(make_host):
    return make_host(hooks=False)


@pytest.fixture
def configured(home):
    """Writes the user's own configuration."""

    def write(text):
        file = home / ".config/hookbox/hooks.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        # A file that was just written may be being written still, and is waited for.
        os.utime(file, (1, 1))
        return file

    return write


@pytest.fixture
def command(tmp_path):
    """The event of Claude Code before it runs a command."""

    def event(line="ls"):
        return {
            "hook_event_name": "PreToolUse",
            "session_id": "s1",
            "cwd": str(tmp_path),
            "tool_name": "Bash",
            "tool_input": {"command": line},
        }

    return event


@pytest.fixture
def status():
    """How the call of the only hook went: `none`, a verdict, or the code of a failure with its message."""

    def of(outcome):
        outcome = getattr(outcome, "outcome", outcome)
        (report,) = outcome["reports"]
        said = report["status"]
        if said == "skipped":
            return said
        if "failed" in said:
            return f"{said['failed']['code']}: {said['failed']['message']}"
        verdict = said["answered"]["verdict"]
        return verdict if isinstance(verdict, str) else next(iter(verdict))

    return of


def decision(response):
    """What Claude Code is told."""
    said = json.loads(response.stdout or "{}")
    return said.get("hookSpecificOutput", {}).get("permissionDecision")
