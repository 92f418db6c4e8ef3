"""The engine as a whole."""

import sys

from best_move.engine import COMPILED


def test_the_engine_is_compiled_as_a_whole_or_not_at_all() -> None:
    """All modules of the engine are compiled if COMPILED is true, and none otherwise."""
    modules = {
        name: module for name, module in sys.modules.items() if name.startswith("best_move.engine")
    }
    assert len(modules) > 10
    for name, module in modules.items():
        assert module.__file__, name
        assert module.__file__.endswith(".py") != COMPILED, name
