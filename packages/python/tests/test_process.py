"""Forks, signals, and the end of the interpreter: each in a process of its own, so that nothing of it is this one's."""

import os
import subprocess
import sys
import textwrap

import hookbox
import pytest

SETUP = f"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.dirname(hookbox.__file__))!r})
import asyncio, os, signal, threading, time
import hookbox
TOOL = {{"event": "tool.before", "tool": {{"name": "Bash", "input": {{"command": "ls"}}}}}}
host = hookbox.Host(home=sys.argv[1], cache_home=sys.argv[2])
"""


@pytest.fixture
def program(home, cache):
    """Runs a program; its exit code, standard output and standard error. It has to end by itself."""

    def run(*parts, arguments=()):
        text = "".join([SETUP, *(textwrap.dedent(part) for part in parts)])
        command = [sys.executable, *arguments, "-c", text, str(home), str(cache)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    return run


GUARD = '[[hook]]\nname = "guard"\non = "tool.before"\nwasm = { plugin = "guard-shell" }\n'

OWN = """
host.hook("tool.before", name="own")(lambda event: hookbox.ask("own", str(os.getpid())))
async def later(event):
    await asyncio.sleep(0)
    return hookbox.notice("later")
host.hook("tool.before", name="later")(later)
def said():
    outcome = host.dispatch(TOOL)
    return [outcome["verdict"]["ask"]["text"] == str(os.getpid()), outcome["notices"][0]["value"], outcome["reports"][0]["usage"]["start"]]
"""


def test_a_child_after_a_fork_begins_anew(program, configured):
    configured(GUARD)
    code, out, err = program(
        OWN,
        """
        print(said(), flush=True)
        child = os.fork()
        if child == 0:
            print(said(), asyncio.run(host.dispatch_async(TOOL))["notices"][0]["value"], flush=True)
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said())
        """
    )
    assert (code, err) == (0, "")
    first, child, parent = out.splitlines()
    assert first.startswith("[True, 'later', ")
    assert child.startswith("[True, 'later', ") and child.endswith(" later")
    assert parent.startswith("7 [True, 'later', ")


def test_a_child_keeps_hooks_switches_and_removals(program):
    code, out, err = program(
        """
        host.hook("tool.before", name="a")(lambda event: hookbox.ask("a", ""))
        host.hook("tool.before", name="b")(lambda event: hookbox.ask("b", ""))
        c = host.hook("tool.before", name="c")(lambda event: hookbox.ask("c", ""))
        host.set_enabled("b", False)
        host.dispatch(TOOL)
        if os.fork() == 0:
            assert c.remove()
            print([said["hook"] for said in host.dispatch(TOOL)["reasons"]], flush=True)
            os._exit(0)
        os.wait()
        print([said["hook"] for said in host.dispatch(TOOL)["reasons"]])
        """
    )
    assert (code, out, err) == (0, "['a']\n['a', 'c']\n", "")


def test_a_fork_while_others_are_being_answered_does_not_hang(program, configured):
    configured(GUARD)
    code, out, err = program(
        OWN,
        """
        host.prepare()
        stop = False
        def work():
            while not stop:
                host.dispatch(TOOL)
        threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
        for thread in threads: thread.start()
        for _ in range(10):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                os._exit(0 if said()[0] else 1)
            assert os.waitpid(child, 0)[1] == 0
        stop = True
        for thread in threads: thread.join()
        print("done")
        """
    )
    assert (code, out, err) == (0, "done\n", "")


ANSWERED = """
host.hook("tool.before", name="own")(lambda event: hookbox.ask("own", ""))
stop = False
def work():
    while not stop:
        host.dispatch(TOOL)
threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
"""


def test_a_fork_at_any_moment_of_a_function_leaves_a_child_that_can_call(program):
    code, out, err = program(
        ANSWERED,
        """
        for thread in threads: thread.start()
        for _ in range(1500):
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                hookbox.agent_events("claude-code")
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        stop = True
        for thread in threads: thread.join()
        print("done")
        """
    )
    assert (code, out, err) == (0, "done\n", "")


def test_a_fork_at_any_moment_of_the_first_event_leaves_a_child_that_answers(program):
    code, out, err = program(
        ANSWERED,
        """
        children = []
        for thread in threads: thread.start()
        for _ in range(30):
            child = os.fork()
            if child == 0:
                signal.alarm(40)
                host.dispatch(TOOL)
                os._exit(0)
            children.append(child)
        stop = True
        for thread in threads: thread.join()
        print({os.waitpid(child, 0)[1] for child in children})
        """
    )
    assert (code, out, err) == (0, "{0}\n", "")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_of_multiprocessing_answer(program, method, tmp_path):
    (tmp_path / "work.py").write_text(
        "import hookbox\n"
        "def ask(home):\n"
        "    host = hookbox.Host(hooks=False, home=home)\n"
        "    host.hook('custom:x', name='a')(lambda event: hookbox.deny('a', event['session']))\n"
        "    return host.dispatch({'event': 'custom:x', 'session': 's'})['verdict']['deny']['text']\n"
    )
    code, out, err = program(
        f"""
        sys.path.insert(0, {str(tmp_path)!r})
        os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
        import multiprocessing, work
        if __name__ == "__main__":
            work.ask(sys.argv[1])
            with multiprocessing.get_context({method!r}).Pool(2) as pool:
                print(pool.map(work.ask, [sys.argv[1]] * 4))
        """
    )
    assert (code, out, err) == (0, "['s', 's', 's', 's']\n", "")


def test_a_hook_that_forks_answers_once(program):
    code, out, err = program(
        """
        def forks(event):
            return hookbox.deny("no", "child" if os.fork() == 0 else "parent")
        host.hook("tool.before", name="a")(forks)
        print(host.dispatch(TOOL)["verdict"]["deny"]["text"])
        os.wait()
        """
    )
    assert (code, out, err) == (0, "parent\n", "")


HANGS = {
    "a thread": "host.hook('tool.before', name='a')(lambda event: begun.set() or time.sleep(600))",
    "a loop": "async def never(event):\n    begun.set()\n    await asyncio.sleep(600)\nhost.hook('tool.before', name='a')(never)",
    "a held loop": "async def never(event):\n    begun.set()\n    time.sleep(600)\nhost.hook('tool.before', name='a')(never)",
    "a busy thread": "def busy(event):\n    begun.set()\n    while True: pass\nhost.hook('tool.before', name='a')(busy)",
    "its own host": "host.hook('custom:inner', name='b')(lambda event: begun.set() or time.sleep(600))\n"
    "host.hook('tool.before', name='a')(lambda event: host.dispatch({'event': 'custom:inner'}))",
}


@pytest.mark.parametrize("what", HANGS)
@pytest.mark.parametrize("caller", ["a thread", "a loop"])
def test_the_interpreter_ends_while_hooks_run(program, what, caller):
    waits = {
        "a thread": "threading.Thread(target=host.dispatch, args=(TOOL,), daemon=True).start(); begun.wait()",
        "a loop": """
