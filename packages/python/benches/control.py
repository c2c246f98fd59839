"""What a round trip of the Agent SDK's control protocol takes: `hookbox control` with one wasm hook against a Python program whose callback is empty,
over the same pipes, in turns.

    python benches/control.py target/dist/hookbox

It needs what `cargo xtask build` makes, a quiet machine, and takes some seconds. Bound: at most 3 times the Python program.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HOOK = """
[[hook]]
name = "find"
on = "tool.before"
wasm = { plugin = "find-text" }
config = { deny = ["nowhere in there"] }
"""
EMPTY = """
import json, sys

def callback(input):
    return {}

hooks = {"PreToolUse": [{"matcher": None, "hookCallbackIds": ["hook_0"]}]}
print(json.dumps({"type": "control_request", "request_id": "r", "request": {"subtype": "initialize", "hooks": hooks}}), flush=True)
sys.stdin.readline()
for line in sys.stdin:
    message = json.loads(line)
    answer = {"subtype": "success", "request_id": message["request_id"], "response": callback(message["request"]["input"])}
    print(json.dumps({"type": "control_response", "response": answer}), flush=True)
"""
ROUNDS = 6000
WARM = 500


class Program:
    def __init__(self, *words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        said = json.loads(self.process.stdout.readline())
        self.callback = said["request"]["hooks"]["PreToolUse"][0]["hookCallbackIds"][0]
        self.times = []
        answer = {"subtype": "success", "request_id": said["request_id"], "response": {"hook_on_failure_supported": True}}
        self.say({"type": "control_response", "response": answer})

    def say(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, number, text):
        tool = {"tool_name": "Bash", "tool_input": {"command": "ls -l", "description": text}}
        event = {"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": "/", "permission_mode": "default", **tool}
        request = {"subtype": "hook_callback", "callback_id": self.callback, "input": event, "tool_use_id": "t1"}
        begun = time.perf_counter()
        self.say({"type": "control_request", "request_id": f"q{number}", "request": request})
        answer = json.loads(self.process.stdout.readline())["response"]
        self.times.append((time.perf_counter() - begun) * 1e6)
        assert answer["subtype"] == "success" and answer["response"] == {}, answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        return statistics.median(self.times[WARM:])


def main(program):
    with tempfile.TemporaryDirectory() as home:
        hooks = pathlib.Path(home, "hooks.toml")
        hooks.write_text(HOOK)
        os.utime(hooks, (1, 1))
        programs = [Program(program, "control", "--home", home, "--config", hooks), Program(sys.executable, "-c", EMPTY)]
        for number in range(ROUNDS):
            for one in programs:
                one.ask(number, "x" * 700)
        hookbox, empty = [one.end() for one in programs]
    print(f"hookbox control, one hook   {hookbox:6.1f} µs")
    print(f"an empty Python callback    {empty:6.1f} µs   {hookbox / empty:.2f} times (at most 3)")


if __name__ == "__main__":
    main(sys.argv[1])
