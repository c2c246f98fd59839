"""`examples/litellm` does what its page says."""

import json
import os
import pathlib
import shutil

import pytest
from bed import Proxy, message

EXAMPLE = pathlib.Path(__file__).parents[4] / "examples/litellm"


@pytest.fixture
def example(tmp_path):
    folder = shutil.copytree(EXAMPLE, tmp_path / "example")
    file = folder / "proxy_hooks.py"
    # The page's reader has a home of their own.
    file.write_text(file.read_text().replace("Hookbox(", f"Hookbox(home={str(tmp_path)!r}, "))
    os.utime(folder / "hooks.toml", (1, 1))
    proxy = Proxy(folder)
    yield proxy.wait()
    proxy.end()


def test_a_private_key_stays_here(example):
    ask = example.client("sk-example-of-hookbox-in-a-proxy")
    status, text = ask({"model": "sunny", "messages": [message("How is the weather?")]})
    assert (status, json.loads(text)["choices"][0]["message"]["content"]) == (200, "It is a sunny day")
    status, text = ask({"model": "sunny", "messages": [message("-----BEGIN PRIVATE KEY-----")]})
    assert (status, json.loads(text)["error"]["message"]) == (400, "no-keys: a private key stays here (key)")
