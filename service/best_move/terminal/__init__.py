"""The terminal commands: play, print search trees, and prove that a program is unbeatable."""
