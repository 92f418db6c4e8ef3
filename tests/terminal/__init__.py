"""The tests of the terminal commands."""
