"""A proxy that ends while a hook runs for one of its requests."""

import os
import pathlib
import signal
import threading
import time

import pytest
from bed import Proxy, models
from conftest import CALLBACK

HOOK = """
[[hook]]
name = "slow"
on = "model.request"
role = "gate"
timeout = "SECONDSs"
shell = { command = "echo $$ > MARK; sleep 600" }
"""


def is_gone(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().split()[2] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.mark.parametrize(("told", "seconds"), [(signal.SIGTERM, 2), (signal.SIGKILL, 300)])
def test_it_ends_and_the_hooks_process_with_it(tmp_path, told, seconds):
    server, address = models()
    home, cache, mark = tmp_path / "home", tmp_path / "cache", tmp_path / "mark"
    file = home / ".config/hookbox/hooks.toml"
    file.parent.mkdir(parents=True)
    cache.mkdir(mode=0o700)
    file.write_text(HOOK.replace("SECONDS", str(seconds)).replace("MARK", str(mark)))
    os.utime(file, (1, 1))
    variables = {"HOOKBOX_TEST_HOME": str(home), "HOOKBOX_TEST_CACHE": str(cache)}
    proxy = Proxy(tmp_path, address, ["proxy_hooks.hookbox"], {"proxy_hooks.py": CALLBACK}, **variables).wait()

    said = []

    def ask():
        try:
            said.append(proxy.chat("hi"))
        except OSError as error:
            said.append((0, str(error)))

    client = threading.Thread(target=ask)
    client.start()
    end = time.monotonic() + 60
    while not (mark.exists() and mark.read_text().strip()):
        assert time.monotonic() < end, "the hook does not run"
    proxy.process.send_signal(told)
    proxy.process.wait(60)
    client.join(60)
    # What was under way is refused, or nobody is there to answer.
    [(status, text)] = said
    assert (status, "slow" in text) in ((400, True), (0, False)), said
    while not is_gone(int(mark.read_text())):
        assert time.monotonic() < end + 60, "the hook's process stays"
    server.shutdown()
