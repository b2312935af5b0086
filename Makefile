# The commands of the project. `make` lists them.
SHELL := /bin/bash
GO ?= go

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/shmkvgen, bin/shmkv and its peers in C, C++ and Rust
	$(GO) build -o bin/ ./cmd/shmkvgen
	./scripts/peers

.PHONY: demo
demo: ## build, serve a page, watch it, bench it (needs Go only)
	./scripts/demo

.PHONY: gen
gen: ## write the bindings of layout.yaml anew
	$(GO) generate ./...

.PHONY: check
check: ## compare the bindings with layout.yaml
	$(GO) run ./cmd/shmkvgen check

.PHONY: witness
witness: ## let every compiler found report sizes and offsets
	$(GO) run ./cmd/shmkvgen witness

.PHONY: deps
deps: ## install what the tests need, or name it
	./scripts/deps

.PHONY: lint
lint: ## formatting and vet
	./scripts/lint

.PHONY: conformance
conformance: deps ## every peer, and every writer with every watcher
	cd conformance && $(GO) test -count=1

.PHONY: test
test: deps lint check ## everything that must hold (installs what it lacks)
	$(GO) build -o bin/ ./cmd/shmkvgen
	./scripts/peers all
	$(GO) test ./...

.PHONY: fuzz
fuzz: ## fuzz the generator for ten minutes
	$(GO) test -run '^$$' -fuzz FuzzParse -fuzztime 5m -fuzzminimizetime 20x ./gen
	$(GO) test -run '^$$' -fuzz FuzzEmit -fuzztime 5m -fuzzminimizetime 20x ./gen

.PHONY: ci
ci: ## what continuous integration runs
	./.ci/run
