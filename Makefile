# Every target makes .venv by itself: python3 (3.11 to 3.13) and make are all that must be there.
# Another interpreter:  make clean test PYTHON=python3.12

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
LOCKED := --require-hashes -r
PLUGINS := $(wildcard plugins/*/pyproject.toml)

# An empty environment, the package in it, and on top of that the tools to develop it, or to measure it.
MADE  := $(VENV)/.made
CORE  := $(VENV)/.core
DEV   := $(VENV)/.dev
BENCH := $(VENV)/.bench

DEMO = graphrag-pipeline query "audit" query.persona=FCON-001 query.cell=architect:who query.max_hops=2

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check fuzz bench bench-import bench-sweep bench-quick lint style imports length types format docs lock clean

help:  ## Say what the targets do
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' Makefile

demo: $(CORE)  ## Run one query on the demo graph
	$(BIN)/$(DEMO)

# The tests start hundreds of processes: without its bytecode each would compile the package anew.
test: $(DEV)  ## Run the tests (ARGS="-m 'not slow'" for the fast ones)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder $(ARGS)

check: lint types  ## All but the tests: style, who imports whom, module length, types

fuzz: $(DEV)  ## Feed every graph parser broken files, a minute each (ARGS="--seconds 5 csv rdf")
	$(BIN)/python -m tests.fuzz $(ARGS)

bench: $(BENCH)  ## Measure speed, and write it into docs/performance.md (about six minutes)
	$(BIN)/python -m tests.bench

bench-import: $(BENCH)  ## Measure how long graph files take to read, and write it into docs/sources.md
	$(BIN)/python -m tests.bench.importing $(ARGS)

bench-sweep: $(DEV)  ## Measure what sweeps cost, and write it into docs/sweep.md (GRAPHRAG_DATA names the data)
	$(BIN)/python -m tests.bench.sweeping $(ARGS)

bench-quick: $(BENCH)  ## The same with small graphs, printed only (under two minutes)
	$(BIN)/python -m tests.bench --quick

lint: style imports length  ## Style, who imports whom, module length

style: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

imports: $(DEV)
	$(BIN)/lint-imports --no-logo

length:
	@find graphrag_pipeline -name '*.py' -exec wc -l {} \; | awk \
	  '$$1 > 400 { print $$2 ": " $$1 " lines, the limit is 400: split it"; bad = 1 } END { exit bad }'

types: $(DEV)  ## mypy --strict
	$(BIN)/mypy

format: $(DEV)  ## Rewrite the code as `make lint` wants it, where a tool can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(DEV)  ## Build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# --- the environment --------------------------------------------------------------------------------------------

# A changed lock starts the environment anew, so that nothing stays behind that a lock no longer names.
$(MADE): requirements.lock requirements-dev.lock requirements-bench.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 11) <= v < (3, 14) else \
	  "$(PYTHON) is Python %d.%d; graphrag_pipeline runs on 3.11, 3.12 and 3.13: name one of these with PYTHON=" % v)'
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(CORE): $(MADE) pyproject.toml graphrag_pipeline/_version.py
	$(PIP) install $(LOCKED) requirements.lock
	$(PIP) install --no-deps -e .
	@touch $@

$(DEV): $(CORE) $(PLUGINS)
	$(PIP) install $(LOCKED) requirements-dev.lock
	$(if $(PLUGINS),$(PIP) install --no-deps $(PLUGINS:%/pyproject.toml=-e ./%))
	@touch $@

$(BENCH): $(CORE)
	$(PIP) install $(LOCKED) requirements-bench.lock
	@touch $@

# --- the locks --------------------------------------------------------------------------------------------------

UV      := build/uv/bin/uv
COMPILE  = $(UV) pip compile pyproject.toml --quiet --universal --python-version 3.11 --fork-strategy fewest \
  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)

lock: $(UV)  ## Write the three locks anew (UPGRADE=1 takes newer versions)
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra dev --extra docs --constraint requirements.lock --output-file requirements-dev.lock
	$(COMPILE) --extra bench --constraint requirements-dev.lock --output-file requirements-bench.lock

$(UV):
	$(PYTHON) -m venv --clear build/uv
	build/uv/bin/python -m pip --disable-pip-version-check --quiet install 'uv==0.13.9'

clean:  ## Remove all that make has made
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
