"""Claude Code as the SDK has it, with a scripted model, a home of its own, and no network."""

import os

import hookbox
import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage
from model import Model


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    return folder


@pytest.fixture
def model():
    model = Model()
    yield model
    model.close()


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.fixture
def configured(home):
    """Writes the user's own configuration."""

    def write(text):
        file = home / ".config/hookbox/hooks.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        # A file that was just written may be being written still, and is waited for.
        os.utime(file, (len(text), 1))

    return write


@pytest.fixture
def host(home, cache):
    return hookbox.Host(home=home, cache_home=cache)


@pytest.fixture
def sealed(home, model):
    """The variables of a Claude Code that reaches the model and nothing else."""
    return {
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": model.url,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CONFIG_DIR": str(home / ".claude"),
        "HOME": str(home),
        "HTTPS_PROXY": model.url,
        "NO_PROXY": "127.0.0.1",
    }


@pytest.fixture
def plain(sealed, project):
    """Options of a program without hookbox."""

    def options(**words):
        return ClaudeAgentOptions(**{"env": sealed, "cwd": project, "allowed_tools": ["Bash"], **words})

    return options


async def talk(options, prompt="Tidy up."):
    """Everything that the SDK says until the result."""
    async with ClaudeSDKClient(options) as client:
        await client.query(prompt)
        return [said async for said in client.receive_response()]


def ended(said):
    """How it went."""
    assert isinstance(said[-1], ResultMessage), said
    return said[-1].subtype
