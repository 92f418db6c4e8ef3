"""The tests of what stands around the service: nginx, Kubernetes, and the caches that a CDN has."""
