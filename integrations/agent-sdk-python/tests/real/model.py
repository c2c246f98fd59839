"""A model without a model: a server on this machine that has Claude Code run what a script says."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model:
    """A server that has these commands run, one after another, and keeps what came of each."""

    def __init__(self):
        self.commands, self.results, self.requests = [], [], []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}")
                if not self.path.split("?")[0].endswith("/messages"):
                    return self.reply("application/json", json.dumps({"input_tokens": 1}))
                block = model.next(request)
                if request.get("stream"):
                    return self.reply("text/event-stream", "".join(events(block)))
                self.reply("application/json", json.dumps(message(content=[block], stop_reason=reason(block))))

            def do_GET(self):
                self.reply("application/json", json.dumps({"data": []}))

            do_HEAD = do_GET

            def do_CONNECT(self):
                """Whoever wants to go elsewhere."""
                self.send_error(403)

            def reply(self, kind, text):
                body = text.encode()
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def next(self, request):
        """How far the script is stands in every request, so a request that is repeated gets the same answer."""
        self.requests.append(request)
        if not any(tool.get("name") == "Bash" for tool in request.get("tools") or []):
            return {"type": "text", "text": "Done."}
        contents = [said["content"] for said in request["messages"] if isinstance(said["content"], list)]
        blocks = [block for content in contents for block in content]
        self.results = [text_of(block.get("content")) for block in blocks if block.get("type") == "tool_result"]
        if len(self.results) >= len(self.commands):
            return {"type": "text", "text": "Done."}
        arguments = {"command": self.commands[len(self.results)], "description": "as asked"}
        return {"type": "tool_use", "id": f"call_{len(self.results)}", "name": "Bash", "input": arguments}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def text_of(content):
    if isinstance(content, list):
        return "\n".join(block.get("text", "") for block in content)
    return content or ""


def reason(block):
    return "tool_use" if block["type"] == "tool_use" else "end_turn"


def message(**members):
    usage = {"input_tokens": 1, "output_tokens": 1}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted"}
    return {**head, "stop_sequence": None, "usage": usage, **members}


def events(block):
    if block["type"] == "tool_use":
        empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    else:
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    ended = {"stop_reason": reason(block), "stop_sequence": None}
    for event in (
        {"type": "message_start", "message": message(content=[], stop_reason=None)},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ):
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
