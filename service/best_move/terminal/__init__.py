"""The terminal commands: play, and prove that a program is unbeatable."""
