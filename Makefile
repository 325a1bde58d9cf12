# make serve   install what is missing, start Neo4j and the service
# make test    install what is missing, run the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The service that `make bench` measures.
URL ?= http://127.0.0.1:8000
# One thread a numerical library: two threads on a busy machine are slower than one.
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export HF_HUB_OFFLINE := 1

.PHONY: help install serve test lint format bench clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

install: $(STAMP)  ## install the project and its tools into .venv

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --upgrade pip
	@echo "Installing into $(VENV) (the first time takes some minutes) ..."
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -c constraints.txt -e '.[dev]'
	@touch $@

serve: $(STAMP)  ## start Neo4j and the service on http://127.0.0.1:8000
	@exec $(BIN)/biomolkg serve

test: $(STAMP)  ## run the tests against a real Neo4j that is started for the run
	$(BIN)/python -m pytest

lint: $(STAMP)  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(STAMP)  ## put the code into the house style
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(STAMP)  ## measure the speed of a running service (URL=...) and of loading, beside naive baselines
	@failed=0; \
	$(BIN)/python -m evaluation.speed --url $(URL) || failed=1; \
	$(BIN)/python -m graph_loader.speed || failed=1; \
	exit $$failed

clean:  ## remove the environment and caches of this folder
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
