"""The Model Context Protocol over HTTP and standard input and output: messages, tools, and the board in chats."""
