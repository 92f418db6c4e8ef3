"""The benchmarks, which only print measurements: `make bench` runs them all."""
