# `make run` serves, `make test` checks everything; both install what they need on a Debian 12 with Swift.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# What the server links and what --embedded runs; what the checks need besides.
LIBRARIES := libmicrohttpd-dev libpq-dev libssl-dev libcurl4-openssl-dev libjansson-dev libjemalloc-dev pkg-config postgresql
BENCHERS := wrk postgresql python3
CHECKERS := git curl openssl docker-compose chromium chromium-driver pgbouncer

# The compiler's import check misses what changed in an incremental build, so Tests/HouseTests reads the import lines too.
CHECKED := --explicit-target-dependency-import-check error
SOURCES := Sources Tests Package.swift
LOGS := .build/logs

.NOTPARALLEL:
.PHONY: help run example build release test lint compile unit blackbox compose bench fuzz sanitize clean libraries benchers checkers python

help: ## Say what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{ printf "make %-10s %s\n", $$1, $$2 }'

run: libraries release ## Serve with a private database and a demo app (ASSENT_PORT chooses the port)
	@exec env -u DATABASE_URL .build/release/assent serve --embedded --demo

example: ## Serve the example's two pages; `make run` must be running (see web/example)
	@exec python3 web/example/backend.py --assent http://localhost:$(or $(ASSENT_PORT),8080)

build: libraries ## Compile for debugging
	swift build $(CHECKED)

release: libraries ## Compile for production
	swift build -c release --product assent

test: lint compile unit blackbox compose ## Everything that continuous integration checks
	@printf '\nAll gates passed: format, build, tests, black box, compose file.\n'
	@grep -E 'Test run with .* passed' $(LOGS)/unit.log
	@tail -n 1 $(LOGS)/blackbox.log

lint: ## Check the format of every Swift file
	swift format lint --strict --recursive --parallel $(SOURCES)

compile: libraries
	swift build --build-tests $(CHECKED)

unit: compile ## Run the Swift tests
	scripts/swift-tests.sh $(CHECKED)

blackbox: compile checkers python ## Run the tests that talk to a running server (Python)
	@mkdir -p $(LOGS)
	.build/venv/bin/python -m pytest -c Tests/blackbox/pytest.ini Tests/contract Tests/blackbox 2>&1 | tee $(LOGS)/blackbox.log

compose: checkers ## Check docker-compose.yml
	docker-compose -f docker-compose.yml config --quiet

bench: libraries release benchers ## Measure this server against the bare database work
	/usr/bin/env python3 benchmarks/run.py

fuzz: libraries ## Fuzz what reads the stores' tokens and certificates (FUZZ_SECONDS, by default 600)
	scripts/fuzz.sh $(or $(FUZZ_SECONDS),600)

sanitize: libraries ## Run the HTTP server's tests under the thread sanitizer (SANITIZE_ROUNDS, by default 1)
	scripts/sanitize.sh $(or $(SANITIZE_ROUNDS),1)

clean: ## Remove what was built; the demo's data in .assent stays
	rm -rf .build

libraries:
	@scripts/install-packages.sh $(LIBRARIES)

benchers:
	@scripts/install-packages.sh $(BENCHERS)

checkers:
	@scripts/install-packages.sh $(CHECKERS)

python: checkers
	@scripts/python-environment.sh
