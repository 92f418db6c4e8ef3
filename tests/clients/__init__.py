"""Tests with other projects' tools: generated clients, a validating proxy, and MCP clients."""
