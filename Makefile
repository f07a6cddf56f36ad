# make run    everything a first look needs, then the program
# make test   everything that must pass before a change is kept
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
VENV := .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
DEVELOPS := $(VENV)/.develops
WORKERS ?= 2

.PHONY: help env demo web page-or-word web-tools web-test client run test test-all test-page test-emulators test-training test-compiled lint judge bench bench-quick pin docs dist constraints clean

help:  ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

env: $(DEVELOPS)  ## Make .venv with everything for development

# Stamps, so that a second run only compares dates. What development needs includes what running needs, so after
# `make test` there is nothing left to install for `make run`; the other way round the rest is added.
$(RUNS): pyproject.toml constraints.txt
	$(call install,page)
	@touch $@

$(DEVELOPS): pyproject.toml constraints.txt
	$(call install,dev)
	@touch $(RUNS) $@

# uv takes seconds where pip takes a minute; where it is not on PATH it is borrowed for the moment. It knows nothing of
# pip's configuration (a mirror, a folder of wheels, certificates), so it is told pip's index, gives up at the second
# refusal, and pip does what uv could not. Neither compiles: most modules are never imported, and all of them together
# cost 15 seconds and 100 MB.
define install
@if [ ! -x $(BIN)/python ]; then \
  python=""; \
  for name in $(PYTHON) python3.11 python3.12 python3.13 python3; do \
    if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python="$$name"; break; fi; \
  done; \
  if [ -z "$$python" ]; then echo "Python 3.11 or newer is needed on PATH." >&2; exit 1; fi; \
  "$$python" -m venv $(VENV); \
fi; \
pip="$(BIN)/python -m pip --quiet --disable-pip-version-check"; \
uv="$$(command -v uv || true)"; borrowed="$$(mktemp -d)"; trap 'rm -rf "$$borrowed"' EXIT; \
if [ -z "$$uv" ] && $$pip install --retries 0 --no-compile --no-deps --target "$$borrowed" uv >/dev/null 2>&1; \
then uv="$$borrowed/bin/uv"; fi; \
index="$${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$($$pip config get global.index-url 2>/dev/null || true)}}"; \
if [ -n "$$index" ]; then export UV_DEFAULT_INDEX="$$index"; fi; \
echo "Installing the packages of '$(1)' …"; \
[ -n "$$uv" ] && UV_HTTP_RETRIES="$${UV_HTTP_RETRIES:-1}" \
  "$$uv" pip install --quiet --python $(BIN)/python -c constraints.txt -e '.[$(1)]' 2>"$$borrowed/why" \
|| { [ -z "$$uv" ] || echo "uv could not ($$(tail -n 1 "$$borrowed/why")); pip takes over."; \
  $$pip install --no-compile -c constraints.txt -e '.[$(1)]'; }
endef

PAGE := src/inquery/web_dist/index.html
PAGE_SOURCES = $(shell find web/src web/public web/index.html web/vite.config.ts web/tsconfig.json -type f 2>/dev/null)
HAS_NODE := node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null
NPM := npm --prefix web --no-fund --no-audit --loglevel=error --fetch-retries=1 --fetch-timeout=60000

web: $(PAGE)  ## Build the web page (needs Node 20 or newer)

# Not npm ci: it refuses a lock without the binaries of every other platform, which not every registry has.
# Without the tools of development, unless they are there already: npm would take them away.
$(PAGE): web/package.json web/package-lock.json $(PAGE_SOURCES)
	@$(HAS_NODE) \
	  || { echo "Node 20 or newer is needed to build the web page." >&2; exit 1; }
	@[ web/node_modules/.package-lock.json -nt web/package-lock.json ] \
	  || $(NPM) install --no-save $$([ -d web/node_modules/vitest ] || echo --omit=dev)
	@$(NPM) run --silent build -- --logLevel warn
	@touch $(PAGE)

web-tools:
	@[ -d web/node_modules/vitest -a web/node_modules/.package-lock.json -nt web/package-lock.json ] || $(NPM) install --no-save

web-test: web-tools web  ## Test the types and the parts of the page that need no browser
	$(NPM) run --silent test

client: env web-tools  ## Write the page's types of the API from the code
	$(BIN)/python web/scripts/write_schema.py
	$(NPM) run --silent schema

# The packages and the page are fetched and built side by side; the demo is made meanwhile.
run:  ## Install what running needs, build the page, make the demo database and start Inquery
	@$(MAKE) --no-print-directory -j2 demo page-or-word
	@exec $(BIN)/inquery serve

demo: $(RUNS)
	@$(BIN)/inquery demo

page-or-word:
	@$(MAKE) --no-print-directory web || echo "The page was not built; the API and the command line work without it."

test: env  ## Run the tests (the page's where there is Node and Chromium), the linter and the type checker
	@$(MAKE) --no-print-directory web-tools web || echo "The page was not built; its tests are skipped."
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --ignore=tests/emulators --ignore=tests/slow
	$(MAKE) --no-print-directory lint

test-all: test  ## Run the tests, and what takes longer: the emulators, the training code, a wheel in an empty environment, sqlglot's compiled build
	$(MAKE) --no-print-directory dist
	$(BIN)/pytest tests/slow
	$(MAKE) --no-print-directory test-compiled
	$(MAKE) --no-print-directory test-emulators
	$(MAKE) --no-print-directory test-training

