import os
import time

import pytest
from bed import SIGN, Models, Proxy, models

CALLBACK = """
import os

from hookbox_litellm import Hookbox

hookbox = Hookbox(home=os.environ["HOOKBOX_TEST_HOME"], cache_home=os.environ["HOOKBOX_TEST_CACHE"])
"""


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
    """Writes the user's hooks, with one more that says that they count, and waits until it does. It is for an event that none was for
    before, so that the class knows of the others, too."""
    hooks.number += 1
    event = ("model.moderate", "model.route")[hooks.number % 2]
    said = f"hooks {hooks.number} count"
    sign = f"""
[[hook]]
name = "sign"
on = "{event}"
role = "gate"
shell = {{ command = '''grep -q '{SIGN}' && echo '{{"verdict":"deny","reason":"{said}"}}' || echo '{{}}' ''' }}
"""
    write(proxy, text + sign)
    end = time.monotonic() + 60
    while said not in proxy.chat(SIGN)[1]:
        assert time.monotonic() < end, "the changed file does not count"


hooks.number = 0


def write(proxy, text):
    file = proxy.home / ".config/hookbox/hooks.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    # A file that was just written may be being written still, and is waited for.
    os.utime(file, (hooks.number, 1))
