"""What the proxy needs stays what it is, however many requests there are. `benches/soak.py` makes more of them."""

import pathlib

import pytest
from bed import message
from conftest import write

HOOKS = """
[[hook]]
name = "strip"
on = "model.request"
role = "transform"
wasm = { plugin = "strip-provider-fields" }

[[hook]]
name = "find"
on = ["model.response", "model.stream-chunk"]
role = "gate"
wasm = { plugin = "find-text" }
config = { deny = ["nowhere in there"] }
"""


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="nothing tells what a process needs")
def test_memory_threads_and_descriptors_stay_the_same(proxy):
    # Alone: another hook would start a process for each request.
    write(proxy, HOOKS)
    body = {"model": "alias", "messages": [message("hi")]}
    proxy.many(400, body)
    proxy.many(40, {**body, "stream": True})
    memory, threads, descriptors = proxy.uses()
    proxy.many(2000, body)
    proxy.many(200, {**body, "stream": True})
    memory_after, threads_after, descriptors_after = proxy.uses()
    assert threads_after <= threads + 4
    assert descriptors_after <= descriptors + 16
    assert memory_after - memory < 32 * 1024
