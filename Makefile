# The commands of a contributor and of the build machine. `make help` lists them.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PORT ?= 8080
# A folder that keeps sessions across restarts; without it they live in memory.
DATA ?=
BUILT := .build-release/out
TRAITD := $(BUILT)/traitd
EXAMPLES := deploy/examples/ipad-mail.json deploy/examples/acme-configuration.json

.PHONY: help run build sbom dist quick test gate nightly lint format openapi docs tour bench bench-engine bench-kit \
    bench-http bench-paths pictures fuzz soak crash simulate museum sanitize

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Build traitd and serve the two examples on 127.0.0.1:8080 (PORT=…, DATA=… to keep them)
	@.ci/try-lines --port 127.0.0.1 "$(PORT)"
	@$(MAKE) --no-print-directory build
	@.ci/try-lines 127.0.0.1 "$(PORT)"
	@exec $(TRAITD) --host 127.0.0.1 --port "$(PORT)" $(DATA:%=--data-dir %) \
	    $(EXAMPLES:%=--load %)

build: ## Build the release binary: .build-release/out/traitd
	@.ci/packages run
	@[ -e $(TRAITD) ] || echo "building the release binary: one to three minutes the first time"
	@deploy/docker/build.sh $(BUILT)

sbom: build ## Say which commits and versions the release binary was built from: .build-release/out/traitd.spdx.json
	@.ci/sbom >$(BUILT)/traitd.spdx.json
	@echo "$(BUILT)/traitd.spdx.json"

dist: build ## Make what is published, in .build-release/dist: tarball, Debian package, image, SBOM, notes, checksums
	@.ci/packages dist
	@deploy/package/dist $(TRAITD) .build-release/dist

quick: ## After a change, within a minute: its files checked, a debug build, tests that only compute
	@.ci/packages test
	@.ci/check quick

test: ## Check what is promised: five minutes on two cores, twelve from a clean clone
	@.ci/packages test
	@.ci/tools
	@.ci/check test

gate: ## After `make test`: checks that take longer, or need other servers or a browser
	@.ci/packages gate browser
	@.ci/tools
	@.ci/check gate

nightly: build ## After `make gate`, at most 20 minutes: the long random and exhaustive runs, the benchmark in small
	@.ci/packages test
	@.ci/check nightly

lint: ## Check format, scripts, manifests and openapi.yaml
	@.ci/packages test
	@.ci/tools
	@.ci/lint

format: ## Rewrite the Swift sources in the project's format
	swift format --in-place --recursive Sources Tests Examples Package.swift

openapi: ## After a change of openapi.yaml, or a new file in ui/: write what the build embeds, and what the tests compare
	@.ci/packages test
	@.ci/openapi.py
	@.ci/client-types
	@.ci/ui

tour: build ## Run the commands of README and docs against fresh servers and compare the output
	@.ci/packages test
	@.ci/tour $(TRAITD)

docs: ## Build the documentation of TraitKit: .build-docs/TraitKit.doccarchive (docc preview shows it)
	@.ci/docs

fuzz: ## Look for inputs that break something, FUZZ_SECONDS=60 for each part (libFuzzer)
	@.ci/packages run
	@.ci/fuzz

soak: build museum ## Hours: past faults, SOAK_SCRIPTS=20000, every attack, SOAK_MINUTES=10 of mixed load
	@.ci/checked TraitOracle scripts --after 5000 --scripts "$${SOAK_SCRIPTS:-20000}"
	@.ci/checked RunSessionScripts --after 5000 --scripts "$${SOAK_SCRIPTS:-20000}"
	@clients/conformance/run --random 1000 --seed 5001
	@Tests/Process/Robustness/robustness.py $(TRAITD)
	@Tests/Process/Robustness/rows.py $(TRAITD)
	@Tests/Process/Robustness/answers.py $(TRAITD) 120
	@Tests/Process/Robustness/soak.py $(TRAITD) "$${SOAK_MINUTES:-10}"
	@Tests/Process/Robustness/adversary.py $(TRAITD) "$$(($${SOAK_MINUTES:-10} * 60))"
	@Tests/Process/Crash/crash.py $(TRAITD) 1000 5001
	@.ci/packages gate
	@Tests/Process/Replicas/replicas.py $(TRAITD) --check-itself
	@Tests/Process/Replicas/replicas.py $(TRAITD) --faults 60
	@.ci/checked RunSimulation --first 10001 --seeds "$${SOAK_SEEDS:-20000}"
	@.ci/checked RunDurability --flips 20000 --seed 5001

crash: build ## Kill traitd at random moments (KILLS=10), fill its disk, damage its files: no acknowledged write may be lost
	@Tests/Process/Crash/crash.py $(TRAITD) "$${KILLS:-10}" "$${SEED:-1}"
	@Tests/Process/Crash/full.py $(TRAITD)
	@.ci/checked RunDurability --flips 200 --seed "$${SEED:-1}"

simulate: ## Run three replicas, clients and faults in one thread, SEEDS=250 times; SEED=7 repeats one world
	@.ci/packages test
	@.ci/checked RunSimulation $(if $(SEED),--seed $(SEED),--seeds $(or $(SEEDS),250) --jobs $(or $(JOBS),1))

museum: ## Put past faults back, one after another: the random runs must find each
	@.ci/packages test
	@Tests/Random/Museum/run
	@Tests/Random/Museum/sessions/run
	@Tests/Random/Museum/replicas/run
	@Tests/Random/Museum/access/run

sanitize: ## Run tests under ThreadSanitizer and AddressSanitizer (builds everything twice more)
	@.ci/packages test
	@.ci/sanitize

pictures: build ## Take the pictures of the inspector in docs/inspector (installs playwright and pillow from PyPI)
	@.ci/packages browser
	@python3 -m venv .build-ci/pictures
	@.build-ci/pictures/bin/pip install --quiet --disable-pip-version-check playwright==1.65.2 pillow==13.0.0
	@.build-ci/pictures/bin/python Tests/Process/Inspector/pictures.py $(TRAITD)

bench: bench-engine bench-http ## Measure everything, and write docs/performance and the figures of README (minutes, quiet machine)
	@Tests/Process/Benchmarks/report.py

bench-engine: build ## Measure the engine, loading a file, and the same change in a browser where there is one
	@.ci/packages bench
	@command -v chromium chromium-headless-shell >/dev/null || .ci/packages browser || true
	@bench="$$(Tests/Process/Benchmarks/build.sh)"; \
	    Tests/Process/Benchmarks/engine.sh "$$bench" $(TRAITD); \
	    Tests/Process/Benchmarks/chromium.py "$$bench"

bench-kit: ## Measure an update of 10,000 views with TraitKit, beside its walks alone
	@swift run --no-color-diagnostics -c release --scratch-path .build-bench traitkit-bench

bench-http: build ## Measure requests a second against a minimal C server (two cores)
	@.ci/packages bench
	@Tests/Process/Benchmarks/http.sh $(TRAITD)
	@Tests/Process/Benchmarks/streams.sh $(TRAITD)
	@Tests/Process/Benchmarks/durable.sh $(TRAITD)
	@Tests/Process/Benchmarks/restart.py $(TRAITD)

bench-paths: build ## Count the instructions and runtime calls of the hot paths with valgrind
	@.ci/packages bench profile
	@Tests/Process/Benchmarks/callgrind.sh
	@Tests/Process/Benchmarks/requests.py $(TRAITD)
	@Tests/Process/Benchmarks/files.py $(TRAITD) .build-release/release/traitd
