# `make demo` needs python3 (3.11 or later), make and nothing else; `make help` lists the rest.
# Another interpreter: make PYTHON=python3.12 demo
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet # errors only
OLDEST := (3, 11)

.DEFAULT_GOAL := help
.PHONY: help demo install check test test-nojit bench reproduce notebooks format lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/run.stamp ## install what a run needs, then play ten million rounds of Draw
	$(BIN)/simdom run --variant pagat-draw -n 1e7

install: $(VENV)/dev.stamp ## install simdom and every tool that its developers use

check: $(VENV)/dev.stamp ## format, lint, types, layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_layers.py

test: $(VENV)/dev.stamp ## the whole suite, with the examples of README and docstrings
	$(BIN)/pytest -n auto --dist worksteal

test-nojit: $(VENV)/dev.stamp ## the suite in plain Python, under coverage
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n auto --dist worksteal -m "not jit" --cov

bench: $(VENV)/dev.stamp ## rounds a second, next to a C++ program on the same core
	$(BIN)/simdom bench --yardstick benchmarks/scalar_block.cpp

reproduce: $(VENV)/run.stamp ## published figures against ten million rounds, into results/published
	$(BIN)/simdom reproduce -n 1e7 --seed 1 --out results/published --overwrite

notebooks: $(VENV)/dev.stamp ## execute the notebooks and keep what they print and draw
	$(BIN)/python scripts/run_notebooks.py

format: $(VENV)/dev.stamp ## rewrite the code in the one format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

lock: $(VENV)/dev.stamp ## look for newer releases and write requirements.lock
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
	    --upgrade --strip-extras --no-emit-index-url --no-emit-find-links --quiet \
	    --custom-compile-command "make lock" --output-file requirements.lock

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) build dist .coverage .coverage.* htmlcov
	rm -rf .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find simdom tests -name __pycache__ -type d -prune -exec rm -rf {} +

# requirements.lock is used as constraints: each stamp installs its part at the locked versions.
$(VENV)/run.stamp: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < $(OLDEST))' || { \
	    echo "simdom needs Python 3.11 or later, but $(PYTHON) is:" >&2; \
	    $(PYTHON) --version >&2; \
	    echo "Name a newer one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@echo "Installing simdom in $(VENV) (once, about a minute) ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --constraint requirements.lock hatchling
	@$(PIP) install --constraint requirements.lock --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/run.stamp
	@echo "Installing the developers' tools in $(VENV) ..." >&2
	@$(PIP) install --constraint requirements.lock --no-build-isolation --editable '.[dev]'
	@touch $@
