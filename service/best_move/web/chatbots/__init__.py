"""The Model Context Protocol over HTTP and standard input and output, its tools and the board."""
