"""What hookbox adds to a request and to a streamed chunk: a proxy with it against one without a callback, in one run, in turns.

    python benches/proxy.py

It needs an environment with litellm[proxy], and the packages of a release build (`cargo xtask packages --release`); a quiet machine; a
minute. Bounds, at the median: 1 ms a request and 0.1 ms a chunk. `without hooks` has none for what comes; `one hook` has a wasm hook for
each request and each response, `chunks too` one for each chunk, too.
"""

import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests/proxy"))

import bed  # noqa: E402

REQUESTS = 400
STREAMS = 60
CHUNKS = 100

HOOK = """
[[hook]]
name = "{name}"
on = {on}
role = "gate"
wasm = {{ plugin = "find-text" }}
config = {{ deny = ["nowhere in there"] }}
"""
OTHER = HOOK.format(name="find", on='"tool.before"')
REQUEST = HOOK.format(name="find", on='["model.request", "model.response"]')
CHUNK = HOOK.format(name="find-in-chunks", on='"model.stream-chunk"')
CALLBACK = """
from hookbox_litellm import Hookbox

hookbox = Hookbox(config="hooks.toml", home="home")
"""


def proxy(folder, address, hooks):
    folder.mkdir()
    if hooks is None:
        return bed.Proxy(folder, address, [])
    (folder / "home").mkdir()
    return bed.Proxy(folder, address, ["proxy_hooks.hookbox"], {"proxy_hooks.py": CALLBACK, "hooks.toml": hooks})


def took(post, body):
    begun = time.perf_counter()
    status, text = post(body)
    assert status == 200, text
    return (time.perf_counter() - begun) * 1000


def medians(posts, body, rounds):
    """One request to each in turns, so that what else the machine does counts for all alike."""
    times = [[] for _ in posts]
    for number in range(rounds + 20):
        for post, row in zip(posts, times):
            spent = took(post, body)
            if number >= 20:
                row.append(spent)
    return [statistics.median(row) for row in times]


def main():
    bed.TEXT = " ".join(["word"] * CHUNKS)
    server, address = bed.models()
    kinds = {"without a callback": None, "without hooks": OTHER, "one hook": REQUEST, "chunks too": REQUEST + CHUNK}
    with tempfile.TemporaryDirectory() as folder:
        proxies = [proxy(pathlib.Path(folder) / str(at), address, hooks) for at, hooks in enumerate(kinds.values())]
        try:
            posts = [one.wait().client() for one in proxies]
            body = {"model": "alias", "messages": [bed.message("hi")]}
            requests = medians(posts, body, REQUESTS)
            streams = medians(posts, {**body, "stream": True}, STREAMS)
        finally:
            for one in proxies:
                one.end()
            server.shutdown()
    for name, request, stream in zip(kinds, requests, streams):
        added, chunk = request - requests[0], (stream - streams[0]) / CHUNKS
        print(f"{name:20} {request:8.2f} ms a request, {added:+6.2f}   {stream:8.2f} ms a stream, {chunk:+7.3f} a chunk")


if __name__ == "__main__":
    main()
