"""The tests of the deployment: nginx, Kubernetes, the Dockerfile, and the cache."""
