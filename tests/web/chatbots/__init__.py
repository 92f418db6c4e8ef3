"""The tests of the Model Context Protocol."""
