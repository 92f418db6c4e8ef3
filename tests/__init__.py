"""The tests, in folders as the modules of the service are."""
