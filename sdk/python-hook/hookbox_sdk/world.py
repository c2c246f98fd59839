"""The world `hookbox:hook/hook@0.2.0`, as `componentize-py` generates it within a component; outside of one, what `testing` has."""

try:
    from componentize_py_types import Err
    from wit_world import imports
    from wit_world.imports import clock, config, http, json, kv, log, random, source, types  # noqa: F401

    IS_COMPONENT = True
except ImportError:
    from hookbox_sdk import testing as imports  # type: ignore[no-redef]
    from hookbox_sdk.testing import Err  # type: ignore[assignment]

    IS_COMPONENT = False

__all__ = ["IS_COMPONENT", "Err", "imports"]
