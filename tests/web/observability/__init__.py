"""The tests of the log and the metrics."""
