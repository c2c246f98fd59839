"""`hookbox install` and the proxy's own configuration."""

import json
import os
import subprocess

import pytest
from bed import KEY, Models, Proxy, models

CONFIGURATION = """\
# Models of these tests.
model_list:
  - model_name: alias
    litellm_params: {model: openai/m, api_base: BASE/v1, api_key: k}

litellm_settings:  # as we like it
  callbacks: counting.counter
  telemetry: false
"""
COUNTER = """
from litellm.integrations.custom_logger import CustomLogger

class Counter(CustomLogger):
    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        return {**data, "temperature": 1}

counter = Counter()
"""
HOOKS = "hooks: {pre_request: [{name: adds, module: house, function: adds}]}\npython_path: ['FOLDER']\n"
FUNCTION = """
def adds(ctx):
    ctx.messages.append({"role": "user", "content": "from run-claude's hooks"})
    return ctx
"""


@pytest.fixture
def program():
    named = os.environ.get("HOOKBOX_PROGRAM")
    return named or pytest.skip("HOOKBOX_PROGRAM does not say which program is meant")


def test_a_proxy_whose_configuration_got_hookbox_by_install_asks_it_beside_its_own_callback(tmp_path, program):
    server, address = models()
    file = tmp_path / "config.yaml"
    before = CONFIGURATION.replace("BASE", address)
    file.write_text(before)
    (tmp_path / "counting.py").write_text(COUNTER)
    home = tmp_path / "home"
    hooks = home / ".config/run-claude/hooks.yaml"
    hooks.parent.mkdir(parents=True)
    hooks.write_text(HOOKS.replace("FOLDER", str(tmp_path)))
    os.utime(hooks, (1, 1))
    (tmp_path / "house.py").write_text(FUNCTION)

    def run(verb):
        words = [program, verb, "run-claude", "--file", "config.yaml", "--yes"]
        environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
        subprocess.run(words, cwd=tmp_path, env=environment, check=True, capture_output=True)

    run("install")
    assert "  callbacks: [counting.counter, hookbox_litellm.run_claude]\n" in file.read_text()
    proxy = Proxy(tmp_path, HOME=str(home), LITELLM_MASTER_KEY=KEY).wait()
    Models.asked.clear()
    try:
        assert proxy.chat("hi")[0] == 200
        [asked] = Models.asked
        said = [message["content"] for message in asked["messages"]]
        assert (said, asked["temperature"]) == (["hi", "from run-claude's hooks"], 1), json.dumps(asked)
    finally:
        proxy.end()
        server.shutdown()
    run("uninstall")
    assert file.read_text() == before
