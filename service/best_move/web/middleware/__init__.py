"""What surrounds every request: its ID, its log line, its metrics, and the CORS headers of its response."""
