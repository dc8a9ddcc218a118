# Everything is installed into .venv and run from there; nothing needs activating.
#
#   make install   .venv with Clew and its development tools
#   make demo      import the bundled graph, ask five questions
#   make test      the whole test suite
#   make test-full     the whole test suite with more examples, also on Neo4j
#   make test-attack   10,000 hostile and benign queries against each database (docs/security.md)
#   make test-faults   databases killed, every file of a home damaged, models that fail (docs/reliability.md)
#   make test-load     200 chats for five minutes, 20,000 questions (docs/reliability.md)
#   make test-deploy   two servers on PostgreSQL behind nginx, killed and restarted (docs/deploying.md)
#   make lint      ruff and mypy
#   make sbom      sbom.json: every installed package with its licence, as CycloneDX (docs/security.md)
#   make audit     known vulnerabilities of the pinned packages
#   make bench     every benchmark in its quick form
#   make bench-scale   import, indexes and questions on graphs of 1e4 to 1e6 nodes (docs/scaling.md)
#
# Variables:
#   TORCH_BACKEND=cpu   spare machines without an NVIDIA GPU the CUDA build of torch (first install only)
#   PYTHON=python3.12   the interpreter to make .venv with (default: the first 3.11 or newer found)
#   PYTEST_ARGS="-k x"  more arguments for pytest
#   SCALE_ARGS="--size 1e7"   arguments for bench-scale

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := install

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?=
TORCH_BACKEND ?=
PYTEST_ARGS ?=
SCALE_ARGS ?=

PACKAGES := -c constraints.txt -e '.[dev]'

# uv does not read pip's settings: hand on those that decide where packages come from.
define UV_SETTINGS
set_if() { if [ -n "$$2" ]; then export "$$1=$$2"; fi; }; \
setting() { $(BIN)/python -m pip config get "global.$$1" 2>/dev/null || true; }; \
set_if UV_DEFAULT_INDEX "$${PIP_INDEX_URL:-$$(setting index-url)}"; \
set_if UV_INDEX "$${PIP_EXTRA_INDEX_URL:-$$(setting extra-index-url)}"; \
set_if UV_FIND_LINKS "$${PIP_FIND_LINKS:-$$(setting find-links)}"; \
set_if UV_HTTP_TIMEOUT "$${PIP_DEFAULT_TIMEOUT:-$$(setting timeout)}"; \
set_if SSL_CERT_FILE "$${SSL_CERT_FILE:-$${PIP_CERT:-$$(setting cert)}}"
endef

.PHONY: install demo test test-full test-attack test-faults test-load test-deploy lint sbom audit bench bench-scale

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@if ! $(BIN)/python -c '' 2>/dev/null; then \
	  for python in $(PYTHON) python3.12 python3.11 python3.13 python3 python3.14; do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; python=; \
	  done; \
	  [ -n "$$python" ] || { echo "Clew needs Python 3.11 or newer. Name it: make install PYTHON=/path/to/python3" >&2; exit 1; }; \
	  echo "Making $(VENV) with $$($$python --version)"; \
	  "$$python" -m venv $(VENV); \
	fi
	@$(BIN)/python -m pip install --quiet -c constraints.txt uv || [ -z "$(TORCH_BACKEND)" ]
	@$(UV_SETTINGS); \
	if $(BIN)/python -m uv pip install --python $(BIN)/python $(addprefix --torch-backend=,$(TORCH_BACKEND)) $(PACKAGES); then :; \
	elif [ -n "$(TORCH_BACKEND)" ]; then echo "TORCH_BACKEND needs uv and the index of that build of torch." >&2; exit 1; \
	else echo "uv could not install; trying pip."; $(BIN)/python -m pip install $(PACKAGES); fi
	@touch $(STAMP)

demo: $(STAMP)
	@$(BIN)/python -m clew.app.tour demo

# Servers, browsers and their clients run in real time: a test that fails is run once more beside the others, and if it
# fails again, alone, in a process with fixtures of its own. All failures are printed.
# The many processes that tests start read compiled modules, whatever the shell says about writing them.
# Their files are many and live for moments: they are kept in memory where it has 4 GB for files.
# They wait for servers much of the time, so that two cores are kept busy by four processes.
test: IN_MEMORY = $(shell [ "$$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $$4 + 0 }')" -gt 4000000 ] && echo TMPDIR=/dev/shm)
test: PYTEST = PYTHONDONTWRITEBYTECODE= $(IN_MEMORY) $(BIN)/python -m pytest -q -o tmp_path_retention_count=1
test: $(STAMP)
	@$(PYTEST) -n 4 --dist loadfile --no-loadscope-reorder --reruns 1 --reruns-delay 2 $(PYTEST_ARGS) || \
	{ [ $$? -eq 1 ] && echo "The tests that failed are run again, alone." && \
	$(PYTEST) -n 0 --last-failed --last-failed-no-failures none --maxfail 1 $(PYTEST_ARGS); }

test-full:
	@CLEW_FULL=1 $(MAKE) --no-print-directory test

test-attack: $(STAMP)
	@CLEW_ATTACK=$${CLEW_ATTACK:-10000} $(BIN)/python -m pytest -q tests/attack $(PYTEST_ARGS)

test-faults: $(STAMP)
	@CLEW_FAULTS=$${CLEW_FAULTS:-50} $(BIN)/python -m pytest -q -rP -n 2 --dist loadfile tests/faults $(PYTEST_ARGS)

test-load: $(STAMP)
	@CLEW_LOAD=$${CLEW_LOAD:-300} $(BIN)/python -m pytest -q -rP tests/load $(PYTEST_ARGS)

test-deploy: $(STAMP)
	@$(BIN)/python -m pytest -q -rs tests/deploy tests/app/serving/test_serving_many.py $(PYTEST_ARGS)

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/mypy

# Tools that run in environments of their own.
sbom: $(STAMP)
	@$(UV_SETTINGS); $(BIN)/python -m uv tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py environment \
	  --pyproject pyproject.toml --output-reproducible --output-format JSON --output-file sbom.json $(BIN)/python
	@echo "sbom.json lists $$(grep -c '"bom-ref"' sbom.json) packages."

audit: $(STAMP)
	@$(UV_SETTINGS); $(BIN)/python .ci/audit.py $(BIN)/python -m uv tool run --quiet --from pip-audit==2.10.1 pip-audit

bench: $(STAMP)
	@for script in $$(grep -rl --include='*.py' -e '"--quick"' benchmarks | sort); do \
	  echo "== $$script --quick"; $(BIN)/python "$$script" --quick; \
	done

# What was measured in SCALE_FOLDER is not measured again: after an interruption, the same command goes on.
SCALE_FOLDER ?= $(or $(TMPDIR),/tmp)/clew-scale

bench-scale: $(STAMP)
	@$(BIN)/python -m benchmarks.scale --folder '$(SCALE_FOLDER)' --json '$(SCALE_FOLDER)/scale.json' \
	  --charts '$(SCALE_FOLDER)' $(SCALE_ARGS)
