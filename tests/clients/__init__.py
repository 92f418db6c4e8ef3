"""Clients that others' tools make from the contract, and a proxy that holds the service to it."""