async def main():
    task = asyncio.create_task(host.dispatch_async(TOOL))
    while not begun.is_set(): await asyncio.sleep(0.001)
    task.cancel()
if HELD:
    loop = asyncio.new_event_loop()
    def run():
        asyncio.set_event_loop(loop)
        loop.run_until_complete(host.dispatch_async(TOOL))
    threading.Thread(target=run, daemon=True).start()
    begun.wait()
else:
    asyncio.run(main())
""",
    }[caller]
    text = f"begun = threading.Event()\nHELD = {what == 'a held loop'}\n{HANGS[what]}\n{waits}\nprint('the end', flush=True)\n"
    code, out, err = program(text)
    assert (code, out, err) == (0, "the end\n", "")


def test_a_process_of_a_hook_ends_with_the_interpreter(program, configured, tmp_path):
    mark = tmp_path / "mark"
    configured(f'[[hook]]\nname = "a"\non = "tool.before"\nshell = {{ command = "echo $$ > {mark}; sleep 600" }}\n')
    code, out, err = program(
        f"""
        threading.Thread(target=host.dispatch, args=(TOOL,), daemon=True).start()
        while not (os.path.exists({str(mark)!r}) and open({str(mark)!r}).read()): time.sleep(0.001)
        """
    )
    assert (code, out, err) == (0, "", "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)


def test_a_program_may_ask_while_it_ends(program):
    code, out, err = program(
        """
        import atexit
        class Last:
            def __del__(self):
                print(host.dispatch(TOOL)["verdict"])
        host.hook("tool.before", name="a")(lambda event: hookbox.deny("no", ""))
        atexit.register(lambda: print(host.dispatch(TOOL)["verdict"], flush=True))
        """
    )
    assert (code, out, err) == (0, "{'deny': {'code': 'no', 'text': ''}}\n", "")


def test_ctrl_c_ends_a_call(program):
    code, out, err = program(
        """
        # Who starts the tests in the background has it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        begun = threading.Event()
        host.hook("tool.before", name="a")(lambda event: begun.set() or time.sleep(600))
        def press():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press).start()
        try:
            host.dispatch(TOOL)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    assert (code, out, err) == (0, "interrupted\n", "")


def test_what_a_signals_handler_raises_is_the_callers(program):
    code, out, err = program(
        """
        def ring(*_):
            raise TimeoutError("rang")
        signal.signal(signal.SIGALRM, ring)
        # A call that is interrupted has failed. With "allow" five of them in a row do not trip the hook, which is not what this is about.
        host.hook("tool.before", name="a", on_failure="allow")(lambda event: time.sleep(0.0001))
        rung = 0
        for number in range(200):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0001 * (number % 20 + 1))
                while True: assert host.dispatch(TOOL)["verdict"] == "none"
            except TimeoutError:
                rung += 1
        from hookbox import _hooks
        print(rung, _hooks._threads._all < 50)
        """
    )
    assert (code, out, err) == (0, "200 True\n", "")


def test_hosts_come_and_go(program):
    code, out, err = program(
        """
        def threads():
            return len(os.listdir("/proc/self/task"))
        for _ in range(50):
            other = hookbox.Host(home=sys.argv[1], cache_home=sys.argv[2])
            other.hook("tool.before", name="a")(lambda event: hookbox.deny("no", ""))
            other.dispatch(TOOL)
        print(threads() < 12)
        """
    )
    assert (code, out, err) == (0, "True\n", "")


def test_nothing_is_warned_about(program):
    code, out, err = program(
        OWN,
        "print(said()[0], asyncio.run(host.dispatch_async(TOOL))['verdict'] != 'none')",
        arguments=["-X", "dev", "-W", "error"],
    )
    assert (code, out, err) == (0, "True True\n", "")
