"""Functions that files name, called in this program and apart from it."""

import asyncio
import os
import sys
import threading

import pytest

TOOL = {"event": "tool.before", "tool": {"name": "Bash", "input": {"command": "ls"}}}
HOOK = """
[[hook]]
name = "{function}"
on = "tool.before"
timeout = "{timeout}"
on-failure = "allow"
python = {{ module = "{module}", function = "{function}", path = "hooks"{more} }}
"""


@pytest.fixture
def bed(make_host, configured, tmp_path, home):
    """Writes functions and hooks that call them, each with a module of its own, as modules are this process's."""
    added = []

    class Bed:
        module = f"house_{tmp_path.name.replace('-', '_')}"
        file = home / f".config/hookbox/hooks/{module}.py"

        def write(self, source):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(source)

        def host(self, source, *functions, more="", timeout="10s", **options):
            self.write(source)
            hooks = (HOOK.format(function=name, module=self.module, more=more, timeout=timeout) for name in functions)
            configured("".join(hooks))
            added.append(self.module)
            return make_host(**options)

    yield Bed()
    for name in added:
        sys.modules.pop(name, None)
    sys.path[:] = [folder for folder in sys.path if not folder.startswith(str(home))]


def said(outcome):
    """What the functions said, or how they failed."""
    lines = []
    for report in outcome["reports"]:
        status = report["status"]
        if "failed" in status:
            lines.append(f"{status['failed']['code']}: {status['failed']['message']}")
        else:
            lines.append(status["answered"].get("context"))
    return lines


def logs(outcome):
    return [line["message"] for report in outcome["reports"] for line in report["log"]]


PID = """
import asyncio, os
def plain(event):
    return {"context": str(os.getpid())}
async def later(event):
    await asyncio.sleep(0)
    return {"context": str(os.getpid())}
"""


def test_functions_run_in_this_process(bed):
    assert said(bed.host(PID, "plain", "later").dispatch(TOOL)) == [str(os.getpid())] * 2


