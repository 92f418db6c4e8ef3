"""The Model Context Protocol over HTTP and standard input and output: messages, tools, and the board in chats.

`app.py` imports this package, and `__main__.py` its module `stdio`. The package imports the API, the middleware and the
views of the pages, and it reads the templates and static files of the pages.
"""
