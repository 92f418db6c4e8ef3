"""The tests of the deployment: nginx, Kubernetes, the container image, and caches such as those of a CDN."""
