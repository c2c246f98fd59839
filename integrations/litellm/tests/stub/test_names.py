"""What a proxy's configuration can name."""

import hookbox_litellm
import pytest


@pytest.fixture
def made(monkeypatch):
    """What the class was called with."""
    made = []
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setattr(hookbox_litellm, "Hookbox", lambda **options: made.append(options) or object())
    yield made
    for name in ("hookbox", "run_claude"):
        vars(hookbox_litellm).pop(name, None)


@pytest.mark.parametrize(
    "name, options", [("hookbox", {}), ("run_claude", {"hooks_yaml": "/home/somebody/.config/run-claude/hooks.yaml"})]
)
def test_only_what_is_named_is_made_and_once(made, name, options):
    assert made == []
    assert getattr(hookbox_litellm, name) is getattr(hookbox_litellm, name)
    assert made == [options]


def test_another_name_is_told_as_python_does():
    with pytest.raises(AttributeError, match="module 'hookbox_litellm' has no attribute 'hookbocks'"):
        hookbox_litellm.hookbocks
