"""run-claude's file for the proxy."""

import hookbox
import pytest
from conftest import pre_call

HOOKS = """
hooks:
  pre_request:
    - {name: adds, module: house, function: adds}
python_path: ['FOLDER']
"""
FUNCTIONS = """
calls = 0

def adds(ctx):
    global calls
    calls += 1
    ctx.messages.append({'role': 'user', 'content': f'call {calls} of {ctx.provider}'})
    return ctx
"""


def is_spoken(file):
    try:
        return bool(hookbox.Host(agent="litellm", source=file))
    except hookbox.Error:
        return False


def test_a_request_goes_through_its_functions(tmp_path, make):
    file = tmp_path / "hooks.yaml"
    file.write_text(HOOKS.replace("FOLDER", str(tmp_path)))
    (tmp_path / "house.py").write_text(FUNCTIONS)
    if not is_spoken(file):
        pytest.skip("this hookbox does not run run-claude's file for LiteLLM's events")
    one = make(hooks_yaml=file)
    contents = []
    for _ in range(2):
        changed = pre_call(one, {"model": "groq/llama", "messages": [{"role": "user", "content": "hi"}]})
        contents.append(changed["messages"][1]["content"])
    assert contents == ["call 1 of groq", "call 2 of groq"]
