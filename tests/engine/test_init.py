"""The engine as a whole."""

import sys

from best_move.engine import COMPILED

#  Its class has documentation and types that users can read at run time.
NEVER_COMPILED = {"best_move.engine.question"}


def test_the_engine_is_compiled_as_a_whole_or_not_at_all() -> None:
    """All modules of the engine but one are compiled if COMPILED is true, and none otherwise."""
    modules = {
        name: module for name, module in sys.modules.items() if name.startswith("best_move.engine")
    }
    assert len(modules) > 10
    for name, module in modules.items():
        assert module.__file__, name
        is_compiled = not module.__file__.endswith(".py")
        assert is_compiled == (COMPILED and name not in NEVER_COMPILED), name
