"""What operators see: the access log and the metrics."""
