# Every target sets up .venv by itself; nothing but Python 3.10+ and make is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TRL := $(VENV)/trl-1.16.0-py3-none-any.whl
CHATC := $(BIN)/python -m compiler

.PHONY: help generate check test models-page fuzz conformance bench ship format lint clean

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 12

generate: $(VENV)/.ready ## Generate parsers: MODEL=qwen3, or all models
	$(CHATC) generate $(or $(MODEL),--all)

check: $(VENV)/.ready ## Prove that every generated file is fresh and unedited
	$(CHATC) check

test: $(VENV)/.ready ## Run all tests but the long fuzz
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(VENV)/.ready ## ruff, black and mypy
	$(BIN)/ruff check .
	$(BIN)/black --check --quiet .
	$(BIN)/mypy

fuzz: $(VENV)/.ready ## The long differential run against transformers (CASES=100000)
	$(BIN)/python -m tests.differential.fuzz --cases $(or $(CASES),100000)

conformance: $(TRL) ## Published replies and chat templates (ARGS=calls, variants, round-trip, chat)
	$(BIN)/python -m tests.conformance $(ARGS)

models-page: $(VENV)/.ready ## docs/models.md, from the folders under grammars/
	$(CHATC) list --page > docs/models.md

bench: $(VENV)/.ready ## Speed, as ratios against transformers in the same run
	$(CHATC) bench $(ARGS)

ship: $(VENV)/.ready ## Put one stdlib-only parser file in a model repo: MODEL=qwen3 DEST=DIR
	$(CHATC) bundle $(MODEL) --ship "$(DEST)" $(ARGS)

format: $(VENV)/.ready ## Format the sources
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/black --quiet .

clean: ## Remove the virtual environment and caches
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# Its templates are read; to install it would bring torch.
$(TRL): | $(VENV)/.ready
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --dest $(VENV) trl==1.16.0
