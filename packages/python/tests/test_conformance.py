"""The conformance cases of the program (tests/conformance), through the package: the same bytes and the same exit code."""

import os
import pathlib
import shutil
import sys
import tomllib

import hookbox
import pytest
from conftest import PACKAGE

# The cases of tests/conformance, unpacked: a folder each.
CASES = pathlib.Path(os.environ["HOOKBOX_CASES"])


def reason_to_skip(case):
    """Why a case is not for the package, if so. How many there are is counted below, so that none is skipped unseen."""
    if (case / "response.http").exists():
        return "it asks the case's own server"
    if case.name.startswith("told-in-variables"):
        return "its event is told in variables, which is between an agent and a process"
    return None


ALL = sorted(case for dialect in CASES.iterdir() for case in dialect.iterdir())
SKIPPED = {case: reason_to_skip(case) for case in ALL if reason_to_skip(case)}


def name(case):
    return f"{case.parent.name}/{case.name}"


def test_no_case_is_skipped_unseen():
    for case, reason in SKIPPED.items():
        print(f"{name(case)}: {reason}")
    assert (len(SKIPPED), len(ALL) > 1000) == (44, True)


@pytest.mark.parametrize("case", [case for case in ALL if case not in SKIPPED], ids=name)
def test_the_package_answers_as_the_program_does(case, home, cache):
    response_is_the_cases(case, home, cache)


def has_functions(case):
    return any(case.rglob("*.py")) and case not in SKIPPED


@pytest.fixture
def nothing_is_left():
    """Modules, folders for them, and variables."""
    before = dict(os.environ), list(sys.path), set(sys.modules)
    yield
    variables, sys.path[:], modules = before
    for name in set(sys.modules) - modules:
        del sys.modules[name]
    os.environ.clear()
    os.environ.update(variables)


@pytest.mark.parametrize("case", [case for case in ALL if has_functions(case)], ids=name)
def test_functions_in_this_process_answer_as_those_apart_do(case, home, cache, nothing_is_left):
    response_is_the_cases(case, home, cache, here=True)


def response_is_the_cases(case, home, cache, here=False):
    said = tomllib.loads((case / "case.toml").read_text())
    named = lambda text: text.replace("[HOME]", str(home))
    copy(case / "home", home, named)
    variables = {
        "CASE": str(case),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(home),
        "PATH": f"{home}/bin:/usr/local/bin:/usr/bin:/bin",
        "XDG_CACHE_HOME": str(cache),
    }
    for line in said.get("variables", "").splitlines():
        variable, _, value = line.partition("=")
        variables[variable] = named(value)
    options = {"home": home, "cache_home": cache, "environment": variables}
    if here:
        os.environ.update(variables)
        sys.path[:0] = [folder for folder in variables.get("PYTHONPATH", "").split(os.pathsep) if folder]
        options |= {"environment": None}
    if "source" in said:
        in_home = home / said["source"].removeprefix("home/")
        options |= {"agent": case.parent.name, "source": in_home if in_home.is_file() else case / said["source"]}
    elif (case / "hooks.toml").exists():
        write(home / ".config/hookbox/hooks.toml", (case / "hooks.toml").read_text().replace("[PLUGINS]", str(PACKAGE / "_host/share/hookbox/plugins")))
    response = hookbox.Host(**options).answer(case.parent.name, named((case / "event.json").read_text()), cwd=home)
    answer = case / "answer"
    assert response.stdout.replace(str(home), "[HOME]") == (answer.read_text() if answer.exists() else "")
    assert response.exit_code == said.get("exit", 0)
    assert response.stderr == said.get("stderr", response.stderr)
    for file in files(case / "left"):
        assert (home / file).read_text() == (case / "left" / file).read_text()


def copy(source, target, named):
    for file in files(source):
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / file, target / file)
        try:
            text = (source / file).read_text()
        except UnicodeDecodeError:
            continue
        if "[HOME]" in text:
            (target / file).write_text(named(text))


def files(folder):
    return [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    # A file that was just written may be being written still, and is waited for.
    os.utime(file, (1, 1))
