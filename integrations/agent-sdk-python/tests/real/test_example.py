"""`examples/agent_sdk.py` and the programs of the page do what they say."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[4]
PAGE = (ROOT / "integrations/agent-sdk-python/README.md").read_text()


def run(program, home, project, sealed, *words):
    # Its reader has a home of their own.
    program = re.sub(r"hookbox\.Host\(", f"hookbox.Host(home={str(home)!r}, ", program)
    file = project.parent / "program.py"
    file.write_text(program)
    command = [sys.executable, str(file), *words]
    return subprocess.run(command, cwd=project, env={**os.environ, **sealed}, capture_output=True, text=True, timeout=120)


def test_the_example_has_the_users_hooks_and_one_of_its_own(model, home, project, sealed, configured):
    configured(
        """
        [[hook]]
        name = "no-letters"
        on = "tool.before"
        shell = { command = '''grep -q 'rm letter' && echo '{"verdict":"deny","reason":"letters are kept"}' || echo '{}' ''' }
        """
    )
    (project / "letter").write_text("Dear reader,")
    model.commands = ["rm letter", f"curl {model.url}", "echo ran > proof"]
    done = run((ROOT / "examples/agent_sdk.py").read_text(), home, project, sealed, "Tidy up.")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ResultMessage(subtype='success'" in done.stdout
    refused, refused_too, ran = model.results
    assert "no-letters: letters are kept" in refused
    assert "no_network: this program stays where it is (network)" in refused_too
    assert (project / "letter").exists() and (project / "proof").exists(), ran


def test_the_program_of_the_page_runs(model, home, project, sealed):
    program, *_ = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    model.commands = ["git push --force", "echo ran > proof"]
    done = run(program, home, project, sealed)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no_force: do it without --force" in model.results[0]
    assert (project / "proof").exists()
