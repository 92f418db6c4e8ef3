"""The Model Context Protocol: messages and tools for chatbots. Only `app.py` imports it."""
