"""LiteLLM's own proxy, with a server for the models behind it that is scripted."""

import http.client
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
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-of-these-tests-and-nobody-else"
SIGN = "which hooks?"
TEXT = "It is a sunny day"

class Models(BaseHTTPRequestHandler):
    """Answers as OpenAI's server and Anthropic's do, and keeps what it was asked."""

    protocol_version = "HTTP/1.1"
    asked = []

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if SIGN not in str(request):
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
    said = {"choices": [choice], "usage": usage, "service_tier": "default"}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", **said}


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
    kinds = {"alias": "groq/m", "claude": "anthropic/m"}
    bases = {"alias": f"{address}/v1", "claude": address}
    deployments = [
        {"model_name": name, "litellm_params": {"model": model, "api_base": bases[name], "api_key": "k"}}
        for name, model in kinds.items()
    ]
    # JSON is YAML.
    settings = {"callbacks": callbacks, "telemetry": False}
    router = {"num_retries": 0, "disable_cooldowns": True}
    return json.dumps({"model_list": deployments, "litellm_settings": settings, "router_settings": router})


class Proxy:
    """The proxy, running in a folder; with its own configuration, or this one."""

    def __init__(self, folder, address=None, callbacks=None, files=None, **variables):
        self.folder = folder
        if address is not None:
            (folder / "config.yaml").write_text(configuration(address, callbacks))
        for name, text in (files or {}).items():
            (folder / name).write_text(text)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = shutil.which("litellm", path=pathlib.Path(sys.executable).parent)
        words = [command, "--config", "config.yaml", "--host", "127.0.0.1", "--port", str(self.port)]
        silent = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR", "NO_PROXY": "127.0.0.1"}
        if address is not None:
            silent["LITELLM_MASTER_KEY"] = KEY
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
        headers = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def client(self, key=KEY):
        """A function that posts over one connection that is kept, and returns status and text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}

        def post(body):
            connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, response.read().decode()

        return post

    def many(self, number, body, clients=4):
        """As many requests, side by side."""

        def some():
            post = self.client()
            for _ in range(number // clients):
                status, text = post(body)
                assert status == 200, text

        with ThreadPoolExecutor(clients) as pool:
            for client in [pool.submit(some) for _ in range(clients)]:
                client.result()

    def uses(self):
        """Memory in KiB, threads and descriptors."""
        process = pathlib.Path(f"/proc/{self.process.pid}")
        fields = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        return int(fields["VmRSS"].split()[0]), int(fields["Threads"]), len(list((process / "fd").iterdir()))

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
