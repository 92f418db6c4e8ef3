"""The terminal commands: play, and print search trees."""
