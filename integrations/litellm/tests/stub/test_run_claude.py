"""run-claude's file for the proxy."""

import os
import sys

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


@pytest.fixture
def one(tmp_path, make):
    file = tmp_path / "hooks.yaml"
    file.write_text(HOOKS.replace("FOLDER", str(tmp_path)))
    (tmp_path / "house.py").write_text(FUNCTIONS)
    yield make(hooks_yaml=file)
    # The next one is of another folder.
    sys.modules.pop("house", None)


def said(one, model):
    changed = pre_call(one, {"model": model, "messages": [{"role": "user", "content": "hi"}]})
    return changed["messages"][1]["content"]


def test_a_request_goes_through_its_functions_which_keep_what_they_know(one):
    assert [said(one, "groq/llama") for _ in range(2)] == ["call 1 of groq", "call 2 of groq"]


def test_its_functions_are_told_who_runs_the_model_behind_an_alias(one, monkeypatch):
    assert said(one, "alias") == "call 1 of None"
    monkeypatch.setattr("hookbox_litellm._callback.provider_of", lambda data: {"provider": "groq"})
    assert said(one, "alias") == "call 2 of groq"


def test_its_functions_run_in_the_proxys_process(tmp_path, make):
    file = tmp_path / "hooks.yaml"
    file.write_text(HOOKS.replace("FOLDER", str(tmp_path)).replace("house", "house_of_here"))
    (tmp_path / "house_of_here.py").write_text(
        "import os\ndef adds(ctx):\n    ctx.messages.append({'role': 'user', 'content': str(os.getpid())})\n    return ctx\n"
    )
    assert said(make(hooks_yaml=file), "m") == str(os.getpid())


def test_the_number_of_hooks_is_printed_when_the_callback_is_made(tmp_path, make, capsys):
    file = tmp_path / "hooks.yaml"
    off = "\n    - {name: off, module: house, function: adds, enabled: false}"
    file.write_text(HOOKS.replace("function: adds}", "function: adds}" + off))
    make(hooks_yaml=file)
    assert capsys.readouterr().out == f"[HOOKS] Loaded 1 hooks from {file}\n"
    make(hooks_yaml=tmp_path / "missing.yaml")
    assert capsys.readouterr().out == ""
