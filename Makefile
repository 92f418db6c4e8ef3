# Needs git, make and Python 3.11 or newer. Everything else is installed into .venv, from hashed pins.

PYTHON ?= python3
BIN := .venv/bin
SOURCES := $(shell find service -type f -not -name '*.pyc') pyproject.toml
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
LOCKED := $(INSTALL) --require-hashes --no-deps -r

# Runs a module of the tests on the installed service; python -m would find the folder of its sources first.
MODULE := $(BIN)/python -P -c 'import runpy, sys; sys.path.append("."); \
	runpy.run_module(sys.argv.pop(1), run_name="__main__")'

TESTS := $(BIN)/pytest --numprocesses auto --dist worksteal

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run play test uncompiled image-test coverage soak check bench levels picture format openapi lock clean

help: ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

run: .venv/service ## Serve on port 8000, or as in: make run PORT=8001
	@$(BIN)/best-move serve

play: .venv/service ## Play in the terminal, or as in: make play OPTIONS='--side O'
	@trap : INT; $(BIN)/best-move play $(OPTIONS) || [ $$? = 130 ]

test: .venv/develop .venv/service ## Run all tests, then the engine tests uncompiled
	$(TESTS)
	$(MAKE) --no-print-directory uncompiled

uncompiled: .venv/develop ## Run the engine tests on the uncompiled sources
	PYTHONPATH=. $(TESTS) tests/engine tests/test_oracle.py

image-test: .venv/develop .venv/service ## Build the image and run it (needs root, buildah, podman, runc, debootstrap)
	IMAGE_REQUIRED=1 $(BIN)/pytest --capture=no --verbose tests/deploy/test_image.py

coverage: .venv/develop .venv/service ## Say which lines no test in this process runs, but for what is compiled
	$(TESTS) --cov $$($(BIN)/python -P -c 'import service; print(*service.__path__)') --cov-report term-missing:skip-covered \
		--ignore tests/web/serving/test_faults.py --ignore tests/web/serving/test_worker.py tests/web tests/test_*.py

soak: .venv/develop .venv/service ## Send 50,000 mixed requests: no fault, no growth
	@$(MODULE) tests.soak

check: .venv/develop .venv/service ## Check format, lint and types, and run the test suite once
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(TESTS)

bench: .venv/develop .venv/service ## Measure the searches, the serving, both behind nginx, and the pages
	@$(MODULE) tests.benchmarks.searches
	@$(MODULE) tests.benchmarks.requests
	@$(MODULE) tests.benchmarks.serving
	@$(MODULE) tests.benchmarks.nginx
	@$(MODULE) tests.benchmarks.pages

picture: .venv/develop ## Renew the pictures of the searches and of the page (needs Chromium)
	@PYTHONPATH=. $(BIN)/python -m tests.nodes
	@PYTHONPATH=. $(BIN)/python -m tests.browser.picture

levels: .venv/develop .venv/service ## Compute how often each level and tie-break wins
	@$(MODULE) tests.levels

format: .venv/develop ## Format the code and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

openapi: .venv/develop ## Renew openapi.yaml from the schemas
	PYTHONPATH=. $(BIN)/python -c 'from service.web.api import openapi; print(openapi.as_file(), end="")' > openapi.yaml

# The lock has three parts, each without the pins of those before it: to run, to build, to develop.
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header pyproject.toml
lock: .venv/develop ## Renew the pins of all dependencies
	$(COMPILE) --upgrade > .venv/run.lock
	$(COMPILE) --group build --constraint .venv/run.lock \
		$$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' .venv/run.lock) > .venv/build.lock
	$(COMPILE) --group develop --constraint .venv/run.lock --constraint .venv/build.lock \
		$$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' .venv/run.lock .venv/build.lock) > .venv/develop.lock
	{ echo '# to run'; cat .venv/run.lock; echo '# to build'; cat .venv/build.lock; \
		echo '# to develop'; cat .venv/develop.lock; } > requirements.lock

clean: ## Remove everything that was made
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find service tests -name __pycache__ -prune -exec rm -rf {} +

.venv/python: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo 'Python 3.11 or newer is needed. Name one, as in: make run PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -m venv --clear .venv >/dev/null || \
		{ echo '$(PYTHON) cannot make a virtual environment. On Debian: apt install python3-venv' >&2; exit 1; }
	@echo 'Installing into .venv …'
	@sed '/^# to develop/,$$d' requirements.lock > .venv/install.lock
	@$(LOCKED) .venv/install.lock
	@touch $@

.venv/develop: .venv/python
	@sed '1,/^# to develop/d' requirements.lock > .venv/install.lock
	@$(LOCKED) .venv/install.lock
	@touch $@

# Installed rather than run from its folder: what is served and tested is what a wheel of these sources holds. It is
# built from a copy, since while a build lasts its compiled modules lie beside their sources.
.venv/service: .venv/python Makefile $(SOURCES)
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R pyproject.toml README.md service "$$copy" && \
	$(INSTALL) --no-deps --no-build-isolation --force-reinstall "$$copy"
	@touch $@
