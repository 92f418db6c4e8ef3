"""The benchmarks, which print and assert nothing: `make bench` runs them all."""
