"""Each example of the page is a program that runs to its end."""

import pathlib
import re
import subprocess
import sys

import hookbox
import pytest

PAGE = (pathlib.Path(__file__).parents[1] / "README.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(4))
def test_an_example_runs(number, tmp_path):
    path = str(pathlib.Path(hookbox.__file__).parents[1])
    # The page's reader has a home of their own.
    example = EXAMPLES[number].replace("hookbox.Host(", f"hookbox.Host(home={str(tmp_path)!r}, ")
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r})\n{example}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_all_examples_are_run():
    assert len(EXAMPLES) == 4
