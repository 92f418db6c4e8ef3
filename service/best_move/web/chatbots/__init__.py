"""The Model Context Protocol over HTTP and standard input and output: messages, tools, and the board in chats.

`app.py` imports it, and `__main__.py` its `stdio`. It imports the API, the page template and its static files.
"""
