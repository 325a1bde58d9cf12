# make serve   install what serves, start Neo4j and the service
# make train   install what trains models
# make test    install everything, run the tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is installed: enough to serve, to measure, to train, to work on the code.
SERVING := $(VENV)/.serving
MEASURING := $(VENV)/.measuring
TRAINING := $(VENV)/.training
WORKING := $(VENV)/.working
# Modules are compiled when they are first imported: most never are.
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet --no-compile -c constraints.txt -e
# PyTorch's wheels for Linux on the public registry are those for CUDA, GPU or not.
ifeq ($(shell uname -s)/$(shell uname -m),Linux/x86_64)
TRAINING_SIZE := some 3 GB to fetch, 5.3 GB on the disk, CUDA libraries included (docs/training.md: without them)
else
TRAINING_SIZE := some 0.4 GB to fetch, 1.2 GB on the disk
endif
# The service that `make bench` measures.
URL ?= http://127.0.0.1:8000
# One thread a numerical library: two threads on a busy machine are slower than one.
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export HF_HUB_OFFLINE := 1

.PHONY: help install measure train serve test slow lint format bench first-start clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

install: $(SERVING)  ## install what serves into .venv

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(SERVING): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what serves into $(VENV): 0.25 GB to fetch, 0.75 GB on the disk ..."
	@$(INSTALL) .
	@touch $@

$(MEASURING): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what measures into $(VENV): 0.1 GB to fetch, 0.3 GB on the disk ..."
	@$(INSTALL) '.[bench]'
	@touch $(SERVING) $@

$(TRAINING): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what trains into $(VENV): $(TRAINING_SIZE) ..."
	@$(INSTALL) '.[train]'
	@touch $(SERVING) $(MEASURING) $@

$(WORKING): pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what trains, and the tools, into $(VENV): $(TRAINING_SIZE) ..."
	@$(INSTALL) '.[dev,train]'
	@touch $(SERVING) $(MEASURING) $(TRAINING) $@

measure: $(MEASURING)  ## install what `biomolkg bench` needs

train: $(TRAINING)  ## install what `biomolkg train` needs
	@echo "Train with: $(BIN)/biomolkg train"

serve: $(SERVING)  ## start Neo4j and the service on http://127.0.0.1:8000
	@exec $(BIN)/biomolkg serve

test: $(WORKING)  ## run the tests against a real Neo4j that is started for the run
	$(BIN)/python -m pytest

slow: $(WORKING)  ## build the package, install it with pip, pipx and uv, serve and ask; needs the registry
	$(BIN)/python -m pytest -m slow

lint: $(WORKING)  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(WORKING)  ## put the code into the house style
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(WORKING)  ## measure the speed of a running service (URL=...) and of loading, beside naive baselines
	@failed=0; \
	$(BIN)/python -m evaluation.speed --url $(URL) || failed=1; \
	$(BIN)/python -m graph_loader.speed || failed=1; \
	exit $$failed

first-start:  ## measure the first minutes: a fresh clone, an empty home, pip's cache
	@$(PYTHON) setup/first_start.py

clean:  ## remove the environment and caches of this folder
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
