"""LiteLLM's own proxy, with a server for the models behind it that is scripted."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

TEXT = "It is a sunny day"
CALLBACK = """
import os

from hookbox_litellm import Hookbox

hookbox = Hookbox(home=os.environ["HOOKBOX_TEST_HOME"], cache_home=os.environ["HOOKBOX_TEST_CACHE"])
"""


class Models(BaseHTTPRequestHandler):
    """Answers as OpenAI's server and Anthropic's do, and keeps what it was asked. `stall` in a request keeps a stream from ending."""

    protocol_version = "HTTP/1.1"
    asked = []

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(request)
        is_anthropic = self.path.endswith("/messages")
        if request.get("stream"):
            self.events(anthropic_events() if is_anthropic else openai_events())
        else:
            self.reply("application/json", json.dumps(anthropic() if is_anthropic else openai()).encode())

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def events(self, events):
        self.reply("text/event-stream", "".join(events).encode())

    def log_message(self, *arguments):
        """Nothing."""


def openai():
    message = {"role": "assistant", "content": TEXT}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def openai_events():
    words = TEXT.split()
    for number, word in enumerate(words):
        is_last = number == len(words) - 1
        delta = {"role": "assistant", "content": word if number == 0 else f" {word}"}
        choice = {"index": 0, "delta": delta, "finish_reason": "stop" if is_last else None}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        yield f"data: {json.dumps(chunk)}\n\n"
    yield "data: [DONE]\n\n"


def anthropic():
    usage = {"input_tokens": 1, "output_tokens": 1}
    content = [{"type": "text", "text": TEXT}]
    return {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": "end_turn", "usage": usage}


def anthropic_events():
    start = {**anthropic(), "content": [], "stop_reason": None}
    events = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": f"{word} "}}
            for word in TEXT.split()
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    for event in events:
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def models():
    """The server, running, and its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Models)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"


def configuration(address, callbacks):
    """The proxy's: an alias for a model of each kind."""
    kinds = {"alias": "groq/m", "claude": "anthropic/m", "converted": "openai/m"}
    bases = {"alias": f"{address}/v1", "claude": address, "converted": f"{address}/v1"}
    deployments = [
        {"model_name": name, "litellm_params": {"model": model, "api_base": bases[name], "api_key": "k"}}
        for name, model in kinds.items()
    ]
    # JSON is YAML.
    return json.dumps({"model_list": deployments, "litellm_settings": {"callbacks": callbacks, "telemetry": False}})


class Proxy:
    """The proxy, running in a folder."""

    def __init__(self, folder, address, callbacks, files=None, **variables):
        self.folder = folder
        (folder / "config.yaml").write_text(configuration(address, callbacks))
        for name, text in (files or {}).items():
            (folder / name).write_text(text)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = shutil.which("litellm", path=pathlib.Path(sys.executable).parent)
        words = [command, "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(self.port)]
        silent = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR", "NO_PROXY": "127.0.0.1"}
        self.log = (folder / "log").open("w+")
        environment = {**os.environ, **silent, **variables}
        self.process = subprocess.Popen(words, cwd=folder, env=environment, stdout=self.log, stderr=subprocess.STDOUT)

    def wait(self):
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/liveliness", timeout=10).read()
                return self
            except OSError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.2)

    def post(self, path, body):
        """The status and the text of the answer."""
        address = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(address, json.dumps(body).encode(), {"content-type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def chat(self, text, **members):
        return self.post("/v1/chat/completions", {"model": "alias", "messages": [message(text)], **members})

    def messages(self, text, **members):
        body = {"model": "claude", "max_tokens": 9, "messages": [message(text)], **members}
        return self.post("/v1/messages", body)

    def end(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()


def message(text):
    return {"role": "user", "content": text}


@pytest.fixture(scope="session")
def started(tmp_path_factory):
    server, address = models()
    folder, home, cache = (tmp_path_factory.mktemp(name) for name in ("proxy", "home", "cache"))
    cache.chmod(0o700)
    variables = {"HOOKBOX_TEST_HOME": str(home), "HOOKBOX_TEST_CACHE": str(cache)}
    proxy = Proxy(folder, address, ["proxy_hooks.hookbox"], {"proxy_hooks.py": CALLBACK}, **variables)
    proxy.home = home
    yield proxy.wait()
    proxy.end()
    server.shutdown()


@pytest.fixture
def proxy(started):
    """The proxy, with no hooks yet."""
    started.hooks = lambda text: hooks(started, text)
    started.asked = Models.asked
    started.hooks("")
    Models.asked.clear()
    return started


def hooks(proxy, text):
    """Writes the user's hooks, with one more that says that they count, and waits until it does."""
    hooks.number += 1
    file = proxy.home / ".config/hookbox/hooks.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    said = f"hooks {hooks.number} count"
    sign = f"""
[[hook]]
name = "sign"
on = "model.moderate"
role = "gate"
shell = {{ command = '''grep -q 'which hooks' && echo '{{"verdict":"deny","reason":"{said}"}}' || echo '{{}}' ''' }}
"""
    file.write_text(text + sign)
    os.utime(file, (hooks.number, 1))
    end = time.monotonic() + 60
    while said not in proxy.chat("which hooks?")[1]:
        assert time.monotonic() < end, "the changed file does not count"


hooks.number = 0
