"""The world `hookbox:hook/hook@0.2.0`, as `componentize-py` generates it within a component; outside of one, what `testing` has."""

from __future__ import annotations

from typing import Any

from hookbox_sdk import testing

Err: Any = testing.Err
imports: Any = testing
IS_COMPONENT = False

try:
    import componentize_py_types  # type: ignore[import-not-found]
    import wit_world.imports  # type: ignore[import-not-found]
    from wit_world.imports import clock, config, facts, http, json, kv, log, random, source, types  # noqa: F401

    Err, imports, IS_COMPONENT = componentize_py_types.Err, wit_world.imports, True
except ImportError:
    pass
