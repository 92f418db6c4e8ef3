"""The tests of the engine."""
