"""What Python adds to an answer, and what threads gain: ratios within one run, so that the machine's speed does not count.

    python benches/python.py

It needs the package of a release build (`cargo xtask packages --release`), a quiet machine, and takes half a minute. A host says itself how
long its chain took (`wall_ns`): that is what the dispatch costs without Python. Bounds: an answer by one wasm hook takes at most 5 times
that at 1 KiB, and eight threads do at least 1.6 times what one does, on two processors and more.
"""

import json
import os
import statistics
import tempfile
import threading
import time

import hookbox

HOOK = '[[hook]]\nname = "guard"\non = "tool.before"\nwasm = { plugin = "guard-shell" }\n'
SECONDS = 2.0


def event(size):
    """The event of Claude Code before a command, of so many bytes."""
    said = {
        "hook_event_name": "PreToolUse",
        "session_id": "s1",
        "cwd": "/tmp",
        "tool_name": "Bash",
        "tool_input": {"command": "ls -l", "description": ""},
    }
    said["tool_input"]["description"] = "x" * (size - len(json.dumps(said)))
    return json.dumps(said).encode()


def answers(host, asked, seconds=SECONDS):
    """How many answers there are in a second."""
    end, count = time.perf_counter() + seconds, 0
    begun = time.perf_counter()
    while time.perf_counter() < end:
        host.answer("claude-code", asked)
        count += 1
    return count / (time.perf_counter() - begun)


def in_threads(host, asked, number):
    counts = []
    threads = [threading.Thread(target=lambda: counts.append(answers(host, asked))) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts)


def main():
    with tempfile.TemporaryDirectory() as home:
        file = os.path.join(home, "hooks.toml")
        with open(file, "w") as hooks:
            hooks.write(HOOK)
        os.utime(file, (1, 1))
        host = hookbox.Host(config=file, home=home)
        assert host.prepare() == [], host.prepare()
        asked = event(1024)
        answers(host, asked, 0.5)
        bare = statistics.median(host.answer("claude-code", asked).outcome["wall_ns"] for _ in range(2000)) / 1000
        one = answers(host, asked)
        eight = in_threads(host, asked, 8)
    print(f"the chain alone         {bare:8.1f} µs")
    print(f"an answer from Python   {1e6 / one:8.1f} µs   {1e6 / one / bare:.2f} times the chain (at most 5)")
    print(f"one thread              {one:8.0f} /s")
    print(f"eight threads           {eight:8.0f} /s   {eight / one:.2f} times one (at least 1.6, {os.cpu_count()} processors)")


if __name__ == "__main__":
    main()