def test_a_module_that_is_gone_is_not_taken_from_the_current_folder(bed, tmp_path, monkeypatch):
    mine = "def f(event):\n    return {'context': 'mine'}\n"
    host = bed.host(mine, "f")
    bed.file.unlink()
    ran = tmp_path / "ran"
    (tmp_path / f"{bed.module}.py").write_text(f"open({str(ran)!r}, 'w')\ndef f(event):\n    return {{'context': 'stranger'}}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    (told,) = said(host.dispatch(TOOL))
    assert told.startswith(f"missing: the module `{bed.module}` is in none of the hook's folders: "), told
    assert not ran.exists()
    bed.write(mine)
    assert said(host.dispatch(TOOL)) == ["mine"]


def test_functions_run_apart_where_that_is_said_or_the_host_has_other_variables(bed):
    for options in ({"functions": "apart"}, {"environment": {"PATH": os.environ["PATH"]}}):
        first, second = said(bed.host(PID, "plain", "later", **options).dispatch(TOOL))
        assert first == second != str(os.getpid())


def test_a_function_that_is_to_be_kept_from_something_runs_apart(bed):
    (pid,) = said(bed.host(PID, "plain", more=', confine = { limits = { memory = "1GiB" } }').dispatch(TOOL))
    assert pid != str(os.getpid())


def test_where_functions_run_must_be_one_of_two_words(make_host):
    with pytest.raises(Exception, match='`functions` is "there", but must be "here" or "apart"'):
        make_host(functions="there")


FAILS = """
import sys
def raises(event):
    raise ValueError("no")
def exits(event):
    sys.exit(3)
def says_a_set(event):
    return {"a": {1}}
def says_a_text(event):
    return "no"
async def fails_later(event):
    raise ValueError("later")
"""


@pytest.mark.parametrize("functions", ["here", "apart"])
def test_what_is_no_answer_is_a_failure_of_that_hook_in_the_same_words(bed, functions):
    names = ("raises", "exits", "says_a_set", "says_a_text", "fails_later", "nowhere")
    host = bed.host(FAILS, *names, functions=functions)
    for name in names:
        for other in names:
            host.set_enabled(other, other == name)
        outcome = host.dispatch(TOOL)
        assert said(outcome) == [
            {
                "raises": "hook-error: ValueError: no",
                "exits": "hook-error: SystemExit: 3",
                "says_a_set": "bad-output: the function returned what JSON cannot hold: "
                "TypeError: Object of type set is not JSON serializable",
                "says_a_text": "bad-output: the function returned a value of type `str`, not a dict or None",
                "fails_later": "hook-error: ValueError: later",
                "nowhere": f"missing: the module `{bed.module}` has no function `nowhere`",
            }[name]
        ]
        if name in ("raises", "fails_later"):
            assert logs(outcome)[0] == "Traceback (most recent call last):"
            assert logs(outcome)[-1].startswith("ValueError: ")


PRINTS = """
import asyncio, sys
async def prints(event):
    print("one")
    await asyncio.sleep(0)
    print("two", file=sys.stderr)
"""


@pytest.mark.parametrize("functions", ["here", "apart"])
def test_what_a_function_prints_is_its_log(bed, capsys, functions):
    host = bed.host(PRINTS, "prints", functions=functions)
    streams = sys.stdout, sys.stderr
    assert logs(host.dispatch(TOOL)) == ["one", "two"]
    assert (sys.stdout, sys.stderr) == streams
    assert capsys.readouterr() == ("", "")


def test_what_others_print_meanwhile_goes_where_it_went(bed, capsys):
    source = "def waits(event):\n    import sys\n    gates = sys.modules['gates']\n    gates.begun.set()\n    gates.go.wait(60)\n"
    gates = type(sys)("gates")
    gates.begun, gates.go = threading.Event(), threading.Event()
    sys.modules["gates"] = gates
    host = bed.host(source, "waits")
    outcomes = []
    asking = threading.Thread(target=lambda: outcomes.append(host.dispatch(TOOL)))
    asking.start()
    gates.begun.wait(60)
    print("mine")
    gates.go.set()
    asking.join()
    assert (capsys.readouterr().out, logs(outcomes[0])) == ("mine\n", [])


HANGS = """
import asyncio, threading
never = threading.Event()
def hangs(event):
    never.wait()
async def waits(event):
    try:
        await asyncio.sleep(600)
    finally:
        never.set()
"""


def test_a_function_that_takes_too_long_is_given_up(bed):
    host = bed.host(HANGS, "hangs", "waits", timeout="50ms")
    assert [line.split(":")[0] for line in said(host.dispatch(TOOL))] == ["timeout", "timeout"]
    # The awaited one was cancelled, and so let go of the other's thread.
    assert sys.modules[bed.module].never.wait(60)


def test_all_awaited_functions_have_one_loop_which_is_not_the_callers(bed):
    source = "import asyncio\nasync def a(event):\n    return {'context': str(id(asyncio.get_running_loop()))}\nb = a\n"
    host = bed.host(source, "a", "b")

    async def main():
        return said(await host.dispatch_async(TOOL)) + [str(id(asyncio.get_running_loop()))]

    first, second, callers = asyncio.run(main())
    assert first == second == said(host.dispatch(TOOL))[0] != callers


def test_a_module_that_changed_is_taken_anew_once_files_are_read_again(bed):
    source = "def a(event):\n    return {'context': 'NUMBER'}\n"
    host = bed.host(source.replace("NUMBER", "one"), "a")
    assert said(host.dispatch(TOOL)) == ["one"]
    bed.write(source.replace("NUMBER", "another"))
    host.reload()
    assert said(host.dispatch(TOOL)) == ["another"]


def test_a_module_of_the_programs_own_is_not_taken_for_a_hooks(bed, tmp_path):
    sys.modules[bed.module] = type(sys)(bed.module)
    sys.modules[bed.module].__file__ = str(tmp_path / "mine.py")
    (line,) = said(bed.host(PID, "plain").dispatch(TOOL))
    assert line.startswith(f"missing: the module `{bed.module}` is another one already: ")


def test_a_child_after_a_fork_calls_functions(bed):
    host = bed.host(PID, "plain", "later")
    host.dispatch(TOOL)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, repr(said(host.dispatch(TOOL)) == [str(os.getpid())] * 2).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 100) == b"True"


def test_a_projects_file_that_nobody_has_reviewed_has_no_functions(make_host, tmp_path, home):
    project = home / "project"
    (project / ".hookbox").mkdir(parents=True)
    (project / ".hookbox/hooks.toml").write_text(HOOK.format(function="plain", module="m", more="", timeout="1s"))
    os.utime(project / ".hookbox/hooks.toml", (1, 1))
    assert make_host().dispatch(TOOL, cwd=project)["reports"] == []