test-page: env web-tools web  ## Run the tests of the page alone, in a real browser (needs Node 20 and Chromium)
	$(BIN)/pytest -n $(WORKERS) --dist loadfile tests/e2e

test-emulators: env  ## Run the engines that need an emulator in environments of their own
	bash tests/emulators/run.sh

test-compiled: env  ## Let the guard judge both corpora with sqlglot's compiled build too, to the same verdicts
	@version=$$($(BIN)/python -c 'import sqlglot; print(sqlglot.__version__)'); \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target build/compiled "sqlglot==$$version" "sqlglotc==$$version"
	INQUERY_COMPILED_SQLGLOT=$(CURDIR)/build/compiled $(BIN)/pytest tests/security/guard/test_compiled.py

test-training: env  ## Run the training code on a small sample (installs torch)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,training]'
	$(BIN)/pytest tests/training

lint: env  ## Check style and types, those of the page too where there is Node
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if $(HAS_NODE) && $(MAKE) --no-print-directory web-tools; then $(NPM) run --silent lint; \
	else echo "The page was not linted: that needs Node 20 or newer and its packages."; fi

# SPIDER is the folder that training/README.md describes; what needs it is left out without it.
SPIDER ?=

# QUESTIONS and DATABASES: further questions with their databases, in the shape of `inquery eval product`.
QUESTIONS ?=
DATABASES ?=

judge: env  ## Fit the judge of answers again and write its figures into docs/benchmarks.md (build/*.tape keeps what was decoded)
	mkdir -p build && rm -f build/judge.jsonl build/further.jsonl && touch build/further.jsonl
	$(BIN)/python -m benchmarks.judge collect --out build/judge.jsonl --sets unseen business --both
	$(BIN)/python -m benchmarks.judge collect --out build/judge.jsonl --sets systems --most 8
	$(if $(QUESTIONS),$(BIN)/python -m benchmarks.judge collect --out build/further.jsonl --sets --both --questions $(QUESTIONS) --databases $(DATABASES))
	$(BIN)/python -m benchmarks.judge fit build/judge.jsonl build/further.jsonl --write
	$(BIN)/python -m benchmarks.table

bench: env  ## Make the figures of docs/benchmarks*.md again (SPIDER=folder for all of them; hours on two cores)
	$(BIN)/python -m benchmarks.peers overhead
	$(if $(SPIDER),$(BIN)/python -m benchmarks.peers robustness --spider $(SPIDER))
	$(if $(SPIDER),$(BIN)/python -m benchmarks.peers robustness --spider $(SPIDER) --split train)
	$(if $(SPIDER),$(BIN)/python -m benchmarks.ablations --spider $(SPIDER))
	$(if $(SPIDER),$(BIN)/python -m benchmarks.scale tables --spider $(SPIDER))
	for part in caches rows concurrency; do $(BIN)/python -m benchmarks.scale $$part; done
	$(MAKE) judge
	$(BIN)/python -m benchmarks.prose build/judge.jsonl --write
	$(BIN)/python -m benchmarks.rules --run build/judge.jsonl --keep
	$(BIN)/python -m benchmarks.recall --json benchmarks/results/recall.json
	$(if $(SPIDER),$(BIN)/python -m benchmarks.joins --spider $(SPIDER))
	$(BIN)/python -m benchmarks.safety
	$(BIN)/python -m benchmarks.safety_stalls --keep
	$(BIN)/python -m benchmarks.fences
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.web_page --json benchmarks/results/web_page.json
	$(BIN)/python -m benchmarks.report_checks --json benchmarks/results/report_checks.json
	for part in agents server_load databases reports; do $(BIN)/python -m benchmarks.$$part; done
	$(BIN)/python -m benchmarks.table

bench-quick: env  ## Say what got slower or worse since the stored run, in a few minutes (SPIDER=folder for all of it)
	$(BIN)/python -m benchmarks.quick $(if $(SPIDER),--spider $(SPIDER))

pin: env  ## Say what Inquery does otherwise than is written down in benchmarks/pin (SPIDER=folder for all of it)
	$(BIN)/python -m benchmarks.pin --check $(if $(SPIDER),--spider $(SPIDER))

docs: env  ## Write the reference pages from the code
	$(BIN)/python -m docs.generate

# A wheel without the page would install and start, and show nobody anything.
dist: env web  ## Build the sdist and, from it, the wheel; both must hold the page
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	@for file in dist/*; do \
	  $(BIN)/python -m $$([[ $$file = *.whl ]] && echo zipfile || echo tarfile) -l "$$file" | grep inquery/web_dist/index.html >/dev/null \
	  || { echo "$$file has no page." >&2; exit 1; }; \
	done
	@ls -l dist

constraints: env  ## Write constraints.txt from what is installed
	{ echo "# Versions the tests were run with, Python 3.11. Written by: make constraints"; \
	  $(BIN)/python -m pip freeze --exclude-editable --exclude torch --exclude setuptools \
	  | grep '^[^#]*==' | grep -v '+' | LC_ALL=C sort -f; } > constraints.txt.new
	mv constraints.txt.new constraints.txt
	touch $(RUNS) $(DEVELOPS)

clean:  ## Remove the environment and what tools left
	rm -rf $(VENV) .venv-* build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
