# The commands a newcomer needs:
#   make run     install what is missing, build, start the server
#   make test    install what is missing, build, run the quick test pyramid
#   make cluster the same on three nodes and a private Ceph, until Ctrl-C (ARGS="--nodes 5", ARGS=--help)
# Others: make build | chaos | crash | fuzz | bench | format | lint | clean.   ARGS="..." goes to the program.

BUILD := build/release
ARGS  ?=

.PHONY: run cluster test build bootstrap chaos crash fuzz bench format lint clean

run: bootstrap
	tools/build release orrery
	exec $(BUILD)/bin/orrery serve $(ARGS)

cluster: bootstrap
	tools/build release orrery
	@exec tools/cluster $(ARGS)

test: build
	tools/test

build: bootstrap
	tools/build release

bootstrap:
	@tools/bootstrap

# Long runs, separate from `make test`.
chaos: build
	tools/chaos $(ARGS)

zombies: build
	tools/zombies $(ARGS)

crash: build
	tools/crash $(ARGS)

fuzz: bootstrap
	tools/fuzz $(ARGS)

bench: build
	tools/bench $(ARGS)

format: bootstrap
	git ls-files -co --exclude-standard '*.h' '*.cc' | xargs clang-format-19 -i

lint: bootstrap
	tools/lint

clean:
	rm -rf build
