# make run    everything a first look needs, then the program
# make test   everything that must pass before a change is kept
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
WORKERS ?= 2

.PHONY: help env web web-test client run test test-page test-emulators test-training lint bench bench-quick docs constraints clean

help:  ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

env: $(STAMP)  ## Make .venv with everything for development

# A stamp, so that a second run only compares two dates.
$(STAMP): pyproject.toml constraints.txt
	@python=""; \
	for name in $(PYTHON) python3.11 python3.12 python3.13 python3; do \
	  if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python="$$name"; break; fi; \
	done; \
	if [ -z "$$python" ]; then echo "Python 3.11 or newer is needed on PATH." >&2; exit 1; fi; \
	[ -x $(BIN)/python ] || "$$python" -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $(STAMP)

PAGE := src/inquery/web_dist/index.html
PAGE_SOURCES = $(shell find web/src web/public web/index.html web/vite.config.ts web/tsconfig.json -type f 2>/dev/null)
NPM := npm --prefix web --no-fund --no-audit --loglevel=error --fetch-retries=1 --fetch-timeout=60000

web: $(PAGE)  ## Build the web page (needs Node 20 or newer)

# Not npm ci: it refuses a lock without the binaries of every other platform, which not every registry has.
$(PAGE): web/package-lock.json $(PAGE_SOURCES)
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null \
	  || { echo "Node 20 or newer is needed to build the web page." >&2; exit 1; }
	@[ web/node_modules/.package-lock.json -nt web/package-lock.json ] || $(NPM) install --no-save
	@$(NPM) run --silent build -- --logLevel warn
	@touch $(PAGE)

web-test: web  ## Test the parts of the page that need no browser
	$(NPM) run --silent test

client: env  ## Write the page's types of the API from the code
	$(BIN)/python web/scripts/write_schema.py
	$(NPM) run --silent schema

run: env  ## Build the page, make the demo database and start Inquery
	@$(MAKE) --no-print-directory web || echo "The page was not built; the API and the command line work without it."
	@$(BIN)/inquery demo
	@if $(BIN)/inquery serve --help >/dev/null 2>&1; then exec $(BIN)/inquery serve; \
	else \
	  echo "There is no server in this version; the command line is ready:"; \
	  echo "  $(BIN)/inquery schema"; \
	  echo "  $(BIN)/inquery sql 'SELECT region, COUNT(*) AS stores FROM stores GROUP BY region'"; \
	  $(BIN)/inquery sql 'SELECT region, COUNT(*) AS stores FROM stores GROUP BY region'; \
	fi

test: env  ## Run the tests (the page's where there is Node and Chromium), the linter and the type checker
	@$(MAKE) --no-print-directory web || echo "The page was not built; its tests are skipped."
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --ignore=tests/emulators
	$(MAKE) --no-print-directory lint

test-page: env web  ## Run the tests of the page alone, in a real browser (needs Node 20 and Chromium)
	$(BIN)/pytest -n $(WORKERS) --dist loadfile tests/e2e

test-emulators: env  ## Run the engines that need an emulator in environments of their own
	bash tests/emulators/run.sh

test-training: env  ## Run the training code on a small sample (installs torch)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,training]'
	$(BIN)/pytest tests/training

lint: env  ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# SPIDER is the folder that training/README.md describes; what needs it is left out without it.
SPIDER ?=

bench: env  ## Make the figures of docs/benchmarks.md again (SPIDER=folder for all of them; hours on two cores)
	$(BIN)/python -m benchmarks.peers overhead
	$(if $(SPIDER),$(BIN)/python -m benchmarks.peers robustness --spider $(SPIDER))
	$(if $(SPIDER),$(BIN)/python -m benchmarks.ablations --spider $(SPIDER))
	$(if $(SPIDER),$(BIN)/python -m benchmarks.scale tables --spider $(SPIDER))
	for part in caches rows concurrency; do $(BIN)/python -m benchmarks.scale $$part; done
	$(BIN)/python -m benchmarks.safety
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.table

bench-quick: env  ## Say what got slower or worse since the stored run, in a few minutes (SPIDER=folder for all of it)
	$(BIN)/python -m benchmarks.quick $(if $(SPIDER),--spider $(SPIDER))

docs: env  ## Write the reference pages from the code
	$(BIN)/python -m docs.generate

constraints: env  ## Write constraints.txt from what is installed
	{ echo "# Versions the tests were run with, Python 3.11. Written by: make constraints"; \
	  $(BIN)/python -m pip freeze --exclude-editable --exclude torch --exclude setuptools \
	  | grep '==' | grep -v '+' | LC_ALL=C sort -f; } > constraints.txt.new
	mv constraints.txt.new constraints.txt
	touch $(STAMP)

clean:  ## Remove the environment and what tools left
	rm -rf $(VENV) .venv-* build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
