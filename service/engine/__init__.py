"""The game of tic-tac-toe and the searches that play it."""
