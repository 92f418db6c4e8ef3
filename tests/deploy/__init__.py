"""The tests of the deployment: nginx, Kubernetes, the container image, and the cache."""
