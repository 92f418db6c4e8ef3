"""Clients that other projects' tools generate from the OpenAPI document, and a proxy that validates against it."""
