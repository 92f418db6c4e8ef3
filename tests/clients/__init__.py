"""Tests with other projects' tools: generated clients, a proxy that validates messages, and MCP clients."""
