"""The hooks of this folder, and no others. With `callbacks: hookbox_litellm.hookbox` there are those of the user's configuration."""

import pathlib

from hookbox_litellm import Hookbox

hookbox = Hookbox(config=pathlib.Path(__file__).with_name("hooks.toml"))
